"""Faults put into rulebooks on purpose: where they are found, who notices them, who cannot."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from compiler.diagnostic import Report
from compiler.mutation.mutate import mutations
from compiler.mutation.mutation import Mutation, Operator
from compiler.mutation.spoilt import spoilt
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.parse import parse
from compiler.syntax.walk import walk
from ruleengine.cli import run
from ruleengine.cli.mutate import tally_entry
from ruleengine.configurations import usual
from ruleengine.game import Instance, open_spec
from ruleengine.mutants.games import beside
from ruleengine.mutants.reach import Reach
from ruleengine.mutants.run import Plan, mutate, sampled
from ruleengine.mutants.trying import Trying, mutations_of, try_mutant
from ruleengine.mutants.verdict import Fate
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_written
from tests.mutants.page import rewritten

EVERYTHING = """rulebook spoilt "Everything that can be spoilt"
    seats 2..2
card number
    value: 1..3
    copies 2
    written value
die cube: 1..6
zone deck: pile of number, face down
zone hand per player: set of number, face down, seen by holder
zone gone per player: set of number, face up
var mover: player
var taken: 0..9 = 0

start
    "Deal"
        move all of number to deck
        shuffle deck
        move top of deck to hand[A], face down
        show top of deck to A
    mover = A
    repeat
        roll cube
        taken += 1
        mover chooses c in hand[mover] "Which?"
            when c.value < 3
            otherwise "None"
                end draw
        move c to hand[mover]
        mover = next(mover)

whenever deck is empty "The end"
    end draw
"""

TAKE = """rulebook take "Take one or two"
    seats 2..2
param heap: 1..9 = 3
var left: 0..9
var unused: 0..9 = 0

start
    left = heap
    repeat
        for p in players
            p chooses n in 1..2 "How many?"
                when n <= left
            left -= n
            unused = 0
            if left is 0 "All gone?"
                end winners [p]

scenario "Who takes the last wins"
    A: choose 2
    expect options choose 1
    B: choose 1
    expect winners B
"""


THROWN = """rulebook thrown "A die"
    seats 2..2
die cube: 1..6
var eyes: 0..6 = 0

start
    do throw
    end draw

phase throw "Throw"
    roll cube
    eyes = cube
"""


@pytest.fixture
def take(tmp_path: Path) -> Path:
    """A small rulebook with a scenario of its own."""
    path = tmp_path / "take.rules"
    path.write_text(TAKE, encoding="utf-8")
    return path


def test_every_operator_finds_its_place() -> None:
    """Each way to spoil a rule applies somewhere; each fault has a name and a text of its own."""
    found = mutations(SourceFile("all.rules", EVERYTHING))

    assert {mutation.operator for mutation in found} == set(Operator)
    assert len({mutation.name for mutation in found}) == len(found)
    assert len({mutation.text for mutation in found}) == len(found)
    assert all(mutation.text != EVERYTHING for mutation in found)


@pytest.mark.parametrize(
    ("operator", "change"),
    [
        (Operator.DROP_GUARD, "without `when c.value < 3`"),
        (Operator.NEGATE_GUARD, "`when` -> `unless`"),
        (Operator.FLIP_COMPARISON, "`<` -> `<=`"),
        (Operator.SWAP_NEXT, "`next(mover)` -> `last(seats_from(mover))`"),
        (Operator.DROP_EFFECT, "without `taken += 1`"),
        (Operator.CHANGE_ZONE, "`hand` -> `gone`"),
        (Operator.DROP_TRIGGER, 'without `whenever deck is empty "The end" end draw`'),
        (Operator.WIDEN_SIGHT, "`holder` -> `everyone`"),
        (Operator.SKIP_CHANCE, "without `roll cube`"),
    ],
)
def test_a_fault_is_told_on_one_line(operator: Operator, change: str) -> None:
    """What stood there, and what stands there now."""
    found = mutations(SourceFile("all.rules", EVERYTHING))

    assert change in [mutation.words for mutation in found if mutation.operator is operator]


def test_a_mutation_cites_its_line() -> None:
    """The clauses of the line, or else of the step around it."""
    spec = open_spec("jinx")
    found = mutations_of(spec.sources)  # type: ignore[union-attr]
    cited = {mutation.clauses for mutation in found.values()}

    assert ("JI-4.7", "JI-4.8") in cited
    assert sum(not mutation.clauses for mutation in found.values()) * 10 < len(found)


def test_who_kills_and_who_cannot(take: Path) -> None:
    """A scenario kills, what changes nothing is the same game, what does not compile is refused."""
    spec = open_spec(str(take))
    tally = mutate(spec, Plan(games=3))  # type: ignore[arg-type]
    fates = {mutation.words: verdict for mutation, verdict in tally.verdicts}

    assert fates["`<=` -> `<`"].fate is Fate.KILLED
    assert fates["`<=` -> `<`"].by == 'scenario "Who takes the last wins"'
    assert fates["without `unused = 0`"].fate is Fate.EQUIVALENT
    assert tally.share is not None
    assert tally.judged == len(tally.of(Fate.KILLED)) + len(tally.of(Fate.SURVIVED))


def test_a_survivor_comes_with_the_scenario_that_would_kill_it(take: Path) -> None:
    """Added to the rulebook, the scenario of a survivor kills it."""
    spec = open_spec(str(take))
    tally = mutate(spec, Plan(games=3))  # type: ignore[arg-type]
    (mutation, verdict), *_ = (pair for pair in tally.of(Fate.SURVIVED) if pair[1].scenario)
    take.write_text(f"{TAKE}\n{verdict.scenario}", encoding="utf-8")
    again = open_spec(str(take))
    fate = try_mutant(Trying(again.sources, mutation.name, (0, 1), 0))  # type: ignore[union-attr]

    assert fate.fate is Fate.KILLED
    assert fate.by == 'scenario "What tells them apart"'


def test_a_larger_sample_has_the_smaller() -> None:
    """So that work goes on where it stopped."""
    names = [str(number) for number in range(100)]

    assert set(sampled(names, 10, 7)) < set(sampled(names, 20, 7))
    assert sampled(names, None, 7) == tuple(names)
    assert len(sampled(names, 10, 7)) == 10


def test_a_run_is_resumed(take: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdicts in the file are not sought again, and are the same; another file is refused."""
    kept = take.with_name("kept.txt")
    command = ["mutate", str(take), "--games", "1", "--resume", str(kept), "--json"]
    run([*command, "--sample", "4"])
    capsys.readouterr()
    before = kept.read_text(encoding="utf-8")
    run(command)
    entry = json.loads(capsys.readouterr().out)["specs"][0]

    assert kept.read_text(encoding="utf-8").startswith(before)
    assert len(kept.read_text(encoding="utf-8").splitlines()) == entry["mutants"] + 1
    assert run(["mutate", str(take), "--resume", str(take)]) == 2
    take.with_name("picture").write_bytes(b"\x89PNG")
    assert run(["mutate", str(take), "--resume", str(take.with_name("picture"))]) == 2


def test_a_scenario_that_ends_where_chance_decides(tmp_path: Path) -> None:
    """It notices what is spoilt there, though nothing was drawn."""
    told = 'scenario "One of six"\n    seats 2\n    at throw\n    expect chance 3 is 1 of 6\n'
    path = tmp_path / "thrown.rules"
    path.write_text(f"{THROWN}\n{told}", encoding="utf-8")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    every = mutations_of(spec.sources).values()
    (roll,) = (one for one in every if one.operator is Operator.SKIP_CHANCE)

    assert Reach.of(spec).order(roll) == (0,)


def test_what_rests_on_other_scenarios_is_tried_again(
    take: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a new scenario who survived, with another text of an old one whom it killed, too."""
    rules, _, told = TAKE.partition("scenario ")
    take.write_text(rules, encoding="utf-8")
    scenarios, kept = take.with_name("take-scenarios.rules"), take.with_name("kept.txt")
    texts = ["scenarios of take", f"scenario {told}"]

    def tried() -> tuple[int, dict[str, dict[str, str]]]:
        scenarios.write_text("\n\n".join(texts), encoding="utf-8")
        before = len(kept.read_text(encoding="utf-8").splitlines()) if kept.exists() else 1
        run(["mutate", str(take), "--games", "1", "--resume", str(kept), "--json"])
        verdicts = json.loads(capsys.readouterr().out)["specs"][0]["verdicts"]
        after = len(kept.read_text(encoding="utf-8").splitlines())
        return after - before, {one["name"]: one for one in verdicts}

    whole, first = tried()
    survivors = {name for name, one in first.items() if one["fate"] == "survived"}
    by_old = {name for name, one in first.items() if one["by"].startswith("scenario")}
    texts.append(next(first[name]["scenario"] for name in survivors if first[name]["scenario"]))
    with_another, second = tried()
    texts[1] = texts[1].replace("    B: choose 1\n", "    expect heap is 3\n    B: choose 1\n")
    with_other_words, _ = tried()

    left = {name for name, one in second.items() if one["fate"] == "survived"}
    assert whole == len(first)
    assert with_another == len(survivors)
    assert {name for name in first if first[name] != second[name]} == survivors - left
    assert left < survivors
    assert with_other_words == len(by_old | left)
    assert tried()[0] == 0


@pytest.mark.parametrize("text", [EVERYTHING, TAKE], ids=["everything", "take"])
def test_a_spoilt_declaration_is_read_alone(text: str) -> None:
    """A mutant's tree says what its whole text says, or is refused in the same words."""
    source = SourceFile("spoilt.rules", text)
    for mutation in mutations(source):
        whole, report = parse(SourceFile("spoilt.rules", mutation.text))
        alone = spoilt(mutation)
        if isinstance(alone, Report):
            assert alone.errors[0].message == report.errors[0].message
        else:
            assert whole is not None
            assert _said(whole) == _said(alone)


def _said(tree: ast.File) -> list[tuple[str, str]]:
    return [(type(node).__name__, node.span.text) for item in tree.items for node in walk(item)]


REACH = """rulebook reach "Left or right"
    seats 2..2
var steps: 0..9 = 0

start
    A chooses "Where to?"
        left "Left"
            steps = 1
        right "Right"
            steps = 2
    end winners [A]

scenario "Left"
    A: left
    expect ended

scenario "Right"
    A: right
    expect steps is 2
"""


def test_only_scenarios_that_come_to_a_fault_are_run(tmp_path: Path) -> None:
    """What a scenario does not come to it cannot notice; a declaration any may notice."""
    path = tmp_path / "reach.rules"
    path.write_text(REACH, encoding="utf-8")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    reach = Reach.of(spec)
    orders = {m.words: reach.order(m) for m in mutations_of(spec.sources).values()}

    assert reach.failing is None
    assert orders["`1` -> `2`"] == (0,)
    assert orders["`2` -> `3`"] == (1,)
    assert orders["`0` -> `1`"] == (0, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", ["jinks", "klink"])
def test_who_is_left_out_would_not_notice(name: str) -> None:
    """The scenarios that do not come to a fault all pass with it in the rulebook."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    reach = Reach.of(spec)
    written = tuple(spec.scenarios)
    every = mutations_of(spec.sources)
    for chosen in sampled(tuple(every), 12, 5):
        near = set(reach.order(every[chosen]))
        mutant = _spoilt(spec, every[chosen])
        left_out = [one for at, one in enumerate(written) if at not in near]
        for ran in run_written(mutant, left_out) if mutant is not None else ():
            assert isinstance(ran, Ran)
            assert ran.failure is None, (chosen, ran.title)


def _spoilt(spec: Spec, mutation: Mutation) -> Spec | None:
    base = SourceFile(spec.sources.base.name, mutation.text)
    made = compile_sources(evolve(spec.sources, base=base))
    return None if isinstance(made, Report) else made


LAW = """
invariant "Nothing is unused"
    unused is 0
"""


def test_a_machine_finds_what_breaks(tmp_path: Path) -> None:
    """Without any scenario, games on a machine stop where a law or an invariant is broken."""
    path = tmp_path / "kept.rules"
    path.write_text(TAKE.partition("scenario")[0] + LAW, encoding="utf-8")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    tally = mutate(spec, Plan(games=5))
    by = {verdict.by for _, verdict in tally.of(Fate.KILLED)}

    assert {'law "some game ends"', 'invariant "Nothing is unused"'} < by


def test_what_no_machine_plays_is_not_called_alike(tmp_path: Path) -> None:
    """Where a machine leaves every game, the interpreter plays some, and only those are counted."""
    path = tmp_path / "openly.rules"
    path.write_text(OPENLY, encoding="utf-8")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    by = {m.words: m for m in mutations_of(spec.sources).values()}
    same, other = (
        beside(spec.sources, _game(_spoilt(spec, by[words])), 0, 20)
        for words in ("`<=` -> `<`", "`>=` -> `>`")
    )

    assert (same.differs, 0 < same.games <= 20) == (None, True)
    assert other.differs is not None


def _game(spec: Spec | None) -> Instance:
    assert spec is not None
    made = spec.instantiate(next(usual(spec)))
    assert isinstance(made, Compiled)
    return Instance.of(made)


OPENLY = """rulebook openly "An open pile"
    seats 2..2
card prize
    value: 1..3
    copies 1
    written value
zone deck: pile of prize, face up
zone won: set of prize, face up
var most: 0..9 = 3

start
    move all of prize to deck
    shuffle deck
    A chooses "Take it?"
        take "Take it"
            move top of deck to won
        leave_it "Leave it"
    if some c in won: c.value >= 2 and c.value <= most + 1 "Enough?"
        end winners [A]
    end winners [B]
"""


def test_several_processes_judge_alike(take: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two processes come to the verdicts of one, in the order of the text; progress is apart."""
    command = ["mutate", str(take), "--games", "1", "--sample", "4", "--json"]
    run(command)
    alone = capsys.readouterr()
    run([*command, "--jobs", "2"])
    together = capsys.readouterr()

    assert json.loads(together.out)["specs"] == json.loads(alone.out)["specs"]
    assert "its mutants" in together.err


def test_a_small_game_is_gone_through_beside_its_mutant(tmp_path: Path) -> None:
    """What graphs do not show every situation of a small game does."""
    path = tmp_path / "whole.rules"
    path.write_text(WHOLE, encoding="utf-8")
    spec = open_spec(str(path))
    assert isinstance(spec, Spec)
    by = {m.words: v for m, v in mutate(spec, Plan(games=5)).of(Fate.EQUIVALENT)}

    assert by["`<` -> `<=`"].by.startswith("gone through side by side: ")


WHOLE = """rulebook whole "One, then the other"
    seats 2..2
var near: 0..3 = 0
var far: 0..3 = 0

start
    A chooses "Which?"
        left "Left"
            near = 2
            far = 1
        right "Right"
            near = 1
            far = 2
    if near < far "Less?"
        end winners [A]
    end winners [B]

scenario "Left"
    A: left
    expect winners B

scenario "Right"
    A: right
    expect winners A
"""


def test_the_page_has_a_line_for_each_survivor(take: Path) -> None:
    """Both tables of the page are written from what the command tells."""
    spec = open_spec(str(take))
    assert isinstance(spec, Spec)
    entry = tally_entry(spec, mutate(spec, Plan(games=1)))
    before = "# Title\n<!-- figures: begin -->\n<!-- figures: end -->\n"
    page = rewritten(f"{before}<!-- survivors: begin -->\n<!-- survivors: end -->\n", [entry])

    assert page.startswith("# Title\n")
    assert len([line for line in page.splitlines() if line.startswith("| take |")]) == (
        1 + int(str(entry["survived"]))
    )
