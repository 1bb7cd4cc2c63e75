"""What things are called in plain English: values, variables, places, somebody's things.

`hand[p]` is "p's hand", `suit_of(a)` "suit of a", `tree[p, 2]` "p's tree 2".
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from attrs import frozen

from compiler.graph.core import (
    AllTokens,
    Attribute,
    Bound,
    Choose,
    Const,
    Contents,
    FaceUp,
    FlagOf,
    Graph,
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Term,
    Variable,
)
from compiler.graph.naming import PlainValues, listed, spoken
from compiler.graph.notation import Bind, Notation, Worded
from compiler.graph.settled import settled, unchanging
from compiler.ops.row import Lookup
from compiler.types import Bool, Player, present

WINDOW: Final = {"passes": "passes in a row", "passed": "those who have passed"}
"""What a window counts, by the names that rules use."""


_DEEDS: Final = ("does", "is", "says", "shows")
"""Names of attributes that are no noun: what a card does."""

_BESIDE: Final = {"neighbours": "orthogonal neighbours", "around": "surrounding squares"}
"""What the tables of the squares beside a square are called."""


@frozen
class Calling(Notation):
    """Writes names for people."""

    @property
    def known(self) -> frozenset[Variable]:
        """The variables that never change, which need no words."""
        return frozenset() if self.graph is None else unchanging(self.graph)

    def operand(self, term: Term) -> str:
        """A term that other words follow: in brackets if it would swallow them."""
        return self._at(term, Bind.SUM)

    # ---- names

    def _const(self, term: Const) -> Worded:
        words = PlainValues(self.graph).text(term.value, term.type)
        return Worded(words, Bind.SUM if " " in words else Bind.POSTFIX)

    def _term(self, term: Term) -> Worded:
        known = settled(term, self.known)
        return Worded(spoken(known.name)) if isinstance(known, Bound) else super()._term(known)

    def _read(self, term: Read) -> Worded:
        match term.source:
            case Variable() as variable if isinstance(term.type, Bool) and term.args:
                return self._holds(variable, term.args)
            case Variable() as variable:
                return self._variable(variable, term.args)
            case Contents():
                return self._term(term.args[0])
            case AllTokens(token_class, kinds):
                return Worded(self._kinds(token_class, kinds))
            case FlagOf(name):
                return self._stated(term, f"is {spoken(name)}")
            case Attribute(name=name) if isinstance(term.type, Bool):
                return self._stated(term, f"is {spoken(name)}")
            case FaceUp():
                return self._stated(term, "is face up")
            case Attribute(name=name) if name in _DEEDS:
                return Worded(f"what {self._at(term.args[0], Bind.PICK)} {name}", Bind.PICK)
            case Attribute(name=name):
                return self._owned(spoken(name), term.args)
            case KindOf():
                return self._owned("kind", term.args)
            case PlaceOfToken():
                return self._owned("place", term.args)
            case HolderOf():
                return self._owned("holder", term.args)
            case PositionOf():
                return self._owned("position", term.args)
            case _:
                assert_never(term.source)

    def name(self, variable: Variable, args: tuple[Term, ...] = ()) -> str:
        """What a variable, or one of a family, is called."""
        return self._variable(variable, args).words

    def _variable(self, variable: Variable, args: tuple[Term, ...]) -> Worded:
        called = self.names.get(variable) or self._counted(variable) or spoken(variable.name)
        return self._owned(called, args) if args else Worded(called)

    def _holds(self, variable: Variable, args: tuple[Term, ...], is_: str = "is") -> Worded:
        """A yes or no that is somebody's: "q is redeemed", "it is p's first turn"."""
        name = spoken(variable.name)
        if name.endswith("ed") and len(args) == 1:
            return Worded(f"{self._at(args[0], Bind.PICK)} {is_} {name}", Bind.COMPARISON)
        return Worded(f"it {is_} {self._variable(variable, args).words}", Bind.COMPARISON)

    def _counted(self, variable: Variable) -> str:
        """What a window counts, in words."""
        if self.graph is None or variable.name not in WINDOW:
            return ""
        return WINDOW[variable.name] if variable in window_counts(self.graph) else ""

    def _kinds(self, token_class: str, kinds: tuple[int, ...] | None) -> str:
        return spoken(super()._kinds(token_class, kinds).strip("[]"))

    def _owned(self, name: str, of: tuple[Term, ...]) -> Worded:
        """Something of somebody: "p's hand", "suit of the top of deck"."""
        owner = self._term(of[0])
        simple = owner.bind is Bind.POSTFIX and len(owner.words.split()) <= 2
        whose = f"{owner.words}'s {name}" if simple else f"{name} of {owner.within(Bind.PICK)}"
        if len(of) > 1:
            return Worded(f"{whose} with {self._all(of[1:])}", Bind.PICK)
        return Worded(whose, Bind.POSTFIX if simple else Bind.PICK)

    def _dotted(self, of: Term, name: str) -> Worded:
        return self._owned(spoken(name), (of,))

    def _all(self, terms: Sequence[Term]) -> str:
        return listed([self._at(term, Bind.PICK) for term in terms])

    def _stated(self, of: Read, verb: str) -> Worded:
        return Worded(f"{self._at(of.args[0], Bind.PICK)} {verb}", Bind.COMPARISON)

    def _lookup(self, op: Lookup, args: tuple[Term, ...]) -> Worded:
        if op.symbol == "[]" and len(args) > 1 and isinstance(present(args[0].type), Player):
            family = self._owned(spoken(op.name), (args[0],)).words
            return Worded(f"{family} {', '.join(map(self.text, args[1:]))}", Bind.PICK)
        if op.symbol == "[]" and len(args) > 1:
            return Worded(f"{spoken(op.name)} {', '.join(map(self.text, args))}")
        if op.symbol in ("[]", "."):
            return self._owned(spoken(op.name), args)
        name, _, board = op.name.partition(" of ")
        where = f" on {spoken(board)}" if board else ""
        return Worded(
            f"{self._owned(_BESIDE.get(name, spoken(name)), args).words}{where}", Bind.PICK
        )


@lru_cache(maxsize=16)
def window_counts(graph: Graph) -> frozenset[Variable]:
    """The variables in which windows count passes: made where the window is written."""
    asked = {node.span for node in graph.nodes if isinstance(node.step, Choose)}
    return frozenset(
        local
        for phase in graph.phases
        for local in phase.locals
        if local.name in WINDOW and local.span is not None and local.span in asked
    )
