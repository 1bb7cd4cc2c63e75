"""Compiled games are the games of the interpreter, number for number, on every machine.

Every shipped game is compiled: as a woven program where that can be had, else node by node.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve, frozen

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine import library
from ruleengine.batch import Choice, Chunk, NoMachine, Playouts, choose, lowered, played, reference
from ruleengine.compiled.c import compiler
from ruleengine.compiled.make import Which
from ruleengine.compiled.openings import opened
from ruleengine.configurations import configurations
from ruleengine.game import Instance, load, open_spec
from ruleengine.match import NODE_LIMIT, Ending
from ruleengine.simulation import simulate
from ruleengine.tally import Row, Totals
from tests.engine.games import BLIND, COUNTER, ENDLESS, MIXED, STUCK, THREES, written

EVERYWHERE: tuple[Which, ...] = ("wasm", "python")
HERE: tuple[Which, ...] = (*EVERYWHERE, "c") if compiler() else EVERYWHERE
LANGUAGE = sorted((Path(__file__).parents[1] / "language").glob("*.rules"))

FURTHER: dict[str, tuple[dict[str, int], ...]] = {
    "breakthrough": ({"height": 5, "width": 3},),
    "connect_four": ({"height": 3, "width": 9, "length": 5},),
}
"""Settings of the classics beside the usual ones."""

_FEW, _SHORT, _ENOUGH = 6, 20_000, 30_000
"""Games of each setting, nodes after which they are broken off, and after which no more begins."""


@frozen
class Case:
    """One game of a shipped rulebook."""

    name: str
    configuration: Configuration

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.configuration.pairs)
        return f"{self.name} {self.configuration.players or ''} {said}".strip()

    @property
    def game(self) -> Instance:
        """The game, instantiated once."""
        return _game(self)


@cache
def _game(case: Case) -> Instance:
    return load(case.name, case.configuration.players, case.configuration.values)


def usual_cases() -> Iterator[Case]:
    """Every rulebook as it is usually played; the classics in other sizes too."""
    for name in library.names():
        yield Case(name, Configuration())
        for settings in FURTHER.get(name, ()):
            yield Case(name, Configuration(None, settings))


def all_specs() -> Iterator[str]:
    """Every rulebook, and with each of its variants."""
    for name in library.names():
        yield from (name, *library.variants(name))


def cases_of(stacked: str) -> Iterator[Case]:
    """One of them with all numbers of players and, one by one, all readings."""
    spec = open_spec(stacked)
    assert isinstance(spec, Spec)
    for configuration in configurations(spec):
        yield Case(stacked, configuration)


def _told(game: Instance, which: Which, seed: int, numbers: range) -> tuple[Row, ...]:
    """Rows that the machine itself tells, none of them replayed."""
    playouts = Playouts.of(game, lowered(game).made(which).module, seed, NODE_LIMIT)
    chunk = playouts.told(numbers)

    assert chunk.left == ()
    assert chunk.totals == Totals.of(chunk.rows, game.seats)
    assert playouts.counted(numbers) == Chunk(chunk.totals, (), ())
    return chunk.rows


def _compare(case: Case, games: int, machines: tuple[Which, ...]) -> None:
    game, seed, numbers = case.game, 2**40 + 11, range(games)
    expected = tuple(reference(game, seed, number, NODE_LIMIT) for number in numbers)

    for which in machines:
        assert (which, _told(game, which, seed, numbers)) == (which, expected)


@pytest.mark.parametrize("case", tuple(usual_cases()), ids=str)
def test_machines_play_the_games_of_the_interpreter(case: Case) -> None:
    """A game that is compiled goes on every machine as it goes in the interpreter."""
    _compare(case, 4, EVERYWHERE)


@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.stem)
def test_games_of_the_language(path: Path) -> None:
    """So do the games that use every construct, in the machine that runs by default."""
    _compare(Case(str(path), Configuration()), 2, ("wasm",))


def test_cards_that_are_seen_again_after_a_shuffle() -> None:
    """Cards that lie open, or are seen by their holder, are shuffled, and all see them again."""
    path = Path(__file__).parents[1] / "knowledge" / "games" / "washing_openly.rules"
    _compare(Case(str(path), Configuration()), 40, EVERYWHERE)


def test_openings_are_passed_over() -> None:
    """Games of Jinxx begin behind the draw of who is first, when the trees are built."""
    interpreter = load("jinxx").interpreter
    openings = opened(interpreter)

    assert [opening.steps for opening in openings] == [119, 119]
    for opening in openings:
        assert all(len(opening.table.cells[place]) == 3 for place in range(10, 16))
    assert opened(load("nim").interpreter) == ()


def test_scores_at_some_ends(tmp_path: Path) -> None:
    """Some ends of a game have scores and others have none: rows and totals tell which."""
    case = Case(str(written(tmp_path, MIXED)), Configuration())
    _compare(case, 20, HERE)
    rows = _told(case.game, "wasm", 1, range(20))

    assert {row.scores for row in rows} == {(3, -1), None}


@pytest.mark.long
@pytest.mark.parametrize("spec", tuple(all_specs()))
def test_all_settings(spec: str) -> None:
    """So does every variant, with every number of players and every reading, some games of each.

    Some readings let random players go on almost for ever: games are compared as far as a limit,
    and a reading that the interpreter does not come to the end of in time has fewer of them.
    """
    seed, numbers = 2**40 + 13, range(_FEW)
    for case in cases_of(spec):
        rows: list[Row] = []
        for number in numbers:
            if sum(row.nodes for row in rows) < _ENOUGH:
                rows.append(reference(case.game, seed, number, _SHORT))
        ended = tuple(row for row in rows if row.ending is Ending.FINISHED)
        for which in EVERYWHERE:
            module = lowered(case.game).made(which).module
            chunk = Playouts.of(case.game, module, seed, _SHORT).told(numbers[: len(rows)])
            assert (str(case), which, chunk.rows) == (str(case), which, ended)


@pytest.mark.long
@pytest.mark.parametrize("case", tuple(usual_cases()), ids=str)
def test_thousands_of_games(case: Case) -> None:
    """So do thousands of games."""
    _compare(case, 2000, HERE)


# ---- what machines leave to the reference


@pytest.fixture(params=HERE)
def which(request: pytest.FixtureRequest) -> Which:
    """A machine that runs here."""
    name: Which = request.param
    return name


@pytest.mark.parametrize("text", [COUNTER, THREES, ENDLESS, STUCK], ids=lambda t: t.split()[1])
def test_games_without_an_end(text: str, which: Which, tmp_path: Path) -> None:
    """A check that fails, and a limit that is reached, are told as the interpreter tells them."""
    game = load(written(tmp_path, text))
    for limit in (4, 11, NODE_LIMIT):
        run = simulate(game, 100, seed=3, machine=which, node_limit=limit)
        same = simulate(game, 100, seed=3, machine="interpreter", node_limit=limit)
        totals = simulate(game, 100, seed=3, machine=which, node_limit=limit, keep_rows=False)

        assert run == evolve(same, machine=which)
        assert totals == evolve(run, rows=())


def test_numbers_of_games_carry(which: Which) -> None:
    """The number of a game has 64 bits."""
    game, numbers = load("tictactoe"), range(2**32 - 3, 2**32 + 3)

    assert _told(game, which, 5, numbers) == tuple(
        reference(game, 5, number, NODE_LIMIT) for number in numbers
    )


def test_threads_change_nothing() -> None:
    """Two machines at once play the games that one plays, and give them in the same order."""
    game = load("kuhn")
    alone, together = (
        [chunk.rows for chunk in played(game, "wasm", 1, range(1000), NODE_LIMIT, jobs, rows=True)]
        for jobs in (1, 2)
    )

    assert [row for rows in alone for row in rows] == [row for rows in together for row in rows]
    assert simulate(game, 1000, jobs=1, keep_rows=False) == simulate(
        game, 1000, jobs=2, keep_rows=False
    )


def test_progress_counts_every_game() -> None:
    """Whoever wants to know is told of every game, also where many are played in one call."""
    told: list[int] = []
    run = simulate("tictactoe", 5000, progress=told.append, keep_rows=False)

    assert sum(told) == run.games == run.totals.finished == 5000
    assert run.rows == ()


# ---- which machine plays


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BLIND, "picking sets of tokens"),
    ],
)
def test_games_that_are_not_compiled(text: str, why: str, tmp_path: Path) -> None:
    """What is not compiled the interpreter plays, unless somebody insists; the reason is told."""
    game = load(written(tmp_path, text))

    assert choose(game, "auto") == Choice("interpreter", f"not compiled yet: {why}")
    assert simulate(game, 3).rows == tuple(reference(game, 0, n, NODE_LIMIT) for n in range(3))
    with pytest.raises(NoMachine, match=rf"not compiled yet \({why}\)"):
        simulate(game, 3, machine="wasm")


def test_programs_are_made_once() -> None:
    """A game keeps its program; another one of the same rulebook has its own."""
    game, other = load("nim"), load("nim")

    assert lowered(game).made("python") is lowered(game).made("python")
    assert lowered(game) is not lowered(other)


WOVEN = {*("breakthrough", "connect_four", "jinx", "kuhn", "leduc", "nim", "pig", "tictactoe")}
"""Rulebooks whose programs are woven, which is faster."""


@pytest.mark.parametrize("name", library.names())
def test_which_programs_are_woven(name: str) -> None:
    """None falls back unseen to a program that goes node by node."""
    woven = lowered(load(name)).refused_to_weave is None

    assert woven is (name in WOVEN)


def test_a_game_that_takes_too_long_to_weave_goes_node_by_node() -> None:
    """Jumps over and over look at more squares than one mask should ask for."""
    checkers = load(Path("tests/language/checkers.rules"))

    assert lowered(checkers).refused_to_weave == "conditions that look at too many squares"
    assert choose(checkers, "auto").name == "wasm"
