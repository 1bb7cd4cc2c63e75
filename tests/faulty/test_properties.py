"""Rules with one fault each: the property that it breaks is found broken, by a short play.

Every file in `properties` begins with the property it breaks and the moves (answers and outcomes
of chance) of the shortest play that somebody found by hand.
"""

import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from attrs import evolve

from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile
from ruleengine.game import Instance, load, open_spec
from ruleengine.match import random_match
from ruleengine.properties.agreement import machines_agree
from ruleengine.properties.laws import Law
from ruleengine.record import Record
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios
from ruleengine.testing.plan import Counterexample, Outcome, Plan, Sort
from ruleengine.testing.suite import game_tests
from ruleengine.trail import ranks_of

UNSAID = (Law.END, Law.WINNERS, Law.SEATS)
"""What no line of a scenario can expect: theirs only retells the play."""

FAULTY = sorted((Path(__file__).parent / "properties").glob("*.rules"))
HEAD = re.compile(r'-- property: (\w+) "(.*)"\n-- by hand: (\d+)\n')
MORE = 2  # moves that a play that is found may be longer than the one by hand


def _failed(spec: Spec, plan: Plan) -> dict[tuple[Sort, str], Counterexample | None]:
    return {
        (test.sort, test.title): test.counterexample
        for test in game_tests(spec, plan)
        if test.outcome is Outcome.FAILED
    }


def _param(path: Path) -> ParameterSet:
    """A file as a parameter; one with an endless loop takes its time."""
    slow = (pytest.mark.long,) if "-- long\n" in path.read_text(encoding="utf-8") else ()
    return pytest.param(path, id=path.stem, marks=slow)


@pytest.mark.parametrize("states", [1_000, 0], ids=["gone_through", "played"])
@pytest.mark.parametrize("path", [_param(path) for path in FAULTY])
def test_the_fault_is_found(path: Path, states: int) -> None:
    """What the file says it breaks fails, and the play is hardly longer than the one by hand."""
    text = path.read_text(encoding="utf-8")
    head = HEAD.match(text)
    assert head is not None
    if not states and "-- gone through:" in text:
        pytest.skip("plays alone do not tell")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    failed = _failed(spec, Plan(30, states=states, node_limit=200))
    wanted = Sort(head[1]), head[2]

    assert wanted in failed
    example = failed[wanted]
    if example is not None:
        assert len(example.finding.ranks) <= int(head[3]) + MORE
        assert _replayed(spec, example) == len(example.finding.ranks)
        if example.finding.law not in UNSAID:
            assert not _passes(spec, example)


def _replayed(spec: Spec, example: Counterexample) -> int:
    """How many moves of a play are read from its record."""
    record = Record.parse(str(example.record))
    made = spec.instantiate(record.configuration)
    assert isinstance(made, Compiled)
    return len(ranks_of(Instance.of(made), record))


def _passes(spec: Spec, example: Counterexample) -> bool:
    """Whether the scenario that is told passes: it must not, as long as the fault is there."""
    text = f"scenarios of {spec.name}\n\n{example.scenario}"
    told = compile_sources(evolve(spec.sources, scenarios=(SourceFile("told.rules", text),)))
    assert isinstance(told, Spec)
    (ran,) = run_scenarios(told)
    return isinstance(ran, Ran) and ran.failure is None


def test_there_are_enough() -> None:
    """Every kind of property that rules can break has a file that breaks it.

    With the leaky ones there are more than 25 whose shortest play somebody has found by hand.
    """
    leaky = list((Path(__file__).parent / "leaks").glob("*.rules"))
    by_hand = re.compile("-- by hand: [0-9]+", re.IGNORECASE)
    known = [one for one in (*FAULTY, *leaky) if by_hand.search(one.read_text(encoding="utf-8"))]

    assert len(known) == len(FAULTY) + len(leaky)
    assert len(known) >= 25


def test_a_game_that_is_given_up_is_compared_with_itself() -> None:
    """Rows of games that a machine gives up come behind the others, and are still their own."""
    pig = load("pig")
    steps = [random_match(pig, 0, number).nodes for number in range(2)]
    assert steps[1] < steps[0]

    assert machines_agree(pig, 0, 2, steps[0] - 5) is None
