"""What a declaration introduces: its name or title, and what kind of thing it is."""

from typing import TypeAlias

from compiler.syntax import ast
from compiler.syntax.ast import Word

NamedDecl: TypeAlias = (
    ast.EnumDecl
    | ast.Param
    | ast.Given
    | ast.Ruling
    | ast.Gap
    | ast.TokenDecl
    | ast.KindDecl
    | ast.Die
    | ast.Zone
    | ast.Board
    | ast.Var
    | ast.Define
    | ast.PhaseDecl
)
Item: TypeAlias = ast.Rulebook | ast.ScenariosOf | ast.Variant | ast.Declaration

WHAT: dict[type[ast.Node], str] = {
    ast.Rulebook: "rulebook",
    ast.ScenariosOf: "heading of scenarios",
    ast.Variant: "variant",
    ast.EnumDecl: "enum",
    ast.Param: "param",
    ast.Given: "given",
    ast.Ruling: "ruling",
    ast.Gap: "gap",
    ast.KindDecl: "kind",
    ast.Die: "die",
    ast.Zone: "zone",
    ast.Board: "board",
    ast.Var: "variable",
    ast.Define: "define",
    ast.Start: "start",
    ast.PhaseDecl: "phase",
    ast.Whenever: "whenever",
    ast.InvariantDecl: "invariant",
    ast.ClaimDecl: "claim",
    ast.Scenario: "scenario",
    ast.NoteDecl: "note",
    ast.Discloses: "disclosure",
    ast.Member: "member of an enum",
}


def what(item: ast.Node) -> str:
    """The kind of thing that is declared, in a word."""
    if isinstance(item, ast.TokenDecl):
        return item.what.text
    return WHAT[type(item)]


def name_of(item: Item) -> Word | None:
    """The name that a declaration gives to something, if it does."""
    return item.name if isinstance(item, NamedDecl) else None


def title_of(item: Item) -> Word | None:
    """The title by which a declaration without a name is known, if it has one."""
    match item:
        case ast.InvariantDecl() | ast.ClaimDecl() | ast.NoteDecl() | ast.Discloses():
            return item.title
        case ast.Whenever() | ast.Scenario():
            return item.tail.title
        case _:
            return None


def article(text: str) -> str:
    """The words with `a` or `an` before them."""
    return f"an {text}" if text[:1] in "aeiou" else f"a {text}"
