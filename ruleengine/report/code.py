"""Lines of rules as HTML: numbered, coloured, with the clauses they cite in the margin."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from attrs import evolve

from compiler.highlight import Listing, Look, Piece
from compiler.markup import Markup, joined, tag
from ruleengine.report.chapter import Chapter

_CLASSES: Final = {
    Look.CODE: "co",
    Look.NUMBER: "nu",
    Look.STRING: "st",
    Look.CITATION: "ci",
    Look.COMMENT: "cm",
}
_GAP: Final = re.compile(" {2,}")
_MOST: Final = 7  # lines of a block that are shown in an excerpt


def whole(chapter: Chapter, listing: Listing) -> Markup:
    """All lines of a file of rules; each can be linked to."""
    lines = range(1, len(listing.lines) + 1)
    return tag("div", (_anchored(chapter, listing, line) for line in lines), class_="code")


def block(chapter: Chapter, listing: Listing, first: int, last: int) -> Markup:
    """Some lines of any file, as deep as the first of them."""
    return tag("div", _numbered(chapter, listing, range(first, last + 1)), class_="code")


def excerpt(chapter: Chapter, listing: Listing, line: int) -> Markup:
    """The statement on a line of the rules with what is written below it, if that is short."""
    found = listing.block_at(line)
    shown = found.last if found.last - found.first < _MOST else max(found.own, found.first + 3)
    rest = found.last - shown
    lines = list(_numbered(chapter, listing, range(found.first, shown + 1), linked=True))
    if rest:
        there = f"#{chapter.line_place(listing.source, shown + 1)}"
        words = f"and {rest} more line{'s' if rest > 1 else ''}"
        lines.append(tag("div", tag("span"), tag("a", words, href=there), class_="l more"))
    return tag("div", lines, class_="code")


def _numbered(
    chapter: Chapter, listing: Listing, lines: Iterable[int], linked: bool = False
) -> Iterator[Markup]:
    """Lines with their numbers; the first may link to the whole text."""
    base: int | None = None
    for line in lines:
        pieces = listing.lines[line - 1]
        depth = _depth(pieces)
        number = tag("span", str(line), class_="n")
        if linked and base is None:
            there = f"#{chapter.line_place(listing.source, line)}"
            number = tag("a", str(line), href=there, class_="n")
        base = depth if base is None else base
        content = _content(chapter, pieces, max(0, depth - base), tidy=linked)
        yield tag("div", number, *content, class_="l")


def _anchored(chapter: Chapter, listing: Listing, line: int) -> Markup:
    pieces = listing.lines[line - 1]
    return tag(
        "div",
        tag("span", str(line), class_="n"),
        *_content(chapter, pieces, _depth(pieces)),
        class_="l",
        id=chapter.line_place(listing.source, line),
    )


def _content(
    chapter: Chapter, pieces: Sequence[Piece], depth: int, tidy: bool = False
) -> Iterator[Markup]:
    """The text of a line, then what it cites; `tidy` leaves no columns in it."""
    cites = list(takewhile(_cites, reversed(pieces)))
    body = list(pieces[: len(pieces) - len(cites)])
    if body:
        body[0] = evolve(body[0], text=body[0].text.lstrip())
        body[-1] = evolve(body[-1], text=body[-1].text.rstrip())
    if tidy:
        body = [_tidied(piece) for piece in body]
    yield tag("code", map(_piece, body), style=f"--i:{depth}" if depth else None)
    ids = [piece.text[1:] for piece in reversed(cites) if piece.look is Look.CITATION]
    if ids:
        yield tag("span", chapter.chips(ids), class_="at")


def _tidied(piece: Piece) -> Piece:
    return evolve(piece, text=_GAP.sub(" ", piece.text)) if piece.look is Look.PLAIN else piece


def _cites(piece: Piece) -> bool:
    """Whether a piece is a citation, or the space around one."""
    return piece.look is Look.CITATION or not piece.text.strip()


def _depth(pieces: Sequence[Piece]) -> int:
    """The number of spaces at the beginning of a line."""
    text = "".join(piece.text for piece in pieces).expandtabs(4)
    return len(text) - len(text.lstrip())


def _piece(piece: Piece) -> Markup:
    if piece.look is Look.KEYWORD:
        return tag("b", piece.text)
    name = _CLASSES.get(piece.look)
    return joined(piece.text) if name is None else tag("i", piece.text, class_=name)
