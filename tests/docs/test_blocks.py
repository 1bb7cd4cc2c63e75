"""No block of a page is only looked at: it is done by a test, or held to what it is taken from."""

import re
from pathlib import Path
from typing import Final

import pytest

from compiler.source import SourceFile
from compiler.syntax.parse import parse
from tests.docs.reading import ROOT, Block, fenced

DONE: Final = {
    "README.md": {"console", "python"},
    "adapters.md": {"console", "python"},
    "balance.md": {"console"},
    "charts.md": {"console", "python"},
    "cookbook.md": {"console"},
    "diagnostics.md": {"console", "rules"},
    "exploring.md": {"console", "python"},
    "extending.md": {"console"},
    "language.md": {"console"},
    "lawyers.md": {"console"},
    "play.md": {"console"},
    "semantics.md": {"console"},
    "testing.md": {"console", "python", "rules"},
    "theorems.md": {"console"},
    "tutorial.md": {"console"},
    "variants.md": {"console", "rules"},
}
"""What the test of a page does of blocks without a title."""

TAKEN_FROM: Final = {
    ("README.md", "repeat"): "specs/klink/klink.rules",
    ("charts.md", 'flow klink "The nine steps of a turn"'): "specs/klink/flow.txt",
    ("lawyers.md", "unless q in already_asked"): "specs/klink/klink.rules",
    ("theorems.md", 'A chooses "Set the stake?"'): "tests/faulty/leaks/told_by_a_number.rules",
}
"""Blocks that show a part of a file, by page and first line."""

CALLS: Final = re.compile(r"(rulewright|pytest) ")  # looked at by `test_mentions`
DRAWN: Final = {("inside.md", "*.rules -parse-> tree")}
FORMS: Final = ("language.md", 'holder chooses "Keep or pass?"')
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def _bare(line: str) -> str:
    """A line without its remark, its citations and needless blanks."""
    return " ".join(re.split(r"\s+(?:@|--)", line)[0].split())


def _begins(page: Path, block: Block) -> tuple[str, str]:
    return page.name, block.text.strip().partition("\n")[0].partition("  ")[0].strip()


def _is_held(page: Path, block: Block) -> bool:
    """Whether a test does the block, or compares it."""
    name, first = _begins(page, block)
    lines = [line for line in block.text.splitlines() if line.strip()]
    return (
        block.title is not None
        or block.language in DONE.get(name, ())
        or (block.language == "text" and block.follows)
        or all(CALLS.match(line) or line.startswith("$ ") for line in lines)
        or (name, _bare(first)) in TAKEN_FROM
        or (name, first) == FORMS
        or any(name == page_ and first.startswith(begin) for page_, begin in DRAWN)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_held(page: Path) -> None:
    """A block that no test knows is not put on a page."""
    text = page.read_text(encoding="utf-8")

    assert [block.text for block in fenced(text) if not _is_held(page, block)] == []


@pytest.mark.parametrize(("page", "first"), TAKEN_FROM, ids=lambda value: str(value)[:20])
def test_what_is_taken_from_a_file(page: str, first: str) -> None:
    """Each line stands in the file, but for remarks and citations."""
    path = ROOT / page if page == "README.md" else ROOT / "docs" / page
    (block,) = (
        each
        for each in fenced(path.read_text(encoding="utf-8"))
        if _bare(_begins(path, each)[1]) == first
    )
    source = (ROOT / TAKEN_FROM[page, first]).read_text(encoding="utf-8")
    there = {_bare(line) for line in source.splitlines()}

    assert [line for line in block.text.splitlines() if _bare(line) not in there] == []


def test_the_forms_of_choices_are_forms_of_the_language() -> None:
    """The overview of choices can be read as steps."""
    page = ROOT / "docs" / FORMS[0]
    (block,) = (
        each
        for each in fenced(page.read_text(encoding="utf-8"))
        if _begins(page, each)[1] == FORMS[1]
    )
    steps = "".join(f"    {line}\n" for line in block.text.splitlines())
    text = f'rulebook forms "Forms"\n    seats 2\nstart\n{steps}'
    tree, report = parse(SourceFile("forms.rules", text))

    assert (tree is not None, report.has_errors) == (True, False), report
