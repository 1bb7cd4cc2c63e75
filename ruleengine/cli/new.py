"""`new`: a rulebook to begin with."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from compiler.diagnostic import Report
from ruleengine import library
from ruleengine.cli.screen import say
from ruleengine.cli.writing import refused
from ruleengine.game import open_spec
from ruleengine.starter import WrongName, starter


@click.command("new", short_help="Write a rulebook to begin with.")
@click.argument("name", type=click.Path(), metavar="NAME")
def command(name: str) -> int:
    """Write a rulebook to begin with: a folder NAME with a small game that checks, plays and draws.

    It has clauses, a ruling, a hand of hidden cards, scenarios and a variant, with comments on what
    everything is for. Nothing that exists is written over.
    """
    folder = Path(name)
    try:
        texts = starter(folder.name)
    except WrongName as wrong:
        if wrong.nearest in library.names():
            wrong = WrongName(folder.name, f"my_{wrong.nearest}")
        raise click.UsageError(str(wrong)) from wrong
    if folder.exists():
        raise click.UsageError(f"`{name}` is there already, and nothing is written over")
    if folder.name in library.names():
        raise click.UsageError(
            f"`{folder.name}` is a shipped rulebook; how about `my_{folder.name}`?"
        )
    if not _compiles(folder.name, texts):
        raise click.UsageError(
            f"`{folder.name}` is a word of the language; how about `my_{folder.name}`?"
        )
    try:
        _write(folder, texts)
    except OSError as error:
        raise refused(folder, error) from error
    for path in texts:
        say((folder / path).as_posix())
    say()
    say("Next:")
    for verb in ("check", "play", "flow", "test"):
        say(f"  rulewright {verb} {name}")
    return 0


def _write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _compiles(name: str, texts: dict[str, str]) -> bool:
    """Whether the rulebook can bear its name."""
    with TemporaryDirectory() as room:
        folder = Path(room) / name
        _write(folder, texts)
        return not isinstance(open_spec(str(folder)), Report)
