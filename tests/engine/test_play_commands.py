"""A game at one screen: what can be typed besides answers."""

import pytest

from ruleengine.play.course import Course
from ruleengine.play.session import At, Session
from ruleengine.record import Record
from tests.engine.screens import Drawer, session, shown, typed, unnumbered
from tests.engine.test_play import session_of


def test_why_an_answer_is_refused() -> None:
    """The first line that fails, what it reads, its clauses with their texts."""
    at = session("klink")
    told = unnumbered(typed(at, "1", "why hand_on to C"))

    assert told.startswith(
        "No: hand_on to C is not legal, because\n"
        "  unless q is already asked  (klink.rules:N)\n"
        "  here q is C and already asked is A and C\n"
        "  KL-4.9   Passing: choose any player to whom the cards have\n"
    )
    assert "KL-4.14" in told
    assert "KL-R7" in told


def test_why_an_answer_is_legal() -> None:
    """The lines that it passes, and what it cites."""
    at = session("klink")
    told = unnumbered(typed(at, "1", "why pass both to b"))

    assert told.startswith(
        "Yes: hand_on to B is legal, because\n"
        "  unless q is already asked  (klink.rules:N)\n"
        "  KL-4.6 "
    )


def test_why_a_reading_rules_out() -> None:
    """An option of another reading says which ruling decides, and how it is read."""
    at = session("klink")
    told = unnumbered(" ".join(typed(at, "1", "why look_too").split()))

    assert told.startswith(
        "No: look_too is not legal: this configuration rules it out "
        "when second_look is explicit_option (klink.rules:N) KL-R5 May one look at both cards?"
    )
    assert told.endswith("Read here as: second_look = look_both_is_keep, “Only by keeping them”.")


def test_why_of_an_option_looks_at_every_answer() -> None:
    """What is left out may be anything: legal ones are named, the others with their reasons."""
    at = session("klink")
    told = unnumbered(typed(at, "1", "why hand_on"))

    assert told.startswith(
        "Legal: hand_on to B.\n"
        "Not legal: hand_on to A; hand_on to C, because\n"
        "  unless q is already asked  (klink.rules:N)\n"
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("fly", "No: `fly` is not legal: the options here are keep, look_too and hand_on"),
        ("hand_on Z", "No: hand_on to Z is not legal: `Z` is no player; an answer looks like"),
        ("decline", "No: decline is not legal: this decision must be answered"),
        ("", "Say which answer, as in `why 1` or `why` and an option's name."),
    ],
)
def test_why_of_nonsense(said: str, told: str) -> None:
    """What is no answer at all is told with what could be one."""
    at = session("klink", width=100)

    assert typed(at, "1", f"why {said}").startswith(told)


@pytest.mark.parametrize("command", ["why ", ""])
def test_a_square_with_and_without_a_blank(command: str) -> None:
    """`grid[2,8]` is read like `grid[2, 8]`, where it is asked about and where it is played."""
    at = session("breakthrough")
    told = typed(at, f"{command}move grid[2, 8], to grid[2, 7]")

    assert told.startswith("No: grid[2, 8], to grid[2, 7] is not legal: `grid[2, 8]` is")
    assert typed(at, f"{command}move grid[2,8],to grid[2,7]") == told


HOPS = """rulebook hops "Hops"
    seats 2
piece hare "Hares"
    owner: player
    copies 1
board field: 3 by 1 of one hare
start
    for p in players
        move all h in hare where h.owner is p to field[p.seat, 1]
    A chooses "Hop"
        hop s in squares(field) where s.owner is A "Hop"
            end draw
"""


@pytest.mark.parametrize(
    ("square", "read"),
    [("3", "field 3, 1 is empty"), ("2", "top of field 2, 1 is B, and owner of top of field 2, 1")],
)
def test_why_of_a_square_that_does_not_pass(square: str, read: str) -> None:
    """The square that was named, what it must be, and what lies there, if anything does."""
    told = typed(session_of(HOPS), f"why hop field[{square}, 1]")

    assert " ".join(told.split()).startswith(
        f"No: hop field[{square}, 1] is not legal: `field[{square}, 1]` cannot be `s`: "
        f"it must hold that owner of top of s is A, but {read}"
    )


@pytest.mark.parametrize("said", ["hop 1, 1", "hop 1,1", "HOP field[1,1]"])
def test_a_square_by_its_numbers(said: str) -> None:
    """A square may be said by its numbers, not only where one asks `why`."""
    at = session_of(HOPS)
    shown(at)

    assert typed(at, said).endswith("The game is over: a draw.\n")


def test_pieces_that_are_called_as_their_player() -> None:
    """A piece of A is no player: it moves as `piece A`."""
    at = session_of(HOPS)
    shown(at)

    assert typed(at, "log") == (
        "  piece A from box to field[1, 1].\n  piece B from box to field[2, 1].\n"
    )


def test_rules_of_a_decision() -> None:
    """The clauses of the question first, then what each option adds."""
    at = session("klink")
    lines = typed(at, "1", "rules").splitlines()

    assert lines[0] == "Keep or pass?"
    assert lines[1].startswith("  KL-4.4   After looking you must decide")
    assert "Pass both" in lines


def test_rules_of_a_game_without_clauses() -> None:
    """A spec that cites nothing says so."""
    assert typed(session("kuhn"), "rules") == "This decision cites no clause.\n"


def test_log_is_what_the_seat_observed() -> None:
    """Its own card by face, another's by its back."""
    at = session("kuhn", seed=2)

    assert typed(at, "log") == (
        "  J, Q, K from box to deck.\n"
        "  Shuffled: deck.\n"
        "  1 card from deck to A's hand: Q.\n"
        "  1 card from deck to B's hand.\n"
    )
    assert typed(at, "log 1") == "  … 3 before: `log 4`\n  1 card from deck to B's hand.\n"


def test_undo_takes_back_to_the_last_answer() -> None:
    """The answer and all that followed is gone, and comes again in the same way."""
    at = session("klink")
    before = str(at.course.record)
    once = typed(at, "1")
    told = typed(at, "undo")
    again = typed(at, "1")

    assert told.startswith("Taken back: A: choose drawn[1]\n")
    assert once == again
    assert str(at.course.record) != before
    typed(at, "undo")
    assert str(at.course.record) == before


def test_undo_at_the_beginning() -> None:
    """There is nothing to take back before the first answer."""
    assert typed(session("klink"), "undo") == "There is no answer to take back.\n"


def test_save_and_resume() -> None:
    """A game that is resumed stands where it stood, and goes on as it would have."""
    at = session("klink")
    typed(at, "1", "save here")
    kept = at.course.record
    one = typed(at, "1")
    told = typed(at, "resume here")

    assert at.course.record == kept
    assert told.startswith("Going on with here.\n")
    assert at.course.now.streams == course_of(at, kept).now.streams
    assert typed(at, "1") == one


def course_of(at: Session, record: Record) -> Course:
    """A course that followed a record from the beginning."""
    course = Course.begin(at.course.game, record.seed or 0)
    course.follow(record)
    return course


def test_what_cannot_be_saved_or_resumed() -> None:
    """A bad place, a missing file, another game, a line that does not fit: the game goes on."""
    at = session("kuhn")
    other = str(session("klink").course.record)
    wrong = str(Record.of(at.course.game, 7)) + "chance K\nchance K\n"
    assert isinstance(at.shelf, Drawer)
    at.shelf.texts.update(other=other, wrong=wrong, junk="hello")

    assert typed(at, "save a/b") == "Not saved: a/b cannot be written: there is no such folder.\n"
    assert "there is no such file" in typed(at, "resume nowhere")
    assert "this is a game of `klink`, not of `kuhn`" in typed(at, "resume other")
    assert "line 1: this is no record" in typed(at, "resume junk")
    assert typed(at, "resume wrong").startswith(
        "Not resumed; this game goes on.\n"
        "line 8: `chance K` does not fit\n"
        "  what fits here:\n"
        "    chance J\n"
        "    chance Q\n"
    )
    assert at.at is At.ANSWER


def test_an_option_with_the_name_of_a_command() -> None:
    """Where an option is called `help`, the command is `/help`."""
    at = session("jinxx")

    assert typed(at, "help").startswith("Not legal: help with")
    assert "Here an answer has the same name: type `/help`" in " ".join(typed(at, "/help").split())


@pytest.mark.parametrize(("said", "like"), [("status", "table"), ("What?", "options")])
def test_words_beside_commands(said: str, like: str) -> None:
    """What people type to see the table or the answers is taken for it."""
    assert typed(session("klink"), "1", said) == typed(session("klink"), "1", like)


def test_words_beside_commands_leave_options_alone() -> None:
    """A word that begins the name of an option stands for the option."""
    assert "A: Pass both: to B." in typed(session("klink"), "1", "hand")


def test_why_not() -> None:
    """`why not` asks as `why` does."""
    asked = typed(session("klink"), "1", "why hand_on to C")

    assert typed(session("klink"), "1", "why not hand_on to C") == asked


def test_quit_leaves() -> None:
    """The session is over, and there is something to keep once somebody has answered."""
    at = session("klink")
    assert not at.has_answers
    typed(at, "1", "quit")

    assert at.over
    assert at.has_answers
