"""Builds the site into `.site/html`: `python -m docs.website`.  Needs the extra `docs`.

Pages lie in the repository so that code hosts show them.  The site is made from a copy that has the
same folders, so that links between pages stay what they are.  What else pages link to and is text
(rules, code) becomes a page of its own, with numbered lines.  In the end every link of the site is
followed.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from attrs import define, field

ROOT: Final = Path(__file__).parents[1]
SITE: Final = ROOT / ".site"
FIRST: Final = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
_PICTURES: Final = frozenset({".svg", ".png", ".json"})
_LANGUAGES: Final = {".rules": "rules", ".py": "python", ".toml": "toml", ".lark": "ebnf"}
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_LINKING: Final = frozenset({"a", "img", "link", "script"})
_IN_WEB: Final = re.compile(r"[a-z]+:")


def pages() -> Iterator[Path]:
    """The pages that the site begins with; others come in where these link to them."""
    yield from (ROOT / name for name in FIRST)
    yield from sorted((ROOT / "docs").rglob("*.md"))


def staged(folder: Path) -> tuple[Path, ...]:
    """Copies all pages, and what they link to, into a folder; what was copied, from the root on."""
    done: list[Path] = []
    ahead = list(pages())
    while ahead:
        source = ahead.pop()
        name = source.relative_to(ROOT)
        if name in done:
            continue
        done.append(name)
        target = folder / _staged_name(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in _PICTURES:
            shutil.copyfile(source, target)
            continue
        text = source.read_text(encoding="utf-8")
        if source.suffix == ".md":
            ahead += linked(source, text)
            target.write_text(_with_links_of_site(source, text), encoding="utf-8")
        else:
            target.write_text(_as_page(name, text), encoding="utf-8")
    return tuple(sorted(done))


def linked(page: Path, text: str) -> Iterator[Path]:
    """The files in the repository that a page links to."""
    for target in _LINK.findall(text):
        path = (page.parent / target.partition("#")[0]).resolve()
        if not _IN_WEB.match(target) and path.is_file():
            yield path


def _staged_name(name: Path) -> Path:
    """Where a file lies in the copy: the README is the first page, code is a page too."""
    if name == Path("README.md"):
        return Path("index.md")
    if name.suffix == ".md" or name.suffix in _PICTURES:
        return name
    return name.with_name(f"{name.name}.md")


def _with_links_of_site(page: Path, text: str) -> str:
    def moved(found: re.Match[str]) -> str:
        target, mark, part = found[1].partition("#")
        path = (page.parent / target).resolve()
        if not target or _IN_WEB.match(found[1]) or not path.is_file():
            return found[0]
        name = path.relative_to(ROOT)
        link = target.removesuffix(name.name) + _staged_name(name).name
        return f"]({link}{mark}{re.sub(r'^L(?=[0-9]+$)', '__codelineno-0-', part)})"

    return _LINK.sub(moved, text)


def _as_page(name: Path, text: str) -> str:
    """A text file as a page: its lines numbered, each to be linked to."""
    language = _LANGUAGES.get(name.suffix, "text")
    fence = "`" * 4
    return f'# {name.name}\n\n{fence}{language} linenums="1"\n{text.rstrip()}\n{fence}\n'


@define
class _Page(HTMLParser):
    """What a built page links to, and what in it can be linked to."""

    targets: list[str] = field(factory=list)
    ids: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps the links and names of one tag."""
        for name, value in attrs:
            if value is None:
                continue
            if name in ("id", "name"):
                self.ids.add(value)
            elif tag in _LINKING and name in ("href", "src") and not _IN_WEB.match(value):
                self.targets.append(unquote(value))


def broken(folder: Path) -> list[str]:
    """The links of a built site that lead nowhere, as `page: link`."""
    built = {path: _Page() for path in sorted(folder.rglob("*.html")) if path.name != "404.html"}
    for path, page in built.items():
        page.feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, page in built.items():
        for target in page.targets:
            name, _, part = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            there = there / "index.html" if there.is_dir() else there
            ids = built[there].ids if there in built else None
            if not there.is_file() or (part and ids is not None and part not in ids):
                wrong.append(f"{path.relative_to(folder)}: {target}")
    return wrong


def main() -> int:
    """Builds the site; 1 if a link is broken."""
    shutil.rmtree(SITE, ignore_errors=True)
    staged(SITE / "pages")
    shutil.copyfile(ROOT / "docs" / "zensical.toml", SITE / "zensical.toml")
    command = [sys.executable, "-m", "zensical", "build", "-f", str(SITE / "zensical.toml")]
    if subprocess.run(command, check=False, cwd=SITE).returncode:
        return 1
    wrong = broken(SITE / "html")
    sys.stdout.write("".join(f"broken link: {each}\n" for each in wrong))
    sys.stdout.write(f"{SITE / 'html' / 'index.html'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
