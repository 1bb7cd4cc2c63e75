"""The configurations of a spec that a check goes through: players, readings, parameters."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from compiler.config import Configuration, Value, some_values
from compiler.pipeline import Spec
from ruleengine.rng import CHANCE, Stream, stream

ALONE: Final = 16
"""Configurations up to which each reading is played alone, unless it is asked for."""

_TWICE: Final = 2  # configurations that each reading stands in, at least
_SHEETS: Final = 8  # configurations of several readings, at least


@frozen
class Setting:
    """One ruling or gap, and a reading of it that is not the default."""

    name: str
    reading: str


def readings(spec: Spec) -> Iterator[Setting]:
    """Every reading that is not a default, in file order."""
    for ruling in spec.rulings:
        for reading in ruling.readings:
            if reading.default is None:
                yield Setting(ruling.name.text, reading.name.text)


def parameters(spec: Spec) -> Mapping[str, tuple[Value, ...]]:
    """Of each parameter, some values that show much of what it can be: the ends of a range."""
    values = {param.name.text: some_values(spec.vocabulary, param) for param in spec.params}
    return {name: known for name, known in values.items() if known}


def usual(spec: Spec) -> Iterator[Configuration]:
    """Every number of players with the defaults; if they allow none, one that is refused."""
    for players in spec.seats() or (None,):
        yield Configuration(players)


def configurations(spec: Spec) -> Iterator[Configuration]:
    """Every number of players with the defaults, then every other reading once.

    A reading is taken with the fewest players, and with every number that only it allows.
    """
    yield from usual(spec)
    known = spec.seats()
    for setting in readings(spec):
        allowed = spec.seats({setting.name: setting.reading})
        further = [players for players in allowed if players not in known]
        common = [players for players in allowed if players in known]
        for players in (*common[:1], *further):
            yield Configuration(players, {setting.name: setting.reading})


def extremes(spec: Spec) -> Iterator[Configuration]:
    """The ends of every parameter, one after the other, with the fewest players it allows."""
    for name, values in parameters(spec).items():
        for value in values:
            yield from (
                Configuration(players, {name: value}) for players in _fewest(spec, name, value)
            )


def together(spec: Spec) -> Iterator[Configuration]:
    """Every reading that is not a default and every end of a parameter, several of them at once.

    Each stands in at least two configurations, with others of the rest in each; one that decides
    how many may play stands alone, as in `configurations` and `extremes`.
    """
    values = _unusual(spec)
    known = spec.seats()
    alone = {name for name, some in values.items() if _decides(spec, name, some, known)}
    for one in (*configurations(spec), *extremes(spec)):
        if any(name in alone for name, _ in one.pairs):
            yield one
    rest = {name: some for name, some in values.items() if name not in alone}
    count = max((_TWICE * len(some) for some in rest.values()), default=0)
    sheets = _sheets(rest, max(count, _SHEETS) if rest else 0)
    for number, sheet in enumerate(sheets):
        allowed = spec.seats(sheet)
        if allowed:
            yield Configuration(allowed[number % len(allowed)], sheet)


def few(spec: Spec) -> list[Configuration]:
    """Every configuration of the above, or of many every number of players and some together."""
    every = list(dict.fromkeys((*configurations(spec), *extremes(spec))))
    return every if len(every) <= ALONE else list(dict.fromkeys((*usual(spec), *together(spec))))


def _unusual(spec: Spec) -> dict[str, tuple[Value, ...]]:
    """By name what a setting can be besides what it usually is."""
    found: dict[str, tuple[Value, ...]] = {}
    for setting in readings(spec):
        found[setting.name] = (*found.get(setting.name, ()), setting.reading)
    return {**found, **parameters(spec)}


def _decides(spec: Spec, name: str, values: Sequence[Value], known: tuple[int, ...]) -> bool:
    return any(spec.seats({name: value}) != known for value in values)


def _sheets(values: Mapping[str, Sequence[Value]], count: int) -> list[dict[str, Value]]:
    """So many sets of settings; each value is in two of them at least, wherever chance puts it."""
    sheets: list[dict[str, Value]] = [{} for _ in range(count)]
    for number, (name, some) in enumerate(values.items()):
        draw = stream(number, 0, CHANCE)
        free = list(range(count))
        for at in range(max(_TWICE * len(some), count // 2)):
            sheet = sheets[free.pop(draw.below(len(free)))]
            sheet[name] = some[at % len(some)]
    return sheets


def mixed(spec: Spec, count: int, seed: int) -> Iterator[Configuration]:
    """So many configurations in which several things are not as usual at once."""
    for number in range(count):
        draw = stream(seed, number, CHANCE)
        settings: dict[str, Value] = {}
        for ruling in spec.rulings:
            _set(settings, draw, ruling.name.text, [r.name.text for r in ruling.readings])
        for name, values in parameters(spec).items():
            _set(settings, draw, name, values)
        allowed = spec.seats(settings)
        if allowed:
            yield Configuration(allowed[draw.below(len(allowed))], settings)


def _set(settings: dict[str, Value], draw: Stream, name: str, values: Sequence[Value]) -> None:
    """One thing in three is not left as usual."""
    if values and draw.below(3) == 0:
        settings[name] = values[draw.below(len(values))]


def _fewest(spec: Spec, name: str, value: Value) -> tuple[int, ...]:
    return spec.seats({name: value})[:1]
