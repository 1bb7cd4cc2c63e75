"""The configurations of a spec that a check goes through: all numbers of players, all readings."""

from collections.abc import Iterator

from attrs import frozen

from compiler.config import Configuration
from compiler.pipeline import Spec


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


def usual(spec: Spec) -> Iterator[Configuration]:
    """Every number of players with the defaults."""
    for players in spec.seats():
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
