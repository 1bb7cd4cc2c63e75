"""Steps in plain English, as one tells somebody what to do: "Add 1 to passes"."""

from collections.abc import Callable
from typing import Final, assert_never

from attrs import frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Blind,
    Branch,
    Call,
    Case,
    Chance,
    Choose,
    Cond,
    Const,
    Contents,
    Distribution,
    End,
    Ending,
    FaceTarget,
    FlagTarget,
    Flow,
    Function,
    Graph,
    Guard,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Pick,
    Read,
    Return,
    Roll,
    Shuffle,
    Step,
    Target,
    Term,
    Variable,
)
from compiler.graph.naming import listed, player_called, spoken
from compiler.graph.settled import settled
from compiler.graph.words import PlainWords
from compiler.ops.lists import AS_SET, LIST, MAX, MIN, MINUS, UNION
from compiler.ops.numbers import ADD, NOT, SUBTRACT
from compiler.ops.row import Op
from compiler.types import Int, ListOf, Player, SetOf, present

_ADDS: Final[tuple[Op | Function, ...]] = (ADD, UNION)
_TAKES: Final[tuple[Op | Function, ...]] = (SUBTRACT, MINUS)


@frozen
class Sentences:
    """Tells the steps of one graph; `title` is what a phase is called."""

    graph: Graph
    title: Callable[[str], str] = spoken

    @property
    def words(self) -> PlainWords:
        """Terms in plain English."""
        return PlainWords(self.graph)

    def step(self, step: Step) -> str:
        """One step, with a capital letter and no full stop."""
        match step:
            case Assign(target, args, value):
                return self._assign(target, args, value)
            case Move():
                return self._move(step)
            case Branch(test):
                return f"{capital(self.words.text(test))}?"
            case Choose(actor, optional=optional):
                return f"{self.words.text(actor)} {'may choose' if optional else 'chooses'}"
            case Chance(distribution):
                return self._chance(distribution)
            case Flow(way):
                return self._flow(way)
            case _:
                assert_never(step)

    # ---- rules

    def guard(self, guard: Guard, holding: Callable[[Term], str] | None = None) -> str:
        """When an option is open: "if r is jack"; `holding` writes what has to hold."""
        said = self.words.text if holding is None else holding
        match guard.holds:
            case Apply(op, (refused,)) if guard.negated and op is NOT:
                return f"unless {said(refused)}"
            case holds:
                return f"if {said(holds)}"

    def case(self, case: Case, first: bool = True) -> str:
        """One case of a function: "13 if r is king"; the last of several "else 0"."""
        value = self.words.text(case.value)
        if isinstance(case.value, Const) and isinstance(case.value.value, bool):
            alone = case.when is None and first
            agreed = ("never", "always") if alone else ("no", "yes")
            value = agreed[case.value.value]
        if case.when is not None:
            return f"{value} if {self.words.text(case.when)}"
        return value if first else f"else {value}"

    # ---- changes

    def _assign(self, target: Target, args: tuple[Term, ...], value: Term) -> str:
        match target:
            case Variable():
                return self._gives(target, args, value)
            case FaceTarget():
                return self._done("Turn", args[0], self._face(value))
            case FlagTarget(name):
                return self._mark(spoken(name), args[0], value)
            case KnownTarget():
                everybody = isinstance(value, Const) and value.value is None
                whom = "everybody" if everybody else self.words.text(value)
                return self._done("Show", args[0], f"to {whom}")
            case _:
                assert_never(target)

    def _gives(self, variable: Variable, args: tuple[Term, ...], value: Term) -> str:
        """A variable and its new value; what is added or taken away is said so."""
        old = Read(variable, args)
        value = _unclamped(variable, value)
        name = self.words.name(variable, args)
        match value:
            case Apply(op, (first, part)) if first == old and op in _ADDS:
                return self._more(part, name)
            case Apply(op, (first, part)) if first == old and op in _TAKES:
                if variable is self.graph.players:
                    return f"Out of the game: {self.words.text(part)}"
                return f"Take {self.words.operand(part)} from {name}"
            case Apply(_, (Apply(op, (first, _)) as inner,)) if (
                op in (*_ADDS, *_TAKES) and first == old
            ):
                return self._gives(variable, args, inner)
            case _:
                said = self.words.text(value)
                if said == name:
                    return f"What follows is about {name}"
                if isinstance(present(variable.type), Player) and not args:
                    return f"{capital(name)} is now {said}"
                return f"Set {name} to {said}"

    def _more(self, part: Term, name: str) -> str:
        """What is added to something, and when if not always."""
        words = self.words
        match settled(part):
            case Const(0):
                return f"Nothing is added to {name}"
            case Cond(test, then, Const(0)):
                return f"Add {words.operand(then)} to {name} if {words.text(test)}"
            case Cond(test, Const(0), otherwise):
                return f"Add {words.operand(otherwise)} to {name} unless {words.text(test)}"
            case _:
                return f"Add {words.operand(part)} to {name}"

    def _mark(self, flag: str, tokens: Term, value: Term) -> str:
        if not isinstance(value, Const):
            return self._done("Mark", tokens, f"as {flag} if {self.words.text(value)}")
        if value.value:
            return self._done("Mark", tokens, f"as {flag}")
        return f"No longer {flag}: {self.tokens(tokens)}"

    def _face(self, value: Term) -> str:
        if isinstance(value, Const):
            return "face up" if value.value else "face down"
        return f"face up if {self.words.text(value)}, else face down"

    def tokens(self, term: Term) -> str:
        """Tokens that something is done with."""
        match term:
            case Read(Contents(), (place,)):
                return f"all of {self.words.text(place)}"
            case Read(AllTokens()):
                return f"every {self.words.text(term)}"
            case _:
                return self.words.text(term)

    def _move(self, step: Move) -> str:
        parts = [f"to {self.words.text(step.place)}"]
        if step.face_up is not None:
            parts.append("face up" if step.face_up else "face down")
        if step.at_bottom:
            parts.append("at the bottom")
        return self._done("Move", step.tokens, ", ".join(parts))

    def _done(self, verb: str, tokens: Term, how: str) -> str:
        """What is done with tokens: "Turn x face down"; what has a condition comes last."""
        what = self.tokens(tokens)
        if self.words.takes_in(tokens):
            return f"{verb} {how}: {what}"
        return f"{verb} {what} {how}"

    # ---- chance, ways on

    def _chance(self, distribution: Distribution) -> str:
        match distribution:
            case Roll(dice):
                return f"Roll {listed([self.words.text(Read(die, keys)) for die, keys, _ in dice])}"
            case Shuffle(place):
                return f"Shuffle {self.words.text(place)}"
            case Pick(variable, args, domain, where, bound):
                kept = self.words.text(Read(variable, args))
                name = f"{spoken(bound.name)} in " if bound is not None and where else ""
                only = "" if where is None else f" where {self.words.text(where)}"
                return f"Pick {kept} at random: {name}{self.words.domain(domain)}{only}"
            case Blind(variable, args, actor):
                kept = self.words.text(Read(variable, args))
                are = "are" if isinstance(present(variable.type), ListOf | SetOf) else "is"
                return f"Chance says which {kept} {are}, as {self.words.text(actor)} cannot tell"
            case _:
                assert_never(distribution)

    def _flow(self, way: Call | Jump | Return | Leave | End) -> str:
        match way:
            case Call(phase):
                return self.title(phase)
            case Jump(phase):
                return f"Go on as {self.title(phase)}"
            case Return():
                return "Back"
            case Leave(phase):
                return f"Leave {self.title(phase)}"
            case End(ending, value):
                return self.outcome(ending, value)
            case _:
                assert_never(way)

    def _some_may_leave(self) -> bool:
        """Whether players can be out before the game is over."""
        steps = (node.step for node in self.graph.nodes)
        return any(isinstance(s, Assign) and s.target == self.graph.players for s in steps)

    def outcome(self, ending: Ending, value: Term | None) -> str:
        """How the game ends."""
        if value is None:
            return "Draw"
        if value == Read(self.graph.players):
            who = "all who are still in" if self._some_may_leave() else "everybody"
            return f"{ending.value.capitalize()}: {who}"
        said = self.words.text(value)
        if ending is Ending.SCORES:
            return f"Highest score wins, ties share: {said}"
        if ending is Ending.WINNERS and (name := self._one_player(value)):
            return f"{'' if name.startswith('player ') else 'the '}{name} wins".capitalize()
        return f"{ending.value.capitalize()}: {said}"

    def _one_player(self, value: Term) -> str:
        """What the only winner is called; nothing if there may be others."""
        match value:
            case Apply(op, (inner,)) if op in (AS_SET, LIST):
                return self._one_player(inner)
            case Read(Variable(name, type=Player()), ()):
                return player_called(spoken(name))
            case _:
                return ""


def _unclamped(variable: Variable, value: Term) -> Term:
    """A value without the care that it stays in its variable's range, which is no rule."""
    match value, present(variable.type):
        case Apply(op, (Apply(made, (inner, Const(bound))),)), Int(low, high) if made is LIST:
            if (op is MAX and bound == low) or (op is MIN and bound == high):
                return _unclamped(variable, inner)
        case Apply(op, (Apply(made, (Const(bound), inner)),)), Int(low, high) if made is LIST:
            if (op is MAX and bound == low) or (op is MIN and bound == high):
                return _unclamped(variable, inner)
        case _:
            pass
    return value


def capital(text: str) -> str:
    """A text as the beginning of a sentence; a single letter is a name and stays as it is."""
    first = text.split(" ", 1)[0].removesuffix("'s")
    return text[:1].upper() + text[1:] if len(first) > 1 else text
