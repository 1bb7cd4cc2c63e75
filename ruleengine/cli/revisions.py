"""What may stand for one side of a comparison: a spec, with settings, at a revision of git.

`klink`, `klink+blank_klink`, `klink,end_check=latched`, `git:HEAD~1:klink`,
`git:v1:games/mine.rules`.
"""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from compiler.source import SourceSet
from ruleengine import library
from ruleengine.cli.options import chosen, loaded
from ruleengine.measure.difference import Side

_GIT = "git:"


def side(said: str, players: int | None, settings: tuple[str, ...]) -> Side:
    """The game that is meant; what cannot be had is said and ends the command."""
    name, *own = said.split(",")
    configuration = chosen(players, (*settings, *own))
    if not name.startswith(_GIT):
        return Side(said, loaded(name, configuration).game)
    _, revision, path = [*name.split(":", 2), "", ""][:3]
    if not revision or not path:
        raise click.UsageError(f"`{said}` is no revision: write git:REVISION:SPEC")
    with TemporaryDirectory() as folder:
        found = _checked_out(revision, path, Path(folder))
        game = loaded(found, configuration).game
        _refuse_strays(game.compiled.spec.sources, said, Path(folder))
        return Side(said, game)


def _checked_out(revision: str, spec: str, folder: Path) -> str:
    """The name of a spec as it lies in a folder that holds what there was at a revision.

    A rulebook is looked for beside its variants and one folder above, so what stood there is wanted
    too; it lies two folders deep, where nothing else can be found beside it.
    """
    first, plus, stacked = spec.partition("+")
    here = _path_of(first)
    root = Path(_git(here.parent, "rev-parse", "--show-toplevel").decode().strip())
    place = here.relative_to(root)
    above = f"{place.parent.parent.as_posix()}/"
    listed = _git(root, "ls-tree", "-z", revision, above).decode().split("\0")
    beside = (line.split("\t", 1) for line in listed if line)
    files = (name for facts, name in beside if facts.split()[1] == "blob")
    wanted = {place.parent.as_posix(), *files}
    data = _git(root, "archive", "--format=tar", revision, "--", *sorted(wanted))
    there = folder / "then" / "there"
    with tarfile.open(fileobj=BytesIO(data)) as tar:
        tar.extractall(there, filter="data")
    return f"{there / place}{plus}{stacked}"


def _refuse_strays(sources: SourceSet, said: str, folder: Path) -> None:
    """`UsageError` if something was not there at that revision and was found elsewhere."""
    for source in (sources.base, *sources.variants):
        path = Path(source.name).resolve()
        if not any(path.is_relative_to(root.resolve()) for root in (folder, library.shipped())):
            raise click.UsageError(f"`{said}` stands on `{source.name}`, which was not there then")


def _path_of(name: str) -> Path:
    """The file of a spec, as it is now; it must be where it was."""
    path = Path(name)
    if path.suffix == library.SUFFIX:
        return path.resolve()
    try:
        return library.file_of(name).resolve()
    except library.UnknownSpec as unknown:
        told = f"there is no `{name}` here, so where it was is not known"
        raise click.UsageError(told) from unknown


def _git(folder: Path, *words: str) -> bytes:
    """What git says; `UsageError` if it says no."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except OSError as error:
        raise click.UsageError(f"git cannot be run: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise click.UsageError(f"git says: {said[-1] if said else 'nothing'}")
    return done.stdout
