"""Player aids: one sheet that says what the rules say."""

import re
from xml.etree import ElementTree

import pytest

from compiler.flowchart import aid_page, svg
from compiler.flowchart.aid import Aid, aid
from compiler.flowchart.model import Kind
from compiler.graph.core import Graph
from tests.flowchart.shipped import compiled
from tests.flowchart.test_games import graph
from tests.flowchart.written import written

__all__ = ["graph"]

RULES = """
    start
        "Deal" @SM-1
            shuffle deck
        -> turn
    phase turn "Turn" @SM-2
        active chooses "Keep or pass?" @SM-2.1
            keep c in hand[active] "Keep"
                when score < 3
                move c to open
                score += c.value @SM-3
            hand_on "Hand on"
                when 1 > 2
                active = next(active)
            stop "Stop"
                end winners players @SM-4
        -> turn
"""

needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)


def said(found: Aid) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """What an aid says, section by section."""
    return {
        section.title: [(item.head, item.lines) for item in section.items]
        for section in found.sections
    }


def test_what_an_aid_says() -> None:
    """The phases with their titled steps; options with conditions, shut ones left out; the ends."""
    assert said(aid(written(RULES))) == {
        "Course of the game": [
            ("Start", ("Deal > on to Turn",)),
            (
                "Turn",
                (
                    "Keep or pass? one of:",
                    "\u2003Keep: Move c to open; Add c's value to score > on to Turn again",
                    "\u2003Stop: the game ends: Winners: everybody",
                ),
            ),
        ],
        "What you may do": [
            (
                "active player: Keep or pass?",
                ("Keep: c in active's hand; if score is less than 3", "Stop"),
            )
        ],
        "How it ends, and what counts": [("Winners: everybody", ("Keep or pass? Stop",))],
        "Words": [],
    }


def test_every_decision_is_in_the_aid(graph: Graph) -> None:
    """Who plays finds each decision that a game can come to."""
    found = aid(graph)
    told = {head for head, _ in said(found)["What you may do"]}
    shut = {box.phase for box in found.chart.nodes if box.sub.startswith("never reached")}

    assert shut == set()
    assert all(": " in head for head in told)
    assert any(box.kind is Kind.END for box in found.chart.nodes)


@needs_renderer
def test_an_aid_fits_its_sheets(graph: Graph) -> None:
    """Everything stands inside one sheet of A4, or two, in letters that can be read."""
    told = aid(graph)
    found = aid_page.sheet(told)
    assert isinstance(found, bytes)
    root = ElementTree.fromstring(found)
    texts = root.findall("{http://www.w3.org/2000/svg}text")
    many = 2 if graph.name == "highjinks" else 1
    printed = {text.text for text in texts}

    assert (root.get("width"), root.get("height")) == (f"{210 * many}mm", "297mm")
    assert max(float(text.get("y", "0")) for text in texts) < 1123 - 36
    assert min(float(text.get("font-size", "0")) for text in texts) >= 7
    assert {section.title for section in told.sections if section.items} <= printed
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 1


@needs_renderer
def test_an_aid_as_a_page() -> None:
    """As HTML it is text with a drawing, and fetches nothing."""
    found = aid_page.page(aid(written(RULES)))
    assert isinstance(found, bytes)

    assert b"Keep: c in active's hand; if score is less than 3" in found
    assert b"<svg" in found
    assert set(re.findall(rb"(?:https?:)?//[\w.]+", found)) <= {b"http://www.w3.org"}


def test_the_course_names_answers() -> None:
    """What a question's answer leads to stands behind it, and steps without a title count too."""
    graph = written("""
        start
            if score > 3 "Enough?"
                score = 0
            do tidy
            end draw
        phase tidy "Tidy up"
            move all of open to deck
    """)
    (course, *_) = said(aid(graph)).values()

    assert course == [
        ("Start", ("Enough? yes: Set score to 0", "Tidy up > the game ends: Draw")),
        ("Tidy up", ("Move all of open to deck",)),
    ]


def test_only_what_decides_is_told_of_the_end() -> None:
    """Whose turn it is decides nothing in Jinx; in Jinxx the ways to the end are told."""
    ends = {name: aid(compiled(name).graph).sections[2].items for name in ("jinx", "jinxx")}

    assert [(item.head, item.lines) for item in ends["jinx"]] == [
        ("The active player wins", ("Third mark? yes",))
    ]
    assert ends["jinxx"][-1].lines == (
        "Winners: who wins",
        "A line through the centre? yes",
        "A line now, after removals? yes",
        "Only one player left? yes",
    )


def test_the_course_tells_what_is_instead_and_what_again() -> None:
    """Options stand below their decision, and again until one that leads on; so do loops."""
    graph = written("""
        start
            for p in players "Player by player"
                if score > 3 "Enough?"
                    score = 0
                move all of open to deck "Tidy up"
            repeat
                first(players) chooses "Which one?"
                    draw "Draw a card"
                        move top of deck to open
                    quit "Stop"
                        "Stop here"
                            score = 1
                        -> last
        phase last "The last phase"
            end draw
    """)
    (course, *_) = said(aid(graph)).values()

    assert course == [
        (
            "Start",
            (
                "Player by player:",
                "\u2003Enough? yes: Set score to 0",
                "\u2003Tidy up",
                "Which one? one of, again until Stop:",
                "\u2003Draw a card: Move top of deck to open",
                "\u2003Stop",
                "Stop here > on to The last phase",
            ),
        ),
        ("The last phase", ("the game ends: Draw",)),
    ]


def test_an_aid_explains_its_words() -> None:
    """What conditions of options are called is told below: Jinks says what a roll allows."""
    words = [
        line for item in aid(compiled("jinks").graph).sections[-1].items for line in item.lines
    ]

    assert "p's rolls allowed: 2 + (p's luck cards with extra roll)" in words
    assert "Cards are one colour: all of cards have the same colour" in words
