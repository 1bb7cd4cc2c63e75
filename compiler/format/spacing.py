"""How the tokens of one line are spaced."""

from collections.abc import Sequence
from typing import Final

from compiler.format.rows import Piece
from compiler.syntax.tokens import Sort

_TIGHT_BEFORE: Final = frozenset({")", "]", ",", ":", ".", ".."})
_TIGHT_AFTER: Final = frozenset({"(", "[", ".", ".."})
_ENDS_A_VALUE: Final = frozenset({")", "]", "none", "empty", "true", "false"})
_VALUES: Final = frozenset({Sort.NAME, Sort.CODE, Sort.NUMBER})


def spaced(pieces: Sequence[Piece], asks: bool) -> str:
    """The tokens of a line with the blanks between them; `asks` as in `Row`."""
    text = ""
    for at, piece in enumerate(pieces):
        if at > 0 and _apart(pieces, at, asks):
            text += " "
        text += piece.text
    return text


def _apart(pieces: Sequence[Piece], at: int, asks: bool) -> bool:
    """Whether a blank stands before the piece at a place that is not the first."""
    before, here = pieces[at - 1], pieces[at]
    if before.sort is Sort.STRING or here.sort is Sort.STRING:
        return True
    if here.text in _TIGHT_BEFORE and here.sort is Sort.SIGN:
        return False
    if before.text in _TIGHT_AFTER and before.sort is Sort.SIGN:
        return False
    if before.text == "-" and not _is_binary(pieces, at - 1):
        return here.text == "-"  # two in a row would begin a comment
    if here.text in ("(", "["):
        return _apart_from_bracket(before, here, asks)
    return True


def _apart_from_bracket(before: Piece, bracket: Piece, asks: bool) -> bool:
    """A bracket touches what it belongs to: the name of a call, a family, a position in a list."""
    touches = before.sort is Sort.NAME or before.text in (")", "]")
    if not touches and not (bracket.text == "[" and before.sort is Sort.CODE):
        return True
    return asks and bracket.spaced


def _is_binary(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a minus takes something from a value before it."""
    if at == 0:
        return False
    before = pieces[at - 1]
    return before.sort in _VALUES or before.text in _ENDS_A_VALUE
