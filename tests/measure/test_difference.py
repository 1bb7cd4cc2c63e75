"""Two sides: what changed in words, whether anything changes in play, what it comes to."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

from compiler.pipeline import changed
from compiler.source import SourceSet
from compiler.variant.changes import Sort
from ruleengine import library
from ruleengine.cli import group
from ruleengine.game import load
from ruleengine.measure.difference import Plan, Side, figures
from ruleengine.measure.difference_chart import on_pages
from ruleengine.measure.difference_page import needed_words
from ruleengine.measure.neutral import How, compared

PEBBLES = Path(__file__).parent / "games" / "pebbles.rules"


def _run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(group, ["diff", *words])
    return result.exit_code, result.stderr if result.exit_code else result.stdout


@pytest.mark.parametrize(
    ("reading", "how", "neutral"),
    [
        ({"tied": "second"}, How.GRAPHS, True),
        ({"silent": "go_back"}, How.EXPLORED, True),
        ({"greed": "one_only"}, How.SHORTEST, False),
    ],
)
def test_small_games_are_decided(reading: dict[str, str], how: How, neutral: bool) -> None:
    """A change that cannot be met is proved to be none; another is refuted by the shortest play."""
    found = compared(load(str(PEBBLES), 2), load(str(PEBBLES), 2, reading))

    assert (found.how, found.neutral) == (how, neutral)


def test_where_there_is_too_much_random_games_decide() -> None:
    """Nothing is claimed that was not seen."""
    old, new = load(str(PEBBLES), 2), load(str(PEBBLES), 2, {"silent": "go_back"})
    found = compared(old, new, states=2, games=3)

    assert (found.how, found.neutral, found.games) == (How.UNDECIDED, None, 3)


def _sources(folder: Path, house: str) -> list[SourceSet]:
    (folder / "pebbles.rules").write_text(PEBBLES.read_text())
    (folder / "house.rules").write_text(house)
    found = [library.read(str(folder / name)) for name in ("pebbles", "house")]
    return [one for one in found if isinstance(one, SourceSet)]


def test_changes_are_told_by_declaration_and_clause(tmp_path: Path) -> None:
    """A guard more is one line more, under its option; a clause is that of the nearest line."""
    edit = 'variant house "House" of pebbles @HO-1\n    in turn\n        restrict take\n'
    old, new = _sources(tmp_path, f"{edit}            unless n is pebbles @HO-2\n")
    found = changed(old, new)
    assert isinstance(found, tuple)
    guard, note = found

    assert (guard.sort, guard.what, guard.name) == (Sort.CHANGED, "phase", "turn")
    assert [line.strip() for line in guard.new] == ["unless n is pebbles"]
    assert guard.under[-1] == 'take n in 1..2 "Take"'
    assert (guard.clauses, note.clauses) == (("HO-2",), ("HO-1",))


def test_a_change_is_told_under_what_it_cites_no_more(tmp_path: Path) -> None:
    """A sentence that no step carries out any more is what changed, and no note says so besides."""
    table = "| id | kind | text |\n| --- | --- | --- |\n| P-1 | M | The turn passes. |\n"
    (tmp_path / "pebbles.md").write_text(table)
    text = PEBBLES.read_text().replace('"Pebbles"\n', '"Pebbles"\n    clauses "pebbles.md"\n', 1)
    text = text.replace("    mover = next", '    "Pass it on" @P-1\n        mover = next')
    edit = '    in turn\n        replace "Pass it on"\n            mover = A\n'
    (tmp_path / "pebbles.rules").write_text(text)
    (tmp_path / "house.rules").write_text(f'variant house "House" of pebbles\n{edit}')
    found = [library.read(str(tmp_path / name)) for name in ("pebbles", "house")]
    old, new = (one for one in found if isinstance(one, SourceSet))
    changes = changed(old, new)
    assert isinstance(changes, tuple)

    assert [(change.what, change.clauses) for change in changes] == [("phase", ("P-1",))]


def test_a_table_of_clauses_more_is_no_change(tmp_path: Path) -> None:
    """A variant brings the sentences it cites; that says nothing of the rules."""
    (tmp_path / "house.md").write_text(
        "| id | kind | text |\n| --- | --- | --- |\n| H-1 | M | No. |\n"
    )
    edit = "    in turn\n        restrict take\n            unless n is 2 @H-1\n"
    edit = f'    clauses "house.md"\n{edit}'
    old, new = _sources(tmp_path, f'variant house "House" of pebbles\n{edit}')
    found = changed(old, new)
    assert isinstance(found, tuple)

    assert [(change.what, change.clauses) for change in found] == [("phase", ("H-1",))]


def test_layout_and_comments_are_no_change(tmp_path: Path) -> None:
    """Blanks, comments and their places say nothing."""
    old, _ = _sources(tmp_path, 'variant house "House" of pebbles\n    set last = loses\n')
    other = tmp_path / "other"
    other.mkdir()
    text = PEBBLES.read_text().replace("    -> turn\n", "    -- On.\n    ->  turn\n")
    (other / "pebbles.rules").write_text(text)
    new = library.read(str(other / "pebbles"))
    assert isinstance(new, SourceSet)

    assert changed(old, new) == ()


# ---- the command


def test_it_tells_and_measures(tmp_path: Path) -> None:
    """The words, the proof, the figures: on the screen, for programs, as pages."""
    other = f"{PEBBLES},greed=one_only"
    code, text = _run(str(PEBBLES), other, "--simulate", "50")
    assert code == 0
    assert "no shorter play shows it" in text
    assert "A wins" in text
    code, text = _run(str(PEBBLES), other, "--simulate", "50", "--json")
    (entry,) = json.loads(text)["specs"]
    assert (code, entry["neutral"], entry["how"]) == (0, False, "shortest")
    assert entry["figures"]["games_for_chance"] == 1570
    for name, sign in (("page.html", "<svg"), ("page.md", "What it comes to"), ("c.svg", "<svg")):
        path = tmp_path / name
        code, text = _run(str(PEBBLES), other, "--simulate", "5", "-o", str(path))
        assert (code, text) == (0, f"Written to {path}.\n")
        assert sign in path.read_text()


@pytest.mark.parametrize("name", ["page.html", "page.md"])
def test_a_page_tells_the_play_that_parts(name: str, tmp_path: Path) -> None:
    """Who reads the page sees how it comes to that, as on the screen."""
    _run(str(PEBBLES), f"{PEBBLES},greed=one_only", "-o", str(tmp_path / name))
    text = (tmp_path / name).read_text()

    assert "The play after which they part" in text
    assert "1  A: take 2" in text


def test_what_differs_can_be_drawn_alone(tmp_path: Path) -> None:
    """A phase, or in a page those that differ; the title says of which two."""
    game, other = str(PEBBLES), f"{PEBBLES},last=loses"
    path = tmp_path / "over.txt"
    code, _ = _run(game, other, "--phase", "over", "-o", str(path))
    assert code == 0
    assert path.read_text().startswith("What pebbles,last=loses changes in pebbles: Over,")
    assert "phase turn" not in path.read_text()
    plain = Side("plain", load("highjinks", 2))
    strict = Side("strict", load("highjinks", 2, {"melds": "one_each_per_turn"}))
    assert [laid.chart.phase for laid in on_pages(plain, strict)] == ["main_phase"]


def test_a_revision_can_be_one_side(tmp_path: Path) -> None:
    """What stood in git is compared with what stands there now."""
    game = tmp_path / "pebbles.rules"
    game.write_text(PEBBLES.read_text())
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    game.write_text(PEBBLES.read_text().replace("0..4 = 4", "0..4 = 3"))
    code, text = _run(f"git:HEAD:{game}", str(game), "--markdown")

    assert code == 0
    assert "- var pebbles: 0..4 = 4" in text
    assert "+ var pebbles: 0..4 = 3" in text


def test_a_revision_is_what_stood_in_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant is laid over the rulebook of its own revision, not over one that lies about."""
    stray, repository = tmp_path / "stray", tmp_path / "repository"
    (repository / "variants").mkdir(parents=True)
    stray.mkdir()
    game, variant = repository / "pebbles.rules", repository / "variants" / "house.rules"
    game.write_text(PEBBLES.read_text())
    variant.write_text('variant house "House" of pebbles\n    set last = loses\n')
    git = ["git", "-C", str(repository), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    game.write_text(PEBBLES.read_text().replace("0..4 = 4", "0..4 = 3"))
    (stray / "house.rules").write_text('variant house "Stray" of klink\n')
    monkeypatch.setattr("tempfile.tempdir", str(stray))
    for name in (variant, f"{game}+house"):
        code, text = _run(f"git:HEAD:{name}", str(variant), "--markdown")

        assert code == 0
        assert [line for line in text.splitlines() if line[:1] in "+-" and "pebbles" in line] == [
            "- var pebbles: 0..4 = 4",
            "+ var pebbles: 0..4 = 3",
        ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nim", "nimm"), "did you mean `nim`?"),
        (("nim", "nim,heap=3"), "nothing to set is called"),
        (("git:HEAD:nonesuch", "nim"), "there is no `nonesuch` here"),
        (("git:nim", "nim"), "write git:REVISION:SPEC"),
        (("nim", "nim", "-o", "x.gif"), "says no format"),
        (("nim", "klink"), "say --players"),
    ],
)
def test_wrong_use_is_answered(words: tuple[str, ...], said: str) -> None:
    """What cannot be compared is said, with what would do."""
    code, text = _run(*words)

    assert code == 2
    assert said in text


@pytest.mark.parametrize("name", ["both.svg", "both.html", "both.md"])
def test_json_comes_with_whatever_is_written(name: str, tmp_path: Path) -> None:
    """What goes into a file takes nothing from what programs read."""
    _, alone = _run("nim", "nim,last=loses", "--json")
    code, text = _run("nim", "nim,last=loses", "--json", "-o", str(tmp_path / name))

    assert (code, text) == (0, alone)
    assert (tmp_path / name).stat().st_size > 0


def test_games_without_an_end_are_told() -> None:
    """Other figures are without them, and who reads these must know."""
    game = load(str(PEBBLES), 2)
    found = figures(game, game, Plan(1, games=5))
    unended = evolve(found, new=evolve(found.new, unfinished=2))

    assert "did not end" not in needed_words(found)
    assert "2 games did not end within 200,000 steps" in needed_words(unended)


# ---- where they were compared


def _compared(folder: Path, guard: str, *words: str) -> tuple[str, dict[str, Any]]:
    """What is said, and what programs read, of a guard more on what may be taken."""
    house = f'variant house "House" of pebbles\n    in turn\n        restrict take\n{guard}'
    _sources(folder, house)
    names = str(folder / "pebbles"), str(folder / "house")
    _, said = _run(*names, *words)
    code, text = _run(*names, "--json", *words)
    (entry,) = json.loads(text)["specs"]
    assert code == 0
    return said, entry


@pytest.mark.parametrize(
    ("reads", "where"),
    [
        ("last is loses", {"last": "loses"}),
        ("last is counts and greed is one_only", {"last": "counts", "greed": "one_only"}),
    ],
)
def test_a_change_is_met_under_the_readings_it_hangs_on(
    reads: str, where: dict[str, str], tmp_path: Path
) -> None:
    """What is the same under the usual readings may differ under others, or where two meet."""
    guard = f"            unless n is 1 and pebbles is 4 and {reads}\n"
    said, entry = _compared(tmp_path, guard)
    parted = [one for one in entry["compared"] if one["neutral"] is False]

    assert (entry["how"], entry["witness"], entry["neutral"]) == ("graphs", None, False)
    assert [one["settings"] for one in parted] == [where]
    assert parted[0]["witness"]["play"] == []
    assert "With " + " ".join(f"{n}={v}" for n, v in sorted(where.items())) in said


def test_what_is_proved_is_proved_of_what_was_compared(tmp_path: Path) -> None:
    """A guard that refuses nothing is gone through in all readings, and all are listed."""
    said, entry = _compared(tmp_path, "            unless n > pebbles and last is loses\n")
    looked = [tuple(one["settings"].items()) for one in entry["compared"]]

    assert entry["neutral"] is True
    assert {one["neutral"] for one in entry["compared"]} == {True}
    assert {(("last", "loses"),), (("tied", "second"),)} <= set(looked)
    assert "5 other readings, each alone" in said


def test_what_is_set_is_not_changed(tmp_path: Path) -> None:
    """Who asks about one reading is answered about that reading."""
    guard = "            unless n is 1 and pebbles is 4 and last is loses\n"
    _, entry = _compared(tmp_path, guard, "--set", "last=wins")

    assert entry["neutral"] is True
    assert not any("last" in one["settings"] for one in entry["compared"])


def test_every_number_of_players_is_compared(tmp_path: Path) -> None:
    """A rule about three players changes nothing for two."""
    (tmp_path / "third_pig.rules").write_text(
        'variant third_pig "Three may not stop" of pig\n'
        "    in turn\n        restrict stop\n            unless count(players) is 3\n"
    )
    code, text = _run("pig", str(tmp_path / "third_pig"), "--states", "50", "--json")
    (entry,) = json.loads(text)["specs"]

    assert (code, entry["how"], entry["neutral"]) == (0, "undecided", False)
    assert [one["players"] for one in entry["compared"] if one["neutral"] is False] == [3]
