"""What happens at the table, told to whoever keeps track of who knows what.

The interpreter tells an `Observer` of every event twice: before it happens and after, with the
table as it is then.  Nothing else happens in between, so an observer may keep what it saw before
until it is told the event is over.  The interpreter reads no answer: knowledge decides nothing.

What an event shows to anybody is resolved before it is told (an unresolved token is one that nobody
has seen), except in `Shuffled` of a place that lies open: there `Revealed` follows, token by token.
Hidden chance, the fixing of a kind that nobody sees, is no event.
"""

from typing import Protocol, TypeAlias

from attrs import frozen

from compiler.graph.core import Value
from ruleengine.table import Table


@frozen
class Moved:
    """Tokens went to a place as one block, in this order; for a pile the first is the topmost.

    `sources` and `positions` say, token by token, where each lay before: a place and an index into
    `Table.cells` of it (0-based; in a set it means nothing).  `arranged` is true if the order was
    chosen among all orders by one seat unseen by the others, `arranger`, if it is still known who.
    """

    node: int
    tokens: tuple[int, ...]
    sources: tuple[int, ...]
    positions: tuple[int, ...]
    target: int
    arranged: bool = False
    arranger: int | None = None


@frozen
class Turned:
    """Tokens were turned face up or face down where they lie (those that lay otherwise)."""

    node: int
    tokens: tuple[int, ...]
    up: bool


@frozen
class Flagged:
    """A flag, bit `flag` of `Table.flags`, was set on or taken off tokens."""

    node: int
    tokens: tuple[int, ...]
    flag: int
    on: bool


@frozen
class Shown:
    """Faces were shown to the seats in the mask; `everybody`: revealed to all, the public too."""

    node: int
    tokens: tuple[int, ...]
    seats: int
    everybody: bool


@frozen
class Shuffled:
    """A place was shuffled: its order, and what was known of it, are gone."""

    node: int
    place: int


@frozen
class Revealed:
    """After a shuffle of a place that lies open: which kind this token of it is."""

    node: int
    token: int


@frozen
class Rolled:
    """Dice came to rest: slots of `Table.values` and what they show now."""

    node: int
    slots: tuple[int, ...]
    values: tuple[Value, ...]


@frozen
class Picked:
    """Chance picked a value, into a slot."""

    node: int
    slot: int
    value: Value


@frozen
class Taken:
    """It is settled which tokens `actor` took blindly from among some that look alike to him.

    Nobody sees it: the slot holds the tokens, which lie where they lay.
    """

    node: int
    slot: int
    actor: int
    value: Value


@frozen
class Assigned:
    """A variable was set, perhaps to what it was; `places` say where others may see now."""

    node: int
    slot: int
    value: Value


@frozen
class Asked:
    """Seats must choose now; after a joint pick it is not told again."""

    node: int
    seats: tuple[int, ...]


@frozen
class Chosen:
    """A seat chose: the option's position in `Choose.options` (`None`: declined), a value per slot.

    `sealed` in a joint decision: nobody else hears that it was made.
    """

    node: int
    seat: int
    option: int | None
    values: tuple[Value, ...]
    sealed: bool


@frozen
class Unsealed:
    """The last pick of a joint decision is in: all its picks are open now."""

    node: int
    seats: tuple[int, ...]


@frozen
class Ended:
    """The game is over; `Interpreter.outcome` has the result."""

    node: int


Event: TypeAlias = (
    Moved
    | Turned
    | Flagged
    | Shown
    | Shuffled
    | Revealed
    | Rolled
    | Picked
    | Taken
    | Assigned
    | Asked
    | Chosen
    | Unsealed
    | Ended
)


class Observer(Protocol):
    """Keeps `looked`, `knows` and `facts` of a table, or a log, or both; or nothing.

    `places` are the places whose viewers may be others after the event than before it, because
    their `seen by` reads what the event writes; the event's own places are not among them unless
    that is so.
    """

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event is about to happen; `table` is as it was."""

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event has happened; `table` is as it is now."""


class Silent:
    """An observer that keeps nothing: for plays in which nobody asks who knows what."""

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Nothing."""

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Nothing."""
