"""A way to say something that is said in another way here, and what such patterns are made of."""

import re
from functools import cached_property
from typing import Final

from attrs import frozen


@frozen
class Saying:
    """A way to say something that this language says in another way.

    The stretch is all that the pattern fits, or its group `wrong`.  `fix` and `instead` are
    templates over the groups and over what the file calls its things (`{hand}`); without `instead`
    the line is left to its author.  `needs` is a terminal that must be able to stand at the place.
    What is named in `wrong` is no keyword, unless the row is `free`.
    """

    regex: str
    reason: str
    fix: str
    instead: str | None = None
    needs: str = ""
    free: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, made when a line does not read: most texts never need it."""
        return re.compile(self.regex)


def saying(
    pattern: str,
    reason: str,
    fix: str,
    instead: str | None = None,
    needs: str = "",
    free: bool = False,
) -> Saying:
    """A row of the table."""
    return Saying(pattern, reason, fix, instead, needs, free)


class Said(str):
    """What somebody typed, as a template shows it.

    `{0}` is how it stands, `{0:name}` a name made of it, `{0:members}` those of whom it is one,
    `{0:number}` a number that is told by a word, `{0:place}` the hand of a player.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        match spec:
            case "name":
                return _NO_NAME.sub("_", self.lower()).strip("_")
            case "number":
                return _NUMBERS.get(self, self)
            case "place":
                return self if "[" in self else f"hand[{self}]"
            case "members":
                return "players" if self == "player" else str(self)
            case _:
                return str(self)


_NUMBERS: Final = {"a": "1", "one": "1", "pair": "2", "two": "2", "three": "3", "four": "4"}
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")


TERM: Final = r"[a-z_]\w*+(?:\[[^\]]*\])?+"
SEAT: Final = r"[A-Z]\w*"
WHO: Final = rf"(?:{SEAT}|[a-z_]\w*+(?:\[[^\]]*\]|\([^()]*\))?+)"
"""Somebody: a seat, a variable, what a define says."""
BEGINS_TERM: Final = (
    r"(?:[=<>+*(,\[-]|\b(?:if|elif|when|unless|until|is|and|or|not|then|else|expect))"
)
OF: Final = r"(?:in|of|from)"
GOES_ON: Final = r"(?= *(?:$|[\")\],@]|(?:and|or|then|for)\b))"
"""What can stand behind a term that ends: the end of its line, a title, a bracket, a word."""
