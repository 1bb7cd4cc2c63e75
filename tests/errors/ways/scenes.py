"""Scenarios in words of every day."""

from tests.errors.ways.frames import BOTH, GIVEN, LINE, SCENE, TESTED

SCENES = {  # row -> where, a wrong line, what is told, a right line
    "who won": (TESTED, "if active has won", "ask what makes it so, as `score[active] >= 3`",
                "if score[active] >= 3"),
    "expect to win": (LINE, "expect A to win", "`expect winners A`", "expect winners A"),
    "expect the end": (LINE, "expect the game is over", "`expect ended`", "expect ended"),
    "expect a turn": (LINE, "expect it is B's turn", "`expect next B`", "expect next B"),
    "expect that": (LINE, "expect that score[A] is 0", "write `expect` and what holds",
                    "expect score[A] is 0"),
    "two things expected": (LINE, "expect table = 1 and score[A] is 0", "`expect table = 1`, and",
                            "expect table = 1\n    expect score[A] is 0"),
    "several options": (LINE, "expect options 1, 2", "`expect options choose 1 or choose 2`",
                        "expect options choose 1 or choose 2"),
    "whose in a scenario": (GIVEN, "A's hand = 1", "`hand[A]`", "hand[A] = 1"),
    "somebody's place": (GIVEN, "hand A = 1", "`hand[A]`", "hand[A] = 1"),
    "somebody has": (GIVEN, "A has 1, 2", "`hand[A] = 1, 2` below `given`", "hand[A] = 1, 2"),
    "from and to": (BOTH, "A: from 1 to 2", "`choose 1, 2`", "A: choose 1, 2"),
    "chooses it": (LINE, "A chooses 3", "`A: choose 3`", "A: choose 3"),
    "then it": (LINE, "then A: choose 3", "leave it out", "A: choose 3"),
    "rolled": (SCENE, "roll 5", "`chance 5`", "chance 5"),
    "given without it": (LINE, "table = 1", "`given`, and below it `table = 1`",
                         "given\n        table = 1"),
    "chance of": (SCENE, "chance cube = 5", "write `chance` and what it brings", "chance 5"),
    "at the phase": (LINE, "at phase turn", "`at turn`", "at turn"),
    "at somebody": (LINE, "at turn of B", "below `given`, `active = B`",
                    "given\n        active = B\n    at turn"),
    "begin at": (LINE, "start at turn", "write `at`", "at turn"),
    "colon for equals": (GIVEN, "active: B", "write `=`", "active = B"),
}  # fmt: skip
