"""Where a drawing misleads the eye: what touches, or lies over, what it has nothing to do with.

An arrow must keep off words, titles of frames, and boxes that are not its own, run apart from
others, have no corners, and stay in the frames that both its boxes stand in; an arrow's words keep
off boxes, the lines of frames, other words, and places where arrows cross.  Looks at a finished
SVG, since only there it is known where everything came to lie.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Final
from xml.etree import ElementTree

from attrs import frozen

_SVG: Final = "{http://www.w3.org/2000/svg}"
_POINT: Final = re.compile(r"(-?[\d.]+)[, ](-?[\d.]+)")
_PARTS: Final = 24  # of a curve that are looked at
_NEAR: Final = 3.0  # points between an arrow and a box beside it
_CLOSE: Final = 2.0  # points between an arrow and words beside it
_OWN: Final = -1.0  # an arrow may just touch its own words
_OVER: Final = -1.5  # points by which words have to lie over something: letters are guessed
_STILL: Final = 0.05  # points that are no step
_STRETCH: Final = 25.0  # points for which two arrows may run together
_TOGETHER: Final = 120.0  # the same where they begin or end in the same box
_BEND: Final = 10.0  # points within which a turn is a corner
_CORNER: Final = 60.0  # degrees
_BESIDE_WORDS: Final = 14.0  # points
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

    def surrounds(self, other: "_Area") -> bool:
        """Whether all of another lies inside."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom

    @property
    def rim(self) -> tuple[Point, ...]:
        """Points on its edge: corners, and where words reach out farthest."""
        across = (self.left, (self.left + self.right) / 2, self.right)
        down = (self.top, (self.top + self.bottom) / 2, self.bottom)
        return tuple((x, y) for x in across for y in down)

    def crosses(self, frame: "_Area") -> bool:
        """Whether it lies on the line of a frame: neither outside of it nor inside."""
        outside = not self.meets(frame, _OVER)
        inside = (
            frame.left + _CLOSE <= self.left
            and self.right + _CLOSE <= frame.right
            and frame.top + _CLOSE <= self.top
            and self.bottom + _CLOSE <= frame.bottom
        )
        return not outside and not inside


@frozen
class _Arrow:
    """An arrow with the boxes at its ends, and its words."""

    ends: tuple[str, ...]
    points: tuple[Point, ...]
    around: _Area
    words: tuple[_Area, ...]

    @property
    def around_words(self) -> _Area:
        """What its words take up together."""
        return _joined(self.words)


@frozen
class _Picture:
    """What there is of a drawing that can be in the way."""

    boxes: tuple[tuple[str, _Area], ...]  # with their ids
    arrows: tuple[_Arrow, ...]
    frames: tuple[_Area, ...]  # of phases, and of the steps inside
    titles: tuple[_Area, ...]  # of frames, and what words mean: words that no line surrounds


def clashes(picture: bytes) -> int:
    """How many things touch, or lie over, what is not theirs, each pair once."""
    seen = _seen(picture)
    found = 0
    for at, arrow in enumerate(seen.arrows):
        found += sum(
            _touches(arrow, area, _NEAR) for id_, area in seen.boxes if id_ not in arrow.ends
        )
        found += sum(_touches(arrow, title, _CLOSE) for title in seen.titles)
        for other in seen.arrows:
            margin = _OWN if other is arrow else _CLOSE
            found += any(_touches(arrow, words, margin) for words in other.words)
        found += _misplaced(arrow, seen, seen.arrows[at + 1 :])
        found += _strays(arrow, seen) + _kinks(arrow)
        for other in seen.arrows[at + 1 :]:
            found += _lies_on(arrow, other) or _crosses_at_words(arrow, other)
    return found


def _strays(arrow: _Arrow, seen: _Picture) -> int:
    """How many frames it leaves that both its boxes stand in."""
    ends = [area for id_, area in seen.boxes if id_ in arrow.ends]
    around = [frame for frame in seen.frames if ends and all(frame.surrounds(end) for end in ends)]
    return sum(not frame.surrounds(arrow.around) for frame in around)


def _kinks(arrow: _Arrow) -> int:
    """Whether it has a bend that is a corner: much of a turn within a few points."""
    if arrow.ends[0] == arrow.ends[-1]:
        return 0
    steps = [
        (bx - ax, by - ay)
        for (ax, ay), (bx, by) in pairwise(arrow.points)
        if hypot(bx - ax, by - ay) > _STILL
    ]
    return int(any(_turn(step, steps[at:]) > _CORNER for at, step in enumerate(steps)))


def _turn(step: Point, then: Sequence[Point]) -> float:
    """By how many degrees an arrow has turned a few points after a step."""
    gone = 0.0
    for x, y in then:
        gone += hypot(x, y)
        if gone > _BEND:
            break
    return abs(degrees(atan2(step[0] * y - step[1] * x, step[0] * x + step[1] * y)))


def _crosses_at_words(arrow: _Arrow, other: _Arrow) -> bool:
    """Whether two arrows cross so near the words of one that nobody knows whose they are."""
    alike = arrow.ends[:1] == other.ends[:1] or arrow.ends[-1:] == other.ends[-1:]
    if alike or not arrow.around.meets(other.around, 0):
        return False
    words = (*arrow.words, *other.words)
    return any(
        _meet(one, two)
        for one in pairwise(arrow.points)
        if any(area.holds(one[0], _BESIDE_WORDS) for area in words)
        for two in pairwise(other.points)
    )


def _meet(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Whether two straight pieces cross."""
    return _apart(one, two) and _apart(two, one)


def _apart(line: tuple[Point, Point], ends: tuple[Point, Point]) -> bool:
    """Whether two points lie on different sides of a line."""
    (ax, ay), (bx, by) = line
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in ends]
    return (sides[0] > 0) != (sides[1] > 0)


def _lies_on(arrow: _Arrow, other: _Arrow) -> bool:
    """Whether two arrows can be taken for one: for a stretch there is nothing between them.

    Two that end in one box may come together before it.
    """
    if not arrow.around.meets(other.around, _CLOSE):
        return False
    here = [p for p in arrow.points if other.around.holds(p, _CLOSE)]
    there = [q for q in other.points if arrow.around.holds(q, _CLOSE)]
    near = [p for p in here if any(_beside(p, q) for q in there)]
    length = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(near))
    alike = arrow.ends[:1] == other.ends[:1] or arrow.ends[-1:] == other.ends[-1:]
    return length > (_TOGETHER if alike else _STRETCH)


def _beside(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < _CLOSE and abs(one[1] - other[1]) < _CLOSE


def _misplaced(arrow: _Arrow, seen: _Picture, others: Sequence[_Arrow]) -> int:
    """How many things an arrow's words lie over: boxes, lines of frames, titles, other words."""
    if not arrow.words:
        return 0
    whole = _joined(arrow.words)
    found = 0
    for _, box in seen.boxes:
        if whole.meets(box, 0):
            found += any(box.holds(corner, _OVER) for words in arrow.words for corner in words.rim)
    for frame in seen.frames:
        if whole.meets(frame, 0):
            found += any(words.crosses(frame) for words in arrow.words)
    for title in seen.titles:
        found += any(words.meets(title, _OVER) for words in arrow.words)
    for other in others:
        if other.words and whole.meets(other.around_words, 0):
            found += any(w.meets(o, _OVER) for w in arrow.words for o in other.words)
    return found


def _seen(picture: bytes) -> _Picture:
    groups = list(ElementTree.fromstring(picture).iter(f"{_SVG}g"))
    boxes: list[tuple[str, _Area]] = []
    arrows: list[_Arrow] = []
    frames: list[_Area] = []
    titles: list[_Area] = []
    for group in groups:
        kind = group.get("class")
        if kind == "edge":
            arrows.append(_arrow(group))
        elif kind in ("node", "cluster"):
            area = _outline(group)
            if kind == "cluster" or area is None:
                titles += [_words(text) for text in group.iter(f"{_SVG}text") if _said(text)]
            if kind == "cluster" and area is not None:
                frames.append(area)
            elif area is not None:
                boxes.append((_title(group), area))
    return _Picture(tuple(boxes), tuple(arrows), tuple(frames), tuple(titles))


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


def _joined(areas: Sequence[_Area]) -> _Area:
    """The smallest area around some."""
    return _Area(
        min(area.left for area in areas),
        min(area.top for area in areas),
        max(area.right for area in areas),
        max(area.bottom for area in areas),
    )


def _said(text: ElementTree.Element) -> str:
    return "".join(text.itertext()).replace("\N{NO-BREAK SPACE}", " ").strip()


def _words(text: ElementTree.Element) -> _Area:
    """About the area of a line of words."""
    said, size = _said(text), float(text.get("font-size", "11"))
    wide = sum(_NARROW if letter in _SLIM else _WIDE for letter in said) * size
    x, y = float(text.get("x", "0")), float(text.get("y", "0"))
    left = {"start": x, "end": x - wide}.get(text.get("text-anchor", "start"), x - wide / 2)
    return _Area(left, y - 0.75 * size, left + wide, y + 0.2 * size)
