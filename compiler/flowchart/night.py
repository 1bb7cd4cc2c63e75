"""Charts on dark ground: each colour's counterpart, for a page, a picture or DOT text."""

import math
import re
from collections.abc import Iterable
from typing import Final

from compiler.flowchart.looks import FAINT, INK, PALE, PAPER

GROUND: Final = "#1b1f26"
"""What is behind a chart in the dark."""
LEGIBLE: Final = 4.5
"""The contrast that letters need."""

_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_GROUNDS: Final = re.compile(r'\b(bgcolor|fillcolor)="(#[0-9a-fA-F]{6})"')
_INKS: Final = re.compile(r'\b(color|fontcolor)="(#[0-9a-fA-F]{6})"')


def colours(text: str) -> frozenset[str]:
    """The colours of a drawing."""
    return frozenset(colour.lower() for colour in _COLOUR.findall(text))


def rules(used: Iterable[str], within: str) -> str:
    """CSS that gives the colours of charts inside a selector their counterparts."""
    return "".join(
        f'{within} [fill="{colour}"]{{fill:{ground(colour)}}}'
        f'{within} :is(text,.edge polygon)[fill="{colour}"]{{fill:{ink(colour)}}}'
        f'{within} [stroke="{colour}"]{{stroke:{ink(colour)}}}'
        for colour in sorted(used)
    )


def both(picture: bytes) -> bytes:
    """An SVG that is light or dark as its reader's screen is; in print it is light."""
    text = picture.decode()
    head, opened, rest = text.partition("<svg")
    attributes, closed, body = rest.partition(">")
    style = f"@media screen and (prefers-color-scheme: dark){{{rules(colours(body), 'svg')}}}"
    return f"{head}{opened}{attributes}{closed}\n<style>{style}</style>{body}".encode()


def darkened(text: str) -> str:
    """DOT text with every colour turned for dark ground.

    Colours stand in `fillcolor`, `bgcolor`, `color` and `fontcolor`, in quotes.
    """
    turned = _GROUNDS.sub(lambda found: f'{found[1]}="{ground(found[2])}"', text)
    return _INKS.sub(lambda found: f'{found[1]}="{ink(found[2])}"', turned)


def dark(colour: str) -> str:
    """The colour that is as light as this one is dark: white becomes the ground of a dark page."""
    parts = [part / 255 for part in _parts(colour)]
    shift = 1 - max(parts) - min(parts)
    turned = (min(1.0, max(0.0, part + shift)) for part in parts)
    floors = _parts(GROUND)
    return _code(floor + (255 - floor) * part for floor, part in zip(floors, turned, strict=True))


def ground(colour: str) -> str:
    """The same for what letters stand on: small ones can be read there too."""
    found, light = dark(colour), contrast(colour, INK) > contrast(colour, PAPER)
    letters, end = (ink(FAINT), 0) if light else (ink(PALE), 255)
    while contrast(found, letters) < LEGIBLE:
        found = _code(part + (end - part) / 8 for part in _parts(found))
    return found


def ink(colour: str) -> str:
    """The same for letters and lines: those that stand out from paper stand out in the dark."""
    found = dark(colour)
    if contrast(colour, "#ffffff") < LEGIBLE:
        return found
    while contrast(found, GROUND) < LEGIBLE:
        found = _code(part + (255 - part) / 8 for part in _parts(found))
    return found


def contrast(one: str, other: str) -> float:
    """How far two colours are apart in light, from 1 to 21, as the guidelines for pages measure."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in _parts(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, each up to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _code(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{min(255, math.ceil(part)):02x}" for part in parts)
