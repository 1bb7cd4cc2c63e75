"""Lines of a game on a screen: coloured on a terminal, plain in a pipe."""

import shutil
from collections.abc import Iterable
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from ruleengine.play.lines import Line, Look

_NARROWEST: Final = 40
_WIDEST: Final = 100
_IN_A_PIPE: Final = 72
_STYLES: Final = {
    Look.PLAIN: "",
    Look.TITLE: "bold",
    Look.HAPPENED: "italic",
    Look.TABLE: "",
    Look.ASKED: "bold cyan",
    Look.OPTION: "",
    Look.NOTE: "dim",
    Look.WRONG: "yellow",
}


def width() -> int:
    """How wide lines may be: as the terminal, or as `COLUMNS` says."""
    columns = shutil.get_terminal_size((_IN_A_PIPE, 24)).columns
    return max(_NARROWEST, min(_WIDEST, columns))


def show(lines: Iterable[Line]) -> None:
    """Writes lines on stdout."""
    console = Console(highlight=False)
    for line in lines:
        if console.is_terminal:
            console.print(Text(line.text, _STYLES[line.look]), soft_wrap=True)
        else:
            click.echo(line.text)


def wipe() -> None:
    """Leaves nothing on the terminal that somebody else should not see; does nothing in a pipe."""
    console = Console()
    if console.is_terminal:
        click.clear()
        click.echo("\x1b[3J", nl=False)  # what can be scrolled back to
