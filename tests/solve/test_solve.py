"""Games solved exactly: against other people's figures, and against sums done by hand."""

import json
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from ruleengine.cli import run
from ruleengine.exploration import Spot, explore
from ruleengine.game import load
from ruleengine.simulation import simulate
from ruleengine.solve.best import NotSolvable, best
from ruleengine.solve.chain import Chances, chances
from ruleengine.solve.histories import Histories
from ruleengine.solve.linear import EXACT_CYCLE, NeedsNumbers, solved
from ruleengine.solve.sequence import best_answer, uniform_strategy
from ruleengine.solve.solving import Hidden, Solution, solve
from ruleengine.solve.worth import worths
from ruleengine.stops import Result

HERE = Path(__file__).parent
ORACLES = json.loads((HERE.parent / "engine" / "oracles.json").read_text(encoding="utf-8"))["games"]
long = pytest.mark.long

A_WINS = Result((0,), None, ((0,), (1,)), False)
B_WINS = Result((1,), None, ((1,), (0,)), False)


def worth(result: Result) -> tuple[Fraction, ...]:
    """What two seats get."""
    return worths(result, 2)


# ---- chains


def ruin(stake: int) -> list[Spot]:
    """Two gamblers toss a fair coin for one token a time until one has all `2 * stake`."""
    last = 2 * stake
    order = [stake, *(n for n in range(last + 1) if n != stake)]
    place = {n: at for at, n in enumerate(order)}
    ends = {0: B_WINS, last: A_WINS}
    return [
        Spot((), (), None, ends[n])
        if n in ends
        else Spot((place[n - 1], place[n + 1]), (1, 1), None)
        for n in order
    ]


@pytest.mark.parametrize("stake", [1, 2, 7])
def test_gamblers_are_ruined_in_the_product_of_their_stakes(stake: int) -> None:
    """The gambler's ruin: even stakes, even odds, and stake * stake tosses on average."""
    found = chances(ruin(stake), 2, worth)

    assert found == Chances(
        ends=Fraction(1),
        wins=(Fraction(1, 2), Fraction(1, 2)),
        draw=Fraction(),
        worths=(Fraction(), Fraction()),
        decisions=Fraction(),
        moves=Fraction(stake * stake),
    )


def test_many_equations_are_solved_in_floating_point() -> None:
    """Beyond the limit for fractions the same sums come out, as decimals."""
    stake = EXACT_CYCLE
    found = chances(ruin(stake), 2, worth)

    assert not found.is_exact
    assert found.wins == pytest.approx((0.5, 0.5))
    assert found.moves == pytest.approx(stake * stake)


def test_a_game_that_may_go_on_for_ever_has_no_length() -> None:
    """One throw in three leads to a place without a way out."""
    spots = [
        Spot((1, 2, 3), (1, 1, 1), None),
        Spot((), (), None, A_WINS),
        Spot((), (), None, B_WINS),
        Spot((3,), (1,), None),
    ]
    found = chances(spots, 2, worth)

    assert found.ends == Fraction(2, 3)
    assert found.wins == (Fraction(1, 3), Fraction(1, 3))
    assert found.moves is None


@pytest.mark.parametrize("name", ["nim", "kuhn"])
def test_chains_agree_with_exploration(name: str) -> None:
    """Where no situation comes again, the chain says what exploring says."""
    random, expected = solve(name).random, explore(name).expected

    assert random is not None
    assert expected is not None
    assert random.wins == expected.wins
    assert random.draw == expected.draw
    assert random.decisions == expected.decisions


def test_without_scipy_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy is an extra: fractions do without, and what cannot says how to get it."""
    monkeypatch.setitem(sys.modules, "ruleengine.solve.scipy_door", None)
    monkeypatch.delattr("ruleengine.solve.scipy_door", raising=False)
    half = Fraction(1, 2)

    assert solved([{0: half}], [[half]]) == [[Fraction(1)]]
    with pytest.raises(NeedsNumbers, match=r"rulewright\[solve\]"):
        solved([{0: 0.5}], [[half]])


# ---- nothing hidden


def test_tic_tac_toe_is_a_draw() -> None:
    """Every first move draws."""
    found = solve("tictactoe").best

    assert found is not None
    value = ORACLES["tic_tac_toe"]["positions"]["minimax_value_first_player"]
    assert [float(n) for n in found.worths] == [value, 0]
    assert set(found.answers) == {0}


@pytest.mark.parametrize(
    ("goal", "faces", "horizon", "first"),
    [(3, 2, 6, "37/1024"), pytest.param(6, 3, 8, "3991/69984", marks=long)],
)
def test_who_begins_gains_more_by_playing_well(
    goal: int, faces: int, horizon: int, first: str
) -> None:
    """Pig with a limit: worked out from its ends backwards, with fractions."""
    found = solve("pig", players=2, goal=goal, faces=faces, horizon=horizon)

    assert found.random is not None
    assert found.random.worths[0] == Fraction(first)
    assert found.best is not None
    assert isinstance(found.best.worths[0], Fraction)
    assert found.best.worths[0] > found.random.worths[0]


def pig_by_hand(goal: int, faces: int) -> float:
    """What the first player of pig without a limit gets, by iterating its equations.

    P(i, j, k) is the probability to win with score i against j and k points this turn, after Neller
    and Presser, UMAP Journal 25 (2004).
    """
    win = {(i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i)}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (i, j, k), before in win.items():
            gained = [1.0 if i + k + d >= goal else win[i, j, k + d] for d in range(2, faces + 1)]
            roll = (1 - win[j, i, 0] + sum(gained)) / faces
            hold = 1 - win[j, i + k, 0] if k else 0.0
            win[i, j, k] = max(roll, hold)
            change = max(change, abs(win[i, j, k] - before))
    return 2 * win[0, 0, 0] - 1


@pytest.mark.parametrize("goal", [6, pytest.param(15, marks=long)])
def test_optimal_pig(goal: int) -> None:
    """Pig without a limit: situations come again, and its value is the known equations'."""
    found = solve(str(HERE / "games" / "endless_pig.rules"), goal=goal).best

    assert found is not None
    assert float(found.worths[0]) == pytest.approx(pig_by_hand(goal, 6), abs=1e-9)


def test_who_can_always_wait_does_not_lose() -> None:
    """A game that never ends is worth nothing: better than losing, worse than winning."""
    lost = [Spot((1, 2), (1, 1), 0), Spot((0,), (1,), 1), Spot((), (), None, B_WINS)]
    won = [Spot((1, 2), (1, 1), 0), Spot((0,), (1,), 1), Spot((), (), None, A_WINS)]

    assert best(lost, 2, worth).worths == (0, 0)
    assert best(won, 2, worth).worths == (1, -1)


def test_three_who_may_go_round_are_not_solved() -> None:
    """Value iteration is for two of whom one loses what the other gains."""
    with pytest.raises(NotSolvable, match="two players"):
        best([Spot((0,), (1,), 0)], 3, lambda result: worths(result, 3))


# ---- something hidden


@cache
def hidden(name: str) -> tuple[Solution, Hidden]:
    """A game of cards, solved."""
    found = solve(name)
    assert found.hidden is not None
    return found, found.hidden


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    """Kuhn's value, proved with fractions by best answers of both sides."""
    figures = ORACLES["kuhn_poker"]
    _, found = hidden("kuhn")

    assert found.found.low == found.found.high == Fraction(-1, 18)
    assert str(found.found.low) == figures["equilibrium"]["game_value_first_player_exact"]
    assert found.histories == figures["tree"]["histories_total"]
    assert list(found.information_sets) == figures["tree"]["information_sets"]


@long
def test_leduc_poker_is_worth_what_others_say() -> None:
    """Leduc's value, between bounds proved by best answers."""
    figures = ORACLES["leduc_poker"]
    value = figures["equilibrium"]["game_value_first_player"]
    _, found = hidden("leduc")

    assert found.histories == figures["tree"]["histories_total"]
    assert list(found.information_sets) == figures["tree"]["information_sets"]
    assert found.found.low <= found.found.high
    assert float(found.found.low) == pytest.approx(value, abs=1e-8)
    assert float(found.found.high) == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=long)])
def test_random_play_can_be_exploited_so_much(name: str) -> None:
    """What best answers to uniformly random play get together is the oracle's figure."""
    tree: Histories = hidden(name)[1].tree
    first, second = (uniform_strategy(moments) for moments in tree.moments)
    gained = best_answer(tree, 0, second) + best_answer(tree, 1, first)

    said = ORACLES[f"{name}_poker"]["equilibrium"]["nash_conv_uniform"]
    assert float(gained) == pytest.approx(said)


def test_sealed_choices_are_hidden() -> None:
    """Matching pennies: both must toss a coin, and it is worth nothing."""
    found = solve(str(HERE / "games" / "pennies.rules")).hidden

    assert found is not None
    assert found.information_sets == (1, 1)
    assert found.found.low == found.found.high == 0
    assert set(found.found.strategies[0].values()) == {Fraction(1, 2)}


def test_how_to_play_is_told_as_players_hear_it(capsys: pytest.CaptureFixture[str]) -> None:
    """What a seat has heard is told in sentences: its own card by its face, the other's without."""
    assert run(["solve", "kuhn", "--strategy"]) == 0
    said = capsys.readouterr().out

    assert "1 card from deck to B's hand: K.\n    A: Check\n    -> bet 1, check 0" in said
    assert "seen by" not in said


# ---- a rulebook


@long
def test_jinx_goes_as_its_chain_says() -> None:
    """JI-I9: it ends with probability one; odds and length of simulated games are the exact ones,
    within four standard errors."""
    name = f"jinx+{HERE / 'games' / 'tiny_jinx.rules'}"
    found = solve(name, players=2).random
    games = 4000
    played = simulate(name, games, players=2)
    first = sum(row.winners == (0,) for row in played.rows) / games
    moves = [row.draws + row.decisions for row in played.rows]
    mean = sum(moves) / games
    spread = sum((n - mean) ** 2 for n in moves) ** 0.5 / games

    assert found is not None
    assert found.ends == 1
    assert found.moves is not None
    assert first == pytest.approx(float(found.wins[0]), abs=4 * (0.25 / games) ** 0.5)
    assert mean == pytest.approx(float(found.moves), abs=4 * spread)


def test_the_rules_cannot_be_solved_if_they_break_down() -> None:
    """A game too large says so, and says no figures."""
    found = solve(load("klink"), limit=50)

    assert found.random is None
    assert "more than 50 situations" in found.why_not_random
