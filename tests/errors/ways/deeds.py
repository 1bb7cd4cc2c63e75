"""What players do, in sentences that begin with who does it."""

from tests.errors.ways.frames import STEP, TESTED

_ASKED = (
    'active chooses "Which?"\n            {0} "One"\n                score[A] = 1\n'
    '            {1} "Another"\n                score[A] = 2'
)
_EACH = "for p in players\n            move top of deck to hand[p]"
_MOVED = "active chooses d in hand[active]\n        move d to hand[B]"
_PAIR = "some x in hand[active]: count(y for y in hand[active] where y.value is x.value) >= 2"

DEEDS = {  # row -> where, a wrong line, what is told, a right line
    "one of a class": (STEP, "active chooses card _d in hand[active]", "write `_d`",
                       "active chooses _d in hand[active]"),
    "all but": (STEP, "active chooses _q in players except active", "`others(active)`",
                "active chooses _q in others(active)"),
    "chooses a player": (STEP, "active chooses another player",
                         "`active chooses q in others(active)`",
                         "active chooses q in others(active)"),
    "chooses a card": (STEP, "active chooses a card from his hand",
                       "`active chooses d in hand[active]`",
                       "active chooses d in hand[active]"),
    "either or": (STEP, "active chooses between fold and call",
                  'below it `fold "…"` and `call "…"`', _ASKED.format("fold", "call")),
    "titles or": (STEP, 'active chooses "Fold" or "Call"', "a line for each: a name, and its title",
                  _ASKED.format("fold", "call")),
    "whether to": (STEP, "active decides whether to fold", 'below it `fold "…"` and `pass "…"`',
                   _ASKED.format("fold", "pass")),
    "asked by title": (STEP, 'ask active "Fold?"', "as `agree` and `refuse`",
                       _ASKED.format("agree", "refuse")),
    "if somebody wants": (TESTED, "if active wants to fold", '`active chooses "Which?"`',
                          "if score[A] is 1"),
    "option of several words": (STEP, 'active chooses "Which?"\n            play a card "Play"\n'
                                "                score[A] = 1", '`play_a_card "…"`',
                                _ASKED.format("play_a_card", "pass")),
    "asks": (STEP, "active asks a player for a card", "`active chooses q in others(active)`",
             "active chooses _q in others(active)\n        active chooses _n in 1..9"),
    "names": (STEP, "active names a value", "`active chooses n in 1..9`",
              "active chooses _n in 1..9"),
    "again somebody": (STEP, "active plays again", "`-> turn`", "-> turn"),
    "gives all": (STEP, "active gives all his cards to B",
                  "`move all of hand[active] to hand[B]`", "move all of hand[active] to hand[B]"),
    "gives one": (STEP, "active gives a card to B", "`active chooses d in hand[active]`", _MOVED),
    "gives it": (STEP, "active gives c to B", "`move c to hand[B]`", "move c to hand[B]"),
    "takes one from": (STEP, "active takes a card from hand[B]", "`active chooses x in hand[B]`",
                       "active chooses x in hand[B]\n        move x to hand[active]"),
    "takes it from": (STEP, "active takes c from B", "`move c to hand[active]`",
                      "move c to hand[active]"),
    "all draw one": (STEP, "everyone draws a card", "`move top of deck to hand[p]`", _EACH),
    "all reveal": (STEP, "reveal all hands", "`reveal all of hand`", "reveal all of hand"),
    "deal": (STEP, "deal the deck to players", "`move top 5 of deck to hand[p]`", _EACH),
    "two moves": (STEP, "move hand[A] to table and table to hand[B]",
                  "`move hand[A] to table`, and in the next line `move table to hand[B]`",
                  "move hand[A] to table\n        move table to hand[B]"),
    "move all from": (STEP, "move all cards in table to deck", "`move all of table to deck`",
                      "move all of table to deck"),
    "move all": (STEP, "return all cards to hand[A]", "`move all of num to hand[A]`",
                 "move all of num to hand[A]"),
    "to the bottom": (STEP, "put c at the bottom of deck", "`move c to deck, bottom`",
                      "move c to deck, bottom"),
    "put it": (STEP, "put c on table", "`move c to table`", "move c to table"),
    "take away": (STEP, "kill c", "`move c to box`", "move c to box"),
    "is now": (STEP, "active is now B", "`active = B`", "active = B"),
    "becomes": (STEP, "active becomes B", "`active = B`", "active = B"),
    "is on turn": (STEP, "it is now B's turn", "`active = B`", "active = B"),
    "of somebody": (STEP, "score of active += 1", "`score[active]`", "score[active] += 1"),
    "with its unit": (STEP, "score[active] += 1 points", "leave it out", "score[active] += 1"),
    "alike in a place": (TESTED, "if hand[active] has a pair",
                         f"`{_PAIR}`", f"if {_PAIR}"),
    "attribute asked": (TESTED, "if the card has the value", "`c.value is wanted`",
                        "if c.value is 2"),
}  # fmt: skip
