"""What is made of a part of a graph when a game first comes there, and kept from then on."""

from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


class OnDemand(dict[int, Made]):
    """By number of a node; a number that is not there yet is made."""

    def __init__(self, make: Callable[[int], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, node: int) -> Made:
        made = self[node] = self._make(node)
        return made
