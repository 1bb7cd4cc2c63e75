"""Wrong use: a line for people, a document for programs, and always the exit code 2."""

import json

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
