"""Questions on sentences that do not go together, and on rules that do nothing."""

from pathlib import Path

import pytest

from compiler.clauses import read_catalogue
from compiler.diagnostic import Report
from compiler.prose.lint import Sort, remarks
from compiler.source import SourceFile
from ruleengine.cli import run
from ruleengine.game import open_spec
from ruleengine.lint.vacuity import Idle, alarms

IDLE = """rulebook idle "Much of this does nothing"
    seats 2..2
param heap: 1..4 = 3 "How many there are"
param unused: 1..4 = 2 "Nothing reads it well"
ruling last "Who takes the last?"
    wins "He wins" default
    wins_too "He wins as well"
var left: 0..9
var hint: 0..9

start
    left = heap
    hint = unused - unused
    repeat
        for p in players
            p chooses "What?"
                take n in 1..2 "Take"
                    when n <= left
                    unless left is 9
                    left -= n
                borrow "Borrow"
                    when left > 8
                    left = 9
            if left is 0 "All gone?"
                if last is wins
                    end winners [p]
                end winners [p]
            if left > 8 "Too many?"
                do refund

phase refund "Refund"
    left = 3

invariant "Nothing is owed" at refund
    left > 0
"""


def asked(*texts: str, cited: dict[str, list[str]] | None = None) -> set[tuple[Sort, str]]:
    """What there is to ask about some sentences."""
    rows = "\n".join(f"| X-1.{at} | M | {text} |" for at, text in enumerate(texts, 1))
    table = f"| id | kind | text |\n| --- | --- | --- |\n{rows}\n"
    catalogue, report = read_catalogue(SourceFile("clauses.md", table))
    assert not report.has_errors
    return {(one.sort, one.about) for one in remarks(catalogue, cited or {}, ("deck",))}


@pytest.mark.parametrize(
    ("one", "other", "sort"),
    [
        (
            "Each player draws two cards from the deck before his turn begins.",
            "Each player draws three cards from the deck before his turn begins.",
            Sort.NUMBERS,
        ),
        (
            "A player holds at most five counters.",
            "Nobody keeps at most six counters over the night.",
            Sort.NUMBERS,
        ),
        ("A player must discard a card.", "He may discard a card at will.", Sort.DUTIES),
        (
            "The winner of the round shuffles all cards into the deck.",
            "All cards are shuffled into the deck; the winner of the round shuffles.",
            Sort.DUPLICATE,
        ),
        ("Cards go to the Crypt.", "Whoever has the Crypt draws.", Sort.UNDEFINED),
    ],
)
def test_sentences_that_do_not_go_together(one: str, other: str, sort: Sort) -> None:
    """Each sort of question is asked of a pair that deserves it."""
    assert sort in {found for found, _ in asked(one, other)}


@pytest.mark.parametrize(
    "texts",
    [
        ("Draw two cards.", "Discard three cards."),
        ("A player must draw a card.", "A player may keep a card."),
        ("The Crypt is the pile of lost cards.", "Cards go to the Crypt.", "Shuffle the Crypt."),
        ("Cards go to the Deck.", "Draw from the Deck."),
        ("A guild of mixed suits: +1 for combat.", "A guild of one suit: +2 for combat."),
        ("For example, two such cards give at most +2.", "Two such cards give at most −2."),
    ],
)
def test_sentences_that_do(texts: tuple[str, ...]) -> None:
    """Different acts, terms that are explained, and names of the spec raise no question."""
    assert asked(*texts) == set()


def test_clauses_that_no_rule_tells_apart() -> None:
    """Two mechanical clauses that are cited on exactly the same lines."""
    cited = {"X-1.1": ["7", "9"], "X-1.2": ["9", "7"], "X-1.3": ["7"]}

    found = asked("One rule.", "Another rule.", "A third.", cited=cited)

    assert found == {(Sort.TOGETHER, "7, 9")}


@pytest.mark.parametrize(
    ("texts", "asks"),
    [
        (("Fewest points win.", "Tied players share the victory."), False),
        (("The receiver must decide to keep or pass.", "Decide: keep, or pass the cards."), True),
    ],
)
def test_clauses_of_one_line(texts: tuple[str, str], asks: bool) -> None:
    """One line may do what two clauses say; it is asked only whether two say the same."""
    cited = {"X-1.1": ["7"], "X-1.2": ["7"]}

    assert (asked(*texts, cited=cited) == {(Sort.TOGETHER, "7")}) is asks


def test_rules_that_do_nothing(tmp_path: Path) -> None:
    """Options never legal, guards that never decide, a reading and an invariant to no purpose."""
    path = tmp_path / "idle.rules"
    path.write_text(IDLE, encoding="utf-8")
    spec = open_spec(str(path))
    assert not isinstance(spec, Report)

    found = {(alarm.idle, alarm.words) for alarm in alarms(spec, games=5)}

    assert (Idle.OPTION, "borrow") in found
    assert (Idle.GUARD, "unless left is 9") in found
    assert (Idle.BLOCKING, "when left > 8") in found
    assert (Idle.INVARIANT, "Nothing is owed") in found
    assert (Idle.READING, "last = wins_too") in found
    assert (Idle.PARAMETER, "unused") in found
    assert not any(words == "take" for _, words in found)


def test_a_rulebook_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is asked about tic-tac-toe."""
    assert run(["lint", "tictactoe", "--games", "20"]) == 0
    assert capsys.readouterr().out == "tictactoe: 0 questions on sentences, 0 on rules\n"


DECIDED = """rulebook decided "A guard that a reading decides"
    seats 2..2
ruling all_at_once "May one take all?"
    denied  "No" default
    granted "Yes"
var left: 0..3 = 3

start
    repeat
        for p in players
            p chooses "What?"
                take "Take one"
                    left -= 1
                grab "Take all"
                    when all_at_once is granted
                    left = 0
            if left is 0 "All gone?"
                end winners [p]
"""


def test_a_guard_that_a_reading_decides(tmp_path: Path) -> None:
    """It refuses everything under one reading, and under the other its option is chosen."""
    path = tmp_path / "decided.rules"
    path.write_text(DECIDED, encoding="utf-8")
    spec = open_spec(str(path))
    assert not isinstance(spec, Report)

    assert alarms(spec, games=5) == ()


HIDDEN = """rulebook hidden "What only another reading shows"
    seats 2..2
param bonus: 1..3 = 2 "Points for the last"
ruling last "Does the last take count?"
    plain  "No" default
    counts "It brings points"
ruling passing "May one pass?"
    free   "Yes" default
    forced "Only if nothing can be taken"
var left: 0..5 = 5
var score per player: 0..3 = 0

start
    repeat
        for p in players
            if passing is free
                p chooses "What?"
                    take n in 1..2 "Take"
                        when n <= left
                        left -= n
                    pass "Pass"
            else
                p chooses "What?"
                    take n in 2..2 "Take"
                        when n <= left
                        left -= n
                    otherwise "Nothing can be taken"
                        left = 0
            if left is 0 "All gone?"
                if last is counts
                    score[p] = bonus
                end winners [p]
"""


@pytest.mark.parametrize("games", [1, 5])
def test_what_only_another_reading_shows(tmp_path: Path, games: int) -> None:
    """A parameter is felt, and what happens where nothing is left is needed, under one reading."""
    path = tmp_path / "hidden.rules"
    path.write_text(HIDDEN, encoding="utf-8")
    spec = open_spec(str(path))
    assert not isinstance(spec, Report)

    assert alarms(spec, games) == ()


def test_what_is_never_needed(tmp_path: Path) -> None:
    """`otherwise` is no option: it is told that something was always legal."""
    path = tmp_path / "hidden.rules"
    path.write_text(
        HIDDEN.replace('2..2 "Take"\n                        when n <= left', '1..1 "Take"')
    )
    spec = open_spec(str(path))
    assert not isinstance(spec, Report)

    assert [(one.idle, one.words) for one in alarms(spec)] == [
        (Idle.OTHERWISE, 'p chooses "What?"'),
    ]
