"""`play`: in a pipe, and at a real terminal."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import define, field

from ruleengine.record import Record
from tests.cli.piped import ESCAPE, ROOT, kuhn, run

PATIENCE = 300.0  # seconds until a terminal is given up; a busy machine starts slowly


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")


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
        (("play", "klink", "--set", "memory"), "`memory` needs a reading: `memory=public` or"),
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
    assert "A: Move an own piece: with AL, to grid[1, 1]." in done.output
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
            env={**known, "TERM": "xterm", "PYTHONPATH": ROOT},
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
        """Presses Ctrl-C until the command ends: just when Python begins to wait, one is lost."""
        limit = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < limit:
            self.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
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
