"""Plots as SVG inside a page: bars, and shares with their intervals.  They print as drawn."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from compiler.markup import Markup, joined, tag
from ruleengine.measure.intervals import Interval

_WIDTH: Final = 640
_BAR_HEIGHT: Final = 160
_ROW: Final = 30
_LEFT: Final = 170
_RIGHT: Final = 150
_EDGE: Final = 30


@frozen
class Bar:
    """One bar of a histogram: what it stands for, and how high it is."""

    label: str
    count: int


@frozen
class Range:
    """A share with its interval and, if there is one, what it would be by right."""

    label: str
    interval: Interval
    fair: float | None
    told: str


def bars(found: Sequence[Bar], title: str, axis: str) -> Markup:
    """Bars side by side, the first and last and some between with their labels."""
    most = max((bar.count for bar in found), default=0) or 1
    wide = (_WIDTH - 2 * _EDGE) / max(len(found), 1)
    every = max(1, -(-len(found) // 8))
    drawn = []
    for at, bar in enumerate(found):
        high = round(_BAR_HEIGHT * bar.count / most, 1)
        x, y = _EDGE + at * wide, _BAR_HEIGHT + 10 - high
        told = tag("title", f"{bar.label}: {bar.count}")
        drawn.append(
            tag("rect", told, x=_px(x + 1), y=_px(y), width=_px(max(wide - 2, 1)), height=_px(high))
        )
        if at % every == 0:
            drawn.append(_text(bar.label, x + wide / 2, _BAR_HEIGHT + 26, "middle"))
    low = _BAR_HEIGHT + 10
    base = tag("line", x1=_px(_EDGE), y1=_px(low), x2=_px(_WIDTH - _EDGE), y2=_px(low))
    name = _text(axis, _WIDTH / 2, _BAR_HEIGHT + 46, "middle")
    return _plot(title, _BAR_HEIGHT + 54, joined(drawn, base, name))


def ranges(found: Sequence[Range], title: str) -> Markup:
    """Shares below each other on one scale from 0 to 100 %."""
    high = _ROW * len(found) + 40
    marks = []
    for part in range(0, 101, 25):
        x = _scaled(part / 100)
        marks += [
            tag("line", x1=_px(x), y1="8", x2=_px(x), y2=_px(high - 26), class_="grid"),
            _text(f"{part} %", x, high - 8, "middle"),
        ]
    rows = [_range(one, 24 + _ROW * at) for at, one in enumerate(found)]
    return _plot(title, high, joined(marks, rows))


def _range(one: Range, y: float) -> Markup:
    low, at, high = (
        _scaled(value) for value in (one.interval.low, one.interval.value, one.interval.high)
    )
    fair = None
    if one.fair is not None:
        x = _scaled(one.fair)
        fair = tag("line", x1=_px(x), y1=_px(y - 11), x2=_px(x), y2=_px(y + 11), class_="fair")
    return joined(
        _text(one.label, _LEFT - 12, y + 4, "end"),
        fair,
        tag("line", x1=_px(low), y1=_px(y), x2=_px(high), y2=_px(y), class_="reach"),
        tag("circle", cx=_px(at), cy=_px(y), r="5"),
        _text(one.told, _WIDTH - _RIGHT + 12, y + 4, "start"),
    )


def _scaled(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _plot(title: str, high: float, content: Markup) -> Markup:
    return tag(
        "svg",
        tag("title", title),
        content,
        viewBox=f"0 0 {_WIDTH} {_px(high)}",
        role="img",
        class_="plot",
        width=_WIDTH,
        height=_px(high),
    )


def _text(words: str, x: float, y: float, anchor: str) -> Markup:
    return tag("text", words, x=_px(x), y=_px(y), text_anchor=anchor)


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
