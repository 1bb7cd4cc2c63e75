"""What people see: colours on a terminal only, progress on stderr and only on a terminal."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import click
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from compiler.excerpt import Paint, plain
from compiler.highlight import lit
from compiler.render import SCHEMA_VERSION

JsonEntry: TypeAlias = Mapping[str, object]
"""What is said of one spec: whatever JSON can hold, by name."""


def say(text: str = "", *, end: str = "\n") -> None:
    """A line of the result; colours in it are kept if a terminal wants them."""
    click.echo(f"{text}{end}", nl=False, color=_wants_colour(stderr=False))


def note(text: str) -> None:
    """A line on stderr, where it disturbs nobody who reads the result."""
    click.echo(text, err=True, color=_wants_colour(stderr=True))


def say_json(specs: Sequence[JsonEntry]) -> None:
    """The document that programs read."""
    click.echo(json_text(specs), nl=False)


def json_text(specs: Sequence[JsonEntry]) -> str:
    """The same as text."""
    document = {"schema_version": SCHEMA_VERSION, "specs": specs}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def painter(*, stderr: bool = False) -> Paint:
    """How to colour a report: not at all unless it goes to a terminal that wants it."""
    return lit if _wants_colour(stderr) else plain


def _wants_colour(stderr: bool) -> bool:
    """Whether what is written goes to a terminal with colours; `NO_COLOR`, `FORCE_COLOR` decide."""
    console = Console(stderr=stderr)
    return console.is_terminal and not console.no_color


def say_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Rows in columns; the first `left` of them hold words, the others numbers."""
    console = Console(highlight=False)
    if not console.is_terminal:
        for line in aligned([headers, *rows], left):
            click.echo(line)
        return
    table = Table(box=SIMPLE, header_style="bold", pad_edge=False)
    for at, header in enumerate(headers):
        table.add_column(header, justify="left" if at < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Rows as lines of plain text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def announce(text: str) -> None:
    """What is about to be done, on stderr, for those who see no bar."""
    if not sys.stderr.isatty():
        note(text)


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar while something runs; what is given is to be told how much more is done."""
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield _unseen
        return
    count = MofNCompleteColumn() if total is not None else TextColumn("{task.completed}")
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=total)

        def advance(more: int) -> None:
            bar.advance(task, more)

        yield advance


def _unseen(_: int) -> None:
    """Nobody is watching."""
