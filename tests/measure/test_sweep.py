"""Sweeps: every combination is played once, goes on where it stopped, and is the same anywhere."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from compiler.pipeline import Spec
from ruleengine.cli import group
from ruleengine.game import load, open_spec
from ruleengine.match import random_match
from ruleengine.measure.store import Store
from ruleengine.measure.sweep import Axis, Plan, Point, here, points, sweep
from ruleengine.tally import Row

PEBBLES = str(Path(__file__).parent / "games" / "pebbles.rules")
AXES = [Axis("last", ("wins", "loses")), Axis("greed", ("yes", "one_only"))]


@pytest.fixture(scope="module")
def spec() -> Spec:
    """Pebbles."""
    found = open_spec(PEBBLES)
    assert isinstance(found, Spec)
    return found


def _swept(spec: Spec, jobs: int = 1) -> list[Row]:
    with Store() as store:
        found = points(spec, (2,), AXES)
        sweep(spec, found, Plan(30), store, here(jobs))
        return [row for point in found for row in store.rows(point.words, 30)]


def test_every_combination_is_a_point(spec: Spec) -> None:
    """The last setting changes fastest; what the rules refuse says why."""
    found = points(spec, (2,), AXES)
    assert [point.words for point in found] == [
        f"players=2 greed={greed} last={last}"
        for last in ("wins", "loses")
        for greed in ("yes", "one_only")
    ]
    (refused,) = points(spec, (3,), [])
    assert refused.why


def test_rows_are_those_of_the_games(spec: Spec) -> None:
    """Row number i is game number i of that configuration, whoever plays it."""
    game = load(spec, 2, {"last": "loses", "greed": "one_only"})

    assert _swept(spec)[-1] == Row.of(29, random_match(game, 0, 29))


def test_processes_change_nothing(spec: Spec) -> None:
    """Two processes keep the same rows."""
    assert _swept(spec, jobs=2) == _swept(spec)


def test_a_sweep_goes_on_where_it_stopped(spec: Spec, tmp_path: Path) -> None:
    """What is in the store is not played again, what is missing in the middle is."""
    found = points(spec, (2,), [])
    played: list[int] = []
    with Store(tmp_path / "kept.sqlite") as store:
        sweep(spec, found, Plan(10), store, here(1), played.append)
    with Store(tmp_path / "kept.sqlite") as store:
        store._base.execute("delete from games where game = 4")
        sweep(spec, found, Plan(12), store, here(1), played.append)
        assert store.played(found[0].words) == frozenset(range(12))

    assert sum(played) == 10 + 3


# ---- the command


def _run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(group, ["sweep", *words])
    return result.exit_code, result.output


def test_the_command_writes_what_is_asked_for(tmp_path: Path) -> None:
    """A table, rows, plots, JSON; the same rows again from the store."""
    csv, page, kept = (str(tmp_path / name) for name in ("a.csv", "a.html", "a.sqlite"))
    words = (PEBBLES, "--readings", "last", "-n", "20", "-j", "1", "--store", kept)
    code, text = _run(*words, "-o", csv, "-o", page)
    assert code == 0
    assert "players=2 last=counts" in text
    lines = Path(csv).read_text().splitlines()
    assert len(lines) == 1 + 3 * 20
    shown = Path(page).read_text()
    assert shown.count("<svg") == 2 + 3
    assert "Options over time" in shown
    assert shown.count("<caption>players=2 last=") == 3
    again = str(tmp_path / "b.csv")
    code, text = _run(*words, "-o", again, "--json")
    assert len(json.loads(text)["specs"][0]["points"]) == 3
    assert Path(again).read_text() == Path(csv).read_text()
    code, text = _run(*words[:-2], "--seed", "1", "--store", kept)
    assert (code, "the store holds other games" in text) == (2, True)


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_sweep_that_is_stopped_says_how_to_go_on(
    is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was played is kept and counted, or lost; who stops it is told which."""

    @contextmanager
    def stopping(_label: str, _total: int | None) -> Iterator[Callable[[int], None]]:
        def stop(_more: int) -> None:
            raise KeyboardInterrupt

        yield stop

    monkeypatch.setattr("ruleengine.cli.sweep.progress", stopping)
    words = (PEBBLES, "--readings", "last", "-n", "20", "-j", "1")
    kept = str(tmp_path / "a.sqlite")
    code, text = _run(*words, "--store", kept) if is_kept else _run(*words)
    assert code != 0
    if is_kept:
        assert f"20 of 60 games are kept in {kept}: the same command goes on from there" in text
        monkeypatch.undo()
        assert _run(*words, "--store", kept)[0] == 0
    else:
        assert "20 of 60 games were played and are lost; with `--store FILE`" in text


def test_clauses_by_points(tmp_path: Path) -> None:
    """How often each clause came up in a game, point beside point."""
    page = tmp_path / "jinx.html"
    code, _ = _run("jinx", "--vary", "side=5..6", "-n", "1", "-j", "1", "-o", str(page))
    shown = page.read_text()

    assert code == 0
    assert "Nobody ever decided anything." in shown
    two = r'title="[^"]+">JI-4.3</th>(<td style="[^"]+">\d+</td>){2}'
    assert re.search(two, shown)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((PEBBLES, "--vary", "last"), "says no values"),
        ((PEBBLES, "--vary", "last=9..1"), "holds no number"),
        ((PEBBLES, "--vary", "last=1..999999999"), "more than 10,000"),
        ((PEBBLES, "-n", "99999999999"), "at most 10000000"),
        ((PEBBLES, "--readings", "lst"), "did you mean `last`?"),
        ((PEBBLES, "--players", "two"), "are no numbers of players"),
        ((PEBBLES, "--readings", "last", "--vary", "last=wins"), "varied twice"),
        ((PEBBLES, "-o", "rows.xml"), "says no format"),
        ((PEBBLES, "--store", __file__), "is no store"),
        ((PEBBLES, "--vary", "lst=1..3"), "no point can be played: lst=1 was refused"),
    ],
)
def test_wrong_use_is_answered(words: tuple[str, ...], said: str) -> None:
    """What cannot be swept is said, with what would do."""
    code, text = _run(*words)

    assert code == 2
    assert said in text


def test_what_the_rules_refuse_is_told() -> None:
    """A point that cannot be played does not stop the others."""
    code, text = _run(PEBBLES, "--vary", "last=wins,lost", "-n", "5", "-j", "1")

    assert code == 0
    assert "last=lost was refused" in text


# ---- extras


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra parquet")
def test_parquet(tmp_path: Path) -> None:
    """Rows come back from Parquet, with the seed in the file."""
    path = tmp_path / "rows.parquet"
    code, _ = _run(PEBBLES, "-n", "5", "-j", "1", "-o", str(path))
    read = pytest.importorskip("pyarrow.parquet").read_table(path)

    assert (code, read.num_rows, read.schema.metadata[b"seed"]) == (0, 5, b"0")


@pytest.mark.skipif(find_spec("pyarrow") is not None, reason="the extra parquet is there")
def test_a_missing_extra_is_told(tmp_path: Path) -> None:
    """What to install is said before anybody plays, and nothing is written."""
    written, kept = (str(tmp_path / name) for name in ("rows.csv", "kept.sqlite"))
    words = (PEBBLES, "-n", "5", "-j", "1", "--store", kept, "-o", written)
    code, text = _run(*words, "-o", str(tmp_path / "rows.parquet"))

    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "rulewright[parquet]" in text


@pytest.fixture(params=[1, 3])
def cluster(request: pytest.FixtureRequest) -> Iterator[tuple[str, int]]:
    """The address of a Dask scheduler, and how many workers it has, each a process of its own."""
    workers: int = request.param
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    run = [sys.executable, "-m"]
    begin = [
        [*run, "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard"],
        *([[*run, "distributed.cli.dask_worker", address, "--nthreads", "1"]] * workers),
    ]
    running = [
        subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for words in begin
    ]
    yield address, workers
    for process in reversed(running):
        process.terminate()
        process.wait(20)


@pytest.mark.long
@pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra dask")
def test_a_cluster_plays_the_same_games(spec: Spec, cluster: tuple[str, int]) -> None:
    """Workers elsewhere, however many, give the rows that this process gives."""
    distributed = pytest.importorskip("distributed")
    address, workers = cluster
    with distributed.Client(address, timeout=120) as client:
        client.wait_for_workers(workers, timeout=120)
    there = pytest.importorskip("ruleengine.measure.cluster").there(address)
    found: tuple[Point, ...] = points(spec, (2,), AXES)
    with Store() as store:
        sweep(spec, found, Plan(30), store, there)
        rows = [row for point in found for row in store.rows(point.words, 30)]

    assert rows == _swept(spec)
