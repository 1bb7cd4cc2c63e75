"""What a user gets: the wheel's members, the README's commands, no trace of where it was made."""

import os
import re
import zipfile
from pathlib import Path

import pytest
from hatchling import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The names of the files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        name = build.build_wheel(str(folder))
    finally:
        os.chdir(before)
    with zipfile.ZipFile(folder / name) as wheel:
        return frozenset(wheel.namelist())


def test_wheel_holds_every_source(members: frozenset[str]) -> None:
    """Every module, grammar, prelude and page of the two packages is in the wheel."""
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in ("compiler", "ruleengine")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert wanted - members == set()


def test_wheel_holds_every_spec(members: frozenset[str]) -> None:
    """The shipped rulebooks lie in the package `ruleengine`, where the library looks for them."""
    wanted = {
        "ruleengine/_specs/" + path.relative_to(ROOT / "specs").as_posix()
        for path in (ROOT / "specs").rglob("*")
        if path.is_file()
    }

    assert wanted - members == set()


def test_wheel_holds_nothing_else(members: frozenset[str]) -> None:
    """Beside packages, specs and the wheel's own records there is nothing."""
    allowed = re.compile(r"(compiler|ruleengine)/|rulewright-[^/]+\.dist-info/")

    assert [name for name in members if not allowed.match(name)] == []
    assert [name for name in members if "__pycache__" in name] == []


def test_top_level() -> None:
    """The top level holds the agreed names only."""
    agreed = {
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "constraints.txt",
        "pyproject.toml",
        "specs",
        "ruleengine",
        "compiler",
        "tests",
        "docs",
    }
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert found - agreed == set()


def test_readme_commands() -> None:
    """The README's two set-up commands need Python only, and name the main job and the tests."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^```console\n(.*?)\n```", text, re.MULTILINE | re.DOTALL)
    install = "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/"

    assert commands == [f"{install}rulewright demo", f"{install}pytest -n auto"]


def test_the_deciding_command_runs_the_readmes_tests() -> None:
    """What decides about a change ends with the tests as the README says them."""
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()

    assert lines[-1] == "pytest -n auto"


def test_readme_excerpt_stands_in_the_spec() -> None:
    """The rule lines that the README shows are those of the spec, but for further citations."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    excerpt = re.search(r"^```\n(repeat\n.*?)```", text, re.MULTILINE | re.DOTALL)
    assert excerpt is not None
    spec = (ROOT / "specs/klink/klink.rules").read_text(encoding="utf-8")
    bare = {line.split(" @")[0].strip() for line in spec.splitlines()}

    for line in excerpt[1].splitlines():
        assert line.split(" @")[0].strip() in bare


def test_readme_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The library example runs, and prints the options of the first decision."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```python\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    exec(compile(block[1], "README.md", "exec"), {})

    assert "drawn" in capsys.readouterr().out
