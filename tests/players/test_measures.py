"""Metrics, ladders and reports of balance: what they say of games that are known."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ruleengine.cli import run
from ruleengine.game import load
from ruleengine.match import Ending
from ruleengine.measure.balance import Plan, balance, findings
from ruleengine.measure.ladder import ladder
from ruleengine.measure.metrics import (
    comeback,
    decision_point,
    drama,
    fair_words,
    figures,
    histogram,
    lead_changes,
    leader,
    option_use,
    seat_bias,
    seat_shares,
    uncertainty,
)
from ruleengine.measure.watching import Asked, Watched, watch
from ruleengine.players.naming import bots
from ruleengine.report.balance import balance_page
from ruleengine.simulation import simulate
from ruleengine.tally import Row, Totals


def told(*chances: tuple[float, float], winners: tuple[int, ...] = (0,)) -> Watched:
    """A game of as many decisions, with these chances before each."""
    row = Row(0, Ending.FINISHED, len(chances), 0, 0, winners, False, None, None)
    asked = tuple(Asked(0, 2, ("go", "stay"), "go") for _ in chances)
    return Watched(row, asked, tuple(enumerate(chances)), 100)


UP, EVEN, DOWN = (0.9, 0.1), (0.5, 0.5), (0.1, 0.9)


def test_who_leads() -> None:
    """Nobody leads by less than two standard errors."""
    game = told(UP, EVEN)

    assert [leader(game, chances) for chances in (UP, EVEN, DOWN)] == [0, None, 1]
    assert leader(game, (0.55, 0.45)) is None


def test_what_happens_to_a_lead() -> None:
    """A winner who was behind once, caught up, and led for good after three of four decisions."""
    game = told(EVEN, UP, DOWN, UP)

    assert lead_changes(game) == 2
    assert drama(game) == pytest.approx(0.8**0.5)
    assert decision_point(game) == 0.75
    assert comeback(game) == 1
    assert uncertainty(game) == pytest.approx((1 + 3 * 0.2) / 4)


def test_a_winner_who_led_all_along() -> None:
    """No drama, no change, decided before the first move."""
    game = told(UP, UP)

    assert (lead_changes(game), drama(game), decision_point(game), comeback(game)) == (0, 0, 0, 0)


def test_kuhn_favours_who_begins_at_random() -> None:
    """A wins 9 of 16: its interval leaves out one half."""
    shares = seat_shares(simulate("kuhn", 2000, seed=1).totals)
    bias = seat_bias(shares)

    assert [one.is_fair for one in shares] == [False, False]
    assert bias.low < 1 / 16 < bias.high
    assert bias.low > 0


def test_a_fair_game_may_hide_a_bias() -> None:
    """Where a fair share is in the interval no bias is sure, and its upper end says how large."""
    totals = Totals(10, 10, 0, 10, 1, 1, 0, (5, 5), 0, (0, 0))
    bias = seat_bias(seat_shares(totals))

    assert (bias.value, bias.low) == (0, 0)
    assert bias.high > 0.2


def test_a_fair_share_says_what_it_is() -> None:
    """Two of three seats win every second game together: half for each would be fair."""
    alone = Totals(10, 10, 0, 10, 1, 1, 0, (4, 3, 3), 0, (0, 0, 0))
    together = Totals(10, 10, 0, 10, 1, 1, 0, (5, 5, 5), 0, (0, 0, 0))

    assert fair_words(seat_shares(alone)) == "The fair share is 33 %: one of 3."
    assert fair_words(seat_shares(together)) == (
        "The fair share is 50 %, more than one of 3: some games were won by several together, "
        "which counts as a win of each."
    )


def test_games_of_chance_alone_have_a_length() -> None:
    """Where nobody ever decides, games are as long as chance makes them."""
    jinx, nim = load("jinx", 2), load("nim", 2)
    told_ = {}
    for game in (jinx, nim):
        run_ = simulate(game, 20)
        told_[game.name] = next(f for f in figures(run_.totals, run_.rows, ()) if f.key == "length")

    assert told_["jinx"].meaning == "stops of chance (nobody decides) in a finished game"
    assert told_["nim"].meaning == "decisions in a finished game"
    assert told_["jinx"].interval is not None
    assert told_["jinx"].interval.value > 10


def test_bins_are_of_one_width() -> None:
    """All values are in one bin, and no more bins than were asked for."""
    bins = histogram([3, 4, 4, 9], most=4)

    assert bins == ((3, 4, 3), (5, 6, 0), (7, 8, 0), (9, 10, 1))
    assert histogram([]) == ()


def test_watched_games_are_those_of_a_run() -> None:
    """Number for number, with chances that add up to one win."""
    rows = simulate("connect_four", 3, seed=5).rows
    watching = watch(load("connect_four"), 3, seed=5)

    assert [game.row for game in watching.games] == list(rows)
    for game in watching.games:
        assert len(game.asked) == game.row.decisions
        assert all(sum(chances) == pytest.approx(1) for _, chances in game.chances)


def test_connect_four_in_figures() -> None:
    """Seven columns at first: the branching factor is just below seven, and nothing is chance."""
    run = simulate("connect_four", 200, seed=5)
    found = {
        one.key: one.interval
        for one in figures(run.totals, run.rows, watch(load("connect_four"), 4, seed=5).games)
    }
    branching, chance, completion = found["branching"], found["chance"], found["completion"]

    assert branching is not None
    assert 6 < branching.value < 7
    assert chance is not None
    assert (chance.value, chance.high) == (0, 0)
    assert completion is not None
    assert completion.value == 1


def test_options_by_tenths() -> None:
    """What is taken is offered, and its tenths add up."""
    use = option_use(watch(load("kuhn"), 6, seed=2, chances=False).games)

    assert set(use) == {"Bet", "Check", "Call", "Fold"}
    assert all(sum(one.by_tenth) == one.taken <= one.offered for one in use.values())


def test_a_ladder_goes_up() -> None:
    """Pig: who thinks a little beats who does not; a bot is no better than itself."""
    thinks, alike = (
        next(ladder(load("pig"), bots(said), games))
        for said, games in (("random,mcts:10", 4), ("random,random", 20))
    )

    assert (thinks.verdict, alike.verdict) == ("stronger", "no difference seen")
    assert (thinks.games, alike.games) == (4, 20)
    assert thinks.skill == 1


def test_what_to_know_first() -> None:
    """An unfair seat is named; a game without decisions needs no skill."""
    kuhn = list(findings(balance(load("kuhn"), Plan(2000, 2, rungs=()))))
    jinx = list(findings(balance(load("jinx"), Plan(20, 1))))

    assert any(one.startswith("Seat A wins more than its share") for one in kuhn)
    assert any("all of it is chance" in one for one in jinx)


def test_a_page_stands_alone() -> None:
    """It asks for nothing elsewhere, and all its links lead to something in it."""
    page = balance_page(balance(load("klink"), Plan(2, 1, rungs=())))
    targets = set(re.findall(r'\bid="?([^" >]+)', page))
    links = set(re.findall(r'href="?#([^" >]+)', page))

    assert not re.search(r"(src|href)=\"?https?:|url\(|@import|<link", page)
    assert links - targets == set()


def test_a_page_is_written_again_alike() -> None:
    """The same rules, seed and plan give the same page."""
    pages = [balance_page(balance(load("nim"), Plan(20, 2, rungs=()))) for _ in range(2)]

    assert pages[0] == pages[1]


# ---- the commands


def said(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """What a command writes, on both streams."""
    assert run(list(arguments)) == code
    return capfd.readouterr()


def test_report_json(capfd: pytest.CaptureFixture[str]) -> None:
    """Figures, seats and rungs, each with an interval."""
    out, _ = said(
        capfd,
        "report",
        "tictactoe",
        "-n",
        "40",
        "--watch",
        "2",
        "--ladder",
        "random,flat:9",
        "--ladder-games",
        "4",
        "--json",
    )
    entry: Any = json.loads(out)["specs"][0]

    assert {one["name"] for one in entry["figures"]} >= {"length", "branching", "drama"}
    assert entry["ladder"][0]["upper"] == "flat:9"
    assert entry["seats"]["A"]["share"]["low"] > 0


def test_report_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A page by default, Markdown if asked for."""
    page, text = tmp_path / "page.html", tmp_path / "deep" / "text.md"
    quick = ("report", "nim", "-n", "30", "--watch", "2", "--ladder", "none")
    out, _ = said(capfd, *quick, "-o", str(page))
    said(capfd, *quick, "--markdown", "-o", str(text))

    assert out.endswith(f"Written to {page}.\n")
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert "| Length |" in text.read_text()


def test_a_ladder_for_every_number_of_players(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same rungs with two players and with three."""
    pig = load("pig").compiled.spec.sources.base.text.replace("seats 2..8", "seats 2..3")
    (tmp_path / "pig.rules").write_text(pig)
    words = ("ladder", str(tmp_path / "pig.rules"), "--rungs", "random,flat:1", "-n", "1")
    out, _ = said(capfd, *words, "--all-players", "--json")

    assert [entry["players"] for entry in json.loads(out)["specs"]] == [2, 3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("report", "nmi"), "did you mean `nim`?"),
        (("report", "nim", "--ladder", "random"), "at least two rungs"),
        (("report", "nim", "--ladder", "random,mtcs"), "did you mean `mcts`?"),
        (("report", "nim", "--bots", "greedy"), "does not say how players stand"),
        (("ladder", "nim", "--rungs", "mcts:5"), "at least two rungs"),
        (("ladder", "nim", "--rungs", "random,greedy"), "does not say how players stand"),
        (("ladder", "nim", "-n", "0"), "at least 1"),
        (("ladder", "nim", "--players", "2", "--all-players"), "do not go together"),
    ],
)
def test_nonsense(
    arguments: tuple[str, ...], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Is answered with what would do."""
    assert words in said(capfd, *arguments, code=2)[1]
