"""The table as people lay it out: shared places, boards with coordinates, then each player's own.

Everything is read off one view, so nothing here can tell what its seat may not know.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, field

from compiler.graph.core import Die, Place, Variable
from compiler.graph.naming import spoken
from compiler.graph.values import seat_text
from ruleengine.play.faces import BACK, KNOWN, Faces
from ruleengine.play.lines import GAP, Line, Look, paragraph, row
from ruleengine.play.names import Names

_LABEL: Final = 18  # letters of a label that others are lined up with
_INDENT: Final = 2
_EMPTY_SQUARE: Final = "."


@define(eq=False)
class Scene:
    """One view laid out in a width; `about` says in a word who sits at a seat."""

    names: Names
    faces: Faces
    width: int
    about: Callable[[int], str]
    _column: int = field(init=False)
    _unused: frozenset[str] = field(init=False)  # zones in which nothing lies

    def __attrs_post_init__(self) -> None:
        labels = [self.names.member(place) for place in self._places() if place.square is None]
        longest = max((len(label) for label in labels), default=0)
        self._column = 2 * _INDENT + min(longest, _LABEL) + GAP
        used = {place.zone for place in self._places() if not self._is_empty(place)}
        self._unused = frozenset(place.zone for place in self._places()) - used

    def lines(self) -> tuple[Line, ...]:
        """All of the table."""
        found = [*self._shared(), *self._boards()]
        for seat in range(self.names.graph.seats):
            found += self._player(seat)
        found += self._rest(found)
        return tuple(Line(text, Look.TABLE) for text in found)

    def _places(self) -> tuple[Place, ...]:
        """The places on the table; the box is not on it."""
        return self.names.graph.places[1:]

    def _is_empty(self, place: Place) -> bool:
        seen = self.faces.view.places[place.index]
        return not seen.cells and not seen.heaps

    def _is_out(self, seat: int) -> bool:
        """Whether a player has been eliminated, if that can still be read."""
        for slot, value in self.faces.view.values:
            if self.names.variable(slot)[0] is self.names.graph.players:
                return isinstance(value, tuple) and seat not in value
        return False

    # ---- shared

    def _shared(self) -> Iterator[str]:
        for place in self._places():
            shared = place.holder is None and place.square is None
            if shared and place.zone not in self._unused:
                yield from self._row(place, _INDENT)
        if values := self._values(None):
            yield from self._told(values)

    def _row(self, place: Place, indent: int) -> list[str]:
        words = self.faces.place(place)
        return row(self.names.member(place), words, self.width, indent, self._column)

    def _told(self, values: Sequence[str]) -> list[str]:
        blanks = " " * _INDENT
        return paragraph(", ".join(values), self.width, blanks, blanks * 2)

    # ---- boards

    def _boards(self) -> Iterator[str]:
        boards: dict[str, dict[tuple[int, int], list[str]]] = {}
        for place in self._places():
            if place.square is not None:
                boards.setdefault(place.zone, {})[place.square] = self.faces.top(place)
        for zone, squares in boards.items():
            yield f"{' ' * _INDENT}{spoken(zone)}"
            yield from self._board(squares)

    def _board(self, squares: dict[tuple[int, int], list[str]]) -> Iterator[str]:
        """The highest row first; columns and rows count from 1.  Towers are told from the top."""
        across = max(column for column, _ in squares)
        up = max(row_ for _, row_ in squares)
        margin = 2 * _INDENT + len(str(up)) + GAP
        room = (self.width - margin) // across - GAP
        words = {square: _tower(tokens, room) for square, tokens in squares.items()}
        cell = max(len(str(across)), *map(len, words.values())) + GAP
        for y in range(up, 0, -1):
            line = f"{y:>{margin - GAP}}{' ' * GAP}"
            line += "".join(words.get((x, y), "").ljust(cell) for x in range(1, across + 1))
            yield line.rstrip()
        numbers = "".join(str(x).ljust(cell) for x in range(1, across + 1))
        yield (" " * margin + numbers).rstrip()

    # ---- players

    def _player(self, seat: int) -> Iterator[str]:
        about = [word for word in (self.about(seat), "out" if self._is_out(seat) else "") if word]
        head = f"{seat_text(seat)} ({', '.join(about)})" if about else seat_text(seat)
        values = self._values(seat)
        blanks = " " * _INDENT
        yield from paragraph("  ".join([head, ", ".join(values)]), self.width, blanks, blanks * 2)
        for place in self._places():
            if place.holder == seat and place.square is None and place.zone not in self._unused:
                yield from self._row(place, 2 * _INDENT)

    # ---- variables

    def _values(self, seat: int | None) -> list[str]:
        """The variables of a player, or of nobody, that may still matter and say something."""
        graph = self.names.graph
        found: dict[str, list[str]] = {}
        for slot, value in self.faces.view.values:
            variable, _ = self.names.variable(slot)
            owner, keys = self.names.keys(slot)
            if owner != seat or _is_unsaid(variable) or variable in (graph.players, graph.ended):
                continue
            said = self.faces.value(slot, variable.type, value)
            name = spoken(variable.name)
            if isinstance(variable, Die):
                found.setdefault(name, []).append(said or "not rolled")
            elif said:
                found.setdefault(" ".join([name, *keys]), []).append(said)
        for slot, rolled in self.faces.view.hidden:
            variable, _ = self.names.variable(slot)
            if self.names.keys(slot)[0] == seat and not _is_unsaid(variable) and rolled:
                found.setdefault(spoken(variable.name), []).append(BACK)
        return [f"{name} {' '.join(said)}" for name, said in found.items()]

    # ---- below

    def _rest(self, shown: Sequence[str]) -> Iterator[str]:
        """Where nothing lies, and what the signs mean."""
        zones = dict.fromkeys(p.zone for p in self._places() if p.square is None)
        empty = [spoken(zone) for zone in zones if zone in self._unused]
        if empty:
            yield from self._told([f"empty: {empty[0]}", *empty[1:]])
        if any(KNOWN in line for line in shown):
            yield f"{' ' * _INDENT}({KNOWN} lies face down, and you know it)"


def _is_unsaid(variable: Variable) -> bool:
    """Whether a variable is the compiler's, or a counter of one letter."""
    return variable.hidden_name or len(variable.name) == 1


def _tower(tokens: Sequence[str], room: int) -> str:
    """What stands on a square, in so many letters if that can be."""
    if not tokens:
        return _EMPTY_SQUARE
    whole = "/".join(tokens)
    if len(tokens) > 1 and len(whole) > room:
        return f"{tokens[0]}+{len(tokens) - 1}"
    return whole
