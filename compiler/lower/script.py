"""Scenarios as data: positions, answers and expectations in terms of a graph.

What an item, an answer's slot or a chance result means depends on what the place asks for, which is
only known when the scenario runs: until then it is a `Said`.
"""

from typing import TypeAlias

from attrs import field, frozen

from compiler.graph.core import Term, Value, Variable
from compiler.source import Span
from compiler.syntax import ast


@frozen(eq=False)
class Said:
    """Something written in a scenario whose meaning its place decides; `None`: `?`."""

    node: ast.Expr | None = field(repr=False)
    text: str
    span: Span = field(repr=False)


@frozen
class Listed:
    """An item of a list: tokens or a value, how it lies, and how many of the rest it stands for."""

    said: Said
    flags: tuple[str, ...]
    of_rest: int | None = None


@frozen
class Items:
    """The items of a line; `open` if it ends in `...`."""

    items: tuple[Listed, ...]
    open: bool


@frozen
class PlaceSpot:
    """A place: its index."""

    place: int


@frozen(eq=False)
class ValueSpot:
    """A variable, or a member of a family."""

    variable: Variable
    keys: tuple[Term, ...]


Spot: TypeAlias = PlaceSpot | ValueSpot


@frozen
class Put:
    """`place = items`."""

    spots: tuple[Spot, ...]
    items: Items
    span: Span


@frozen
class Out:
    """`out = B`: seats that were eliminated."""

    seats: tuple[int, ...]


@frozen
class Rest:
    """`rest in place`: a spot, or all of a family."""

    places: tuple[tuple[int, ...], ...]
    span: Span


@frozen
class Known:
    """`A knows deck = 5, ?`."""

    seat: int
    place: int
    items: Items
    span: Span


@frozen
class Position:
    """`given` and its lines."""

    lines: tuple[Put | Out | Rest | Known, ...]
    span: Span


@frozen
class At:
    """`at PHASE(e) "Step"`."""

    phase: str
    args: tuple[Value, ...]
    title: str | None
    span: Span


@frozen
class ChanceForced:
    """`chance items`."""

    items: Items
    span: Span


@frozen
class Answered:
    """An option's word and what was said for its slots, with their prepositions."""

    word: str
    said: tuple[tuple[str | None, Said], ...]
    span: Span


@frozen
class Made:
    """`A: go AL, to grid[1, 1]`."""

    seat: int
    answer: Answered
    span: Span


@frozen
class OnlyOptions:
    """Exactly these answers."""

    answers: tuple[Answered, ...]


@frozen
class Offered:
    """This answer among others."""

    answer: Answered


@frozen
class Refused:
    """Not this answer."""

    answer: Answered


@frozen
class Winners:
    """These seats win."""

    seats: tuple[int, ...]


@frozen
class Scores:
    """These seats have these scores at the end."""

    scores: tuple[tuple[int, Term], ...]


@frozen
class Ranking:
    """The seats end in this order."""

    value: Term


@frozen
class Holds:
    """These tokens or values are there."""

    spots: tuple[Spot, ...]
    items: Items


@frozen
class Sees:
    """A seat sees this there; `knows`: or can name it."""

    seat: int
    spot: Spot
    items: Items
    knows: bool


@frozen
class Next:
    """These seats decide next."""

    seats: tuple[int, ...]


@frozen
class ChanceOdds:
    """The coming chance stop gives this with these odds."""

    said: Said
    weight: int
    total: int


@frozen
class ChanceEvent:
    """The coming chance stop makes a term true with these odds."""

    term: Term
    weight: int
    total: int


@frozen
class Holding:
    """A term is true."""

    term: Term


Expected: TypeAlias = (
    OnlyOptions
    | Offered
    | Refused
    | Winners
    | Scores
    | Ranking
    | Holds
    | Sees
    | Next
    | ChanceOdds
    | ChanceEvent
    | Holding
)


@frozen
class Expect:
    """`expect …`; `now`: as it stands before stops with one answer are looked past."""

    expected: Expected
    clauses: tuple[str, ...]
    span: Span
    now: bool = False


Written: TypeAlias = ast.Scenario
"""A scenario as it stands in its file."""

Line: TypeAlias = Position | At | ChanceForced | Made | Expect


@frozen
class Script:
    """A scenario for one graph."""

    title: str
    clauses: tuple[str, ...]
    lines: tuple[Line, ...]
    span: Span
