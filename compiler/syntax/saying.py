"""A way to say something that is said in another way here, and what such patterns are made of."""

import re
from functools import cached_property
from typing import Final

from attrs import frozen


@frozen
class Saying:
    """A way to say something that this language says in another way.

    The stretch is all that the pattern fits, or its group `wrong`.  `fix` and `instead` are
    templates over the groups; without `instead` the line is left to its author.  `needs` is a
    terminal that must be able to stand at the place.
    """

    regex: str
    reason: str
    fix: str
    instead: str = ""
    needs: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, made when a line does not read: most texts never need it."""
        return re.compile(self.regex)


def saying(pattern: str, reason: str, fix: str, instead: str = "", needs: str = "") -> Saying:
    """A row of the table."""
    return Saying(pattern, reason, fix, instead, needs)


TERM: Final = r"[a-z_]\w*+(?:\[[^\]]*\])?+"
SEAT: Final = r"[A-Z]\w*"
BEGINS_TERM: Final = (
    r"(?:[=<>+*(,\[-]|\b(?:if|elif|when|unless|until|is|and|or|not|then|else|expect))"
)
OF: Final = r"(?:in|of|from)"
GOES_ON: Final = r"(?= *(?:$|[\")\],@]|(?:and|or|then|for)\b))"
"""What can stand behind a term that ends: the end of its line, a title, a bracket, a word."""
