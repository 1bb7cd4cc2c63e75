"""Slips of those who copy from a page."""

from tests.errors.ways.frames import (
    CARD,
    DECLARED,
    DICE,
    GIVEN,
    HELD,
    LINE,
    NAMED,
    STARTED,
    STEP,
    TESTED,
    VALUED,
)

_OPTIONS = 'active chooses "What?"\n            go{0}\n                score[A] = 1'

SLIPS = {  # row -> where, a wrong line, what is told, a right line
    "title without quotes": (NAMED, "rulebook small Small Talk", 'write `"Small Talk"`',
                             'rulebook small "Small Talk"'),
    "comma before a title": (NAMED, 'rulebook small: "Small"', "remove it",
                             'rulebook small "Small"'),
    "param without a value": (DECLARED, "param goal: 5..30", "`param goal: 5..30 = 5`",
                              "param goal: 5..30 = 5"),
    "param without a range": (DECLARED, 'param goal: 20 "Goal"', "`param goal: 0..20 = 20`",
                              'param goal: 0..20 = 20 "Goal"'),
    "family in brackets": (VALUED, "var score[player]: 0..9 = 0", "write ` per player`",
                           "var score per player: 0..9 = 0"),
    "for how long": (DECLARED, "var pot: 0..9 = 0 per turn", "`each turn`",
                     "var pot: 0..9 = 0 each turn"),
    "copies given": (CARD, "card num\n    value: 1..3\n    copies = 2", "`copies 2`",
                     "card num\n    value: 1..3\n    copies 2"),
    "written": (CARD, "card num\n    value: 1..3\n    write value", "write `written`",
                "card num\n    value: 1..3\n    written value"),
    "who sees it": (HELD, "zone hand per player: set of num, face down, holder sees",
                    "`seen by holder`",
                    "zone hand per player: set of num, face down, seen by holder"),
    "other arrows": (STEP, "→ turn", "write `-> `", "-> turn"),
    "steps behind a head": (STARTED, "start shuffle deck", "write `shuffle deck` below", "start"),
    "equals twice": (STEP, "active == next(active)", "write `=`", "active = next(active)"),
    "next alone": (STEP, "next(active)", "`active = next(active)`", "active = next(active)"),
    "braces for brackets": (STEP, "score{active} += 1", "write `[active]`", "score[active] += 1"),
    "whose without brackets": (STEP, "score active += 1", "`score[active]`",
                               "score[active] += 1"),
    "drawn game": (STEP, "end in a draw", "`end draw`", "end draw"),
    "leave a loop": (STEP, "repeat\n            stop repeat", "`leave repeat`",
                     "repeat\n            leave repeat"),
    "question without quotes": (STEP, "active chooses Go on?\n            go\n"
                                "                score[A] = 1", 'write `"Go on?"`',
                                'active chooses "Go on?"\n            go\n'
                                "                score[A] = 1"),
    "guard in the line": (STEP, _OPTIONS.format(' "Go" when score[B] is 1'),
                          "write `when score[B] is 1` in the next line",
                          _OPTIONS.format(' "Go"\n                when score[B] is 1') +
                          "\n            otherwise\n                score[A] = 2"),
    "shows": (DICE.replace("if score[A] is 3\n        {line}", "{line}\n        score[A] = 1"),
              "if cube shows 1", "`cube is 1`", "if cube is 1"),
    "exists": (TESTED, "if c exists", "`c is not none`", "if c is not none"),
    "all into": (STEP, "put all nums in hand[A]", "`move all of num to hand[A]`",
                 "move all of num to hand[A]"),
    "tokens with and": (GIVEN, "hand[A] = 1 and 2", "`1, 2`", "hand[A] = 1, 2"),
    "chooses an option": (LINE.replace('c in deck "Which?"\n    move c to table', '"Which?"\n'
                          "        stop\n            score[A] = 2\n        go"),
                          "A chooses stop", "`A: stop`", "A: stop"),
    "a test alone": (LINE, "score[A] is 0", "`expect score[A] is 0`", "expect score[A] is 0"),
    "in a phase": (LINE, "in turn", "`at turn`", "at turn"),
}  # fmt: skip
