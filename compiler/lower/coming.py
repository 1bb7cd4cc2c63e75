"""What chance gives in a game, as a scenario writes it."""

from collections.abc import Iterator
from typing import Final

from compiler.graph.core import Chance, Die, Graph, Pick, Roll, Variable
from compiler.graph.naming import listed
from compiler.graph.values import ValueWords
from compiler.types import Enum, Int, Player, Type, present

_FEW: Final = 4  # sorts of chance that a message tells


def how_chance_is_written(graph: Graph) -> str:
    """An example of each sort of chance, with what it is of: `chance 1, 1` for black and white."""
    forms = list(dict.fromkeys(_forms(graph)))
    if not forms:
        return "nothing hangs on chance"
    return f"write what comes, as in {'; '.join(forms[:_FEW])}"


def _forms(graph: Graph) -> Iterator[str]:
    for node in graph.nodes:
        match node.step:
            case Chance(Roll(dice)):
                variables = [variable for variable, _, _ in dice]
                yield _form([_face(graph, one) for one in variables], [v.name for v in variables])
            case Chance(Pick(variable=variable)):
                yield _form([_example(graph, variable.type)], [variable.name])
            case _:
                pass
    hidden = {place.token_class for place in graph.places if not place.face_up}
    for part in graph.classes:
        if part.name in hidden:
            yield _form([part.kinds[0].word], [f"the hidden {part.name}"])


def _form(comes: list[str], what: list[str]) -> str:
    return f"`chance {', '.join(comes)}` for {listed(list(dict.fromkeys(what)))}"


def _face(graph: Graph, variable: Variable) -> str:
    """The first face of a die."""
    if isinstance(variable, Die) and variable.faces:
        return ValueWords(graph).text(variable.faces[0], variable.type)
    return _example(graph, variable.type)


def _example(graph: Graph, type_: Type) -> str:
    """The first value of a type that a scenario can write."""
    match kind := present(type_):
        case Int(low=low):
            return str(low)
        case Enum() | Player():
            return ValueWords(graph).text(0, kind)
        case _:
            return "…"
