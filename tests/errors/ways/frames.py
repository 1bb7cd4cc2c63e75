"""Rulebooks with a gap, into which a wrong line goes, and the right one."""

STEP = """rulebook small "Small"
    seats 2
card num
    value: 1..3
    copies 2
zone deck: pile of num, face down
zone hand per player: set of num, face down, seen by holder
zone table: list of num
board grid: 3 by 3 of one num
var active: player = A
var score per player: 0..9 = 0
start
    move all of num to deck
    shuffle deck
    -> turn
phase turn
    active chooses c in deck "Which?"
    move c to table
    if score[A] is 3
        {line}
    if score[B] is 3
        end winners active
    active = next(active)
    score[active] += 1
    -> turn
"""
_WHOLE = STEP.replace("    if score[A] is 3\n        {line}\n", "")
LINE = _WHOLE + 'scenario "It"\n    {line}\n'
BOTH = LINE.replace('c in deck "Which?"', 'c in 1..3, d in 1..3 "Which?"').replace(
    "move c to table", "score[A] = c + d"
)
GIVEN = _WHOLE + 'scenario "It"\n    given\n        {line}\n'
DICE = STEP.replace("start\n    move", "die cube: 1..6\nstart\n    move")
SCENE = (
    DICE.replace("{line}", "roll cube").replace("-> turn\nphase", "roll cube\n    -> turn\nphase")
    + 'scenario "It"\n    {line}\n'
)
HEAD = _WHOLE.replace("    seats 2\n", "    {line}\n")
DECLARED = _WHOLE.replace("start\n", "{line}\nstart\n", 1)
NAMED = _WHOLE.replace('rulebook small "Small"', "{line}")
STARTED = _WHOLE.replace("start\n", "{line}\n", 1)
PLACED = _WHOLE.replace("zone deck: pile of num, face down", "{line}")
HELD = _WHOLE.replace("zone hand per player: set of num, face down, seen by holder", "{line}")
BOARD = _WHOLE.replace("board grid: 3 by 3 of one num", "{line}")
VALUED = _WHOLE.replace("var score per player: 0..9 = 0", "{line}")
CARD = _WHOLE.replace("card num\n    value: 1..3\n    copies 2", "{line}")
PHASE = _WHOLE.replace("phase turn\n", "{line}\n")
TESTED = STEP.replace("if score[A] is 3\n        {line}", "{line}\n        score[A] = 1")
LOOP = STEP.replace("{line}", "{line}\n            score[p] = 0")
BODY = STEP.replace("{line}", "{line}\n            score[A] = 0")
