"""Which name means what, from a line to the end of its block."""

from typing import TypeAlias

from attrs import define, field, frozen

from compiler.graph.core import (
    Bound,
    Function,
    Place,
    Term,
    Variable,
)
from compiler.ops.row import Lookup
from compiler.syntax import ast
from compiler.types import Enum, Type

# ---- what a top-level name denotes


@frozen(eq=False)
class ConstantName:
    """A param, ruling, gap, fixed given or enum member."""

    term: Term


@frozen(eq=False)
class VariableName:
    """A variable, die or open given, or a family of them."""

    variable: Variable


@frozen(eq=False)
class PlaceName:
    """A zone or board: its places, and how a member is found by its keys."""

    name: str
    places: tuple[Place, ...]
    key_types: tuple[Type, ...]
    members: Lookup | None  # `None` for a single place
    type: Type  # of a member: a place or a square
    token_class: str
    board: tuple[int, int] | None = None  # columns, rows


@frozen(eq=False)
class ClassName:
    """A card or piece class, or a named kind of one."""

    name: str
    token_class: str
    kinds: tuple[int, ...] | None


@frozen(eq=False)
class EnumName:
    """An enum."""

    type: Enum


@frozen(eq=False)
class RangeName:
    """A define that names a range: a type, and a list."""

    type: Type
    term: Term


@frozen(eq=False)
class FunctionName:
    """A define."""

    function: Function


Denoted: TypeAlias = (
    ConstantName | VariableName | PlaceName | ClassName | EnumName | RangeName | FunctionName
)


# ---- locals


@define
class Env:
    """Numbers the bound names of one function or node."""

    size: int = 0

    def bound(self, name: str, type_: Type) -> Bound:
        """A fresh bound name."""
        self.size += 1
        return Bound(name, self.size - 1, type=type_)


@frozen(eq=False)
class Sibling:
    """An option that `can` may ask about: its syntax, and the scope its slots and guards see."""

    option: ast.Option
    scope: "Scope"


@define(eq=False)
class Scope:
    """Local names of a block; `parent` is the enclosing one."""

    env: Env
    parent: "Scope | None" = None
    names: dict[str, Term] = field(factory=dict)
    siblings: dict[str, ast.Option] = field(factory=dict)
    asking: tuple[str, ...] = ()  # options whose guards are being read, outermost first
    phase: str | None = None

    def inner(self, env: Env | None = None) -> "Scope":
        """A block or term within this one."""
        return Scope(
            env or self.env,
            self,
            siblings=self.siblings,
            asking=self.asking,
            phase=self.phase,
        )

    def find(self, name: str) -> Term | None:
        """What a local name means."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def visible(self) -> tuple[str, ...]:
        """All local names in sight."""
        found: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            found += scope.names
            scope = scope.parent
        return tuple(found)
