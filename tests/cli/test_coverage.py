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
    (entry,) = json.loads(_said(capfd, counter, "--games", "0", "--json", code=1))["specs"]

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
