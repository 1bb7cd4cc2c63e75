"""When options are open, as far as that is certain before play."""

from collections.abc import Iterator

from compiler.flowchart.certain import alike
from compiler.graph.core import (
    Apply,
    Choose,
    Cond,
    Const,
    Fold,
    FoldMode,
    Graph,
    Guard,
    Option,
    Term,
)
from compiler.graph.settled import settled, unchanging
from compiler.ops.numbers import NOT
from compiler.types import BOOL


def can_open(option: Option) -> bool:
    """Whether no guard of an option is known to fail before play."""
    return not any(_is_settled(guard) and not _value(guard) for guard in option.guards)


def legal(option: Option) -> Term | None:
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


def always_fits(graph: Graph) -> frozenset[int]:
    """The decisions in which something can always be picked.

    An option without slots is open exactly where its guards hold.  If each of them only says that
    another option is not possible, then where this one is shut that other one is open.
    """
    return frozenset(
        node.id
        for node in graph.nodes
        if isinstance(node.step, Choose) and node.step.has_otherwise and _fits(graph, node.step)
    )


def _fits(graph: Graph, choose: Choose) -> bool:
    if choose.joint or choose.optional:
        return False
    possible = [term for term in map(legal, choose.options) if term is not None]
    return any(
        not option.slots
        and all(
            any(alike(denied, term, {}) for term in possible) for denied in _denied(graph, option)
        )
        for option in choose.options
        if can_open(option)
    )


def _denied(graph: Graph, option: Option) -> Iterator[Term | None]:
    """What must not hold for an option to be open; `None` for a guard that asks for more."""
    for guard in option.guards:
        match settled(guard.holds, unchanging(graph)):
            case Const(value) if value:
                continue
            case _:
                match guard.holds:
                    case Apply(op, (denied,)) if op is NOT:
                        yield denied
                    case _:
                        yield None


def _is_settled(guard: Guard) -> bool:
    return isinstance(guard.holds, Const)


def _value(guard: Guard) -> bool:
    return isinstance(guard.holds, Const) and bool(guard.holds.value)
