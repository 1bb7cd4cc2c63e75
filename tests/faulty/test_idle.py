"""Rules that do nothing are found: every file of `idle` begins with what is idle in it."""

from pathlib import Path

import pytest

from compiler.diagnostic import Report
from ruleengine.game import open_spec
from ruleengine.lint.vacuity import Idle, alarms

FAULTY = sorted((Path(__file__).parent / "idle").glob("*.rules"))


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_what_does_nothing_is_found(path: Path) -> None:
    """The alarm that the first line names goes off first."""
    spec = open_spec(str(path))
    assert not isinstance(spec, Report)
    said = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("-- idle: ")

    found = [f"{alarm.idle.name} {alarm.words}" for alarm in alarms(spec, games=3)]

    assert found[:1] == [said]
    assert said.partition(" ")[0] in Idle.__members__
