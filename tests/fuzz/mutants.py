"""Texts that are almost specs: shipped ones with something wrong done to them.

A mutant is a function of its text, its kind and a stream of numbers, so that each can be had again.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from ruleengine.rng import Stream

Kind: TypeAlias = Callable[[str, Stream], bytes]

_TOKEN: Final = re.compile(r'"[^"\n]*"|--[^\n]*|\n[ \t]*|[ \t]+|\w+|@\S+|\.\.\.?|[-+]=|->|[<>]=|.')
_STRANGE: Final = (
    *"\u202e\u2066\u2069\u200b\u200d\ufeff\u00ad\u2028\x00\x07\x1b\x85\ue000é中\U0001f3b2`~\\{}$'",
    "\u0301" * 20,
)
_NUMBERS: Final = ("0", "-1", "99999", str(2**31), str(2**64), "9" * 5000, "00", "1e9", "0x1")
_INSERTED: Final = (
    *("(", ")", "[", "]", '"', "--", ",", ":", "=", "==", "..", ".", "->", "@", "@KL-4.1"),
    *(
        "none",
        "empty",
        "all x in",
        "some x in",
        "if",
        "otherwise",
        "where",
        "chooses",
        "may choose",
    ),
    *("face down", "seen by holder", "\n", "\n        ", "\r", "\t", "end draw", "default"),
)


def _parts(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _words(parts: list[str]) -> list[int]:
    """The places of parts that are not blank; one at least."""
    return [at for at, part in enumerate(parts) if part.strip()] or [0]


def _bytes(parts: list[str]) -> bytes:
    return "".join(parts).encode("utf-8", errors="surrogatepass")


def _pick(places: list[int], random: Stream) -> int:
    return places[random.below(len(places))]


def dropped(text: str, random: Stream) -> bytes:
    """A token is missing."""
    parts = _parts(text)
    parts[_pick(_words(parts), random)] = ""
    return _bytes(parts)


def doubled(text: str, random: Stream) -> bytes:
    """A token stands twice."""
    parts = _parts(text)
    at = _pick(_words(parts), random)
    parts[at] = f"{parts[at]} {parts[at]}"
    return _bytes(parts)


def swapped(text: str, random: Stream) -> bytes:
    """Two neighbours have changed places."""
    parts = _parts(text)
    places = _words(parts)
    at = random.below(max(1, len(places) - 1))
    one, other = places[at], places[min(at + 1, len(places) - 1)]
    parts[one], parts[other] = parts[other], parts[one]
    return _bytes(parts)


def strayed(text: str, random: Stream) -> bytes:
    """A token stands where another was."""
    parts = _parts(text)
    places = _words(parts)
    parts[_pick(places, random)] = parts[_pick(places, random)]
    return _bytes(parts)


def inserted(text: str, random: Stream) -> bytes:
    """Words of the language stand where none belong."""
    parts = _parts(text)
    at = _pick(_words(parts), random)
    parts[at] = f"{parts[at]} {_INSERTED[random.below(len(_INSERTED))]} "
    return _bytes(parts)


def misspelt(text: str, random: Stream) -> bytes:
    """A letter of a word is another, or in capitals."""
    parts = _parts(text)
    at = _pick([place for place in _words(parts) if parts[place][0].isalpha()] or [0], random)
    letter = random.below(len(parts[at]))
    fresh = parts[at][letter].swapcase() if random.below(2) else "abcdefghijklm"[random.below(13)]
    parts[at] = parts[at][:letter] + fresh + parts[at][letter + 1 :]
    return _bytes(parts)


def numbered(text: str, random: Stream) -> bytes:
    """A number is another: huge, negative, or none."""
    parts = _parts(text)
    places = [place for place in _words(parts) if parts[place].isdigit()] or [0]
    parts[_pick(places, random)] = _NUMBERS[random.below(len(_NUMBERS))]
    return _bytes(parts)


def line_dropped(text: str, random: Stream) -> bytes:
    """A line is missing."""
    lines = text.splitlines(keepends=True)
    del lines[random.below(len(lines))]
    return _bytes(lines)


def line_moved(text: str, random: Stream) -> bytes:
    """A line stands somewhere else, perhaps a second time."""
    lines = text.splitlines(keepends=True)
    at = random.below(len(lines))
    line = lines[at] if random.below(2) else lines.pop(at)
    lines.insert(random.below(len(lines) + 1), line)
    return _bytes(lines)


def indented(text: str, random: Stream) -> bytes:
    """Lines are deeper, or less deep."""
    lines = text.splitlines(keepends=True)
    for _ in range(1 + random.below(4)):
        at = random.below(len(lines))
        by = random.below(9)
        lines[at] = " " * by + (lines[at].lstrip(" ") if random.below(2) else lines[at])
    return _bytes(lines)


def tabbed(text: str, random: Stream) -> bytes:
    """Some lines are indented by tabs."""
    lines = text.splitlines(keepends=True)
    for _ in range(1 + random.below(6)):
        at = random.below(len(lines))
        lines[at] = lines[at].replace("    ", "\t", 1 + random.below(2))
    return _bytes(lines)


def truncated(text: str, random: Stream) -> bytes:
    """The text breaks off."""
    data = text.encode()
    return data[: random.below(len(data))]


def line_ends(text: str, random: Stream) -> bytes:
    """Lines end in all the ways there are."""
    ends = ("\n", "\r\n", "\r", "\n\r", "\x0b", "\x0c", "\u2028", "\x85", "")
    lines = text.splitlines()
    return _bytes(
        [line + ends[random.below(len(ends) if random.below(9) == 0 else 3)] for line in lines]
    )


def strange(text: str, random: Stream) -> bytes:
    """Characters that turn the direction, have no width, or control a terminal."""
    parts = _parts(text)
    for _ in range(1 + random.below(3)):
        at = _pick(_words(parts), random)
        letter = random.below(len(parts[at]) + 1)
        sign = _STRANGE[random.below(len(_STRANGE))]
        parts[at] = parts[at][:letter] + sign + parts[at][letter:]
    return _bytes(parts)


def encoded(text: str, random: Stream) -> bytes:
    """Bytes that are no UTF-8, or another encoding."""
    names = ("utf-16", "utf-16-le", "utf-32", "utf-7", "utf-8-sig", "cp500")
    choice = random.below(len(names) + 2)
    if choice < len(names):
        return text.encode(names[choice])
    data = bytearray(text.encode())
    for _ in range(1 + random.below(4)):
        data[random.below(len(data))] = random.below(256)
    return bytes(data)


def spliced(text: str, random: Stream) -> bytes:
    """A stretch of the text is put in somewhere else."""
    begin = random.below(len(text))
    stretch = text[begin : begin + random.below(300)]
    at = random.below(len(text))
    return (text[:at] + stretch + text[at:]).encode()


def nested(text: str, random: Stream) -> bytes:
    """Thousands of brackets stand somewhere, open, closed or both."""
    parts = _parts(text)
    at = _pick(_words(parts), random)
    depth = 10 ** (1 + random.below(4))
    opening, closing = ("(", ")") if random.below(2) else ("[", "]")
    around = random.below(4)
    before, behind = opening * depth * (around != 1), closing * depth * (around != 2)
    parts[at] = f"{before}{parts[at]}{behind}"
    return _bytes(parts)


def widened(text: str, random: Stream) -> bytes:
    """A part of a line is there so often that the line has up to a megabyte."""
    parts = _parts(text)
    at = _pick(_words(parts), random)
    size = 10 ** (3 + random.below(4))
    parts[at] = f"{parts[at]}{' ' * random.below(2)}" * (size // (len(parts[at]) + 1))
    return _bytes(parts)


def several(text: str, random: Stream) -> bytes:
    """Many things are wrong."""
    kinds = (dropped, doubled, swapped, strayed, inserted, line_moved, indented, misspelt)
    for _ in range(2 + random.below(12)):
        text = kinds[random.below(len(kinds))](text, random).decode("utf-8", errors="replace")
    return text.encode()


KINDS: Final[tuple[Kind, ...]] = (
    *(dropped, doubled, swapped, strayed, inserted, misspelt, numbered, line_dropped, line_moved),
    *(indented, tabbed, truncated, line_ends, strange, encoded, spliced, nested, widened, several),
)
