"""`book`: a page in Markdown for each rulebook, and whether those there are current."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from compiler.diagnostic import Report
from ruleengine import library
from ruleengine.cli.options import FOUND, opened, refuse, specs
from ruleengine.cli.screen import note, progress, say
from ruleengine.cli.writing import refused
from ruleengine.game import RefusedSpec
from ruleengine.report.chapter import Chapter
from ruleengine.report.rulebook import NOTICE, index, page
from ruleengine.report.rulebook_charts import Sketch, mark_of, picture, sketches

_FOLDER: Final = Path("rulebooks")
_INDEX: Final = "README.md"


@frozen
class Book:
    """What is told of one rulebook, and the charts that go with it."""

    chapter: Chapter
    sketches: tuple[Sketch, ...]
    variants: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file of its page."""
        return f"{self.chapter.spec.name}.md"


@click.command("book", short_help="Write a page for each rulebook: clauses, lines, charts.")
@specs
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=_FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where the pages and their charts are.",
)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say what is not current.")
def command(specs: tuple[str, ...], output: Path, only_check: bool) -> int:
    """Write a page for each rulebook, in Markdown.

    A page has the charts, every clause with the lines that implement it, and what the rulebook
    leaves open with the readings that are taken. With `--check` the exit code is 1 if a page or a
    chart is missing or not what the rules say now; that needs no Graphviz.
    """
    books = [_book(name) for name in dict.fromkeys(specs)]
    if only_check:
        stale = tuple(_stale(books, output))
        for path in stale:
            say(f"{path} is not current")
        if stale:
            note("the same command without `--check` writes them again")
        return FOUND if stale else 0
    try:
        output.mkdir(parents=True, exist_ok=True)
        return FOUND if _write(books, output) else 0
    except OSError as error:
        raise refused(output, error) from error


def _book(name: str) -> Book:
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec)
    try:
        chapter = Chapter.with_scenarios(spec, ())
    except RefusedSpec as refused:
        refuse(refused.report)
    return Book(chapter, sketches(chapter.game.compiled), library.variants(name))


def _texts(books: Sequence[Book], output: Path) -> Iterator[tuple[Path, str]]:
    """The pages, then the one that leads to them."""

    def address(name: str, line: int) -> str:
        path = Path(os.path.relpath(Path(name).resolve(), output.resolve())).as_posix()
        return f"{path}#L{line}" if line else path

    for book in books:
        table = output / f"{book.chapter.spec.name}-rulings.md"  # what `rulings` writes
        measured = table.name if table.is_file() else ""
        text = page(book.chapter, book.sketches, book.variants, address, measured)
        yield output / book.file, text
    yield output / _INDEX, index([book.chapter for book in books])


def _stale(books: Sequence[Book], output: Path) -> Iterator[Path]:
    """What is missing or differs from what would be written, and charts that no page shows."""
    for path, text in _texts(books, output):
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path
    wanted = {output / sketch.file: sketch for book in books for sketch in book.sketches}
    for path, sketch in wanted.items():
        if not path.is_file() or mark_of(path.read_bytes()) != sketch.mark:
            yield path
    yield from _strays(books, output)


def _strays(books: Sequence[Book], output: Path) -> Iterator[Path]:
    """Charts that a page showed once, and does not any more."""
    wanted = {output / sketch.file for book in books for sketch in book.sketches}
    for book in books:
        for path in sorted(output.glob(f"{book.chapter.spec.name}-*.svg")):
            if path not in wanted and mark_of(path.read_bytes()):
                yield path


def _write(books: Sequence[Book], output: Path) -> int:
    """Writes pages and charts, and takes away charts that no page shows; how many failed."""
    failed = 0
    wanted = {output / s.file: (book, s) for book in books for s in book.sketches}
    texts = dict(_texts(books, output))
    for path in texts:
        if path.is_file() and NOTICE not in path.read_text(encoding="utf-8"):
            raise click.UsageError(f"`{path}` is not a page of this command; say another folder")
    for path in _strays(books, output):
        path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
        say(str(path))
    with progress("charts", len(wanted)) as tell:
        for path, (book, sketch) in wanted.items():
            made = picture(book.chapter.game.compiled, sketch)
            if isinstance(made, bytes):
                path.write_bytes(made)
            else:
                note(f"{path}: {made}")
                failed += 1
            tell(1)
    return failed
