"""What a scenario finds: expectations that do not hold, lines that do not fit the game."""

from attrs import frozen

from compiler.source import Span


class Broken(Exception):
    """A line of a scenario that cannot be carried out, or does not hold, and where."""

    def __init__(self, message: str, span: Span | None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint


@frozen
class Failure:
    """What did not hold, where, and what would."""

    message: str
    span: Span
    hint: str = ""
