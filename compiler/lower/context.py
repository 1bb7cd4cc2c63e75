"""What the declarations of a rulebook mean under one configuration.

Denotations are made when first asked for, so declarations may stand in any order.  Nothing here
knows steps; terms are lowered by `terms.py`, which is handed in.
"""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from attrs import define, field

from compiler.diagnostic import Diagnostic, Report
from compiler.graph.core import Const, Place, Term, TokenClass, Value, Variable
from compiler.graph.evaluate import Environment
from compiler.lower.declarations import Declarations
from compiler.lower.errors import OF_VALUES, WrongType
from compiler.lower.make import Maker
from compiler.lower.phrases import described
from compiler.lower.scope import Denoted, Env, Scope
from compiler.resolve.vocabulary import OPERATORS
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import Enum, Nothing, Player, Type

Setting = str | int


class Lowers(Protocol):
    """What turns syntax into terms and types."""

    def term(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Term:
        """The term an expression means."""

    def value(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Value:
        """The value of an expression that is known before play."""

    def known(self, term: Term, bound: Environment, span: Span) -> Value:
        """The value of a term that must be known before play but for its bound names."""

    def type(self, node: ast.TypeExpr, scope: Scope) -> Type:
        """The type an expression names."""

    def fit(self, node: ast.Expr, scope: Scope, slot: Type) -> Term:
        """The term an expression means, in the form a slot of that type keeps."""

    def fitted(self, term: Term, slot: Type, span: Span) -> Term:
        """A term for a slot, in the form the slot keeps; reported if it does not fit."""

    def as_list(self, term: Term, span: Span) -> Term:
        """A term that must be a list, a set or a place, as a list."""

    def range_type(self, left: ast.Expr, right: ast.Expr, span: Span) -> Type:
        """The numbers between two that are known before play."""

    def unknown_before_play(self, term: Term, span: Span) -> None:
        """Reports a term that is read before play and that play changes."""


D = TypeVar("D")


@define(eq=False)
class Context:
    """One rulebook under one configuration, on the way to a graph."""

    declared: Declarations
    seats: int
    settings: Mapping[str, Setting]
    report: Report
    maker: Maker
    denoted: dict[str, Denoted | None] = field(factory=dict)
    classes: list[TokenClass] = field(factory=list)
    places: list[Place] = field(factory=list)
    variables: list[Variable] = field(factory=list)
    flags: dict[str, list[str]] = field(factory=dict)  # flag -> where it is declared
    making: set[str] = field(factory=set)  # declarations that are being worked out
    missing: set[str] = field(factory=set)  # what steps set or mark and nothing declares
    whole: bool = False  # keep the branches that the configuration never takes, to be drawn
    passing: int = 0  # how many branches around this one the configuration never takes

    @property
    def player(self) -> Player:
        """The type of a seat."""
        return Player(self.seats)

    def add(self, finding: Diagnostic) -> None:
        """Report something; of one kind and place only the first, as others follow from it."""
        if self.passing and isinstance(finding, OF_VALUES):
            return
        if not self.report.tells(finding.code, finding.span):
            self.report.add(finding)

    def wrong(self, span: Span, found: Type | str, wanted: str, fix: str = "") -> None:
        """Report a wrong type, unless it comes from an error reported before."""
        if not isinstance(found, Nothing):
            said = found if isinstance(found, str) else described(found)
            self.add(WrongType(said, wanted, fix, span=span))

    def root(self, phase: str | None = None) -> Scope:
        """The scope of the top level."""
        return Scope(Env(), phase=phase)

    def member(self, name: str, enum: Enum, span: Span) -> Const | None:
        """A member of an enum by its name or code."""
        if name in enum.members:
            return Const(enum.members.index(name), type=enum, span=span)
        if name in enum.codes:
            return Const(enum.codes.index(name), type=enum, span=span)
        return None

    def nearest(self, name: str, scope: Scope, called: bool = False) -> str:
        """The name in sight most like one that is unknown, if any is; `called`: like a function."""
        if called:
            defines = (d.name.text for d in self.declared.of(ast.Define))
            return nearest(name, [*defines, *sorted(OPERATORS)]) or MEANT.get(name, "")
        return nearest(
            name, [*scope.visible(), *self.declared.by_name, *self.declared.members, *VALUES]
        )


VALUES = "players everyone box ended".split()
# what other languages call them
MEANT = {"opponent": "next", "other": "others", "len": "count", "length": "count", "size": "count"}
