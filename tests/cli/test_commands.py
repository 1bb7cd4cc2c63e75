"""The command line as people and programs use it: words, JSON, exit codes."""

import json
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from ruleengine.cli import COMMANDS, group, run
from tests.engine.games import COUNTER, ENDLESS, STUCK, UNFAIR, written

PROGRAM = [sys.executable, "-m", "ruleengine"]
BROKEN = """rulebook broken "Broken"
    seats 2..2
start
    end winners [C]
"""


def _json(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    """The one spec of a JSON document."""
    assert run([*arguments, "--json"]) == code
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert captured.err == ""
    assert document["schema_version"] == 1
    (entry,) = document["specs"]
    return entry


def _said(capfd: pytest.CaptureFixture[str], *arguments: str, code: int) -> tuple[str, str]:
    assert run(list(arguments)) == code
    captured = capfd.readouterr()
    return captured.out, captured.err


# ---- help


def test_help_says_what_commands_say() -> None:
    """The table of commands says the same as the help of each command."""
    context = click.Context(group)
    for name, words in COMMANDS.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert (command.help or "").strip()
        assert words.endswith(".")


def test_help_is_quick() -> None:
    """`--help` imports no command: neither the compiler nor the engine."""
    code = (
        "import sys, ruleengine.cli as c; c.run(['--help']);"
        "print([m for m in sys.modules if m.startswith(('compiler', 'ruleengine.game', 'rich'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.splitlines()[-1] == "[]"
    assert "simulate" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """`COMMAND --help` works, and says what the table of commands says."""
    out, _ = _said(capfd, name, "--help", code=0)

    assert out.startswith(f"Usage: rulewright {name}")
    assert import_module(f"ruleengine.cli.{name}").command.name == name


# ---- wrong use


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "klnk"], "did you mean `klink`?"),
        (["simulate", "klink", "--players", "9"], "3 to 5"),
        (["simulate", "klink", "--set", "pointlimit=3"], "did you mean `point_limit`?"),
        (["simulate", "klink", "--ruling", "KL-R8=two"], "KL-R8"),
        (["simulate", "klink", "--set", "nonsense"], "NAME=VALUE"),
        (["simulate"], "Missing argument"),
        (["check", "nowhere.rules"], "there is no file"),
        (["chek", "klink"], "did you mean `check`?"),
        (["nonsense"], "nonsense"),
        (["test", "klnk"], "did you mean `klink`?"),
        (["simulate", "kuhn", "--machine", "abacus"], "interpreter"),
    ],
)
def test_wrong_use(arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Wrong use is said on stderr, in words, and ends with 2."""
    out, err = _said(capfd, *arguments, code=2)

    assert out == ""
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["simulate", "explore", "flow", "test"])
def test_errors_in_a_spec(command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Errors in a spec are shown with their place, and end every command with 1."""
    out, err = _said(capfd, command, written(tmp_path, BROKEN), code=1)

    assert "broken.rules:4:" in out + err
    assert "Traceback" not in err


# ---- check


def test_check_json(capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read findings, how many clauses are cited, and which questions are open."""
    entry = _json(capfd, "check", "jinx")

    assert entry["name"] == "jinx"
    assert entry["diagnostics"] == []
    assert entry["clauses"] == {"mechanical": 20, "cited": 20, "uncited": []}
    assert entry["rulings"]["missing"] == []
    assert entry["rulings"]["catalogue"] == 19


def test_check_of_a_classic(capfd: pytest.CaptureFixture[str]) -> None:
    """A spec without a table of clauses cites nothing, and that is no error."""
    assert _json(capfd, "check", "kuhn")["clauses"] is None


def test_check_finds(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An error ends with 1 and is told once, though every configuration has it."""
    path = written(tmp_path, BROKEN)
    entry = _json(capfd, "check", path, code=1)

    assert [found["line"] for found in entry["diagnostics"]] == [4]
    assert _said(capfd, "check", path, "--exit-zero", code=0)[0] != ""


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        ("full", r"(?m)^error\[[a-z-]+\]: .*\n +--> .*broken\.rules:4:\d+$"),
        ("concise", r"broken\.rules:4:\d+: error\[[a-z-]+\]: "),
        ("github", r"^::error file=.*broken\.rules,line=4"),
        ("json", r'"line": 4'),
    ],
)
def test_check_formats(
    form: str, pattern: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Findings come in the form that is asked for, without colours in a pipe."""
    out, _ = _said(capfd, "check", written(tmp_path, BROKEN), "--format", form, code=1)

    assert re.search(pattern, out)
    assert "\x1b" not in out


def test_check_shows_clauses(capfd: pytest.CaptureFixture[str]) -> None:
    """The table of clauses says where each is implemented."""
    out, _ = _said(capfd, "check", "jinx", "--clauses", code=0)
    row = next(line for line in out.splitlines() if line.startswith("JI-3.9 "))

    assert re.match(r"JI-3\.9 +M +jinx\.rules:\d+", row)


def test_check_expands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A rulebook with a variant on it can be written out, and is a rulebook again."""
    out, _ = _said(capfd, "check", "klink+blank_klink", "--expanded", code=0)
    path = tmp_path / "short.rules"
    path.write_text(out.replace('    clauses "clauses.md"\n', ""), encoding="utf-8")

    assert "param point_limit: 1..500 = 40 " in out
    assert "\n                unless leads(q) and score[q] > 0\n" in out
    assert (
        _json(capfd, "simulate", str(path), "-n", "3")["decisions"]
        == (_json(capfd, "simulate", "klink+blank_klink", "-n", "3")["decisions"])
    )


# ---- test


def test_test_passes(capfd: pytest.CaptureFixture[str]) -> None:
    """A classic passes its scenarios and all laws; the summary says how many."""
    out, _ = _said(capfd, "test", "kuhn", "--games", "5", "-j", "1", code=0)

    assert out.startswith("kuhn ...............\n")
    assert "kuhn: all 46 situations of its one configuration" in out
    assert re.search(r"15 passed in [\d.]+ s", out)


def test_test_fails_with_the_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A failure shows what broke, where, and the play; it is kept as a record and a scenario."""
    path = written(tmp_path, UNFAIR)
    out, _ = _said(
        capfd, "test", path, "--games", "20", "-j", "1", "--records", str(tmp_path / "r"), code=1
    )
    (record,) = (tmp_path / "r").glob("*invariant*.record")
    (scenario,) = (tmp_path / "r").glob("*invariant*-scenario.rules")

    assert 'invariant "Counts stay small"' in out
    assert "unfair.rules:14:" in out
    assert "    1  A: more\n         count is 1.\n" in out
    assert record.read_text(encoding="utf-8").startswith("rulewright record 1\n-- breaks: ")
    assert "    A: more\n    A: more\n" in scenario.read_text(encoding="utf-8")


def test_test_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read how many tests passed, and each failure with its game."""
    words = ("test", written(tmp_path, STUCK), "--games", "20", "-j", "1")
    entry = _json(capfd, *words, "--records", str(tmp_path / "r"), code=1)
    (failure,) = entry["failures"]

    assert (entry["passed"], entry["failed"], entry["skipped"]) == (10, 1, 0)
    assert failure["sort"] == "law"
    assert failure["record"].startswith("rulewright record 1")


def test_test_picks_and_stops(capfd: pytest.CaptureFixture[str]) -> None:
    """`-k` picks by words of the name."""
    entry = _json(capfd, "test", "kuhn", "-k", "no token is lost", "--games", "1")

    assert (entry["passed"], entry["failed"]) == (1, 0)


def test_test_takes_variants_along(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A spec is tested with the variants found for it, unless they are left out."""
    path = written(tmp_path, COUNTER)
    (tmp_path / "hasty.rules").write_text(
        'variant hasty "More" of counter\n    set heap = 9\n', encoding="utf-8"
    )
    both, _ = _said(capfd, "test", path, "--games", "3", "-j", "1", code=0)
    alone, _ = _said(capfd, "test", path, "--games", "3", "-j", "1", "--no-variants", code=0)

    assert "+hasty " in both
    assert "+hasty " not in alone


# ---- simulate and explore


def test_simulate_json(capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read counts, lengths and winners by seat."""
    entry = _json(capfd, "simulate", "kuhn", "-n", "50", "--seed", "7")

    assert (entry["games"], entry["finished"], entry["unfinished"], entry["draws"]) == (
        50,
        50,
        0,
        0,
    )
    assert set(entry["decisions"]) == {"mean", "min", "max"}
    assert sum(entry["winners"].values()) == 50
    assert set(entry["winners"]) == {"A", "B"}
    assert entry["machine"] in ("wasm", "python")
    assert entry["machine_reason"] is None or entry["machine"] == "python"
    assert entry["seconds"] > 0
    assert entry["compile_seconds"] > 0


@pytest.mark.parametrize("name", ["auto", "interpreter", "python", "wasm"])
def test_simulate_on_any_machine(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The games of a seed come out alike whatever plays them."""
    entry, same = (
        _json(capfd, "simulate", "tictactoe", "-n", "30", "--seed", "5", "--machine", machine)
        for machine in (name, "interpreter")
    )
    different = {"machine", "machine_reason", "seconds", "compile_seconds"}

    assert entry.keys() == same.keys() > different
    assert {key for key in entry if entry[key] != same[key]} <= different


def test_simulate_says_what_plays(capfd: pytest.CaptureFixture[str]) -> None:
    """People read once what played a game."""
    _, err = _said(capfd, "simulate", "kuhn", "-n", "3", "--machine", "python", code=0)

    assert err == "kuhn: played by generated Python\n"


def test_simulate_for_people(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Several specs are lines of one table; what did not end is said beside it."""
    path = written(tmp_path, ENDLESS)
    out, err = _said(capfd, "simulate", "kuhn", path, "-n", "9", "--node-limit", "4", code=0)

    assert [line.split()[0] for line in out.splitlines()[:3]] == ["spec", "kuhn", "endless"]
    assert re.search(r"endless: \d unfinished: node-limit", err)
    assert "watch one: `rulewright play " in err


OUT = '            out "Out"\n'
NEVER = "                when turn is 5\n"


def test_simulate_gives_up(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Where no game comes to its end it is said early, few are played, and that is a finding."""
    path = written(tmp_path, ENDLESS.replace("0..1 = 0", "0..5 = 0").replace(OUT, f"{OUT}{NEVER}"))
    _, err = _said(capfd, "simulate", path, "-n", "500", "--node-limit", "50", code=1)

    first, *_, last = err.splitlines()
    assert "game 1 of 500 has not come to its end within 50 steps and is given up" in first
    assert "no game came to its end, so only 10 of 500 games were played" in last


def test_simulate_settings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`--set` and its other names choose parameters, facts and readings."""
    path = written(tmp_path, COUNTER)
    entry = _json(
        capfd,
        *("simulate", path, "-n", "4", "--players", "3", "--set", "heap=1"),
        *("--ruling", "last=loses"),
    )

    assert entry["players"] == 3
    assert entry["configuration"] == {"heap": 1, "last": "loses"}
    assert entry["winners"] == {"A": 0, "B": 4, "C": 4}


def test_simulate_breaks_down(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A rule that breaks down in a game ends with 1."""
    entry = _json(capfd, "simulate", written(tmp_path, STUCK), "-n", "20", code=1)

    assert entry["unfinished"] == entry["reasons"]["rule-error"] > 0
    assert len(entry["errors"]) == 1


def test_explore_json(capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read how many situations there are; fractions are text."""
    entry = _json(capfd, "explore", "kuhn")

    assert (entry["terminals"], entry["decisions"], entry["chance"]) == (18, 24, 4)
    assert (entry["dead_ends"], entry["depth"], entry["histories"]) == (0, 5, 58)
    assert entry["states"] == entry["terminals"] + entry["decisions"] + entry["chance"]
    assert entry["expected"]["wins"] == {"A": "9/16", "B": "7/16"}


def test_explore_looks_ahead(capfd: pytest.CaptureFixture[str]) -> None:
    """With `--depth` sequences of moves are counted, as is usual among those who write engines."""
    out, _ = _said(capfd, "explore", "connect_four", "--depth", "2", code=0)
    entry = _json(capfd, "explore", "connect_four", "--depth", "2")

    assert out.splitlines()[-1] == "connect_four, sequences of moves by their number: 1 7 49"
    assert entry["tree"]["by_depth"] == [1, 7, 49]


def test_explore_says_when_it_is_unfinished(capfd: pytest.CaptureFixture[str]) -> None:
    """More situations than the limit allows are a finding, told with how far it went."""
    out, err = _said(capfd, "explore", "tictactoe", "--limit", "100", code=1)
    entry = _json(capfd, "explore", "tictactoe", "--limit", "100", code=1)

    assert "> 103" in out
    assert "unfinished: more than 100 situations, 13 looked at" in err
    assert entry["unfinished"] in err
    assert (entry["complete"], entry["machine"]) == (False, "wasm")


def test_explore_counts_sequences(capfd: pytest.CaptureFixture[str]) -> None:
    """`--perft` counts every sequence of moves, on the machine that is asked for."""
    entry = _json(capfd, "explore", "connect_four", "--perft", "5", "--machine", "python")

    assert entry["sequences"] == [1, 7, 49, 343, 2401, 16807]
    assert entry["machine"] == "python"


def test_explore_finds_dead_ends(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A dead end is told and ends with 1."""
    _, err = _said(capfd, "explore", written(tmp_path, STUCK), code=1)

    assert "dead end after 2 moves" in err


# ---- as a process


def test_a_closed_pipe_is_no_accident() -> None:
    """A reader that goes away ends the program quietly."""
    with subprocess.Popen(
        [*PROGRAM, "check", "jinx", "--clauses", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
        code = running.wait(timeout=60)

    assert (code, said) == (141, b"")


def test_ctrl_c() -> None:
    """Ctrl-C ends with 130 and one word."""
    running = subprocess.Popen(
        [*PROGRAM, "simulate", "klink", "-n", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)

    assert (running.returncode, out, err.strip()) == (130, "", "stopped")


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours(
    variables: dict[str, str],
    coloured: bool,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a pipe nothing is coloured unless it is forced, and `NO_COLOR` has the last word."""
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    out, err = _said(capfd, "check", written(tmp_path, BROKEN), code=1)

    assert ("\x1b[1;31m" in out) is coloured
    assert err == ""
