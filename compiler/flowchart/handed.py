"""What a phase is given when it runs, in words: what it never looks at is not told."""

from collections.abc import Iterable
from typing import Final

from compiler.graph.core import Assign, Const, Graph, Read, Term, Variable
from compiler.graph.naming import contrary, sort, spoken
from compiler.graph.walk import terms_of, variable_reads
from compiler.graph.words import PlainWords
from compiler.types import Bool, present

_LETTERS: Final = 90  # of a test or an effect without a title


class Handed:
    """What the phases of a graph are given."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._words = PlainWords(graph)
        self._cards = frozenset(one.name for one in graph.classes if one.is_card)
        terms = (term for node in graph.nodes for term in terms_of(node.step))
        self._read = frozenset(variable for variable, _ in variable_reads(*terms))

    def params(self, phase: str) -> str:
        """What a phase is given whenever it runs: names, and of what sort."""
        known = {one.name: one for one in self._graph.phases}
        params = known[phase].params if phase in known else ()
        return ", ".join(self._param(param) for param in params if param in self._read)

    def _param(self, param: Variable) -> str:
        kind = present(param.type)
        if isinstance(kind, Bool):
            return f"{spoken(param.name)} or not"
        return f"{spoken(param.name)}: {sort(kind, self._cards)}"

    def called(self, phase: str, node_ids: Iterable[int]) -> str:
        """What a phase calls what it is given by some nodes: "attacker is a, defender is q".

        Left out is what has the same name there, and what it never looks at.
        """
        kept = self._kept(node_ids)
        said = [
            (spoken(param.name), kept[id(param)])
            for param in self._graph.phase(phase).params
            if param in self._read and id(param) in kept
        ]
        words = [
            self._named(name, value)
            if isinstance(value, Const) and isinstance(value.value, bool)
            else f"{name} is {cut(self._words.text(value))}"
            for name, value in said
            if self._words.text(value) != name
        ]
        return ", ".join(words)

    def given(self, phase: str, node_ids: Iterable[int]) -> tuple[str, bool]:
        """What a phase is given by the nodes that lead to it, in the order of its parameters.

        What has the same name there is left out.  Also, whether all of it is known before play.
        """
        kept = self._kept(node_ids)
        words: list[str] = []
        constant = True
        for param in self._graph.phase(phase).params:
            value = kept.get(id(param))
            if value is not None and param in self._read:
                constant = constant and isinstance(value, Const)
                said = self._named(spoken(param.name), value)
                words += [said] if said != spoken(param.name) or value == Const(True) else []
        return f"({', '.join(words)})" if words else "", constant

    def _kept(self, node_ids: Iterable[int]) -> dict[int, Term]:
        """What some nodes give each variable, by its identity, before it was handed on."""
        steps = [self._graph.nodes[node_id].step for node_id in node_ids]
        kept = {id(step.target): step.value for step in steps if isinstance(step, Assign)}
        return {
            target: kept.get(id(value.source), value) if isinstance(value, Read) else value
            for target, value in kept.items()
        }

    def _named(self, name: str, value: Term) -> str:
        """A value that a phase is given, with its name if that is more than a letter."""
        match value:
            case Const(bool() as agreed):
                return name if agreed else contrary(name)
            case _:
                said = cut(self._words.text(value))
                return said if len(name) == 1 or said == name else f"{name}: {said}"


def cut(text: str, letters: int = _LETTERS) -> str:
    """A text, or its beginning if it is long."""
    return text if len(text) <= letters else f"{text[: letters - 3].rstrip()}..."
