"""Conditions as they are told: of a function that only says when it holds, what it says."""

from typing import Final

from compiler.graph.core import Apply, Cond, Const, Function, Term
from compiler.graph.exchange import given, replaced
from compiler.graph.words import PlainWords

_SHORT: Final = 36  # letters of a condition that is told instead of the word for it


def opened(test: Term) -> Term:
    """A test; for a function of the spec that only says when it holds, what that says."""
    match test:
        case Apply(Function() as function, args):
            held = _holds(function)
            return test if held is None else replaced(held, given(args))
        case _:
            return test


def brief(test: Term, words: PlainWords) -> Term:
    """What has to hold, as shortly as it can be said: a function's own words if these are few."""
    whole = opened(test)
    if whole is test or len(words.text(whole)) <= _SHORT:
        return whole
    return test


def _holds(function: Function) -> Term | None:
    """When a function is true, if it only lists such cases: one after the other, joined by "or"."""
    found: Term | None = None
    for case in reversed(function.cases):
        if case.when is None:
            found = case.value
        elif found is None or not isinstance(case.value, Const) or not case.value.value:
            return None
        elif isinstance(found, Const) and not found.value:
            found = case.when
        else:
            found = Cond(case.when, case.value, found, type=case.value.type)
    return None if isinstance(found, Const) else found
