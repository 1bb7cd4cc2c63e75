"""Which variables may still be read: what a state must remember at each node.

A *slot* is a variable, or one member of a family.  A slot is live at a node when some way on from
there reads it before it is given a value.  Dead slots are zero in the canonical state, so that
positions that differ only in what nobody will ask for are one.

Giving a value at keys that are known before play ends the life of that one slot; at other keys it
ends none.  The game's variables are followed through calls, jumps, returns, leaves and triggers,
without asking who called; locals are followed within their phase, and what a caller still needs of
its own is said per call.
"""

from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from compiler.graph.core import (
    Apply,
    Assign,
    Call,
    Chance,
    Choose,
    Const,
    End,
    Ending,
    Flow,
    Function,
    Graph,
    Jump,
    Leave,
    Move,
    Node,
    Read,
    Return,
    Step,
    Term,
    Variable,
)
from compiler.graph.walk import function_terms, subterms, terms_of, written_slots


@frozen
class Slots:
    """Numbers the slots of a graph: bit `first[variable] + member` of a mask."""

    variables: tuple[Variable, ...]
    first: dict[Variable, int]
    _of_functions: dict[Function, int] = field(factory=dict, init=False, eq=False, repr=False)

    @classmethod
    def of(cls, graph: Graph) -> "Slots":
        """The game's variables in order, then the locals phase by phase."""
        local = [v for phase in graph.phases for v in (*phase.params, *phase.locals)]
        variables = tuple(dict.fromkeys((*graph.variables, graph.players, graph.ended, *local)))
        first: dict[Variable, int] = {}
        total = 0
        for variable in variables:
            first[variable] = total
            total += variable.size
        return cls(variables, first)

    def mask(self, variable: Variable) -> int:
        """All slots of a variable."""
        return ((1 << variable.size) - 1) << self.first[variable]

    def member(self, variable: Variable, args: tuple[Term, ...]) -> int | None:
        """The one slot at these keys, or `None` where they are not known before play."""
        index = 0
        for keys, arg in zip(variable.keys, args, strict=False):
            if not isinstance(arg, Const) or arg.value not in keys:
                return None
            index = index * len(keys) + keys.index(arg.value)
        if len(args) != len(variable.keys):
            return None
        return 1 << self.first[variable] + index

    def read(self, *terms: Term) -> int:
        """The slots that terms may read."""
        found = 0
        for term in terms:
            for part in subterms(term):
                match part:
                    case Read(Variable() as variable, args):
                        member = self.member(variable, args)
                        found |= self.mask(variable) if member is None else member
                    case Apply(Function() as function):
                        found |= self._read_by(function)
                    case _:
                        pass
        return found

    def _read_by(self, function: Function) -> int:
        """The slots that a function may read, found once."""
        found = self._of_functions.get(function)
        if found is None:
            found = self._of_functions[function] = self.read(*function_terms(function))
        return found

    def given(self, step: Step) -> int:
        """The slots that a step gives a value whatever happens."""
        found = 0
        if not isinstance(step, Choose):
            for variable, args in written_slots(step):
                found |= self.member(variable, args) or 0
        return found

    def named(self, mask: int) -> tuple[Variable, ...]:
        """The variables with a slot in a mask, in order."""
        return tuple(variable for variable in self.variables if mask & self.mask(variable))


@frozen
class Liveness:
    """The answer: masks over `slots`.

    `at[node]` is live while control rests at a node, before its step; `after[call]` are the locals
    of the calling phase that are live when the call returns.
    """

    slots: Slots
    at: tuple[int, ...]
    after: dict[int, int]

    def variables(self, node: int) -> tuple[Variable, ...]:
        """The variables of which something is live at a node."""
        return self.slots.named(self.at[node])

    def now(self, node: int, stack: Sequence[int], in_trigger: bool) -> tuple[int, int]:
        """What is live in a situation: outside triggers, and inside the one that runs.

        A stack entry is a call node, or -1 - n for a trigger that will resume at node n.
        """
        live = self.at[node]
        inside = 0
        for entry in reversed(stack):
            if entry < 0:
                live, inside = self.at[-1 - entry], live
            else:
                live |= self.after[entry]
        return (0, live) if in_trigger and not inside else (live, inside)


def liveness(graph: Graph, watched: Iterable[Term] = ()) -> Liveness:
    """Which slots are live at each node of a graph; `watched` terms are read at every node."""
    return _Flow.of(graph, tuple(watched)).solve()


@define
class _Flow:
    """Masks that grow until nothing changes."""

    graph: Graph
    slots: Slots
    game: int
    own: dict[str, int]  # phase -> its locals
    always: int
    returns: dict[str, list[int]]  # phase -> the nodes where control goes on after it
    live: list[int] = field(init=False)
    reads: list[int] = field(init=False)  # what each node's own step reads and gives, found once
    gives: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.live = [0] * len(self.graph.nodes)
        self.reads = [self._reads(node.step) for node in self.graph.nodes]
        self.gives = [self.slots.given(node.step) for node in self.graph.nodes]

    @classmethod
    def of(cls, graph: Graph, watched: tuple[Term, ...]) -> "_Flow":
        slots = Slots.of(graph)
        game = 0
        for variable in (*graph.variables, graph.players, graph.ended):
            game |= slots.mask(variable)
        own = dict.fromkeys((phase.name for phase in graph.phases), 0)
        for phase in graph.phases:
            for variable in (*phase.params, *phase.locals):
                own[phase.name] |= slots.mask(variable)
        always = slots.read(*watched, *_standing_terms(graph)) | slots.mask(graph.ended)
        return cls(graph, slots, game, own, always, return_nodes(graph))

    def solve(self) -> Liveness:
        changed = True
        while changed:
            changed = False
            for node in reversed(self.graph.nodes):
                now = self._before(node)
                if now != self.live[node.id]:
                    self.live[node.id] = now
                    changed = True
        after = {
            node.id: self.live[node.next[0]] & self.own[node.phase]
            for node in self.graph.nodes
            if isinstance(node.step, Flow) and isinstance(node.step.way, Call)
        }
        return Liveness(self.slots, tuple(self.live), after)

    def _reads(self, step: Step) -> int:
        """What a step itself reads; a draw is shared by who is still in."""
        found = self.slots.read(*terms_of(step))
        if step == Flow(End(Ending.DRAW, None)):
            found |= self.slots.mask(self.graph.players)
        return found

    def _before(self, node: Node) -> int:
        step = node.step
        out = self._after_choice(node, step) if isinstance(step, Choose) else self._after(node)
        if isinstance(step, Assign | Move | Chance):
            out |= self._triggered()
        standing = self.always & (self.game | self.own[node.phase])
        return self.reads[node.id] | standing | (out & ~self.gives[node.id])

    def _after(self, node: Node) -> int:
        """What is live once a step that is no choice is done."""
        match node.step:
            case Flow(Call(phase)):
                callee = self.live[self.graph.phase(phase).entry]
                return callee | (self.live[node.next[0]] & self.own[node.phase])
            case Flow(Jump(phase)):
                return self.live[self.graph.phase(phase).entry]
            case Flow(Return()):
                return self._after_return(node.phase)
            case Flow(Leave(phase)):
                return self._after_return(phase)
            case Flow(End()):
                return 0
            case _:
                out = 0
                for following in node.next:
                    out |= self.live[following]
                return out

    def _after_return(self, phase: str) -> int:
        out = 0
        for following in self.returns[phase]:
            out |= self.live[following] & self.game
        return out

    def _after_choice(self, node: Node, step: Choose) -> int:
        """Each way on, without what taking it gives a value; sealed answers are kept."""
        out = 0
        for position, following in enumerate(node.next):
            given = 0
            if position < len(step.options) and not step.joint:
                for slot in step.options[position].slots:
                    given |= self.slots.mask(slot.local)
            out |= self.live[following] & ~given
        if step.joint:
            for variable, _ in written_slots(step):
                out |= self.slots.mask(variable)
        return out

    def _triggered(self) -> int:
        """What a trigger that fires now may read before it gives it a value.

        Where it resumes is on the stack and counted there.
        """
        out = 0
        for trigger in self.graph.triggers:
            out |= self.live[self.graph.phase(trigger.phase).entry] & self.game
        return out


def _standing_terms(graph: Graph) -> tuple[Term, ...]:
    """What is asked after every effect: conditions of triggers, who sees a place or a variable."""
    terms: list[Term] = [trigger.condition for trigger in graph.triggers]
    terms += [place.viewers for place in graph.places if place.viewers is not None]
    for variable in Slots.of(graph).variables:
        terms += [reader for reader in variable.readers if reader is not None]
    return tuple(terms)


def return_nodes(graph: Graph) -> dict[str, list[int]]:
    """For each phase, the nodes where control can go on when it returns.

    A phase that was jumped to returns for the one that jumped.
    """
    jumps: dict[str, list[str]] = {phase.name: [] for phase in graph.phases}
    found: dict[str, dict[int, None]] = {phase.name: {} for phase in graph.phases}
    for node in graph.nodes:
        match node.step:
            case Flow(Jump(phase)):
                jumps[node.phase].append(phase)
            case Flow(Call(phase)):
                found[phase][node.next[0]] = None
            case _:
                pass
    changed = True
    while changed:
        changed = False
        for source, targets in jumps.items():
            for target in targets:
                before = len(found[target])
                found[target].update(found[source])
                changed = changed or len(found[target]) != before
    return {phase: list(nodes) for phase, nodes in found.items()}
