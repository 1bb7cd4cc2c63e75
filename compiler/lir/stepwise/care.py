"""What a piece of code heeds: whether it matters in which order sets are gone through around it."""

from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field

from compiler.lir.core import Call, Function, Stmt, Store, Trap
from compiler.lir.stepwise.lists import OVERFLOW
from compiler.lir.walk import parts, statements, terms

UNSEEN: Final = 9
"""Trap: a rule reads the kind of a card that nobody has seen."""

SORTING: Final = "sort_set"
"""The function that puts a set into order."""

_Answers = dict[str, bool]


@define(eq=False)
class Care:
    """Answers for code that calls the functions it knows; one that it does not know heeds all."""

    doubt: int | None  # where it is noted that something unseen was read
    _functions: dict[str, Function] = field(factory=dict, init=False)
    _sorting: _Answers = field(factory=lambda: {SORTING: True}, init=False)
    _failing: _Answers = field(factory=dict, init=False)
    _reading: _Answers = field(factory=dict, init=False)

    def learn(self, *functions: Function) -> None:
        """Takes in functions that are written."""
        self._functions.update((function.name, function) for function in functions)

    def orders(self, code: Iterable[Stmt]) -> bool:
        """Whether code puts a set into order, or stops for what is wrong with a spec.

        The one would change a set that is being gone through; the other must not be passed over
        because what decides is found earlier.
        """
        return self._any(code, _may_fail, self._sorting)

    def fails(self, code: Iterable[Stmt]) -> bool:
        """Whether code may stop for what is wrong with a spec."""
        return self._any(code, _may_fail, self._failing)

    def uncovers(self, code: Iterable[Stmt]) -> bool:
        """Whether code may read the kind of a card that nobody has seen."""
        return self._any(code, self._reads_unseen, self._reading)

    def _reads_unseen(self, stmt: Stmt) -> bool:
        noted = isinstance(stmt, Store) and stmt.address is None and stmt.base == self.doubt
        return noted or (isinstance(stmt, Trap) and stmt.code == UNSEEN)

    def _any(self, code: Iterable[Stmt], does: Callable[[Stmt], bool], known: _Answers) -> bool:
        for stmt in statements(tuple(code)):
            if does(stmt):
                return True
            for part in parts(*terms(stmt)):
                if isinstance(part, Call) and self._called(part.function, does, known):
                    return True
        return False

    def _called(self, name: str, does: Callable[[Stmt], bool], known: _Answers) -> bool:
        if name not in known:
            if name not in self._functions:
                return True
            known[name] = self._any(self._functions[name].body, does, known)
        return known[name]


def _may_fail(stmt: Stmt) -> bool:
    return isinstance(stmt, Trap) and stmt.code not in (UNSEEN, OVERFLOW)
