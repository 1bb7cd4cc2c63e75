"""Words on charts for readers who have no spec: who is meant, what is given, what cannot be."""

import pytest

from compiler.flowchart.chart import chart
from compiler.flowchart.dot import draw
from compiler.flowchart.extent import MOST
from compiler.graph.naming import player_called
from tests.flowchart.shipped import compiled


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("p", "player p"),
        ("active", "active player"),
        ("threatened", "threatened player"),
        ("defender", "defender"),
        ("A", "A"),
    ],
)
def test_a_player_by_the_name_of_a_spec(name: str, called: str) -> None:
    """A name that only says which one is said of a player; a letter is no person."""
    assert player_called(name) == called


def test_a_window_that_is_not_handed_on_asks_the_same_one() -> None:
    """After a spell the same player goes on, after a pass the other one."""
    duel = chart(compiled("highjinks").graph, phase="duel")
    back = [(e.source, e.label) for e in duel.edges if e.target == "duel.empower_or_pass"]
    labels = {duel.node(source).label: label for source, label in back}

    assert labels["Set passes in a row to 0"] == "the same one again"
    assert labels["The other one is asked"] == ""


def test_what_never_is_possible_is_quoted() -> None:
    """Titles with commas in them are told apart."""
    notes = chart(compiled("klink").graph).notes

    assert notes[-1].endswith("“Look at the other, and keep both”; “Use a card in vain by choice”")


def test_a_whole_game_tells_what_its_words_mean() -> None:
    """However many boxes it has, the list is on its picture, in columns."""
    drawn = chart(compiled("highjinks").graph)

    assert len(drawn.nodes) > MOST
    assert all(f">{meaning.word}<" in draw(drawn) for meaning in drawn.meanings[:3])
    assert draw(drawn).count('<td valign="top"><table') > 1


def test_everybody_is_asked_while_nobody_can_have_left() -> None:
    """Players leave High Jinks, but not before its opening hands."""
    edges = chart(compiled("highjinks").graph, phase="opening").edges

    assert "nobody to ask" not in {edge.label for edge in edges}


def test_scores_say_which_wins() -> None:
    """The end of Jinks tells that the highest total wins, that of Jinx who has won."""
    jinks, jinx = (chart(compiled(game).graph) for game in ("jinks", "jinx"))

    assert "Highest score wins, ties share: A's total and B's total" in {
        box.label for box in jinks.nodes
    }
    assert "The active player wins" in {box.label for box in jinx.nodes}
