"""The options of decisions in words: what goes with them, and when they are open."""

from collections.abc import Iterator

from compiler.flowchart.asking import brief
from compiler.graph.core import (
    Apply,
    Cond,
    Const,
    DomainMode,
    Fold,
    FoldMode,
    Guard,
    Option,
    Slot,
    Term,
)
from compiler.graph.naming import spoken
from compiler.graph.sentences import Sentences
from compiler.graph.settled import settled
from compiler.ops.numbers import AT_LEAST, AT_MOST, LESS, MORE
from compiler.types import BOOL


def typed(option: Option) -> str:
    """What a player types: the name and what goes with it."""
    slots = (f"{_lead(slot)}{spoken(slot.bound.name)}" for slot in option.slots)
    return f"{spoken(option.name)} {', '.join(slots)}".strip()


def conditions(
    option: Option, sentences: Sentences, siblings: tuple[Option, ...] = ()
) -> Iterator[str]:
    """What an option takes, and what has to hold: a line for each.

    A guard that asks whether a sibling is possible says so, instead of all that has to hold then.
    """
    words = sentences.words
    for slot in option.slots:
        where = "" if slot.where is None else f" where {words.text(slot.where)}"
        name = f"{_lead(slot)}{spoken(slot.bound.name)}"
        among = " in" if slot.domain.mode is DomainMode.MEMBERS else ":"
        yield f"{name}{among} {words.domain(slot.domain)}{where}"
    possible = {
        words.text(legal): f'"{sibling.title}" is possible'
        for sibling in siblings
        if sibling.title and (legal := _legal(sibling)) is not None
    }

    known = sentences.words.known

    def holding(test: Term) -> str:
        return possible.get(words.text(test)) or words.text(brief(test, words))

    for guard in option.guards:
        if isinstance(settled(guard.holds, known), Const) or _is_implied(guard, option.guards):
            continue
        yield sentences.guard(guard, holding)


def _is_implied(guard: Guard, guards: tuple[Guard, ...]) -> bool:
    """Whether another guard asks for more of the same: two rolls where this asks for one."""
    asked = _at_least(guard.holds)
    if asked is None:
        return False
    others = [_at_least(other.holds) for other in guards if other is not guard]
    return any(
        other is not None and other[0] == asked[0] and other[1] > asked[1] for other in others
    )


def _at_least(test: Term) -> tuple[Term, int] | None:
    """What a test compares with a number, and the least that it takes."""
    match test:
        case Apply(op, (of, Const(int() as number))) if op in (AT_LEAST, MORE):
            return of, number + (op is MORE)
        case Apply(op, (Const(int() as number), of)) if op in (AT_MOST, LESS):
            return of, number + (op is LESS)
        case _:
            return None


def can_open(option: Option) -> bool:
    """Whether no guard of an option is known to fail before play."""
    return not any(_is_settled(guard) and not _value(guard) for guard in option.guards)


def _lead(slot: Slot) -> str:
    return f"{slot.preposition} " if slot.preposition else ""


def _is_settled(guard: Guard) -> bool:
    return isinstance(guard.holds, Const)


def _value(guard: Guard) -> bool:
    return isinstance(guard.holds, Const) and bool(guard.holds.value)


def _legal(option: Option) -> Term | None:
    """Whether something fits an option's slots, as a term; `None` if it has none or never can."""
    if not option.slots or not can_open(option):
        return None
    body: Term = Const(True, type=BOOL)
    for guard in reversed([guard for guard in option.guards if not _is_settled(guard)]):
        last = isinstance(body, Const)
        body = guard.holds if last else Cond(guard.holds, body, Const(False, type=BOOL), type=BOOL)
    for slot in reversed(option.slots):
        body = Fold(FoldMode.SOME, slot.bound, slot.domain, slot.where, body, type=BOOL)
    return body
