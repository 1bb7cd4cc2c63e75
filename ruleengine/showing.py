"""A table as HTML: a row for each zone and variable, boards as boards, cards as cards.

`Q` lies open, `(Q)` lies face down before somebody who sees it, `[Q]` lies face down and is
remembered, `?` is unknown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from attrs import astuple, field, frozen

from compiler.graph.values import seat_text
from compiler.markup import Markup, classes, joined, tag
from ruleengine.knowledge.known import Card, Face, Known, Laid, Teller, Told
from ruleengine.knowledge.view import View, Viewer

_LOOKS: Final = {Face.OPEN: "", Face.DOWN: "d", Face.KNOWN: "k", Face.HIDDEN: "h"}
_SIGNS: Final = {
    Face.OPEN: ("", ""),
    Face.DOWN: ("(", ")"),
    Face.KNOWN: ("[", "]"),
    Face.HIDDEN: ("?", ""),
}
_NOTHING: Final = "\N{EN DASH}"
_MOST_CERTAIN: Final = 8  # different cards that are listed


def style() -> str:
    """How cards and boards look: CSS for everything inside `.rw`."""
    return files("ruleengine").joinpath("showing.css").read_text(encoding="utf-8")


@frozen
class Row:
    """A row of a shown table: what it is about, and what is there now, as HTML.

    `members` are its places or variables by their keys; a board is one member without a key.
    """

    about: str
    members: Mapping[str, Markup]
    variable: bool = False

    @property
    def content(self) -> Markup:
        """All members side by side."""
        return joined(self.members.values())


def rows(known: Known) -> Iterator[Row]:
    """The places zone by zone in the order of the rules, then the variables."""
    for zone, places in _by_zone(known.places).items():
        board = places[0].square is not None
        yield Row(_plain(zone), {"": _board(places)} if board else _members(places))
    named = _by_name(known.variables)
    short = Counter(name.rpartition(".")[2] for name in named)
    for name, told in named.items():
        last = name.rpartition(".")[2]  # without the phase that a local belongs to
        about = last if short[last] == 1 else name
        members = {
            " ".join(one.keys): member(one.keys, _NOTHING if one.value == "[]" else one.value)
            for one in told
        }
        yield Row(_plain(about), members, variable=True)


def table(found: Iterable[Row]) -> Markup:
    """Rows as a table."""
    lines = (tag("tr", tag("th", row.about, scope="row"), tag("td", row.content)) for row in found)
    return tag("table", tag("tbody", lines), class_="rows")


@frozen
class SeatView(View):
    """A view that shows itself in a notebook; otherwise it is the same value."""

    viewer: Viewer = field(kw_only=True, eq=False, repr=False)

    @classmethod
    def of(cls, view: View, viewer: Viewer) -> "SeatView":
        """A view of the graph that a viewer looks at."""
        return cls(*astuple(view, recurse=False), viewer=viewer)

    def _repr_html_(self) -> str:
        """What the seat knows, as a table."""
        public = self.seat == self.viewer.statics.public
        who = "What everybody knows" if public else f"What {seat_text(self.seat)} knows"
        shown = table(rows(Teller.of(self.viewer).seen(self)))
        return tag("div", tag("style", Markup(style())), tag("b", who), shown, class_="rw")


# ---- places


def _by_zone(places: Iterable[Laid]) -> Mapping[str, list[Laid]]:
    found: dict[str, list[Laid]] = {}
    for place in places:
        found.setdefault(place.zone, []).append(place)
    return found


def _by_name(told: Iterable[Told]) -> Mapping[str, list[Told]]:
    found: dict[str, list[Told]] = {}
    for member in told:
        found.setdefault(member.name, []).append(member)
    return found


def _plain(name: str) -> str:
    """A name of a spec as people write it."""
    return name.replace("_", " ")


def _members(places: Iterable[Laid]) -> Mapping[str, Markup]:
    """The places of a zone, each with its keys."""
    return {" ".join(place.keys): member(place.keys, _cards(place)) for place in places}


def member(keys: Sequence[str], content: str) -> Markup:
    """What is in one place or variable, behind its keys."""
    named = tag("i", " ".join(keys)) if keys else None
    return tag("span", named, content, class_="m")


def _board(places: list[Laid]) -> Markup:
    """Squares in rows and columns, the first row on top."""
    squares = {place.square: place for place in places if place.square is not None}
    columns = sorted({column for column, _ in squares})
    lines = sorted({row for _, row in squares})
    head = tag("tr", tag("td"), (tag("th", str(column), scope="col") for column in columns))
    body = (
        tag(
            "tr",
            tag("th", str(row), scope="row"),
            (tag("td", _square(squares.get((column, row)))) for column in columns),
        )
        for row in lines
    )
    return tag("table", head, body, class_="board")


def _square(place: Laid | None) -> Markup:
    return joined() if place is None else joined(map(_card, place.cards))


def _cards(place: Laid) -> Markup:
    return joined(map(_card, place.cards), _certain(place))


@lru_cache(maxsize=4096)
def _card(card: Card) -> Markup:
    seat = None if card.owner is None else f"p{card.owner % 6}"
    return tag(
        "b",
        _word(card),
        tag("small", f"×{card.count}") if card.count > 1 else None,
        tag("sup", _seats(card.knowers)) if card.knowers else None,
        class_=classes(_LOOKS[card.face], seat),
    )


def _word(card: Card) -> str:
    before, after = _SIGNS[card.face]
    return f"{before}{card.word}{after} {card.flags}".strip()


def _seats(mask: int) -> str:
    return "".join(seat_text(seat) for seat in range(mask.bit_length()) if mask >> seat & 1)


def _certain(place: Laid) -> Markup | None:
    """What is known to be among the hidden cards."""
    if not place.certain:
        return None
    hidden = sum(card.count for card in place.cards if card.face is Face.HIDDEN)
    known = sum(count for _, count in place.certain)
    if known == hidden and len(place.certain) > _MOST_CERTAIN:
        return tag("em", "all faces known, not their order")
    listed = (
        f"{word} ×{count}" if count > 1 else word for word, count in place.certain[:_MOST_CERTAIN]
    )
    more = ", …" if len(place.certain) > _MOST_CERTAIN else ""
    return tag("em", f"among them {', '.join(listed)}{more}")
