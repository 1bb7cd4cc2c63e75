"""What a seat cannot know tells it nothing: shipped rulebooks keep it, and what does not is found.

Leaky specs say in their first line which promise they break, in their second how short a play by
hand shows it.  Broken engines are the pitfalls of keeping hidden information, each on purpose.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from compiler.pipeline import Spec
from ruleengine.cli import run
from ruleengine.game import Instance, load, open_spec
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge import events
from ruleengine.knowledge.events import Knowledge
from ruleengine.knowledge.protocol import Observer
from ruleengine.knowledge.view import Viewer
from ruleengine.leaks.search import find_leaks
from ruleengine.options import Asking
from ruleengine.properties.laws import Law
from ruleengine.stops import Choice, Decision, Stop
from ruleengine.table import Table
from ruleengine.testing import plan as testing
from ruleengine.testing.plan import Outcome, Plan
from ruleengine.testing.suite import game_tests

HERE = Path(__file__).parent
TINY = HERE.parent / "knowledge" / "games"
LEAKY = sorted((HERE.parent / "faulty" / "leaks").glob("*.rules"))
long = pytest.mark.long

Patch = Callable[[pytest.MonkeyPatch], None]


def broken(game: Instance, stops: int) -> set[str]:
    """The numbers of the promises that are broken."""
    return {found.leak.promise.number for found in find_leaks(game, stops=stops).found}


@pytest.mark.parametrize("path", LEAKY, ids=lambda path: path.stem)
def test_a_leaky_rulebook_is_caught(path: Path) -> None:
    """By the promise it breaks, after a play at most two moves longer than a person's."""
    text = path.read_text(encoding="utf-8")
    said = re.search(r"-- Leaks by (P\d+):.*?\n-- By hand: (\d+) moves", text, re.DOTALL)
    assert said is not None
    found = find_leaks(load(str(path)), stops=60).found
    caught = [each for each in found if each.leak.promise.number == said[1]]

    assert caught
    assert min(len(each.moves) for each in caught) <= int(said[2]) + 2
    assert any(each.leak.here != each.leak.there for each in caught)


@pytest.mark.parametrize("path", LEAKY, ids=lambda path: path.stem)
def test_what_is_confirmed_is_no_leak(path: Path, tmp_path: Path) -> None:
    """Once its author confirms the step, nothing is reported but that it tells something."""
    text = path.read_text(encoding="utf-8")
    game = load(str(path))
    (telling,) = find_leaks(game, stops=1).tellings
    honest = tmp_path / path.name
    honest.write_text(f'{text}\ndiscloses "{telling.titles[0]}"\n', encoding="utf-8")
    looked = find_leaks(load(str(honest)), stops=60)

    assert [each.confirmed for each in looked.tellings] == [True]
    assert [found.leak for found in looked.found if found.leak.promise.number == "P8"] == []


@pytest.mark.parametrize(
    ("name", "players", "stops"),
    [
        ("kuhn", 2, 60),
        ("klink", 3, 15),
        ("jinks", 2, 15),
        *(
            pytest.param(name, players, 1500, marks=long)
            for name, players in (
                ("kuhn", 2),
                ("leduc", 2),
                ("whist", 4),
                ("klink", 3),
                ("klink", 5),
                ("jinks", 4),
                ("highjinks", 2),
                ("highjinks", 4),
                ("jinx", 3),
                ("jinxx", 3),
            )
        ),
    ],
)
def test_nothing_leaks_from_shipped_games(name: str, players: int, stops: int) -> None:
    """Options, reasons, drawings and what is heard next are the same in every imagined world."""
    looked = find_leaks(load(name, players), stops=stops)

    assert [found.leak for found in looked.found] == []
    assert looked.stops == stops
    assert bool(looked.worlds) == (name not in ("jinx", "jinxx"))


SEALED = """
rulebook sealed "Sealed bids"
    seats 3..3
card number
    value: 1..4
    copies 1
    written value
zone deck: pile of number, face down
zone hand per player: one number, face down, seen by {seen}
var bid per player: 0..4 = 0
start
    "Deal"
        move all of number to deck
        shuffle deck
        for p in players
            move top of deck to hand[p]
    together p in players "Sealed bids"
        p chooses b in 0..{most} "Your bid?"
        bid[p] = b
    end winners all p in players where bid[p] is 1
"""
"""Three hold a card each and bid at once."""


@pytest.mark.parametrize(
    ("seen", "most", "hidden"),
    [("holder", "2", True), ("holder", "hand[p].value", True), ("players", "2", False)],
)
def test_sealed_bids_tell_nothing(seen: str, most: str, hidden: bool, tmp_path: Path) -> None:
    """Who bids last hears all bids at once, who bids first nothing yet: neither is a leak."""
    path = tmp_path / "sealed.rules"
    path.write_text(SEALED.format(seen=seen, most=most), encoding="utf-8")
    looked = find_leaks(load(str(path)), stops=30)

    assert [found.leak for found in looked.found] == []
    assert bool(looked.worlds) == hidden


# ---- pitfalls


def in_order_of_faces(patch: pytest.MonkeyPatch) -> None:
    """Hidden cells are offered in the order of what they are."""
    offered = Asking.choices

    def choices(self: Asking, table: Table, seat: int) -> tuple[Choice, ...]:
        def face(choice: Choice) -> list[int]:
            return [table.kind[v] for v in choice.values if isinstance(v, int)]

        ranked = sorted(offered(self, table, seat), key=face)
        return tuple(evolve(choice, index=at) for at, choice in enumerate(ranked))

    patch.setattr(Asking, "choices", choices)


def knowledge_outlives_unseen_moves(patch: pytest.MonkeyPatch) -> None:
    """What lay in a hand is believed to lie there after an unseen card has left it."""
    patch.setattr(Knowledge, "_refused", lambda *args: args[1])


def second_looks_count_twice(patch: pytest.MonkeyPatch) -> None:
    """Two looks at one card are taken for two cards."""
    patch.setattr(events, "max", sum, raising=False)


def named_cards_are_counted_again(patch: pytest.MonkeyPatch) -> None:
    """A card that can be named is still counted among those that cannot."""
    patch.setattr(events, "_subtract", lambda *_: None)


def knowledge_sticks_in_hands(patch: pytest.MonkeyPatch) -> None:
    """That a card is known goes with it into a hand, where nobody could follow it."""
    of = Knowledge.of

    def all_rows(*args: object) -> Knowledge:
        made: Knowledge = of(*args)  # type: ignore[arg-type]
        return evolve(made, rows=tuple(True for _ in made._rows))

    patch.setattr(Knowledge, "of", all_rows)


def sealed_picks_are_seen(patch: pytest.MonkeyPatch) -> None:
    """A view holds what others have picked and not yet shown."""
    patch.setattr(Viewer, "sealed_slots", lambda *_: {})


def questions_with_one_answer_are_skipped(patch: pytest.MonkeyPatch) -> None:
    """Who has nothing to choose is not asked, and so all others know."""
    go_on = Interpreter.advance

    def advance(self: Interpreter, table: Table, observer: Observer | None = None) -> Stop:
        stop = go_on(self, table, observer)
        while isinstance(stop, Decision) and len(stop.choices) == 1:
            self.choose(table, stop.choices[0], observer)
            stop = go_on(self, table, observer)
        return stop

    patch.setattr(Interpreter, "advance", advance)


PITFALLS = (
    (in_order_of_faces, "mini_klink", "P7", 30),
    (sealed_picks_are_seen, "carousel", "P2", 60),
    (questions_with_one_answer_are_skipped, "reply", "P8", 60),
    pytest.param(knowledge_sticks_in_hands, "sandbox", "P9", 100, marks=long),
    pytest.param(named_cards_are_counted_again, "sandbox", "P4", 250, marks=long),
    pytest.param(knowledge_outlives_unseen_moves, "sandbox", "P4", 600, marks=long),
    pytest.param(second_looks_count_twice, "sandbox", "P4", 600, marks=long),
)


@pytest.mark.parametrize(("pitfall", "name", "promise", "stops"), PITFALLS)
def test_a_leaky_engine_is_caught(
    monkeypatch: pytest.MonkeyPatch, pitfall: Patch, name: str, promise: str, stops: int
) -> None:
    """Every pitfall breaks the promise that is to guard against it."""
    game = load(str(TINY / f"{name}.rules"))
    assert broken(game, min(stops, 30)) == set()
    pitfall(monkeypatch)

    assert promise in broken(load(str(TINY / f"{name}.rules")), stops)


# ---- among the tests of a spec


def _tested(path: str, stops: int) -> testing.Tested:
    spec = open_spec(path)
    assert isinstance(spec, Spec)
    plan = Plan(0, states=1, stops=stops, keywords=(Law.LEAKS.value,))
    (test,) = game_tests(spec, plan)
    return test


def test_a_leak_fails_a_test() -> None:
    """`test` looks for leaks by itself; the play, and both situations, are told."""
    test = _tested(str(HERE.parent / "faulty" / "leaks" / "told_by_a_number.rules"), 60)

    assert test.outcome is Outcome.FAILED
    assert test.counterexample is not None
    assert len(test.counterexample.finding.ranks) == 3  # two cards, and the answer that tells
    assert any("hand[B]: 3, and in the other: 2" in line for line in test.counterexample.story)


@pytest.mark.parametrize(
    ("name", "stops", "outcome", "message"),
    [
        ("nim", 3, Outcome.PASSED, "nothing is hidden"),
        ("kuhn", 1, Outcome.SKIPPED, "nothing was compared"),
        ("kuhn", 10, Outcome.PASSED, "10 stops"),
    ],
)
def test_nothing_compared_proves_nothing(
    name: str, stops: int, outcome: Outcome, message: str
) -> None:
    """A test that compared nothing does not pass, unless there is nothing to hide."""
    test = _tested(name, stops)

    assert test.outcome is outcome
    assert message in test.message


def test_leaks_says_that_nothing_was_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """The command fails then; where nothing is hidden it does not."""
    assert run(["leaks", "kuhn", "--stops", "1"]) == 1
    assert "nothing was compared" in capsys.readouterr().out
    assert run(["leaks", "nim", "--stops", "1"]) == 0
    assert "nothing is hidden" in capsys.readouterr().out
