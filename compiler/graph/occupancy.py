"""What can lie where: faces, flags, unseen cards and cards without a kind, for each place.

Found from the steps alone, without playing, and never less than what can happen: a place may hold
tokens as its own rule lays them down, as a move or a flip that can meet it leaves them, and with
the flags that are set anywhere.  A sort is a kind with its sticky flags.
"""

from collections.abc import Iterator

from attrs import define, field, frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Chance,
    Cond,
    Const,
    Contents,
    FaceTarget,
    FlagTarget,
    Fold,
    FoldMode,
    Function,
    Graph,
    Move,
    Place,
    PlaceOfToken,
    Read,
    Shape,
    Shuffle,
    Term,
    TokenClass,
    Value,
)
from compiler.ops.row import Lookup
from compiler.types import ListOf, Optional, PlaceOf, SetOf, Square, Token, Type

BOX = 0


@frozen
class Occupancy:
    """Per place, by index.

    `faces`: those a token can have there, up first.  `flags`: those it can carry, the class's own
    first.  `pools`: the shuffled places whose cards may lie there without a kind.  `unseen`: the
    observers (seats, then the public) who may not see what lies face down there.  `facts`: whether
    somebody may know what is among its cards without knowing which it is.
    """

    faces: tuple[tuple[bool, ...], ...]
    flags: tuple[tuple[str, ...], ...]
    pools: tuple[tuple[int, ...], ...]
    unseen: tuple[tuple[int, ...], ...]
    facts: tuple[bool, ...]


def occupancy(graph: Graph) -> Occupancy:
    """What can lie where in a graph."""
    where = Where(graph)
    moves = _moves(graph, where)
    faces = _faces(graph, where, moves)
    unseen = tuple(_unseen(graph, place, faces[place.index]) for place in graph.places)
    return Occupancy(
        faces,
        _flags(graph),
        _pools(graph, where, moves),
        unseen,
        _facts(graph, where, moves, unseen),
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


# ---- where terms point


@define
class Where:
    """Which places a term can mean, as a mask over place indices."""

    graph: Graph
    _functions: dict[int, tuple[int, int]] = field(factory=dict, init=False)

    def places(self, term: Term) -> int:
        """The places that a term giving a place, or a list of places, can give."""
        match term:
            case Const(value):
                return _union(1 << index for index in _numbers(value))
            case Cond(_, then, otherwise):
                return self.places(then) | self.places(otherwise)
            case Read(PlaceOfToken(), (token,)):
                return self.tokens(token)
            case Fold(FoldMode.FILTER, _, domain):
                return self.places(domain.members)
            case Fold(FoldMode.MAP, body=body) if body is not None:
                return self.places(body)
            case Apply(Function() as function, _):
                return self._function(function)[0]
            case Apply(Lookup() as table, args):
                return _union(1 << index for index in _numbers(_looked_up(table, args)))
            case Apply(_, args) if isinstance(_innermost(term.type), PlaceOf):
                lists = [arg for arg in args if isinstance(_innermost(arg.type), PlaceOf)]
                return _union(self.places(arg) for arg in lists) or self.of_type(term.type)
            case _:
                return self.of_type(term.type)

    def tokens(self, term: Term) -> int:
        """The places where the tokens that a term gives can lie."""
        match term:
            case Const():
                return 0
            case Cond(_, then, otherwise):
                return self.tokens(then) | self.tokens(otherwise)
            case Read(Contents(), (place,)):
                return self.places(place)
            case Read(AllTokens(token_class)):
                return self.of_class(token_class)
            case Fold(FoldMode.FILTER, _, domain):
                return self.tokens(domain.members)
            case Fold(FoldMode.MAP, body=body) if body is not None:
                return self.tokens(body)
            case Apply(Function() as function, _):
                return self._function(function)[1]
            case Apply(_, args):
                inside = [arg for arg in args if isinstance(_innermost(arg.type), Token)]
                return _union(self.tokens(arg) for arg in inside) or self.of_type(term.type)
            case _:
                return self.of_type(term.type)

    def of_class(self, token_class: str) -> int:
        """All places where tokens of a class may lie."""
        classes = (None, token_class)
        return sum(1 << place.index for place in self.graph.places if place.token_class in classes)

    def of_type(self, type_: Type) -> int:
        """All places that a value of a type may be, or may lie in."""
        match _innermost(type_):
            case Square():
                classes = {p.token_class for p in self.graph.places if p.square is not None}
                return _union(self.of_class(name) for name in classes if name is not None)
            case PlaceOf(token_class) | Token(token_class):
                return self.of_class(token_class)
            case _:
                return (1 << len(self.graph.places)) - 1

    def _function(self, function: Function) -> tuple[int, int]:
        known = self._functions.get(id(function))
        if known is None:
            values = [case.value for case in function.cases]
            known = (
                _union(self.places(value) for value in values),
                _union(self.tokens(value) for value in values),
            )
            self._functions[id(function)] = known
        return known


def _union(masks: Iterator[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _innermost(type_: Type) -> Type:
    match type_:
        case SetOf(inner) | ListOf(inner) | Optional(inner):
            return _innermost(inner)
        case _:
            return type_


def _numbers(value: Value) -> Iterator[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif value is not None:
        yield value


def _looked_up(table: Lookup, args: tuple[Term, ...]) -> Value:
    """What a table can give where the keys that are known before play are these."""
    found: tuple[Value, ...] = (table.table,)
    for low, arg in zip(table.lows, args, strict=True):
        parts = [part for part in found if isinstance(part, tuple)]
        if isinstance(arg, Const) and isinstance(arg.value, int):
            at = arg.value - low
            found = tuple(part[at] for part in parts if 0 <= at < len(part))
        else:
            found = tuple(value for part in parts for value in part)
    return found


def _indices(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


# ---- what steps leave


@frozen
class _Path:
    """A move, as masks of the places it can lead from and to."""

    source: int
    target: int
    face_up: bool | None


def _moves(graph: Graph, where: Where) -> tuple[_Path, ...]:
    return tuple(
        _Path(where.tokens(step.tokens), where.places(step.place), step.face_up)
        for step in (node.step for node in graph.nodes)
        if isinstance(step, Move)
    )


def _faces(graph: Graph, where: Where, moves: tuple[_Path, ...]) -> tuple[tuple[bool, ...], ...]:
    found = [{place.face_up} for place in graph.places]
    for path in moves:
        if path.face_up is not None:
            for index in _indices(path.target):
                found[index].add(path.face_up)
    for node in graph.nodes:
        match node.step:
            case Assign(FaceTarget(), (tokens,), value):
                sides = (bool(value.value),) if isinstance(value, Const) else (True, False)
                for index in _indices(where.tokens(tokens)):
                    found[index].update(sides)
            case _:
                pass
    return tuple(tuple(side for side in (True, False) if side in sides) for sides in found)


def _flags(graph: Graph) -> tuple[tuple[str, ...], ...]:
    names = {
        step.target.name
        for step in (node.step for node in graph.nodes)
        if isinstance(step, Assign) and isinstance(step.target, FlagTarget)
    }
    return tuple(
        tuple(
            dict.fromkeys(
                name
                for name in (
                    *(own for part in classes_in(graph, place) for own in part.sticky_flags),
                    *place.flags,
                )
                if name in names
            )
        )
        for place in graph.places
    )


def _unseen(graph: Graph, place: Place, faces: tuple[bool, ...]) -> tuple[int, ...]:
    cards = any(token_class.is_card for token_class in classes_in(graph, place))
    if not cards or False not in faces:
        return ()
    sure = seen_by(graph, place)
    return tuple(observer for observer in range(graph.seats + 1) if observer not in sure)


def _shuffled(graph: Graph, where: Where) -> int:
    found = 0
    for node in graph.nodes:
        match node.step:
            case Chance(Shuffle(place)):
                found |= where.places(place)
            case _:
                pass
    return found


def _pools(graph: Graph, where: Where, moves: tuple[_Path, ...]) -> tuple[tuple[int, ...], ...]:
    """Cards without a kind move on only where nobody sees them arrive."""
    found = [0] * len(graph.places)
    for index in _indices(_shuffled(graph, where)):
        found[index] = 1 << index
    blind = [not seen_by(graph, place) for place in graph.places]
    changed = True
    while changed:
        changed = False
        for path in moves:
            carried = _union(found[index] for index in _indices(path.source))
            for index in _indices(path.target):
                up = graph.places[index].face_up if path.face_up is None else path.face_up
                if blind[index] and not up and carried & ~found[index]:
                    found[index] |= carried
                    changed = True
    return tuple(tuple(_indices(mask)) for mask in found)


def _facts(
    graph: Graph,
    where: Where,
    moves: tuple[_Path, ...],
    unseen: tuple[tuple[int, ...], ...],
) -> tuple[bool, ...]:
    """Sets have facts; rows get them when mixed, rearranged, or filled from a place with some."""
    shuffled = _shuffled(graph, where)
    found = [
        bool(unseen[place.index])
        and (place.shape is Shape.SET or bool(shuffled >> place.index & 1))
        for place in graph.places
    ]
    changed = True
    while changed:
        changed = False
        for path in moves:
            for index in _indices(path.target):
                fed = path.source >> index & 1 or any(found[at] for at in _indices(path.source))
                if fed and unseen[index] and not found[index]:
                    found[index] = changed = True
    return tuple(found)
