"""Chance: how many results there are, how likely each is, and what the i-th one does."""

from math import prod

from attrs import define

from compiler.graph.core import Chance, DomainMode, Node, Pick, Roll, Term, Value, Variable
from compiler.lir.build import binary, bit_count, both, num
from compiler.lir.conditions import Conditions
from compiler.lir.core import Expr, Op
from compiler.lir.decisions import as_members
from compiler.lir.reps import Bits, Known, Num, Rep, Unsupported
from compiler.lir.selection import member
from compiler.lir.ways import Way


@define(eq=False)
class Draw:
    """One chance step, as one way comes to it.

    `total` is the sum of all weights, `count` the number of results.
    """

    node: Node
    total: Expr
    count: Expr
    _thrown: "tuple[_Die, ...]" = ()
    _picked: "tuple[Variable, list[Rep], Bits] | None" = None

    @classmethod
    def of(cls, way: Way, step: Chance) -> "Draw":
        """Writes what must be known before chance decides."""
        match step.distribution:
            case Roll(dice):
                thrown = tuple(_die(way, *row) for row in dice)
                return cls(
                    way.here,
                    num(prod(len(die.sides) for die in thrown)),
                    num(prod(len(die.faces) for die in thrown)),
                    thrown,
                )
            case Pick() as pick:
                return cls._of_pick(way, pick)
            case other:
                raise Unsupported(f"{type(other).__name__}")

    @classmethod
    def _of_pick(cls, way: Way, pick: Pick) -> "Draw":
        if pick.domain.mode is not DomainMode.MEMBERS or pick.bound is None:
            raise Unsupported("picking sets")
        reader = way.reader()
        tests = () if pick.where is None else (pick.where,)
        listed = reader.term(pick.domain.members)
        universe, expr = as_members(reader, listed, pick.domain.members.type, pick.bound, tests)
        if universe is None:
            raise Unsupported("picking from lists")
        for test in tests:
            expr = both(expr, Conditions(reader).where_mask(universe, pick.bound, test))
        kept = way.writer.keep(expr, "m")
        keys = [reader.term(arg) for arg in pick.args]
        count = way.writer.keep(bit_count(kept))
        return cls(way.here, count, count, (), (pick.variable, keys, Bits(kept, universe)))

    def weight(self, index: Expr, way: Way) -> Expr:
        """The weight of the i-th result."""
        found: Expr = num(1)
        for die, digit in zip(self._thrown, _digits(self._thrown, index, True), strict=True):
            found = binary(Op.MUL, found, way.image.tables.numbers(die.weights, digit))
        return found

    def take(self, way: Way, number: Expr, *, by_weight: bool) -> None:
        """Lets chance decide: a number below `total` if `by_weight`, else below `count`."""
        if self._picked is not None:
            variable, keys, chosen = self._picked
            way.store(variable, keys, member(way.writer, way.image.tables, chosen, number))
        tables = way.image.tables
        digits = _digits(self._thrown, number, not by_weight)
        for die, digit in zip(self._thrown, digits, strict=True):
            sides = die.sides if by_weight else die.faces
            expr = way.writer.keep(tables.numbers(sides, digit))
            value = Num(expr, min(sides), max(sides)) if len(sides) > 1 else Known(sides[0])
            way.store(die.variable, die.keys, value)
        way.go(self.node.next[0])


@define(eq=False)
class _Die:
    variable: Variable
    keys: list[Rep]
    faces: tuple[int, ...]  # each once, in the order given
    weights: tuple[int, ...]
    sides: tuple[int, ...]  # as often as they are there


def _die(way: Way, variable: Variable, args: tuple[Term, ...], faces: tuple[Value, ...]) -> _Die:
    numbers = tuple(face for face in faces if isinstance(face, int))
    if len(numbers) < len(faces):
        raise Unsupported("dice with faces that are no numbers")
    reader = way.reader()
    once = tuple(dict.fromkeys(numbers))
    weights = tuple(numbers.count(face) for face in once)
    sides = tuple(face for face in once for _ in range(numbers.count(face)))
    return _Die(variable, [reader.term(arg) for arg in args], once, weights, sides)


def _digits(dice: tuple[_Die, ...], number: Expr, once: bool) -> list[Expr]:
    """Which side of each die a number stands for, the last die changing fastest."""
    digits: list[Expr] = []
    rest = number
    for at in range(len(dice) - 1, -1, -1):
        sides = len(dice[at].faces if once else dice[at].sides)
        digits.append(rest if at == 0 else binary(Op.MOD, rest, num(sides)))
        rest = binary(Op.DIV, rest, num(sides))
    return digits[::-1]
