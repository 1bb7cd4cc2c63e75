"""Where a drawing misleads the eye: an arrow that touches words, or a box that is not its own.

Looks at a finished SVG, since only there it is known where everything came to lie.
"""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from attrs import frozen

_SVG: Final = "{http://www.w3.org/2000/svg}"
_POINT: Final = re.compile(r"(-?[\d.]+)[, ](-?[\d.]+)")
_PARTS: Final = 24  # of a curve that are looked at
_NEAR: Final = 3.0  # points between an arrow and a box beside it
_CLOSE: Final = 2.0  # points between an arrow and words beside it
_OWN: Final = -1.0  # an arrow may just touch its own words
_NARROW: Final = 0.28
_WIDE: Final = 0.55
_SLIM: Final = frozenset("iljtf.,:;'|! ")

Point = tuple[float, float]


@frozen
class _Area:
    """A rectangle; of a box with corners cut off, only what lies inside these counts."""

    left: float
    top: float
    right: float
    bottom: float
    slanted: bool = False

    def meets(self, other: "_Area", margin: float) -> bool:
        """Whether two areas overlap, or nearly do."""
        return (
            self.left - margin <= other.right
            and other.left <= self.right + margin
            and self.top - margin <= other.bottom
            and other.top <= self.bottom + margin
        )

    def holds(self, point: Point, margin: float) -> bool:
        """Whether a point is in the area, or nearly so."""
        x, y = point
        if not (self.left - margin <= x <= self.right + margin):
            return False
        if not (self.top - margin <= y <= self.bottom + margin):
            return False
        if not self.slanted:
            return True
        wide, high = (self.right - self.left) / 2 + margin, (self.bottom - self.top) / 2 + margin
        across = abs(x - (self.left + self.right) / 2) / wide
        return across + abs(y - (self.top + self.bottom) / 2) / high <= 1


@frozen
class _Arrow:
    """An arrow with the boxes at its ends, and its words."""

    ends: tuple[str, ...]
    points: tuple[Point, ...]
    around: _Area
    words: tuple[_Area, ...]


def clashes(picture: bytes) -> int:
    """How many arrows touch words or boxes that are not theirs, each pair once."""
    groups = list(ElementTree.fromstring(picture).iter(f"{_SVG}g"))
    boxes = [
        (_title(group), area)
        for group in groups
        if group.get("class") == "node" and (area := _outline(group)) is not None
    ]
    arrows = [_arrow(group) for group in groups if group.get("class") == "edge"]
    found = 0
    for arrow in arrows:
        found += sum(_touches(arrow, area, _NEAR) for id_, area in boxes if id_ not in arrow.ends)
        for other in arrows:
            margin = _OWN if other is arrow else _CLOSE
            found += any(_touches(arrow, words, margin) for words in other.words)
    return found


def _touches(arrow: _Arrow, area: _Area, margin: float) -> bool:
    if not arrow.around.meets(area, margin):
        return False
    return any(area.holds(point, margin) for point in arrow.points)


def _title(group: ElementTree.Element) -> str:
    return group.findtext(f"{_SVG}title") or ""


def _arrow(group: ElementTree.Element) -> _Arrow:
    points = tuple(
        point for path in group.iter(f"{_SVG}path") for point in _along(path.get("d", ""))
    )
    ends = tuple(end.partition(":")[0] for end in _title(group).split("->"))
    words = tuple(_words(text) for text in group.iter(f"{_SVG}text") if _said(text))
    return _Arrow(ends, points, _around(points), words)


def _along(path: str) -> Iterator[Point]:
    """Points on a path of curves, one after the other."""
    at = [(float(x), float(y)) for x, y in _POINT.findall(path)]
    for begin in range(0, len(at) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at[begin : begin + 4]
        for part in range(_PARTS + 1):
            t = part / _PARTS
            u = 1 - t
            a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def _outline(group: ElementTree.Element) -> _Area | None:
    """The area of a box; `None` if it has no line."""
    shapes = [*group.iter(f"{_SVG}polygon"), *group.iter(f"{_SVG}path")]
    points = tuple(
        (float(x), float(y))
        for shape in shapes
        for x, y in _POINT.findall(shape.get("points") or shape.get("d") or "")
    )
    if not points:
        return None
    around = _around(points)
    return _Area(around.left, around.top, around.right, around.bottom, slanted=_is_slanted(shapes))


def _is_slanted(shapes: list[ElementTree.Element]) -> bool:
    """Whether a box is a diamond: a polygon that has four corners and no upright side."""
    for shape in shapes:
        corners = _POINT.findall(shape.get("points") or "")
        if len(corners) == 5 and len({x for x, _ in corners}) == 3:
            return True
    return False


def _around(points: tuple[Point, ...]) -> _Area:
    if not points:
        return _Area(0, 0, 0, 0)
    across, down = [x for x, _ in points], [y for _, y in points]
    return _Area(min(across), min(down), max(across), max(down))


def _said(text: ElementTree.Element) -> str:
    return "".join(text.itertext()).replace("\N{NO-BREAK SPACE}", " ").strip()


def _words(text: ElementTree.Element) -> _Area:
    """About the area of a line of words."""
    said, size = _said(text), float(text.get("font-size", "11"))
    wide = sum(_NARROW if letter in _SLIM else _WIDE for letter in said) * size
    x, y = float(text.get("x", "0")), float(text.get("y", "0"))
    left = {"start": x, "end": x - wide}.get(text.get("text-anchor", "start"), x - wide / 2)
    return _Area(left, y - 0.75 * size, left + wide, y + 0.2 * size)
