"""`play`, `replay`, `why` and `new`: in a pipe, with mistakes, and at a real terminal."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field
from click.testing import CliRunner, Result

from compiler.diagnostic import Report
from compiler.flowchart.chart import chart
from ruleengine.checking import check
from ruleengine.cli import group
from ruleengine.game import load, open_spec
from ruleengine.record import Play, Record
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios
from ruleengine.starter import WrongName, prefix, starter

PATIENCE = 300.0  # seconds until a terminal is given up; a busy machine starts slowly
ESCAPE = "\x1b"


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")


def run(*arguments: str, typed: str | None = None) -> Result:
    """What a command does, with lines piped in."""
    return CliRunner().invoke(group, arguments, input=typed)


def kuhn(*answers: str, path: str = "a.record") -> str:
    """A record of Kuhn poker; its path."""
    play = Play.begin(load("kuhn"), seed=2)
    for answer in answers:
        play.choose(answer)
    Path(path).write_text(str(play.record))
    return path


# ---- play in a pipe


def test_a_game_in_a_pipe() -> None:
    """Lines of the input are answers; they are shown behind the prompt, and nothing is coloured."""
    done = run("play", "kuhn", "--seed", "2", typed="bet\n")

    assert done.exit_code == 0
    assert "A: Bet or check?\n  1  bet\n  2  check\nA> bet\n" in done.output
    assert ESCAPE not in done.output
    assert "The game is over: " in done.output
    assert done.output.endswith(
        "Kept in kuhn-1.record.\nSee it again: rulewright replay kuhn kuhn-1.record\n"
    )


def test_the_end_of_the_input_loses_nothing() -> None:
    """A game that is broken off is kept, and goes on where it was."""
    first = run("play", "kuhn", "--bots", "none", "--seed", "2", typed="\nbet\n")
    kept = Path("kuhn-1.record").read_text()
    again = run("play", "kuhn", "--bots", "none", "--resume", "kuhn-1.record", typed="\ncall\n")

    assert first.output.endswith(
        "Kept in kuhn-1.record.\nGo on: rulewright play kuhn --resume kuhn-1.record --bots none\n"
    )
    assert [str(step) for step in Record.parse(kept).steps] == ["chance Q", "chance K", "A: bet"]
    assert "B: Call or fold?" in again.output
    assert "The game is over: B wins (-2 : 2)." in again.output
    assert sorted(path.name for path in Path().iterdir()) == ["kuhn-1.record"]
    assert Record.parse(Path("kuhn-1.record").read_text()).result == "B wins (-2 : 2)"


def test_nothing_typed() -> None:
    """Without a terminal and without input it says what to do, and keeps nothing."""
    done = run("play", "kuhn", "--seed", "2", typed="")

    assert done.exit_code == 0
    assert "let bots play with `--bots all`" in done.output
    assert list(Path().iterdir()) == []


def test_bots_among_themselves() -> None:
    """What everybody sees is told, then who won and how to have the same game again."""
    done = run("play", "kuhn", "--bots", "all", "--seed", "2")

    assert "2 players, all of them bots." in done.output
    assert done.output.endswith("The same game again: --seed 2\n")
    assert list(Path().iterdir()) == []
    assert done.output == run("play", "kuhn", "--bots", "all", "--seed", "2").output


def test_where_a_game_is_kept() -> None:
    """In the file that was named, else in the next that is free; nothing else is written over."""
    Path("notes.txt").write_text("mine")
    Path("kuhn-1.record").write_text("mine")
    run("play", "kuhn", "--seed", "2", "--record", "mine.record", typed="bet\n")
    refused = run("play", "kuhn", "--seed", "2", "--record", "notes.txt", typed="bet\n")
    saved = run("play", "kuhn", "--seed", "2", typed="save notes.txt\nsave no/such\nbet\n")

    assert Record.parse(Path("mine.record").read_text()).spec == "kuhn"
    assert "notes.txt is there and is no record; choose another name." in refused.output
    assert "Kept in kuhn-2.record." in refused.output
    told = " ".join(saved.output.split())
    assert "Not saved: notes.txt is there and is no record; choose another name." in told
    assert "Not saved: no/such cannot be written: No such file or directory." in told
    assert Path("notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("play", "kunn"), "no rulebook or variant is called `kunn`; did you mean `kuhn`?"),
        (("play", "klink", "--players", "7"), "it is for 3 to 5; see KL-R8"),
        (("play", "klink", "--players", "99"), "it is for 3 to 5; see KL-R8"),
        (("play", "klink", "--set", "memory"), "`memory` is none: write `NAME=VALUE`"),
        (("play", "kuhn", "--seed", "-1"), "`-1` is no whole number of at least 0"),
        (("play", "kuhn", "--seed", "x"), "`x` is no whole number of at least 0"),
        (("play", "kuhn", "--record", "no/a.record"), "there is no folder `no`"),
        (("play", "."), "no rulebook"),
        (("play", "klink", "--set", "point_limit=0"), "it is one of the numbers 1 to 500"),
        (("play", "klink", "--set", "memry=hidden"), "did you mean `memory`?"),
        (("play", "kuhn", "--seat", "C"), "there is no seat `C`: the seats are A and B"),
        (("play", "kuhn", "--seat", "A", "--bots", "A"), "A cannot be a person and a bot"),
        (("play", "kuhn", "--resume", "no.record"), "`no.record` cannot be read: there is no such"),
        (("replay", "kuhn", "no.record"), "`no.record` cannot be read: there is no such file"),
        (("why", "kuhn", "no.record", "bet"), "`no.record` cannot be read: there is no such file"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], told: str) -> None:
    """Mistakes on the command line are answered with what would be right; the code is 2."""
    done = run(*arguments)

    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_answers_are_said_as_people_say_them() -> None:
    """What lies at several places is told with its place; a set has no brackets."""
    done = run("play", "jinxx", "--seed", "5", typed="with AL from A's tree 1 to grid 1 1\n")
    sets = run("play", "highjinks", "--seed", "5", typed="why 2h 4h 5h 6h 7d jh\n")

    assert "with AL from A's tree 1 to grid[1, 1]" in done.output
    assert "A: Move a piece: with AL, to grid[1, 1]." in done.output
    assert "  1  7D, JH, 5H, 6H, 2H, 4H" in sets.output
    assert "or type the names, in any order, as in `7D JH 5H 6H 2H 4H`" in sets.output.replace(
        "\n      ", " "
    )
    assert "Yes: [7D, JH, 5H, 6H, 2H, 4H] is legal" in sets.output


def test_why_by_a_word_of_the_title() -> None:
    """An option is found by any word that it is called by."""
    done = run("play", "klink", "--given", "first_player=A", "--seed", "11", typed="1\nwhy both\n")

    assert "keep" in done.output
    assert "Not legal: hand_on to A" in done.output


# ---- broken records


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A: raise", "a.record, line 9: `A: raise` does not fit\n  what fits here:\n    A: bet\n"),
        ("B: bet", "a.record, line 9: `B: bet` does not fit\n  what fits here:\n    A: bet\n"),
        ("chance Q", "a.record, line 9: `chance Q` does not fit\n"),
        ("nonsense", "a.record, line 9: `nonsense` is no line of a record\n"),
        ("end A wins", "a.record, line 9: `end A wins` does not fit\n"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "play", "why"])
def test_a_line_that_does_not_fit(command: str, line: str, told: str) -> None:
    """The line is named, with what fits there; the code is 1."""
    text = Path(kuhn("bet")).read_text()
    Path("a.record").write_text(text.replace("A: bet", line))
    more = {"replay": ("kuhn", "a.record"), "play": ("kuhn", "--resume", "a.record")}
    done = run(command, *more.get(command, ("kuhn", "a.record", "bet")))

    assert done.exit_code == 1
    assert told in done.output


def test_a_record_of_another_game() -> None:
    """It is said which rulebook the record was made with."""
    path = kuhn("bet")
    done = run("replay", "tictactoe", path)

    assert done.exit_code == 1
    assert "a.record was made with `kuhn`; it is tried with `tictactoe`." in done.output
    assert (
        "a game of `kuhn`, not of `tictactoe`" in run("play", "tictactoe", "--resume", path).output
    )


def test_rules_that_have_changed_since() -> None:
    """A record whose lines all fit is told, with a word of warning."""
    text = Path(kuhn("bet", "call")).read_text()
    digest = text.split("hash ")[1].split()[0]
    Path("a.record").write_text(text.replace(digest, "0" * 16))
    done = run("replay", "kuhn", "a.record")

    assert done.exit_code == 0
    assert "The rules have changed since a.record was made; every line still fits." in done.output


def test_a_record_of_another_version() -> None:
    """It is said which version it is, and which can be read."""
    text = Path(kuhn("bet")).read_text()
    Path("a.record").write_text(text.replace("rulewright record 1", "rulewright record 7"))
    done = run("replay", "kuhn", "a.record")

    assert done.exit_code == 1
    assert "a record of version 7, and only version 1 can be read" in done.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_full_disk() -> None:
    """A game is shown if it cannot be kept; output that cannot be written is said in a line."""
    kept = run(
        "play", "kuhn", "--seed", "2", "--record", "/dev/full", typed="save /dev/full\nbet\n"
    )
    told = " ".join(kept.output.split())
    code = (
        "import sys; from ruleengine.cli import main; "
        "sys.argv[1:] = ['replay', 'kuhn', 'a.record']; main()"
    )
    kuhn("bet")
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-c", code],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": _root()},
            check=False,
        )

    assert "Not saved: /dev/full cannot be written: it is no file." in told
    assert "Kept in kuhn-1.record." in told
    assert process.returncode == 2
    assert process.stderr.decode() == (
        "Error: cannot go on with the output: No space left on device\n"
    )


# ---- replay and why


def test_replay_for_the_referee() -> None:
    """Every line of the record, numbered, with all that came of it."""
    done = run("replay", "kuhn", kuhn("bet", "call"))

    assert done.output == (
        "     J, Q, K from box to deck.\n"
        "     Shuffled: deck.\n"
        "1  chance Q\n"
        "     Q from deck to A's hand.\n"
        "2  chance K\n"
        "     K from deck to B's hand.\n"
        "3  A: bet\n"
        "     stake of A is 2.\n"
        "4  B: call\n"
        "     stake of B is 2.\n"
        "     payoff of B is 2.\n"
        "     payoff of A is -2.\n"
        "     The game is over.\n"
        "end B wins (-2 : 2)\n"
    )


def test_replay_for_a_seat() -> None:
    """Only what the seat observed, without numbers."""
    done = run("replay", "kuhn", kuhn("bet"), "--seat", "b")

    assert done.output == (
        "  J, Q, K from box to deck.\n"
        "  Shuffled: deck.\n"
        "  1 card from deck to A's hand.\n"
        "  1 card from deck to B's hand: K.\n"
        "A: Bet\n"
        "  stake of A is 2.\n"
        "here the record ends\n"
    )
    assert run("replay", "kuhn", "a.record", "--seat", "Z").exit_code == 2


def test_replay_as_json() -> None:
    """The steps with their numbers, words and clauses."""
    document = json.loads(run("replay", "kuhn", kuhn("bet", "call"), "--json").output)
    told = document["specs"][0]

    assert told["result"] == "B wins (-2 : 2)"
    assert [step["words"] for step in told["steps"]] == [
        "",
        "chance Q",
        "chance K",
        "A: bet",
        "B: call",
    ]


def test_why_at_a_step() -> None:
    """By default the last decision is asked about; `--at` goes to another."""
    path = kuhn("bet", "call")

    assert run("why", "kuhn", path, "fold").output == (
        "Step 4, B: Call or fold?\nYes: fold is legal, because nothing forbids it.\n"
    )
    assert run("why", "kuhn", path, "--at", "3", "fold").output == (
        "Step 3, A: Bet or check?\nNo: `fold` is not legal: the options here are bet and check\n"
    )
    wrong = run("why", "kuhn", path, "--at", "1", "fold")
    assert wrong.exit_code == 2
    assert "nobody is asked at step 1; decisions near it are 3, 4" in wrong.output


def test_why_cites_clauses() -> None:
    """The line that refuses, its values, its clauses; for programs too."""
    run("play", "klink", "--seed", "7", typed="1\n")
    done = run("why", "klink", "klink-1.record", "hand_on", "to", "C")
    document = json.loads(run("why", "klink", "klink-1.record", "hand_on to C", "--json").output)
    answer = document["specs"][0]["answers"][0]

    assert "  unless q is involved" in done.output
    assert "KL-4.14" in done.output
    assert (answer["answer"], answer["legal"]) == ("hand_on to C", False)
    assert answer["clauses"] == ["KL-4.9", "KL-4.14", "KL-R7"]
    assert answer["values"] == ["q is C", "involved is A and C"]


# ---- new


def test_a_new_rulebook() -> None:
    """It checks without a finding, its scenarios come out, it plays and draws; its variant too."""
    done = run("new", "my_game")
    lines = done.output.splitlines()

    assert done.exit_code == 0
    assert lines[:4] == [
        "my_game/my_game.rules",
        "my_game/clauses.md",
        "my_game/my_game-scenarios.rules",
        "my_game/variants/long_my_game.rules",
    ]
    for name in ("my_game", "my_game+long_my_game"):
        spec = open_spec(name)
        assert not isinstance(spec, Report)
        checked = check(spec)
        assert checked.report.errors == checked.report.warnings == ()
        assert checked.coverage is not None
        assert checked.coverage.uncited == checked.coverage.missing == ()
    spec = open_spec("my_game")
    assert not isinstance(spec, Report)
    told = list(run_scenarios(spec))
    assert [ran for ran in told if not isinstance(ran, Ran) or ran.failure is not None] == []
    assert len(told) == 2
    assert chart(load("my_game").graph).nodes
    assert "The game is over" in run("play", "my_game", "--bots", "all", "--seed", "1").output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("My Game", "how about `my_game`?"),
        ("7up", "`7up` cannot be a name"),
        ("klink", "`klink` is a shipped rulebook; how about `my_klink`?"),
        ("there", "`there` is there already, and nothing is written over"),
    ],
)
def test_names_that_cannot_be(name: str, told: str) -> None:
    """A wrong name is answered with one that would do."""
    Path("there").mkdir()
    done = run("new", name)

    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert [path.name for path in Path().iterdir()] == ["there"]


@pytest.mark.parametrize(
    ("name", "letters"), [("race", "RA-"), ("my_game", "MG-"), ("x", "X-"), ("a_b_c2", "ABC-")]
)
def test_ids_are_named_after_the_game(name: str, letters: str) -> None:
    """Clauses have the first letters of a name before their numbers."""
    assert prefix(name) == letters
    assert f"{letters}1.1" in starter(name)["clauses.md"]
    assert "ST-" not in "".join(starter(name).values())


def test_a_name_without_letters() -> None:
    """What is no name at all gets no other one proposed."""
    with pytest.raises(WrongName, match=r"a letter first$"):
        starter("7")


# ---- a real terminal

_AT_A_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from ruleengine.cli import run
sys.exit(run(sys.argv[1:]))
"""


@define(eq=False)
class Terminal:
    """A command that runs at a terminal of 60 by 24."""

    process: subprocess.Popen[bytes]
    _screen: int
    _unread: str = field(default="", init=False)

    @classmethod
    def of(cls, *arguments: str) -> "Terminal":
        """A command just started."""
        pty = pytest.importorskip("pty")
        termios = pytest.importorskip("termios")
        screen, keyboard = pty.openpty()
        termios.tcsetwinsize(keyboard, (24, 60))
        known = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        process = subprocess.Popen(
            [sys.executable, "-c", _AT_A_TERMINAL, *arguments],
            stdin=keyboard,
            stdout=keyboard,
            stderr=keyboard,
            env={**known, "TERM": "xterm", "PYTHONPATH": _root()},
            start_new_session=True,
        )
        os.close(keyboard)
        return cls(process, screen)

    def type(self, text: str) -> None:
        """Presses keys."""
        os.write(self._screen, text.encode())

    def until(self, wanted: str) -> str:
        """What appears up to some words."""
        limit = time.monotonic() + PATIENCE
        while wanted not in self._unread:
            ready = self._is_ready(limit)
            assert ready, f"{wanted!r} did not appear, but {self._unread!r}"
            self._unread += self._read()
        shown, _, self._unread = self._unread.partition(wanted)
        return shown + wanted

    def end(self) -> str:
        """What appears until the command ends."""
        text, limit = self._unread, time.monotonic() + PATIENCE
        while self._is_ready(limit):
            more = self._read()
            if not more:
                break
            text += more
        self.process.wait(PATIENCE)
        return text

    def interrupt(self) -> str:
        """Presses Ctrl-C, once more if it came just when Python began to wait, and waits."""
        self.type("\x03")
        if not self._is_ready(time.monotonic() + 5):
            self.type("\x03")
        return self.end()

    def close(self) -> None:
        """Lets go of the terminal and ends what still runs."""
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._screen)

    def _is_ready(self, limit: float) -> bool:
        """Whether something appears, or the end, before a time."""
        left = max(0.0, limit - time.monotonic())
        return bool(select.select([self._screen], [], [], left)[0])

    def _read(self) -> str:
        try:
            return os.read(self._screen, 65536).decode(errors="replace")
        except OSError:  # how Linux says that nobody writes any more
            return ""


def _root() -> str:
    return str(Path(__file__).parents[2])


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals to be closed at the end of a test."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_two_people_at_a_terminal(terminals: list[Terminal]) -> None:
    """Colours, a clean screen at each hand-over, Ctrl-C that loses nothing."""
    at = Terminal.of("play", "kuhn", "--bots", "none", "--seed", "2")
    terminals.append(at)
    at.until("[Enter: I am A] ")
    at.type("\n")
    mine = at.until("A> ")
    at.type("why fold\n")
    reason = at.until("A> ")
    at.type("bet\n")
    handed = at.until("[Enter: I am B] ")
    at.type("\n")
    others = at.until("B> ")
    last = at.interrupt()

    assert "hand  Q" in mine
    assert ESCAPE in mine
    assert "the options here are bet and check" in " ".join(reason.split())
    assert f"{ESCAPE}[2J" in handed
    assert f"{ESCAPE}[3J" in handed
    assert "hand  K" in others
    assert "hand  Q" not in others
    assert "Kept in kuhn-1.record." in last
    assert at.process.returncode == 130
    assert Record.parse(Path("kuhn-1.record").read_text()).steps[-1].words == "bet"


def test_end_of_input_at_a_terminal(terminals: list[Terminal]) -> None:
    """Ctrl-D leaves as `quit` does; the game goes on with `--resume`."""
    at = Terminal.of("play", "kuhn", "--resume", kuhn("bet", path="kept.record"), "--seat", "B")
    terminals.append(at)
    shown = at.until("B> ")
    at.type("\x04")
    last = at.end()

    assert max(len(line.rstrip("\r")) for line in _bare(shown).split("\n")) <= 60
    assert "Traceback" not in last
    assert at.process.returncode == 0


def _bare(text: str) -> str:
    """A text without what only colours it."""
    parts = text.split(ESCAPE)
    return parts[0] + "".join(part.partition("m")[2] for part in parts[1:])


# ---- charts


def test_flow_at_the_prompt() -> None:
    """`flow` shows where the game stands, never the way there; with a file it draws."""
    typed = "flow\nflow a.dot\nflow a\nflow a.xyz\nbet\n"
    done = run("play", "kuhn", "--seed", "2", typed=typed)

    assert "decide  p: {now} Bet or check?" in done.output
    assert "Drawn in a.dot." in done.output
    assert 'color="#b45309"' in Path("a.dot").read_text()
    assert "Say a file with an ending, as in `flow kuhn.html`." in done.output
    assert "Not drawn: `a.xyz` says no format" in done.output
    assert "gone along" not in done.output


def test_replay_draws_the_game() -> None:
    """`--flow` numbers the arrows that a record went along, to its end or so many steps."""
    path = kuhn("bet", "fold")
    assert run("replay", "kuhn", path, "--flow", "a.txt").exit_code == 0
    assert run("replay", "kuhn", path, "--flow", "b.txt", "--upto", "1").exit_code == 0

    assert "{4} Bet -> 4" in Path("a.txt").read_text()
    assert "{now}" in Path("b.txt").read_text()
    assert "         Bet -> 4" in Path("b.txt").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upto", "1"], "`--phase` and `--upto` go with `--flow FILE`"),
        (["--flow", "a.txt", "--seat", "A"], "`--flow` draws"),
        (["--flow", "a"], "is no file with an ending"),
        (["--flow", "a.txt", "--phase", "shodown"], "did you mean `showdown`?"),
    ],
)
def test_replay_refuses_odd_drawings(options: list[str], said: str) -> None:
    """What goes together with nothing is said so, and nothing is written."""
    done = run("replay", "kuhn", kuhn("bet", "fold"), *options)

    assert (done.exit_code, said in done.output) == (2, True)
    assert not Path("a.txt").exists()
