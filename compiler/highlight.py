"""A spec's text in coloured pieces, and which lines belong together.

The pieces come from the language's own lexer, so that a word is a keyword exactly where it is read
as one.  Nothing is lost: the pieces of all lines are the text.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from attrs import frozen

from compiler.excerpt import Role, ansi
from compiler.source import SourceFile
from compiler.syntax.tokens import Lexed, Sort, tokens, tokens_if_any
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS


class Look(Enum):
    """What a piece of text is to the language."""

    PLAIN = "plain"
    KEYWORD = "keyword"
    CODE = "code"  # a seat, or a word written on a piece
    NUMBER = "number"
    STRING = "string"
    CITATION = "citation"
    COMMENT = "comment"


_LOOKS: Final = {
    Sort.KEYWORD: Look.KEYWORD,
    Sort.CODE: Look.CODE,
    Sort.NUMBER: Look.NUMBER,
    Sort.STRING: Look.STRING,
    Sort.CITATION: Look.CITATION,
}
_COMMENT: Final = re.compile(r"(--[^\n]*)")


@frozen
class Piece:
    """A stretch of one line that looks alike."""

    text: str
    look: Look


@frozen
class Block:
    """A line of the language with all that is written below it and deeper, by lines of the file.

    Lines count from 1; `own` is the last line of the head itself, `last` that of the block.
    """

    first: int
    own: int
    last: int


@frozen
class Listing:
    """A file, line by line."""

    source: SourceFile
    lines: tuple[tuple[Piece, ...], ...]
    blocks: tuple[Block, ...]

    def block_at(self, line: int) -> Block:
        """The block whose head stands on a line of the file; the line alone where none does."""
        for block in self.blocks:
            if block.first <= line <= block.own:
                return block
        return Block(line, line, line)


def listing(source: SourceFile) -> Listing:
    """The pieces and blocks of a file that can be read without errors."""
    text = source.text if source.text.endswith("\n") else source.text + "\n"
    found = tuple(tokens(text))
    return Listing(source, _lines(text, found), _blocks(found))


def pieces(text: str) -> tuple[Piece, ...]:
    """All of any text that ends in a line feed; one with mistakes is read word by word."""
    found = tokens_if_any(text)
    return tuple(_word_by_word(text) if found is None else _pieces(text, found))


_ON_A_TERMINAL: Final = {
    Look.KEYWORD: "35",
    Look.CODE: "36",
    Look.NUMBER: "36",
    Look.STRING: "32",
    Look.CITATION: "34",
    Look.COMMENT: "2",
}


def lit(text: str, role: Role) -> str:
    """The text in the look of its role, on a terminal; of lines of a spec, each word in its own."""
    if role is not Role.SOURCE:
        return ansi(text, role)
    said = ""
    for piece in pieces(f"{text}\n"):
        look = _ON_A_TERMINAL.get(piece.look)
        words = piece.text if look is None else f"\x1b[{look}m{piece.text}\x1b[0m"
        said += words
    return said.removesuffix("\n")


_WORD: Final = re.compile(
    r"""(?P<comment>--[^\n]*) | (?P<string>"[^"\n]*")
    | (?P<citation>@[A-Z]+-[A-Z]*[0-9]+(\.[0-9]+)?) | (?P<first>(?<![^\n])[ \t]*[a-z_]+)
    | (?P<code>[0-9]*[A-Z][A-Za-z0-9]*'*)
    | (?P<number>[0-9]+) | (?P<word>[a-z_][a-z0-9_]*) | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)


def _word_by_word(text: str) -> Iterator[Piece]:
    """What each word looks like by itself: a keyword where its line begins, or anywhere."""
    for match in _WORD.finditer(text):
        kind, said = match.lastgroup or "", match[0]
        match kind:
            case "first" if said.lstrip() in LINE_WORDS | ALWAYS_WORDS:
                blanks = said[: len(said) - len(said.lstrip())]
                if blanks:
                    yield Piece(blanks, Look.PLAIN)
                yield Piece(said.lstrip(), Look.KEYWORD)
            case "word" if said in ALWAYS_WORDS:
                yield Piece(said, Look.KEYWORD)
            case "comment" | "string" | "citation" | "code" | "number":
                yield Piece(said, Look(kind))
            case _:
                yield Piece(said, Look.PLAIN)


def _lines(text: str, found: Sequence[Lexed]) -> tuple[tuple[Piece, ...], ...]:
    """Pieces by line; an empty last line is left out."""
    lines: list[list[Piece]] = [[]]
    for piece in _pieces(text, found):
        for part in piece.text.splitlines(keepends=True):
            words = part.removesuffix("\n")
            if words:
                lines[-1].append(Piece(words, piece.look))
            if part.endswith("\n"):
                lines.append([])
    if not lines[-1]:
        lines.pop()
    return tuple(map(tuple, lines))


def _pieces(text: str, found: Sequence[Lexed]) -> Iterator[Piece]:
    """All of a text, comments and what lies between coloured tokens included."""
    at = 0
    for token in found:
        look = _LOOKS.get(token.sort)
        if look is not None:
            yield from _between(text[at : token.start])
            yield Piece(text[token.start : token.end], look)
            at = token.end
    yield from _between(text[at:])


def _between(text: str) -> Iterator[Piece]:
    for part in _COMMENT.split(text):
        if part:
            yield Piece(part, Look.COMMENT if part.startswith("--") else Look.PLAIN)


def _blocks(found: Sequence[Lexed]) -> tuple[Block, ...]:
    """The blocks in the order of their heads."""
    heads: list[tuple[int, int, int]] = []  # first line, last line, depth
    depth = 0
    begins = True
    for token in found:
        match token.sort:
            case Sort.DEEPER:
                depth += 1
            case Sort.BACK:
                depth -= 1
            case Sort.LINE_END:
                begins = True
            case _ if begins:
                heads.append((token.first, token.last, depth))
                begins = False
            case _:
                heads[-1] = (heads[-1][0], token.last, depth)
    return tuple(
        Block(first, own, end) for (first, own, _), end in zip(heads, _ends(heads), strict=True)
    )


def _ends(heads: Sequence[tuple[int, int, int]]) -> list[int]:
    """The last line of each block: that of the last head below it that is deeper."""
    ends = [own for _, own, _ in heads]
    for at in reversed(range(len(heads))):
        below = at + 1
        while below < len(heads) and heads[below][2] > heads[at][2]:
            ends[at] = ends[below]
            below += 1
    return ends
