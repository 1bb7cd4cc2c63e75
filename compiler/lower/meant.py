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
_CARD: Final = (
    "one of them has a name where it is chosen or looked through: `p chooses c in hand[p]`, "
    "`some c in hand[p]: …`"
)
_CARDS: Final = (
    "declare what they are, `card playing_card` with `value: 1..9` below it, and use that name"
)
_PILE: Final = "declare it at the left edge: `zone {0}: pile of CLASS`, with the name of your cards"
_ROW: Final = "declare it at the left edge: `zone {0}: set of CLASS`, with the name of your cards"
_EACH: Final = "declare it at the left edge: `var {0} per player: 0..99 = 0`; of one, `{0}[p]`"
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
    **dict.fromkeys(("card", "piece", "token"), _CARD),
    **dict.fromkeys(("something", "anybody", "somebody"), "what is there `is not none`"),
    **dict.fromkeys(("everything", "anything"), "all that lies in a place is `all of table`"),
    **dict.fromkeys(("cards", "tiles", "tokens", "pieces"), _CARDS),
    **{name: _PILE.format(name) for name in ("deck", "stock", "stack", "pile", "talon")},
    **{name: _ROW.format(name) for name in ("table", "discard", "discards", "trick", "bank")},
    **{name: _EACH.format(name) for name in ("score", "scores", "points", "lives", "money")},
    **dict.fromkeys(
        ("hand", "hands"),
        "declare it: `zone hand per player: set of CLASS, face down, seen by holder`, with the "
        "name of your cards",
    ),
    **dict.fromkeys(("dice", "die"), "declare it at the left edge: `die cube: 1..6`; `roll cube`"),
    **dict.fromkeys(("winner", "winners"), "a game ends with its result: `end winners active`"),
    **dict.fromkeys(("active", "turn", "whose_turn", "active_player"), _TURN),
    "player": "all of them are `players`; who is on turn is a variable, as `active`; of a place "
    "`per player`, its own is `holder`",
    "range": "numbers are given by first and last: `1..3`",
    **dict.fromkeys(
        ("more", "less", "fewer", "higher", "lower", "greater", "above", "below"),
        "numbers are compared by signs: `n >= 3`, `n <= 3`",
    ),
    **dict.fromkeys(("yes", "on"), "write `true`"),
    **dict.fromkeys(("off", "wrong"), "write `false`"),
    **dict.fromkeys(("everybody", "all_players"), "write `players`, or `everyone` with those out"),
}
"""What to type instead; the names are taken as a game's own wherever it declares them."""
_DIE: Final = re.compile(r"d(\d{1,3})")


def meant(name: str) -> str:
    """What to type for a name of everyday speech; nothing for any other name."""
    die = _DIE.fullmatch(name)
    return (
        f"declare `die cube: 1..{die[1]}`, and write `roll cube`"
        if die is not None
        else MEANT.get(name, "")
    )
