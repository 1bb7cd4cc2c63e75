"""Where tokens may come from, and whether somebody can see them there: told from the graph alone.

A term is followed with what is known of its parts: the seat that decides, places, tokens with the
places they may lie in.  What cannot be told is taken to be seen: play is tested for leaks, too.
"""

from typing import assert_never

from attrs import define, evolve, field, frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Attribute,
    Bound,
    Cond,
    Const,
    Contents,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    Graph,
    KindOf,
    Place,
    PlaceOfToken,
    Read,
    Shape,
    Term,
    Variable,
)
from compiler.graph.occupancy import Occupancy
from compiler.ops.lists import MINUS
from compiler.ops.row import Lookup
from compiler.types import PlaceOf, Square, Token, Type, element, present


@frozen
class Origin:
    """Tokens of some places: `mine` if they belong to who decides, `up` if they lie face up."""

    places: frozenset[int]
    mine: bool = False
    up: bool = False


@frozen
class Known:
    """What is known of a value: that it is the deciding seat, which places, which tokens."""

    actor: bool = False
    places: frozenset[int] | None = None
    mine: bool = False
    tokens: tuple[Origin, ...] = ()

    def joined(self, other: "Known") -> "Known":
        """What is known of a value that is one or the other."""
        places = None
        if self.places is not None and other.places is not None:
            places = self.places | other.places
        tokens = tuple(dict.fromkeys((*self.tokens, *other.tokens)))
        return Known(self.actor and other.actor, places, self.mine and other.mine, tokens)


NOTHING_KNOWN = Known()


@frozen
class Hidden:
    """A read of something that who decides may not see."""

    read: Read


@define(eq=False)
class Tracer:
    """Follows terms for one deciding seat, or for all; what it may not see goes into `found`."""

    graph: Graph
    lying: Occupancy
    actor: Term | None
    found: list[Hidden] = field(factory=list)

    def know(self, term: Term, bound: dict[int, Known]) -> Known:
        """What is known of a term's value."""
        if self.actor is not None and term == self.actor:
            return Known(actor=True)
        match term:
            case Const():
                return self._constant(term)
            case Bound(_, index):
                return bound.get(index, NOTHING_KNOWN)
            case Read():
                return self._read(term, bound)
            case Apply():
                return self._apply(term, bound)
            case Cond(test, then, otherwise):
                self.know(test, bound)
                yes = self.know(then, _facing_up(test, bound))
                return yes.joined(self.know(otherwise, bound))
            case Fold():
                return self._fold(term, bound)
            case _:
                assert_never(term)

    def _constant(self, term: Const) -> Known:
        if isinstance(term.value, int) and isinstance(present(term.type), PlaceOf | Square):
            return Known(places=frozenset({term.value}), mine=self._belongs(term.value))
        inner = element(term.type)
        if isinstance(term.value, tuple) and isinstance(inner, PlaceOf | Square):
            return Known(places=frozenset(v for v in term.value if isinstance(v, int)))
        return NOTHING_KNOWN

    def _belongs(self, place: int) -> bool:
        """Whether a place is that of a deciding seat known before play."""
        holder = self.graph.places[place].holder
        return isinstance(self.actor, Const) and holder is not None and holder == self.actor.value

    def _read(self, term: Read, bound: dict[int, Known]) -> Known:
        args = [self.know(arg, bound) for arg in term.args]
        match term.source:
            case Contents():
                places = args[0].places
                if places is None:
                    return NOTHING_KNOWN
                return Known(tokens=(Origin(places, args[0].mine),))
            case AllTokens(token_class, _):
                homes = frozenset(
                    p.index for p in self.graph.places if p.token_class in (token_class, None)
                )
                return Known(tokens=(Origin(homes),))
            case Attribute() | KindOf():
                self._need(term, args[0])
            case FlagOf(name) if self._is_sticky(name):
                self._need(term, args[0])
            case PlaceOfToken():
                places = frozenset(p for origin in args[0].tokens for p in origin.places)
                mine = bool(args[0].tokens) and all(o.mine for o in args[0].tokens)
                return Known(places=places or None, mine=mine)
            case Variable() as variable:
                self._need_variable(term, variable, args)
            case _:
                pass
        return NOTHING_KNOWN

    def _is_sticky(self, name: str) -> bool:
        return any(name in cls.sticky_flags for cls in self.graph.classes)

    def _apply(self, term: Apply, bound: dict[int, Known]) -> Known:
        args = [self.know(arg, bound) for arg in term.args]
        if isinstance(term.op, Function):
            inner = {p.index: a for p, a in zip(term.op.params, args, strict=True)}
            out: Known | None = None
            for case in term.op.cases:
                if case.when is not None:
                    self.know(case.when, inner)
                value = self.know(case.value, inner)
                out = value if out is None else out.joined(value)
            return out or NOTHING_KNOWN
        if isinstance(term.op, Lookup) and term.op.symbol == "[]":
            mine = any(arg.actor for arg in args)
            return Known(places=_reached(term.op, term.args), mine=mine)
        if not _holds_tokens(term.type):
            return NOTHING_KNOWN
        kept = args[:1] if term.op is MINUS else args
        return Known(tokens=tuple(dict.fromkeys(o for arg in kept for o in arg.tokens)))

    def _fold(self, term: Fold, bound: dict[int, Known]) -> Known:
        domain = self.know(term.domain.members, bound)
        for size in (term.domain.low, term.domain.high):
            if size is not None:
                self.know(size, bound)
        inner = {**bound, term.bound.index: Known(tokens=domain.tokens, places=domain.places)}
        if term.where is not None:
            inner = _facing_up(term.where, inner)
            self.know(term.where, inner)
        body = NOTHING_KNOWN
        if term.body is not None:
            inner = _facing_up(term.body, inner) if term.mode is not FoldMode.MAP else inner
            body = self.know(term.body, inner)
        if term.mode is FoldMode.FILTER:
            return inner[term.bound.index]
        return body if term.mode is FoldMode.MAP else NOTHING_KNOWN

    # ---- what must be seen

    def _need(self, read: Read, of: Known) -> None:
        if any(self.is_hidden(origin) for origin in of.tokens):
            self.found.append(Hidden(read))

    def _need_variable(self, read: Read, variable: Variable, args: list[Known]) -> None:
        mine = any(arg.actor for arg in args)
        for reader in variable.readers:
            if isinstance(reader, Const) and not self._includes(reader, mine):
                self.found.append(Hidden(read))
                return

    def _includes(self, seats: Const, mine: bool) -> bool:
        value = seats.value
        return isinstance(value, tuple) and (
            len(value) == self.graph.seats or (mine and bool(value))
        )

    def is_hidden(self, origin: Origin) -> bool:
        """Whether who decides may not see such tokens; without one, whether some seat may not."""
        if origin.up:
            return False
        if self.actor is None:
            return any(self.hides_from_somebody(self.graph.places[p]) for p in origin.places)
        return any(not self._sees(self.graph.places[p], origin.mine) for p in origin.places)

    def _sees(self, place: Place, mine: bool) -> bool:
        if False not in self.lying.faces[place.index]:
            return True
        if place.viewers is None:
            return False
        return not isinstance(place.viewers, Const) or self._includes(place.viewers, mine)

    def hides_from_somebody(self, place: Place) -> bool:
        """Whether what lies in a place may be unseen by some seat."""
        seats = range(self.graph.seats)
        return any(seat in seats for seat in self.lying.unseen[place.index])


def _reached(table: Lookup, keys: tuple[Term, ...]) -> frozenset[int]:
    """The places a member of a family may be."""
    found = table.evaluate(*(key.value if isinstance(key, Const) else None for key in keys))
    if isinstance(found, int):
        return frozenset({found})
    out: set[int] = set()
    waiting: list[object] = [table.table]
    while waiting:
        value = waiting.pop()
        if isinstance(value, int):
            out.add(value)
        elif isinstance(value, tuple):
            waiting += value
    return frozenset(out)


def _facing_up(test: Term, bound: dict[int, Known]) -> dict[int, Known]:
    """The bound names where a test holds: those it says lie face up are seen."""
    match test:
        case Read(FaceUp(), (Bound(_, index),)) if index in bound:
            known = bound[index]
            tokens = tuple(evolve(origin, up=True) for origin in known.tokens)
            return {**bound, index: evolve(known, tokens=tokens)}
        case Cond(first, second, Const(False)):
            return _facing_up(second, _facing_up(first, bound))
        case _:
            return bound


def _holds_tokens(type_: Type) -> bool:
    bare = present(type_)
    return isinstance(bare, Token) or isinstance(element(bare), Token)


def is_row(place: Place) -> bool:
    """Whether a place keeps an order."""
    return place.shape in (Shape.LIST, Shape.PILE)
