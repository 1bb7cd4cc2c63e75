"""`fmt`: specs in the layout of the language."""

import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

import click
from attrs import frozen

from compiler.diagnostic import Report, unreadable
from compiler.format.layout import laid_out
from compiler.render import entries, full
from compiler.source import SourceFile, Unreadable
from ruleengine import library
from ruleengine.cli.options import FOUND, SpecName, found_sources
from ruleengine.cli.screen import JsonEntry, note, painter, say, say_json

STDIN = "-"


@frozen
class _Laid:
    """A text before and after."""

    source: SourceFile
    before: str
    after: str

    @property
    def changes(self) -> bool:
        """Whether it was laid out otherwise."""
        return self.before != self.after


@click.command("fmt", short_help="Lay out specs: indentation, spaces, columns of citations.")
@click.argument("specs", nargs=-1, required=True, type=SpecName(), metavar="SPEC...")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--json", "json_", is_flag=True, help="Write nothing; say as JSON what would change.")
def command(specs: tuple[str, ...], check: bool, diff: bool, json_: bool) -> int:
    """Lay out specs: indentation, spaces, columns of citations.

    A SPEC is a name, a file, a folder (all its specs), or `-` for the standard input, which is
    answered on the standard output.  With a name go its scenarios.  Words, comments and line breaks
    stay as they are.  A file with errors of form is reported and left alone; the exit code is 1
    then.
    """
    if STDIN in specs and len(dict.fromkeys(specs)) > 1:
        raise click.UsageError("`-` stands alone: the standard input is one text")
    report = Report()
    laid = [done for text in _texts(specs, report) if (done := _lay(text, report)) is not None]
    if report.has_errors and not json_:
        note(full(report, painter(stderr=True)).rstrip())
    if json_:
        told: list[JsonEntry] = [
            {"name": done.source.name, "changes": done.changes} for done in laid
        ]
        wrong = [{"name": None, "diagnostics": entries(report)}] if report.has_errors else []
        say_json([*told, *wrong])
    elif diff:
        for done in laid:
            say("".join(_diff(done)), end="")
    elif not check:
        _write(laid)
    changed = [done for done in laid if done.changes]
    if STDIN not in specs and not json_:
        note(_summary(len(changed), len(laid), writes=not (check or diff)))
    return FOUND if report.has_errors or (changed and (check or diff or json_)) else 0


def _texts(specs: Sequence[str], report: Report) -> Iterator[SourceFile]:
    """The texts that are meant, each once; what cannot be read is reported."""
    seen: set[str] = set()
    for name in specs:
        for text in _meant(name):
            if isinstance(text, Unreadable):
                report.add(unreadable(text))
            elif text.name not in seen:
                seen.add(text.name)
                yield text


def _meant(name: str) -> Iterator[SourceFile | Unreadable]:
    if name == STDIN:
        yield SourceFile.decode("<stdin>", sys.stdin.buffer.read())
        return
    path = Path(name)
    if path.is_dir():
        found = sorted(path.rglob(f"*{library.SUFFIX}"))
        if not found:
            raise click.UsageError(f"in the folder `{name}` is no file `*{library.SUFFIX}`")
        yield from map(SourceFile.read, found)
    elif path.suffix == library.SUFFIX and path.is_file():
        yield SourceFile.read(path)
    else:
        yield from _of_spec(name)


def _of_spec(name: str) -> Iterator[SourceFile | Unreadable]:
    """The files of a spec that is named: rulebook, variants, scenarios."""
    sources = found_sources(name)
    if isinstance(sources, Report):
        note(full(sources, painter(stderr=True)).rstrip())
        raise click.exceptions.Exit(FOUND)
    yield from (sources.base, *sources.variants, *sources.scenarios)


def _lay(source: SourceFile, report: Report) -> _Laid | None:
    """A text and its layout; what cannot be read is reported."""
    after = laid_out(source)
    if isinstance(after, Report):
        report.extend(after)
        return None
    return _Laid(source, _as_stored(source), after)


def _as_stored(source: SourceFile) -> str:
    """What the file holds, ends of lines included; the text as read where there is no file."""
    path = Path(source.name)
    if not path.is_file():
        return source.text
    return path.read_bytes().decode("utf-8")


def _diff(done: _Laid) -> Iterator[str]:
    name = done.source.name
    lines = unified_diff(
        done.before.splitlines(keepends=True),
        done.after.splitlines(keepends=True),
        name,
        f"{name} (formatted)",
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _write(laid: Sequence[_Laid]) -> None:
    for done in laid:
        if done.source.name == "<stdin>":
            click.echo(done.after, nl=False, color=True)  # every character of the text
        elif done.changes:
            Path(done.source.name).write_text(done.after, encoding="utf-8", newline="\n")


def _summary(changed: int, looked_at: int, *, writes: bool) -> str:
    files = f"{looked_at} file{'' if looked_at == 1 else 's'}"
    did = "formatted" if writes else "would be formatted"
    return f"{changed} of {files} {did}" if changed else f"nothing to do in {files}"
