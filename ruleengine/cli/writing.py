"""Files that commands write."""

import os
from pathlib import Path

import click


class Target(click.Path):
    """A file to be written in the end.

    What stands in its way is said at once, not after hours of games.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: "str | os.PathLike[str]",
        _param: click.Parameter | None,
        _ctx: click.Context | None,
    ) -> Path:
        """The path; `UsageError` if no file can be written there."""
        path = Path(value)
        if path.is_dir() or any(folder.is_file() for folder in path.parents):
            raise refused(path, OSError())
        return path


def write(path: Path, data: bytes) -> None:
    """Writes a file, folders around it included; `UsageError` if that is refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise refused(path, error) from error


def refused(path: Path, error: OSError) -> click.UsageError:
    """Why nothing can be written at a path, as wrong use."""
    return click.UsageError(f"cannot write `{path}`: {obstacle(path, error)}")


def obstacle(path: Path, error: OSError) -> str:
    """What stands in the way of a file: a file where a folder is needed, a folder, or the system.

    The system says of `notes/page.html` that it is there, or no folder, when `notes` is a file.
    """
    around = [folder for folder in path.parents if folder.is_file()]
    if around:
        return f"`{around[0]}` is a file, not a folder"
    if path.is_file() and isinstance(error, FileExistsError):
        return "it is a file, not a folder"
    if path.is_dir():
        return "it is a folder; name a file in it"
    return error.strerror or "the system says no"
