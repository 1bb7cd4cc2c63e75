"""Which calls a printer writes out in place, for machines that do not inline by themselves."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from compiler.lir.core import Program
from compiler.lir.walk import Facts, callees_first

_ALWAYS: Final = 40
"""A function with no more statements and expressions than this costs less than a call of it."""

_ONCE: Final = 400
"""So does one that is called in a single place; past this, functions grow too large to compile."""

_GROWN: Final = 4000
"""A function that has grown to this, with what was inlined into it, stays a function."""


def inlined(program: Program, known: Mapping[str, Facts]) -> frozenset[str]:
    """The functions whose calls are written out: those marked so, and the small ones."""
    named = {function.name: function for function in program.functions}
    places: Counter[str] = Counter()
    for facts in known.values():
        places.update(facts.calls)
    chosen: set[str] = set()
    grown: dict[str, int] = {}
    for name in callees_first(known):
        inside = known[name].calls
        total = known[name].size
        total += sum(count * grown[callee] for callee, count in inside.items() if callee in chosen)
        grown[name] = total
        limit = _ONCE if places[name] == 1 else _ALWAYS
        if total <= limit or (named[name].inline and total <= _GROWN):
            chosen.add(name)
    return frozenset(chosen)
