"""`flow` and `doctor`: charts in every format, and kind words when something is wrong."""

import json
from pathlib import Path

import pytest

from ruleengine import load
from ruleengine.cli import run
from ruleengine.match import random_match
from ruleengine.record import Recorder


def test_text_is_the_default(capfd: pytest.CaptureFixture[str]) -> None:
    """Without an output the chart is text that a terminal can show."""
    assert run(["flow", "kuhn"]) == 0
    out = capfd.readouterr().out

    assert out.startswith("Kuhn poker")
    assert "Bet or check?" in out


@pytest.mark.parametrize(
    ("ending", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("dot", b"digraph")]
)
def test_ending_says_the_format(tmp_path: Path, ending: str, begins: bytes) -> None:
    """The file's ending says what is written; no Graphviz need be installed."""
    path = tmp_path / "turn" / f"chart.{ending}"

    assert run(["flow", "klink", "--phase", "turn", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(begins)


def test_a_phase_by_its_title(capfd: pytest.CaptureFixture[str]) -> None:
    """A phase is called by its name in the rules, or as the chart calls it."""
    told = []
    for phase in ("combat_phase", "Combat phase"):
        assert run(["flow", "highjinks", "--phase", phase]) == 0
        told.append(capfd.readouterr().out)

    assert told[0] == told[1]


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    """Programs get boxes and arrows by id, with clauses and places."""
    assert run(["flow", "jinx", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    (entry,) = document["specs"]
    ids = {node["id"] for node in entry["nodes"]}

    assert document["schema_version"] == 1
    assert entry["name"] == "jinx"
    assert all(edge["from"] in ids and edge["to"] in ids for edge in entry["edges"])
    assert any("JI-3.9" in node["clauses"] for node in entry["nodes"])
    files = {node["span"]["file"] for node in entry["nodes"] if node["span"] is not None}
    assert files == {"jinx.rules"}


def test_folder_gets_pages(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A game too large for a page is drawn phase by phase into a folder."""
    folder = tmp_path / "pages"
    assert run(["flow", "klink", "-o", str(folder)]) == 0
    written = sorted(path.name for path in folder.iterdir())

    assert "turn-1.svg" in written
    assert len(written) > 3
    assert capfd.readouterr().out.count(".svg") == len(written)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["klink", "--phase", "trun"], "did you mean `turn`?"),
        (["klnk"], "did you mean `klink`"),
        (["kuhn", "-o", "chart.xyz"], "says no format"),
        (["klink", "--players", "9"], "not for 9 players"),
    ],
)
def test_wrong_use(arguments: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What is wrong with a call is said with what would be right; the exit code is 2."""
    assert run(["flow", *arguments]) == 2
    assert told in capfd.readouterr().err


def test_readings_change_the_chart(capfd: pytest.CaptureFixture[str]) -> None:
    """A branch that only another reading knows is drawn under that reading."""
    assert run(["flow", "jinx", "--ruling", "capture=optional"]) == 0
    assert "Capture?" in capfd.readouterr().out
    assert run(["flow", "jinx"]) == 0
    assert "Capture?" not in capfd.readouterr().out


def test_doctor(capfd: pytest.CaptureFixture[str]) -> None:
    """The doctor finds the renderer that came with the packages."""
    assert run(["doctor", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capfd.readouterr().out)["specs"]}

    assert found["SVG charts"]["good"] is True
    assert "klink" in found["rulebooks"]["found"]


def test_doctor_tries_machines(capfd: pytest.CaptureFixture[str]) -> None:
    """Generated Python runs everywhere; where another machine does not, that is no fault."""
    assert run(["doctor", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capfd.readouterr().out)["specs"]}
    machines = ("games as WebAssembly", "games as generated Python", "games as C")

    assert [found[machine]["good"] for machine in machines] == [True, True, True]
    assert found["games as generated Python"]["found"].startswith("plays")


def test_shipped_picture_is_current(capfd: pytest.CaptureFixture[str]) -> None:
    """The README's picture is what the command draws."""
    shipped = Path(__file__).resolve().parents[2] / "docs/pictures/klink-turn.svg"
    assert run(["flow", "klink", "--phase", "turn", "-T", "svg"]) == 0

    assert capfd.readouterr().out == shipped.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("ending", "begins"),
    [("html", b"<!DOCTYPE html>"), ("mmd", b"---\ntitle: "), ("json", b"{"), ("txt", b"Jinx")],
)
def test_further_formats(tmp_path: Path, ending: str, begins: bytes) -> None:
    """A page to move about in, text for wikis, data, words."""
    path = tmp_path / f"chart.{ending}"

    assert run(["flow", "jinx", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(begins)


def test_levels(capfd: pytest.CaptureFixture[str]) -> None:
    """Phases only, or every node; the count says that nothing is lost."""
    assert run(["flow", "klink", "--level", "overview"]) == 0
    assert "Ten cards? yes" in capfd.readouterr().out
    assert run(["flow", "klink", "--level", "full", "--count"]) == 0
    assert "0 inside boxes, 0 never open, 0 in phases not drawn, 0 lost" in capfd.readouterr().out


def test_pages_lead_to_one_another(tmp_path: Path) -> None:
    """In a folder, connectors and calls are links to the pages of their phases."""
    assert run(["flow", "klink", "-o", str(tmp_path)]) == 0

    assert 'xlink:href="turn-1.svg"' in (tmp_path / "new_round.svg").read_text("utf-8")
    turn = "".join(path.read_text("utf-8") for path in sorted(tmp_path.glob("turn-*.svg")))
    assert 'xlink:href="new_round.svg"' in turn
    assert 'xlink:href="use_ability-1.svg"' in turn
    first = (tmp_path / "use_ability-1.svg").read_text("utf-8")
    assert 'xlink:href="use_ability-2.svg"' in first
    assert 'xlink:href="turn-1.svg"' in first


def test_paper_and_theme(tmp_path: Path) -> None:
    """A picture fits the sheet; in the dark its paper is dark."""
    path = tmp_path / "chart.svg"
    arguments = ["flow", "klink", "--phase", "turn", "-o", str(path)]
    assert run([*arguments, "--paper", "a4", "--theme", "dark"]) == 0
    text = path.read_text("utf-8")

    assert 'height="277.0mm"' in text
    assert 'fill="#1b1f26"' in text
    assert 'fill="#fbfbfc"' not in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--heat", "5"], "How often, in 5 random games (seed 0)"),
        (["--against", "jinx,capture=optional"], "{~}"),
        (["--select", "JI-3.9"], "{*} Own piece there?"),
    ],
)
def test_overlays(arguments: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Counts, differences and selections can be laid over a chart."""
    assert run(["flow", "jinx", *arguments]) == 0
    assert told in capfd.readouterr().out


def test_a_recorded_game_is_laid_over(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The steps of a record are numbered, and the box where the game stands says so."""
    game = load("kuhn")
    recorder = Recorder(game, 1, 0)
    random_match(game, 1, 0, watching=recorder.watch)
    record = tmp_path / "game.record"
    record.write_text(str(recorder.record), "utf-8")
    assert run(["flow", "kuhn", "--trace", str(record), "--upto", "2"]) == 0
    out = capfd.readouterr().out

    assert "The game of game.record, after 2 of" in out
    assert out.count("{now}") == 2
    assert "{1}" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--select", "JI-3.99"], "nothing in the chart cites `JI-3.99`; did you mean"),
        (["--select", "JI-3.9", "--heat", "2"], "at a time"),
    ],
)
def test_wrong_overlays(arguments: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What cannot be laid over is said; the exit code is 2."""
    assert run(["flow", "jinx", *arguments]) == 2
    assert told in capfd.readouterr().err


def test_conforms(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A chart is as its reference flow says, or what differs is told and drawn."""
    root = Path(__file__).resolve().parents[2]
    flow = root / "specs" / "jinx" / "flow.txt"
    assert run(["flow", "jinx", "--conforms", str(flow)]) == 0
    assert "as expected" in capfd.readouterr().out

    wrong = tmp_path / "flow.txt"
    wrong.write_text(flow.read_text("utf-8").replace('"yes" -> 12', '"no" -> 12'), "utf-8")
    path = tmp_path / "wrong.svg"
    assert run(["flow", "jinx", "--conforms", str(wrong), "-o", str(path)]) == 1
    assert '10a "no" -> 12: no path in the chart' in capfd.readouterr().out
    assert "Not as expected" in path.read_text("utf-8")


@pytest.mark.parametrize(("ending", "begins"), [("html", b"<!DOCTYPE html>"), ("svg", b"<svg")])
def test_player_aid(tmp_path: Path, ending: str, begins: bytes) -> None:
    """A player aid is a page to print or a picture; other formats are refused."""
    path = tmp_path / f"aid.{ending}"

    assert run(["flow", "jinx", "--aid", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(begins)
    assert run(["flow", "jinx", "--aid", "-o", str(tmp_path / "aid.dot")]) == 2
