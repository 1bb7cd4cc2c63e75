"""What is said in a scenario, read as what its place asks for: values, tokens, slots."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from attrs import define

from compiler.graph.core import Graph
from compiler.lower.errors import NeverFits, UnknownCode, WrongType
from compiler.lower.phrases import described
from compiler.lower.scenarios import Reader
from compiler.lower.script import Said
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.syntax.walk import walk
from compiler.types import Int, Nothing, Token, Type, element, present

TOLD: Final = 8  # words that a message lists


@define(eq=False, slots=False)
class Sayings:
    """Reads for one game; what cannot be read goes into the report of its reader."""

    reader: Reader

    @property
    def graph(self) -> Graph:
        """The graph of the game."""
        return self.reader.lowered.graph

    def afresh(self) -> "Sayings":
        """The same, with a report of its own."""
        return Sayings(Reader(self.reader.lowered.for_questions()))

    def reads(self, said: Said, type_: Type) -> None:
        """Reads a value of a type."""
        if said.node is not None and not self.outside(said.node):
            self.reader.term(said, type_)

    def slot(self, said: Said, type_: Type) -> None:
        """Reads the value of an answer's slot."""
        inner = element(type_)
        token = present(type_ if inner is None else inner)
        if not isinstance(token, Token):
            self.reads(said, type_)
            return
        parts = (said,) if inner is None else self.reader.words(said)
        for part in parts:
            if self.reader.kind(part, token.token_class) is None:
                self._tokens(part, token.token_class, inner is not None and len(parts) == 1)

    def _tokens(self, said: Said, token_class: str, several: bool) -> None:
        """Reads a term that is a token, or several in a list."""
        if isinstance(said.node, ast.Code | ast.Number | ast.Negative):
            self.reader.report.add(self.no_token(said, token_class))
            return
        term = self.reader.term(said, None)
        if term is None:
            return
        found = (element(term.type) if several else None) or term.type
        if not isinstance(present(found), Token | Nothing):
            fix = self.no_token(said, token_class).fix
            wrong = WrongType(described(term.type), f"a {token_class}", fix, span=said.span)
            self.reader.report.add(wrong)

    def no_token(self, said: Said, token_class: str) -> UnknownCode:
        """What is written as no token of a class is, with those that are."""
        words = list(dict.fromkeys(k.word for k in self.graph.token_class(token_class).kinds))
        near = nearest(said.text, words)
        fix = f"did you mean `{near}`?" if near else f"they are written {listed(words)}"
        if said.text in ("none", "nothing"):
            fix = "that nothing lies there is written `empty`"
        return UnknownCode(said.text, token_class, fix, span=said.span)

    def apart(self, test: ast.Expr) -> None:
        """Reports numbers that a test compares with a number which is never that large or small."""
        waiting = [test]
        while waiting:
            match waiting.pop():
                case ast.And(left, right):
                    waiting += [right, left]
                case ast.Paren(inner):
                    waiting.append(inner)
                case ast.Is(left, ast.Number() | ast.Negative() as right):
                    self._apart(left, right)
                case _:
                    pass

    def _apart(self, left: ast.Expr, right: ast.Expr) -> None:
        scope, terms = self.reader.lowered.context.root(), self.afresh().reader.lowered.terms
        asked, said = (present(terms.term(node, scope).type) for node in (left, right))
        if (
            isinstance(asked, Int)
            and isinstance(said, Int)
            and not asked.low <= said.low <= asked.high
        ):
            found, wanted = described(said), f"{asked.low}..{asked.high}"
            self.reader.report.add(NeverFits(found, wanted, span=right.span))

    # ---- boards

    def outside(self, node: ast.Expr) -> bool:
        """Whether a term names a square beyond the edge of its board, which is reported."""
        found = False
        for index in self._indices(node):
            if not isinstance(index.of, ast.Name) or index.of.name.text not in self._boards:
                continue
            sides = self._boards[index.of.name.text]
            for key, most in zip(index.keys, sides, strict=False):
                if isinstance(key, ast.Number) and not 1 <= int(key.digits.text) <= most:
                    said = f"the number {key.digits.text}"
                    fix = f"`{index.of.name.text}` is {sides[0]} by {sides[1]}: column, row"
                    self.reader.report.add(NeverFits(said, f"1..{most}", fix, span=key.span))
                    found = True
        return found

    def _indices(self, node: ast.Expr) -> Iterator[ast.Index]:
        """The members that a term reads; what it compares with `none` may be beyond an edge."""
        around = [part for part in walk(node) if isinstance(part, ast.Is | ast.IsNot)]
        asked = {id(pair.left) for pair in around if isinstance(pair.right, ast.NoneLiteral)}
        for part in walk(node):
            if isinstance(part, ast.Index) and id(part) not in asked:
                yield part

    @cached_property
    def _boards(self) -> dict[str, tuple[int, int]]:
        """The columns and rows of each board."""
        found: dict[str, tuple[int, int]] = {}
        for place in self.graph.places:
            if place.square is not None:
                found[place.zone] = place.square  # the last one is in the far corner
        return found


def listed(words: list[str]) -> str:
    """The first of some words."""
    more = ", …" if len(words) > TOLD else ""
    return f"{', '.join(f'`{word}`' for word in words[:TOLD])}{more}"
