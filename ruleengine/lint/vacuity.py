"""What makes no difference: options never legal, guards that never decide, readings that are alike.

Scenarios and random games of every configuration are counted; what none of them came to is told.
That is an alarm, not a proof: a longer run may come to it.  That a reading or a parameter changes
no step of any graph is certain.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from attrs import frozen

from compiler.analysis.pairing import pairing
from compiler.config import Configuration
from compiler.graph.core import Claim, Invariant
from compiler.pipeline import Compiled, Spec
from ruleengine.configurations import extremes, few, readings
from ruleengine.coverage.counting import Counting, Meter, metered_game
from ruleengine.coverage.ledger import Coverage
from ruleengine.coverage.points import CHOSEN, HOLDS, OFFERED, REFUSES, Point, Sort
from ruleengine.interpreter import Interpreter
from ruleengine.match import random_match
from ruleengine.scenario.suite import run_scenarios

GAMES: Final = 1
"""Random games of each configuration, unless it is said."""

_NODES: Final = 20_000  # steps after which a game is given up
_BRIEF: Final = 6_000  # the same of a game that differs from the usual ones


class Idle(Enum):
    """What is idle; the value is how it is told."""

    OPTION = "this option was never legal"
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
    return sum((meter.coverage for meter in meters), Coverage.nothing())


# ---- from counts


def _options(counted: Coverage) -> Iterator[Alarm]:
    for point, ways in _grouped(counted, Sort.OPTION).items():
        meaning = counted.meanings[point]
        if not ways.get(OFFERED) and not ways.get(CHOSEN):
            yield Alarm(Idle.OPTION, point.name, point.place, meaning.clauses)
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
    felt: dict[str, bool] = {}
    for configuration in extremes(spec):
        ((name, value),) = configuration.pairs
        same = _same(spec, {name: value}, configuration.players)
        felt[name] = felt.get(name, False) or not same
    for param in spec.params:
        if felt.get(param.name.text) is False:
            place = str(param.span)
            yield Alarm(Idle.PARAMETER, param.name.text, place, param.tail.clauses)


def _same(spec: Spec, settings: Mapping[str, str | int], players: int | None) -> bool:
    """Whether a game is the same, step by step, with some settings and without."""
    usual = spec.instantiate(Configuration(players))
    other = spec.instantiate(Configuration(players, settings))
    if not isinstance(usual, Compiled) or not isinstance(other, Compiled):
        return False
    return pairing(usual.graph, other.graph).same


def _line(place: str) -> tuple[str, int]:
    """The file and line of a place written `file:line:column`."""
    file, *numbers = place.rsplit(":", 2)
    return file, int(numbers[0]) if numbers and numbers[0].isdecimal() else 0
