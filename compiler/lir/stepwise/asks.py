"""What operators, folds and sources ask of the reader of terms, which in turn asks them."""

from types import TracebackType
from typing import Protocol, Self, TypeAlias

from attrs import define, field

from compiler.graph.core import Bound, Fold, Term, Variable
from compiler.lir.core import Expr, Local, Set
from compiler.lir.stepwise.care import Care
from compiler.lir.stepwise.code import Code, word
from compiler.lir.stepwise.levels import Levels
from compiler.lir.stepwise.lists import Arena
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.walk import calls_in

Env: TypeAlias = dict[int, Expr]
"""What bound names stand for, by index."""


class Asks(Protocol):
    """Reads terms at one place."""

    @property
    def plan(self) -> Plan:
        """Where things are."""

    @property
    def arena(self) -> Arena:
        """Where lists are made."""

    @property
    def tokens(self) -> Tokens:
        """What lies on the table."""

    @property
    def care(self) -> Care:
        """What code heeds."""

    @property
    def code(self) -> Code:
        """Where statements go."""

    def unseen(self, code: Code, test: Expr) -> None:
        """What happens where a card that nobody has seen would be read."""

    def term(self, term: Term) -> Expr:
        """The value of a term."""

    def test(self, term: Term) -> Expr:
        """A condition; `none` does not hold."""

    def listed(self, term: Term) -> Expr:
        """A list; `none` has no elements."""

    def unsorted(self, term: Term) -> Expr:
        """A list that a variable holds, as it is kept."""

    @property
    def levels(self) -> Levels:
        """How deep the values of bound names are decided."""

    @property
    def outer(self) -> tuple[Code, ...]:
        """Per loop around this place, the block that it is in."""

    @property
    def unsure(self) -> Local | None:
        """Where it is noted that something unseen was read, if not by stopping."""

    def spared(self, fold: Fold) -> Expr | None:
        """The list of those members that may count; `None` where that is all of them."""

    def called(self, args: tuple[Term, ...]) -> Self:
        """For the inside of a function that is written out here, called with arguments."""

    def further_out(self, code: Code, depth: int) -> Self:
        """For what is written here, but does not change in loops deeper than `depth`."""

    def doubting(self, unsure: Local) -> Self:
        """For what is read without stopping at something unseen."""

    def plainly(self, term: Term) -> Expr:
        """The value of a term, found out where it stands."""

    def number(self, term: Term) -> Expr:
        """A number, which must be one."""

    def bounds(self, low: Term | None, high: Term | None, members: Expr) -> tuple[Expr, Expr]:
        """The least and the greatest size of subsets."""

    def slot(self, variable: Variable, keys: list[Expr]) -> Expr:
        """The address of the slot that keys name."""

    def inside(self, code: Code) -> Self:
        """For a block inside, with the names of this one."""

    def binding(self, code: Code, bound: Bound, value: Expr, members: Term | None = None) -> Self:
        """For a block inside, where one more name is bound to one of some members."""


@define(eq=False)
class Forgetting:
    """Within it lists may be made for a scalar, which must be kept in a local.

    They are forgotten behind it if any were made.
    """

    arena: Arena
    code: Code
    _mark: Local = field(init=False)
    _begun: int = field(init=False)

    def __enter__(self) -> None:
        self._mark = Local(self.code.names.fresh("mark"))
        self._begun = len(self.code.out)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if any(calls_in(stmt) for stmt in self.code.out[self._begun :]):
            self.code.out.insert(self._begun, Set(self._mark, word(self.arena.top)))
            self.code.put(self.arena.release(self._mark))


def forgetting(reader: Asks) -> Forgetting:
    """Forgets the lists that are made where a reader writes."""
    return Forgetting(reader.arena, reader.code)
