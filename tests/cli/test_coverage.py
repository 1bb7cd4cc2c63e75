"""`coverage` lists what is never reached, with the nearest miss; its files add up."""

import json
from pathlib import Path

import pytest

from ruleengine.cli import run
from tests.engine.test_coverage import written_spec


@pytest.fixture
def counter(tmp_path: Path) -> str:
    """A rulebook with clauses and scenarios."""
    return written_spec(tmp_path)


def _said(capfd: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    done = run(["coverage", *words, "-j", "1"])
    out, err = capfd.readouterr()
    assert done == code, err
    return out + err


def test_unreached_clauses_come_with_the_nearest_miss(
    counter: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Scenarios alone never take too many, and never play the other reading."""
    said = _said(capfd, counter, "--games", "0", code=1)

    assert "3 of 5 mechanical clauses reached (60.0%)" in said
    assert "CO-3 is not reached\n  Never more than there are.\n" in said
    assert "counter.rules:16:13: when n <= left: refused nothing, asked 14 times" in said
    assert "CO-5 is not reached" in said
    assert "no configuration that was played has a rule for it" in said


def test_plays_reach_the_rest(counter: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Plays go through the other reading too."""
    assert "5 of 5 mechanical clauses reached" in _said(
        capfd, counter, "--games", "10", "--no-scenarios"
    )


def test_json(counter: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read how many clauses there are, and which are not reached."""
    assert run(["coverage", counter, "--games", "0", "--json"]) == 1
    (entry,) = json.loads(capfd.readouterr().out)["specs"]

    assert entry["clauses"] == {"mechanical": 5, "reached": 3, "unreached": ["CO-3", "CO-5"]}
    assert entry["option"] == {"reached": 1, "total": 1}
    assert [miss["how"] for miss in entry["unreached"]] == ["refuses"]


def test_files_add_up(counter: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What one run came to is added to another; of other rules it is refused."""
    kept = tmp_path / "kept.json"
    _said(capfd, counter, "--games", "10", "--no-scenarios", "--save", str(kept))
    said = _said(capfd, counter, "--games", "0", "--merge", str(kept))
    assert "5 of 5 mechanical clauses reached" in said

    Path(counter).write_text(Path(counter).read_text(encoding="utf-8") + "-- changed\n")
    refused = _said(capfd, counter, "--merge", str(kept), code=2)
    assert "it was written for rules with another text" in refused


def test_page(counter: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A page has the clauses, the chart and every line with how often it was come to."""
    page = tmp_path / "page.html"
    _said(capfd, counter, "--games", "0", "--html", str(page), code=1)
    text = page.read_text(encoding="utf-8")

    assert "Never more than there are." in text
    assert "<svg" in text
    assert "class=heat0" in text
    assert "left = left - n" in text


def test_a_failing_scenario_is_no_success(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is counted as far as it came, told, and the command fails."""
    path = tmp_path / "wrong.rules"
    path.write_text(f'{SMALL}\nscenario "A mistake"\n    expect next B\n', encoding="utf-8")

    assert run(["coverage", str(path), "--games", "0"]) == 1
    assert "“A mistake” fails" in capfd.readouterr().err
    path.write_text(SMALL, encoding="utf-8")
    assert run(["coverage", str(path), "--games", "0"]) == 0


SMALL = """rulebook small "One move"
    seats 2..2

start
    A chooses "What?"
        stop "Stop"
    end draw
"""
