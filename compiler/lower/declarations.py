"""The declarations of a rulebook, and what can be told of them under any configuration."""

from functools import cached_property
from typing import TypeVar

from attrs import define, field

from compiler.graph.core import Kind
from compiler.syntax import ast
from compiler.syntax.walk import walk
from compiler.types import Enum

D = TypeVar("D")


@define(eq=False)
class Declarations:
    """All declarations in file order; what is asked of them often is found once."""

    items: tuple[ast.Declaration, ...]
    printed: dict[ast.TokenDecl, list[tuple[object, tuple[Kind, ...]]]] = field(factory=dict)
    """The kinds of a class for all that its lines were found to say: most readings change none."""

    def of(self, kind: type[D]) -> tuple[D, ...]:
        """Those of one kind, in file order."""
        return tuple(d for d in self.items if isinstance(d, kind))

    @cached_property
    def by_name(self) -> dict[str, ast.Declaration]:
        """Those that introduce a name."""
        found: dict[str, ast.Declaration] = {}
        for declaration in self.items:
            name = name_of(declaration)
            if name is not None:
                found.setdefault(name, declaration)
        return found

    @cached_property
    def enums(self) -> dict[str, Enum]:
        """The enums, rulings and gaps among them, by name."""
        kinds = ast.EnumDecl | ast.Ruling | ast.Gap
        made = (_enum(item) for item in self.items if isinstance(item, kinds))
        return {enum.name: enum for enum in made}

    @cached_property
    def members(self) -> dict[str, list[Enum]]:
        """The enums that have a word as a member, in file order."""
        found: dict[str, list[Enum]] = {}
        for enum in self.enums.values():
            for name in enum.members:
                found.setdefault(name, []).append(enum)
        return found

    @cached_property
    def turns_down(self) -> bool:
        """Whether any line turns cards face down where they lie or arrive."""
        for node in walk(*self.items):
            match node:
                case ast.Flip(_, side) if side.text == "down":
                    return True
                case ast.Move(mods=mods):
                    sides = [mod.side.text for mod in mods if isinstance(mod, ast.Facing)]
                    if "down" in sides:
                        return True
                case _:
                    pass
        return False

    @cached_property
    def locals_around(self) -> dict[ast.Word, tuple[ast.Word, ...]]:
        """For each name in a term, the locals that its declaration introduces anywhere."""
        found: dict[ast.Word, tuple[ast.Word, ...]] = {}
        for item in self.items:
            nodes = tuple(walk(item))
            made = tuple(n.name for n in nodes if isinstance(n, ast.Let | ast.Var | ast.Bind))
            found.update((node.name, made) for node in nodes if isinstance(node, ast.Name))
        return found


def _enum(declaration: ast.EnumDecl | ast.Ruling | ast.Gap) -> Enum:
    if isinstance(declaration, ast.EnumDecl):
        names = tuple(member.name.text for member in declaration.members)
        codes = tuple(m.code.text if m.code else None for m in declaration.members)
        return Enum(declaration.name.text, names, codes)
    return Enum(declaration.name.text, tuple(r.name.text for r in declaration.readings), ())


def name_of(declaration: ast.Declaration) -> str | None:
    """The name a declaration introduces, if it introduces one."""
    match declaration:
        case (
            ast.EnumDecl()
            | ast.Param()
            | ast.Given()
            | ast.Ruling()
            | ast.Gap()
            | ast.TokenDecl()
            | ast.KindDecl()
            | ast.Die()
            | ast.Zone()
            | ast.Board()
            | ast.Var()
            | ast.Define()
        ):
            return declaration.name.text
        case _:
            return None
