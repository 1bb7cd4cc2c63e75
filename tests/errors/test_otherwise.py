"""What reads as English or as another language: each way to say it leads to ours."""

import pytest

from compiler.diagnostic import Report
from compiler.mend import mended
from compiler.source import SourceFile
from compiler.syntax.otherwise import SAYINGS
from tests.errors.test_stages import findings
from tests.errors.ways.deeds import DEEDS
from tests.errors.ways.frames import LINE, STEP
from tests.errors.ways.heads import HEADS
from tests.errors.ways.meanings import MEANINGS
from tests.errors.ways.phrases import PHRASES
from tests.errors.ways.programs import PROGRAMS
from tests.errors.ways.scenes import SCENES
from tests.errors.ways.slips import SLIPS

ZONE = (
    STEP.replace("    if score[A] is 3\n        {line}\n", "") + "zone more: pile of num, {line}\n"
)
VAR = STEP.replace("        {line}\n", "        score[A] = 1\n").replace(
    "start\n", "{line}\nstart\n"
)
VARIANT = """rulebook small "Small"
    seats 2
var active: player = A
var score: 0..9 = 0
start
    -> turn
phase turn
    active chooses "Which?"
        stay "Stay"
            when score > 0                                              @SM-1
        go "Go"
            score += 1
    if score is 9
        end winners active
    active = next(active)
    -> turn
-- file: wild.rules
variant wild "Wild" of small
"""
CHOICE = STEP.replace("        {line}\n", "        score[A] = 1\n").replace(
    "    -> turn\nphase",
    '    A chooses "Which?"\n        {line}\n        stay "Stay"\n    -> turn\nphase',
)
WITHIN = VARIANT + "    in turn\n        {line}\n"
WAYS = {  # row -> where, a wrong line, what is told, a right line
    "wins": (STEP, "active wins", "end winners active", "end winners active"),
    "loses": (STEP, "active loses", "end winners others(active)", "end winners others(active)"),
    "next player": (STEP, "next player", "active = next(active)", "active = next(active)"),
    "next active": (STEP, "next active", "active = next(active)", "active = next(active)"),
    "gets": (STEP, "active draws", "move top of deck to hand[active]",
             "move top of deck to hand[active]"),
    "remove": (STEP, "remove first(table)", "move first(table) to box", "move first(table) to box"),
    "for each player": (STEP.replace("{line}", "{line}\n            score[p] = 0"),
                        "for each player p", "for p in players", "for p in players"),
    "other player": (STEP, "active = other player", "`next(active)`", "active = next(active)"),
    "random": (STEP, "active = random player", "pick x in players at random",
               "pick _x in players at random"),
    "highest in": (STEP, "move highest card in table to box",
                   "`first(most(x.value for x in table))`",
                   "move first(most(x.value for x in table)) to box"),
    "lowest in": (STEP, "move the lowest card in table to box",
                  "`first(least(x.value for x in table))`",
                  "move first(least(x.value for x in table)) to box"),
    "with most": (STEP, "end winners player with most points", "most(score[p] for p in players)",
                  "end winners most(score[p] for p in players)"),
    "with fewest": (STEP, "end winners player with fewest points",
                    "least(score[p] for p in players)",
                    "end winners least(score[p] for p in players)"),
    "all are empty": (STEP, "score[A] = if all hands are empty then 1 else 0",
                      "every p in players: hand[p] is empty",
                      "score[A] = if (every p in players: hand[p] is empty) then 1 else 0"),
    "expect legal token": (LINE, "expect legal 3", "expect offered choose 3",
                           "expect offered choose 3"),
    "winners with and": (LINE, "expect winners A and B", "expect winners A, B",
                         "expect winners A, B"),
    "bars": (STEP, "score[A] = |score[A] - score[B]|", "abs(score[A] - score[B])",
             "score[A] = abs(score[A] - score[B])"),
    "question mark": (STEP, "score[A] = score[B] > 3 ? 1 : 0", "if P then 1 else 0",
                      "score[A] = if score[B] > 3 then 1 else 0"),
    "show": (STEP, "show hand[A]", "reveal hand[A]", "reveal all of hand[A]"),
    "all are equal": (STEP, "score[A] = if all bets are equal then 1 else 0",
                      "same(bet[p] for p in players)",
                      "score[A] = if same(score[p] for p in players) then 1 else 0"),
    "call without brackets": (STEP, "active = next active", "`next(active)`",
                              "active = next(active)"),
    "zone without shape": (STEP.replace("zone table", "zone more: {line}\nzone table")
                           .replace("    if score[A] is 3\n        {line}\n", ""),
                           "num", "set of num", "set of num"),
    "answer without colon": (LINE, "A choose 3", "A: choose 3", "A: choose 3"),
    "hidden": (ZONE, "hidden", "face down", "face down"),
    "open": (ZONE, "public", "face up", "face up"),
    "expect wins": (LINE, "expect A wins", "expect winners A", "expect winners A"),
    "expect nobody wins": (LINE, "expect a draw", "expect winners A, B", "expect winners A, B"),
    "expect not offered": (LINE, "expect not offered choose 3", "expect refused choose 3",
                           "expect refused choose 3"),
    "expect illegal": (LINE, "expect illegal choose 3", "expect refused choose 3",
                       "expect refused choose 3"),
    "expect legal": (LINE, "expect legal choose 3", "expect offered choose 3",
                     "expect offered choose 3"),
    "expect empty": (LINE, "expect empty grid[2, 2]", "expect grid[2, 2] is empty",
                     "expect grid[2, 2] is empty"),
    "expect nothing": (LINE, "expect table =", "expect table is empty", "expect table is empty"),
    "bare answer": (LINE, "A: 3", "A: choose 3", "A: choose 3"),
    "class before token": (LINE, "expect table = num 1, 2", "write `1` alone",
                           "expect table = 1, 2"),
    "increases": (STEP, "score[A] increases by 1", "score[A] += 1", "score[A] += 1"),
    "reveals": (STEP, "A reveals hand[A]", "`reveal hand[A]`", "reveal hand[A]"),
    "must choose": (STEP, "A must choose d in hand[A]", "`A chooses d in hand[A]`",
                    "A chooses _d in hand[A]"),
    "skip turn": (STEP, "skip turn", "active = next(active)", "active = next(active)"),
    "swap": (STEP, "swap hand[A] and hand[B]", "move hand[B] to hand[A]",
             "move hand[B] to hand[A]"),
    "end game": (STEP, "end game, A wins", "end winners active", "end winners A"),
    "remove what": (STEP, "remove last(table)", "move last(table) to box",
                    "move last(table) to box"),
    "remove player": (STEP, "remove B", "eliminate B", "eliminate B"),
    "go to": (STEP, "go to turn", "-> turn", "-> turn"),
    "then": (VAR.replace("{line}\n", "").replace("if score[B] is 3", "{line}"),
             "if score[B] is 3 then", "remove it", "if score[B] is 3"),
    "each player chooses": (STEP, "each player chooses a card", "`for p in players`",
                            "for p in players\n            score[p] = 0"),
    "set with is": (STEP, "score[A] is 0", "score[A] = 0", "score[A] = 0"),
    "type without colon": (VAR, "var winner player", "player or none = none",
                           "var winner: player or none = none"),
    "no for false": (VAR, "var over: bool = no", "`false`", "var over: bool = false"),
    "yes or no": (STEP.replace("    copies 2\n", "    {line}\n    copies 2\n")
                  .replace("        {line}\n", "        score[A] = 1\n"),
                  "wild: yes, no", "wild: bool", "wild: bool"),
    "between": (STEP, "A chooses bid between 1 and 5", "bid in 1..5", "A chooses bid in 1..5"),
    "chooses from": (STEP, "A chooses from hand[A]", "c in hand[A]", "A chooses _d in hand[A]"),
    "has": (STEP, "score[A] = if table has 2 then 1 else 0".replace(" then 1 else 0", ""),
            "some c in table: c.rank is 2",
            "score[A] = if (some d in table: d.value is 2) then 1 else 0"),
    "count of": (STEP, "if count of value in table is 2", "count(c for c in table where",
                 "score[A] = count(d for d in table where d.value is 2)"),
    "winner": (LINE, "expect winner A", "expect winners A", "expect winners A"),
    "winners are": (LINE, "expect winners = A", "expect winners A", "expect winners A"),
    "cannot": (LINE, "expect A cannot choose 3", "expect refused choose 3",
               "expect refused choose 3"),
    "chance apart": (LINE, "chance 3 and 2", "write `chance 3, 2`", "chance 3, 2"),
    "chance by name": (LINE, "chance cube 3", "write `chance 3`", "chance 3"),
    "no preposition": (CHOICE, "go c in table, paying d in hand[A]", "write `, with d in …`",
                       "go _c in table, with _d in hand[A]"),
    "change what": (WITHIN, "change option go", "`replace go`",
                    'replace go "Go"\n            score = 2'),
    "change a declaration": (VARIANT + "    {line}\n", "change score to 0..5",
                             "as in `replace var score: 0..9 = 0`",
                             "replace var score: 0..12 = 0"),
    "replace a name": (VARIANT + "    {line}\n", "replace go", "the phase, `replace go`",
                       "in turn\n        replace go\n            score = 2"),
    "edit outside": (VARIANT + "    {line}\n", "restrict go\n        unless score > 5",
                     "write `in` and the name of the phase above it, as in `in turn`",
                     "in turn\n        restrict go\n            unless score > 5"),
    "add a declaration": (VARIANT + "    {line}\n", "add var total: 0..9 = 0", "leave `add` out",
                          "var _total: 0..9 = 0"),
    "rename": (WITHIN, 'rename go to "Leave"', '`replace go "Another title"`',
               'replace go "Another title"'),
    "named as such": (VARIANT + "    {line}\n", "replace option go", "`replace go`",
                      'in turn\n        replace go "Go"\n            score = 2'),
    "restrict a choice": (WITHIN, 'restrict choose "Which?"', 'replace "Which?"',
                          "restrict go\n            unless score > 5"),
    "restrict a title": (WITHIN, 'restrict "Which?"', "write that name",
                         "restrict go\n            unless score > 5"),
    "remove a guard": (WITHIN, "remove when score > 0", "remove guard of OPTION @CLAUSE",
                       "remove guard of stay @SM-1"),
    "family without var": (VAR.replace("var score per player: 0..9 = 0", "{line}")
                           .replace("{line}\nstart", "start"), "score per player = 0",
                           "`var score per player: 0..9 = 0`", "var score per player: 0..9 = 0"),
    "die with a range": (VAR, "die cube, 1..2: 1..6", "die cube per 1..2: 1..6",
                         "die cube per 1..2: 1..6"),
    "die with a number": (VAR, "die cube, 2: 1..6", "die cube per 1..2: 1..6",
                          "die cube per 1..2: 1..6"),
    "dice": (VAR, "die cube: 2d6", "die cube per 1..2: 1..6", "die cube per 1..2: 1..6"),
    "one die": (VAR, "die cube d6", "die cube: 1..6", "die cube: 1..6"),
    "values of a variable": (VAR, "var mood: calm, angry", "`enum mood_kind: calm, angry`",
                             "enum mood_kind: calm, angry\nvar mood: mood_kind = calm"),
    "values of an attribute": (STEP.replace("    copies 2\n", "    {line}\n    copies 2\n")
                               .replace("        {line}\n", "        score[A] = 1\n"),
                               "suit: red, blue", "`enum suit: red, blue`", "suit: 1..2"),
    "values that are letters": (STEP.replace("    copies 2\n", "    {line}\n    copies 2\n")
                                .replace("        {line}\n", "        score[A] = 1\n"),
                                "face: K, Q", "`enum face: king K, queen Q`", "face: 1..2"),
    "copies": (STEP.replace("    copies 2\n", "    {line}\n")
               .replace("        {line}\n", "        score[A] = 1\n"),
               "count 2", "`copies 2`", "copies 2"),
    "until behind a loop": (STEP.replace("{line}", "{line}\n            score[p] = 0"),
                            "for p in players until score[p] is 0", "is `repeat`",
                            "for p in players"),
    "for from": (STEP.replace("{line}", "{line}\n            score[p] = 0"),
                 "for p from active", "for p in seats_from(active)",
                 "for p in seats_from(active)"),
    "together each": (STEP.replace("{line}", '{line}\n            p chooses n in 1..3 "Many?"\n'
                                   "            score[p] = n"),
                      "together each player", "together p in players", "together p in players"),
    "roll all": (STEP.replace("start\n    move", "die cube: 1..6\nstart\n    move"),
                 "roll all cube", "write `roll cube`", "roll cube"),
    "change without equals": (STEP, "score[A] + 1", "score[A] += 1", "score[A] += 1"),
    "move from": (STEP, "move 1 card from deck to table", "`top 1 of deck`",
                  "move top 1 of deck to table"),
    "moved from": (STEP, "move c from table to deck", "`move c to …`", "move c to deck"),
    "may do": (STEP, 'A may challenge "Cheat!"', '`A chooses "Which?"`',
               'A chooses "Which?"\n            challenge "Cheat!"\n                score[A] = 1'),
    "has no moves": (STEP.replace("if score[B] is 3", "{line}")
                     .replace("        {line}\n", "        score[A] = 1\n"),
                     "if active has no moves", "write `otherwise`", "if score[B] is 3"),
    "one where": (STEP, "active = p where score[p] is 3", "first(all p in players where P)",
                  "active = first(all p in players where score[p] is 3)"),
    "winners who": (STEP, "end winners the player who is first", "all p in players where",
                    "end winners all p in players where score[p] is 3"),
    "whose": (STEP, "active's score = 1", "`score[active]`", "score[active] = 1"),
    "then in one line": (STEP.replace("        {line}\n", "        score[A] = 1\n")
                         .replace("if score[B] is 3\n        end winners active", "{line}"),
                         "if score[B] is 3 then end draw", "write `end draw` below it",
                         "if score[B] is 3\n        end draw"),
    "given in one line": (LINE, "given table = 1", "`given`, and below it `table = 1`",
                          "given\n        table = 1"),
}  # fmt: skip
WAYS = SLIPS | DEEDS | HEADS | PHRASES | PROGRAMS | SCENES | WAYS


def _found(frame: str, line: str) -> Report:
    """What is found in a rulebook, and in a variant that may stand behind it."""
    base, *variants = frame.format(line=line).split("-- file: wild.rules\n")
    return findings(
        SourceFile("small.rules", base), *(SourceFile("wild.rules", text) for text in variants)
    )


def test_every_row_has_an_example() -> None:
    """No way to say something goes untried."""
    assert set(WAYS) == set(SAYINGS)


@pytest.mark.parametrize("name", WAYS)
def test_fix(name: str) -> None:
    """The wrong line is told, in its own words, what to type; and nothing else is found."""
    frame, wrong, told, _ = WAYS[name]

    (found,) = _found(frame, wrong)

    assert found.code == "said-otherwise"
    assert told in found.help


@pytest.mark.parametrize("name", WAYS)
def test_right(name: str) -> None:
    """What is to be typed is right."""
    frame, _, _, right = WAYS[name]

    errors = _found(frame, right).errors

    assert [error.message for error in errors] == []


@pytest.mark.parametrize("name", [name for name, row in SAYINGS.items() if row.instead is not None])
def test_mended(name: str) -> None:
    """Where nothing else can be meant, `check --fix` types it."""
    frame, wrong, _, right = WAYS[name]

    texts = mended(_found(frame, wrong))

    assert texts == {"small.rules": frame.format(line=right)}


@pytest.mark.parametrize("name", MEANINGS)
def test_meaning(name: str) -> None:
    """A line that reads and means something else is told what to type, and that is right."""
    frame, wrong, code, told, right = MEANINGS[name]

    helps = [found.help for found in _found(frame, wrong).errors if found.code == code]
    left = [error.message for error in _found(frame, right).errors]

    assert any(told in said for said in helps), helps
    assert left == []
