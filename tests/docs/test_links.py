"""Links between pages: each leads to a file that is there, and to a heading or line in it."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from docs.website import staged
from tests.docs.reading import ROOT

PAGES: Final = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "specs").rglob("*.md"),
    )
)
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_HEADING: Final = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def _links(text: str) -> Iterator[str]:
    """Where the links of a page lead, those into the web left out."""
    for target in _LINK.findall(_CODE.sub("", text)):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchor(heading: str) -> str:
    """What a heading is called in links: small letters, hyphens for blanks, no other signs."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@cache
def _anchors(path: Path) -> frozenset[str]:
    """What can be named in a file: headings and marks of a page, lines of anything else."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        return frozenset(f"L{number}" for number, _ in enumerate(text.split("\n"), 1))
    bare = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = (anchor(heading) for heading in _HEADING.findall(bare))
    return frozenset((*headings, *re.findall(r'<a id="([^"]+)">', bare)))


def _is_broken(page: Path, target: str) -> bool:
    name, _, part = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    return not path.exists() or (part != "" and part not in _anchors(path))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links(page: Path) -> None:
    """No link of the page is broken."""
    text = page.read_text(encoding="utf-8")

    assert [target for target in _links(text) if _is_broken(page, target)] == []


def test_every_page_is_linked() -> None:
    """A reader who begins at the README or the index comes to every page."""
    reached: set[Path] = set()
    ahead = [ROOT / "README.md", ROOT / "docs" / "index.md"]
    while ahead:
        page = ahead.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        for target in _links(page.read_text(encoding="utf-8")):
            path = (page.parent / target.partition("#")[0]).resolve()
            ahead += [path] if path.is_file() else []
    everywhere = {page for page in PAGES if page.is_relative_to(ROOT / "docs")}

    assert sorted(page.name for page in everywhere - reached) == []


@pytest.mark.parametrize(
    ("heading", "name"),
    [("Can `A` see it?", "can-a-see-it"), ("4. Choices", "4-choices"), ("[A](b.md) – c", "a--c")],
)
def test_anchors(heading: str, name: str) -> None:
    """Headings are named as wikis and code hosts name them."""
    assert anchor(heading) == name


def test_the_site_leads_to_every_guide() -> None:
    """Each page stands in the site's contents, and nothing does that is not there."""
    said = tomllib.loads((ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8"))
    named = set(re.findall(r"'([\w./-]+\.md)'", str(said["project"]["nav"])))
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}

    assert pages - named == set()
    assert [name for name in named - {"index.md"} if not (ROOT / name).is_file()] == []


def test_pages_of_the_site(tmp_path: Path) -> None:
    """The copy that the site is made from has pages, and also rules that are linked to."""
    staged(tmp_path)
    rules = (tmp_path / "specs" / "klink" / "klink.rules.md").read_text(encoding="utf-8")
    page = (tmp_path / "docs" / "rulebooks" / "klink.md").read_text(encoding="utf-8")

    assert '```rules linenums="1"\n' in rules
    assert re.search(r"\]\(\.\./\.\./specs/klink/klink\.rules\.md#__codelineno-0-\d+\)", page)
    assert (tmp_path / "index.md").is_file()
    assert (tmp_path / "docs" / "index.md").is_file()
