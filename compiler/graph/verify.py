"""What every graph promises; a stage that breaks a promise is found here and not in a game.

Ways lead to nodes of the same phase, names are bound where they are used, variables are declared
and belong where they are used, values fit where they go, and nothing is out of reach.
"""

from collections.abc import Iterator
from typing import NoReturn

from attrs import define

from compiler.diagnostic import InternalError
from compiler.graph.core import (
    Assign,
    Blind,
    Bound,
    Branch,
    Call,
    Chance,
    Choose,
    Const,
    Domain,
    FaceTarget,
    FlagTarget,
    Flow,
    Fold,
    Function,
    Graph,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Node,
    Option,
    Pick,
    Place,
    Read,
    Roll,
    Shape,
    Shuffle,
    Step,
    Term,
    Variable,
)
from compiler.graph.walk import children, terms_of, written_slots
from compiler.source import Span
from compiler.types import (
    BOOL,
    ListOf,
    Nothing,
    PlaceOf,
    Player,
    SetOf,
    Square,
    Token,
    Type,
    fits,
    present,
)

Scope = frozenset[int]
"""Positions of the environment that have a name."""


def verify(graph: Graph) -> None:
    """Nothing, if the graph keeps all promises; else `InternalError` with the place."""
    _Verifier(
        graph,
        {name: index for index, name in enumerate(phase.name for phase in graph.phases)},
        frozenset((*graph.variables, graph.players, graph.ended)),
    ).verify()


@define
class _Verifier:
    """Goes through one graph."""

    graph: Graph
    phases: dict[str, int]
    game: frozenset[Variable]

    def verify(self) -> None:
        graph = self.graph
        if len(self.phases) != len(graph.phases):
            self._broken("two phases have one name", None)
        for index, place in enumerate(graph.places):
            self._place(place, index)
        for function in graph.functions:
            self._function(function)
        for phase in graph.phases:
            if not self._is_node(phase.entry) or graph.nodes[phase.entry].phase != phase.name:
                self._broken(f"phase {phase.name} begins nowhere", phase.span)
        if not self._is_node(graph.start):
            self._broken("the game begins nowhere", None)
        for index, node in enumerate(graph.nodes):
            self._node(node, index)
        self._standing()
        self._reachable()

    def _broken(self, what: str, span: Span | None) -> NoReturn:
        raise InternalError(f"{what} ({span})" if span is not None else what)

    def _is_node(self, number: int) -> bool:
        return 0 <= number < len(self.graph.nodes)

    # ---- tables

    def _place(self, place: Place, index: int) -> None:
        if place.index != index:
            self._broken(f"{place.label} is place {index}, not {place.index}", place.span)
        if index == 0:
            if place.shape is not Shape.SET or place.token_class is not None:
                self._broken("place 0 is no box", place.span)
            return
        found = [part for part in self.graph.classes if part.name == place.token_class]
        if not found:
            self._broken(f"{place.label} holds tokens of no class", place.span)
        kinds = place.kinds or ()
        if any(not 0 <= kind < len(found[0].kinds) for kind in kinds):
            self._broken(f"{place.label} admits kinds that are not there", place.span)

    def _function(self, function: Function) -> None:
        where = f"define {function.name}"
        if any(bound.index != at for at, bound in enumerate(function.params)):
            self._broken(f"{where}: parameters out of order", function.span)
        scope = frozenset(range(len(function.params)))
        for case in function.cases:
            if case.when is not None:
                self._test(case.when, scope, self.game, where)
            self._term(case.value, scope, self.game, where)
            self._fit(case.value, function.type, where)

    def _standing(self) -> None:
        """What is asked of a situation, not by a step."""
        graph = self.graph
        for place in graph.places:
            if place.viewers is not None:
                self._term(place.viewers, frozenset(), self.game, f"who sees {place.label}")
        for trigger in graph.triggers:
            self._phase(trigger.phase, trigger.span)
            self._test(trigger.condition, frozenset(), self.game, f"whenever {trigger.title}")
        for invariant in graph.invariants:
            own = self.game
            if invariant.at_phase is not None:
                self._phase(invariant.at_phase, invariant.span)
                own |= frozenset(graph.phase(invariant.at_phase).params)
            for fact in invariant.facts:
                self._test(fact.term, frozenset(), own, f"invariant {invariant.title}")
        for claim in graph.claims:
            if claim.phase is not None:
                self._phase(claim.phase, claim.span)
            self._test(claim.term, frozenset(), self.game, f"claim {claim.title}")
        for owner, variable in self._declared():
            for reader in variable.readers:
                if reader is not None:
                    known = self.game | frozenset(owner)
                    self._term(reader, frozenset(), known, f"who reads {variable.name}")

    def _declared(self) -> Iterator[tuple[tuple[Variable, ...], Variable]]:
        """Every variable, with the locals of its phase."""
        for variable in self.graph.variables:
            if variable.phase is not None:
                self._broken(f"{variable.name} is no variable of the game", variable.span)
            yield (), variable
        for phase in self.graph.phases:
            for variable in dict.fromkeys((*phase.params, *phase.locals)):
                if variable.phase != phase.name:
                    self._broken(f"{variable.name} is no local of {phase.name}", variable.span)
                yield phase.locals, variable

    def _phase(self, name: str, span: Span | None) -> None:
        if name not in self.phases:
            self._broken(f"no phase is called {name}", span)

    # ---- nodes

    def _node(self, node: Node, index: int) -> None:
        where = f"node {index} of {node.phase}"
        if node.id != index:
            self._broken(f"{where} is called {node.id}", node.span)
        self._phase(node.phase, node.span)
        if node.named is not None and not 0 <= node.named < len(self.graph.named):
            self._broken(f"{where} is in no named step", node.span)
        self._ways(node, where)
        match node.step:
            case Flow(Call(entered) | Jump(entered) | Leave(entered)):
                self._phase(entered, node.span)
            case _:
                pass
        phase = self.graph.phase(node.phase)
        own = self.game | frozenset((*phase.params, *phase.locals))
        self._written(node, own, where)
        if isinstance(node.step, Choose):
            self._choose(node.step, own, where)
        else:
            self._step(node.step, own, where)

    def _ways(self, node: Node, where: str) -> None:
        if len(node.next) != ways(node.step):
            found = len(node.next)
            self._broken(f"{where} has {found} ways on, not {ways(node.step)}", node.span)
        for following in node.next:
            if not self._is_node(following):
                self._broken(f"{where} leads to node {following}, which is not there", node.span)
            if self.graph.nodes[following].phase != node.phase:
                self._broken(f"{where} leads out of its phase to node {following}", node.span)

    def _written(self, node: Node, own: frozenset[Variable], where: str) -> None:
        """Only parameters of phases that are entered from here are given values from outside."""
        for variable, args in written_slots(node.step):
            foreign = variable.phase in self.phases and variable.phase != node.phase
            entered = self.graph.phase(variable.phase).params if foreign and variable.phase else ()
            if variable not in own and variable not in entered:
                self._broken(f"{where} gives {variable.name} a value", node.span)
            if not isinstance(node.step, Choose) and len(args) != len(variable.keys):
                self._broken(f"{where}: {len(args)} keys for {variable.name}", node.span)

    def _step(self, step: Step, own: frozenset[Variable], where: str) -> None:
        scope: Scope = frozenset()
        match step:
            case Chance(Pick(bound=Bound(index=index))):
                scope = frozenset((index,))
            case _:
                pass
        for term in terms_of(step):
            self._term(term, scope, own, where)
        match step:
            case Branch(test):
                self._fit(test, BOOL, where)
            case Assign(Variable() as variable, _, value):
                self._fit(value, variable.type, where)
            case Assign(FaceTarget() | FlagTarget(), args, value):
                self._fit(value, BOOL, where)
                self._tokens(args[0], where)
            case Assign(KnownTarget(), args, value):
                self._fit(value, ListOf(Player(self.graph.seats)), where)
                self._tokens(args[0], where)
            case Move(tokens, place):
                self._tokens(tokens, where)
                self._is_place(place, where)
            case Chance(Shuffle(place)):
                self._is_place(place, where)
            case Chance(Roll(dice)):
                for die, _, faces in dice:
                    if not faces:
                        self._broken(f"{where}: {die.name} has no faces", die.span)
            case Chance(Blind(actor=actor)):
                self._fit(actor, Player(self.graph.seats), where)
            case _:
                pass

    # ---- choices

    def _choose(self, step: Choose, own: frozenset[Variable], where: str) -> None:
        seats: Type = Player(self.graph.seats)
        self._term(step.actor, frozenset(), own, where)
        self._fit(step.actor, ListOf(seats) if step.joint else seats, where)
        if step.joint and (step.seat is None or step.picked is None):
            self._broken(f"{where}: a joint choice without seats", None)
        scope: Scope = frozenset() if step.seat is None else frozenset((step.seat.index,))
        names = [option.name for option in step.options]
        if len(set(names)) != len(names):
            self._broken(f"{where}: two options of one name", None)
        for option in step.options:
            self._option(option, scope, own, f"{where}, {option.name}")

    def _option(self, option: Option, scope: Scope, own: frozenset[Variable], where: str) -> None:
        for slot in option.slots:
            for term in _of_domain(slot.domain):
                self._term(term, scope, own, where)
            scope |= {slot.bound.index}
            if slot.where is not None:
                self._test(slot.where, scope, own, where)
        for guard in option.guards:
            self._test(guard.holds, scope, own, where)

    # ---- terms

    def _test(self, term: Term, scope: Scope, own: frozenset[Variable], where: str) -> None:
        self._term(term, scope, own, where)
        self._fit(term, BOOL, where)

    def _term(self, term: Term, scope: Scope, own: frozenset[Variable], where: str) -> None:
        """Names are bound, variables are known here, constants are possible."""
        match term:
            case Bound(name, index) if index not in scope:
                self._broken(f"{where}: nothing is called {name} here", term.span)
            case Read(Variable() as variable, args):
                if variable not in own:
                    self._broken(f"{where}: reads {variable.name} of elsewhere", term.span)
                if len(args) != len(variable.keys):
                    self._broken(f"{where}: {len(args)} keys for {variable.name}", term.span)
            case Const(int() as value) if isinstance(present(term.type), PlaceOf | Square):
                if not 0 <= value < len(self.graph.places):
                    self._broken(f"{where}: there is no place {value}", term.span)
            case Fold(_, bound, domain, test, body):
                for part in _of_domain(domain):
                    self._term(part, scope, own, where)
                inner = scope | {bound.index}
                for part_ in (test, body):
                    if part_ is not None:
                        self._term(part_, inner, own, where)
                return
            case _:
                pass
        for child in children(term):
            self._term(child, scope, own, where)

    def _fit(self, term: Term, slot: Type, where: str) -> None:
        if not fits(term.type, slot):
            self._broken(f"{where}: {term.type} where {slot} must be", term.span)

    def _tokens(self, term: Term, where: str) -> None:
        type_ = present(term.type)
        while isinstance(type_, SetOf | ListOf):
            type_ = present(type_.element)
        if not isinstance(type_, Token | Nothing | PlaceOf | Square):
            self._broken(f"{where}: {term.type} where tokens must be", term.span)

    def _is_place(self, term: Term, where: str) -> None:
        if not isinstance(present(term.type), PlaceOf | Square | Nothing):
            self._broken(f"{where}: {term.type} where a place must be", term.span)

    # ---- reach

    def _reachable(self) -> None:
        """Every node lies on a way from the beginning of the game or of a phase."""
        reached: set[int] = set()
        waiting = [self.graph.start, *(phase.entry for phase in self.graph.phases)]
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                waiting += self.graph.nodes[number].next
        for node in self.graph.nodes:
            if node.id not in reached:
                self._broken(f"nothing leads to node {node.id} of {node.phase}", node.span)


def ways(step: Step) -> int:
    """How many ways on a step has."""
    match step:
        case Choose():
            if step.joint:
                return 1
            return len(step.options) + step.optional + step.has_otherwise
        case Branch():
            return 2
        case Flow(Call()):
            return 1
        case Flow():
            return 0
        case _:
            return 1


def _of_domain(domain: Domain) -> tuple[Term, ...]:
    return tuple(t for t in (domain.members, domain.low, domain.high) if t is not None)
