"""The table of rulings: what matters, what only with something else, where readings part."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine.cli import group
from ruleengine.game import Instance, load, open_spec
from ruleengine.match import random_match
from ruleengine.measure import readings
from ruleengine.measure.as_scenario import Telling, passed, scenarios
from ruleengine.measure.lockstep import Drawing, Following, Lockstep, Parting, What
from ruleengine.measure.readings import Against, Games, play_against
from ruleengine.measure.rulings import Answer, Asked, Plan, Rulings, asked_of, rulings
from ruleengine.measure.witness import record_of
from ruleengine.record import replay
from ruleengine.tally import Row

PEBBLES = str(Path(__file__).parent / "games" / "pebbles.rules")

_HEAP = """rulebook heap "Heap"
    seats 2..2
ruling odd "May an odd number be taken?"
    yes "Yes" default
    even_only "No"
var left: 0..90 = 90
start
    -> turn
phase turn "Turn"
    A chooses "How many?"
        take n in 1..90 "Take"
            unless odd is even_only and n mod 2 is 1
            left -= n
    end draw
"""


def _pebbles() -> Spec:
    found = open_spec(PEBBLES)
    assert isinstance(found, Spec)
    return found


@pytest.fixture(scope="module")
def spec() -> Spec:
    """Pebbles: four stones, the last one wins."""
    return _pebbles()


@pytest.fixture(scope="module")
def table(spec: Spec) -> Rulings:
    """Its table from 40 games."""
    return rulings(spec, Configuration(2), Plan(40))


def _answer(table: Rulings, ruling: str, reading: str) -> Answer:
    return next(a for a in table.answers if a.asked.setting == (ruling, reading))


def test_what_turns_every_result_round_parts_every_game(table: Rulings) -> None:
    """Whether the last stone wins or loses decides every game, and no game before its end."""
    answer = _answer(table, "last", "loses")
    assert answer.effect is not None
    assert answer.witness is not None

    assert (answer.effect.parted.value, answer.effect.changed.value) == (1, 1)
    assert (answer.witness.what, len(answer.witness.play)) == (What.RESULT, 2)


def test_the_shortest_play_is_found(table: Rulings) -> None:
    """Two stones are left after one take of two, and then one reading forbids two."""
    answer = _answer(table, "greed", "one_only")
    assert answer.witness is not None

    assert answer.witness.play == (1,)
    assert (answer.witness.old, answer.witness.new) == ("take 1, take 2", "take 1")


def test_what_hangs_on_another_ruling_is_found_under_it(table: Rulings) -> None:
    """How a tie of points is read matters only if points decide."""
    answer = _answer(table, "tied", "second")

    assert answer.under == (("last", "counts"),)
    assert answer.witness is not None


def test_what_never_matters_is_said_so(table: Rulings) -> None:
    """The turn is never asked for when no stone is left; up to some share it might be, unseen."""
    answer = _answer(table, "silent", "go_back")
    assert answer.effect is not None

    assert (answer.witness, answer.effect.parted.value) == (None, 0)
    assert 0 < answer.effect.parted.high < 0.3


def _told(table: Rulings) -> list[tuple[Asked, Parting | None]]:
    return [(one.asked, one.witness) for one in table.answers]


def test_processes_change_nothing(spec: Spec, table: Rulings) -> None:
    """Two processes find the same table."""
    again = rulings(spec, Configuration(2), Plan(40, jobs=2, only=("greed",)))

    assert _told(again) == [one for one in _told(table) if one[0].ruling == "greed"]


def test_a_game_that_parts_is_the_one_of_its_number() -> None:
    """Behind the parting a game is the one that would have been played alone, to the last node."""
    spec = open_spec("klink")
    assert isinstance(spec, Spec)
    old, new = Configuration(3), Configuration(3, {"second_look": "explicit_option"})
    found = play_against(Against((spec.sources, old), (spec.sources, new), Games(3, 2, 100_000), 0))
    game = load(spec, 3, {"second_look": "explicit_option"})

    assert found.rows == tuple(Row.of(n, random_match(game, 3, n)) for n in (0, 1))


def _both_ways(
    monkeypatch: pytest.MonkeyPatch, name: str, games: int, *settings: tuple[str, str]
) -> list[tuple[set[int], set[int]]]:
    """The games that part by their traces and by the interpreter, for each setting."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    players = min(spec.seats())
    old = spec.sources, Configuration(players)
    tasks = [
        Against(old, (spec.sources, Configuration(players, dict([one]))), Games(0, games, 10**5), 0)
        for one in settings
    ]
    traced = [play_against(task) for task in tasks]
    monkeypatch.setattr(readings, "_tracing", lambda *_: None)
    interpreted = [play_against(task) for task in tasks]
    return [
        (set(one.stops), set(other.stops)) for one, other in zip(traced, interpreted, strict=True)
    ]


def test_traces_part_where_the_interpreter_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled games are told apart just where the interpreter tells them apart, game by game."""
    some = [("last", "loses"), ("last", "counts"), ("greed", "one_only"), ("silent", "go_back")]
    for one, other in _both_ways(monkeypatch, PEBBLES, 20, *some):
        assert one == other


@pytest.mark.long
@pytest.mark.parametrize("name", ["jinx", "jinks", "jinxx", "klink"])
def test_traces_of_a_rulebook(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All readings of a rulebook, some games: no trace parts where the interpreter sees nothing,
    and what is in no trace is known to somebody."""
    spec = open_spec(name)
    assert isinstance(spec, Spec)
    players = min(spec.seats())
    every = [one.setting for one in asked_of(spec, Configuration(players))]
    legal = [s for s in every if players in spec.seats({s[0]: s[1]})]
    found = _both_ways(monkeypatch, name, 5, *[(ruling, str(r)) for ruling, r in legal])

    assert [s for s, (one, other) in zip(legal, found, strict=True) if not one <= other] == []


def test_a_game_never_parts_from_itself() -> None:
    """The same rules with the same chance and choices are the same to the end."""
    one, other = (Instance.of(load("klink", 3).compiled) for _ in range(2))

    assert Lockstep.of(one, other).play(Drawing.of(one, 0, 0), 100_000) is None


_VEIL = """rulebook veil "Veil"
    seats 2
ruling shown "Who sees the row?"
    to_a "A" default
    to_nobody "Nobody"
    to_both "Both"
ruling low "How many ones?"
    lone "One" default
    three "Three"
card num
    value: 1..3
    copies 3 where value is 1 and low is three
    copies 1 where value > 1 or low is lone
piece stone
    copies 2
zone deck: pile of num, face down
zone row: list of num, face down
var left: 0..2 = 2
start
    move all of num to deck
    shuffle deck
    move top of deck to row
    if shown is not to_nobody
        show row to A
    if shown is to_both
        show row to B
    -> turn
phase turn "Turn"
    A chooses "Go on?"
        go "Go"
            left -= 1
        look "Look"
            reveal row
    if left is 0
        end draw
    -> turn
discloses "Turn"
"""
_LATER = {
    "to_nobody": ("expect chance 1 is 1 of 3", "expect now next A"),
    "to_both": ("expect B sees row = ?", "expect B sees row = 1"),
    "three": ("expect chance 1 is 1 of 3", "expect chance 1 is 3 of 5"),
}


def test_a_play_can_be_kept(spec: Spec, table: Rulings) -> None:
    """The record of a parting play fits both readings up to where they part."""
    answer = _answer(table, "greed", "one_only")
    assert answer.witness is not None
    usual, other = load(spec, 2), load(spec, 2, {"greed": "one_only"})
    record = record_of(usual, answer.witness.play)

    offered = [len(game.options(replay(game, record).states[-1])) for game in (usual, other)]
    assert offered == [2, 1]


def test_scenarios_say_what_each_reading_says(spec: Spec, table: Rulings) -> None:
    """A parting becomes two scenarios, each of which holds under its own reading only."""
    answer = _answer(table, "greed", "one_only")
    assert answer.witness is not None
    old, new = Telling(answer.configuration, "both"), Telling(answer.new, "one")
    said = scenarios(spec, old, new, answer.witness).texts

    assert [text.splitlines()[-1].strip() for text in said] == [
        "expect options take 1 or take 2",
        "expect options take 1",
    ]


def test_many_answers_are_said_by_the_one_that_differs(tmp_path: Path) -> None:
    """Where too many answers would have to be listed, a scenario names one that is missing."""
    path = tmp_path / "heap.rules"
    path.write_text(_HEAP)
    heap = open_spec(str(path))
    assert isinstance(heap, Spec)
    (answer,) = rulings(heap, Configuration(2), Plan(5)).answers
    assert answer.witness is not None
    old, new = Telling(answer.configuration, "all"), Telling(answer.new, "even")
    said = scenarios(heap, old, new, answer.witness).texts

    assert [text.splitlines()[-1].strip() for text in said] == [
        "expect offered take 1",
        "expect refused take 1",
    ]


@pytest.mark.parametrize("reading", _LATER)
def test_what_shows_late_or_to_one_alone_is_said(reading: str, tmp_path: Path) -> None:
    """Chance that nobody sees, what lies in the box, what somebody knows: each can be told."""
    path = tmp_path / "veil.rules"
    path.write_text(_VEIL)
    veil = open_spec(str(path))
    assert isinstance(veil, Spec)
    answers = rulings(veil, Configuration(2), Plan(5)).answers
    answer = next(one for one in answers if one.asked.reading == reading)
    assert answer.witness is not None
    both = Telling(answer.configuration, "usual"), Telling(answer.new, "other")
    said = scenarios(veil, *both, answer.witness)

    assert tuple(text.splitlines()[-1].strip() for text in said.texts) == _LATER[reading]


def test_what_cannot_be_read_spoils_no_scenario(spec: Spec) -> None:
    """Of several scenarios each is read by itself if one of them cannot be."""
    good, bad = (
        f'scenario "{name}"\n    seats 2\n    expect {what}\n'
        for name, what in (("good", "options take 1 or take 2"), ("bad", "offered ((("))
    )
    wrong = good.replace(" or take 2", "")

    assert passed(spec, [bad, good, wrong]) == [False, True, False]


def test_numbers_out_of_range_are_brought_into_it() -> None:
    """A play that was shortened still fits somewhere."""
    game = load(PEBBLES, 2)
    following = Following((7, 9), 2)
    Lockstep.of(game, Instance.of(game.compiled)).play(following, 5)

    assert following.used == [1, 1]


# ---- the command


def _run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(group, ["rulings", *words])
    return result.exit_code, result.stderr if result.exit_code else result.stdout


def test_the_command_tells_and_keeps(tmp_path: Path) -> None:
    """Tables for people and programs, and plays as records, pictures and scenarios that hold."""
    code, text = _run(PEBBLES, "-n", "20", "--save", str(tmp_path))
    assert code == 0
    assert "1  A: take 2" in text
    assert "take 1, take 2" in text
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert "greed-one_only.play" in kept
    assert "greed-one_only.svg" in kept
    assert "expect options take 1 or take 2" in (tmp_path / "rulings-scenarios.rules").read_text()


def test_the_command_writes_json() -> None:
    """Each reading has its interval and its play."""
    code, text = _run(PEBBLES, "-n", "20", "--json", "--only", "greed")
    (entry,) = json.loads(text)["specs"]
    (one,) = entry["rulings"]

    assert (code, one["reading"], one["parting"]["play"]) == (0, "one_only", [1])
    assert one["effect"]["parted"]["low"] <= one["effect"]["parted"]["value"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((PEBBLES, "--only", "gred"), "did you mean `greed`?"),
        (("tictactoe",), "it has no rulings"),
        ((PEBBLES, "-n", "0"), "whole number of at least 1"),
    ],
)
def test_wrong_use_is_answered(words: tuple[str, ...], said: str) -> None:
    """What cannot be run is said, with what would do."""
    code, text = _run(*words)

    assert code == 2
    assert said in text
