"""Charts as data and as text."""

from compiler.flowchart import json_form
from compiler.flowchart.chart import chart
from compiler.flowchart.text import text
from tests.flowchart.written import written

RULES = """
    start
        "Deal" @SM-1.1
            shuffle deck
        -> turn
    phase turn "Turn" @SM-2
        active chooses "Keep or pass?" @SM-2.1
            keep "Keep"
                end winners [active]
            hand_on "Hand on" @SM-2.2
                active = next(active)
        rounds += 1
        -> turn
"""


def test_a_chart_as_text() -> None:
    """Boxes are numbered in their phase; a silent arrow to the box below is left out."""
    assert text(chart(written(RULES))) == (
        "Small: steps, 2 players\n"
        "\n"
        "Start\n"
        "    1  chance  Deal  @SM-1.1 -> Turn\n"
        "\n"
        "Turn  @SM-2\n"
        "    1  decide  active player: Keep or pass?  @SM-2.1\n"
        "         Keep -> 2\n"
        "         Hand on  @SM-2.2 -> 3\n"
        "    2  end     The active player wins\n"
        "    3  step    Active is now the player after active; Add 1 to rounds -> Turn\n"
    )


def test_a_chart_as_data() -> None:
    """Boxes and arrows go by their ids; places in the spec count from 1."""
    entry = json_form.entry(chart(written(RULES), phase="turn"))
    (box,) = [node for node in entry["nodes"] if node["id"] == "turn.keep_or_pass"]
    span = box["span"]

    assert (box["phase"], box["kind"], box["label"], box["clauses"]) == (
        "turn",
        "decision",
        "Keep or pass?",
        ["SM-2.1"],
    )
    assert span is not None
    assert (span["file"], span["column"]) == ("small.rules", 5)
    assert [
        (edge["from"], edge["label"], edge["to"]) for edge in entry["edges"] if edge["label"]
    ] == [
        ("turn.keep_or_pass", "Keep", "turn.2"),
        ("turn.keep_or_pass", "Hand on", "turn.3"),
    ]
