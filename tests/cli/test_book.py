"""`book`: pages that quote the rules as they are, and say when they no longer do."""

from pathlib import Path

import pytest

from ruleengine import library
from ruleengine.cli import run
from ruleengine.cli.demo import RULEBOOKS
from ruleengine.report.rulebook import code_lines

RULES = """rulebook coin "Coin"
    clauses "clauses.md"
    seats 2 @CO-1

ruling stake "What is at stake?" @CO-R1
    a_point "One point" default
    nothing "Nothing"
gap spin "How is it thrown?" @CO-3
    fair "Fairly" default

die coin: 1..2 @CO-2

start
    -> turn

phase turn "Turn"
    roll coin @CO-2
    if coin is 1 and stake is a_point "Heads?"
        end winners [players[1]]
    -> turn
"""
CLAUSES = """# Coin

## Rules

| id | kind | text |
| --- | --- | --- |
| CO-1 | M | Two play. |
| CO-2 | M | They throw a coin. |
| CO-3 | I | It is thrown well. |

## Rulings

| id | clauses | question | readings |
| --- | --- | --- | --- |
| CO-R1 | CO-2 | What is at stake? The text says nothing. | a_point (default), nothing |
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rulebook with a clause that needs no rule, a ruling and a gap."""
    (tmp_path / "clauses.md").write_text(CLAUSES, encoding="utf-8")
    path = tmp_path / "coin.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def _book(rules: Path, *more: str) -> int:
    return run(["book", str(rules), "-o", str(rules.parent / "pages"), *more])


def test_a_clause_stands_beside_its_lines(rules: Path) -> None:
    """A page quotes the lines that cite a clause with their numbers, and links to them."""
    assert _book(rules) == 0
    text = (rules.parent / "pages" / "coin.md").read_text(encoding="utf-8")
    _, after = text.split("**CO-2** They throw a coin.")
    entry, _ = after.split("**CO-3**")

    assert "[11](../coin.rules#L11), [17](../coin.rules#L17)" in entry
    assert "  11  die coin: 1..2 @CO-2\n\n  17  roll coin @CO-2\n" in entry
    assert "_(informative)_ It is thrown well." in text


def test_the_chosen_reading_is_marked(rules: Path) -> None:
    """Of every question all readings stand there, the default in bold; gaps stand apart."""
    assert _book(rules) == 0
    text = (rules.parent / "pages" / "coin.md").read_text(encoding="utf-8")
    before, gaps = text.split("## Gaps")

    assert "- **`stake=a_point`**: One point (chosen)\n- `stake=nothing`: Nothing\n" in before
    assert "**`spin`** How is it thrown? [CO-3](#co-3)" in gaps
    assert "spin" not in before.partition("## Rulings")[2]


def test_pages_show_their_charts(rules: Path) -> None:
    """Every chart that a page shows lies beside it."""
    assert _book(rules) == 0
    folder = rules.parent / "pages"
    text = (folder / "coin.md").read_text(encoding="utf-8")
    charts = sorted(path.name for path in folder.glob("*.svg"))

    assert charts == ["coin-game.svg", "coin-overview.svg"]
    assert all(f"]({chart})" in text for chart in charts)


def test_what_is_not_current_is_named(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Changed rules make pages and charts stale; writing again brings them up to date."""
    assert _book(rules, "--check") == 1
    assert _book(rules) == 0
    assert _book(rules, "--check") == 0
    capfd.readouterr()
    rules.write_text(RULES.replace("Heads?", "Tails?"), encoding="utf-8")
    stray = rules.parent / "pages" / "coin-old.svg"
    stray.write_text("<svg/>\n<!-- drawn from 0123456789abcdef -->\n", encoding="utf-8")

    assert _book(rules, "--check") == 1
    told = capfd.readouterr().out
    assert "coin-game.svg" in told
    assert "coin-old.svg" in told
    assert "README.md" not in told
    assert _book(rules) == 0
    assert _book(rules, "--check") == 0
    assert not stray.exists()


def test_what_others_wrote_stays(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file of somebody else is neither written over nor taken away."""
    folder = rules.parent / "pages"
    folder.mkdir()
    picture = folder / "coin-own.svg"
    picture.write_text("<svg/>", encoding="utf-8")
    (folder / "README.md").write_text("# Mine", encoding="utf-8")

    assert _book(rules) == 2
    assert "README.md" in capfd.readouterr().err
    (folder / "README.md").unlink()
    assert _book(rules) == 0
    assert picture.exists()


def test_sizes_leave_out_comments_and_blanks() -> None:
    """A line counts that says something to a machine."""
    assert code_lines("-- Coin\n\nstart -- begins\n    -> turn\n  -- more\n") == 2


def test_shipped_pages_are_current(capfd: pytest.CaptureFixture[str]) -> None:
    """The pages of the shipped rulebooks say what their rules say now."""
    folder = library.shipped().parent / "docs" / "rulebooks"
    code = run(["book", *RULEBOOKS, "-o", str(folder), "--check"])

    assert (code, capfd.readouterr().out) == (0, "")
