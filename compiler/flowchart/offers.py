"""The options of decisions in words: what goes with them, and when they are open."""

from collections.abc import Iterator

from compiler.flowchart.opened import brief
from compiler.flowchart.openings import legal
from compiler.graph.core import (
    Apply,
    Const,
    DomainMode,
    Function,
    Guard,
    Option,
    Slot,
    Term,
)
from compiler.graph.naming import spoken
from compiler.graph.sentences import Sentences
from compiler.graph.settled import settled
from compiler.ops.numbers import AT_LEAST, AT_MOST, LESS, MORE


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
        yield (
            _opponent(name, slot, sentences) or f"{name}{among} {words.domain(slot.domain)}{where}"
        )
    possible = {
        words.text(fits): f'"{sibling.title}" is possible'
        for sibling in siblings
        if sibling.title and (fits := legal(sibling)) is not None
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


def _opponent(name: str, slot: Slot, sentences: Sentences) -> str:
    """A slot of two players for the other one; nothing for other slots."""
    match slot.domain.members:
        case Apply(Function("others"), (one,)) if sentences.graph.seats == 2 and not slot.where:
            return f"{name}: the opponent of {sentences.words.text(one)}"
        case _:
            return ""


def _lead(slot: Slot) -> str:
    return f"{slot.preposition} " if slot.preposition else ""
