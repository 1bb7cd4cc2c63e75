"""The states of shipped games: how long they are, and that nothing a game needs is missing."""

import pytest

from compiler.graph.layout import layout
from compiler.graph.verify import verify
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.packing import Packing
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import ChanceStop, Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table
from tests.specs import shipped

MOST = {"jinx": 128, "jinxx": 192, "klink": 600, "tictactoe": 16, "connect_four": 32, "kuhn": 32}
MOST |= {"breakthrough": 40, "leduc": 48, "nim": 16, "pig": 32, "reversi": 104, "whist": 400}
STOPS = 60


@pytest.mark.parametrize("name", MOST)
def test_a_state_is_short(name: str) -> None:
    """With the most players a state, knowledge included, has at most so many bytes."""
    graph = shipped.instance(name, shipped.counts(name)[-1]).graph

    assert layout(graph).size <= MOST[name]


@pytest.mark.parametrize("name", shipped.ALL)
def test_a_graph_keeps_its_promises(name: str) -> None:
    """For every number of players, what is lowered from a rulebook is sound."""
    for players in shipped.counts(name):
        verify(shipped.instance(name, players).graph)


@pytest.mark.parametrize("name", shipped.ALL)
def test_a_game_goes_on_from_its_bytes(name: str) -> None:
    """Packed and unpacked at every stop, a random game is the same game to the last bit."""
    machine = Interpreter.of(shipped.instance(name).graph)
    packing = Packing.of(machine.statics, machine.references)
    knowledge = Knowledge.of(machine.terms, machine.sight)
    chance, choices = stream(5, 0, CHANCE), stream(5, 0, 0)
    kept, rebuilt = machine.start(), machine.start()
    for _ in range(STOPS):
        stop = machine.advance(kept, knowledge)
        machine.advance(rebuilt, knowledge)
        data = packing.pack(kept)

        assert packing.pack(rebuilt) == data
        if isinstance(stop, Terminal):
            return
        rebuilt = packing.unpack(data)
        same = machine.advance(rebuilt, knowledge)
        chosen = (chance if isinstance(stop, ChanceStop) else choices).below(_ways(stop))
        _answer(machine, kept, stop, chosen, knowledge)
        _answer(machine, rebuilt, same, chosen, knowledge)


def _ways(stop: Stop) -> int:
    """How many answers there are."""
    match stop:
        case ChanceStop(_, odds):
            return odds.total
        case Decision(_, _, offered) | JointDecision(_, _, (offered, *_)):
            return len(offered)
        case _:
            return 1


def _answer(
    machine: Interpreter, table: Table, stop: Stop, chosen: int, knowledge: Knowledge
) -> None:
    match stop:
        case ChanceStop(_, odds):
            machine.draw(table, odds.drawn(chosen), knowledge)
        case Decision(_, _, offered) | JointDecision(_, _, (offered, *_)):
            machine.choose(table, offered[chosen], knowledge)
        case _:
            pass
