"""A drawing with fewer signs that looks the same: numbers to a tenth of a point, plain shapes.

Programs that lay charts out write straight lines as curves, every shape once for its ground and
once for its edge, and what holds anyway.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

from attrs import frozen

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_CURVES: Final = re.compile(r"M[-\d., ]+(?:C[-\d., ]+)*Z?")
_PLACED: Final = frozenset({"x", "y", "cx", "cy", "rx", "ry", "font-size", "points", "viewBox"})
_USUAL: Final = {"text-anchor": "start", "fill-opacity": "1", "stroke-opacity": "1"}
_STILL: Final = "scale(1 1) rotate(0) "
_TENTH: Final = 10


@frozen
class _Point:
    """A point in tenths."""

    x: int
    y: int

    def __sub__(self, other: "_Point") -> "_Point":
        return _Point(self.x - other.x, self.y - other.y)


def slim(root: Element) -> None:
    """Rewrites a drawing in place; what it shows moves by less than a tenth of a point."""
    for element in root.iter():
        _plain(element)
        _join(element)


def _plain(element: Element) -> None:
    """Writes the attributes of an element as short as they can be."""
    for name, value in list(element.items()):
        if _USUAL.get(name) == value:
            del element.attrib[name]
        elif name in _PLACED:
            element.set(name, _NUMBER.sub(lambda found: _written(_tenths(found[0])), value))
        elif name == "transform":
            element.set(name, value.removeprefix(_STILL))
        elif name == "d" and _CURVES.fullmatch(value):
            element.set(name, _path(value))
    if element.tag != "text" and not (element.text or "").strip():
        element.text = None
    for child in element:
        if not (child.tail or "").strip():
            child.tail = None


def _join(parent: Element) -> None:
    """Draws the ground and the edge of one shape in one go."""
    for ground, edge in list(pairwise(parent)):
        same = ground.tag == edge.tag and _shape(ground) == _shape(edge)
        if same and ground.get("stroke") == "none" and edge.get("fill") == "none":
            edge.set("fill", ground.get("fill", "none"))
            parent.remove(ground)


def _shape(element: Element) -> dict[str, str]:
    return {key: element.get(key, "") for key in ("d", "points", "cx", "cy", "rx", "ry")}


# ---- paths


def _path(text: str) -> str:
    """A path of curves, each from where the last ended; those that are straight as lines."""
    start, *curves = text.removesuffix("Z").removeprefix("M").split("C")
    at = _points(start)[0]
    found = [f"M{_pair(at)}"]
    for curve in curves:
        points = _points(curve)
        for first in range(0, len(points) - 2, 3):
            found += _curve(at, points[first : first + 3])
            at = points[first + 2]
    return "".join(found) + ("z" if text.endswith("Z") else "")


def _curve(at: _Point, points: Sequence[_Point]) -> Iterator[str]:
    """One curve; nothing for one that goes nowhere."""
    end = points[-1] - at
    if {*points} <= {at, points[-1]}:
        if end.x and end.y:
            yield f"l{_pair(end)}"
        elif end.x:
            yield f"h{_written(end.x)}"
        elif end.y:
            yield f"v{_written(end.y)}"
        return
    yield f"c{_row([point - at for point in points])}"


def _points(text: str) -> list[_Point]:
    numbers = [_tenths(found) for found in _NUMBER.findall(text)]
    return [_Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def _pair(point: _Point) -> str:
    return _row([point])


def _row(points: Sequence[_Point]) -> str:
    """Numbers in a row; before a minus no space is needed."""
    words = [_written(part) for point in points for part in (point.x, point.y)]
    return words[0] + "".join(word if word[0] == "-" else f" {word}" for word in words[1:])


def _tenths(number: str) -> int:
    return round(float(number) * _TENTH)


def _written(tenths: int) -> str:
    """A number of tenths as short as can be: `12`, `.5`, `-3.4`."""
    sign = "-" if tenths < 0 else ""
    whole, rest = divmod(abs(tenths), _TENTH)
    return f"{sign}{whole or ('' if rest else 0)}{f'.{rest}' if rest else ''}"
