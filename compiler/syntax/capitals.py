"""Words of the language written with a capital."""

import re
from collections.abc import Sequence

from compiler.diagnostic import Edit
from compiler.syntax.bare import line_end
from compiler.syntax.errors import MisspeltWord
from compiler.syntax.place import Hint, Place

_CAPITAL = re.compile(r"\b[A-Z][a-zA-Z]+\b")


def capital(place: Place, first_words: Sequence[str]) -> Hint | None:
    """A word of the language written with a capital, as at the beginning of a sentence."""
    begin = place.start - len(place.before)
    line = place.source.text[begin : line_end(place.source.text, begin)]
    at = len(place.before)
    words = [match for match in _CAPITAL.finditer(line) if match.start() <= at]
    match = words[-1] if words else None
    if match is None:
        return None
    said, first = match[0].lower(), not line[: match.start()].strip()
    reaches = match.end() >= (len(place.before.rstrip()) if first else at)
    if not reaches or said not in (first_words if first else place.accepted_words):
        return None
    span = place.source.span(begin + match.start(), begin + match.end())
    reason = "words of the language have small letters"
    return Hint(span, f"write `{said}`", reason, MisspeltWord, (Edit(span, said),))
