"""Steps that go on to the next one by themselves, without a way back to the loop that runs them.

A step that gives a node whose number is known calls that node's step in place of giving it, as
long as more steps may be taken at once; so steps are counted, and may still be taken one by one.
Ways that lead back are left to the loop, so that no step comes to call itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.lir.core import (
    Block,
    Call,
    Expr,
    Function,
    If,
    Load,
    Local,
    Loop,
    Number,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
)
from compiler.lir.stepwise.code import less, plus, put_word, word
from compiler.lir.walk import operands, statements, terms

_SPARE: Final = Local("spare")


@frozen
class Kept:
    """Where steps keep what is asked for beside the table."""

    spare: int  # how many steps more may be taken at once
    node: int  # at which node the table stands
    fresh: frozenset[int]  # what each step writes at first, for itself alone


def chained(functions: Iterable[Function], kept: Kept) -> tuple[Function, ...]:
    """Functions among which each step `n0`, `n1` and so on goes on by itself.

    A step in which somebody asks for its node writes it.  What a step writes at first is left out
    where nothing in it looks there.
    """
    known = {function.name: function for function in functions}
    steps = {int(name[1:]): name for name in known if name[0] == "n" and name[1:].isdigit()}
    bodies = {number: known[name].body for number, name in steps.items()}
    looks = _Looks(kept)
    for name, function in known.items():
        looks.take(name, function.body)
    forward = _forward({number: tuple(_given(body)) for number, body in bodies.items()})
    for number, name in steps.items():
        asked = looks.asked(name)
        first = looks.first(bodies[number])
        begin = tuple(stmt for stmt in first if stmt.base in asked)
        if kept.node in asked:
            begin = (*begin, put_word(kept.node, number))
        rest = _Chain(forward[number], kept.spare).block(bodies[number][len(first) :])
        known[name] = evolve(known[name], body=(*begin, *rest))
    return tuple(known.values())


# ---- what is looked at


@define
class _Looks:
    """Which of some addresses functions read or write, or those that they call."""

    kept: Kept
    _own: dict[str, set[int]] = field(factory=dict)
    _calls: dict[str, set[str]] = field(factory=dict)
    _found: dict[str, frozenset[int]] = field(factory=dict)

    def first(self, body: Block) -> tuple[Store, ...]:
        """What a step writes at first, for itself."""
        found = []
        for stmt in body:
            if not isinstance(stmt, Store) or stmt.address is not None:
                break
            if stmt.base not in self.kept.fresh:
                break
            found.append(stmt)
        return tuple(found)

    def take(self, name: str, body: Block) -> None:
        """Learns a function."""
        wanted = {*self.kept.fresh, self.kept.node}
        own, calls = self._own[name], self._calls[name] = set[int](), set[str]()
        for stmt in statements(body[len(self.first(body)) :]):
            if isinstance(stmt, Store) and stmt.address is None and stmt.base in wanted:
                own.add(stmt.base)
            waiting = list(terms(stmt))
            while waiting:
                part = waiting.pop()
                if isinstance(part, Load) and part.address is None:
                    own |= wanted & {part.base}
                elif not isinstance(part, Local | Number):
                    if isinstance(part, Call):
                        calls.add(part.function)
                    waiting += operands(part)

    def asked(self, name: str) -> frozenset[int]:
        """What a function looks at."""
        if name not in self._found:
            deeper = (self.asked(called) for called in sorted(self._calls.get(name, ())))
            self._found[name] = frozenset(self._own.get(name, ())).union(*deeper)
        return self._found[name]


# ---- where steps lead


def _given(body: Block) -> Iterator[int]:
    """The nodes that a step gives, as far as their numbers are known."""
    for stmt in statements(body):
        if isinstance(stmt, Return) and stmt.value is not None:
            yield from _known(stmt.value)


def _known(value: Expr) -> Iterator[int]:
    match value:
        case Number(number) if number >= 0:
            yield number
        case Select(_, then, otherwise):
            yield from _known(then)
            yield from _known(otherwise)
        case _:
            pass


def _forward(ways: Mapping[int, tuple[int, ...]]) -> dict[int, frozenset[int]]:
    """Of each node the ways on that come back to no node before it."""
    found: dict[int, set[int]] = {number: set() for number in ways}
    done: set[int] = set()
    for root in ways:
        if root in done:
            continue
        path = [(root, iter(ways[root]))]
        open_ = {root}
        while path:
            number, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                open_.discard(number)
                done.add(number)
            elif following not in open_:
                found[number].add(following)
                if following not in done:
                    open_.add(following)
                    path.append((following, iter(ways[following])))
    return {number: frozenset(onward) for number, onward in found.items()}


@frozen
class _Chain:
    """Rewrites a step."""

    forward: frozenset[int]
    spare: int

    def block(self, block: Block) -> Block:
        """Statements of which those that give a node go on there."""
        return tuple(inner for stmt in block for inner in self._stmt(stmt))

    def _stmt(self, stmt: Stmt) -> Block:
        match stmt:
            case Return(Number(number)) if number in self.forward:
                return self._on(number)
            case Return(Select(test, then, otherwise)):
                yes, no = self._stmt(Return(then)), self._stmt(Return(otherwise))
                return (If(test, yes, no),)
            case If(test, then, otherwise):
                return (If(test, self.block(then), self.block(otherwise)),)
            case Loop(name, body):
                return (Loop(name, self.block(body)),)
            case Switch(number, cases, otherwise):
                return (Switch(number, tuple(map(self.block, cases)), self.block(otherwise)),)
            case _:
                return (stmt,)

    def _on(self, number: int) -> Block:
        return (
            Set(_SPARE, word(self.spare)),
            If(less(_SPARE, 1), (Return(Number(number)),)),
            put_word(self.spare, plus(_SPARE, -1)),
            Return(Call(f"n{number}", ())),
        )
