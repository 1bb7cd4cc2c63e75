"""Wrong use: a line for people, a document for programs, and always the exit code 2."""

import json
from pathlib import Path

import pytest

from ruleengine.cli import run

WRONG = [
    (["check", "klonk"], "klink"),
    (["chekc", "klink"], "did you mean `check`"),
    (["simulate", "nim", "--gmaes", "3"], "--games"),
    (["simulate", "nim", "--games", "many"], "many"),
    (["simulate", "nim", "--games", "-1"], "-1"),
    (["simulate", "nim", "--players", "5"], "it is for 2"),
    (["simulate", "nim", "--set", "heaps=99"], "1 to 8"),
    (["simulate", "nim", "--set", "heap=3"], "did you mean `heaps`"),
    (["simulate", "nim", "--set", "heaps"], "NAME=VALUE"),
    (["explain", "unknown-nmae"], "unknown-name"),
    (["explain", "KL-4.9"], "`rulewright explain` lists them"),
    (["check", "klink", "--confirm", "KL-4.99"], "did you mean `KL-4.9`"),
    (["flow", "klink", "--select", "KL-4.99"], "did you mean `KL-4."),
    (["simulate", "klink", "--ruling", "KL-R11"], "`several_pairs=all_pairs` or"),
    (["explore", "klink", "--set", "several_pairs"], "`several_pairs=all_pairs` or"),
    (["flow"], "SPEC"),
    (["check", "nim", "--format", "yaml"], "yaml"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: str(value)[:40])
def test_for_people(words: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What was wrong is said on the error output, with what would do."""
    assert run(words) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: str(value)[:40])
def test_for_programs(words: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """With `--json` the same is a document on the output, and nothing else is written."""
    assert run([*words, "--json"]) == 2
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert document["schema_version"] == 1
    assert document["specs"] == []
    assert said in document["error"]["message"]
    assert err == ""


BROKEN = """rulebook mound "Mound"
    seats 2
var height: 0..size = 0
start
    height = size
    end draw
"""


@pytest.mark.parametrize(
    "words",
    [
        ("coverage", "--games", "0"),
        ("leaks",),
        ("lint",),
        ("mutate",),
        ("report",),
        ("simulate",),
        ("solve",),
        ("sweep", "-j", "1"),
    ],
    ids=lambda words: str(words[0]),
)
def test_what_does_not_compile_is_no_success(
    words: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A rulebook of which no game can be made is reported as such, also to programs."""
    path = tmp_path / "mound.rules"
    path.write_text(BROKEN, encoding="utf-8")
    command, *options = words
    assert run([command, str(path), *options]) == 1
    assert "nothing is called `size`" in capfd.readouterr().err
    assert run([command, str(path), *options, "--json"]) == 1
    out, err = capfd.readouterr()
    (entry,) = json.loads(out)["specs"]
    assert entry["name"] == str(path)
    assert {found["code"] for found in entry["diagnostics"]} == {"unknown-name"}
    assert err == ""


def test_a_record_that_does_not_fit_for_programs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With `--json` the line is named in a document, with what fits there."""
    path = tmp_path / "odd.record"
    path.write_text("rulewright record 1\nspec nim\n\nA: take 9, from 1\n", encoding="utf-8")
    assert run(["replay", "nim", str(path), "--json"]) == 1
    (entry,) = json.loads(capfd.readouterr().out)["specs"]
    assert entry["name"] == str(path)
    assert entry["misfit"]["line"] == 4
    assert "A: take 1, from 1" in entry["misfit"]["fits"]


FAILING = """rulebook coin "Coin"
    seats 2
start
    A chooses "Which side?"
        heads "Heads"
            end winners [A]
        tails "Tails"
            end draw

scenario "Heads lose"
    seats 2
    A: heads
    expect winners B
"""


def test_mutate_names_a_scenario_that_fails_for_programs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With `--json` there is a document also where no mutant was tried."""
    path = tmp_path / "coin.rules"
    path.write_text(FAILING, encoding="utf-8")
    assert run(["mutate", str(path), "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["specs"] == [{"name": "coin", "failing": "Heads lose"}]
    assert err == "coin: running its scenarios, then its mutants ...\n"


def test_fmt_reports_errors_of_form_for_programs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What cannot be laid out stands in the document, beside the files that can."""
    (tmp_path / "empty.rules").write_text("", encoding="utf-8")
    (tmp_path / "good.rules").write_text('rulebook a "A"\n    seats 2\nstart\n    end draw\n')
    assert run(["fmt", str(tmp_path), "--json"]) == 1
    out, err = capfd.readouterr()
    good, wrong = json.loads(out)["specs"]
    assert good["changes"] is False
    assert [found["code"] for found in wrong["diagnostics"]] == ["empty-file"]
    assert err == ""


@pytest.mark.parametrize("command", ["check", "test", "simulate"])
@pytest.mark.parametrize("seats", ["2-4", "3-3", "4..2"])
def test_no_number_of_players(
    seats: str, command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A rulebook for no number of players is told at its line `seats`, by every command."""
    path = tmp_path / "small.rules"
    path.write_text(f'rulebook small "Small"\n    seats {seats}\nstart\n    end draw\n')

    assert run([command, str(path)]) == 1
    out, err = capfd.readouterr()
    assert "small.rules:2:11" in out + err
