"""How much there is of something, and that there is none, in plain English.

"p has at least 3 marks", "there are no discards", "there is a winner": what is counted has a name,
and perhaps somebody has it.
"""

import re
from typing import Final

from attrs import frozen

_OWNED: Final = re.compile(r"(.+)'s ([^']+)")
_TRAILER: Final = re.compile(r" (?:for|from|in|of|on|with) ")
_MOST: Final = ("highest", "lowest", "most", "fewest", "largest", "smallest")
_SINGULAR_ENDS: Final = ("ss", "us", "is")
_HISSING: Final = ("ches", "shes", "sses", "xes")

AS_NUMBER: Final = {
    "is": "{} {}",
    "is not": "not {} {}",
    "is less than": "fewer than {} {}",
    "is at most": "at most {} {}",
    "is more than": "more than {} {}",
    "is at least": "at least {} {}",
}
"""How many there are, against a number: the number, then what is counted."""

AS_OTHER: Final = {
    "is": "as many {1} as {0}",
    "is not": "not as many {1} as {0}",
    "is less than": "fewer {1} than {0}",
    "is at most": "at most as many {1} as {0}",
    "is more than": "more {1} than {0}",
    "is at least": "at least as many {1} as {0}",
}
"""How many there are, against something else: that, then what is counted."""


@frozen
class Thing:
    """Something that is counted or may be missing: its name, and whose it is if it is anybody's."""

    name: str
    owner: str = ""

    @classmethod
    def called(cls, words: str) -> "Thing":
        """What words name: in "p's open cards" it is "open cards", and they are p's."""
        found = _OWNED.fullmatch(words)
        return cls(words) if found is None else cls(found[2], found[1])

    @property
    def is_several(self) -> bool:
        """Whether the name is that of several things: "open cards", "passes in a row"."""
        head = _TRAILER.split(self.name)[0].split()
        return any(is_plural(word) for word in (head[0], head[-1]))

    def missing(self) -> str:
        """That there is none of it."""
        return f"{self._there()} no {self.name}"

    def present(self) -> str:
        """That there is some of it."""
        article = "an " if self.name[0] in "aeiou" else "a "
        if self.is_several or len(self.name) == 1:
            article = ""
        return f"{self._there()} {article}{self.name}"

    def compared(self, how: str, number: int) -> str:
        """How many there are, against a number; `how` is one of `AS_NUMBER`."""
        if number == 0 and how in ("is", "is at most"):
            return self.missing()
        if number == 0 and how in ("is not", "is more than"):
            how, number = "is at least", 1
        name = _singular(self.name) if number == 1 else self.name
        one = number == 1 and how in ("is", "is at least")
        return f"{self._there(one=one)} {AS_NUMBER[how].format(number, name)}"

    def against(self, how: str, other: str) -> str:
        """How many there are, against something else; `how` is one of `AS_OTHER`."""
        if how == "is" and other in _MOST:
            return f"{self._there()} the {other} {self.name}"
        return f"{self._there()} {AS_OTHER[how].format(other, self.name)}"

    def _there(self, *, one: bool = False) -> str:
        if self.owner:
            return f"{self.owner} has"
        return "there is" if one or not self.is_several else "there are"


def lying(how: str, number: int, place: str) -> str:
    """How much lies in a place, against a number: "there are fewer than 2 in deck"."""
    many = AS_NUMBER[how].format(number, "").strip()
    return f"there {'is' if many == '1' else 'are'} {many} in {place}"


def still_in(how: str, number: int) -> str:
    """How many players are still in, against a number."""
    name = "player" if number == 1 else "players"
    return f"{AS_NUMBER[how].format(number, name)} {'is' if number == 1 else 'are'} left"


def is_plural(word: str) -> bool:
    """Whether a noun names several things."""
    return len(word) > 2 and word.endswith("s") and not word.endswith(_SINGULAR_ENDS)


def counted(number: int, noun: str) -> str:
    """So many of something: `1 token`, `2,000 tokens`."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """A noun for several things: "values", "colours", "kinds", "steps with 1"."""
    trailer = _TRAILER.search(noun)
    if trailer is not None:
        return f"{plural(noun[: trailer.start()])}{noun[trailer.start() :]}"
    if is_plural(noun):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _singular(name: str) -> str:
    """A name with its first word that names several things for one of them."""
    words = name.split()
    for at, word in enumerate(words):
        if is_plural(word):
            if word.endswith("ies"):
                words[at] = f"{word[:-3]}y"
            else:
                words[at] = word[:-2] if word.endswith(_HISSING) else word[:-1]
            break
    return " ".join(words)
