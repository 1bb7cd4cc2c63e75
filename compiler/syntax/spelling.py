"""What a misspelt word may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 60  # characters of a word that somebody may have misspelt
CLOSE = 0.7  # share of letters in common from which on two words are worth a question


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that looks most like this one, or nothing if none does."""
    if len(word) > LONGEST:
        return ""
    candidates = sorted(set(known) - {word})
    found = get_close_matches(word, candidates, 1, CLOSE)
    return found[0] if found else ""
