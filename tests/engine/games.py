"""Small rulebooks for tests of the engine, written into folders."""

from pathlib import Path

COUNTER = """rulebook counter "Take one or two"
    seats 2..3
param heap: 1..9 = 4 "How many there are"
ruling last "Who takes the last?"
    wins  "He wins" default
    loses "He loses"
var left: 0..9
var mover: player

start
    left = heap
    mover = A
    repeat
        mover chooses n in 1..2 "How many?"
            when n <= left
        left = left - n
        if left is 0 "All gone?"
            if last is wins
                end winners [mover]
            end winners all p in players where p is not mover
        mover = next(mover)

invariant "Nobody takes what is not there"
    left >= 0
"""

THREES = """rulebook threes "Three by three, three in a row, pieces fall"
    seats 2..2
piece disc "Discs"
    owner: player
    copies 5
    written owner
board grid: 3 by 3 of one disc
define has_three(p: player) = some l in lines(grid, 3): every s in l: (top of s).owner is p
start
    repeat
        for p in players
            p chooses x in 1..3 "Drop a disc"
                when grid[x, 3] is empty
                otherwise "Board full"
                    end draw
            let landing = first(all s in column(grid, x) where s is empty)
            move 1 of (all d in box where d.owner is p) to landing
            if has_three(p) "Three in a row?"
                end winners [p]
"""

ENDLESS = """rulebook endless "Round and round"
    seats 2..2
var turn: 0..1 = 0
start
    repeat
        A chooses "Which way?"
            further "On and on"
                turn = 1 - turn
            out "Out"
                end winners [A]
"""

STUCK = """rulebook stuck "A rule that breaks down"
    seats 2..2
var count: 0..1 = 0
start
    repeat
        A chooses "Count?"
            more "One more"
                count = count + 1
            out "Out"
                end draw
"""

UNFAIR = """rulebook unfair "A broken promise"
    seats 2..2
var count: 0..9 = 0
start
    repeat
        do turn
phase turn "Turn"
    A chooses "Count?"
        more "One more"
            count = count + 1
        out "Out"
            end winners [A]
invariant "Counts stay small" at turn
    count < 2
"""

MIXED = """rulebook mixed "Some ends have scores"
    seats 2..2
start
    A chooses "What for?"
        points "Points"
            end scores [3, -1]
        honour "Honour"
            end draw
        glory "Glory"
            end winners [B]
"""

BLIND = """rulebook blind "Two at once, unseen"
    seats 2..2
card number
    value: 1..4
    copies 1
    written value
zone hand: set of number, face up
zone gone: set of number, face up
start
    move all of number to hand
    pick two in 2 of hand at random
    move two to gone
    end draw
"""


def written(folder: Path, text: str) -> str:
    """Writes a rulebook into a folder under its own name; the path."""
    name = text.split()[1]
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return str(path)
