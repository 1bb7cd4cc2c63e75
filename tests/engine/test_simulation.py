"""Many games at random, the same whatever plays them."""

from pathlib import Path

import pytest

from ruleengine.match import Ending
from ruleengine.simulation import Spread, simulate
from tests.engine.games import ENDLESS, STUCK, written


def test_games_do_not_depend_on_what_is_played_before() -> None:
    """Game number i of a seed is the same in a long run and a short one."""
    long, short = (simulate("kuhn", count, seed=7).rows for count in (60, 20))

    assert long[:20] == short


def test_seeds_differ() -> None:
    """Another seed gives other games."""
    assert simulate("kuhn", 40, seed=1).rows != simulate("kuhn", 40, seed=2).rows


@pytest.mark.long
def test_processes_change_nothing() -> None:
    """Two processes play the games that one plays, and give them in the same order."""
    alone, together = (simulate("kuhn", 40, seed=7, jobs=jobs) for jobs in (1, 2))

    assert alone.rows == together.rows


def test_kuhn_comes_out_as_it_must() -> None:
    """Random Kuhn poker: A wins 9 of 16 games, 9/4 decisions on average, no draws."""
    run = simulate("kuhn", 2000, seed=1)

    assert run.games == len(run.finished) == 2000
    assert run.decisions is not None
    assert run.decisions.mean == pytest.approx(9 / 4, abs=0.05)
    assert (run.decisions.min, run.decisions.max) == (2, 3)
    assert run.winners["A"] / 2000 == pytest.approx(9 / 16, abs=0.04)
    assert sum(run.winners.values()) == 2000
    assert run.draws == 0
    assert run.scores["A"] == pytest.approx(1 / 8, abs=0.12)
    assert run.scores["A"] == -run.scores["B"]


def test_draws_stand_apart() -> None:
    """A draw counts for nobody: wins and draws add up to the games."""
    run = simulate("tictactoe", 60, seed=3)

    assert run.draws > 0
    assert sum(run.winners.values()) + run.draws == 60


def test_endless_games_are_given_up(tmp_path: Path) -> None:
    """A game that goes on beyond the limit is unfinished, and that is no error."""
    run = simulate(written(tmp_path, ENDLESS), 20, node_limit=4)

    assert 0 < run.unfinished["node-limit"] < 20
    assert len(run.finished) + run.unfinished["node-limit"] == 20
    assert all(row.nodes > 4 for row in run.rows if row.ending is Ending.NODE_LIMIT)
    assert run.errors == {}


def test_a_rule_that_breaks_down_ends_its_game(tmp_path: Path) -> None:
    """A fault of the spec is told once, with the first game in which it shows."""
    run = simulate(written(tmp_path, STUCK), 20)
    broken = [row for row in run.rows if row.ending is Ending.RULE_ERROR]
    (message, game), *others = run.errors.items()

    assert run.unfinished == {"rule-error": len(broken)}
    assert (game, others) == (broken[0].game, [])
    assert "2 is not 0..1" in message


def test_nothing_finished_has_no_length(tmp_path: Path) -> None:
    """Where no game ends there is no mean length."""
    run = simulate(written(tmp_path, ENDLESS), 3, node_limit=1)

    assert (run.decisions, run.finished) == (None, ())


def test_progress_is_told() -> None:
    """Whoever wants to know is told of every game."""
    told: list[int] = []
    run = simulate("kuhn", 5, progress=told.append)

    assert sum(told) == run.games == 5
    assert isinstance(run.decisions, Spread)
