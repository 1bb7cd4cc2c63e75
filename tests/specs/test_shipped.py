"""Facts that hold for every shipped spec."""

import pytest

from compiler.resolve.citations import read_citations
from compiler.source import SourceSet
from ruleengine import library
from ruleengine.checking import check
from ruleengine.interpreter import Interpreter
from ruleengine.packing import Packing
from ruleengine.rng import CHANCE, stream
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios
from ruleengine.stops import ChanceStop, Decision, JointDecision, Terminal
from tests.specs import shipped

VARIANTS = [stack for name in shipped.ALL for stack in library.variants(name)]
EVERY_COUNT = [(name, n) for name in shipped.ALL for n in shipped.counts(name)]
SIZES = {"klink": 400, "jinx": 220, "jinxx": 220, "jinks": 330, "highjinks": 750}
SIZES |= {"tictactoe": 16, "connect_four": 26, "breakthrough": 36, "kuhn": 41, "leduc": 71}
SIZES |= {"nim": 21, "pig": 36, "reversi": 41, "whist": 51}
ENOUGH = 50_000  # stops after which a random game is given up


@pytest.mark.parametrize("name", shipped.ALL)
def test_no_finding(name: str) -> None:
    """A shipped spec gives neither an error nor a warning, whatever the number of players."""
    found = [finding.message for finding in shipped.spec(name).report]
    if name not in shipped.DRAFTS:
        for players in shipped.counts(name):
            found += [f.message for f in shipped.instance(name, players).report]

    assert found == []


@pytest.mark.parametrize("name", [*shipped.ALL, *VARIANTS])
def test_nothing_to_report(name: str) -> None:
    """A check of all its readings finds nothing in a shipped rulebook, with any house rule."""
    assert [finding.message for finding in check(shipped.spec(name)).report] == []


@pytest.mark.parametrize("name", [*shipped.COMPLETE, *shipped.DRAFTS])
def test_every_mechanical_clause_is_cited(name: str) -> None:
    """Each clause of a rulebook that is played is cited by the rule that implements it."""
    spec = shipped.spec(name)
    assert spec.catalogue is not None
    citations = read_citations(spec.declarations)
    heading = read_citations((spec.heading,))
    uncited = {clause.id for clause in citations.uncited(spec.catalogue)}

    assert uncited - set(heading.rules) == set()


@pytest.mark.parametrize("name", [*shipped.COMPLETE, *shipped.DRAFTS])
def test_every_ruling_is_declared_or_cited(name: str) -> None:
    """Each ambiguity of a rulebook is decided somewhere."""
    spec = shipped.spec(name)
    assert spec.catalogue is not None
    citations = read_citations((spec.heading, *spec.declarations))

    assert citations.missing(spec.catalogue) == ()


@pytest.mark.parametrize("name", SIZES)
def test_size(name: str) -> None:
    """A rulebook stays short: lines without comments and blanks."""
    text = shipped.spec(name).sources.base.text
    lines = [
        line for line in text.splitlines() if line.strip() and not line.strip().startswith("--")
    ]

    assert len(lines) < SIZES[name]
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", shipped.ALL)
def test_scenarios(name: str) -> None:
    """Every scenario of a rulebook comes out as it says."""
    outcomes = list(run_scenarios(shipped.spec(name)))
    wrong = [
        (ran.title, ran.failure.message if isinstance(ran, Ran) and ran.failure else "unreadable")
        for ran in outcomes
        if not isinstance(ran, Ran) or ran.failure is not None
    ]

    assert wrong == []
    assert len(outcomes) >= (2 if name in shipped.CLASSICS else 25)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name: str) -> None:
    """Every shipped variant compiles, and its scenarios come out."""
    shipped.instance(name)
    wrong = [ran.title for ran in run_scenarios(shipped.spec(name)) if _failed(ran)]

    assert wrong == []


@pytest.mark.parametrize("name", [*shipped.COMPLETE, *shipped.DRAFTS])
def test_every_rulebook_has_three_variants(name: str) -> None:
    """At least three, each with scenarios of its own; one of them changes how a turn goes."""
    flows = 0
    stacks = library.variants(name)
    for stack in stacks:
        sources = library.read(stack)
        assert isinstance(sources, SourceSet)
        own = f"/{stack.rsplit('+', 1)[-1]}-scenarios.rules"
        (scenarios,) = (file for file in sources.scenarios if file.name.endswith(own))
        assert scenarios.text.count('\nscenario "') >= 1
        flows += "\n    in " in sources.variants[-1].text

    assert len(stacks) >= 3
    assert flows >= 1


def _failed(ran: object) -> bool:
    return not isinstance(ran, Ran) or ran.failure is not None


@pytest.mark.parametrize(("name", "players"), EVERY_COUNT, ids=str)
def test_random_games(name: str, players: int) -> None:
    """A random game ends with an outcome; its states pack, unpack and pack alike."""
    instance = shipped.instance(name, players)
    interpreter = Interpreter.of(instance.graph)
    packing = Packing.of(interpreter.statics, interpreter.references)
    chance, choices = stream(11, players, CHANCE), stream(11, players, 0)
    table = interpreter.start()
    stop = interpreter.advance(table)
    stops = 0
    while not isinstance(stop, Terminal) and stops < ENOUGH:
        stops += 1
        if stops % 16 == 0:
            data = packing.pack(table)
            assert packing.pack(packing.unpack(data)) == data
        match stop:
            case ChanceStop(_, odds):
                interpreter.draw(table, odds.drawn(chance.below(odds.total)))
            case Decision(_, _, offered):
                interpreter.choose(table, offered[choices.below(len(offered))])
            case JointDecision(_, _, (offered, *_)):
                interpreter.choose(table, offered[choices.below(len(offered))])
        stop = interpreter.advance(table)

    assert isinstance(stop, Terminal)
    assert stop.result is not None
    assert stop.result.winners
