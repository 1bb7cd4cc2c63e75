"""Where games are kept, whatever that is: a session knows no files."""

from typing import Protocol


class Shelf(Protocol):
    """Where games are kept.  Both raise `ShelfError` with a reason for people."""

    def put(self, name: str, text: str) -> None:
        """Keeps a text under a name."""

    def get(self, name: str) -> str:
        """The text under a name."""


class ShelfError(Exception):
    """A text that cannot be kept or fetched, and why."""
