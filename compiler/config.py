"""What is chosen before a game: the number of players, params, givens, rulings and gaps.

A configuration is a value: written as `NAME=VALUE`, compared, hashed, and written again in one
canonical way.  Whether a number lies within bounds that depend on other settings, and how many may
play, is told where bounds are worked out.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.diagnostic import Error, Report
from compiler.resolve.vocabulary import Vocabulary
from compiler.source import SourceFile, Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest

Value: TypeAlias = str | int
Settable: TypeAlias = ast.Param | ast.Given | ast.Ruling | ast.Gap

PLAYERS = "players"
UNWRITTEN = "configuration"  # the name of the file that settings given otherwise seem to be in
MOST_SEATS = 26  # as many as there are letters
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_SETTING = re.compile(r"\s*([^\s=]+)\s*=\s*(\S.*?)\s*")


# ---- what can be wrong with a setting


@frozen
class NotASetting(Error):
    """Something that is not written `NAME=VALUE`."""

    title = "not a setting"
    label = "`{text}` is none: write `NAME=VALUE`, for example `{example}`"
    text: str
    example: str


@frozen
class SetTwice(Error):
    """Two different values for one name."""

    title = "`{name}` is set twice"
    label = "it is {first} already"
    name: str
    first: str


@frozen
class UnknownSetting(Error):
    """A configured name that the rulebook does not know."""

    title = "nothing to set is called `{name}`"
    label = "this rulebook has {known:and}"
    hint = "did you mean `{nearest}`?"
    name: str
    known: tuple[str, ...]
    nearest: str


@frozen
class SeveralSettings(Error):
    """An id that several rulings cite, where one must be meant."""

    title = "`{id}` could mean several settings"
    label = "it is cited by {names:and}"
    hint = "name one of them"
    id: str
    names: tuple[str, ...]


@frozen
class ValueRefused(Error):
    """A configured value that its setting does not have."""

    title = "`{name}` cannot be {value}"
    label = "it is one of {allowed}"
    hint = "did you mean `{nearest}`?"
    name: str
    value: str
    allowed: str
    nearest: str


# ---- the value


def _sorted_pairs(
    values: Mapping[str, Value] | Iterable[tuple[str, Value]],
) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(dict(values).items()))


@frozen
class Configuration:
    """Choices made before a game; what is not chosen has its default.

    `pairs` are names and values in the order of the names.  Seats are letters, members of an enum
    and readings their names, truth is `true` or `false`.
    """

    players: int | None = None
    pairs: tuple[tuple[str, Value], ...] = field(default=(), converter=_sorted_pairs)

    @property
    def values(self) -> Mapping[str, Value]:
        """The value of each name that is set."""
        return dict(self.pairs)

    @classmethod
    def parse(
        cls, settings: Iterable[str], players: int | None = None
    ) -> "tuple[Configuration, Report]":
        """The configuration that some `NAME=VALUE` say; `players=N` is one of them."""
        report = Report()
        values: dict[str, Value] = {} if players is None else {PLAYERS: players}
        for text in settings:
            match = _SETTING.fullmatch(text)
            span = _span_of(text)
            if match is None:
                report.add(NotASetting(text, "players=3", span=span))
                continue
            name, value = match[1], _value(match[2])
            if values.setdefault(name, value) != value:
                report.add(SetTwice(name, str(values[name]), span=span))
        seats = values.pop(PLAYERS, None)
        if isinstance(seats, str) or (seats is not None and not 1 <= seats <= MOST_SEATS):
            allowed = f"1 to {MOST_SEATS}"
            text = f"{PLAYERS}={seats}"
            report.add(ValueRefused(PLAYERS, str(seats), allowed, "", span=_span_of(text)))
            seats = None
        return cls(seats, values), report

    def __str__(self) -> str:
        """The settings as one line that `parse` reads, the number of players first."""
        first = [] if self.players is None else [(PLAYERS, self.players)]
        return " ".join(f"{name}={value}" for name, value in (*first, *self.pairs))


def _value(text: str) -> Value:
    return int(text) if _NUMBER.fullmatch(text) else text


def _span_of(text: str) -> Span:
    """A place for what was not read from a file."""
    return SourceFile(UNWRITTEN, text).span(0, len(text))


# ---- against a rulebook


def validated(
    vocabulary: Vocabulary, configuration: Configuration
) -> tuple[Mapping[str, Value], Report]:
    """The settings under the names that the rulebook gives them, and which are refused."""
    checking = _Checking(vocabulary, configuration.players)
    for key, value in configuration.pairs:
        checking.take(key, value)
    return dict(sorted(checking.values.items())), checking.report


@define
class _Checking:
    """Takes settings one by one."""

    vocabulary: Vocabulary
    players: int | None
    values: dict[str, Value] = field(factory=dict)
    report: Report = field(factory=Report)

    def take(self, key: str, value: Value) -> None:
        """Take one setting; what it means, or why it is refused, is kept."""
        span = _span_of(f"{key}={value}")
        found = self._meant(key, span)
        if found is None:
            return
        name, item = found
        kept = self._fitted(item, value, span)
        if kept is None:
            return
        if self.values.setdefault(name, kept) != kept:
            self.report.add(SetTwice(name, str(self.values[name]), span=span))

    def _meant(self, key: str, span: Span) -> tuple[str, Settable] | None:
        """The declaration that a key means: by its name, or by a clause that it alone cites."""
        settings = self.vocabulary.settings
        base, bracket, rest = key.partition("[")
        for item in settings:
            family = isinstance(item, ast.Given) and item.per is not None
            if item.name.text == base and (not bracket or family):
                return item.name.text + bracket + rest, item
        citing = [item for item in settings if _cites(item, key)]
        rulings = [item for item in citing if isinstance(item, ast.Ruling | ast.Gap)]
        citing = [*rulings] or citing
        if len(citing) == 1:
            return citing[0].name.text, citing[0]
        if citing:
            names = tuple(item.name.text for item in citing)
            self.report.add(SeveralSettings(key, names, span=span))
        else:
            known = tuple(item.name.text for item in settings)
            near = nearest(key, known)
            self.report.add(UnknownSetting(key, () if near else known, near, span=span))
        return None

    def _fitted(self, item: Settable, value: Value, span: Span) -> Value | None:
        """The value in the form that is kept, or nothing if it is refused."""
        if isinstance(item, ast.Ruling | ast.Gap):
            names = tuple(reading.name.text for reading in item.readings)
            meant = str(value).replace("-", "_")
            return self._one_of(item, meant, {name: name for name in names}, span)
        return self._typed(item, item.type, value, span)

    def _typed(self, item: Settable, type_: ast.TypeExpr, value: Value, span: Span) -> Value | None:
        """A value of a declared type, as far as that shows without working bounds out."""
        match type_:
            case ast.Paren(inner=inner):
                return self._typed(item, inner, value, span)
            case ast.OptionalType(inner=inner):
                return "none" if value == "none" else self._typed(item, inner, value, span)
            case ast.Name(name=name):
                return self._named_type(item, name.text, value, span)
            case ast.Binary(left=left, op=op, right=right) if op.text == "..":
                return self._number(item, _literal(left), _literal(right), value, span)
            case _:
                return value

    def _named_type(self, item: Settable, type_: str, value: Value, span: Span) -> Value | None:
        declared = self.vocabulary.names.get(type_)
        if type_ == "bool":
            return self._one_of(item, value, {"true": "true", "false": "false"}, span)
        if type_ == "player":
            seats = [chr(ord("A") + seat) for seat in range(self.players or MOST_SEATS)]
            return self._one_of(item, value, {seat: seat for seat in seats}, span)
        if isinstance(declared, ast.EnumDecl):
            members = {member.name.text: member.name.text for member in declared.members}
            codes = {m.code.text: m.name.text for m in declared.members if m.code is not None}
            return self._one_of(item, value, members | codes, span)
        if isinstance(declared, ast.Define) and declared.params is None:
            return self._typed(item, declared.cases[0].value, value, span)
        return value

    def _one_of(
        self, item: Settable, value: Value, meanings: Mapping[str, str], span: Span
    ) -> Value | None:
        found = meanings.get(str(value))
        if found is None:
            allowed = ", ".join(dict.fromkeys(meanings.values()))
            near = nearest(str(value), meanings)
            self.report.add(
                ValueRefused(item.name.text, str(value), allowed, near, span=span, notes=_at(item))
            )
        return found

    def _number(
        self, item: Settable, low: int | None, high: int | None, value: Value, span: Span
    ) -> Value | None:
        too_low = isinstance(value, int) and low is not None and value < low
        too_high = isinstance(value, int) and high is not None and value > high
        if isinstance(value, int) and not too_low and not too_high:
            return value
        known = low is not None and high is not None
        allowed = f"the numbers {low} to {high}" if known else "the numbers of its range"
        name = item.name.text
        self.report.add(ValueRefused(name, str(value), allowed, "", span=span, notes=_at(item)))
        return None


def some_values(vocabulary: Vocabulary, item: ast.Param) -> tuple[Value, ...]:
    """Values of a parameter that show much of what it can be: all of few, of a range both ends.

    There are none where the ends depend on something else.
    """
    return _some_of(vocabulary, item.type)


def _some_of(vocabulary: Vocabulary, type_: ast.TypeExpr) -> tuple[Value, ...]:
    match type_:
        case ast.Paren(inner=inner) | ast.OptionalType(inner=inner):
            return _some_of(vocabulary, inner)
        case ast.Binary(left=left, op=op, right=right) if op.text == "..":
            low, high = _literal(left), _literal(right)
            return () if low is None or high is None else tuple(dict.fromkeys((low, high)))
        case ast.Name(name=name):
            declared = vocabulary.names.get(name.text)
            if isinstance(declared, ast.EnumDecl):
                return tuple(member.name.text for member in declared.members)
            if isinstance(declared, ast.Define) and declared.params is None:
                return _some_of(vocabulary, declared.cases[0].value)
            return ("false", "true") if name.text == "bool" else ()
        case _:
            return ()


def _at(item: Settable) -> tuple[tuple[Span, str], ...]:
    return ((item.name.span, "declared here"),)


def _cites(item: Settable, clause: str) -> bool:
    return clause in item.tail.clauses


def _literal(term: ast.Expr) -> int | None:
    """The number that a term is, if it is one as it stands."""
    match term:
        case ast.Number(digits=digits):
            return int(digits.text)
        case ast.Negative(inner=ast.Number(digits=digits)):
            return -int(digits.text)
        case ast.Paren(inner=inner):
            return _literal(inner)
        case _:
            return None
