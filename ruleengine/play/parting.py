"""Answers as the menu shows them, without commas: parted into what fills each slot."""

import re
from typing import Final

from compiler.graph.core import Option
from compiler.types import Square, present

_FIELD: Final = re.compile(r"\[?(\d+, \d+)\]?")


def parted(typed: str, option: Option, board: str = "") -> str:
    """What was typed behind an option's name, with the commas that scenarios write.

    It is parted at the slots' prepositions if all stand there in turn, else left as it is.  Of the
    only `board` there is squares go by their numbers alone.
    """
    parts = _parts(typed, option)
    if parts is None:
        return typed
    found = []
    for slot, part in zip(option.slots, parts, strict=True):
        is_square = isinstance(present(slot.local.type), Square)
        value = _square(part, board) if is_square else part
        found.append(f"{slot.preposition or ''} {value}".strip())
    return ", ".join(found)


def shape(option: Option) -> str:
    """How an answer is written: `step from …, to …`."""
    slots = ", ".join(f"{slot.preposition or ''} …".strip() for slot in option.slots)
    return f"{option.name} {slots}".strip()


def _parts(typed: str, option: Option) -> list[str] | None:
    """What stands for each slot, without its preposition; `None` unless each but the first has one
    and all stand there."""
    first, *others = option.slots or (None,)
    if first is None or not all(slot.preposition for slot in others):
        return None
    rest = typed.removeprefix(f"{first.preposition} ") if first.preposition else typed
    parts = []
    for slot in others:
        part, found, rest = rest.partition(f" {slot.preposition} ")
        if not found:
            return None
        parts.append(part.strip().removesuffix(",").strip())
    return [*parts, rest.strip()]


def _square(part: str, board: str) -> str:
    """A square by its numbers, as it is called on the board."""
    found = _FIELD.fullmatch(part)
    return f"{board}[{found[1]}]" if found and board else part
