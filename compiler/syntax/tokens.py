"""The tokens of a text, for those who show texts without reading their grammar."""

from collections.abc import Iterator
from enum import Enum
from typing import Final

from attrs import frozen
from lark import UnexpectedCharacters

from compiler.syntax.parse import parser
from compiler.syntax.words import FitsNoBlock


class Sort(Enum):
    """What a token is."""

    KEYWORD = "keyword"
    NAME = "name"
    CODE = "code"  # a seat, or a word written on a piece
    NUMBER = "number"
    STRING = "string"
    CITATION = "citation"
    SIGN = "sign"
    LINE_END = "line end"
    DEEPER = "deeper"  # a block begins
    BACK = "back"  # a block has ended


_SORTS: Final = {
    "NAME": Sort.NAME,
    "CODE": Sort.CODE,
    "INT": Sort.NUMBER,
    "STRING": Sort.STRING,
    "CITE": Sort.CITATION,
    "_NL": Sort.LINE_END,
    "_INDENT": Sort.DEEPER,
    "_DEDENT": Sort.BACK,
}


@frozen
class Lexed:
    """A token: offsets `start` up to, not including, `end`, from line `first` to line `last`."""

    sort: Sort
    start: int
    end: int
    first: int
    last: int


def tokens_if_any(text: str) -> tuple[Lexed, ...] | None:
    """The tokens of any text that ends in a line feed; `None` where signs or depths fit nowhere."""
    try:
        return tuple(tokens(text))
    except (UnexpectedCharacters, FitsNoBlock):
        return None


def tokens(text: str) -> Iterator[Lexed]:
    """The tokens of a text that can be read without errors and ends in a line feed.

    Words are keywords where the language reads them so, and names elsewhere.
    """
    for token in parser().lex(text):
        usual = Sort.KEYWORD if token[:1].isalpha() else Sort.SIGN
        start, line = token.start_pos or 0, token.line or 1
        yield Lexed(
            _SORTS.get(token.type, usual),
            start,
            token.end_pos or start,
            line,
            token.end_line or line,
        )
