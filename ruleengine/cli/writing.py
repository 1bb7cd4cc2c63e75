"""Files that commands write."""

from pathlib import Path

import click


def write(path: Path, data: bytes) -> None:
    """Writes a file, folders around it included; `UsageError` if that is refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"cannot write `{path}`: {error.strerror}") from error
