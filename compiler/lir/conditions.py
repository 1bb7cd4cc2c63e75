"""Conditions on the members of a list, as one mask: the members for which they hold.

A condition is tried for each member with what is known.  Where a square decides, the members whose
squares lie equally far from their bits are asked for together: the squares that hold a kind are a
mask, and a shift brings them to the bits.
"""

from attrs import define

from compiler.graph.core import Apply, Bound, Cond, Const, Term, Value
from compiler.graph.parts import Board
from compiler.lir import contents as places
from compiler.lir.asks import Asks, evaluated, mentions, number_of
from compiler.lir.build import (
    add,
    both,
    choice,
    either,
    flip,
    has_locals,
    mask,
    num,
    shifted,
    single,
    sub,
    without,
)
from compiler.lir.core import Expr, Number
from compiler.lir.reps import Bits, Known, Num, Rep, Universe, Unsupported, is_none
from compiler.ops import lists, numbers
from compiler.ops.row import Op as Operator
from compiler.types import Square, Type
from compiler.types import present as without_none


@define(eq=False)
class Conditions:
    """The conditions of one environment."""

    reader: Asks

    def universe(
        self, values: tuple[Value, ...], type_: Type, bound: Bound, tests: tuple[Term, ...]
    ) -> Universe:
        """Bits for known values of a type: their squares, or those that a test asks for first."""
        if isinstance(without_none(type_), Square):
            for board in self.reader.image.layout.boards:
                if all(value in board.places for value in values):
                    return Universe(values, tuple(board.places.index(number_of(v)) for v in values))
        for test in tests:
            squares = [self._first_square(bound, value, test) for value in values]
            first = squares[0]
            held = None if first is None else self.reader.image.boards.get(first)
            if held is None or any(square not in held.places for square in squares):
                continue
            bits = [held.places.index(square) for square in squares if square is not None]
            if bits == sorted(set(bits)):
                return Universe(values, tuple(bits))
        return Universe.of(values)

    def _first_square(self, bound: Bound, value: Value, test: Term) -> int | None:
        """The square that a test looks at for a value."""
        try:
            self.reader.probe(bound, value, {}).term(test)
        except places.NeedCell as need:
            return need.place
        except Unsupported:
            return None
        return None

    def where_mask(self, universe: Universe, bound: Bound, term: Term) -> Expr:
        """The members of a universe for which a condition holds."""
        full = mask(universe.full)
        if not mentions(term, bound):
            return choice(self.reader.test(term), full, mask(0))
        match term:
            case Cond(test, then, Const(False)):
                return both(
                    self.where_mask(universe, bound, test), self.where_mask(universe, bound, then)
                )
            case Cond(test, Const(True), otherwise):
                return either(
                    self.where_mask(universe, bound, test),
                    self.where_mask(universe, bound, otherwise),
                )
            case Apply(op, (inner,)) if op is numbers.NOT:
                return without(full, self.where_mask(universe, bound, inner))
            case Apply(op, (Bound(index=index), other)) if (
                op is lists.IN and index == bound.index and not mentions(other, bound)
            ):
                listed = self.reader.term(other)
                if isinstance(listed, Bits) and listed.universe == universe:
                    return both(listed.expr, full)
            case Apply(op, (Bound(index=index), other)) if (
                op is lists.IS and index == bound.index and not mentions(other, bound)
            ):
                one = self.one_bit(universe, self.reader.term(other))
                if one is not None:
                    return one
            case Apply(Operator() as op, (left, right)) if mentions(left, bound) != mentions(
                right, bound
            ):
                found = self._by_value(universe, bound, op, (left, right))
                if found is not None:
                    return found
            case _:
                pass
        return self._asked_once(universe, bound, term)

    def _asked_once(self, universe: Universe, bound: Bound, term: Term) -> Expr:
        """The members for which a condition holds, which is the same wherever as much is known."""
        key = None
        if all(isinstance(rep, Known) for rep in self.reader.env.values()):
            values = frozenset(
                (member, rep.value)
                for member, rep in self.reader.values.known.items()
                if isinstance(rep, Known)
            )
            env = tuple(
                (at, rep.value) for at, rep in self.reader.env.items() if isinstance(rep, Known)
            )
            key = (id(term), universe, env, values)
            known = self.reader.image.masks.get(key)
            if known is not None:
                return known
        elements: list[tuple[Value, int, dict[int, int | None]]] = [
            (value, bit, {}) for value, bit in zip(universe.values, universe.bits, strict=True)
        ]
        found = self._tree(elements, bound, term)
        if key is not None and not has_locals(found):
            self.reader.image.masks[key] = found
        return found

    def one_bit(self, universe: Universe, value: Rep) -> Expr | None:
        """The mask of one number, if it is a bit by adding a constant."""
        if not isinstance(value, Num):
            return None
        offsets = {
            bit - number_of(v) for v, bit in zip(universe.values, universe.bits, strict=True)
        }
        if (
            len(offsets) != 1
            or value.low not in universe.values
            or value.high not in universe.values
        ):
            return None
        one = single(add(value.expr, num(offsets.pop())))
        return choice(is_none(value.expr), mask(0), one) if value.none else one

    def _by_value(
        self, universe: Universe, bound: Bound, op: Operator, sides: tuple[Term, Term]
    ) -> Expr | None:
        """A comparison of something known of each member with one number: a table of masks."""
        at = 0 if mentions(sides[0], bound) else 1
        number = self.reader.term(sides[1 - at])
        if not isinstance(number, Num) or number.none or number.high - number.low > 255:
            return None
        known: list[Value] = []
        for value in universe.values:
            try:
                found = self.reader.probe(bound, value, {}).term(sides[at])
            except (places.NeedCell, Unsupported):
                return None
            if not isinstance(found, Known):
                return None
            known.append(found.value)
        masks = []
        for other in range(number.low, number.high + 1):
            pairs = [(one, other) if at == 0 else (other, one) for one in known]
            holds = [bool(evaluated(op, pair)) for pair in pairs]
            masks.append(sum(yes << bit for yes, bit in zip(holds, universe.bits, strict=True)))
        return self.reader.image.tables.masks(tuple(masks), sub(number.expr, num(number.low)))

    def _tree(
        self,
        elements: list[tuple[Value, int, dict[int, int | None]]],
        bound: Bound,
        term: Term,
    ) -> Expr:
        """Asks a condition for each element; where a square decides, for all it may hold.

        Elements whose squares lie equally far from their bits are asked for together, by a shift.
        """
        sure, parts = 0, []
        waiting: dict[tuple[int, int], list[tuple[Value, int, dict[int, int | None], int]]] = {}
        for value, bit, assumed in elements:
            probe = self.reader.probe(bound, value, assumed)
            try:
                holds = probe.test(term)
            except places.NeedCell as need:
                board = self.reader.image.boards[need.place]
                delta = board.places.index(need.place) - bit
                key = (self.reader.image.layout.boards.index(board), delta)
                waiting.setdefault(key, []).append((value, bit, assumed, need.place))
                continue
            if probe.writer.out:
                raise Unsupported("a condition that needs more than an expression")
            if isinstance(holds, Number):
                sure |= bool(holds.value) << bit
            else:
                parts.append(choice(holds, mask(1 << bit), mask(0)))
        found: Expr = mask(sure)
        for part in parts:
            found = either(found, part)
        for (number, delta), group in waiting.items():
            found = either(found, self._by_cell(number, delta, group, bound, term))
        return found

    def _by_cell(
        self,
        number: int,
        delta: int,
        group: list[tuple[Value, int, dict[int, int | None], int]],
        bound: Bound,
        term: Term,
    ) -> Expr:
        """A condition that a square decides, `delta` bits from each element's own."""
        board = self.reader.image.layout.boards[number]
        answers = {
            kind: self._tree(
                [(value, bit, {**assumed, place: kind}) for value, bit, assumed, place in group],
                bound,
                term,
            )
            for kind in (*range(len(board.fields)), None)
        }
        return self._held(board, delta, answers)

    def _held(self, board: Board, delta: int, answers: dict[int | None, Expr]) -> Expr:
        """The squares whose contents give a true answer; occupied ones as those not empty."""
        found: Expr = mask(0)
        by_answer: dict[Expr, list[int | None]] = {}
        for kind, answer in answers.items():
            by_answer.setdefault(answer, []).append(kind)
        for answer, kinds in by_answer.items():
            if answer == mask(0):
                continue
            if len(kinds) == len(answers):
                found = either(found, answer)
                continue
            if None in kinds and len(kinds) > 1:
                others = [kind for kind in answers if kind not in kinds]
                planes: Expr = mask(0)
                for kind in others:
                    planes = either(planes, self.reader.contents.holding(board, kind))
                held = flip(planes)
            else:
                held = mask(0)
                for kind in kinds:
                    plane = (
                        flip(self.reader.contents.occupied(board))
                        if kind is None
                        else self.reader.contents.holding(board, kind)
                    )
                    held = either(held, plane)
            found = either(found, both(shifted(held, -delta), answer))
        return found
