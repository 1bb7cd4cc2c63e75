"""Finding the files of a spec by what people type."""

from pathlib import Path

import pytest

from compiler.diagnostic import Report
from compiler.source import SourceSet
from ruleengine import library
from ruleengine.library import UnknownSpec
from tests.engine.games import COUNTER, written

VARIANT = """variant hasty "More at once" of counter
    set heap = 9
"""
SECOND = """variant hastier "Even more" of hasty
    set heap = 8
"""
TOLD = """scenarios of counter

scenario "All at once"
    seats 2
    A: choose 1
"""


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    """A rulebook with a variant, a variant of it, and scenarios."""
    written(tmp_path, COUNTER)
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "hasty.rules").write_text(VARIANT, encoding="utf-8")
    (tmp_path / "variants" / "hastier.rules").write_text(SECOND, encoding="utf-8")
    (tmp_path / "counter-scenarios.rules").write_text(TOLD, encoding="utf-8")
    return tmp_path


def _found(name: str) -> SourceSet:
    sources = library.read(name)
    assert isinstance(sources, SourceSet)
    return sources


def _names(sources: SourceSet) -> dict[str, list[str]]:
    """The files' own names, without folders."""
    return {
        "base": [Path(sources.base.name).name],
        "variants": [Path(file.name).name for file in sources.variants],
        "scenarios": [Path(file.name).name for file in sources.scenarios],
    }


def test_a_name_is_a_shipped_rulebook() -> None:
    """`klink` means the shipped rulebook, with its clauses and scenarios."""
    sources = _found("klink")

    assert sources.catalogue is not None
    assert _names(sources) == {
        "base": ["klink.rules"],
        "variants": [],
        "scenarios": [
            "clauses-scenarios.rules",
            "faults-scenarios.rules",
            "klink-scenarios.rules",
        ],
    }


def test_shipped_rulebooks_are_listed() -> None:
    """Folders give the file of their own name, others all their files."""
    assert {"klink", "jinx", "kuhn", "tictactoe"} <= set(library.names())
    assert "klink-scenarios" not in library.names()


def test_a_path_may_name_a_file_or_a_folder(tmp_path: Path) -> None:
    """A file, the file without its ending and a folder of its name are one rulebook."""
    folder = tmp_path / "counter"
    folder.mkdir()
    path = written(folder, COUNTER)
    texts = {_found(name).base.text for name in (path, path.removesuffix(".rules"), str(folder))}

    assert texts == {COUNTER}


def test_variants_are_stacked_in_order(folder: Path) -> None:
    """`+` lays variants over a rulebook, the first nearest to it."""
    sources = _found(f"{folder}/counter+hasty+hastier")

    assert _names(sources)["variants"] == ["hasty.rules", "hastier.rules"]


def test_a_variant_brings_what_it_stands_on(folder: Path) -> None:
    """A variant of a variant, and a variant named alone, find what they are of by themselves."""
    stacked = _found(f"{folder}/counter+hastier")
    alone = _found(f"{folder}/variants/hastier.rules")

    assert _names(stacked)["variants"] == ["hasty.rules", "hastier.rules"]
    assert (alone.base, alone.variants) == (stacked.base, stacked.variants)


def test_every_variant_is_found(folder: Path) -> None:
    """A rulebook knows the variants around it, those of variants too."""
    base = f"{folder}/counter"

    assert library.variants(base) == (f"{base}+hasty", f"{base}+hasty+hastier")
    assert library.variants(f"{base}+hasty") == ()


@pytest.mark.parametrize(
    ("file", "of", "is_astray"),
    [
        ("counter-scenarios", "nim", True),
        ("counter-scenario", "hasty", True),
        ("more-scenarios", "conuter", True),
        ("more-scenarios", "counter", False),
        ("more-scenarios", "hasty", False),
        ("jinx-scenarios", "jinx", False),
    ],
)
def test_scenarios_may_name_something_else(
    file: str, of: str, is_astray: bool, folder: Path
) -> None:
    """A file called as scenarios of a rulebook are, or that nearly names it, seems to be of it."""
    (folder / f"{file}.rules").write_text(f"scenarios of {of}\n", encoding="utf-8")
    found = _found(str(folder / "counter"))
    astray = [Path(source.name).stem for source in found.astray]

    assert astray == ([file] if is_astray else [])


def test_scenarios_belong_to_what_they_name(folder: Path) -> None:
    """Scenarios of a rulebook are not run on its variants; a file of scenarios finds its game."""
    plain = _found(f"{folder}/counter")
    varied = _found(f"{folder}/counter+hasty")
    told = _found(f"{folder}/counter-scenarios.rules")

    assert _names(plain)["scenarios"] == ["counter-scenarios.rules"]
    assert varied.scenarios == ()
    assert (told.base, told.scenarios) == (plain.base, plain.scenarios)


@pytest.mark.parametrize(
    ("said", "nearest"),
    [("klnk", ("klink",)), ("klink+blank", ("blank_klink",)), ("./nowhere.rules", ())],
)
def test_unknown_names_have_neighbours(said: str, nearest: tuple[str, ...]) -> None:
    """A name that leads nowhere is refused with names that are close to it."""
    with pytest.raises(UnknownSpec) as refused:
        library.read(said)

    assert refused.value.nearest[: len(nearest)] == nearest
    assert all(f"`{near}`" in str(refused.value) for near in nearest)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("klink+nim", "`nim` is a rulebook"),
        ("klink+klink", "only variants are laid over"),
        ("klink+blank_klink+blank_klink", "twice"),
        ("klink+blank_klink+specs/klink/variants/blank_klink.rules", "twice"),
        ("klink+xyzzy", "of this rulebook are blank_klink, century_klink"),
    ],
)
def test_what_cannot_be_stacked(said: str, reason: str) -> None:
    """Behind a `+` stands a variant, once; else it is said what could."""
    with pytest.raises(UnknownSpec, match=reason):
        library.read(said)


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    """A file in another encoding is a finding with its place, and so is a missing clause table."""
    path = tmp_path / "latin.rules"
    path.write_bytes(b'rulebook latin "\xff"\n    clauses "missing.md"\n')
    report = library.read(str(path))
    (tmp_path / "clean.rules").write_text('rulebook clean "C"\n    clauses "missing.md"\n')
    missing = library.read(str(tmp_path / "clean.rules"))

    assert isinstance(report, Report)
    assert [found.code for found in report] == ["not-utf8"]
    assert isinstance(missing, Report)
    assert [found.code for found in missing] == ["unreadable-file"]
