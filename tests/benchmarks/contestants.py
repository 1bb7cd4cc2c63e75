"""What plays random games: our machines, programs written by hand in C, and OpenSpiel.

A contestant plays a number of games of one sort and says how many seconds of processor time that
took and how many decisions there were.  Compiling is not counted.
"""

import importlib
import importlib.util
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Final, Protocol

from attrs import define, field, frozen

from compiler.lir.stepwise.program import Stepwise
from ruleengine.batch import Playouts, lowered, reference
from ruleengine.compiled.c import compiler
from ruleengine.compiled.make import Which, make_machine
from ruleengine.game import Instance, load
from ruleengine.match import NODE_LIMIT
from ruleengine.tally import Totals

_BY_HAND: Final = Path(__file__).parent / "by_hand"

_LOOKED_AT: Final = 1000  # games of OpenSpiel whose histories are read in each round

PEERS: Final[dict[str, str]] = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "pig": "pig",
}
"""What OpenSpiel calls our games; with the settings that both have by themselves."""


@frozen
class Played:
    """Some games and the processor seconds they took.

    Decisions, and events of chance where they are told apart, are those of so many games.
    """

    games: int
    seconds: float
    decisions: int
    chances: int
    counted: int


class Contestant(Protocol):
    """Plays one game at random."""

    @property
    def name(self) -> str:
        """Who plays."""

    def play(self, first: int, games: int) -> Played:
        """Plays games from a number on."""


@define(eq=False)
class Ours:
    """One of our machines; totals only."""

    name: str
    game: Instance
    playouts: Playouts

    def play(self, first: int, games: int) -> Played:
        """Plays games from a number on."""
        begun = process_time()
        chunk = self.playouts.counted(range(first, first + games))
        seconds = process_time() - begun
        assert not chunk.left
        return Played(games, seconds, chunk.totals.decisions, chunk.totals.draws, games)


@define(eq=False)
class Interpreted:
    """Our reference interpreter."""

    game: Instance
    name: str = "ours, interpreter"

    def play(self, first: int, games: int) -> Played:
        """Plays games from a number on."""
        begun = process_time()
        rows = [reference(self.game, 0, n, NODE_LIMIT) for n in range(first, first + games)]
        seconds = process_time() - begun
        totals = Totals.of(rows, self.game.seats)
        return Played(games, seconds, totals.decisions, totals.draws, games)


@define(eq=False)
class ByHand:
    """A program for this one game, written in C; an upper bound rather than a rival."""

    program: Path
    name: str = "C by hand"

    def play(self, first: int, games: int) -> Played:
        """Plays that many games, in one go from a number that seeds them."""
        command = (self.program, str(games), str(first))
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        decisions, seconds = done.stdout.split()
        return Played(games, float(seconds), int(decisions), 0, games)


@define(eq=False)
class OpenSpiel:
    """`pyspiel.evaluate_bots` with uniformly random bots."""

    library: ModuleType
    game: str
    name: str = "OpenSpiel"
    _bots: list[object] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bots = [self.library.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]

    def play(self, first: int, games: int) -> Played:
        """Plays games whose seeds are their numbers; the lengths are those of further games."""
        game, evaluate = self.library.load_game(self.game), self.library.evaluate_bots
        begun = process_time()
        for seed in range(first, first + games):
            evaluate(game.new_initial_state(), self._bots, seed)
        seconds = process_time() - begun
        players: list[int] = []
        for seed in range(first, first + _LOOKED_AT):
            state = game.new_initial_state()
            evaluate(state, self._bots, seed)
            players += [step.player for step in state.full_history()]
        chances = sum(player < 0 for player in players)
        return Played(games, seconds, len(players) - chances, chances, _LOOKED_AT)


def _stepwise(program: Stepwise) -> Playouts:
    """WebAssembly that goes node by node: it lists options, and may keep what everybody knows."""
    games = program.games
    playouts = Playouts(games, make_machine(games.program, "wasm").machine, NODE_LIMIT)
    playouts.machine.call("seed", 0, 0)
    return playouts


# ---- who is here


def contestants(name: str, folder: Path) -> Iterator[Contestant]:
    """Everybody who can play a game on this computer; programs in C are made in `folder`."""
    game = load(name)
    machines: tuple[tuple[Which, str], ...] = (
        ("wasm", "ours, WebAssembly"),
        ("c", "ours, C"),
        ("python", "ours, generated Python"),
    )
    if lowered(game).refusal is None:
        for which, said in machines:
            if which != "c" or compiler():
                module = lowered(game).made(which).module
                yield Ours(said, game, Playouts.of(game, module, 0, NODE_LIMIT))
        if lowered(game).refused_to_weave is None:
            yield Ours("ours, options listed", game, _stepwise(lowered(game).stepwise))
        if game.packing.size > game.packing.core_size:
            yield Ours("ours, knowledge kept", game, _stepwise(lowered(game).knowing))
    yield Interpreted(game)
    if importlib.util.find_spec("pyspiel") and name in PEERS:
        yield OpenSpiel(importlib.import_module("pyspiel"), PEERS[name])
    source, command = _BY_HAND / f"{name}.c", compiler()
    if command and source.exists():
        program = folder / name
        options = ("-O3", "-march=native", "-o", str(program), str(source))
        subprocess.run((command, *options), check=True)
        yield ByHand(program)
