"""What moves, flips and shuffles can do to places, and where the tokens in variables can lie.

Each phase is followed from its first node: what a local refers to lies where it was taken from, or
where a move since then may have put it.  Calls and triggers in between may move it as any step in
them does.  Parameters come from every call; the game's variables mean their tokens wherever these
go.  Masks are those of `where`.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field, frozen

from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Call,
    Chance,
    Choose,
    FaceTarget,
    FlagTarget,
    Flow,
    Graph,
    Move,
    Node,
    Phase,
    Pick,
    Read,
    Shuffle,
    Term,
    Variable,
)
from compiler.graph.frames import Frames
from compiler.graph.walk import terms_of, variable_reads
from compiler.graph.where import Where, innermost, is_bound, numbers, union
from compiler.ops.lists import JUST
from compiler.types import PlaceOf, Square, Token


@frozen
class Path:
    """A move, as masks of the places it can lead from and to; `single` moves one token at most."""

    source: int
    target: int
    face_up: bool | None
    single: bool


@define
class Whereabouts:
    """What the steps of a graph do, by node; made by `find`.

    `paths`: the moves.  `turned`: the places of the tokens whose face or flag is set.  `shuffled`:
    the places that a shuffle can meet.  `held`: where the tokens of a variable may lie while it
    means them, or the places it may name.
    """

    graph: Graph
    paths: dict[int, Path] = field(factory=dict)
    turned: dict[int, int] = field(factory=dict)
    shuffled: dict[int, int] = field(factory=dict)
    held: dict[Variable, int] = field(factory=dict)
    _before: dict[int, dict[Variable, int]] = field(factory=dict)
    _given: dict[Variable, int] = field(factory=dict)  # the game's variables, and parameters
    _within: dict[str, tuple[int, ...]] = field(factory=dict)  # phase -> moves while it runs
    _runners: dict[str, list[int]] = field(factory=dict)  # phase -> nodes that have it run
    _readers: dict[Variable, list[int]] = field(factory=dict)  # of the game's variables: nodes
    _stale: set[int] = field(factory=set)  # reached nodes that may have something new to say
    _tokens: dict[Variable, bool] = field(factory=dict)  # those followed: do they mean tokens?
    _led: dict[tuple[str, int], int] = field(factory=dict)  # by phase and mask, with today's paths

    @classmethod
    def find(cls, graph: Graph) -> "Whereabouts":
        """That of a graph."""
        found = cls(graph)
        locals_ = [v for phase in graph.phases for v in (*phase.params, *phase.locals)]
        for variable in (*graph.variables, *locals_):
            if _followed(variable):
                found._tokens[variable] = _means_tokens(variable)
        found._index()
        for variable in (*graph.variables, *(p for phase in graph.phases for p in phase.params)):
            if variable in found._tokens:
                found._given[variable] = _first_places(variable)
        for phase in graph.phases:
            found._enter(phase)
        while found._stale:
            found._round()
        for state in (*found._before.values(), found._given):
            for variable, mask in state.items():
                found.held[variable] = found.held.get(variable, 0) | mask
        return found

    def _index(self) -> None:
        """Which nodes are to be looked at again when something is found elsewhere."""
        graph = self.graph
        frames = Frames.of(graph)
        moves = [node for node in graph.nodes if isinstance(node.step, Move)]
        for phase in graph.phases:
            inside = frozenset(frames.reach(phase.name))
            self._within[phase.name] = tuple(n.id for n in moves if n.phase in inside)
            self._runners[phase.name] = []
        for node in graph.nodes:
            for name in self._run_by(node):
                self._runners[name].append(node.id)
        self._readers = {variable: [] for variable in graph.variables if variable in self._tokens}
        for node in graph.nodes if self._readers else ():
            for variable, _ in variable_reads(*terms_of(node.step)):
                if variable in self._readers:
                    self._readers[variable].append(node.id)

    def _round(self) -> None:
        """Once through the nodes that have something new to say, in their order."""
        for node in self.graph.nodes:
            if node.id in self._stale:
                self._stale.remove(node.id)
                self._pass(node)
        for variable, mask in self._given.items():
            if variable.phase is None and self._tokens[variable]:
                self._give(variable, self._carried(mask, self.paths))

    def _enter(self, phase: Phase) -> None:
        """Locals begin with nothing, parameters with what calls give them."""
        entering = {
            v: self._given.get(v, 0) for v in (*phase.params, *phase.locals) if v in self._tokens
        }
        self._reach(phase.entry, entering)
        if self.graph.nodes[self.graph.start].phase == phase.name:
            self._reach(self.graph.start, entering)

    def _give(self, variable: Variable, mask: int) -> None:
        """Adds to what a variable of the game, or a parameter, may mean anywhere."""
        known = self._given[variable]
        if known | mask != known:
            self._given[variable] = known | mask
            if variable.phase is None:
                self._look_again(self._readers[variable])
            else:
                self._enter(self.graph.phase(variable.phase))

    def _look_again(self, nodes: Iterable[int]) -> None:
        self._stale.update(node for node in nodes if node in self._before)

    def _carried(self, mask: int, moves: Iterable[int]) -> int:
        """A mask, and where moves can bring tokens from there."""
        paths = [self.paths[node] for node in moves if node in self.paths]
        before = 0
        while before != mask:
            before = mask
            for path in paths:
                if mask & path.source:
                    mask |= path.target
        return mask

    def _reach(self, node: int, state: Mapping[Variable, int]) -> None:
        before = self._before.get(node)
        if before is None:
            before = self._before[node] = {}
            self._stale.add(node)
        for variable, mask in state.items():
            known = before.get(variable)
            if known is None or known | mask != known:
                before[variable] = (known or 0) | mask
                self._stale.add(node)

    # ---- one node

    def _pass(self, node: Node) -> None:
        """Carries what is known before a node to the nodes after it."""
        state = dict(self._before[node.id])
        where = Where(self.graph, {**self._given, **state})
        match node.step:
            case Assign(Variable() as variable, _, value):
                self._assign(node, state, variable, _meant(where, variable, value))
            case Assign(FaceTarget() | FlagTarget(), (tokens,), _):
                self._add(self.turned, node, where.tokens(tokens))
            case Move():
                self._move(node, node.step, where, state)
            case Branch(test):
                self._branch(node, test, where, state)
                return
            case Choose():
                self._choose(node, node.step, where, state)
                return
            case Chance(Shuffle(place)):
                self._add(self.shuffled, node, where.places(place))
            case Chance(Pick(variable, _, domain)):
                self._assign(node, state, variable, _meant(where, variable, domain.members))
            case _:
                pass
        for phase in self._run_by(node):
            self._run(state, phase)
        for following in node.next:
            self._reach(following, state)

    def _add(self, masks: dict[int, int], node: Node, mask: int) -> None:
        masks[node.id] = masks.get(node.id, 0) | mask

    def _assign(
        self, node: Node, state: dict[Variable, int], variable: Variable, mask: int
    ) -> None:
        if variable not in self._tokens:
            return
        if variable in self._given:
            self._give(variable, mask)
        if variable.phase == node.phase:
            state[variable] = state.get(variable, 0) | mask if variable.keys else mask

    def _move(self, node: Node, step: Move, where: Where, state: dict[Variable, int]) -> None:
        source, target = where.tokens(step.tokens), where.places(step.place)
        known = self.paths.get(node.id)
        if known is not None:
            source, target = source | known.source, target | known.target
        path = Path(source, target, step.face_up, _is_single(step.tokens))
        if path != known:
            self.paths[node.id] = path
            self._led.clear()
            for phase, moves in self._within.items():
                if node.id in moves:
                    self._look_again(self._runners[phase])
        whole = _variable_of(step.tokens)
        for variable, mask in state.items():
            if mask & source and self._tokens[variable]:
                state[variable] = target if variable is whole else mask | target

    def _branch(self, node: Node, test: Term, where: Where, state: dict[Variable, int]) -> None:
        """Where a token lies is known behind a test that asks for it."""
        for following, holds in zip(node.next, (True, False), strict=True):
            narrowed = {
                variable: mask & where.limit(test, holds, _is_variable(variable))
                if isinstance(variable.type, Token) or not variable.keys
                else mask
                for variable, mask in state.items()
            }
            self._reach(following, narrowed)

    def _choose(self, node: Node, step: Choose, where: Where, state: dict[Variable, int]) -> None:
        for position, following in enumerate(node.next):
            after = dict(state)
            taken = step.options[position : position + 1] if not step.joint else step.options
            for option in taken:
                bound: dict[int, tuple[int, int]] = {}
                for slot in option.slots:
                    places, tokens = where.both(slot.domain.members, bound)
                    index = slot.bound.index
                    bound[index] = (places, tokens)
                    if slot.where is not None:
                        tokens &= where.limit(slot.where, True, is_bound(index), bound)
                        bound[index] = (places, tokens)
                    is_token = isinstance(innermost(slot.local.type), Token)
                    self._assign(node, after, slot.local, tokens if is_token else places)
            self._reach(following, after)

    def _run_by(self, node: Node) -> tuple[str, ...]:
        """The phases that run before the next node: one that is called, those of triggers."""
        match node.step:
            case Flow(Call(phase)):
                return (phase,)
            case Assign() | Move() | Chance():
                return tuple(trigger.phase for trigger in self.graph.triggers)
            case _:
                return ()

    def _run(self, state: dict[Variable, int], phase: str) -> None:
        """What locals mean after another phase has run."""
        for variable, mask in state.items():
            if mask and self._tokens[variable]:
                led = self._led.get((phase, mask))
                if led is None:
                    led = self._led[phase, mask] = self._carried(mask, self._within[phase])
                state[variable] = led


def _followed(variable: Variable) -> bool:
    return isinstance(innermost(variable.type), Token | PlaceOf | Square)


def _means_tokens(variable: Variable) -> bool:
    return isinstance(innermost(variable.type), Token)


def _first_places(variable: Variable) -> int:
    if _means_tokens(variable):
        return 0
    return union(1 << index for index in numbers(variable.initial))


def _meant(where: Where, variable: Variable, value: Term) -> int:
    if not _followed(variable):
        return 0
    if _means_tokens(variable):
        return where.tokens(value)
    return where.places(value)


def _is_single(tokens: Term) -> bool:
    return isinstance(tokens, Apply) and tokens.op is JUST


def _variable_of(tokens: Term) -> Variable | None:
    """The variable whose tokens, all of them, a term gives."""
    match tokens:
        case Read(Variable() as variable, ()):
            return variable
        case Apply(op, (Read(Variable() as variable, ()),)) if op is JUST:
            return variable
        case _:
            return None


def _is_variable(variable: Variable) -> Callable[[Term], bool]:
    return lambda term: isinstance(term, Read) and term.source is variable
