"""Whether an actor can be shown to tell apart the tokens he chooses among."""

from compiler.graph.core import (
    AllTokens,
    Apply,
    Cond,
    Const,
    Contents,
    Fold,
    Function,
    Place,
    Read,
    Shape,
    Term,
    Value,
    Variable,
)
from compiler.graph.core import Bound as BoundName
from compiler.lower.context import Context
from compiler.ops.lists import elements
from compiler.ops.row import Lookup
from compiler.types import Token, element


def surely_seen(context: Context, members: Term, actor: Term) -> bool:
    """Whether no member can be a card whose face the actor cannot see, in a place without order.

    Members that are no tokens, lie in ordered places, in places nobody hides anything in, or in the
    actor's own hand are seen.  Anything else may not be.
    """
    if not isinstance(element(members.type), Token):
        return True
    return all(_seen(context, read, actor) for read in _reads(members))


def _reads(term: Term) -> list[Read]:
    """What a term reads tokens from: places, classes, variables."""
    match term:
        case Const() | BoundName():
            return []
        case Read(source, args):
            own = [term] if isinstance(source, Contents | AllTokens | Variable) else []
            return own + [r for arg in args for r in _reads(arg)]
        case Apply(op, args):
            inner = [r for arg in args for r in _reads(arg)]
            if isinstance(op, Function):
                inner += [r for case in op.cases for r in _reads(case.value)]
            return inner
        case Cond(_, then, otherwise):
            return _reads(then) + _reads(otherwise)
        case Fold(domain=domain):
            return _reads(domain.members)


def _seen(context: Context, read: Read, actor: Term) -> bool:
    if isinstance(read.source, Contents):
        place = read.args[0]
        if isinstance(place, Apply) and isinstance(place.op, Lookup) and place.args == (actor,):
            return _own(context, place.op.name) or not _may_hide(context, place.op.name)
        return all(not _may_hide(context, p.zone) for p in context.places if _named(place, p))
    if isinstance(read.source, AllTokens):
        token_class = read.source.token_class
        return not any(
            _may_hide(context, p.zone) for p in context.places if p.token_class == token_class
        )
    token = element(read.type)
    if not isinstance(token, Token):
        return True
    homes = [p for p in context.places if p.token_class == token.token_class]
    return not any(_may_hide(context, p.zone) for p in homes)


def _named(place: Term, candidate: Place) -> bool:
    """Whether a term may be that place."""
    if isinstance(place, Const):
        value = place.value
        return candidate.index == value or (isinstance(value, tuple) and candidate.index in value)
    if isinstance(place, Apply) and isinstance(place.op, Lookup):
        return place.op.name == candidate.zone
    return True


def _may_hide(context: Context, zone: str) -> bool:
    """Whether cards without a place of their own can lie there unseen by somebody."""
    places = [p for p in context.places if p.zone == zone and p.shape is Shape.SET]
    if not any(not place.face_up for place in places) and not context.declared.turns_down:
        return False
    everyone = tuple(range(context.seats))
    return any(_viewers(place) != everyone for place in places)


def _own(context: Context, zone: str) -> bool:
    """Whether the holder of a place sees what lies there."""
    places = [p for p in context.places if p.zone == zone]
    return all(place.holder in elements(_viewers(place)) for place in places)


def _viewers(place: Place) -> Value:
    """Who sees what lies face down in a place, if that is known before play."""
    return place.viewers.value if isinstance(place.viewers, Const) else None
