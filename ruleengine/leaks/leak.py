"""What must not depend on what a seat cannot know, and what a leak is."""

from enum import Enum

from attrs import field, frozen

from compiler.config import Configuration
from ruleengine.stops import Choice


class Promise(Enum):
    """What holds for every seat of every game, in a few words; the names are those of the page on
    hidden information."""

    LOG = "P2: who has heard the same may know the same"
    OPTIONS = "P3: what looks alike to a seat offers it the same"
    TRUTH = "P4: what somebody knows is so"
    WORLD = "P5: a world that a seat imagines looks to it like the table"
    UNKNOWN = "P6: what nobody has seen is known to nobody"
    ALIKE = "P7: options, reasons and drawings are the same in every world a seat can imagine"
    NEXT = "P8: after the same answer a seat hears the same, until it sees a face"
    PACKED = "P9: the worlds of a view are the same however its table came about"
    FOLD = "P10: what a seat knew and what it hears determine what it knows"

    @property
    def number(self) -> str:
        """`P7`."""
        return self.value.partition(":")[0]

    @property
    def words(self) -> str:
        """What it says."""
        return self.value.partition(": ")[2]


@frozen
class Leak:
    """A promise that is broken at a stop of a play.

    `seat` is whom something is told that it must not know (the number of seats: the public).  Two
    situations that it cannot tell apart give it `here` and `there`; `sides` has the places,
    variables and dice that differ between the two: the name, what is really there here, and there.
    What tells it may be heard only after `answers`, that of the seat first.
    """

    promise: Promise
    seat: int
    about: str
    here: tuple[str, ...]
    there: tuple[str, ...]
    sides: tuple[tuple[str, str, str], ...] = ()
    answers: tuple[Choice, ...] = field(default=(), repr=False)


@frozen
class Found:
    """A leak with the play that leads to it: the positions of what was done at each stop."""

    leak: Leak
    configuration: Configuration
    moves: tuple[int, ...]
    record: str = field(repr=False)
