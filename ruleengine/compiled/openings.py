"""What is the same in every game behind its first draw: the table at the stop that follows.

Many games begin with a draw of who goes first, and build up their tables behind it.
"""

from typing import Final

from attrs import frozen

from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.protocol import Observer
from ruleengine.stops import ChanceStop, Terminal
from ruleengine.table import Table

_MOST: Final = 8
"""Results of a first draw for which tables are kept."""


@frozen(eq=False)
class Opening:
    """The table at the second stop of a game, and how many steps were taken to come there."""

    table: Table
    steps: int


def opened(interpreter: Interpreter, observer: Observer | None = None) -> tuple[Opening, ...]:
    """One for each result of the first draw, in their order; an observer keeps what is known there.

    There are none where a game does not begin with a draw of which all results are as likely, or
    where it may be over, or break down, before the second stop.
    """
    before = interpreter.taken
    try:
        table = interpreter.start()
        stop = interpreter.advance(table, observer)
        if not isinstance(stop, ChanceStop):
            return ()
        odds = stop.outcomes
        if len(odds) > _MOST or odds.total != len(odds):
            return ()
        steps = interpreter.taken - before
        found = []
        for outcome in odds:
            behind = table.copy()
            begun = interpreter.taken
            interpreter.draw(behind, outcome, observer)
            if isinstance(interpreter.advance(behind, observer), Terminal):
                return ()
            # The stop itself is counted where it is answered.
            found.append(Opening(behind, steps + interpreter.taken - begun - 1))
    except RuleError:
        return ()
    return tuple(found)
