"""How an author calls the things of a file, as far as its lines show: help speaks of those.

A file that does not read has no declarations yet, only lines; the first that fits is taken, and
where none does, a name that reads well.
"""

import re
from collections.abc import Mapping
from typing import Final

_FIRST: Final[Mapping[str, tuple[str, ...]]] = {  # what -> where its name stands, and a name
    "pile": (r"^zone (\w+): *pile of", r"^zone (\w+)(?! per)\b", "deck"),
    "hand": (r"^zone (\w+) per player\b.*\bface down", r"^zone (\w+) per player\b", "hand"),
    "table": (r"^zone (\w+):(?! *pile of)", "table"),
    "used": (r"^zone (discard\w*|used|trash|graveyard)\b", "box"),
    "score": (
        r"^var (\w*(?:score|point)\w*) per player\b",
        r"^var (\w+) per player: *-?\w+\.\.",
        "score",
    ),
    "active": (
        r"^var (active)\b",
        r"^var (\w+): *player *=",
        r"^phase \w+\((\w+): *player\b",
        "active",
    ),
    "phase": (r"^phase (\w+)", "turn"),
    "die": (r"^die (\w+)", "cube"),
    "number": (r"^var (\w+): *-?\w+\.\.", "n"),
    "card": (r"^card (\w+)", r"^piece (\w+)", "playing_card"),
    "piece": (r"^piece (\w+)", r"^card (\w+)", "stone"),
    "board": (r"^board (\w+)", "board"),
}
_ATTRIBUTE: Final = re.compile(r"^(?:\t|  +)(\w+): *([\w.]+)", re.MULTILINE)
_CLASS: Final = re.compile(r"^(card|piece) (\w+).*((?:\n(?:[ \t].*)?)*)", re.MULTILINE)
_PLAIN: Final = re.compile(r"-?\d+")


def own_names(text: str) -> dict[str, str]:
    """What a file calls its things, by what they are."""
    one = _fresh(text, "x", "it")
    return {what: _name(rows, text) for what, rows in _FIRST.items()} | {
        "x": one,
        "c": _fresh(text, "d", "chosen"),
        "value": _value(text),
        "piece_test": f"{one}.{_test('piece', text)}",
        "card_test": f"{one}.{_test('card', text)}",
    }


def attributes(text: str) -> list[str]:
    """What cards and pieces of a file have, by name."""
    return [
        found[1] for _, _, lines in _CLASS.findall(text) for found in _ATTRIBUTE.finditer(lines)
    ]


def _fresh(text: str, *names: str) -> str:
    """The first name that a file has for nothing, or else the last: no name is taken twice."""
    free = (
        name for name in names if not re.search(rf"\b(?:for|let|some|all|chooses) {name}\b", text)
    )
    return next(free, names[-1])


def _name(rows: tuple[str, ...], text: str) -> str:
    *patterns, otherwise = rows
    found = (re.search(pattern, text, re.MULTILINE) for pattern in patterns)
    return next((match[1] for match in found if match is not None), otherwise)


def _value(text: str) -> str:
    """What cards are compared by: the first number that they have, or else what they have first."""
    told = [found for _, _, lines in _CLASS.findall(text) for found in _ATTRIBUTE.findall(lines)]
    numbers = [name for name, type_ in told if ".." in type_]
    return next(iter([*numbers, *(name for name, _ in told)]), "rank")


def _test(what: str, text: str) -> str:
    """What can be asked of a card or piece: `owner is A`."""
    classes = sorted(_CLASS.findall(text), key=lambda found: found[0] != what)
    told = [found for _, _, lines in classes[:1] for found in _ATTRIBUTE.findall(lines)]
    for name, type_ in sorted(told, key=lambda found: found[1] != "player"):
        if type_ == "player":
            return f"{name} is A"
        if _PLAIN.match(type_):
            return f"{name} is {type_.split('.')[0]}"
        member = re.search(rf"^enum {type_}: *(\w+)", text, re.MULTILINE)
        if member is not None:
            return f"{name} is {member[1]}"
    return "owner is A" if what == "piece" else "rank is ace"
