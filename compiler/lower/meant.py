"""Words of everyday speech and of other languages where a name of the game must be."""

import re
from collections.abc import Mapping
from typing import Final

_HIGHEST: Final = (
    "write it as in `max(score[p] for p in players)`; who has it, `most(score[p] for p in players)`"
)
_LOWEST: Final = (
    "write it as in `min(score[p] for p in players)`; who has it, "
    "`least(score[p] for p in players)`"
)
_TURN: Final = "who is on turn stands in a variable of yours: `var active: player = A`"
_NONE: Final = "write `none`"
_TOTAL: Final = "write it as in `sum(c.value for c in hand[p])`"
_COUNT: Final = "write `count(S)`, or `count(x for x in S where P)`"
_RANDOM: Final = "chance is a step: `roll d`, `shuffle z` or `pick x in S at random`"
_OTHERS: Final = "write `others(p)`; of two players, the other one is `next(p)`"

MEANT: Final[Mapping[str, str]] = {
    "owner": "the player of a place `per player` is `holder`",
    **dict.fromkeys(("highest", "largest", "biggest", "maximum", "best"), _HIGHEST),
    **dict.fromkeys(("lowest", "smallest", "minimum", "worst"), _LOWEST),
    **dict.fromkeys(("me", "self", "current", "current_player", "turn_player"), _TURN),
    **dict.fromkeys(("null", "nil", "nothing", "nobody"), _NONE),
    **dict.fromkeys(("total", "total_of", "sum_of"), _TOTAL),
    **dict.fromkeys(("number", "amount", "number_of", "count_of", "how_many"), _COUNT),
    **dict.fromkeys(("random", "rand", "randint"), _RANDOM),
    **dict.fromkeys(("other", "others_of", "opponent", "opponents", "enemy"), _OTHERS),
    **dict.fromkeys(("everybody", "all_players"), "write `players`, or `everyone` with those out"),
}
"""What to type instead; the names are taken as a game's own wherever it declares them."""
_DIE: Final = re.compile(r"d(\d{1,3})")


def meant(name: str) -> str:
    """What to type for a name of everyday speech; nothing for any other name."""
    die = _DIE.fullmatch(name)
    return f"such a die has the faces `1..{die[1]}`" if die is not None else MEANT.get(name, "")
