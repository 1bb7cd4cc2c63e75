"""Lines of rules as HTML: numbered, coloured, with the clauses they cite in the margin."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from attrs import evolve

from compiler.highlight import Listing, Look, Piece
from compiler.markup import Markup, joined, tag
from ruleengine.report.chapter import Chapter

_CLASSES: Final = {
    Look.NUMBER: "nu",
    Look.STRING: "st",
    Look.CITATION: "ci",
    Look.COMMENT: "cm",
}
_JOINED: Final = frozenset({Look.KEYWORD, Look.CODE})
_GAP: Final = re.compile(" {2,}")
_MOST: Final = 7  # lines of a block that are shown in an excerpt


def whole(chapter: Chapter, listing: Listing) -> Markup:
    """All lines of a file of rules; each can be linked to."""
    lines = range(1, len(listing.lines) + 1)
    places = {line: chapter.line_place(listing.source, line) for line in lines}
    return _code(1, _lines(chapter, listing, lines, places))


def block(chapter: Chapter, listing: Listing, first: int, last: int) -> Markup:
    """Some lines of any file, as deep as the first of them."""
    return _code(first, _lines(chapter, listing, range(first, last + 1), {}))


def excerpt(chapter: Chapter, listing: Listing, line: int) -> Markup:
    """The statement on a line of the rules with what is written below it, if that is short.

    The number of its first line leads to the whole text; what lines cite is left out.
    """
    found = listing.block_at(line)
    shown = found.last if found.last - found.first < _MOST else max(found.own, found.first + 3)
    rest = found.last - shown
    base = _depth(listing.lines[found.first - 1])
    texts = []
    for pieces in listing.lines[found.first - 1 : shown]:
        body, _ = _body_and_cites(pieces)
        texts.append(_text(map(_tidied, body), max(0, _depth(pieces) - base)))
    number = _number(chapter, listing, found.first)
    lines = [tag("div", number, texts[0], class_="first")]
    lines += [tag("div", text) for text in texts[1:]]
    if rest:
        there = f"#{chapter.line_place(listing.source, shown + 1)}"
        words = f"and {rest} more line{'s' if rest > 1 else ''}"
        lines.append(tag("p", tag("a", words, href=there)))
    return _code(found.first, lines)


def _code(first: int, lines: Iterable[Markup]) -> Markup:
    """Lines that the page numbers itself, from the first."""
    return tag("div", lines, class_="code", style=f"--n:{first - 1}" if first > 1 else None)


def _number(chapter: Chapter, listing: Listing, line: int) -> Markup:
    """The number of a line, as a link to where the whole text has it."""
    return tag("a", str(line), href=f"#{chapter.line_place(listing.source, line)}")


def _lines(
    chapter: Chapter, listing: Listing, lines: Sequence[int], places: Mapping[int, str]
) -> Iterator[Markup]:
    """Lines with what they cite, and the anchors that they have."""
    base = _depth(listing.lines[lines[0] - 1])
    for line in lines:
        body, ids = _body_and_cites(listing.lines[line - 1])
        depth = max(0, _depth(listing.lines[line - 1]) - base)
        cited = tag("span", chapter.chips(ids), class_="at") if ids else None
        yield tag("div", _text(body, depth), cited, id=places.get(line))


def _body_and_cites(pieces: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """The text of a line without the space around it, and the ids that it cites."""
    cites = list(takewhile(_cites, reversed(pieces)))
    body = list(pieces[: len(pieces) - len(cites)])
    if body:
        body[0] = evolve(body[0], text=body[0].text.lstrip())
        body[-1] = evolve(body[-1], text=body[-1].text.rstrip())
    return body, [piece.text[1:] for piece in reversed(cites) if piece.look is Look.CITATION]


def _text(body: Iterable[Piece], depth: int) -> Markup:
    return tag("code", _pieces(list(body)), style=f"--i:{depth}" if depth else None)


def _pieces(body: Sequence[Piece]) -> Iterator[Markup]:
    """Pieces of text; words of one look with a space between them are one."""
    at = 0
    while at < len(body):
        look, words = body[at].look, body[at].text
        while look in _JOINED and at + 2 < len(body) and _goes_on(look, *body[at + 1 : at + 3]):
            words += f" {body[at + 2].text}"
            at += 2
        yield _piece(look, words)
        at += 1


def _goes_on(look: Look, space: Piece, then: Piece) -> bool:
    return space.look is Look.PLAIN and space.text == " " and then.look is look


def _tidied(piece: Piece) -> Piece:
    return evolve(piece, text=_GAP.sub(" ", piece.text)) if piece.look is Look.PLAIN else piece


def _cites(piece: Piece) -> bool:
    """Whether a piece is a citation, or the space around one."""
    return piece.look is Look.CITATION or not piece.text.strip()


def _depth(pieces: Sequence[Piece]) -> int:
    """The number of spaces at the beginning of a line."""
    text = "".join(piece.text for piece in pieces).expandtabs(4)
    return len(text) - len(text.lstrip())


def _piece(look: Look, words: str) -> Markup:
    if look is Look.PLAIN:
        return joined(words)
    return tag("b" if look is Look.KEYWORD else "i", words, class_=_CLASSES.get(look))
