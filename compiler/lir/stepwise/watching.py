"""What an effect brings about besides itself: triggers, and cards that come to be seen."""

from collections.abc import Callable
from typing import Final

from attrs import define, field

from compiler.graph.core import (
    AllTokens,
    Attribute,
    Chance,
    Const,
    FlagOf,
    KindOf,
    Node,
    Read,
    Shuffle,
    Term,
)
from compiler.graph.walk import Access, reads, step_writes, whole
from compiler.lir.build import both, num
from compiler.lir.core import Expr, Function, Local, Switch, Trap
from compiler.lir.stepwise.code import (
    Code,
    at,
    call,
    function,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.references import bit
from compiler.lir.stepwise.terms import Terms, seat_mask
from compiler.lir.stepwise.tokens import Tokens, some
from compiler.types import has_tokens

FINISHED: Final = -1
"""What a node gives in place of the next one when the game is over."""


@define(eq=False)
class Watching:
    """The triggers of one graph, and who sees what of it."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    _reads: tuple[Access, ...] = field(init=False)
    _viewers: dict[int, Access] = field(init=False)

    def __attrs_post_init__(self) -> None:
        graph = self.plan.graph
        self._reads = tuple(reads(trigger.condition) for trigger in graph.triggers)
        self._viewers = {p.index: reads(p.viewers) for p in graph.places if p.viewers}

    def functions(self) -> tuple[Function, ...]:
        """All that is below, for a program to take in."""
        graph = self.plan.graph
        return (
            function("viewers", ("place",), self._seen_by),
            function("refuse_seen", ("place",), self._refuse_seen, gives=None),
            function("start_trigger", ("resume",), self._start),
            function("end_trigger", ("resume",), self._end),
            *(
                function(
                    f"trigger{at_}", (), self._condition(trigger.condition), note=trigger.title
                )
                for at_, trigger in enumerate(graph.triggers)
            ),
        )

    def _condition(self, condition: Term) -> Callable[[Code], None]:
        return lambda code: code.give(self.terms.of(code).test(condition))

    # ---- sight

    def _seen_by(self, code: Code, place: Local) -> None:
        """The mask of the seats that see what lies face down in a place."""
        places = self.plan.graph.places
        known = [_known_mask(one.viewers) for one in places]
        if None not in known:
            table = tuple(mask for mask in known if mask is not None)
            code.give(word(self.plan.memory.constant(table), place))
            return
        cases = []
        for one in places:
            inside = code.inner()
            seen: Expr = num(0)
            if one.viewers is not None:
                seen = seat_mask(self.terms.of(inside), one.viewers)
            inside.give(seen)
            cases.append(inside.block)
        code.put(Switch(place, tuple(cases)))
        code.give(0)

    def _refuse_seen(self, code: Code, place: Local) -> None:
        """Stops the machine if somebody sees a card there that has no kind."""
        seen = code.keep(call("viewers", place))
        cells = code.keep(self.tokens.cells_of(place))
        with code.up_to(self.tokens.count(place)) as (each, i):
            token = each.keep(at(cells, i))
            hidden = less(self.tokens.kind(token), 0)
            each.trap_if(both(hidden, joined(some(seen), self.tokens.face(token))), SELDOM)

    @property
    def steady(self) -> bool:
        """Whether who sees what does not depend on what lies where."""
        return not any(read.table for read in self._viewers.values())

    # ---- triggers

    def triggers(self, node: Node) -> tuple[int, ...]:
        """Those whose condition the step of a node can change."""
        writes = self._writes(node)
        return tuple(at_ for at_, read in enumerate(self._reads) if writes.meets(read))

    def places(self, node: Node) -> tuple[int, ...]:
        """Those whose viewers the step of a node can change."""
        writes = self._writes(node)
        return tuple(place for place, read in self._viewers.items() if writes.meets(read))

    def exposes(self, node: Node) -> bool:
        """Whether the step may bring about that a hidden token is read or seen."""
        faces = any(
            isinstance(term, Read)
            and isinstance(term.source, Attribute | KindOf | AllTokens | FlagOf)
            for at_ in self.triggers(node)
            for term in whole(self.plan.graph.triggers[at_].condition)
        )
        return faces or bool(self.places(node))

    def _writes(self, node: Node) -> Access:
        writes = step_writes(node.step)
        if isinstance(node.step, Chance) and isinstance(node.step.distribution, Shuffle):
            forgetful = [v for v in self.plan.homes if has_tokens(v.type)]
            return Access((*writes.variables, *forgetful), writes.table)
        return writes

    def after(self, code: Code, node: Node, then: int) -> None:
        """Behind an effect: leaves the function for the node that comes next."""
        for place in self.places(node):
            code.do("refuse_seen", place)
        fired = self.triggers(node)
        if not fired:
            code.give(then)
            return
        self.tokens.references.fresh(code)
        for at_ in fired:
            holds = code.keep(call(f"trigger{at_}"))
            held = word(self.plan.held)
            with code.either(holds) as (yes, no):
                no.put(put_word(self.plan.held, both(held, num(~(1 << at_)))))
                with yes.when(is_(bit(held, at_), 0)) as fresh:
                    waiting = joined(word(self.plan.fired), num(1 << at_))
                    fresh.put(put_word(self.plan.fired, waiting))
                    fresh.put(put_word(self.plan.held, joined(held, num(1 << at_))))
        starts = both(some(word(self.plan.fired)), is_(word(self.plan.in_trigger), 0))
        code.give_if(starts, call("start_trigger", then))
        code.give(then)

    def _start(self, code: Code, resume: Local) -> None:
        """The first that waits: where its block begins."""
        depth = code.keep(word(self.plan.depth))
        frame = plus(times(resume, -1), -1)
        code.put(
            put_word(self.plan.stack, frame, depth),
            put_word(self.plan.depth, plus(depth, 1)),
            put_word(self.plan.in_trigger, 1),
        )
        fired = code.keep(word(self.plan.fired))
        for at_, trigger in enumerate(self.plan.graph.triggers):
            with code.when(bit(fired, at_)) as first:
                first.put(put_word(self.plan.fired, both(fired, num(~(1 << at_)))))
                first.give(self.plan.graph.phase(trigger.phase).entry)
        code.put(Trap(SELDOM))

    def _end(self, code: Code, resume: Local) -> None:
        """The end of a block: the next that waits, or what was interrupted."""
        code.put(put_word(self.plan.in_trigger, 0))
        code.give_if(word(self.plan.fired), call("start_trigger", resume))
        code.give(resume)


def _known_mask(viewers: Term | None) -> int | None:
    """The seats that a constant names."""
    match viewers:
        case None | Const(None):
            return 0
        case Const(int() as seat):
            return 1 << seat
        case Const(tuple() as seats):
            return sum(1 << seat for seat in seats if isinstance(seat, int))
        case _:
            return None
