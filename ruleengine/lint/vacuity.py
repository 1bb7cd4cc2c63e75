"""What makes no difference: options never legal, guards that never decide, readings that are alike.

Scenarios and random games of every configuration are counted; what none of them came to is told.
That is an alarm, not a proof: a longer run may come to it.  That a reading or a parameter changes
no step of any graph is certain.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from attrs import frozen

from compiler.analysis.pairing import pairing
from compiler.config import Configuration, Value
from compiler.graph.core import Claim, Invariant
from compiler.pipeline import Compiled, Spec
from ruleengine.configurations import configurations, extremes, few, parameters, readings
from ruleengine.coverage.counting import Counting, Meter, metered_game
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.points import CHOSEN, HOLDS, OFFERED, OTHERWISE, REFUSES, Point, Sort
from ruleengine.interpreter import Interpreter
from ruleengine.match import random_match
from ruleengine.scenario.suite import run_scenarios

GAMES: Final = 1
"""Random games of each configuration, unless it is said."""

_NODES: Final = 20_000  # steps after which a game is given up
_BRIEF: Final = 6_000  # the same of a game that differs from the usual ones
_LONGER: Final = 6  # further games for each thing that was idle, where there is such a thing


class Idle(Enum):
    """What is idle; the value is how it is told."""

    OPTION = "this option was never legal"
    OTHERWISE = "this was never needed: something was always legal"
    NEVER_CHOSEN = "this option was legal and never chosen"
    GUARD = "this guard never refused anything"
    BLOCKING = "this guard refused everything"
    INVARIANT = "this invariant was never looked at: its phase never began"
    CLAIM = "this claim was never looked at: its phase never began"
    READING = "this reading changes no step"
    PARAMETER = "no step changes with this parameter"


@frozen
class Alarm:
    """Something idle: its words, where it is written, the clauses of its line."""

    idle: Idle
    words: str
    place: str
    clauses: tuple[str, ...] = ()


def alarms(spec: Spec, games: int = GAMES, seed: int = 0) -> tuple[Alarm, ...]:
    """Everything in a spec that was idle, in the order of its text."""
    _kept = [spec.instantiate(one) for one in few(spec)]  # used again and again
    counted = _counted(spec, games, seed)
    found = [*_options(counted), *_guards(counted), *_invariants(spec, counted), *_settings(spec)]
    return tuple(sorted(found, key=lambda alarm: (_line(alarm.place), alarm.idle.name)))


def _counted(spec: Spec, games: int, seed: int) -> Coverage:
    """What scenarios and random games came to."""
    meters: list[Meter] = []

    def making(compiled: Compiled) -> Interpreter:
        counting = Counting.metered(compiled, scenario=True)
        meters.append(counting.meter)
        return counting

    for _ in run_scenarios(spec, making=making):
        pass
    for configuration in few(spec):
        made = spec.instantiate(configuration)
        if isinstance(made, Compiled):
            game, meter = metered_game(made)
            meters.append(meter)
            limit = _BRIEF if configuration.pairs else _NODES
            for number in range(games):
                random_match(game, seed, number, node_limit=limit)
    counted = sum((meter.coverage for meter in meters), Coverage.nothing())
    return _looked_longer(spec, counted, range(games, games + _LONGER), seed) if games else counted


def _looked_longer(spec: Spec, counted: Coverage, numbers: range, seed: int) -> Coverage:
    """The same with further games of those configurations in which what was idle can happen.

    Several readings at once leave a game few rounds; what only one of them has is met where it
    stands alone.
    """
    tried: Counter[str] = Counter()
    for configuration in dict.fromkeys((*configurations(spec), *extremes(spec))):
        places = _idle_places(counted)
        if not places:
            break
        made = spec.instantiate(configuration)
        if isinstance(made, Compiled):
            game, meter = metered_game(made)
            near = {point.place for point in meter.points.meanings} & places
            for number in numbers:
                near = {place for place in near if tried[place] < _LONGER}
                if near:
                    tried.update(near)
                    random_match(game, seed, number, node_limit=_BRIEF)
                    near &= _idle_places(counted + meter.coverage)
            counted += meter.coverage
    return counted


def _idle_places(counted: Coverage) -> set[str]:
    return {alarm.place for alarm in (*_options(counted), *_guards(counted))}


# ---- from counts


def _options(counted: Coverage) -> Iterator[Alarm]:
    for point, ways in _grouped(counted, Sort.OPTION).items():
        meaning = counted.meanings[point]
        if not ways.get(OFFERED) and not ways.get(CHOSEN):
            idle = Idle.OTHERWISE if point.name == OTHERWISE else Idle.OPTION
            words = meaning.words if idle is Idle.OTHERWISE else point.name
            yield Alarm(idle, words, point.place, meaning.clauses)
        elif not ways.get(CHOSEN):
            yield Alarm(Idle.NEVER_CHOSEN, point.name, point.place, meaning.clauses)


def _guards(counted: Coverage) -> Iterator[Alarm]:
    for point, ways in _grouped(counted, Sort.GUARD).items():
        asked = sum(ways.values())
        meaning = counted.meanings[point]
        if asked and not ways.get(REFUSES):
            yield Alarm(Idle.GUARD, meaning.words, point.place, meaning.clauses)
        elif asked and not ways.get(HOLDS) and not _chosen(counted, point):
            yield Alarm(Idle.BLOCKING, meaning.words, point.place, meaning.clauses)


def _chosen(counted: Coverage, guard: Point) -> bool:
    """Whether the option of a guard was chosen all the same: where a reading decides the guard."""
    above = [
        (point.line, counted.times(point))
        for point in counted.meanings
        if (point.file, point.name, point.how) == (guard.file, guard.name, CHOSEN)
        and point.line <= guard.line
    ]
    return bool(above) and max(above)[1] > 0


def _grouped(counted: Coverage, sort: Sort) -> Mapping[Point, Mapping[str, int]]:
    """How often each thing that can happen at a place did, by one of its points."""
    first: dict[tuple[str, str], Point] = {}
    found: dict[Point, dict[str, int]] = {}
    for point in sorted(counted.meanings):
        if point.sort is sort:
            one = first.setdefault((point.place, point.name), point)
            found.setdefault(one, {})[point.how] = counted.times(point)
    return found


def _invariants(spec: Spec, counted: Coverage) -> Iterator[Alarm]:
    """Those of a phase that no step was come to in, claims about one too."""
    begun = {meaning.phase for point, meaning in counted.meanings.items() if counted.times(point)}
    told: set[str] = set()
    for configuration in few(spec):
        made = spec.instantiate(configuration)
        if not isinstance(made, Compiled):
            continue
        asked: list[tuple[Idle, str | None, Invariant | Claim]] = [
            *((Idle.INVARIANT, one.at_phase, one) for one in made.graph.invariants),
            *((Idle.CLAIM, one.phase, one) for one in made.graph.claims),
        ]
        for idle, phase, one in asked:
            if phase is not None and phase not in begun and one.title not in told:
                told.add(one.title)
                yield Alarm(idle, one.title, str(one.span), one.clauses)


# ---- from graphs


def _settings(spec: Spec) -> Iterator[Alarm]:
    """Readings and parameters that change no step."""
    declared = {ruling.name.text: ruling for ruling in spec.rulings}
    for setting in readings(spec):
        ruling = declared[setting.name]
        if spec.seats({setting.name: setting.reading}) != spec.seats():
            continue  # it says how many may play
        if all(_same(spec, {setting.name: setting.reading}, p) for p in spec.seats()):
            words = f"{setting.name} = {setting.reading}"
            yield Alarm(Idle.READING, words, str(ruling.span), ruling.tail.clauses)
    unfelt = set(_unfelt(spec))
    for param in spec.params:
        if param.name.text in unfelt:
            place = str(param.span)
            yield Alarm(Idle.PARAMETER, param.name.text, place, param.tail.clauses)


def _unfelt(spec: Spec) -> Iterator[str]:
    """Parameters that change no step, neither as the rulebook comes nor under another reading."""
    others = [{setting.name: setting.reading} for setting in readings(spec)]
    for name, values in parameters(spec).items():
        under = ({}, *others)
        found = next((one for one in under if _feels(spec, one, name, values)), None)
        if found is None:
            yield name
        elif found:  # what one parameter is felt under is tried first for the next
            others.sort(key=lambda one: one != found)


def _feels(spec: Spec, besides: Mapping[str, Value], name: str, values: tuple[Value, ...]) -> bool:
    """Whether a parameter changes a step where something else may be set besides."""
    return any(
        _alike(
            spec, Configuration(players, {**besides, name: value}), Configuration(players, besides)
        )
        is False
        for value in values
        for players in spec.seats({**besides, name: value})[:1]
    )


def _same(spec: Spec, settings: Mapping[str, Value], players: int | None) -> bool:
    """Whether a game is the same, step by step, with some settings and without."""
    return _alike(spec, Configuration(players), Configuration(players, settings)) is True


def _alike(spec: Spec, one: Configuration, other: Configuration) -> bool | None:
    """Whether two games do the same, step by step; `None` if one of them cannot be had."""
    first, second = spec.instantiate(one), spec.instantiate(other)
    if not isinstance(first, Compiled) or not isinstance(second, Compiled):
        return None
    return pairing(first.graph, second.graph).same


def _line(place: str) -> tuple[str, int]:
    """The file and line of a place written `file:line:column`."""
    file, *numbers = place.rsplit(":", 2)
    return file, int(numbers[0]) if numbers and numbers[0].isdecimal() else 0
