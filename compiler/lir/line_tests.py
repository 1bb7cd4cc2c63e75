"""`some line: …` over lines that are known before play, tested all at once."""

from collections.abc import Callable

from attrs import define

from compiler.graph.core import (
    Apply,
    Bound,
    Cond,
    Const,
    Domain,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Term,
    Value,
)
from compiler.graph.parts import Board
from compiler.lir.asks import Asks, Env, mentions
from compiler.lir.build import choice, mask
from compiler.lir.conditions import Conditions
from compiler.lir.core import Number
from compiler.lir.lines import Family, Lines
from compiler.lir.reps import Known, Rep, Universe
from compiler.lir.scalars import as_truth
from compiler.ops import lists, numbers


@define(eq=False)
class LineTests:
    """The tests of one environment."""

    conditions: Conditions

    @property
    def reader(self) -> Asks:
        """Who evaluates the terms of the environment."""
        return self.conditions.reader

    def of(self, fold: Fold) -> Rep | None:
        """`some line: …`: whether a family of known lines has one for which conditions hold."""
        if fold.mode is not FoldMode.SOME or fold.domain.mode is not DomainMode.MEMBERS:
            return None
        listed = self.reader.term(fold.domain.members)
        if not isinstance(listed, Known) or not isinstance(listed.value, tuple):
            return None
        found = tuple(each for each in listed.value if isinstance(each, tuple) and each)
        board = self._board_of(found)
        if board is None or len(found) < len(listed.value) or len(found) < 2:
            return None
        universe = Universe.of(board.places)
        family = Family.of(universe.mask(line) for line in found)
        held = family.all()
        for condition in (fold.where, fold.body):
            if condition is not None:
                one = self._line_set(family, universe, fold.bound, condition)
                if one is None:
                    return None
                held = held.both(one)
        return as_truth(held.some())

    def _line_set(
        self, family: Family, universe: Universe, line: Bound, term: Term
    ) -> Lines | None:
        """The lines for which a condition holds; `None` if it asks what is not foreseen here."""
        if not mentions(term, line):
            held = self.reader.test(term)
            if isinstance(held, Number):
                return family.all() if held.value else family.none()
            return Lines(
                {
                    shape: choice(held, mask(begins), mask(0))
                    for shape, begins in family.shapes.items()
                }
            )
        match term:
            case Cond(test, then, Const(False)):
                return self._two_line_sets(family, universe, line, (test, then), Lines.both)
            case Cond(test, Const(True), otherwise):
                return self._two_line_sets(family, universe, line, (test, otherwise), Lines.either)
            case Apply(op, (inner,)) if op is numbers.NOT:
                found = self._line_set(family, universe, line, inner)
                return None if found is None else found.others(family)
            case Apply(op, (what, Bound(index=index))) if (
                op is lists.IN and index == line.index and not mentions(what, line)
            ):
                one = self.conditions.one_bit(universe, self.reader.term(what))
                return None if one is None else family.touching(self.reader.writer.keep(one, "m"))
            case Fold(
                FoldMode.EVERY,
                square,
                Domain(DomainMode.MEMBERS, Bound(index=index)),
                None,
                body,
            ) if index == line.index and body is not None and not mentions(body, line):
                squares = self.reader.writer.keep(
                    self.conditions.where_mask(universe, square, body), "m"
                )
                return family.inside(squares)
            case Apply(Function() as function, args) if len(function.cases) == 1:
                return self._line_set_of(family, universe, line, function, args)
            case _:
                return None

    def _two_line_sets(
        self,
        family: Family,
        universe: Universe,
        line: Bound,
        terms: tuple[Term, Term],
        join: Callable[[Lines, Lines], Lines],
    ) -> Lines | None:
        one, other = (self._line_set(family, universe, line, term) for term in terms)
        return None if one is None or other is None else join(one, other)

    def _line_set_of(
        self,
        family: Family,
        universe: Universe,
        line: Bound,
        function: Function,
        args: tuple[Term, ...],
    ) -> Lines | None:
        """A function of the line and of what does not depend on it."""
        env: Env = {}
        parameter = None
        for at, arg in enumerate(args):
            if isinstance(arg, Bound) and arg.index == line.index:
                parameter = function.params[at]
            elif mentions(arg, line):
                return None
            else:
                env[at] = self.reader.kept(self.reader.term(arg))
        if parameter is None:
            return None
        inside = LineTests(Conditions(self.reader.within(env)))
        return inside._line_set(family, universe, parameter, function.cases[0].value)

    def _board_of(self, lines: tuple[tuple[Value, ...], ...]) -> Board | None:
        for board in self.reader.image.layout.boards:
            if all(square in board.places for line in lines for square in line):
                return board
        return None
