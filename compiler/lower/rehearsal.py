"""What a scenario says that no play of its game can bear out, found without playing it.

A place takes tokens of its class, a variable values of its type, an option what its slots range
over; chance gives faces of dice, members that are picked, and cards.  Whether it does so where the
scenario stands is seen when the scenario runs.
"""

from collections import Counter
from typing import assert_never

from attrs import define, field

from compiler.diagnostic import Report
from compiler.graph.core import (
    Chance,
    Choose,
    Graph,
    Option,
    Pick,
    Place,
    Roll,
    Shape,
    TokenClass,
)
from compiler.graph.titled import titled_nodes
from compiler.lower.coming import how_chance_is_written
from compiler.lower.errors import (
    TooMany,
    UnknownCode,
    UnknownFlag,
    UnknownOption,
    UnknownStep,
    WrongItem,
)
from compiler.lower.phrases import flag_meant
from compiler.lower.sayings import Sayings, listed
from compiler.lower.scenarios import Reader
from compiler.lower.script import (
    Answered,
    At,
    ChanceForced,
    ChanceOdds,
    Expect,
    Expected,
    Holds,
    Items,
    Known,
    Line,
    Made,
    Offered,
    OnlyOptions,
    Out,
    PlaceSpot,
    Position,
    Put,
    Refused,
    Rest,
    Said,
    Script,
    Sees,
    Spot,
    ValueSpot,
)
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.spelling import nearest
from compiler.types import ListOf, SetOf, Token, Type, element, present

_LYING = ("up", "down")
_DECLINE = "decline"
_PLAIN = "choose"


@define(eq=False)
class Rehearsal:
    """Looks at the scenarios of one game; what is wrong goes into the report of its reader."""

    reader: Reader
    _sayings: Sayings = field(init=False)
    _options: dict[str, list[Option]] = field(init=False, factory=dict)
    _drawn: set[Type] = field(init=False, factory=set)  # the types of what is rolled or picked

    def __attrs_post_init__(self) -> None:
        self._sayings = Sayings(self.reader)
        for node in self._graph.nodes:
            match node.step:
                case Choose(options=options):
                    for option in options:
                        self._options.setdefault(option.name, []).append(option)
                case Chance(Roll(dice)):
                    self._drawn.update(variable.type for variable, _, _ in dice)
                case Chance(Pick(variable=variable)):
                    self._drawn.add(variable.type)
                case _:
                    pass

    @property
    def _graph(self) -> Graph:
        return self.reader.lowered.graph

    @property
    def _report(self) -> Report:
        return self.reader.report

    def look(self, scenario: ast.Scenario) -> None:
        """Looks at all lines of a scenario."""
        for part in scenario.lines:
            if isinstance(part, ast.Expect) and isinstance(part.expected, ast.Holding):
                self._sayings.outside(part.expected.test)
                self._sayings.apart(part.expected.test)
        script = self.reader.script(scenario)
        for line in script.lines:
            self._line(line)
        self._copies(script)

    def _line(self, line: Line) -> None:
        match line:
            case Position(lines):
                for told in lines:
                    self._told(told)
            case At():
                self._at(line)
            case ChanceForced(items):
                self._comes(items)
            case Made(answer=answer):
                self._answer(answer)
            case Expect(expected):
                self._expected(expected)
            case _:
                assert_never(line)

    def _told(self, told: Put | Out | Rest | Known) -> None:
        match told:
            case Put(spots, items):
                for spot in spots:
                    self._lies(spot, items)
            case Known(place=place, items=items):
                self._lies(PlaceSpot(place), items)
            case Out() | Rest():
                pass
            case _:
                assert_never(told)

    def _at(self, line: At) -> None:
        known = titled_nodes(self._graph, line.phase)
        if line.title is not None and line.title not in known:
            near = nearest(line.title, known)
            names = ", ".join(f"“{name}”" for name in known if name) or "nothing"
            fix = f"did you mean “{near}”?" if near else f"it has {names}"
            self._report.add(UnknownStep(line.phase, line.title, fix, span=line.span))

    def _expected(self, expected: Expected) -> None:
        match expected:
            case OnlyOptions(answers):
                for answer in answers:
                    self._answer(answer)
            case Offered(answer) | Refused(answer):
                self._answer(answer)
            case Holds(spots, items):
                for spot in spots:
                    self._lies(spot, items)
            case Sees(spot=spot, items=items):
                if any(item.said.node is not None for item in items.items):
                    self._lies(spot, items)
            case ChanceOdds(said):
                self._face(said)
            case _:
                pass

    # ---- what lies somewhere, and what a variable is

    def _lies(self, spot: Spot, items: Items) -> None:
        if isinstance(spot, PlaceSpot):
            self._tokens(self._graph.places[spot.place], items)
        else:
            self._value(spot, items)

    def _tokens(self, place: Place, items: Items) -> None:
        """Items of a place: tokens of its class, no more than it takes."""
        named = 0
        for item in items.items:
            for said in () if item.of_rest is not None else self.reader.words(item.said):
                named += 1
                if said.node is not None:
                    self._token(place, said)
            told = self._report.tells(UnknownCode.code, item.said.span)
            for flag in () if told else item.flags:
                self._flag(flag, item.said, self._graph.token_class(self._class_of(place)))
        most = 1 if place.shape is Shape.ONE else place.capacity
        if most is not None and named > most:
            what = f"{_tokens(named)} for `{place.label}`"
            self._report.add(TooMany(named, what, most, span=items.items[-1].said.span))

    def _token(self, place: Place, said: Said) -> None:
        token_class = self._class_of(place)
        kind = self.reader.kind(said, token_class)
        if kind is None:
            self._report.add(self._sayings.no_token(said, token_class))
        elif place.kinds is not None and kind not in place.kinds:
            words = [k.word for k in self._graph.token_class(token_class).kinds]
            fix = f"it takes {listed([words[kind] for kind in place.kinds])}"
            reason = f"`{place.label}` takes no `{said.text}`"
            self._report.add(WrongItem(reason, fix, span=said.span))

    def _class_of(self, place: Place) -> str:
        return place.token_class or self._graph.classes[0].name

    def _flag(self, flag: str, said: Said, held: TokenClass) -> None:
        known = self._flags()
        if flag not in known:
            fix = flag_meant(flag, sorted(known), held)
            self._report.add(UnknownFlag(flag, fix, span=said.span))

    def _flags(self) -> set[str]:
        of_places = (flag for place in self._graph.places for flag in place.flags)
        of_classes = (flag for cls in self._graph.classes for flag in cls.sticky_flags)
        return {*of_places, *of_classes, *_LYING}

    def _copies(self, script: Script) -> None:
        """No more of a kind are given than there are."""
        found: Counter[tuple[str, int]] = Counter()
        for line in script.lines:
            if not isinstance(line, Position):
                continue
            for put in line.lines:
                for spot in put.spots if isinstance(put, Put) else ():
                    if isinstance(spot, PlaceSpot) and isinstance(put, Put):
                        self._count(self._graph.places[spot.place], put.items, found)

    def _count(self, place: Place, items: Items, found: Counter[tuple[str, int]]) -> None:
        token_class = self._class_of(place)
        kinds = self._graph.token_class(token_class).kinds
        for item in items.items:
            for said in () if item.of_rest is not None else self.reader.words(item.said):
                kind = self.reader.kind(said, token_class)
                if kind is None:
                    continue
                found[token_class, kind] += 1
                count = kinds[kind].copies
                if found[token_class, kind] == count + 1:
                    what = f"{_tokens(count + 1)} `{said.text}`"
                    said_by = self._graph.token_class(token_class).span
                    notes = _copied(said_by, said.span)
                    self._report.add(TooMany(count + 1, what, count, span=said.span, notes=notes))

    def _value(self, spot: ValueSpot, items: Items) -> None:
        """Items of a variable: one value of its type, or those of a list or set."""
        type_ = spot.variable.type
        inner = element(type_)
        if inner is None or not isinstance(present(type_), SetOf | ListOf):
            if len(items.items) != 1:
                reason = f"`{spot.variable.name}` takes one value"
                self._report.add(WrongItem(reason, span=items.items[-1].said.span))
            else:
                self._sayings.reads(items.items[0].said, type_)
            return
        for item in items.items:
            if isinstance(present(inner), Token):
                reason = "tokens of a variable cannot be given"
                fix = "play on from where the variable gets them"
                self._report.add(WrongItem(reason, fix, span=item.said.span))
            else:
                self._sayings.reads(item.said, inner)

    # ---- answers

    def _answer(self, answer: Answered) -> None:
        """An answer is written as an option of its name, with values that the slots take."""
        if answer.word == _DECLINE:
            return
        options = self._options.get(answer.word, [])
        if not options:
            self._report.add(self._no_option(answer))
            return
        written = [option for option in options if _is_written_so(option, answer)]
        if not written:
            forms = list(dict.fromkeys(map(_form, options)))
            fix = f"it is written {' or '.join(f'`{form}`' for form in forms)}"
            reason = f"no answer `{answer.word}` is written so"
            self._report.add(WrongItem(reason, fix, span=answer.span))
            return
        tries = [self._tried(option, answer) for option in written]
        if all(tried.has_errors for tried in tries):
            self._report.extend(tries[0])

    def _no_option(self, answer: Answered) -> UnknownOption:
        known = [*self._options, _DECLINE]
        near = nearest(answer.word, known)
        fix = f"did you mean `{near}`?" if near else f"there are {listed(known)}"
        if not near and list(self._options) == [_PLAIN]:
            fix = f"a choice without named options is answered so: `{_PLAIN} …`"
        start = answer.span.start
        span = answer.span.file.span(start, start + len(answer.word))
        return UnknownOption("game", answer.word, fix, span=span)

    def _tried(self, option: Option, answer: Answered) -> Report:
        """What is wrong with an answer if it means this option."""
        sayings = self._sayings.afresh()
        for slot, (_, said) in zip(option.slots, answer.said, strict=False):
            sayings.slot(said, slot.bound.type)
        return sayings.reader.report

    # ---- chance

    def _comes(self, items: Items) -> None:
        """What chance is said to give: faces, members that are picked, cards with flags."""
        for item in items.items:
            self._face(item.said)
            for flag in item.flags:
                self._flag(flag, item.said, self._graph.classes[0])

    def _face(self, said: Said) -> None:
        for part in self.reader.words(said):
            if not self._can_come(said) and not self._can_come(part):
                fix = how_chance_is_written(self._graph)
                reason = f"chance never comes to `{part.text}` in this game"
                self._report.add(WrongItem(reason, fix, span=part.span))

    def _can_come(self, said: Said) -> bool:
        if any(self.reader.kind(said, cls.name) is not None for cls in self._graph.classes):
            return True
        for type_ in self._drawn:
            sayings = self._sayings.afresh()
            sayings.slot(said, type_)
            if not sayings.reader.report.has_errors:
                return True
        return False


def _is_written_so(option: Option, answer: Answered) -> bool:
    """Whether an answer has no more slots than an option, and the same prepositions."""
    told = [preposition for preposition, _ in answer.said]
    wanted = [slot.preposition for slot in option.slots]
    return len(told) <= len(wanted) and all(
        a is None or a == b for a, b in zip(told, wanted, strict=False)
    )


def _form(option: Option) -> str:
    """How an answer is written: `gift with x, to q`."""
    slots = (f"{slot.preposition or ''} {slot.local.name}".strip() for slot in option.slots)
    return f"{option.name} {', '.join(slots)}".strip()


def _copied(declared: Span | None, said: Span) -> tuple[tuple[Span, str], ...]:
    """A note on what says how many there are, if that is another file, as a variant is."""
    if declared is None or declared.file is said.file:
        return ()
    return ((declared, "how many there are is said here"),)


def _tokens(number: int) -> str:
    return "token" if number == 1 else "tokens"
