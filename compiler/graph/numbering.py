"""How tokens, flags and variables are numbered, wherever a table of a graph is kept.

Token handles run class by class, kind by kind, copy by copy; flags that stick come before the flags
of places; variables are the game's, then the locals of all phases, those of two banks last.
"""

from compiler.graph.core import Call, Flow, Graph, Jump, Phase, TokenClass, Variable


def token_numbers(
    classes: tuple[TokenClass, ...],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[range, ...]]:
    """The class and the kind at the start of each handle, and the handles of each class."""
    token_class: list[int] = []
    first_kind: list[int] = []
    ranges = []
    for class_index, class_ in enumerate(classes):
        start = len(token_class)
        for kind_index, kind in enumerate(class_.kinds):
            token_class += [class_index] * kind.copies
            first_kind += [kind_index] * kind.copies
        ranges.append(range(start, len(token_class)))
    return tuple(token_class), tuple(first_kind), tuple(ranges)


def flag_bits(graph: Graph) -> dict[str, int]:
    """The number of each flag's bit."""
    bits: dict[str, int] = {}
    for class_ in graph.classes:
        for name in class_.sticky_flags:
            bits.setdefault(name, len(bits))
    for place in graph.places:
        for name in place.flags:
            bits.setdefault(name, len(bits))
    return bits


def banked_phases(graph: Graph) -> frozenset[str]:
    """The phases that a trigger can reach, the triggers' own blocks left out."""
    followers: dict[str, list[str]] = {phase.name: [] for phase in graph.phases}
    for node in graph.nodes:
        match node.step:
            case Flow(Call(name) | Jump(name)):
                followers[node.phase].append(name)
            case _:
                pass
    reached: set[str] = set()
    waiting = [trigger.phase for trigger in graph.triggers]
    blocks = frozenset(waiting)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += followers[name]
    return frozenset(reached - blocks)


def _locals(phase: Phase) -> tuple[Variable, ...]:
    return tuple(dict.fromkeys((*phase.params, *phase.locals)))


def variables_in_order(
    graph: Graph, banked: frozenset[str]
) -> tuple[tuple[Variable, ...], tuple[Variable, ...]]:
    """All variables in the order of their slots: those of one bank, those of two."""
    single = dict.fromkeys((*graph.variables, graph.players, graph.ended))
    double: dict[Variable, None] = {}
    for phase in graph.phases:
        into = double if phase.name in banked else single
        into.update(dict.fromkeys(_locals(phase)))
    return tuple(single), tuple(double)
