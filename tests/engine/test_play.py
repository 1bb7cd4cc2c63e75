"""A game at one screen: what is typed and what is shown, and that nothing shown tells too much."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from attrs import define, evolve, field

from compiler.diagnostic import Report
from compiler.pipeline import compile_sources
from compiler.source import SourceFile
from ruleengine.game import Instance, load
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.log import Log, Observers, information_state
from ruleengine.knowledge.protocol import Observer
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.world import Worlds
from ruleengine.match import random_match
from ruleengine.play.course import Course
from ruleengine.play.faces import Faces
from ruleengine.play.names import Names
from ruleengine.play.retelling import Retelling, retold
from ruleengine.play.scene import Scene
from ruleengine.play.seating import WrongSeat, seating
from ruleengine.play.session import At, Session
from ruleengine.play.shelf import ShelfError
from ruleengine.play.telling import Telling
from ruleengine.record import Record
from ruleengine.rng import stream
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Outcome, Stop
from ruleengine.table import Table
from ruleengine.wording import result_words

TINY = Path(__file__).parents[1] / "knowledge" / "games"
WIDTH = 60

STUCK = """rulebook stuck "Stuck"
    seats 1..1
card number "Numbers"
    value: 1..3
    copies 1
    written value
zone deck: pile of number, face down
zone hand per player: set of number, face down, seen by holder
start
    move all of number to deck
    shuffle deck
    repeat
        for p in players
            p chooses "Take how many?"
                single "One"
                    move top of deck to hand[p]
                double "Two"
                    move top 2 of deck to hand[p]
    until deck is empty
    end draw
"""


@define
class Drawer:
    """A shelf that is a dictionary."""

    texts: dict[str, str] = field(factory=dict)

    def put(self, name: str, text: str) -> None:
        """Keeps a text, unless the name is no good."""
        if "/" in name:
            raise ShelfError(f"{name} cannot be written: there is no such folder")
        self.texts[name] = text

    def get(self, name: str) -> str:
        """A text that was kept."""
        if name not in self.texts:
            raise ShelfError(f"{name} cannot be read: there is no such file")
        return self.texts[name]


@cache
def game(name: str, players: int | None = None) -> Instance:
    """A game by name, compiled once."""
    path = TINY / f"{name}.rules"
    return load(path if path.is_file() else name, players)


def session(name: str, people: str = "A", seed: int = 7, width: int = WIDTH) -> Session:
    """A session at its first question."""
    course = Course.begin(game(name), seed)
    begun = Session.of(course, [ord(seat) - ord("A") for seat in people], Drawer(), width)
    shown(begun)
    return begun


def shown(at: Session) -> str:
    """What is shown until somebody has to type, or until the end."""
    text = ""
    while not at.waits and not at.over:
        text += at.go_on().text
    return text


def typed(at: Session, *lines: str) -> str:
    """What is shown after lines were typed."""
    text = ""
    for line in lines:
        text = at.feed(line).text + shown(at)
    return text


def unnumbered(text: str) -> str:
    """A text without the numbers of lines in specs, which move."""
    return re.sub(r"(\.rules):\d+", r"\1:N", text)


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

    assert told.startswith("No: hand_on to A is not legal, because\n  unless q is involved")
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


# ---- commands


def test_why_an_answer_is_refused() -> None:
    """The first line that fails, what it reads, its clauses with their texts."""
    at = session("klink")
    told = unnumbered(typed(at, "1", "why hand_on to C"))

    assert told.startswith(
        "No: hand_on to C is not legal, because\n"
        "  unless q is involved  (klink.rules:N)\n"
        "  here q is C and involved is A and C\n"
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
        "  unless q is involved  (klink.rules:N)\n"
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
        "  unless q is involved  (klink.rules:N)\n"
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("fly", "No: `fly` is not legal: the options here are keep, look_too and hand_on"),
        ("hand_on Z", "No: hand_on Z is not legal: `Z` is no player; an answer looks like"),
        ("decline", "No: decline is not legal: this decision must be answered"),
        ("", "Say which answer, as in `why 1` or `why` and an option's name."),
    ],
)
def test_why_of_nonsense(said: str, told: str) -> None:
    """What is no answer at all is told with what could be one."""
    at = session("klink", width=100)

    assert typed(at, "1", f"why {said}").startswith(told)


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


def test_quit_leaves() -> None:
    """The session is over, and there is something to keep once somebody has answered."""
    at = session("klink")
    assert not at.has_answers
    typed(at, "1", "quit")

    assert at.over
    assert at.has_answers


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


# ---- nothing shown depends on what cannot be known


@pytest.mark.parametrize("name", ["klink", "highjinks", "kuhn", "jinks"])
def test_a_screen_is_the_same_in_every_world(name: str) -> None:
    """Hidden cards are dealt anew: the screen, the answers and the reasons stay as they are."""
    at = session(name)
    machine = game(name).interpreter
    worlds = Worlds.of(machine.terms, machine.sight, game(name).hearing.viewer)
    tape = Drawn(stream(5, 0, 1))
    compared = changed = 0
    for _ in range(24):
        if at.over:
            break
        mine = _everything(at)
        kept = at.course.now
        for _ in range(3):
            table = worlds.world(at.course.view(0), tape)
            stop = machine.advance(table)
            at.course.moments[-1] = evolve(kept, table=table, stop=stop)
            assert _everything(at) == mine
            compared += 1
            changed += table.kind != kept.table.kind or table.pools != kept.table.pools
        at.course.moments[-1] = kept
        answers = list(at._offers())
        typed(at, answers[compared % len(answers)].number)

    assert compared > 0
    assert changed > 0


def _everything(at: Session) -> tuple[str, ...]:
    """All that the person asked can have shown."""
    commands = ("table", "options", "rules", "log 900", "why 1", "why z", "z")
    step = at.course.game.graph.nodes[at.course.now.table.node].step
    names = [option.name for option in getattr(step, "options", ())]
    return tuple(at.feed(text).text for text in (*commands, *(f"why {name}" for name in names)))


@pytest.mark.parametrize("name", ["kuhn", "mini_klink", "carousel", "reply", "seer", "two_oracles"])
def test_what_is_told_follows_from_the_log(name: str) -> None:
    """Who has observed the same is told the same, in every history of a tiny game."""
    told: dict[tuple[int, str], tuple[str, ...]] = {}
    wrong = []
    count = 0
    for log, sentences in _histories(game(name)):
        for observer in range(game(name).seats + 1):
            key = observer, information_state(log, observer)
            if told.setdefault(key, sentences[observer]) != sentences[observer]:
                wrong.append((key, told[key], sentences[observer]))
            count += 1

    assert wrong == []
    assert len(told) < count


def _histories(of: Instance) -> Iterator[tuple[Log, tuple[tuple[str, ...], ...]]]:
    """Every stop of every history: the log, and all sentences so far per observer."""
    machine = of.interpreter
    telling = Telling(machine.statics, machine.sight, Names.of(machine.statics, of.hearing.words))
    table = machine.start()
    nothing: tuple[tuple[str, ...], ...] = ((),) * (of.seats + 2)
    yield from _on(of, telling, table, Log.of(of.hearing, table), nothing)


def _on(
    of: Instance,
    telling: Telling,
    table: Table,
    log: Log,
    so_far: tuple[tuple[str, ...], ...],
) -> Iterator[tuple[Log, tuple[tuple[str, ...], ...]]]:
    machine = of.interpreter
    stop = machine.advance(table, Observers((of.knowledge, log, telling)))
    sentences = _longer(so_far, telling)
    if not isinstance(stop, ChanceStop):
        yield log, sentences
    for act in _ways(of, stop):
        way, told = table.copy(), log.copy()
        act(way, Observers((of.knowledge, told, telling)))
        yield from _on(of, telling, way, told, _longer(sentences, telling))


def _ways(of: Instance, stop: Stop) -> Iterator[Callable[[Table, Observer], None]]:
    """All that can be done at a stop; of a joint one all that its first seat can do."""
    machine = of.interpreter
    match stop:
        case ChanceStop(outcomes=odds):
            for outcome in odds:
                yield partial(_draw, machine, outcome)
        case Decision(choices=choices) | JointDecision(choices=(choices, *_)):
            for choice in choices:
                yield partial(_choose, machine, choice)
        case _:
            return


def _draw(machine: Interpreter, outcome: Outcome, table: Table, observer: Observer) -> None:
    machine.draw(table, outcome, observer)


def _choose(machine: Interpreter, choice: Choice, table: Table, observer: Observer) -> None:
    machine.choose(table, choice, observer)


def _longer(so_far: tuple[tuple[str, ...], ...], telling: Telling) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (*before, *(told.text for told in now))
        for before, now in zip(so_far, telling.take(), strict=True)
    )


# ---- told again


def test_referee_and_seat() -> None:
    """The referee is told every face, a seat what it saw; both with clauses."""
    at = session("klink")
    typed(at, "1", "1")
    referee = "\n".join(line.text for line in Retelling(at.course, None, 72).lines())
    seat = "\n".join(line.text for line in Retelling(at.course, 1, 72).lines())

    assert " 5  C: choose drawn[1]  @KL-4.2 @KL-4.10 @KL-9.2\n" in referee
    assert "      C looks at the 1st of drawn: -4.\n" in referee
    assert "  C looks at the 1st of drawn.\n" in seat
    assert ": -4" not in seat.split("Keep both")[0]


def test_steps_are_those_of_the_record() -> None:
    """The referee's numbers count the lines of a record, so that they can be asked about."""
    at = session("klink")
    typed(at, "1")
    steps = [step for step in retold(at.course, None) if step.number]

    assert [step.words for step in steps] == [str(step) for step in at.course.steps]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert {step.number for step in retold(at.course, 1)} == {None}


def test_tables_of_referee_and_seat() -> None:
    """At each decision the referee sees what is settled; a seat sees its own decisions only."""
    at = session("kuhn", seed=2)
    typed(at, "bet")
    referee = "\n".join(line.text for line in Retelling(at.course, None, 72, True).lines())
    seat = "\n".join(line.text for line in Retelling(at.course, 0, 72, True).lines())

    assert "[?]" not in referee.replace("deck    [?]", "")
    assert seat.count("A (you)") == 1


@pytest.mark.parametrize("name", ["klink", "highjinks"])
def test_scenes_of_all_seats(name: str) -> None:
    """Every seat's table can be drawn at every stop of a game."""
    course = Course.begin(game(name), 3)
    for _ in range(120):
        match course.now.stop:
            case ChanceStop():
                course.draw()
            case Decision() | JointDecision():
                course.let_bot_choose(course.asked[0])
            case _:
                break
        for seat in course.seats:
            scene = Scene(course.names, Faces(course.names, course.view(seat)), 60, str)
            assert scene.lines()
