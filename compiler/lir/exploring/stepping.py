"""Moves of a program that goes node by node, from one stop to the next.

What is drawn at random in a game is said here: the one function by which programs draw gives the
number that is to be tried, and so tells that a game waits, who is asked and how many answers there
are.  A step that drew is undone, if nobody was to answer yet.  Chance answers with every number
below the sum of the weights; numbers after which the table is the same are one outcome.
"""

from collections.abc import Callable, Iterator
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Bound, Choose, Const, End, Flow, Graph, Read, Term, Variable
from compiler.graph.layout import Layout
from compiler.lir.build import binary, both, choice, compare, num
from compiler.lir.core import Call, Expr, Function, Local, Op, Set, Switch
from compiler.lir.exploring.breadth import CHANCE, ENDED
from compiler.lir.exploring.canonical import Canonical
from compiler.lir.exploring.program import Moves
from compiler.lir.exploring.table import Desk, Ground, Key, copied, load8
from compiler.lir.random import BELOW, FUNCTIONS, STREAM_BYTES
from compiler.lir.stepwise.answers import MOST
from compiler.lir.stepwise.asking import Asking
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    at_least,
    call,
    differ,
    function,
    is_,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.ending import Outcome
from compiler.lir.stepwise.lists import ARENA, Arena
from compiler.lir.stepwise.plan import HEADER, Plan
from compiler.lir.stepwise.pools import RUN, SELDOM
from compiler.lir.stepwise.program import Parts, parts_of
from compiler.lir.telling import IS_DRAW, IS_UNSCORED
from compiler.lir.walk import facts

ENDLESS: Final = 21
"""Trap: so many steps without a stop that the interpreter gives up."""

_STEP_LIMIT: Final = 100_000


@frozen(eq=False)
class Stepping:
    """The moves, and the plan of the table on which they are made.

    The host writes a table at `HEADER`: `advance` brings it to its next stop, `put_key` writes its
    key; `lay_key` lays out the table of a key.
    """

    moves: Moves
    plan: Plan
    asked: int  # where the number of answers is, behind `advance`; 0 where the game is over
    outcome: Outcome


def stepping(
    graph: Graph,
    alive: Liveness,
    layout: Layout,
    *,
    lawful: bool = False,
    knowing: bool = False,
) -> Stepping:
    """The moves of a game; `Unsupported` if they cannot be made node by node.

    `lawful`: the machine stops where an invariant is broken.  `knowing`: what everybody knows is
    kept on the table; keys leave it out.
    """
    known = layout if knowing else None
    made = _Stepper(parts_of(graph, alive, lawful, known), layout)
    return Stepping(made.moves(), made.plan, made.asked, made.parts.outcome)


OFF, RECORDING, REPLAYING = range(3)


@define(eq=False)
class _Remembered:
    """The options of a decision, listed once for all of its answers.

    Rows, and the lists that they refer to, are kept aside while an answer leads on to other
    decisions, which list theirs in the same place.
    """

    asking: Asking
    arena: Arena
    mode: int
    node: int  # whose options they are; -1 for none
    count: int
    many: int  # how many rows they take
    top: int
    rows: int
    lists: int

    @classmethod
    def of(cls, asking: Asking, arena: Arena, ground: Ground) -> "_Remembered":
        """That of one program."""
        mode, node, count, many, top = (ground.word() for _ in range(5))
        rows = ground.room(WIDTH * asking.answers.width * MOST)
        return cls(asking, arena, mode, node, count, many, top, rows, ground.room(ARENA))

    def functions(self, steps: tuple[Function, ...], graph: Graph) -> Iterator[Function]:
        """The functions of a program, of which those that list options remember them."""
        nodes = {
            f"options{node.id}": node.id
            for node in graph.nodes
            if isinstance(node.step, Choose) and not node.step.joint and _is_plain(node.step.actor)
        }
        for one in steps:
            if one.name in nodes:
                yield evolve(one, name=f"listed_{one.name}")
                yield function(one.name, ("seat",), self._options(one.name, nodes[one.name]))
            else:
                yield one

    def _options(self, name: str, node: int) -> Callable[..., None]:
        answers = self.asking.answers
        length = WIDTH * answers.width

        def body(code: Code, seat: Local) -> None:
            mode = code.local("mode", word(self.mode))
            known = both(is_(mode, REPLAYING), is_(word(self.node), node))
            with code.when(known) as again:
                self._moved(again, self.arena.first, self.lists, self._used(again))
                again.put(put_word(self.arena.top, word(self.top)))
                again.put(put_word(answers.rows, word(self.many)))
                again.put(put_word(answers.count, word(self.count)))
                self._moved(again, answers.address, self.rows, times(word(self.many), length))
                again.give(word(self.count))
            count = code.keep(call(f"listed_{name}", seat))
            with code.when(is_(mode, RECORDING)) as first:
                first.put(put_word(self.node, node), put_word(self.count, count))
                first.put(put_word(self.many, word(answers.rows)))
                first.put(put_word(self.top, word(self.arena.top)))
                self._moved(first, self.lists, self.arena.first, self._used(first))
                self._moved(first, self.rows, answers.address, times(word(self.many), length))
            code.give(count)

        return body

    def _used(self, code: Code) -> Expr:
        return code.keep(plus(word(self.top), -self.arena.first))

    def _moved(self, code: Code, to: int, source: int, bytes_: Expr) -> None:
        """Copies what begins at an address, four bytes at a time."""
        with code.up_to(binary(Op.DIV, bytes_, num(WIDTH))) as (each, i):
            each.put(put_word(to, word(source, i), i))


def _is_plain(actor: Term) -> bool:
    """Whether to say who is asked makes no lists."""
    match actor:
        case Const() | Bound():
            return True
        case Read(Variable(), args):
            return all(map(_is_plain, args))
        case _:
            return False


@define(eq=False)
class _Stepper:
    """Writes the moves of one graph."""

    parts: Parts
    layout: Layout
    canonical: Canonical = field(init=False)
    key: Key = field(init=False)
    desk: Desk = field(init=False)
    script: int = field(init=False)  # the number that is to be tried
    asked: int = field(init=False)  # how many there are; 0 while nobody was asked
    origin: int = field(init=False)  # the table at the stop
    saved: int = field(init=False)  # the table before a step
    before: int = field(init=False)  # the table after chance decided last
    remembered: _Remembered = field(init=False)

    @property
    def plan(self) -> Plan:
        """Where the table is."""
        return self.parts.plan

    @property
    def _table(self) -> int:
        """How many words of eight bytes a table has."""
        return -(-(self.plan.table_end - HEADER) // 8)

    def moves(self) -> Moves:
        """All functions, and where the key is."""
        steps = self.parts.functions
        may_ask = _may_draw(steps)
        tokens, arena = self.parts.steps.tokens, self.parts.terms.arena
        self.canonical = Canonical(self.plan, self.layout, tokens, arena)
        memory = self.plan.memory
        asking = memory.constant(
            tuple(int(f"n{node.id}" in may_ask) for node in self.plan.graph.nodes)
        )
        ground = Ground(memory.end)
        self.key = Key.of(ground, tuple(range(self.canonical.form.size // 8)))
        self.canonical.place_at(self.key.address)
        self.desk = Desk.of(ground)
        self.script, self.asked = ground.word(), ground.word()
        self.origin, self.saved, self.before = (ground.room(8 * self._table) for _ in range(3))
        self.remembered = _Remembered.of(self.parts.steps.asking, arena, ground)
        memory.end = ground.end
        functions = (
            *self.remembered.functions(steps, self.plan.graph),
            *(one for one in FUNCTIONS if one.name != BELOW),
            function(BELOW, ("stream", "count"), self._below),
            function("run_node", (), self._run_node),
            function(
                "advance", (), lambda code: self._advance(code, asking), gives=None, exported=True
            ),
            function("take", ("number",), self._take, gives=None, exported=True),
            function("look", ("record", "only_count"), self._look),
            function("expand", ("record",), lambda code, r: code.do("look", r, 0), gives=None),
            function("moves", ("record",), lambda code, r: code.give(call("look", r, 1))),
            *self.canonical.functions(),
        )
        name, seats = self.plan.graph.name, self.plan.graph.seats
        scores = seats if self.parts.steps.ending.scored else 0
        data = tuple(memory.data)
        return Moves(name, functions, memory.end, data, self.key, self.desk, scores)

    # ---- steps

    def _below(self, code: Code, stream: Local, count: Local) -> None:
        """What is to be tried, in place of a number at random."""
        seat = plus(binary(Op.DIV, plus(stream, -RUN), num(STREAM_BYTES)), -2)
        mover = code.local("mover", seat)
        with code.when(is_(mover, CHANCE)) as chance:
            chance.give_if(is_(count, 1), 0)
        code.trap_if(differ(word(self.asked), 0), SELDOM)
        code.put(put_word(self.asked, count), put_word(self.desk.mover, mover))
        code.give(word(self.script))

    def _run_node(self, code: Code) -> None:
        """Does the step of the node that the table stands at; gives the one that comes next."""
        cases = tuple((Set(_THEN, Call(f"n{node.id}", ())),) for node in self.plan.graph.nodes)
        code.put(Switch(word(self.plan.node), cases[:-1], cases[-1]))
        code.give(_THEN)

    def _try(self, code: Code, number: Expr) -> Expr:
        """The step, in which this number is drawn if any is."""
        code.put(put_word(self.script, number), put_word(self.asked, 0))
        return code.keep(call("run_node"))

    def _advance(self, code: Code, asking: int) -> None:
        """Goes on to the next stop; the table is then as it was before the step that waits."""
        left = code.local("left", _STEP_LIMIT)
        with code.loop() as each:
            asks = each.keep(word(asking, word(self.plan.node)))
            with each.when(asks) as careful:
                copied(careful, self._table, self.saved, HEADER)
            then = self._try(each, num(0))
            with each.when(word(self.asked)) as stop:
                copied(stop, self._table, HEADER, self.saved)
                each.leave_from(stop)
            each.leave_if(less(then, 0))
            each.put(put_word(self.plan.node, then))
            each.step(left, -1)
            each.trap_if(less(left, 0), ENDLESS)

    def _take(self, code: Code, number: Local) -> None:
        """Gives an answer at the stop where the table stands, and goes on to the next one."""
        code.put(put_word(self.plan.node, self._try(code, number)))
        code.do("advance")

    # ---- moves

    def _look(self, code: Code, record: Local, only: Local) -> None:
        """Makes every move of a situation, or counts them."""
        copied(code, self.key.words, self.key.address, 0, 0, record)
        code.do("lay_key")
        ends = tuple(int(_is_end(node.step)) for node in self.plan.graph.nodes)
        over = word(self.plan.memory.constant(ends), word(self.plan.node))
        with code.when(over) as ended:
            self._tell(ended, only)
        copied(code, self._table, self.origin, HEADER)
        first = code.local("first", choice(only, num(0), word(self.desk.first)))
        number = code.local("number", first)
        outcomes = code.local("outcomes", 0)
        code.put(put_word(self.remembered.node, -1))
        with code.loop("moves") as each:
            with each.when(less(first, number)) as later:
                copied(later, self._table, HEADER, self.origin)
            with each.when(is_(only, 0)) as made:
                made.put(put_word(self.desk.first, number))
            mode = choice(less(first, number), num(REPLAYING), num(RECORDING))
            each.put(put_word(self.remembered.mode, mode))
            then = self._try(each, number)
            each.put(put_word(self.remembered.mode, OFF))
            total = each.local("total", word(self.asked))
            mover = each.local("mover", word(self.desk.mover))
            each.trap_if(is_(total, 0), SELDOM)
            again = each.local("again", 0)
            with each.either(is_(mover, CHANCE)) as (chance, decided):
                decided.give_if(only, total)
                with chance.when(less(first, number)) as later:
                    later.set(again, self._same(later))
                copied(chance, self._table, self.before, HEADER)
            each.step(number)
            with each.either(again) as (known, fresh):
                fresh.step(outcomes)
                for one, does in ((known, self._once_more), (fresh, self._go)):
                    with one.when(is_(only, 0)) as made:
                        does(made, then, mover)
            each.leave_if(at_least(number, total))
        code.give(outcomes)

    def _once_more(self, code: Code, then: Expr, mover: Expr) -> None:
        """An outcome that has come already is more likely."""
        del then, mover
        code.do("heavier", 1)

    def _go(self, code: Code, then: Expr, mover: Expr) -> None:
        """On to the next stop, which is what the move leads to."""
        code.put(put_word(self.plan.node, then))
        code.do("advance")
        code.do("put_key")
        code.put(put_word(self.desk.mover, mover))
        code.do("arrive", 1)

    def _same(self, code: Code) -> Expr:
        """Whether the table is what it was after the outcome before."""
        same = code.local("is_same", 1)
        with code.up_to(self._table) as (each, i):
            at = each.keep(times(i, 8))
            other = compare(Op.NE, load8(HEADER, at), load8(self.before, at))
            with each.when(other) as different:
                different.set(same, 0)
                each.leave_from(different)
        return same

    def _tell(self, code: Code, only: Expr) -> None:
        """How the game ended."""
        code.give_if(only, 0)
        code.put(put_word(self.asked, 0))
        code.keep(call("run_node"))
        outcome = self.parts.outcome
        code.put(put_word(self.desk.mover, ENDED))
        told = plus(word(outcome.winners), times(word(outcome.draw), IS_DRAW))
        code.do("note", plus(told, times(word(outcome.unscored), IS_UNSCORED)))
        if self.parts.steps.ending.scored:
            for seat in range(self.plan.graph.seats):
                code.do("note", word(outcome.scores, seat))
        code.give(0)


_THEN: Final = Local("then")


def _is_end(step: object) -> bool:
    return isinstance(step, Flow) and isinstance(step.way, End)


def _may_draw(functions: tuple[Function, ...]) -> frozenset[str]:
    """The functions that draw, themselves or in what they call."""
    calls = {one.name: set(facts(one).calls) for one in functions}
    found = {BELOW}
    while True:
        more = {name for name, called in calls.items() if called & found} - found
        if not more:
            return frozenset(found)
        found |= more
