"""Names that other languages take."""

import re
from collections.abc import Iterable


def legal_names(names: Iterable[str], prefix: str) -> dict[str, str]:
    """A name for each: letters, digits and `_` behind a prefix, all different, like the given."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        word = prefix + re.sub(r"\W", "_", name, flags=re.ASCII)
        while word in taken:
            word += "_"
        taken.add(word)
        given[name] = word
    return given
