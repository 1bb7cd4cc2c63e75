"""Which calls a printer writes out in place, for machines that do not inline by themselves."""

from collections import Counter
from typing import Final

from compiler.lir.core import Program
from compiler.lir.walk import callees_first, calls, size

_ALWAYS: Final = 40
"""A function with no more statements and expressions than this costs less than a call of it."""

_ONCE: Final = 400
"""So does one that is called in a single place; past this, functions grow too large to compile."""

_GROWN: Final = 4000
"""A function that has grown to this, with what was inlined into it, stays a function."""


def inlined(program: Program) -> frozenset[str]:
    """The functions whose calls are written out: those marked so, and the small ones."""
    places: Counter[str] = Counter()
    for function in program.functions:
        places.update(calls(function))
    chosen: set[str] = set()
    grown: dict[str, int] = {}
    for function in callees_first(program):
        inside = calls(function)
        total = size(function)
        total += sum(count * grown[name] for name, count in inside.items() if name in chosen)
        grown[function.name] = total
        limit = _ONCE if places[function.name] == 1 else _ALWAYS
        if total <= limit or (function.inline and total <= _GROWN):
            chosen.add(function.name)
    return frozenset(chosen)
