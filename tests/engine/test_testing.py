"""What a spec is tested for, and that what is broken is found."""

from pathlib import Path

import pytest

from compiler.pipeline import Spec
from ruleengine.configurations import configurations, extremes, mixed
from ruleengine.game import Instance, load, open_spec
from ruleengine.properties.laws import LAWS, Broken, Law
from ruleengine.properties.looking import Lawful
from ruleengine.record import Record, replay
from ruleengine.testing import plan as testing
from ruleengine.testing import suites
from ruleengine.testing.kept import Kept
from ruleengine.testing.plan import Outcome, Plan, Sort
from ruleengine.testing.suite import run_tests
from tests.engine.games import COUNTER, ENDLESS, STUCK, UNFAIR, written

TOLD = """scenarios of counter

scenario "Two and two"
    seats 2
    A: choose 2
    B: choose 2
    expect winners B

scenario "A mistake"
    seats 2
    A: choose 2
    expect winners A
"""


def _spec(folder: Path, text: str) -> Spec:
    spec = open_spec(written(folder, text))
    assert isinstance(spec, Spec)
    return spec


def _outcomes(found: list[testing.Tested]) -> dict[str, Outcome]:
    return {test.title: test.outcome for test in found}


def test_what_breaks_in_a_variant_is_kept_as_its_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kept file is tested where it lies and beside the variant, until that is mended."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, COUNTER)
    rule = 'variant house "House" of counter\n    invariant "Two are left"\n        left >= 2\n'
    Path("house.rules").write_text(rule, encoding="utf-8")
    kept = Kept(Path("found") / "here")
    (broken,) = _failed("house", Plan(12))
    assert kept.keep(broken)
    told = kept.scenario_path(broken)
    assert [test.sort for test in _failed(str(told), Plan(0, states=0))] == [Sort.SCENARIO]
    told.rename(told.name)
    assert [test.sort for test in _failed("house", Plan(0, states=0))] == [Sort.SCENARIO]
    Path("house.rules").write_text(rule.replace(">= 2", ">= 0"), encoding="utf-8")
    assert _failed("house", Plan(0, states=0)) == []


def test_scenarios_of_the_rulebook_may_be_broken_by_a_house_rule(tmp_path: Path) -> None:
    """They are played with it where that is asked for, and say of what they are."""
    written(tmp_path, COUNTER)
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    house = tmp_path / "house.rules"
    house.write_text('variant house "House" of counter\n    set last = loses\n', encoding="utf-8")
    plan = Plan(0, states=0, keywords=("mistake", "Two and"))
    found = {}
    for inherit in (False, True):
        spec = open_spec(str(house), inherit=inherit)
        assert isinstance(spec, Spec)
        found[inherit] = list(run_tests(spec, plan))

    assert found[False] == []
    assert [(test.title, test.outcome) for test in found[True]] == [
        ("Two and two", Outcome.FAILED),
        ("A mistake", Outcome.FAILED),
    ]
    assert found[True][0].text == "expect winners B"
    assert "it is a scenario of `counter`" in found[True][0].hint


def _failed(name: str, plan: Plan) -> list[testing.Tested]:
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    assert spec.name == "counter+house"
    return [test for test in run_tests(spec, plan) if test.outcome is Outcome.FAILED]


def test_every_count_and_every_reading(tmp_path: Path) -> None:
    """All numbers of players come with the defaults, then every other reading once."""
    found = [str(configuration) for configuration in configurations(_spec(tmp_path, COUNTER))]

    assert found == ["players=2", "players=3", "players=2 last=loses"]


def test_a_reading_may_allow_more_players() -> None:
    """Numbers of players that only one reading allows are gone through with that reading."""
    spec = open_spec("klink")
    assert isinstance(spec, Spec)
    found = {str(configuration) for configuration in configurations(spec)}

    assert "players=2 player_count=two_to_five" in found
    assert "players=6 player_count=two_to_six" in found
    assert {f"players={n}" for n in (3, 4, 5)} <= found


def test_a_sound_rulebook_passes(tmp_path: Path) -> None:
    """Scenarios, laws and invariants of a rulebook without faults pass; a wrong scenario fails."""
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    found = list(run_tests(_spec(tmp_path, COUNTER), Plan(12)))
    failed = [test for test in found if test.outcome is Outcome.FAILED]

    assert [test.title for test in failed] == ["A mistake"]
    assert failed[0].name == 'counter scenario "A mistake"'
    assert failed[0].place is not None
    assert "counter-scenarios.rules:12" in failed[0].place
    assert _outcomes(found)["Nobody takes what is not there"] is Outcome.PASSED
    assert {law.value for law in LAWS} <= set(_outcomes(found))


def test_ends_of_parameters(tmp_path: Path) -> None:
    """Every parameter is tried at both ends of its range, with the fewest players."""
    found = [str(configuration) for configuration in extremes(_spec(tmp_path, COUNTER))]

    assert found == ["players=2 heap=1", "players=2 heap=9"]


def test_mixed_configurations(tmp_path: Path) -> None:
    """Some configurations differ in several things at once; a seed always gives the same."""
    spec = _spec(tmp_path, COUNTER)
    found = list(mixed(spec, 40, 3))

    assert found == list(mixed(spec, 40, 3))
    assert any(len(configuration.pairs) == 2 for configuration in found)
    assert {configuration.players for configuration in found} == {2, 3}


@pytest.mark.parametrize("states", [0, 100], ids=["played", "gone_through"])
def test_what_breaks_down_is_found(tmp_path: Path, states: int) -> None:
    """A rule that breaks down fails the test, with the shortest play that leads there."""
    spec = _spec(tmp_path, STUCK)
    plan = Plan(20, states=states)
    failed = [test for test in run_tests(spec, plan) if test.outcome is Outcome.FAILED]

    assert [test.title for test in failed] == [Law.RULES.value]
    example = failed[0].counterexample
    assert example is not None
    assert [str(step) for step in example.record.steps] == ["A: more", "A: more"]
    assert example.story[-1].startswith("here the rules break down: ")
    assert Record.parse(str(example.record)).steps == example.record.steps


@pytest.mark.parametrize("states", [0, 100], ids=["played", "gone_through"])
def test_an_invariant_is_looked_at_when_its_phase_begins(tmp_path: Path, states: int) -> None:
    """`at turn` holds when the phase begins, not at every stop; where it does not, it fails."""
    spec = _spec(tmp_path, UNFAIR)
    plan = Plan(20, states=states)
    failed = [test for test in run_tests(spec, plan) if test.outcome is Outcome.FAILED]

    assert (Sort.INVARIANT, "Counts stay small") in [(test.sort, test.title) for test in failed]
    broken = next(test for test in failed if test.sort is Sort.INVARIANT)
    assert broken.counterexample is not None
    assert "unfair.rules:14" in (broken.place or "")
    replayed = replay(load(spec), broken.counterexample.record)
    assert len(replayed.states) == 3


def test_games_that_do_not_end_are_counted(tmp_path: Path) -> None:
    """Plays beyond the limit are told; only where none ends the law is broken."""
    spec = _spec(tmp_path, ENDLESS)
    some, none = (
        next(
            test
            for test in run_tests(spec, Plan(20, node_limit=limit, states=0))
            if test.title == Law.END.value
        )
        for limit in (4, 1)
    )

    assert some.outcome is Outcome.PASSED
    assert some.message.endswith("plays did not end within the limit")
    assert none.outcome is Outcome.FAILED


def test_tests_are_picked_by_name(tmp_path: Path) -> None:
    """Whoever asks for one scenario gets it and nothing else."""
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    plan = Plan(12, keywords=("Two and two",))

    assert _outcomes(list(run_tests(_spec(tmp_path, COUNTER), plan))) == {
        "Two and two": Outcome.PASSED
    }


def test_no_games_skip_the_laws(tmp_path: Path) -> None:
    """Without games nothing is said about laws."""
    found = list(run_tests(_spec(tmp_path, COUNTER), Plan(0, states=0)))

    assert {test.outcome for test in found} == {Outcome.SKIPPED}


@pytest.mark.parametrize(
    ("spoil", "law"), [("lose", Law.CONSERVATION), ("forge", Law.CONSERVATION)]
)
def test_lost_and_forged_tokens_are_noticed(spoil: str, law: Law) -> None:
    """A card that lies nowhere, and one that has become another, break conservation."""
    game: Instance = load("kuhn")
    lawful = Lawful.of(game)
    table = game.table(game.start(chance=["K", "Q"]))
    stop = game.stop(game.start(chance=["K", "Q"]))
    lawful.look(table, stop)
    hand = next(place for place in game.graph.places if place.label == "hand[A]").index
    if spoil == "lose":
        table.cells[hand].clear()
    else:
        table.kind[table.cells[hand][0]] = 0
    with pytest.raises(Broken) as broken:
        lawful.look(table, stop)

    assert broken.value.law is law


@pytest.mark.long
@pytest.mark.parametrize("name", ["jinx", "jinxx", "klink", "jinks", "highjinks"])
def test_shipped_rulebooks(name: str) -> None:
    """No shipped rulebook breaks any law, in any configuration."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    failed = [test for test in run_tests(spec, Plan(500)) if test.outcome is Outcome.FAILED]

    assert failed == []


BEHIND = """rulebook behind "A claim that is met behind a broken invariant"
    seats 2..2
var left: 0..9 = 4
var taken: 0..9 = 0

start
    repeat
        for p in players
            p chooses n in 1..2 "How many?"
                when n <= left
            left -= n
            taken = n
            if left is 0 "All gone?"
                end winners [p]

invariant "Three are left or more"
    left > 2
claim "Two in the end"
    possible left is 0 and taken is 2
claim "Three in the end"
    possible left is 0 and taken is 3
"""


@pytest.mark.parametrize("states", [1_000, 0], ids=["gone_through", "played"])
def test_a_game_goes_on_behind_a_broken_invariant(tmp_path: Path, states: int) -> None:
    """Claims are decided all the same; a counter that no rule reads keeps what it was for them."""
    found = run_tests(_spec(tmp_path, BEHIND), Plan(20, states=states))
    outcomes = {test.title: test.outcome for test in found}
    never = Outcome.FAILED if states else Outcome.SKIPPED

    assert outcomes["Three are left or more"] is Outcome.FAILED
    assert outcomes["Two in the end"] is Outcome.PASSED
    assert outcomes["Three in the end"] is never


BREAKS = """rulebook breaks "It breaks down"
    seats 2..2
var steps: 0..3 = 0
start
    repeat
        A chooses "Go?"
            walk "Walk"
                steps += 1
            run "Run"
                steps += 2
        if steps > 4 "Far?"
            end winners [A]
phase rest "Rest"
    steps = 0
invariant "Few when one rests" at rest
    steps < 2
"""


@pytest.mark.parametrize("states", [0, 1_000], ids=["played", "gone_through"])
def test_what_was_never_asked_does_not_pass(tmp_path: Path, states: int) -> None:
    """Where no game ends, none ends well; a phase that never begins keeps no promise."""
    spec = _spec(tmp_path, BREAKS)
    found = {test.title: test for test in run_tests(spec, Plan(8, states=states))}
    idle = {title for title, test in found.items() if test.outcome is Outcome.SKIPPED}

    assert idle == {Law.END.value, Law.WINNERS.value, "Few when one rests"}
    assert "never began" in found["Few when one rests"].message


def test_scenarios_that_cannot_be_read_end_a_suite(tmp_path: Path) -> None:
    """The first scenario is run before the other files are read; what is wrong there is told."""
    path = written(tmp_path, COUNTER)
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    worse = tmp_path / "counter-worse-scenarios.rules"
    worse.write_text('scenarios of counter\nscenario "No"\n    ???\n', encoding="utf-8")
    asked = suites.Asked(path, Plan(0), Kept(tmp_path / "found"), stopping=False)

    suite = suites.try_suite(asked)

    assert suite.report is not None
    assert [test.title for test in suite.tests] == ["Two and two"]
    assert suite.failed
