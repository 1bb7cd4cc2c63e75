"""One way through a graph: automatic steps one after the other, up to where it must be left.

What is known on the way decides as much as it can: branches whose test is known are no branches,
the stack and the seat to move are places in the program.
"""

from typing import TypeAlias

from attrs import define, field, frozen

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
from compiler.lir.build import both, compare, negate, num
from compiler.lir.core import Expr, If, Op, Trap
from compiler.lir.image import Image
from compiler.lir.moves import Mover
from compiler.lir.reader import Reader
from compiler.lir.reps import Known, Num, Rep, Unsupported, is_none
from compiler.lir.values import Member, Values, fits
from compiler.lir.writer import Writer
from compiler.types import Int, Player, present

UNFIT = 5
"""The trap of a value outside the bounds of its variable."""

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

    def step(self) -> None:
        """An automatic step with one way on."""
        node = self.here
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
                self.writer.put(Trap(UNFIT))
                return Known(variable.initial)

    def _move(self, step: Move) -> None:
        reader = self.reader()
        count = None
        if step.count is not None:
            if not isinstance(step.count, Const) or not isinstance(step.count.value, int):
                raise Unsupported("moving a number of tokens that depends on the play")
            count = step.count.value
        tokens, place = reader.term(step.tokens), reader.term(step.place)
        Mover(self.image, self.writer).move(tokens, place, step.face_up, count)


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
