"""Reads what scenarios say: lines as data, terms, seats and the words of tokens."""

from attrs import field, frozen

from compiler.diagnostic import Report
from compiler.graph.core import Const, Read, Term, Variable
from compiler.lower.errors import NoSuchSeat, NotAPlace, WrongArguments, WrongItem
from compiler.lower.instance import Lowered
from compiler.lower.make import NONE
from compiler.lower.names import seat_of
from compiler.lower.phrases import arguments, is_family
from compiler.lower.script import (
    Answered,
    At,
    ChanceEvent,
    ChanceForced,
    ChanceOdds,
    Expect,
    Expected,
    Holding,
    Holds,
    Items,
    Known,
    Line,
    Listed,
    Made,
    Next,
    Offered,
    OnlyOptions,
    Out,
    PlaceSpot,
    Position,
    Put,
    Ranking,
    Refused,
    Rest,
    Said,
    Scores,
    Script,
    Sees,
    Spot,
    ValueSpot,
    Winners,
)
from compiler.resolve.errors import UnknownPhase
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import BOOL, Square, Token, Type, present

_MAY_BE_TESTS = (
    ast.Is,
    ast.IsNot,
    ast.In,
    ast.NotIn,
    ast.Or,
    ast.And,
    ast.Not,
    ast.Quantified,
    ast.Binary,
    ast.Call,
    ast.Attr,
)
"""What can be true or false, and so no result of chance that is written out."""


PLAYERS = "seats"
"""What the number of players is called beside settings; no setting has a keyword's name."""


def setting_lines(scenario: ast.Scenario) -> dict[str, Span]:
    """Where a scenario sets each thing that it sets, by name."""
    found: dict[str, Span] = {}
    for line in scenario.lines:
        if isinstance(line, ast.Seats | ast.SetTo):
            found[PLAYERS if isinstance(line, ast.Seats) else line.name.text] = line.span
    return found


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
            case ast.Expect(now, expected, cites):
                found = self._expected(expected)
                clauses = tuple(cite.text for cite in cites)
                return None if found is None else Expect(found, clauses, line.span, now is not None)

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
            self.report.add(UnknownPhase.near(name, phases, line.phase.span))
            return None
        params, args = phases[name].params, line.args or ()
        if len(params) != len(args):
            wanted = arguments(len(params))
            self.report.add(WrongArguments(name, wanted, len(args), span=line.span))
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

    def spot(self, node: ast.Expr, told: str = "") -> Spot | None:
        """A place or a variable; `told` is what to type where it is neither."""
        term = self.lowered.terms.term(node, self.lowered.context.root())
        if term is NONE:
            return None
        if isinstance(term, Read) and isinstance(term.source, Variable):
            return ValueSpot(term.source, term.args)
        is_place = self.lowered.context.maker.is_place(term.type)
        if isinstance(term, Const) and isinstance(term.value, int) and is_place:
            return PlaceSpot(term.value)
        self.report.add(NotAPlace(self._fix(node, term, told), span=node.span))
        return None

    def _fix(self, node: ast.Expr, term: Term, told: str) -> str:
        """What to type where items are told of something that can hold none."""
        of = node.of.span.text if isinstance(node, ast.Index) else ""
        if of and isinstance(present(term.type), Token):
            return f"tell the whole place, from its first position on: `{of} = …`"
        squares = [place.square for place in self.lowered.graph.places if place.zone == of]
        if of and isinstance(present(term.type), Square) and squares[-1] is not None:
            columns, rows = squares[-1]
            return f"`{of}` is {columns} by {rows}, and ends before that"
        if is_family(term):
            return f"say which one: `{node.span.text}[…]`"
        return told

    def _family(self, node: ast.Expr) -> tuple[int, ...] | None:
        term = self.lowered.terms.term(node, self.lowered.context.root())
        if isinstance(term, Const) and self.lowered.context.maker.is_place(term.type):
            if isinstance(term.value, tuple):
                return tuple(v for v in term.value if isinstance(v, int))
            if isinstance(term.value, int):
                return (term.value,)
        if term is not NONE:
            self.report.add(NotAPlace(self._fix(node, term, ""), span=node.span))
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
                fix = f"a value is compared with `is`: `expect {places[0].span.text} is …`"
                spots = tuple(s for place in places if (s := self.spot(place, fix)) is not None)
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

    def _odds(self, test: ast.Expr) -> ChanceOdds | ChanceEvent | None:
        """`x is 9 of 36`, where x is a result of chance or, in brackets, a test."""
        if isinstance(test, ast.Is) and isinstance(test.right, ast.SomeOf):
            scope = self.lowered.context.root()
            weight = self.lowered.terms.value(test.right.count, scope)
            total = self.lowered.terms.value(test.right.of, scope)
            if isinstance(weight, int) and isinstance(total, int) and total > 0:
                said = _said(test.left)
                event = self._event(said)
                if event is not None:
                    return ChanceEvent(event, weight, total)
                return ChanceOdds(said, weight, total)
        reason = "written like `chance 5 is 1 of 6` or `chance (marks[A] is 1) is 2 of 36`"
        self.report.add(WrongItem(reason, span=test.span))
        return None

    def _event(self, said: Said) -> Term | None:
        """What was said as a test, if it is one."""
        if not isinstance(said.node, _MAY_BE_TESTS):
            return None
        term = self.term(said, None)
        return term if term is not None and present(term.type) == BOOL else None


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
