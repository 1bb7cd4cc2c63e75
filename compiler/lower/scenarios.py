"""Scenarios as data: positions, answers and expectations in terms of a graph.

What an item, an answer's slot or a chance result means depends on what the place asks for, which is
only known when the scenario runs: it stays a `Said` until a `Reader` is asked for a term, a seat or
the word of a token.
"""

from typing import TypeAlias

from attrs import field, frozen

from compiler.diagnostic import Error, Report
from compiler.graph.core import Const, Read, Term, Value, Variable
from compiler.lower.instance import Lowered
from compiler.lower.terms import seat_of
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import Type


@frozen
class NoSuchSeat(Error):
    """A seat that does not play in this scenario."""

    title = "no such seat"
    label = "the seats here are {seats}"
    seats: str


@frozen
class NotAPlace(Error):
    """Something that neither holds tokens nor a value."""

    title = "nothing can be put here"
    label = "this is neither a place nor a variable"


@frozen
class WrongItem(Error):
    """An item that is neither a token nor a value that the place takes."""

    title = "this does not belong here"
    label = "{reason}"
    reason: str


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
    | Holding
)


@frozen
class Expect:
    """`expect …`."""

    expected: Expected
    clauses: tuple[str, ...]
    span: Span


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


def settings_of(scenario: ast.Scenario) -> tuple[int | None, dict[str, str]]:
    """The number of seats and the settings a scenario asks for, as written."""
    seats: int | None = None
    settings: dict[str, str] = {}
    for line in scenario.lines:
        if isinstance(line, ast.Seats) and isinstance(line.count, ast.Number):
            seats = int(line.count.digits.text)
        elif isinstance(line, ast.SetTo):
            settings[line.name.text] = line.value.span.text
    return seats, settings


@frozen(eq=False)
class Reader:
    """Reads what a scenario says, for one graph.  Errors go into the report of its context."""

    lowered: Lowered = field(repr=False)

    @property
    def report(self) -> Report:
        """What was found wrong."""
        return self.lowered.context.report

    def term(self, said: Said, type_: Type | None) -> Term | None:
        """What was said as a term of a type; `None` for `?` or after an error."""
        if said.node is None:
            return None
        before = len(self.report)
        scope = self.lowered.context.root()
        if type_ is None:
            made = self.lowered.terms.term(said.node, scope)
        else:
            made = self.lowered.terms.fit(said.node, scope, type_)
        return made if len(self.report) == before else None

    def words(self, said: Said) -> tuple[Said, ...]:
        """The parts of a list that was written out, or the one thing that was said."""
        node = said.node
        while isinstance(node, ast.Paren):
            node = node.inner
        if isinstance(node, ast.ListOf):
            return tuple(_said(item) for item in node.items)
        return (said,)

    def kind(self, said: Said, token_class: str) -> int | None:
        """The kind of a class that is written so, if one is."""
        for index, kind in enumerate(self.lowered.context.maker.classes[token_class].kinds):
            if kind.word == said.text:
                return index
        return None

    def script(self, scenario: ast.Scenario) -> Script:
        """A scenario's lines as data."""
        lines = tuple(made for line in scenario.lines if (made := self._line(line)) is not None)
        return Script(scenario.tail.text, scenario.tail.clauses, lines, scenario.span)

    def _line(self, line: ast.Told) -> Line | None:
        match line:
            case ast.Seats() | ast.SetTo():
                return None
            case ast.Setting(puts):
                made = tuple(m for put in puts if (m := self._put(put)) is not None)
                return Position(made, line.span)
            case ast.AtPoint():
                return self._at(line)
            case ast.ChanceLine(items):
                return ChanceForced(self._items(items), line.span)
            case ast.Made(seat, answer):
                who = self.seat(seat)
                return None if who is None else Made(who, self._answer(answer), line.span)
            case ast.Expect(expected, cites):
                found = self._expected(expected)
                clauses = tuple(cite.text for cite in cites)
                return None if found is None else Expect(found, clauses, line.span)

    def _put(self, put: ast.Put | ast.RestIn | ast.Knowing) -> Put | Out | Rest | Known | None:
        match put:
            case ast.Put(places, items):
                first = places[0]
                if isinstance(first, ast.Name) and first.name.text == "out":
                    return Out(self._seats(items))
                spots = tuple(s for place in places if (s := self.spot(place)) is not None)
                return Put(spots, self._items(items), put.span)
            case ast.RestIn(places):
                found = tuple(f for place in places if (f := self._family(place)) is not None)
                return Rest(found, put.span)
            case ast.Knowing(seat, place, items):
                who, spot = self.seat(seat), self.spot(place)
                if who is None or not isinstance(spot, PlaceSpot):
                    return None
                return Known(who, spot.place, self._items(items), put.span)

    def _at(self, line: ast.AtPoint) -> At | None:
        name = line.phase.text
        phases = {phase.name: phase for phase in self.lowered.graph.phases}
        title = line.title.text if line.title is not None else None
        if name not in phases:
            self.report.add(WrongItem(f"no phase is called `{name}`", span=line.phase.span))
            return None
        params, args = phases[name].params, line.args or ()
        if len(params) != len(args):
            reason = f"`{name}` takes {len(params)} arguments, here are {len(args)}"
            self.report.add(WrongItem(reason, span=line.span))
            return None
        values = []
        for param, arg in zip(params, args, strict=True):
            scope = self.lowered.context.root()
            values.append(self.lowered.terms.value(arg, scope, param.type))
        return At(name, tuple(values), title, line.span)

    # ---- parts

    def seat(self, word: ast.Word) -> int | None:
        """The seat a code names."""
        found = seat_of(word.text)
        count = self.lowered.graph.seats
        if found is None or found >= count:
            letters = ", ".join(chr(ord("A") + seat) for seat in range(count))
            self.report.add(NoSuchSeat(letters, span=word.span))
            return None
        return found

    def _seats(self, items: ast.Items) -> tuple[int, ...]:
        seats = []
        for item in items:
            value = item.value if isinstance(item, ast.Item) else None
            if isinstance(value, ast.Code):
                found = self.seat(value.code)
                if found is not None:
                    seats.append(found)
            elif not (isinstance(value, ast.NoneLiteral | ast.EmptyLiteral)):
                self.report.add(WrongItem("a seat is written `A`, `B`, …", span=item.span))
        return tuple(seats)

    def spot(self, node: ast.Expr) -> Spot | None:
        """A place or a variable."""
        before = len(self.report)
        term = self.lowered.terms.term(node, self.lowered.context.root())
        if len(self.report) > before:
            return None
        if isinstance(term, Read) and isinstance(term.source, Variable):
            return ValueSpot(term.source, term.args)
        is_place = self.lowered.context.maker.is_place(term.type)
        if isinstance(term, Const) and isinstance(term.value, int) and is_place:
            return PlaceSpot(term.value)
        self.report.add(NotAPlace(span=node.span))
        return None

    def _family(self, node: ast.Expr) -> tuple[int, ...] | None:
        term = self.lowered.terms.term(node, self.lowered.context.root())
        if isinstance(term, Const) and self.lowered.context.maker.is_place(term.type):
            if isinstance(term.value, tuple):
                return tuple(v for v in term.value if isinstance(v, int))
            if isinstance(term.value, int):
                return (term.value,)
        self.report.add(NotAPlace(span=node.span))
        return None

    def _items(self, items: ast.Items) -> Items:
        listed = tuple(_listed(item) for item in items if isinstance(item, ast.Item))
        empty = len(listed) == 1 and isinstance(items[0], ast.Item) and _is_empty(items[0])
        return Items(() if empty else listed, any(isinstance(item, ast.Etc) for item in items))

    def _answer(self, answer: ast.Answer) -> Answered:
        word = "choose" if isinstance(answer, ast.Chosen) else answer.option.text
        said = tuple(
            (s.preposition.text if s.preposition else None, _said(s.value))
            for s in answer.said or ()
        )
        return Answered(word, said, answer.span)

    def _expected(self, node: ast.Expected) -> Expected | None:
        match node:
            case ast.OnlyOptions(answers):
                return OnlyOptions(tuple(self._answer(answer) for answer in answers))
            case ast.Offered(answer):
                return Offered(self._answer(answer))
            case ast.Refused(answer):
                return Refused(self._answer(answer))
            case ast.Winners(items):
                return Winners(self._seats(items))
            case ast.Scores(scores):
                return self._scores(scores)
            case ast.Ranking(value):
                found = self.term(_said(value), None)
                return None if found is None else Ranking(found)
            case ast.HoldsItems(places, items):
                spots = tuple(s for place in places if (s := self.spot(place)) is not None)
                return Holds(spots, self._items(items))
            case ast.Sees(seat, place, items) | ast.Knows(seat, place, items):
                who, spot = self.seat(seat), self.spot(place)
                knows = isinstance(node, ast.Knows)
                if who is None or spot is None:
                    return None
                return Sees(who, spot, self._items(items), knows)
            case ast.NextActor(items):
                return Next(self._seats(items))
            case ast.ChanceIs(test):
                return self._odds(test)
            case ast.Holding(test):
                term = self.lowered.terms.test(test, self.lowered.context.root())
                return Holding(term)

    def _scores(self, scores: tuple[ast.Score, ...]) -> Scores | None:
        out = []
        for score in scores:
            who, value = self.seat(score.seat), self.term(_said(score.value), None)
            if who is None or value is None:
                return None
            out.append((who, value))
        return Scores(tuple(out))

    def _odds(self, test: ast.Expr) -> ChanceOdds | None:
        """`x is 9 of 36`."""
        if isinstance(test, ast.Is) and isinstance(test.right, ast.SomeOf):
            scope = self.lowered.context.root()
            weight = self.lowered.terms.value(test.right.count, scope)
            total = self.lowered.terms.value(test.right.of, scope)
            if isinstance(weight, int) and isinstance(total, int) and total > 0:
                return ChanceOdds(_said(test.left), weight, total)
        self.report.add(WrongItem("written like `chance 5 is 1 of 6`", span=test.span))
        return None


def _said(node: ast.Expr) -> Said:
    while isinstance(node, ast.Paren):
        node = node.inner
    return Said(node, node.span.text, node.span)


def _is_empty(item: ast.Item) -> bool:
    return isinstance(item.value, ast.EmptyLiteral)


def _listed(item: ast.Item) -> Listed:
    flags = tuple(flag.text for flag in item.flags)
    value = item.value
    if isinstance(value, ast.Unknown):
        return Listed(Said(None, "?", value.span), flags)
    match value:
        case ast.SomeOf(ast.Number(digits), ast.Name(name) as of) if name.text == "rest":
            return Listed(_said(of), flags, int(digits.text))
        case _:
            pass
    return Listed(_said(value), flags)
