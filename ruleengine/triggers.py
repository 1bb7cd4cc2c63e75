"""`whenever`: which effects can set it off, and how its block is run.

After an effect that writes what a condition reads, the condition is tested; when it has become true
the trigger fires.  One block runs at a time; those that fire meanwhile wait, in file order.
"""

from collections.abc import Callable

from attrs import define, frozen

from compiler.graph.core import (
    AllTokens,
    Attribute,
    Chance,
    FlagOf,
    Graph,
    KindOf,
    Node,
    Read,
    Shuffle,
    Term,
)
from compiler.graph.walk import Access, reads, step_writes, whole
from compiler.types import has_tokens
from ruleengine.errors import Exposed, Fault, Unresolved
from ruleengine.gather import Gather
from ruleengine.sight import Sight
from ruleengine.statics import Statics
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Terms


@frozen
class Watch:
    """What an effect can bring about besides itself.

    `triggers` are those whose condition it can change, in file order; `places` those whose viewers
    it can change.  `exposes`: it may bring about that a hidden token is read or seen.
    """

    triggers: tuple[int, ...]
    places: tuple[int, ...]
    exposes: bool


@define(eq=False)
class Triggers:
    """The triggers of one graph."""

    statics: Statics
    terms: Terms
    sight: Sight
    _tests: tuple[Callable[[Table], bool], ...]
    _reads: tuple[Access, ...]
    _entries: tuple[int, ...]
    _viewers: dict[int, Access]
    _reads_faces: tuple[bool, ...]

    @classmethod
    def of(cls, terms: Terms, sight: Sight) -> "Triggers":
        """Those of a graph."""
        graph = terms.statics.graph
        return cls(
            terms.statics,
            terms,
            sight,
            tuple(terms.scope().test(trigger.condition) for trigger in graph.triggers),
            tuple(reads(trigger.condition) for trigger in graph.triggers),
            tuple(graph.phase(trigger.phase).entry for trigger in graph.triggers),
            {place.index: reads(place.viewers) for place in graph.places if place.viewers},
            tuple(_reads_faces(trigger.condition) for trigger in graph.triggers),
        )

    @property
    def graph(self) -> Graph:
        """The graph whose triggers these are."""
        return self.statics.graph

    def watch(self, node: Node) -> Watch:
        """What the step of a node can bring about."""
        writes = step_writes(node.step)
        if isinstance(node.step, Chance) and isinstance(node.step.distribution, Shuffle):
            forgetful = [v for v in self.statics.variables if has_tokens(v.type)]
            writes = Access((*writes.variables, *forgetful), writes.table)
        fired = tuple(at for at, read in enumerate(self._reads) if writes.meets(read))
        places = tuple(place for place, read in self._viewers.items() if writes.meets(read))
        exposes = bool(places) or any(self._reads_faces[at] for at in fired)
        return Watch(fired, places, exposes)

    def arm(self, table: Table) -> None:
        """Takes what is true now as what was true before: nothing has fired yet."""
        table.fired = table.held = 0
        for at, test in enumerate(self._tests):
            table.held |= bool(test(table)) << at

    def after(self, table: Table, watch: Watch, then: int) -> int:
        """Tests conditions after an effect; the node that comes next, `then` if none fires."""
        for at in watch.triggers:
            bit = 1 << at
            if not self._tests[at](table):
                table.held &= ~bit
            elif not table.held & bit:
                table.held |= bit
                table.fired |= bit
        if table.fired and not table.in_trigger:
            return self._start(table, then)
        return then

    def end(self, table: Table, resume: int) -> int:
        """The end of a block: the next that waits, or what was interrupted."""
        table.in_trigger = False
        return self._start(table, resume) if table.fired else resume

    def _start(self, table: Table, resume: int) -> int:
        first = table.fired & -table.fired
        table.fired ^= first
        table.stack.append(-1 - resume)
        table.in_trigger = True
        return self._entries[first.bit_length() - 1]

    def foresee(self, trial: Table, table: Table, watch: Watch) -> None:
        """Given the table as it would be after an effect, raises `Exposed` for what it would show.

        That are tokens without a kind that would be seen, or that a condition would read.
        """
        shown = self.sight.visible_unresolved(trial, watch.places)
        self._need(table, shown)
        for at in watch.triggers:
            try:
                self._tests[at](trial)
            except Unresolved as unresolved:
                gather = Gather(self.terms, trial, {unresolved.token: None})
                gather.term(self.graph.triggers[at].condition, {})
                if not self._need(table, list(gather.found)):
                    title = self.graph.triggers[at].title
                    message = f'whenever "{title}" reads the order of what has just been shuffled'
                    raise Fault(message, self.graph.triggers[at].span) from unresolved

    def _need(self, table: Table, tokens: list[int]) -> bool:
        """Asks for those that have no kind before the effect either; false if there is none."""
        hidden = tuple(token for token in tokens if table.kind[token] == UNRESOLVED)
        if hidden:
            raise Exposed(list(self.terms.references.in_order(table, hidden)))
        return False


def _reads_faces(condition: Term) -> bool:
    """Whether a term may ask for something that is hidden with a token's face."""
    return any(
        isinstance(term, Read) and isinstance(term.source, Attribute | KindOf | AllTokens | FlagOf)
        for term in whole(condition)
    )
