"""What games come to is counted where it is written."""

from pathlib import Path

import pytest

from compiler.config import Configuration
from compiler.pipeline import Compiled, Spec
from ruleengine.coverage.clauses import clause_coverage
from ruleengine.coverage.counting import metered_game
from ruleengine.coverage.ledger import Coverage, UnreadableLedger, ledger_text, read_ledger
from ruleengine.coverage.points import CHOSEN, HOLDS, OFFERED, REFUSES, YES, Sort
from ruleengine.game import Instance, open_spec
from ruleengine.match import random_match
from ruleengine.scenario.covering import covered_scenarios
from tests.engine.games import COUNTER, written

CLAUSES = """# Counter

| id | kind | text |
| --- | --- | --- |
| CO-1 | M | There are four. |
| CO-2 | M | Take one or two. |
| CO-3 | M | Never more than there are. |
| CO-4 | M | Who takes the last wins. |
| CO-5 | M | By another reading he loses. |
"""

TOLD = """scenarios of counter
scenario "One each, then two"
    seats 2
    A: choose 1
    B: choose 1
    A: choose 2
    expect winners A
scenario "Two and two"
    seats 2
    A: choose 2
    B: choose 2
    expect winners B
scenario "One is taken"
    seats 2
    A: choose 1
    expect left is 3
"""


def written_spec(folder: Path) -> str:
    """A rulebook with clauses and scenarios; its path."""
    cited = COUNTER.replace("seats 2..3", 'clauses "clauses.md"\n    seats 2..3')
    for line, clause in (
        ('"How many there are"', "CO-1"),
        ('"How many?"', "CO-2"),
        ("when n <= left", "CO-3"),
        ("if last is wins", "CO-4"),
        ("end winners all p in players where p is not mover", "CO-5"),
    ):
        cited = cited.replace(line, f"{line} @{clause}")
    (folder / "clauses.md").write_text(CLAUSES, encoding="utf-8")
    (folder / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    return written(folder, cited)


def _spec(folder: Path) -> Spec:
    spec = open_spec(written_spec(folder))
    assert isinstance(spec, Spec)
    return spec


def _compiled(spec: Spec, configuration: Configuration) -> Compiled:
    made = spec.instantiate(configuration)
    assert isinstance(made, Compiled)
    return made


def _played(spec: Spec, games: int, configuration: Configuration) -> Coverage:
    game, meter = metered_game(_compiled(spec, configuration))
    for number in range(games):
        random_match(game, 0, number)
    return meter.coverage


def _times(coverage: Coverage, sort: Sort, how: str) -> dict[int, int]:
    found = [point for point in coverage.meanings if (point.sort, point.how) == (sort, how)]
    return {point.line: coverage.times(point) for point in found}


def test_a_game_is_the_same_when_it_is_counted(tmp_path: Path) -> None:
    """The meter changes nothing: the games of a seed come out as without it."""
    compiled = _compiled(_spec(tmp_path), Configuration(3))
    game, _ = metered_game(compiled)
    plain = Instance.of(compiled)

    assert [random_match(game, 5, n) for n in range(20)] == [
        random_match(plain, 5, n) for n in range(20)
    ]


def test_what_one_scenario_comes_to(tmp_path: Path) -> None:
    """Each scenario is told apart: what was offered to it, what it chose, how often."""
    first, second, third = (one.coverage for one in covered_scenarios(_spec(tmp_path)))

    assert _times(first, Sort.OPTION, CHOSEN) == {15: 3}
    assert _times(second, Sort.OPTION, CHOSEN) == {15: 2}
    assert _times(third, Sort.OPTION, OFFERED) == {15: 2}
    assert _times(second, Sort.TEST, YES) == {18: 1}
    assert _times(third, Sort.TEST, YES) == {18: 0}


def test_clauses_are_reached_by_what_cites_them(tmp_path: Path) -> None:
    """A parameter is in force, a guard must refuse, what a reading leaves out is not reached."""
    spec = _spec(tmp_path)
    told = sum((one.coverage for one in covered_scenarios(spec)), Coverage.nothing())
    found = clause_coverage(spec, told)
    assert found is not None

    assert found.unreached == ("CO-3", "CO-5")
    assert found.in_force == {"CO-1"}
    assert str(found.share) == "3 of 5"


def test_what_games_come_to_adds_up(tmp_path: Path) -> None:
    """Games of another reading and scenarios together reach every clause."""
    spec = _spec(tmp_path)
    told = sum((one.coverage for one in covered_scenarios(spec)), Coverage.nothing())
    usual = _played(spec, 20, Configuration(2))
    loses = _played(spec, 20, Configuration(2, {"last": "loses"}))
    found = clause_coverage(spec, told + usual + loses)
    assert found is not None

    assert found.unreached == ()
    assert _times(usual, Sort.GUARD, REFUSES)[16] > 0
    assert {point.line for point in usual.meanings} & {21} == set()
    assert {point.line for point in loses.meanings} & {21} == {21}
    assert (usual + loses).clauses == (loses + usual).clauses


PAIRS = """rulebook pairs "Two cards of one value"
    seats 2..2
piece stone "Four stones"
    value: 1..2
    copies 2
zone heap: set of stone
zone gone: set of stone

start
    move all of stone to heap
    A chooses "Which?"
        pair two in {sizes} of heap "Some of one value"
            when same(s.value for s in two)
            move two to gone
    end draw
"""


@pytest.mark.parametrize(("sizes", "refused"), [("2", True), ("1", False)])
def test_sets_that_are_given_up_early_are_refused(
    tmp_path: Path, sizes: str, refused: bool
) -> None:
    """A guard refuses the sets that are not even tried for its sake."""
    spec = open_spec(written(tmp_path, PAIRS.format(sizes=sizes)))
    assert isinstance(spec, Spec)

    coverage = _played(spec, 1, Configuration(2))

    points = (point for point in coverage.meanings if point.sort is Sort.GUARD)
    guards = {point.how: coverage.times(point) for point in points}
    assert (guards[REFUSES] > 0) is refused
    assert guards[HOLDS] > 0


def test_nothing_is_reached_without_a_game(tmp_path: Path) -> None:
    """Of games that were not played nothing is said to be in force."""
    found = clause_coverage(_spec(tmp_path), Coverage.nothing())
    assert found is not None

    assert found.reached == ()


def test_files(tmp_path: Path) -> None:
    """A ledger is read as it was written, and not for rules that say something else."""
    coverage = _played(_spec(tmp_path), 10, Configuration(2))
    text = ledger_text(coverage, "counter", "abc")

    assert read_ledger(text, "abc") == coverage
    for wrong, digest in ((text, "abd"), ("{}", "abc"), ("nonsense", "abc"), ("[]", "abc")):
        with pytest.raises(UnreadableLedger):
            read_ledger(wrong, digest)


def test_points_are_in_the_order_of_the_text(tmp_path: Path) -> None:
    """What was not reached is listed as it is read: the guard that never refused."""
    first, *_ = (one.coverage for one in covered_scenarios(_spec(tmp_path)))

    assert [(point.line, point.how) for point in first.unreached] == [(16, REFUSES)]
