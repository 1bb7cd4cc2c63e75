"""What can lie where: faces, flags, unseen cards and cards without a kind, for each place.

Found from the steps alone, without playing, and never less than what can happen: a place may hold
tokens as its own rule lays them down, as a move or a flip that can meet it leaves them, and with
the flags that are set anywhere.  A sort is a kind with its sticky flags.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from compiler.graph.core import (
    Assign,
    Const,
    FaceTarget,
    FlagTarget,
    Graph,
    Place,
    Shape,
    TokenClass,
)
from compiler.graph.where import indices, union
from compiler.graph.whereabouts import Whereabouts
from compiler.types import BOOL

BOX = 0


@frozen
class Occupancy:
    """Per place, by index.

    `faces`: those a token can have there, up first.  `flags`: those it can carry, the class's own
    first.  `pools`: the shuffled places whose cards may lie there without a kind.  `unseen`: the
    observers (seats, then the public) who may not see what lies face down there.  `facts`: whether
    somebody may know what is among its cards without knowing which it is.

    `sticking`: per class and flag of its own, the kinds that can carry it.
    """

    found: Whereabouts
    faces: tuple[tuple[bool, ...], ...]
    flags: tuple[tuple[str, ...], ...]
    pools: tuple[tuple[int, ...], ...]
    unseen: tuple[tuple[int, ...], ...]
    facts: tuple[bool, ...]
    sticking: Mapping[tuple[str, str], frozenset[int]]

    def can_carry(self, token_class: str, flags: Iterable[str], kind: int) -> bool:
        """Whether a token of this kind can carry all these flags of its class at once."""
        return all(kind in self.sticking[token_class, flag] for flag in flags)


def occupancy(graph: Graph) -> Occupancy:
    """What can lie where in a graph."""
    found = Whereabouts.find(graph)
    faces = _faces(graph, found)
    sticking = _sticking(graph, found)
    unseen = tuple(_unseen(graph, place, faces[place.index]) for place in graph.places)
    return Occupancy(
        found,
        faces,
        _flags(graph, found, sticking),
        _pools(graph, found),
        unseen,
        _facts(graph, found, unseen),
        sticking,
    )


def classes_in(graph: Graph, place: Place) -> tuple[TokenClass, ...]:
    """The classes whose tokens may lie in a place: all of them in the box."""
    if place.token_class is None:
        return graph.classes
    return (graph.token_class(place.token_class),)


def kinds_in(place: Place, token_class: TokenClass) -> tuple[int, ...]:
    """The kinds of a class that a place admits."""
    return tuple(range(len(token_class.kinds))) if place.kinds is None else place.kinds


def capacity(graph: Graph, place: Place) -> int:
    """The most tokens a place can hold."""
    if place.shape is Shape.ONE:
        return 1
    total = sum(
        token_class.kinds[kind].copies
        for token_class in classes_in(graph, place)
        for kind in kinds_in(place, token_class)
    )
    return total if place.capacity is None else min(total, place.capacity)


def seen_by(graph: Graph, place: Place) -> tuple[int, ...]:
    """The observers sure to see what lies face down in a place."""
    if not isinstance(place.viewers, Const) or not isinstance(place.viewers.value, tuple):
        return ()
    seats = tuple(seat for seat in range(graph.seats) if seat in place.viewers.value)
    return (*seats, graph.seats) if len(seats) == graph.seats else seats


def _faces(graph: Graph, found: Whereabouts) -> tuple[tuple[bool, ...], ...]:
    sides = [{place.face_up} for place in graph.places]
    for path in found.paths.values():
        if path.face_up is not None:
            for index in indices(path.target):
                sides[index].add(path.face_up)
    for node, mask in found.turned.items():
        match graph.nodes[node].step:
            case Assign(FaceTarget(), _, value):
                given = (bool(value.value),) if isinstance(value, Const) else (True, False)
                for index in indices(mask):
                    sides[index].update(given)
            case _:
                pass
    return tuple(tuple(side for side in (True, False) if side in given) for given in sides)


def _sticking(graph: Graph, found: Whereabouts) -> dict[tuple[str, str], frozenset[int]]:
    """Which kinds get a flag of their class: what the places admit where it is set."""
    kinds: dict[tuple[str, str], frozenset[int]] = {
        (part.name, flag): frozenset() for part in graph.classes for flag in part.sticky_flags
    }
    for node, mask in found.turned.items():
        match graph.nodes[node].step:
            case Assign(FlagTarget(name), _, value) if value != Const(False, type=BOOL):
                for place in (graph.places[index] for index in indices(mask)):
                    for part in classes_in(graph, place):
                        if (part.name, name) in kinds:
                            kinds[part.name, name] |= frozenset(kinds_in(place, part))
            case _:
                pass
    return kinds


def _flags(
    graph: Graph, found: Whereabouts, sticking: Mapping[tuple[str, str], frozenset[int]]
) -> tuple[tuple[str, ...], ...]:
    """A class's own flags go wherever its tokens go; others stay in the zone where they are set."""
    names = {
        step.target.name: 0
        for step in (node.step for node in graph.nodes)
        if isinstance(step, Assign) and isinstance(step.target, FlagTarget)
    }
    for node, mask in found.turned.items():
        match graph.nodes[node].step:
            case Assign(FlagTarget(name)):
                names[name] |= mask
            case _:
                pass
    zones = {
        (name, graph.places[index].zone) for name, mask in names.items() for index in indices(mask)
    }
    return tuple(
        tuple(
            dict.fromkeys(
                (
                    *_carried(graph, place, sticking),
                    *(flag for flag in place.flags if (flag, place.zone) in zones),
                )
            )
        )
        for place in graph.places
    )


def _carried(
    graph: Graph, place: Place, sticking: Mapping[tuple[str, str], frozenset[int]]
) -> Iterator[str]:
    """The flags of their class that tokens in a place can carry."""
    for part in classes_in(graph, place):
        for flag in part.sticky_flags:
            if not sticking[part.name, flag].isdisjoint(kinds_in(place, part)):
                yield flag


def _unseen(graph: Graph, place: Place, faces: tuple[bool, ...]) -> tuple[int, ...]:
    cards = any(token_class.is_card for token_class in classes_in(graph, place))
    if not cards or False not in faces:
        return ()
    sure = seen_by(graph, place)
    return tuple(observer for observer in range(graph.seats + 1) if observer not in sure)


def _pools(graph: Graph, found: Whereabouts) -> tuple[tuple[int, ...], ...]:
    """Cards without a kind move on only where nobody sees them arrive."""
    pools = [0] * len(graph.places)
    for index in indices(union(found.shuffled.values())):
        pools[index] = 1 << index
    blind = [not seen_by(graph, place) for place in graph.places]
    changed = True
    while changed:
        changed = False
        for path in found.paths.values():
            carried = union(pools[index] for index in indices(path.source))
            for index in indices(path.target):
                up = graph.places[index].face_up if path.face_up is None else path.face_up
                if blind[index] and not up and carried & ~pools[index]:
                    pools[index] |= carried
                    changed = True
    return tuple(tuple(indices(mask)) for mask in pools)


def _facts(
    graph: Graph, found: Whereabouts, unseen: tuple[tuple[int, ...], ...]
) -> tuple[bool, ...]:
    """Sets have facts; rows do when mixed, or when several cards come in together unseen."""
    shuffled = union(found.shuffled.values())
    several = union(path.target for path in found.paths.values() if not path.single)
    return tuple(
        bool(unseen[place.index])
        and (
            place.shape is Shape.SET
            or bool(shuffled >> place.index & 1)
            or (place.shape is not Shape.ONE and bool(several >> place.index & 1))
        )
        for place in graph.places
    )
