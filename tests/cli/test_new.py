"""`new`: a rulebook to begin with."""

from pathlib import Path

import pytest

from compiler.diagnostic import Report
from compiler.flowchart.chart import chart
from ruleengine.checking import check
from ruleengine.game import load, open_spec
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios
from ruleengine.starter import WrongName, prefix, starter
from tests.cli.piped import run


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")


def test_a_new_rulebook() -> None:
    """It checks without a finding, its scenarios come out, it plays and draws; its variant too."""
    done = run("new", "my_game")
    lines = done.output.splitlines()

    assert done.exit_code == 0
    assert lines[:4] == [
        "my_game/my_game.rules",
        "my_game/clauses.md",
        "my_game/my_game-scenarios.rules",
        "my_game/variants/long_my_game.rules",
    ]
    for name in ("my_game", "my_game+long_my_game"):
        spec = open_spec(name)
        assert not isinstance(spec, Report)
        checked = check(spec)
        assert checked.report.errors == checked.report.warnings == ()
        assert checked.coverage is not None
        assert checked.coverage.uncited == checked.coverage.missing == ()
    spec = open_spec("my_game")
    assert not isinstance(spec, Report)
    told = list(run_scenarios(spec))
    assert [ran for ran in told if not isinstance(ran, Ran) or ran.failure is not None] == []
    assert len(told) == 2
    assert chart(load("my_game").graph).nodes
    assert "The game is over" in run("play", "my_game", "--bots", "all", "--seed", "1").output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("My Game", "how about `my_game`?"),
        ("Klink", "how about `my_klink`?"),
        ("7up", "`7up` cannot be a name"),
        ("klink", "`klink` is a shipped rulebook; how about `my_klink`?"),
        ("there", "`there` is there already, and nothing is written over"),
    ],
)
def test_names_that_cannot_be(name: str, told: str) -> None:
    """A wrong name is answered with one that would do."""
    Path("there").mkdir()
    done = run("new", name)

    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert [path.name for path in Path().iterdir()] == ["there"]


@pytest.mark.parametrize(
    ("name", "letters"), [("race", "RA-"), ("my_game", "MG-"), ("x", "X-"), ("a_b_c2", "ABC-")]
)
def test_ids_are_named_after_the_game(name: str, letters: str) -> None:
    """Clauses have the first letters of a name before their numbers."""
    assert prefix(name) == letters
    assert f"{letters}1.1" in starter(name)["clauses.md"]
    assert "ST-" not in "".join(starter(name).values())


def test_a_name_without_letters() -> None:
    """What is no name at all gets no other one proposed."""
    with pytest.raises(WrongName, match=r"a letter first$"):
        starter("7")
