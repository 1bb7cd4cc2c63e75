"""The page about speed says what was measured; the programs written by hand play the same games."""

from pathlib import Path

import pytest

from ruleengine.compiled.c import compiler
from ruleengine.simulation import simulate
from tests.benchmarks.contestants import ByHand, contestants
from tests.benchmarks.counting import Figure as Count
from tests.benchmarks.measure import Disagreement, Figure, agree
from tests.benchmarks.page import page, ratios


def figure(name: str, speed: float, decisions: float = 2.25, games: int = 10_000) -> Figure:
    """A figure of Kuhn poker that nobody measured."""
    return Figure("kuhn", name, speed, speed / 2, speed * 2, games, decisions, 2.0, speed * 4.25)


def test_ratios_are_to_each_other_contestant() -> None:
    """A table says how many times as fast the compiled game is; who was not there has a dash."""
    figures = [figure("ours, WebAssembly", 6e6), figure("OpenSpiel", 2.5e5)]

    assert ratios(figures)[2:] == ["| kuhn | 24 | - | - |"]
    assert "| OpenSpiel | 250 k | 125 k to 500 k | 1.06 M | 2.25 |" in page(figures, 3).splitlines()


def test_what_was_counted_is_a_table() -> None:
    """Counts stand on the page with their speed and the bytes each takes, where that is known."""
    counts = [
        Count("positions of connect four 4x5", "ours, C", 3_945_711, 6e6, 51.2),
        Count("positions of connect four 4x5", "C by hand", 3_945_711, 2e7, None),
    ]
    told = page([figure("ours, WebAssembly", 6e6)], 3, counts).splitlines()

    assert "| positions of connect four 4x5 | ours, C | 3,945,711 | 6 M | 51 |" in told
    assert "| positions of connect four 4x5 | C by hand | 3,945,711 | 20 M | - |" in told


def test_who_plays_something_else_is_found_out() -> None:
    """Mean lengths that differ by more than chance explains stop a run."""
    near, far = (figure("OpenSpiel", 1.0, decisions) for decisions in (2.27, 2.6))

    agree([figure("ours, interpreter", 1.0), near])
    with pytest.raises(Disagreement, match=r"2\.250, OpenSpiel 2\.600"):
        agree([figure("ours, interpreter", 1.0), far])


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler here")
@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "breakthrough"])
def test_programs_by_hand_play_the_same_game(name: str, tmp_path: Path) -> None:
    """A program that was written by hand takes as many decisions on average as the rules do."""
    (program,) = [who for who in contestants(name, tmp_path) if isinstance(who, ByHand)]
    by_hand, ours = program.play(0, 20_000), simulate(name, 20_000, keep_rows=False).totals

    assert by_hand.decisions / 20_000 == pytest.approx(ours.decisions / ours.finished, rel=0.02)
