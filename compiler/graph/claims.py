"""Statements in plain English: who has what, what lies where, how much there is of something.

"p has at least 3 marks", "deck is empty", "c is among p's open cards", "q is a king or a queen".
"""

from typing import Final

from attrs import frozen

from compiler.graph.amounts import Thing, lying, still_in
from compiler.graph.calling import Calling
from compiler.graph.core import (
    Apply,
    Attribute,
    Bound,
    Const,
    Contents,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    KindOf,
    PlaceOfToken,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.graph.naming import (
    PlainValues,
    agreeing,
    denied,
    is_verb,
    listed,
    one_of_kind,
    spoken,
)
from compiler.graph.notation import Bind, Worded
from compiler.graph.settled import seat_of
from compiler.ops.lists import COUNT, IN, IS, ITEM, LIST, MINUS, RANGE, UNION
from compiler.ops.numbers import AT_LEAST, AT_MOST, DIVIDE, LESS, MORE, MULTIPLY
from compiler.ops.row import Lookup, Op
from compiler.types import Bool, Int, ListOf, Player, SetOf, Type, present

ORDER: Final[dict[Op, str]] = {
    LESS: "is less than",
    AT_MOST: "is at most",
    MORE: "is more than",
    AT_LEAST: "is at least",
}
"""How numbers compare."""

_FLIPPED: Final = {LESS: AT_LEAST, AT_LEAST: LESS, MORE: AT_MOST, AT_MOST: MORE}
"""What holds of two numbers if the other does not."""

_BETWEEN: Final[dict[Op, str]] = {
    UNION: "and",
    MINUS: "without",
    MULTIPLY: "x",
    DIVIDE: "/",
}
"""Operators between their arguments that have words, or other signs, in English."""

_BINDS: Final[dict[Op, Bind]] = {
    MULTIPLY: Bind.PRODUCT,
    DIVIDE: Bind.PRODUCT,
    UNION: Bind.SUM,
    MINUS: Bind.SUM,
}

PRELUDE: Final = {
    "next": "the player after {}",
    "seats_from": "the players from {} on",
    "others": "the players other than {}",
    "is_straight": "{} is straight",
}
"""What the prelude's own functions are called."""

_TRAILING: Final = ("as", "by", "for", "from", "in", "of", "on", "to", "with")
"""Words at the end of a function's name after which its argument can follow."""


def seat_letter(seat: int) -> str:
    """What a seat is called."""
    return chr(ord("A") + seat)


@frozen
class Claims(Calling):
    """Writes statements for people."""

    def _called(self, function: Function, args: tuple[Term, ...]) -> Worded:
        name = spoken(function.name)
        if function.name in PRELUDE:
            words = PRELUDE[function.name].format(self._at(args[0], Bind.PICK))
            return Worded(words, Bind.PICK)
        if not args:
            return Worded(name)
        if isinstance(function.type, Bool):
            verb = name if is_verb(name) else f"is {name}"
            return self._said(verb, args)
        if name.split()[-1] in _TRAILING:
            return Worded(f"{name} {self._all(args)}", Bind.PICK)
        return self._owned(name, args)

    def _said(self, verb: str, args: tuple[Term, ...]) -> Worded:
        """A statement of its first argument: "p may enter s", "p reaches c with r"."""
        subject, *others = args
        if isinstance(present(subject.type), ListOf | SetOf):
            verb = agreeing(verb)
        object_ = f" {self._at(others[0], Bind.PICK)}" if others else ""
        rest = f" with {self._all(others[1:])}" if others[1:] else ""
        words = f"{self._at(subject, Bind.PICK)} {verb}{object_}{rest}"
        return Worded(words, Bind.COMPARISON)

    def _not(self, inner: Term) -> Worded:
        match inner:
            case Apply(Function(name, type=Bool()), (_, *_) as args) if name not in PRELUDE:
                words = spoken(name)
                return self._said(denied(words if is_verb(words) else f"is {words}"), args)
            case Apply(Op() as op, args) if op in _FLIPPED:
                return self._between(_FLIPPED[op], args)
            case Read(FlagOf(name)) | Read(Attribute(name=name), type=Bool()):
                return self._stated(inner, f"is not {spoken(name)}")
            case Read(FaceUp()):
                return self._stated(inner, "is face down")
            case Read(Variable() as variable, (_, *_) as args, type=Bool()):
                return self._holds(variable, args, "is not")
            case Fold(FoldMode.SOME):
                words = self._fold(inner).words.removeprefix("some")
                return Worded(f"no{words}", Bind.NOT, is_open=True)
            case _:
                return super()._not(inner)

    # ---- numbers

    def _between(self, op: Op, args: tuple[Term, ...]) -> Worded:
        if op in ORDER:
            return self._ordered(ORDER[op], args)
        if op not in _BETWEEN:
            return super()._between(op, args)
        bind = _BINDS[op]
        left, right = self._at(args[0], bind), self._at(args[1], Bind(bind + 1))
        return Worded(f"{left} {_BETWEEN[op]} {right}", bind)

    def _ordered(self, how: str, args: tuple[Term, ...]) -> Worded:
        """How two numbers compare; of what can be counted, how much there is."""
        left, right = args
        counted = self._amount(left, how, right)
        if counted is not None:
            return Worded(counted, Bind.COMPARISON)
        first, second = self._at(left, Bind.PICK), self._at(right, Bind.PICK)
        return Worded(f"{first} {how} {second}", Bind.COMPARISON)

    def _amount(self, left: Term, how: str, right: Term) -> str | None:
        """How many there are of something; `None` if it is not called as several things are."""
        thing = self._several_of(left)
        if thing is not None and isinstance(right, Const) and type(right.value) is int:
            return thing.compared(how, right.value)
        if thing is not None:
            return thing.against(how, self._at(right, Bind.PICK))
        match left, right:
            case Apply(op, (Read(Contents(), (place,)),)), Const(int() as number) if op is COUNT:
                return lying(how, number, self._at(place, Bind.PICK)) if number else None
            case Apply(op, (of,)), Const(int() as number) if op is COUNT and self._still_in(of):
                return still_in(how, number)
            case _:
                return None

    def _several_of(self, term: Term) -> Thing | None:
        """What a number counts: "p's marks", or all that lies in "p's agents"."""
        match term:
            case Apply(op, (Read(Contents(), (place,)),)) if op is COUNT:
                thing = Thing.called(self._at(place, Bind.PICK))
            case Read(Variable()) | Apply(Function()) if isinstance(term.type, Int):
                thing = Thing.called(self._at(term, Bind.PICK))
            case _:
                return None
        return thing if thing.is_several else None

    # ---- what is what, and where

    def _compared(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """`is` and `in`: nothing is missing, `in` is lying there, being of a kind, or one of."""
        left, right = args
        is_ = "is not" if negated else "is"
        match left, right:
            case Apply(item, (Const(tuple() as values), place)), Const() if item is ITEM:
                if (seat := seat_of(place)) is not None and op is IS:
                    having = [seat_letter(n) for n, one in enumerate(values) if one == right.value]
                    words = f"{self._at(seat, Bind.PICK)} {is_} {listed(having, 'or') or 'nobody'}"
                    return Worded(words, Bind.COMPARISON)
            case _, Const(None | ()) if op is not IN:
                missing = self._missing(left, right, negated)
                if missing is not None:
                    return Worded(missing, Bind.COMPARISON)
            case _, _ if op is IS:
                counted = self._amount(left, is_, right)
                if counted is not None:
                    return Worded(counted, Bind.COMPARISON)
            case _:
                pass
        match left, right:
            case Read(KindOf()), _:
                return self._of_kind(op, args, negated=negated)
            case Read(PlaceOfToken(), (token,)), _:
                left, joint = token, f"{is_} in"
            case _, Const(tuple() as values, type=type_) if op in (IN, IS) and len(values) > 1:
                return self._one_of(left, values, type_, negated, one=op is IN)
            case _ if op is not IN:
                return super()._compared(op, args, negated=negated)
            case _, Read(Variable(name=name), (), type=SetOf(Player())) if name.endswith("ed"):
                if self._plainly_named(right):
                    words = f"{self._at(left, Bind.PICK)} {is_} {spoken(name)}"
                    return Worded(words, Bind.COMPARISON)
                joint = f"{is_} among"
            case _, Apply(made, (_, _)) if made is RANGE:
                words = f"{self._at(left, Bind.PICK)} {is_} from {self.text(right)}"
                return Worded(words, Bind.COMPARISON)
            case _, Apply(made, parts) if made is LIST and parts:
                members = listed([self._at(part, Bind.PICK) for part in parts], "or")
                return Worded(f"{self._at(left, Bind.PICK)} {is_} {members}", Bind.COMPARISON)
            case _, Bound() | Read(Contents()):
                joint = f"{is_} in"
            case _:
                joint = f"{is_} among"
        words = f"{self._at(left, Bind.PICK)} {joint} {self._at(right, Bind.PICK)}"
        return Worded(words, Bind.COMPARISON)

    def _missing(self, left: Term, right: Const, negated: bool) -> str | None:
        """That there is nothing, or something; `None` if that is best said with "empty"."""
        match left:
            case _ if self._still_in(left):
                return f"{'somebody' if negated else 'nobody'} is left"
            case Read(Variable(name=name), (), type=SetOf(Player())) if name.endswith("ed"):
                if self._plainly_named(left):
                    return f"{'somebody' if negated else 'nobody'} is {spoken(name)}"
            case Read(Variable() | Attribute() | Contents()) | Apply(Function() | Lookup()):
                thing = Thing.called(self._at(left, Bind.PICK))
                if right.value is None or thing.is_several:
                    return thing.present() if negated else thing.missing()
            case _:
                pass
        return None

    def _still_in(self, term: Term) -> bool:
        """Whether a term is the players who are still in."""
        return self.graph is not None and term == Read(self.graph.players)

    def _plainly_named(self, term: Term) -> bool:
        """Whether a variable is called by its own name."""
        return (
            isinstance(term, Read)
            and isinstance(term.source, Variable)
            and (self.name(term.source) == spoken(term.source.name))
        )

    def _of_kind(self, op: Op, args: tuple[Term, ...], *, negated: bool) -> Worded:
        """ "a is an agent"; kinds without a name together are listed."""
        found = super()._compared(op, args, negated=negated)
        token, joint, named = found.words.rpartition(" not in " if negated else " in ")
        if not joint or "," in named:
            return found
        word = "is not" if negated else "is"
        return Worded(f"{token} {word} {one_of_kind(named)}", Bind.COMPARISON)

    def _one_of(
        self, left: Term, values: tuple[Value, ...], type_: Type, negated: bool, *, one: bool
    ) -> Worded:
        """Being one of some values that are known, or, in a list, all of them."""
        words = PlainValues(self.graph).text(values, type_)
        several = isinstance(left, Apply) and left.op is LIST
        subject = self._at(left, Bind.PICK).replace(" and ", " with ") if several else ""
        word = "is not" if negated else "is"
        if one and " and " in words:
            words = " or ".join(words.rsplit(" and ", 1))
        elif one:
            word = f"{word} among"
        return Worded(f"{subject or self._at(left, Bind.PICK)} {word} {words}", Bind.COMPARISON)
