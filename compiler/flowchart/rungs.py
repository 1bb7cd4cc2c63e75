"""Manners of laying out a chart, best first, and its text in each of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import frozen


@frozen
class Rung:
    """A manner of laying out: Graphviz's settings, and what is drawn so that they suffice.

    `margin` is inside the frames of phases.  Arrows back are `written` instead of drawn, and where
    a test ends the phase, its arrow leaves on the left, `aside` from those that skip steps.
    """

    settings: dict[str, str]
    margin: str = "14"
    written: bool = False
    aside: bool = False


_NEW: Final = {"newrank": "true"}
_WIDE: Final = _NEW | {"nodesep": "0.8"}
_FAR: Final = _NEW | {"nodesep": "1.3"}

RUNGS: tuple[Rung, ...] = (
    Rung(_NEW),
    Rung(_NEW | {"mclimit": "20"}),
    Rung(_NEW, aside=True),
    Rung(_WIDE, aside=True),
    Rung(_NEW, written=True),
    Rung(_WIDE, written=True, aside=True),
    Rung(_WIDE | {"ranksep": "0.65"}),
    Rung(_NEW | {"nodesep": "0.7"}, margin="56"),
    Rung(_FAR | {"ranksep": "0.8"}, margin="30"),
    Rung(_FAR | {"ranksep": "0.5"}, written=True),
    Rung(_NEW | {"nodesep": "0.25", "ranksep": "0.8"}, margin="30"),
    Rung(_NEW | {"splines": "line"}),
    Rung({}),
)
"""How Graphviz lays out, best first: more time and room for arrows that touch what is not theirs,
fewer arrows, then what draws graphs on which the others fail."""
FANNED: Final = (4, 5, 12)
"""The rungs for a long menu that is drawn upright: its arrows always lie on one another."""


@frozen
class Ladder:
    """The texts of a chart for each of the `RUNGS`, written when a renderer comes to them."""

    _text: Callable[[int], str]
    _rungs: Sequence[int] = range(len(RUNGS))

    def __iter__(self) -> Iterator[str]:
        return map(self._text, self._rungs)

    def through(self, change: Callable[[str], str]) -> "Ladder":
        """The same texts, each changed."""
        return Ladder(lambda rung: change(self._text(rung)), self._rungs)
