"""One way through a graph: automatic steps one after the other, up to where it must be left.

What is known on the way decides as much as it can: branches whose test is known are no branches,
the stack and the seat to move are places in the program.
"""

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from compiler.graph.core import (
    Assign,
    Branch,
    Call,
    Chance,
    Choose,
    Const,
    End,
    FaceTarget,
    FlagTarget,
    Flow,
    Graph,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Node,
    Return,
    Value,
    Variable,
)
from compiler.lir import contents as places
from compiler.lir.build import YES, add, both, compare, negate, num
from compiler.lir.core import Expr, If, Op, Trap
from compiler.lir.image import Image
from compiler.lir.moves import Mover
from compiler.lir.reader import Reader
from compiler.lir.reps import (
    UNFIT,
    Fails,
    InRow,
    Item,
    Items,
    Known,
    Num,
    Rep,
    Token,
    Unsupported,
    is_none,
)
from compiler.lir.rows import Resolution, RowImage
from compiler.lir.scalars import scalar
from compiler.lir.values import Member, Values, fits
from compiler.lir.writer import Writer
from compiler.types import Int, Player, present

Drawing: TypeAlias = Callable[[Writer, Expr, Expr], Expr]
"""Draws below a total, given how many different results there are; writes what it needs."""

Carried: TypeAlias = tuple[tuple[Member, Value], ...]


@frozen
class Here:
    """A place in the program: a node, who called, and what is known."""

    node: int
    stack: tuple[int, ...]
    in_trigger: bool
    carried: Carried


@define(eq=False)
class Way:
    """Where one is, what is known, and the statements written so far."""

    image: Image
    writer: Writer
    node: int
    stack: tuple[int, ...]
    values: Values
    drawing: Drawing
    failed: bool = False  # nothing follows: the step before ends in a trap
    steps: int = 0  # nodes since the last place that counted them
    been: frozenset[tuple[int, tuple[int, ...], Carried]] = field(default=frozenset())

    @property
    def graph(self) -> Graph:
        """The graph that is gone through."""
        return self.image.layout.graph

    @property
    def here(self) -> Node:
        """The node one stands at."""
        return self.graph.nodes[self.node]

    def branch(self) -> "Way":
        """A way that parts from this one, with statements of its own."""
        return Way(
            self.image,
            self.writer.inner(),
            self.node,
            self.stack,
            self.values.copy(),
            self.drawing,
            self.failed,
            self.steps,
            self.been,
        )

    def reader(self) -> Reader:
        """For the terms of a node."""
        return Reader(self.image, self.writer, self.values, places.Contents(self.image), {})

    # ---- steps

    def is_stop(self) -> bool:
        """Whether a game may wait here."""
        step = self.here.step
        return isinstance(step, Choose | Chance) or (
            isinstance(step, Flow) and isinstance(step.way, End)
        )

    def test(self) -> Expr | None:
        """The test of a branch, `None` where there is none."""
        step = self.here.step
        if not isinstance(step, Branch):
            return None
        return self.reader().test(step.test)

    def go(self, node: int) -> None:
        """Goes on at a node."""
        self.node = node
        self.steps += 1

    def picked_seat(self) -> Num | None:
        """A seat that is assigned here and not known: then each is a way of its own."""
        step = self.here.step
        if not isinstance(step, Assign) or not isinstance(step.target, Variable):
            return None
        carried = step.target in self.values.carried and not step.args
        if not carried or not isinstance(present(step.target.type), Player):
            return None
        value = self.reader().term(step.value)
        return value if isinstance(value, Num) else None

    def give_seat(self, seat: int | None) -> None:
        """Assigns a known seat, or `none`, where it was not known which."""
        step = self.here.step
        assert isinstance(step, Assign)
        assert isinstance(step.target, Variable)
        try:
            self.store(step.target, [], Known(seat))
            self.go(self.here.next[0])
        except Fails as fails:
            self.fail(fails.code)

    def step(self) -> None:
        """An automatic step with one way on."""
        try:
            self._step(self.here)
        except Fails as fails:
            self.fail(fails.code)

    def fail(self, code: int) -> None:
        """Ends the way in a trap."""
        self.writer.put(Trap(code))
        self.failed = True

    def _step(self, node: Node) -> None:
        match node.step:
            case Assign():
                self._assign(node, node.step)
                self.go(node.next[0])
            case Move():
                self._move(node.step)
                self.go(node.next[0])
            case Flow(Call(phase)):
                self.stack = (*self.stack, node.id)
                self.go(self.graph.phase(phase).entry)
            case Flow(Jump(phase)):
                self.go(self.graph.phase(phase).entry)
            case Flow(Return()):
                self._leave()
            case Flow(Leave(phase)):
                while self.graph.nodes[self.node].phase != phase:
                    self.node, self.stack = self._caller(), self.stack[:-1]
                self._leave()
            case _:
                raise Unsupported(f"{type(node.step).__name__} where one cannot wait")

    def _caller(self) -> int:
        if not self.stack:
            raise Unsupported("a phase that ends and was not called")
        return self.stack[-1]

    def _leave(self) -> None:
        call = self._caller()
        self.stack = self.stack[:-1]
        self.go(self.graph.nodes[call].next[0])

    # ---- effects

    def _assign(self, node: Node, step: Assign) -> None:
        match step.target:
            case Variable() as variable:
                reader = self.reader()
                value = reader.term(step.value)
                keys = [reader.term(arg) for arg in step.args]
                self.store(variable, keys, value)
            case FaceTarget() | FlagTarget():
                raise Unsupported("turning and marking tokens")
            case KnownTarget():
                pass  # showing changes what is known, not what lies there
            case _:
                raise Unsupported(f"assigning to {node.title}")

    def store(self, variable: Variable, keys: list[Rep], value: Rep) -> None:
        """Gives a variable a value, which is checked where bounds do not show that it fits."""
        slot = self.image.slot(variable, self.values.in_trigger)
        if not fits(slot, value):
            value = self._checked(variable, value)
        self.values.write(self.writer, variable, keys, value)

    def _checked(self, variable: Variable, value: Rep) -> Rep:
        low, high = _bounds(variable)
        match value:
            case Num(expr, least, most, none):
                kept = self.writer.keep(expr)
                if least < low:
                    self.writer.put(If(_below(kept, low, none), (Trap(UNFIT),)))
                if most > high:
                    self.writer.put(If(_above(kept, high), (Trap(UNFIT),)))
                optional = present(variable.type) != variable.type
                if none and not optional:
                    self.writer.put(If(is_none(kept), (Trap(UNFIT),)))
                return Num(kept, max(least, low), min(most, high), none and optional)
            case _:
                raise Fails(UNFIT)

    def _move(self, step: Move) -> None:
        reader = self.reader()
        count = None
        if step.count is not None:
            if not isinstance(step.count, Const) or not isinstance(step.count.value, int):
                raise Unsupported("moving a number of tokens that depends on the play")
            count = step.count.value
        tokens, place = reader.term(step.tokens), reader.term(step.place)
        tokens = self._seen(tokens, place, step)
        Mover(self.image, self.writer).move(tokens, place, step.face_up, count)

    # ---- hidden cards

    def _seen(self, tokens: Rep, place: Rep, step: Move) -> Rep:
        """Cards to be moved to where somebody sees them get their kinds first."""
        match tokens:
            case Items((Item(Token(source=InRow(rows)) as token, when),)) if rows.code.pools:
                self._resolve(token, when, place, step)
                row = RowImage(self.image)
                first = row.first(row.row(rows.places[0]))
                kind = Num(scalar(first.kind).expr, 0, rows.code.kinds - 1)
                return Items((Item(evolve(first, kind=kind, there=YES), when),))
            case _:
                return tokens

    def _resolve(self, token: Token, when: Expr, place: Rep, step: Move) -> None:
        if not self._is_seen(place, step) or not isinstance(token.source, InRow):
            raise Unsupported("moving cards that nobody sees")
        rows = RowImage(self.image)
        hidden = self.writer.keep(both(when, rows.is_hidden(token)), "is_")
        inner = self.writer.inner()
        found = Resolution.of(self.image, inner, rows.pool(token.source.rows))
        number = self.drawing(inner, inner.keep(found.total), inner.keep(found.kinds))
        kind = found.kind(inner, number).expr
        inner.put(*found.settle(kind))
        inner.put(self.image.store(token.source.rows.cells, add(kind, num(1))))
        self.writer.put(If(hidden, inner.block))

    def _is_seen(self, place: Rep, step: Move) -> bool:
        """Whether what is moved there lies open, or somebody sees it."""
        if not isinstance(place, Known) or not isinstance(place.value, int):
            raise Unsupported("moving hidden cards to where depends on the play")
        target = self.graph.places[place.value]
        if target.face_up if step.face_up is None else step.face_up:
            return True
        match target.viewers:
            case None:
                return False
            case Const(tuple() as seats):
                return bool(seats)
            case _:
                raise Unsupported("who sees a place depends on the play")


def _bounds(variable: Variable) -> tuple[int, int]:
    match present(variable.type):
        case Int(low, high):
            return low, high
        case Player(seats):
            return 0, seats - 1
        case _:
            raise Unsupported("a value that may not fit its variable")


def _below(expr: Expr, low: int, none: bool) -> Expr:
    under = compare(Op.LT, expr, num(low))
    return both(negate(is_none(expr)), under) if none else under


def _above(expr: Expr, high: int) -> Expr:
    return compare(Op.GT, expr, num(high))
