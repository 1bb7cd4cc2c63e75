"""A game at one screen: answers, what is shown, people and bots."""

import pytest
from attrs import evolve

from compiler.diagnostic import Report
from compiler.pipeline import compile_sources
from compiler.source import SourceFile
from ruleengine.game import Instance, load
from ruleengine.match import random_match
from ruleengine.play.course import Course
from ruleengine.play.seating import WrongSeat, seating
from ruleengine.play.session import At, Session
from ruleengine.wording import result_words
from tests.engine.screens import STUCK, WIDTH, Drawer, game, session, shown, typed

# ---- answers


@pytest.mark.parametrize("words", ["1", "keep", "KEEP", "Keep both", "k", "keep b"])
def test_an_answer_has_many_forms(words: str) -> None:
    """A number, the words of a record, those shown, their beginnings; capitals do not matter."""
    at = session("klink")
    typed(at, "1", words)

    kept = [str(step) for step in at.course.steps if str(step).startswith("A:")]
    assert kept == ["A: choose drawn[1]", "A: keep"]


@pytest.mark.parametrize(
    "words", ["2", "hand_on to B", "hand on b", "hand b", "pass both to b", "pass", "p b", "pass b"]
)
def test_small_words_may_be_left_out(words: str) -> None:
    """An answer may be said without `to`, and without its slot if it is the only one so."""
    at = session("klink")
    typed(at, "1", words)

    assert "A: hand_on to B" in map(str, at.course.steps)


def test_a_seat_is_not_a_small_word() -> None:
    """`hand_on a` means seat A, which may not be passed to, and no other seat."""
    at = session("klink")
    told = typed(at, "1", "hand_on a")

    assert told.startswith("No: hand_on to A is not legal, because\n  unless q is already asked")
    assert at.waits


def test_an_answer_that_could_be_several_is_none() -> None:
    """Several answers that fit alike are listed, and the question stays."""
    at = session("jinxx")
    told = typed(at, "go")

    assert told.startswith("`go` could be go with")
    assert "Say a little more, or a number." in " ".join(told.split())
    assert at.at is At.ANSWER


def test_a_set_has_no_order() -> None:
    """Members of a set may be typed in any order, with or without brackets."""
    at = session("highjinks")
    typed(at, "5d 2d qd 3s ac 2h")

    assert any("choose [QD, 3S, 2D, AC, 2H, 5D]" in str(step) for step in at.course.steps)


def test_numbers_that_are_answers_are_not_counted_anew() -> None:
    """Where the answers are numbers, a number means itself."""
    at = session("connect_four")
    typed(at, "7")

    assert "A: choose 7" in map(str, at.course.steps)


def test_a_number_too_high() -> None:
    """A number that stands for nothing is refused with those that do."""
    assert typed(session("klink"), "9") == "The numbers here are 1 to 2.\n"


def test_enter_gives_the_only_answer() -> None:
    """Nothing typed is the only answer where there is one, and a question else."""
    at = session("jinks")
    assert typed(at, "") != "There are 1 answers: type one of the numbers.\n"
    assert "A: throw" in map(str, at.course.steps)
    two = session("klink")

    assert typed(two, "") == "There are 2 answers: type one of the numbers.\n"


# ---- what is shown


def test_first_screen() -> None:
    """What has happened, the table as the seat sees it, the question and its answers."""
    at = session("kuhn", seed=2)

    assert at.feed("table").text == (
        "\n"
        "-- Kuhn poker: A -------------------------------------------\n"
        "  deck    [?]\n"
        "  A (you)  stake 1, payoff 0\n"
        "    hand  Q\n"
        "  B (bot)  stake 1, payoff 0\n"
        "    hand  [?]\n"
        "\n"
        "A: Bet or check?\n"
        "  1  bet\n"
        "  2  check\n"
    )


def test_a_card_that_was_looked_at() -> None:
    """A seat sees which card it knows, and who has looked at another."""
    at = session("klink")
    lines = typed(at, "2").splitlines()

    assert "  drawn           [?]  18*  (C looked at the 1st)" in lines
    assert "  (* lies face down, and you know it)" in lines
    assert "  A looks at the 2nd of drawn: 18." in lines


def test_a_board_has_coordinates() -> None:
    """A board is shown with the first column left and the first row below."""
    at = session("tictactoe", "AB")
    text = typed(at, "choose grid[3, 1]")

    assert "    3  .  .  .\n    2  .  .  .\n    1  .  .  A\n       1  2  3\n" in text


def test_a_tower_is_told_from_its_top() -> None:
    """Pieces on one square stand one upon the other, the top one first."""
    at = session("jinxx", seed=3)
    while "/" not in shown(at) and not at.over:
        at.feed("1")
    rows = [line for line in at.feed("table").text.splitlines() if "/" in line]

    assert all(part.strip("BA")[0] in "SM" for row in rows for part in row.split() if "/" in part)


@pytest.mark.parametrize("name", ["klink", "highjinks", "jinxx", "jinks", "connect_four", "jinx"])
@pytest.mark.parametrize("width", [40, 60])
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    """Pages fit into a narrow terminal, whatever is asked at the prompt."""
    at = session(name, "AB", width=width)
    pages = [at.begin()]
    for turn in range(60):
        if at.waits:
            commands = ("help", "rules", "log 400", "why 1") if turn % 9 == 0 else ()
            answer = "" if at.at is At.HAND_OVER else "1"
            pages += [at.feed(line) for line in (*commands, answer)]
        elif not at.over:
            pages.append(at.go_on())

    wide = [line.text for page in pages for line in page.lines if len(line.text) > width]
    assert wide == []


# ---- several people


def test_the_screen_is_handed_over() -> None:
    """Before another person is asked, nothing is on the screen that only the first may see."""
    at = session("kuhn", "AB", seed=2)
    assert at.prompt == "[Enter: I am A] "
    first = at.feed("")
    page = at.feed("bet")
    while not at.waits:
        page = at.go_on()

    assert first.fresh
    assert "    hand  Q" in first.text
    assert page.fresh
    assert page.text == (f"{'-' * 60}\nHand over to B. Only B may look at what comes next.\n")
    assert typed(at, "log") == "First let B take over: press Enter.\n"
    assert at.feed("").fresh


def test_nothing_is_handed_over_where_nothing_is_hidden() -> None:
    """Tic-tac-toe has no secrets: people just take turns."""
    at = session("tictactoe", "AB")

    assert at.prompt == "A> "
    typed(at, "1")
    assert at.prompt == "B> "


def test_sealed_choices_stay_sealed() -> None:
    """In a joint decision nobody is told what another has picked, or that he has."""
    at = session("highjinks", "AB")
    typed(at, "", "1")
    second = typed(at, "")

    assert "A:" not in second
    assert "A: Keep six" in typed(at, "1", "")


def test_end_of_a_game() -> None:
    """The last page shows the table as everybody sees it, and who has won."""
    at = session("kuhn", "AB", seed=2)
    told = typed(at, "", "check", "", "check")

    assert told.splitlines()[-1].startswith("The game is over: ")
    assert "(you)" not in told


def test_rules_that_break_down() -> None:
    """A spec at fault ends the game with what is wrong and where, in words."""
    at = session_of(STUCK)
    shown(at)
    told = typed(at, "double", "double")

    assert told.startswith("The rules break down here; the game cannot go on.\n")
    assert "(test.rules:18)" in told
    assert at.over
    assert [str(step) for step in at.course.steps if str(step)[0] == "A"] == ["A: double"]


def session_of(text: str) -> Session:
    """A session of a rulebook that is written in a test."""
    return Session.of(Course.begin(_written(text), 1), [0], Drawer(), WIDTH)


def _written(text: str) -> Instance:
    sources = game("kuhn").compiled.spec.sources
    made = compile_sources(evolve(sources, base=SourceFile("test.rules", text)))
    assert not isinstance(made, Report)
    return load(made)


# ---- bots


@pytest.mark.parametrize("seed", range(3))
def test_bots_alone_play_the_games_of_simulations(seed: int) -> None:
    """A game of bots with a seed is the first that `simulate` plays with it."""
    at = session("klink", "", seed)

    assert at.course.result == result_words(random_match(game("klink"), seed, 0).result)


@pytest.mark.parametrize(
    ("people", "bots", "expected"),
    [
        (None, None, (0,)),
        ("b", None, (1,)),
        ("A,C", None, (0, 2)),
        (None, "all", ()),
        (None, "none", (0, 1, 2)),
        (None, "B, C", (0,)),
        ("A", "all", (0,)),
        ("A", "C", (0, 1)),
    ],
)
def test_seating(people: str | None, bots: str | None, expected: tuple[int, ...]) -> None:
    """Who is not said to be a bot is a person, if bots are said."""
    assert seating(3, people, bots) == expected


@pytest.mark.parametrize(("people", "bots"), [("D", None), ("A", "A"), (None, "x")])
def test_seats_that_cannot_be(people: str | None, bots: str | None) -> None:
    """A seat that is not there, or a person who is a bot."""
    with pytest.raises(WrongSeat):
        seating(3, people, bots)
