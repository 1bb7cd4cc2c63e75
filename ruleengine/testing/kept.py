"""Plays in which something broke, kept in a folder so that they are tried first the next time.

For each there is a record, which `rulewright replay` and `rulewright flow --trace` read, and a file
of a scenario.  What does not break any more is forgotten.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from ruleengine.record import Record, RecordError
from ruleengine.testing.plan import Counterexample, Outcome, Tested

FOLDER: Final = Path(".rulewright") / "found"
"""Where they are kept, unless said otherwise: below the folder one works in."""

_RECORD: Final = ".record"
_SCENARIO: Final = "-scenario.rules"
_PART: Final = re.compile(r"\W+")


@frozen
class Kept:
    """A folder with plays in which something broke."""

    folder: Path

    def known(self, spec: str) -> tuple[Record, ...]:
        """Those of a spec, in the order of their names; what is no record is passed over."""
        return tuple(record for _, record in self._records(spec))

    def keep(self, test: Tested) -> Path | None:
        """Keeps the play in which a test failed; the file of its record, if there is a play."""
        example = test.counterexample
        if example is None:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(test)
        path.write_text(_with_reason(test, example), encoding="utf-8")
        self.scenario_path(test).write_text(scenario_file(test, example), encoding="utf-8")
        return path

    def path(self, test: Tested) -> Path:
        """Where the record of a test's failure is kept, if there is one."""
        return self.folder / (_name(test) + _RECORD)

    def scenario_path(self, test: Tested) -> Path:
        """Where its scenario is kept."""
        return self.folder / (_name(test) + _SCENARIO)

    def forget(self, test: Tested) -> None:
        """Forgets the play of a test that does not fail any more."""
        self.path(test).unlink(missing_ok=True)
        self.scenario_path(test).unlink(missing_ok=True)

    def update(self, test: Tested) -> Path | None:
        """Keeps or forgets, as the test came out."""
        if test.outcome is Outcome.FAILED:
            return self.keep(test)
        if test.outcome is Outcome.PASSED:
            self.forget(test)
        return None

    def _records(self, spec: str) -> Iterator[tuple[Path, Record]]:
        for path in sorted(self.folder.glob(f"*{_RECORD}")):
            try:
                record = Record.parse(path.read_text(encoding="utf-8"))
            except (RecordError, UnicodeDecodeError):
                continue
            if record.spec == spec:
                yield path, record


def scenario_file(test: Tested, example: Counterexample) -> str:
    """The scenario of a failure as a file of its own: of the rulebook, or of the last variant."""
    game = test.spec.rpartition("+")[2]
    return f"scenarios of {game}\n-- Fails as long as it breaks.\n\n{example.scenario}"


def _name(test: Tested) -> str:
    words = f"{test.spec}-{test.sort.value}-{test.title}".lower()
    return _PART.sub("_", words.replace("-", " ")).strip("_")


def _with_reason(test: Tested, example: Counterexample) -> str:
    """A record with a remark on what breaks below its first line."""
    title, _, rest = str(example.record).partition("\n")
    place = "" if test.place is None else f" ({test.place})"
    return f"{title}\n-- breaks: {test.sort.value} “{test.title}”{place}: {test.message}\n{rest}"
