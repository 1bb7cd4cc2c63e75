"""What a scenario that fails tells its author: what is the case, and what to write."""

from pathlib import Path

import pytest
from attrs import evolve

from compiler.diagnostic import Report
from compiler.pipeline import compile_sources
from compiler.source import SourceFile
from ruleengine import library
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios

KLINK = """
    seats 3
    given
        collection[A] = 3, 4
        collection[B] = 9
        collection[C] = 9
        deck = 5, 8, ...
        offer = steal, swap, gift
        active = A
        rest in ability_deck
    at turn
"""
JINX = """
    seats 2
    given
        grid[1, 1] = A
        active = A
        rest in supply
    at turn
"""


def ran(game: str, lines: str) -> Ran | Unreadable:
    """How a scenario of a shipped rulebook goes."""
    sources = library.read(game)
    assert not isinstance(sources, Report)
    text = f'scenarios of {game}\n\nscenario "It"\n{lines}'
    spec = compile_sources(evolve(sources, scenarios=(SourceFile("it.rules", text),)))
    assert not isinstance(spec, Report), [found.message for found in spec]
    (one,) = run_scenarios(spec)
    return one


def told(game: str, lines: str) -> tuple[str, str]:
    """What a scenario that fails says, and its hint."""
    one = ran(game, lines)
    assert isinstance(one, Ran)
    assert one.failure is not None
    return one.failure.message, one.failure.hint


FAILING = [
    (
        "A: choose drawn[3]",
        "A cannot answer this, refused by KL-4.2, KL-4.10, KL-9.2",
        "A can: choose drawn[1] or choose drawn[2]",
    ),
    ("B: choose drawn[1]", "B is not asked here: A decides “Check 1 card”", ""),
    ("expect next B", "next, A decides “Check 1 card”", ""),
    ("chance 5", "no chance here: A decides “Check 1 card”", ""),
    ("expect B sees drawn = 5, ?", "B can tell: ?, ?", ""),
    ("expect A sees deck = 7, ...", "A can tell: ?, ... (57 in all)", ""),
    ("expect count(deck) is 5", "this does not hold", "here count(deck) is 57"),
    ("expect winners A", "the game has not ended: A decides “Check 1 card”", ""),
    ("expect collection[A] = 3", "collection[A] holds 3, 4", ""),
]


REFUSED = [
    ("A: hand_on to A", "A cannot answer this, refused by KL-4.9, KL-4.14, KL-R7"),
    ("expect offered hand_on to A", "this is not offered, refused by KL-4.9, KL-4.14, KL-R7"),
    ("expect offered decline", "this is not offered"),
]


@pytest.mark.parametrize(("line", "message"), REFUSED)
def test_which_clause_refuses(line: str, message: str) -> None:
    """Of an answer that a rule forbids, its clauses are told."""
    assert told("klink", f"{KLINK}    A: choose drawn[1]\n    {line}\n")[0] == message


@pytest.mark.parametrize(("line", "message", "hint"), FAILING)
def test_what_is_the_case(line: str, message: str, hint: str) -> None:
    """A line that does not hold is answered with what does."""
    assert told("klink", f"{KLINK}    {line}\n") == (message, hint)


def test_an_answer_that_fits_several() -> None:
    """Each is written so that it fits no other."""
    lines = f"{KLINK}    A: choose drawn[1]\n    A: keep\n    A: steal with 9\n"
    hint = "say which: steal with collection[B][1] or steal with collection[C][1]"

    assert told("klink", lines) == ("this fits 2 answers", hint)


def test_slots_in_another_order() -> None:
    """The hint is how the option is written."""
    lines = f"{KLINK}    A: choose drawn[1]\n    A: keep\n    A: gift to B, with 8\n"

    assert told("klink", lines) == ("A cannot answer this", "it is written `gift with x, to q`")


def test_an_answer_that_is_not_legal_is_not_looked_past() -> None:
    """Where one answer is forced, another of the same name is wrong there, not later."""
    lines = """
    seats 2
    given
        tree[A, 1] = AS, AM, AL
        tree[B, 1] = BS, BM, BL
        active = A
        rest in box
    at turn
    chance [large]
    A: go AL, to grid[2, 2]
"""

    assert told("jinxx", lines) == (
        "A cannot answer this, refused by JXX-6.6, JXX-7.1",
        "A can: go with AL, to grid[1, 1]",
    )


FORCED = """
    seats 2
    set player_count = two_to_five
    given
        deck = 5, 8, 11, 12, ...
        active = A
    at turn
    A: choose drawn[1]
    A: hand_on to B
    B: choose drawn[1]
"""
BY_ITSELF = "the game went on by itself, as there was one answer only: B: keep"


def test_forced_answers_that_were_looked_past() -> None:
    """What a position was reached by is told, and how to look before it."""
    assert told("klink", f"{FORCED}    expect active is A\n") == (
        "this does not hold",
        f"here active is B; {BY_ITSELF}; to look before that, write `expect now …`",
    )


def test_forced_answers_on_the_way_to_an_answer() -> None:
    """An answer that comes too late is told what went before it."""
    message, hint = told("klink", f"{FORCED}    A: choose drawn[2]\n")

    assert message.startswith("A is not asked here: B decides")
    assert hint == BY_ITSELF


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("expect now active is A", True),
        ("expect now next B", True),
        ("expect now drawn = 5, 8", True),
        ("expect now active is B", False),
        ("expect active is B", True),
    ],
)
def test_now_looks_past_nothing(line: str, holds: bool) -> None:
    """`expect now` looks at the stop itself, though it has one answer."""
    one = ran("klink", f"{FORCED}    {line}\n")

    assert isinstance(one, Ran)
    assert (one.failure is None) is holds


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("offer = gift, swap, steal, trash", "offer holds no more than 3"),
        ("collection[A] = 20, 20, 20", "there is no `20` left in the box"),
        ("collection[A] = 4 tapped", "nothing can be `tapped`"),
        ("score[A] = 100000", "`100000` does not fit `score`"),
        ("deck = 5\n        A knows deck = 6", "`6` does not lie there"),
        ("deck = 5\n        A knows deck = 5, 6", "deck has only 1 token"),
    ],
)
def test_what_cannot_be_given(given: str, message: str) -> None:
    """A position that the places refuse is told at its item."""
    assert told("klink", f"    seats 3\n    given\n        {given}\n    at scoring\n")[0] == message


def test_a_step_that_is_not_there() -> None:
    """The hint lists those that are."""
    lines = '    seats 2\n    at round_won "Mark"\n'
    hint = (
        "it has “Mark a circle”, “Third mark?”, “Clear the board”, "
        "“The winner begins the next round”"
    )

    assert told("jinx", lines) == ("nothing in `round_won` is called “Mark”", hint)


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        (
            "chance 7, 1",
            "`7, 1` cannot come here",
            "chance decides black, white: "
            "1, 1 or 1, 2 or 1, 3 or 1, 4 or 1, 5 or 1, 6 or 2, 1 or 2, 2 or …",
        ),
        (
            "chance 3",
            "`3` cannot come here",
            "chance decides black, white: 1, 1 or 1, 2 or 1, 3 or 1, 4 or 1, 5 or 1, 6 or 2, 1 or "
            "2, 2 or …; write one of each, as `chance 6, 6`",
        ),
        ("expect chance (black is 3) is 5 of 36", "the odds are 6 of 36", ""),
        ("expect chance [3, 3] is 2 of 36", "the odds are 1 of 36", ""),
        ("expect next A", "next, chance decides black, white (36 outcomes)", ""),
    ],
)
def test_chance(line: str, message: str, hint: str) -> None:
    """Messages about chance name what is drawn."""
    assert told("jinx", f"{JINX}    {line}\n") == (message, hint)


def test_odds_of_an_event() -> None:
    """A test in brackets is counted over all outcomes, whatever the total is written as."""
    one = ran("jinx", f"{JINX}    expect chance (grid[black, white] is empty) is 70 of 72\n")

    assert isinstance(one, Ran)
    assert one.failure is None


def test_a_wrong_setting_is_told_at_its_line() -> None:
    """Not at the configuration that the scenario asks for."""
    one = ran("klink", "    seats 3\n    set several_pairs = twice\n    at scoring\n")

    assert isinstance(one, Unreadable)
    assert [str(found.span) for found in one.report] == ["it.rules:5:5"]


COUNTING = """rulebook counting "Counting"
    seats 1..2
var n: 0..9 = 0
start
    -> turn
phase turn
    n = if n < 9 then n + 1 else 9
    first(players) chooses "Go on?"
        more "More"
            -> turn
invariant "Not yet two" at turn
    n < 2

scenario "It"
    A: more
    A: more
    A: more
"""


def test_an_invariant_is_kept_where_its_phase_begins(tmp_path: Path) -> None:
    """Though no stop stands there; the hint says which line of the scenario led to it."""
    (tmp_path / "counting.rules").write_text(COUNTING)
    sources = library.read(str(tmp_path / "counting.rules"))
    assert not isinstance(sources, Report)
    spec = compile_sources(sources)
    assert not isinstance(spec, Report), [found.message for found in spec]
    (one,) = run_scenarios(spec)

    assert isinstance(one, Ran)
    assert one.failure is not None
    assert one.failure.message == "the invariant “Not yet two” is broken"
    assert one.failure.hint.endswith("counting.rules:17:5")


def test_an_invariant_that_the_position_breaks_is_not_checked() -> None:
    """It is reported instead."""
    lines = """
    seats 3
    given
        offer = gift, swap
        active = A
    at scoring
    expect active is A
"""
    one = ran("klink", lines)

    assert isinstance(one, Ran)
    assert one.failure is None
    assert "Three abilities lie open" in one.unchecked


def test_locals_have_their_first_values_at_a_step_inside() -> None:
    """Who begins in the middle of a phase finds what its head says of the locals."""
    lines = """
    seats 3
    given
        drawn = 4, 9
        deck = 3, 11, ...
        active = C
    at turn "Check 1 card"
    expect next C
    C: choose drawn[1]
    expect refused hand_on to C                                         @KL-4.14
"""
    one = ran("klink", lines)

    assert isinstance(one, Ran)
    assert one.failure is None


def test_cards_of_a_pile_are_forced_one_by_one() -> None:
    """Each line names the next."""
    lines = """
    seats 3
    set first_player = A
    chance gift
    chance steal, trash
    expect offer = gift, steal, trash
"""
    one = ran("klink", lines)

    assert isinstance(one, Ran)
    assert one.failure is None


@pytest.mark.parametrize(
    ("line", "word", "hint"),
    [
        ("A: keap", "keap", "did you mean `keep`?"),
        ("A: discard 3", "discard", "A can: choose drawn[1] or choose drawn[2]"),
        ("B: xyzzy 3", "xyzzy", "there are choose, keep,"),
    ],
)
def test_no_option_is_called_so(line: str, word: str, hint: str) -> None:
    """A word that no decision of the game knows is told before anything is looked past."""
    message, said = told("klink", f"{KLINK}    {line}\n")

    assert message == f"no option of this game is called `{word}`"
    assert said.startswith(hint)


def test_what_is_no_token_is_told_which_there_are() -> None:
    """A piece is written as its class says; those that there are stand behind it."""
    lines = "    seats 2\n    given\n        grid[1, 1] = Z\n        active = A\n    at turn\n"

    assert told("jinx", lines) == ("`Z` is no marker", "they are written `A`, `B`")


UNSEEN = """
    seats 3
    set memory = hidden
    given
        collection[A] = 1, 2, 9 down, 12 down, 15 down
        deck = 3, 17, ...
        offer = clear_out, gift, swap
        active = A
        rest in ability_deck
    at turn
    A: choose drawn[1]
    A: keep
    A: clear_out with [9, 12]
"""


@pytest.mark.parametrize("forced", ["chance [15, 9]", "chance 15, 9"])
def test_cards_taken_unseen_are_forced(forced: str) -> None:
    """In any order, with brackets or without; their odds are those of each set."""
    lines = "expect chance [12, 15] is 1 of 3", forced, "expect discards = 9, 15"
    one = ran("klink", UNSEEN + "".join(f"    {line}\n" for line in lines))

    assert isinstance(one, Ran)
    assert one.failure is None


def test_cards_that_are_not_among_those_unseen() -> None:
    """What chance decides has the name of the answer's slot."""
    message, hint = told("klink", f"{UNSEEN}    chance 9, 17\n")

    assert message == "`9, 17` cannot come here"
    assert hint == (
        "chance decides which of those that look alike gone is: 9, 12 or 9, 15 or 12, 15"
    )
