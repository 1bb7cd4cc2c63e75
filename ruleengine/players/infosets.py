"""Monte Carlo tree search for games with secrets: information-set search of a single observer.

After P. Cowling, E. Powley and D. Whitehouse (IEEE TCIAIG 4, 2012).  Every round imagines a world
from the player's view, and the tree is made of what he would see: a position is known by his view
of it, so worlds that look alike to him share what is learned.  An answer that is not legal in every
world counts only the rounds in which it was.  Others are taken to decide by what they hold in the
world at hand; what they know of it is what everybody knows that they know.
"""

from collections.abc import Hashable
from math import log, sqrt
from typing import Final, TypeAlias

from attrs import define, field

from compiler.graph.core import Choose, Shape, Value
from compiler.types import Type, has_tokens
from ruleengine.errors import RuleError
from ruleengine.knowledge.view import View
from ruleengine.players.mind import Allowance, Judge, Mind
from ruleengine.players.playouts import asked, asked_of
from ruleengine.players.protocol import Turn
from ruleengine.players.rewards import Rewards, ended
from ruleengine.players.standing import Standing
from ruleengine.players.tree import EXPLORATION
from ruleengine.rng import Stream
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Stop, Terminal
from ruleengine.table import UNRESOLVED, Table

_DEEPEST: Final = 200
"""Decisions that a round goes down in the tree: views may come back, so it could go round."""

_Key: TypeAlias = Hashable


@define(eq=False)
class _Edge:
    """An answer at an information set: rounds in which it was taken and legal, what came of it."""

    visits: int = 0
    offered: int = 0
    total: float = 0.0


_Edges: TypeAlias = dict[_Key, _Edge]


@define(eq=False)
class InformationSets:
    """Thinks ahead in a tree of what he would see."""

    allowance: Allowance
    stream: Stream
    cut: int | None = None
    standing: Standing | None = None
    exploration: float = EXPLORATION
    each: int = 1

    def pick(self, turn: Turn) -> int:
        """The rank of the answer he gives, from 0."""
        if len(turn.choices) == 1:
            return 0
        search = _Search(self, Mind.of(turn.game), turn)
        goes_on, done = self.allowance.begin(), 0
        while goes_on(done):
            search.round()
            done += 1
        return search.best


@define(eq=False)
class _Search:
    """One decision being thought about."""

    player: InformationSets
    mind: Mind
    turn: Turn
    judge: Judge = field(init=False)
    _view: View = field(init=False)
    _tree: dict[View, _Edges] = field(factory=dict, init=False)
    _ranks: dict[_Key, int] = field(factory=dict, init=False)  # of the answers asked for

    def __attrs_post_init__(self) -> None:
        self.judge = Judge(self.mind, self.player.cut, self.player.standing, self.player.each)
        self._view = self.turn.view

    @property
    def best(self) -> int:
        """The answer taken most often; of equals the one that did better, then the first."""
        edges = self._tree[self._view]
        ranked = [(edge.visits, edge.total, -self._ranks[key]) for key, edge in edges.items()]
        return -max(ranked)[2]

    def round(self) -> None:
        """One world, a way down the tree, a playout, and what is learned from it."""
        source = self.player.stream
        path: list[tuple[_Edge, int]] = []
        try:
            table, stop = self.mind.world(self._view, source)
            worth = self._down(table, stop, path)
        except RuleError:
            worth = ended(None, self.mind.game.seats)
        for edge, seat in path:
            edge.visits += 1
            edge.total += worth[seat]

    def _down(self, table: Table, stop: Stop, path: list[tuple[_Edge, int]]) -> Rewards:
        machine, game = self.mind.game.interpreter, self.mind.game
        while not (isinstance(stop, Terminal) or len(path) == _DEEPEST):
            if isinstance(stop, ChanceStop):
                odds = stop.outcomes
                outcome = odds.drawn(self.player.stream.below(odds.total))
                machine.draw(table, outcome, game.knowledge)
            else:
                choice, edge, fresh = self._picked(table, stop, first=not path)
                path.append((edge, choice.seat))
                if fresh:  # nobody looks at what comes then: playouts begin right behind it
                    machine.choose(table, choice)
                    return self.judge.worth(table, None, self.player.stream)
                machine.choose(table, choice, game.knowledge)
            stop = machine.advance(table, game.knowledge)
        return self.judge.worth(table, stop, self.player.stream)

    def _picked(
        self, table: Table, stop: Decision | JointDecision, *, first: bool
    ) -> tuple[Choice, _Edge, bool]:
        """The answer to try, and whether it was never tried where the player sees just this."""
        if first:
            view, choices = self._view, asked_of(stop, self.turn.seat)
        else:
            view = self.mind.game.hearing.viewer.view(table, self.turn.seat)
            _, choices = asked(stop)
        edges = self._tree.setdefault(view, {})
        keys = [self._key(table, choice) for choice in choices]
        if first and not self._ranks:
            self._ranks = {key: choice.index for key, choice in zip(keys, choices, strict=True)}
        untried = []
        for at, key in enumerate(keys):
            edge = edges.setdefault(key, _Edge())
            edge.offered += 1
            if not edge.visits:
                untried.append(at)
        if untried:
            at = untried[self.player.stream.below(len(untried))]
            return choices[at], edges[keys[at]], True
        at = max(range(len(keys)), key=lambda at: self._promise(edges[keys[at]]))
        return choices[at], edges[keys[at]], False

    def _promise(self, edge: _Edge) -> float:
        explored = self.player.exploration * sqrt(log(edge.offered) / edge.visits)
        return edge.total / edge.visits + explored

    # ---- answers of different worlds

    def _key(self, table: Table, choice: Choice) -> _Key:
        """What an answer is in whatever world: tokens by what the chooser calls them."""
        if choice.option is None:
            return None
        step = self.mind.game.graph.nodes[choice.node].step
        assert isinstance(step, Choose)
        slots = step.options[choice.option].slots
        named = tuple(
            self._named(table, slot.local.type, value, choice.seat)
            for slot, value in zip(slots, choice.values, strict=True)
        )
        return choice.option, named

    def _named(self, table: Table, type_: Type, value: Value, seat: int) -> _Key:
        if value is None or not has_tokens(type_):
            return value
        if isinstance(value, tuple):
            return tuple(self._token(table, token, seat) for token in value)
        return self._token(table, value, seat)

    def _token(self, table: Table, token: Value, seat: int) -> _Key:
        """Where a token lies, and its face if the chooser sees it."""
        assert isinstance(token, int)
        statics, sight = self.mind.game.interpreter.statics, self.mind.game.interpreter.sight
        place = table.place[token]
        in_set = statics.graph.places[place].shape is Shape.SET
        spot = -1 if in_set else table.cells[place].index(token)
        seen = table.kind[token] != UNRESOLVED and sight.sees(table, token) >> seat & 1
        return (
            place,
            spot,
            statics.sort(table, token) if seen else None,
            statics.open_flags(table, token),
        )
