"""What effects have in common: the tokens they are about, and telling an observer of them."""

from collections.abc import Callable
from typing import TypeAlias

from compiler.graph.core import Term
from ruleengine.errors import Fault
from ruleengine.knowledge.protocol import Event, Observer
from ruleengine.table import Table
from ruleengine.terms import Scope

Effect: TypeAlias = Callable[[Table, Observer | None], None]
"""Does the whole of one step, or raises before it has done anything."""


def with_event(
    observer: Observer | None,
    table: Table,
    event: Event,
    places: tuple[int, ...],
    happen: Callable[[], None],
) -> None:
    """Lets something happen, told to the observer before and after."""
    if observer is None:
        happen()
        return
    observer.before(table, event, places)
    happen()
    observer.after(table, event, places)


def block_of(scope: Scope, term: Term) -> Callable[[Table], tuple[int, ...]]:
    """The tokens a term gives, as one block."""
    closure = scope.term(term)

    def block(table: Table) -> tuple[int, ...]:
        value = closure(table)
        if isinstance(value, int):
            return (value,)
        tokens = value if isinstance(value, tuple) else (None,)
        found = tuple(dict.fromkeys(token for token in tokens if isinstance(token, int)))
        if None in tokens:
            raise Fault("`none` where a token must be")
        return found

    return block
