"""The options of decisions in words: what goes with them, and when they are open."""

from collections.abc import Iterator

from compiler.flowchart.asking import opened
from compiler.graph.core import Apply, Const, DomainMode, Guard, Option, Slot
from compiler.graph.plain import PlainWords, spoken
from compiler.ops.numbers import NOT


def typed(option: Option) -> str:
    """What a player types: the name and what goes with it."""
    slots = (f"{_lead(slot)}{spoken(slot.bound.name)}" for slot in option.slots)
    return f"{spoken(option.name)} {', '.join(slots)}".strip()


def conditions(option: Option, words: PlainWords) -> Iterator[str]:
    """What an option takes, and what has to hold: a line for each."""
    for slot in option.slots:
        where = "" if slot.where is None else f" where {words.text(slot.where)}"
        name = f"{_lead(slot)}{spoken(slot.bound.name)}"
        among = " in" if slot.domain.mode is DomainMode.MEMBERS else ":"
        yield f"{name}{among} {words.domain(slot.domain)}{where}"
    yield from (_guard(guard, words) for guard in option.guards if not _is_settled(guard))


def can_open(option: Option) -> bool:
    """Whether no guard of an option is known to fail before play."""
    return not any(_is_settled(guard) and not _value(guard) for guard in option.guards)


def _lead(slot: Slot) -> str:
    return f"{slot.preposition} " if slot.preposition else ""


def _is_settled(guard: Guard) -> bool:
    return isinstance(guard.holds, Const)


def _value(guard: Guard) -> bool:
    return isinstance(guard.holds, Const) and bool(guard.holds.value)


def _guard(guard: Guard, words: PlainWords) -> str:
    match guard.holds:
        case Apply(op, (refused,)) if guard.negated and op is NOT:
            return f"unless {words.text(opened(refused))}"
        case holds:
            return f"if {words.text(opened(holds))}"
