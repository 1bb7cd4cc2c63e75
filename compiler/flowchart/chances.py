"""How likely it is what chance brings, where that is short to say."""

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Final

from compiler.graph.core import (
    Const,
    Distribution,
    Domain,
    DomainMode,
    Graph,
    Pick,
    Roll,
    Value,
)
from compiler.graph.naming import PlainValues, listed
from compiler.types import Type

_LISTED: Final = 6  # results that are named with their odds


def told(distribution: Distribution, graph: Graph) -> str:
    """How likely the results of a roll or pick are; nothing if that is long, or not known."""
    match distribution:
        case Roll(dice):
            faces = [face for _, _, shown in dice for face in shown]
            total = prod(len(shown) for _, _, shown in dice)
            if len(dice) > 1 or len(set(faces)) > _LISTED:
                return f"{total:,} results, each 1/{total:,}"
            shares = {face: Fraction(faces.count(face), total) for face in faces}
            return _shares(shares, dice[0][0].type, graph)
        case Pick(variable, _, Domain(DomainMode.MEMBERS, Const(tuple() as members)), None):
            if not 0 < len(members) <= _LISTED:
                return f"each of {len(members)}: 1/{len(members)}" if members else ""
            shares = dict.fromkeys(members, Fraction(1, len(members)))
            return _shares(shares, variable.type, graph)
        case _:
            return ""


def _shares(shares: Mapping[Value, Fraction], type_: Type, graph: Graph) -> str:
    """What can come up, and how likely: each with its share, or all with the same."""
    words = {face: PlainValues(graph).text(face, type_) for face in shares}
    if len(set(shares.values())) > 1:
        return ", ".join(f"{words[face]}: {share}" for face, share in shares.items())
    share = next(iter(shares.values()))
    first, *_, last = words.values()
    if len(words) > 2 and all(word.isdecimal() for word in words.values()):
        return f"each of {first} ... {last}: {share}"
    if any(" and " in word for word in words.values()):
        return "; ".join(words.values()) + f": {share} each"
    return f"{listed([*words.values()], 'or')}: {share} each"
