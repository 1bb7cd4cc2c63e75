"""The classics, number for number against other people's engines.

`oracles.json` says for each game its rules in words, the figures, and which program gave them.
A seat's return is its score; where a game has none, 1 for who wins alone and -1 for who does not.
"""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import TypeAlias

import pytest

from compiler.lir.exploring.breadth import ENDED
from ruleengine.batch import MachineName
from ruleengine.exploration import Counts, Exploration, Spot, Tree, Walk, found, perft
from ruleengine.game import Instance, State, load
from ruleengine.simulation import simulate
from ruleengine.stops import Result

Figures: TypeAlias = dict[str, "Figure"]
Figure: TypeAlias = int | float | str | list["Figure"] | Figures


def whole_numbers(figures: Figure) -> tuple[int, ...]:
    """A list of whole numbers."""
    assert isinstance(figures, list)
    numbers = tuple(one for one in figures if isinstance(one, int))
    assert len(numbers) == len(figures)
    return numbers


GAMES: dict[str, dict[str, Figures]] = json.loads(
    (Path(__file__).parent / "oracles.json").read_text(encoding="utf-8")
)["games"]

long = pytest.mark.long

SPECS: dict[str, tuple[str, dict[str, int]]] = {
    "tic_tac_toe": ("tictactoe", {}),
    "connect_four_3x3_k3": ("connect_four", {"height": 3, "width": 3, "length": 3}),
    "connect_four_3x4_k3": ("connect_four", {"height": 3, "width": 4, "length": 3}),
    "connect_four_4x4": ("connect_four", {"height": 4, "width": 4}),
    "connect_four_4x5": ("connect_four", {"height": 4, "width": 5}),
    "connect_four_6x7": ("connect_four", {}),
    "breakthrough_8x8": ("breakthrough", {}),
    "breakthrough_5x3": ("breakthrough", {"height": 5, "width": 3}),
    "breakthrough_4x4": ("breakthrough", {"height": 4, "width": 4}),
    "kuhn_poker": ("kuhn", {}),
    "leduc_poker": ("leduc", {}),
    "pig_3_d2_h6": ("pig", {"goal": 3, "faces": 2, "horizon": 6}),
    "pig_6_d3_h8": ("pig", {"goal": 6, "faces": 3, "horizon": 8}),
    "pig_100": ("pig", {}),
}
TREES = [name for name, figures in GAMES.items() if "tree" in figures]
SMALL = ("tic_tac_toe", "connect_four_3x3_k3", "connect_four_3x4_k3")
IN_MINUTES = ("connect_four_4x4", "breakthrough_5x3", "breakthrough_4x4")  # to go through in Python
POSITIONS = [*SMALL, *(pytest.param(name, marks=long) for name in IN_MINUTES)]
COUNTED = [
    *(name for name, figures in GAMES.items() if "positions" in figures and "4x5" not in name),
    pytest.param("connect_four_4x5", marks=long),
]
PERFT = [name for name, figures in GAMES.items() if "perft" in figures]
DEEPER = [
    ("connect_four_6x7", 8),
    pytest.param("connect_four_6x7", 10, marks=long),
    pytest.param("breakthrough_8x8", 6, marks=long),
]
RANDOM = [name for name, figures in GAMES.items() if "random_play" in figures]
# sequences of moves from the usual beginning, as many programs count them
OTHELLO = (1, 4, 12, 56, 244, 1396, 8200, 55092)


@cache
def game(name: str) -> Instance:
    """The game of an oracle: two seats, its size."""
    spec, settings = SPECS[name]
    return load(spec, 2, None, **settings)


@cache
def walked(name: str) -> Walk:
    """All situations of an oracle's game."""
    walk = Walk(game(name), 10_000_000)
    walk.run()
    return walk


@cache
def explored(name: str) -> Exploration:
    """What they come to."""
    return found(walked(name))


def tree(name: str) -> Tree:
    """The game tree of an oracle's game."""
    counted = explored(name).tree
    assert counted is not None
    return counted


def number(value: Figure) -> Fraction:
    """A figure that is a whole number, or gives a fraction."""
    return Fraction(str(value["fraction"] if isinstance(value, dict) else value))


def returns(result: Result) -> tuple[int, ...]:
    """What each seat gets."""
    if result.scores is not None:
        return result.scores
    alone = 0 if result.draw else 1
    return tuple(alone if seat in result.winners else -alone for seat in range(2))


def by_return(endings: dict[Result, int]) -> dict[str, int]:
    """How many endings give the seats these returns, written as in the file of figures."""
    counted: Counter[str] = Counter()
    for result, count in endings.items():
        counted[str([float(one) for one in returns(result)])] += count
    return dict(counted)


def value(told: Exploration) -> tuple[Fraction, ...]:
    """What random play gives each seat on average, exactly."""
    expected = told.expected
    assert expected is not None
    if expected.scores is not None:
        return expected.scores
    first, second = expected.wins
    return (first - second, second - first)


# ---- whole trees


@pytest.mark.parametrize("name", TREES)
def test_histories(name: str) -> None:
    """The game tree has exactly the oracle's nodes, of each sort, by depth and by result."""
    figures, counted = GAMES[name]["tree"], tree(name)

    assert list(counted.by_depth) == figures["histories_by_depth"]
    assert list(counted.endings_by_depth) == figures["terminal_by_depth"]
    assert by_return(dict(counted.endings)) == figures["terminal_by_returns"]
    assert counted.decisions == figures["histories_decision"]
    assert counted.chance == figures["histories_chance"]
    assert explored(name).histories == figures["histories_total"]
    assert explored(name).endings == figures["histories_terminal"]


@pytest.mark.parametrize("name", TREES)
def test_random_play_exactly(name: str) -> None:
    """Uniformly random play is worth exactly as much, and lasts exactly as long."""
    figures, told = GAMES[name]["tree"], explored(name)
    values = figures["uniform_random_value"]

    assert isinstance(values, list)
    assert list(value(told)) == [number(each) for each in values]
    assert told.expected is not None
    assert told.expected.decisions == number(figures["uniform_random_mean_decisions"])


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("leduc_poker", marks=long)])
def test_information_sets(name: str) -> None:
    """Seats tell apart exactly what they may: by the cards they see and the answers they heard."""
    figures, sets = GAMES[name]["tree"], information_sets(game(name))

    assert [len(told) for told in sets] == figures["information_sets"]
    assert [sum(told.values()) for told in sets] == figures["information_set_actions"]


def information_sets(played: Instance) -> tuple[dict[tuple[str, ...], int], ...]:
    """For each seat what it can know where it is asked, and how many answers it has there."""
    sets: tuple[dict[tuple[str, ...], int], ...] = tuple({} for _ in range(played.seats))
    waiting: list[tuple[State, tuple[str, ...]]] = [(played.start(), ())]
    while waiting:
        state, heard = waiting.pop()
        outcomes = range(len(played.chances(state)))
        waiting += [(played.apply(state, index), heard) for index in outcomes]
        options = played.options(state)
        for option in options:
            sets[option.seat][(played.show(state, option.seat), *heard)] = len(options)
            waiting.append((played.apply(state, option), (*heard, option.words)))
    return sets


# ---- positions


@pytest.mark.parametrize("name", COUNTED)
def test_positions(name: str) -> None:
    """There are exactly as many situations, and ends of each sort."""
    figures, walk = GAMES[name]["positions"], walked(name)
    ends = figures.get("distinct_terminal_by_first_player_return")
    movers = Counter(walk.net.movers())

    assert walk.complete
    assert walk.states == figures["distinct_positions"]
    assert movers[ENDED] == figures["distinct_terminal_positions"]
    if isinstance(ends, dict):
        told = {"1.0": "A wins", "0.0": "a draw", "-1.0": "B wins"}
        assert explored(name).results == {told[result]: count for result, count in ends.items()}


@pytest.mark.parametrize("name", POSITIONS)
def test_best_play(name: str) -> None:
    """Where nothing is hidden, best play comes to what the oracle says; random play too."""
    figures = GAMES[name]["positions"]
    moves, random = worth(walked(name).spots)[0]

    assert number(figures.get("minimax_value_first_player", moves)) == moves
    said = figures.get("uniform_random_value_first_player_decimal", random)
    assert random == pytest.approx(said, abs=1e-6)


def worth(spots: Sequence[Spot]) -> list[tuple[int, float]]:
    """For each situation of a game of two without repetition, what the first seat gets: when both
    seats play best, and when both play at random."""
    known: dict[int, tuple[int, float]] = {}
    pending = [0]
    while pending:
        spot = spots[pending[-1]]
        missing = [there for there in spot.next if there not in known]
        if missing:
            pending += missing
            continue
        ahead = [known[there] for there in spot.next]
        if spot.result is not None:
            ahead = [(returns(spot.result)[0], float(returns(spot.result)[0]))]
        best = (max if spot.seat == 0 else min)(move for move, _ in ahead)
        known[pending.pop()] = (best, sum(mean for _, mean in ahead) / len(ahead))
    return [known[at] for at in range(len(spots))]


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    """Sequences of moves by their number are counted exactly, to the depth that OpenSpiel gives."""
    leaves = whole_numbers(GAMES[name]["perft"]["leaves_by_depth"])

    assert perft(game(name), len(leaves)) == Counts((1, *leaves), "wasm")


@pytest.mark.parametrize(("name", "depth"), DEEPER)
def test_deeper_perft(name: str, depth: int) -> None:
    """So they are beyond it, as programs in C and RBG count them."""
    leaves = GAMES[name]["perft"]["deeper_leaves_limit_c_and_rbg"]

    assert isinstance(leaves, dict)
    assert perft(game(name), depth).by_depth[depth] == leaves[str(depth)]


@pytest.mark.parametrize("name", ["connect_four_6x7", "breakthrough_8x8"])
@pytest.mark.parametrize("machine", ["python", "interpreter"])
def test_perft_on_other_machines(name: str, machine: MachineName) -> None:
    """Whatever counts, the counts are the same."""
    leaves = GAMES[name]["perft"]["leaves_by_depth"]
    counts = perft(game(name), 2, machine)

    assert isinstance(leaves, list)
    assert counts.by_depth == (1, *leaves[:2])
    assert counts.played_by == machine


@pytest.mark.parametrize("depth", [5, pytest.param(7, marks=long)])
def test_reversi(depth: int) -> None:
    """Reversi begins as many programs count it."""
    assert perft(load("reversi"), depth) == Counts(OTHELLO[: depth + 1], "wasm")


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "pig_6_d3_h8"])
def test_histories_by_number(name: str) -> None:
    """Sequences with chance, too, are those of the game tree: outcomes count once each."""
    by_depth = whole_numbers(GAMES[name]["tree"]["histories_by_depth"])

    assert perft(game(name), len(by_depth)) == Counts(by_depth, "wasm")


@pytest.mark.parametrize("heaps", range(1, 4))
@pytest.mark.parametrize("last", ["wins", "loses"])
def test_nim(heaps: int, last: str) -> None:
    """Bouton's theorem: who finds a binary sum without carry of 0 loses, single matches apart."""
    walk = Walk(load("nim", 2, {"last": last}, heaps=heaps))
    walk.run()
    sizes = range(1, 2 * heaps, 2)
    *_, sum_ = accumulate(sizes, lambda one, other: one ^ other)
    wins = (sum_ != 0) if last == "wins" or max(sizes) > 1 else heaps % 2 == 0

    assert worth(walk.spots)[0][0] == (1 if wins else -1)


# ---- random play, about


@long
@pytest.mark.parametrize("name", RANDOM)
def test_random_play_about(name: str) -> None:
    """Random games last as long, and the first seat wins as often, within five standard errors."""
    figures = GAMES[name]["random_play"]
    games = simulate(game(name), 1000)
    lengths = [row.decisions for row in games.rows]
    shares = [0 if row.is_draw else 1 if 0 in row.winners else -1 for row in games.rows]

    for numbers, mean in ((lengths, "mean_decisions"), (shares, "mean_return_first_player")):
        middle = sum(numbers) / len(numbers)
        error = sqrt(sum((one - middle) ** 2 for one in numbers)) / len(numbers)
        assert middle == pytest.approx(figures[mean], abs=5 * error)
