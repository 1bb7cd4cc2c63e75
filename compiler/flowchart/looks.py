"""How kinds of boxes look: shapes, colours, and how wide their words run.

Colours are `#rrggbb`, told apart by people who see no red or green, and no meaning rests on colour
alone: every kind has a shape or a line of its own.  Letters have the contrast of 4.5 to 1 that the
guidelines for pages ask for, on every ground and in the dark too.
"""

from attrs import frozen

from compiler.flowchart.model import EdgeKind, Kind

INK, FAINT, LINE, PAPER = "#111827", "#566070", "#858d9b", "#ffffff"
PALE = "#e5e7eb"
"""Small letters on a dark ground, as `FAINT` is on a light one."""
_NIGHT = "#14532d"
_BLUE, _SKY, _DEEP = "#1d4ed8", "#dbeafe", "#2563eb"
_RUST, _SAND = "#b45309", "#ffedd5"
_PLUM, _PINK = "#9d4e7f", "#fbe7f3"


@frozen
class Look:
    """How a kind of box is drawn, and how wide its text may be, in letters."""

    shape: str
    fill: str
    line: str
    style: str = "filled"
    double: bool = False
    letters: int = 30
    margin: str = "0.16,0.09"
    ink: str = INK


_SMOOTH = "filled,rounded"

LOOKS: dict[Kind, Look] = {
    Kind.START: Look("box", INK, INK, _SMOOTH, ink="#ffffff"),
    Kind.TRIGGER: Look("invhouse", _PINK, _PLUM, letters=26, margin="0.12,0.04"),
    Kind.STEP: Look("box", "#f3f4f6", LINE, _SMOOTH),
    Kind.QUESTION: Look("diamond", PAPER, FAINT, letters=17, margin="0.05,0.04"),
    Kind.DECISION: Look("box", _SKY, _DEEP, _SMOOTH),
    Kind.JOINT: Look("box", _SKY, _DEEP, _SMOOTH, double=True),
    Kind.WINDOW: Look("tab", _SKY, _DEEP),
    Kind.CHANCE: Look("hexagon", _SAND, _RUST, letters=26, margin="0.08,0.05"),
    Kind.CALL: Look("box", "#f3f4f6", FAINT, double=True),
    Kind.EXIT: Look("cds", PAPER, FAINT, margin="0.22,0.15"),
    Kind.ENTRY: Look("cds", "#f3f4f6", FAINT, margin="0.22,0.15"),
    Kind.RETURN: Look("circle", PAPER, INK, double=True, margin="0.02,0.02"),
    Kind.END: Look("box", _NIGHT, _NIGHT, double=True, ink="#ffffff"),
}

LEGEND = {
    Kind.START: "phase begins",
    Kind.TRIGGER: "whenever",
    Kind.STEP: "step",
    Kind.QUESTION: "test",
    Kind.DECISION: "a player decides",
    Kind.JOINT: "sealed decisions",
    Kind.WINDOW: "turns to answer",
    Kind.CHANCE: "chance",
    Kind.CALL: "phase, then back",
    Kind.EXIT: "goes on as",
    Kind.ENTRY: "comes from",
    Kind.RETURN: "back",
    Kind.END: "game over",
}

STUB = Look("box", PAPER, LINE, _SMOOTH, letters=20, margin="0.08,0.04")
"""Where an arrow back would be tangled with others: a box that names where it leads."""

SMALLEST = 9
"""The size of the smallest letters on a drawing, in points."""

EDGE_INK = {EdgeKind.FLOW: "#4b5563", EdgeKind.ANSWER: "#4b5563", EdgeKind.OPTION: _DEEP}
EDGE_INK[EdgeKind.SHUT] = LINE
