"""Plain pictures of figures: dots with their intervals, and bars of how often.

SVG without colours of its own: lines and text have the colour of the text around them.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from compiler.markup import Markup, joined, tag
from ruleengine.measure.intervals import Interval

_WIDTH: Final = 640
_LEFT: Final = 220  # where the scale begins; words stand before it
_RIGHT: Final = 620
_LINE: Final = 22
_BARS: Final = 24


@frozen
class Dot:
    """A figure with a name."""

    name: str
    interval: Interval


def dots(title: str, found: Sequence[Dot]) -> Markup:
    """Figures below each other on one scale."""
    low = min(dot.interval.low for dot in found)
    high = max(dot.interval.high for dot in found)
    reach = (high - low) or 1.0

    def at(value: float) -> str:
        return f"{_LEFT + (value - low) / reach * (_RIGHT - _LEFT):.1f}"

    lines = []
    for row, dot in enumerate(found):
        y = _LINE * (row + 1)
        one = dot.interval
        words = f"{dot.name}: {one.value:.4g}, {one.low:.4g} to {one.high:.4g}"
        lines.append(
            tag(
                "g",
                tag("title", words),
                tag("text", dot.name, x=_LEFT - 10, y=y + 4, text_anchor="end"),
                tag("line", x1=at(one.low), x2=at(one.high), y1=y, y2=y, stroke="currentColor"),
                tag("circle", cx=at(one.value), cy=y, r=4, fill="currentColor"),
            )
        )
    foot = _LINE * (len(found) + 1)
    scale = joined(
        tag("text", f"{low:.4g}", x=_LEFT, y=foot + 4),
        tag("text", f"{high:.4g}", x=_RIGHT, y=foot + 4, text_anchor="end"),
    )
    return _figure(title, joined(lines, scale), foot + 12)


def bars(title: str, values: Sequence[int]) -> Markup:
    """How often values fall into each of a few steps of equal width."""
    low, high = min(values), max(values)
    step = max(1, -(-(high - low + 1) // _BARS))
    counts = Counter((value - low) // step for value in values)
    most = max(counts.values())
    many = (high - low) // step + 1
    width = _WIDTH / many
    drawn = []
    for place in range(many):
        height = 120 * counts[place] / most
        first = low + place * step
        span = f"{first}" if step == 1 else f"{first} to {first + step - 1}"
        drawn.append(
            tag(
                "rect",
                tag("title", f"{span}: {counts[place]}"),
                x=f"{place * width:.1f}",
                y=f"{130 - height:.1f}",
                width=f"{max(width - 1, 0.5):.1f}",
                height=f"{height:.1f}",
                fill="currentColor",
            )
        )
    scale = joined(
        tag("text", str(low), x=0, y=148),
        tag("text", str(high), x=_WIDTH, y=148, text_anchor="end"),
    )
    return _figure(title, joined(drawn, scale), 154)


def _figure(title: str, inside: Markup, height: int) -> Markup:
    return tag(
        "figure",
        tag("figcaption", title),
        tag(
            "svg",
            inside,
            viewBox=f"0 0 {_WIDTH} {height}",
            width=_WIDTH,
            height=height,
            role="img",
            aria_label=title,
            font_size="13",
            fill="currentColor",
        ),
    )
