"""How marks look, in DOT attributes: by line, width and letters, then by colour.

The colours are those that people who see no red or green tell apart, and the scale of counts gets
darker step by step, so that a black and white print of it can be read.
"""

from collections.abc import Mapping
from typing import Final

from compiler.flowchart.overlay import HEATS, Mark, Tone

_FILLS: Final = ("#ffffff", "#fff1cf", "#fed98e", "#fdae4b", "#b9530b", "#7a2704")
_LIGHT: Final = 4  # from this step on letters are white

_LINES: Final[Mapping[Tone, tuple[str, str, str]]] = {  # colour, width, style
    Tone.HEAT: ("#4b5563", "1", ""),
    Tone.PASSED: ("#b45309", "3", ""),
    Tone.NOW: ("#b45309", "5", ""),
    Tone.ADDED: ("#0072b2", "3.5", ""),
    Tone.REMOVED: ("#b04a00", "1.6", "dashed"),
    Tone.CHANGED: ("#9d4e7f", "3", "bold"),
    Tone.REROUTED: ("#00664b", "2.6", "bold"),
    Tone.CHOSEN: ("#0072b2", "3.5", ""),
    Tone.WRONG: ("#b04a00", "3.5", ""),
    Tone.MISSING: ("#b04a00", "2.5", "dashed"),
    Tone.SHUT: ("#858d9b", "1.2", "dashed"),
    Tone.ASIDE: ("#c3c8d0", "1", ""),
}

_GROUNDS: Final[Mapping[Tone, str]] = {
    Tone.NOW: "#fde68a",
    Tone.CHOSEN: "#fff3c9",
    Tone.SHUT: "#ffffff",
    Tone.ASIDE: "#ffffff",
    Tone.REMOVED: "#ffffff",
    Tone.WRONG: "#fde3cf",
    Tone.MISSING: "#ffffff",
}
_ASIDE_INK: Final = "#667080"
_INK: Final = "#111827"
_STEPS_BACK: Final = (Tone.ASIDE, Tone.SHUT)


def box(mark: Mark, style: str) -> dict[str, str]:
    """What a mark changes of a box that is drawn in a style."""
    colour, width, line = _LINES[mark.tone]
    found = {"color": colour, "penwidth": width}
    if line:
        found["style"] = f"{style},{line}"
    ground = ground_of(mark)
    if ground is not None:
        found |= {"fillcolor": ground, "fontcolor": ink_of(mark)}
    return found


def ground_of(mark: Mark) -> str | None:
    """The colour inside a box; `None` for that of its kind."""
    return _FILLS[mark.heat] if mark.tone is Tone.HEAT else _GROUNDS.get(mark.tone)


def ink_of(mark: Mark) -> str:
    """The colour of letters on it."""
    if mark.tone is Tone.HEAT:
        return "#ffffff" if mark.heat >= _LIGHT else _INK
    return _ASIDE_INK if mark.tone in _STEPS_BACK else _INK


def arrow(mark: Mark) -> dict[str, str]:
    """What a mark changes of an arrow."""
    colour, width, line = _LINES[mark.tone]
    if mark.tone is Tone.HEAT:
        found = {"color": colour, "penwidth": str(1 + mark.heat * 4 / HEATS)}
        return found | ({"style": "dotted"} if mark.heat == 0 else {})
    said = _ASIDE_INK if mark.tone in _STEPS_BACK else colour
    found = {"color": colour, "penwidth": width, "fontcolor": said}
    return found | ({"style": line} if line else {})


def cell(mark: Mark) -> tuple[str, str, int, bool]:
    """A mark in a legend: ground, line, its width, whether it is dashed."""
    colour, width, line = _LINES[mark.tone]
    ground = ground_of(mark) or "#ffffff"
    return ground, colour, max(1, round(float(width))), line == "dashed"
