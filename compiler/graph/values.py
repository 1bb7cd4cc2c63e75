"""Values in people's words: seats are letters, enum members and places have names."""

from collections.abc import Callable
from itertools import pairwise

from attrs import frozen

from compiler.graph.core import Graph, Value
from compiler.types import (
    Bool,
    Enum,
    Int,
    ListOf,
    PlaceOf,
    Player,
    SetOf,
    Square,
    Token,
    Type,
    element,
    present,
)

TokenName = Callable[[int], str]
"""What a token is called, from its handle."""

_RANGE = 3
"""The least numbers in a row that are written `1..3`."""

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def value_text(
    value: Value, type_: Type, graph: Graph | None = None, token: TokenName | None = None
) -> str:
    """A value in words.  Places need the graph; a token is `a card` unless `token` names it."""
    return ValueWords(graph, token).text(value, type_)


def seat_text(seat: int) -> str:
    """The letter of a seat, from 0."""
    return chr(ord("A") + seat)


@frozen
class ValueWords:
    """Names values with what is known of the graph and its tokens."""

    graph: Graph | None = None
    token: TokenName | None = None

    def text(self, value: Value, type_: Type) -> str:
        """A value of a type in words."""
        kind = present(type_)
        if isinstance(value, tuple):
            return self._several(value, kind)
        if value is None:
            return "none"
        if isinstance(value, bool) or isinstance(kind, Bool):
            return "true" if value else "false"
        match kind:
            case Enum(members=members):
                return members[value]
            case Player():
                return seat_text(value)
            case Square() | PlaceOf():
                return self._place(value)
            case Token():
                return f"a {kind}" if self.token is None else self.token(value)
            case _:
                return str(value)

    def _place(self, index: int) -> str:
        return f"place {index}" if self.graph is None else self.graph.places[index].label

    def _several(self, values: tuple[Value, ...], type_: Type) -> str:
        inner = element(type_)
        if not values:
            return "empty"
        whole = None if inner is None else self._whole(values, present(inner))
        if whole is not None:
            return whole
        inside = type_ if inner is None else inner
        return f"[{', '.join(self.text(value, inside) for value in values)}]"

    def _whole(self, values: tuple[Value, ...], inner: Type) -> str | None:
        """The name of a list that has one."""
        match inner:
            case Enum(name=name, members=members) if values == tuple(range(len(members))):
                return name
            case Player(seats) if values == tuple(range(seats)):
                return "everyone"
            case Int() if len(values) >= _RANGE and _in_a_row(values):
                return f"{values[0]}..{values[-1]}"
            case PlaceOf() | Square() if self.graph is not None:
                return _zone(self.graph, values)
            case ListOf(Square()) | SetOf(Square()) if self.graph is not None:
                return _lines(self.graph, values)
            case _:
                return None


def _in_a_row(values: tuple[Value, ...]) -> bool:
    return all(
        isinstance(a, int) and isinstance(b, int) and b == a + 1 for a, b in pairwise(values)
    )


def _zone(graph: Graph, values: tuple[Value, ...]) -> str | None:
    """The family or board that these places are all of."""
    zones: dict[str, list[Value]] = {}
    for place in graph.places:
        zones.setdefault(place.zone, []).append(place.index)
    for zone, indices in zones.items():
        if tuple(indices) == values and len(indices) > 1:
            return zone
    return None


def _lines(graph: Graph, values: tuple[Value, ...]) -> str | None:
    """`lines(grid, 3)`, if these are all straight runs of three squares of the grid."""
    lengths = {len(line) for line in values if isinstance(line, tuple)}
    first = values[0][0] if isinstance(values[0], tuple) and values[0] else None
    if len(lengths) != 1 or not isinstance(first, int):
        return None
    length = lengths.pop()
    board = graph.places[first].zone
    squares = {p.square: p.index for p in graph.places if p.zone == board}
    runs = set()
    for square in squares:
        if square is None:
            continue
        for dx, dy in _DIRECTIONS:
            run = tuple(
                squares.get((square[0] + dx * at, square[1] + dy * at)) for at in range(length)
            )
            if None not in run:
                runs.add(run)
    return f"lines({board}, {length})" if runs == set(values) else None
