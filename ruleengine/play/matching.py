"""Which of several answers is meant by what somebody typed.

An answer is typed as scenarios write it (`hand_on to B`), in the words it is shown with (`pass both
to b`), or shortened: every word by its first letters, small words left out, capitals or not.  The
closest kind of agreement that any answer has decides; several answers that agree alike are told.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import frozen

Words: TypeAlias = tuple[str, ...]

_WORD: Final = re.compile(r"#\d+|-?\w+")
_SMALL: Final = frozenset({"the", "to", "with", "on", "of", "from", "in", "at", "for"})
"""Words that may be left out; `a` is a seat."""


def words_of(text: str) -> Words:
    """The words of a text, in small letters; names of several words are several."""
    return tuple(word for found in _WORD.findall(text.lower()) for word in _apart(found))


def _apart(word: str) -> Words:
    return tuple(part for part in word.split("_") if part)


@frozen
class Answerable:
    """An answer and the ways to write it, the first being the scenarios'.

    `unordered` if it takes a set, whose members may be typed in any order.
    """

    ways: tuple[Words, ...]
    unordered: bool = False


def meant(typed: str, answers: Sequence[Answerable]) -> tuple[int, ...]:
    """The positions of the answers that agree best with what was typed; none if none does."""
    wanted = words_of(typed)
    if not wanted:
        return ()
    for agrees in _AGREEMENTS:
        found = tuple(at for at, answer in enumerate(answers) if agrees(wanted, answer))
        if found:
            return found
    return ()


# ---- kinds of agreement, the closest first


def _is_written(wanted: Words, answer: Answerable) -> bool:
    return wanted == answer.ways[0]


def _is_way(wanted: Words, answer: Answerable) -> bool:
    return wanted in answer.ways


def _has_same_words(wanted: Words, answer: Answerable) -> bool:
    """The same but for small words, and the order of a set."""
    bare = _bare(wanted)
    if answer.unordered:
        return any(sorted(bare) == sorted(_bare(way)) for way in answer.ways)
    return any(bare == _bare(way) for way in answer.ways)


def _begins(wanted: Words, answer: Answerable) -> bool:
    """Whether the answer begins so."""
    return any(wanted == way[: len(wanted)] for way in answer.ways)


def _shortens(wanted: Words, answer: Answerable) -> bool:
    """Whether every word begins as one of the answer, in turn."""
    bare = _bare(wanted)
    return any(_in_turn(bare, _bare(way)) or _in_turn(wanted, way) for way in answer.ways)


def _in_turn(wanted: Words, way: Words) -> bool:
    pairs = zip(wanted, way, strict=False)
    return len(wanted) <= len(way) and all(_is_start(short, word) for short, word in pairs)


def _is_start(short: str, word: str) -> bool:
    """`k` of `keep`, `10` of `10s`; a number is no beginning of a longer number."""
    if short == word:
        return True
    return word.startswith(short) and not (short[-1].isdigit() and word[len(short)].isdigit())


def _bare(words: Words) -> Words:
    """The words without the small ones, unless nothing would be left."""
    return tuple(word for word in words if word not in _SMALL) or words


_AGREEMENTS: Final[tuple[Callable[[Words, Answerable], bool], ...]] = (
    _is_written,
    _is_way,
    _has_same_words,
    _begins,
    _shortens,
)
