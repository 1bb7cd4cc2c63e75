"""Every reading is played at tables of three and four, not only at the smallest."""

import pytest

from ruleengine import configurations, load
from ruleengine.simulation import Simulation, simulate
from ruleengine.testing.plan import NODE_LIMIT
from tests.specs import shipped

TABLES = (3, 4)
BEGINNING = 2_500  # steps: all have had some turns
ENDLESS = {"spent_counters": "face_up_only"}  # nobody need lose: see test_endless


def plays(name: str, seats: int, chosen: dict[str, str], games: int, limit: int) -> Simulation:
    """Random games with a reading."""
    game = load(shipped.spec(name), players=seats, rulings=chosen)
    return simulate(game, games, seed=7, node_limit=limit, machine="interpreter")


@pytest.mark.parametrize(
    ("name", "seats", "ruling", "reading"),
    [
        ("jinks", 4, "exchanges", "repeatable"),
        ("highjinks", 3, "blockers", "any_opponent_may_block"),
        ("highjinks", 4, "no_deck", "cannot_draw_loses"),
    ],
)
def test_a_game_begins(name: str, seats: int, ruling: str, reading: str) -> None:
    """With a reading that more players make harder, the first turns break no rule."""
    assert plays(name, seats, {ruling: reading}, 1, BEGINNING).errors == {}


@pytest.mark.long
@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("name", ["jinks", "highjinks"])
def test_games_are_played_to_the_end(name: str, seats: int) -> None:
    """With every reading, random games break no rule and have an end."""
    wrong = {}
    for setting in configurations.readings(shipped.spec(name)):
        chosen = {setting.name: setting.reading}
        if seats in shipped.spec(name).seats(chosen):
            played = plays(name, seats, chosen, 3, 3 * NODE_LIMIT)
            if played.errors or (played.unfinished and chosen.items() - ENDLESS.items()):
                wrong[setting.name, setting.reading] = dict(played.errors), dict(played.unfinished)

    assert wrong == {}
