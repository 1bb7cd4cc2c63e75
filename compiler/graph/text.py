"""A graph as text for people and for golden files: the same graph, the same text.

Ways on are written behind the step: `-> 12`, `yes 12, no 15`.  Titles stand in quotes, clauses
behind `@`, as in a spec.
"""

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

from compiler.graph.core import (
    Apply,
    Assign,
    Blind,
    Branch,
    Call,
    Case,
    Chance,
    Choose,
    Claim,
    Clauses,
    Const,
    End,
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
    Node,
    Option,
    Phase,
    Pick,
    Place,
    Read,
    Return,
    Roll,
    Shuffle,
    Slot,
    Step,
    Target,
    Term,
    Variable,
)
from compiler.graph.notation import Notation
from compiler.graph.values import ValueWords
from compiler.ops.numbers import NOT


def graph_text(graph: Graph) -> str:
    """Declarations, functions, phases with their nodes, triggers, invariants and claims."""
    return "\n".join(_Writer(graph, Notation(graph, _names(graph))).lines()) + "\n"


def step_text(step: Step, graph: Graph) -> str:
    """One step in words, without its ways on; the options of a choice are left out."""
    return _Writer(graph, Notation(graph)).step(step)


def sayings(graph: Graph) -> Counter[str]:
    """What a graph says, line by line, wherever a line stands: two graphs say the same if only
    titles, clauses and ways on differ."""
    return Counter(_Writer(graph, Notation(graph)).sayings())


def _names(graph: Graph) -> dict[Variable, str]:
    """Names for locals that share theirs with others of their phase: `x`, `x#2`."""
    names: dict[Variable, str] = {}
    for phase in graph.phases:
        seen: Counter[str] = Counter()
        for variable in dict.fromkeys((*phase.params, *phase.locals)):
            seen[variable.name] += 1
            if seen[variable.name] > 1:
                names[variable] = f"{variable.name}#{seen[variable.name]}"
    return names


def _side(claim: Claim) -> str:
    return "before" if claim.before else "after"


def _tail(title: str, clauses: Clauses) -> str:
    """A title and clauses behind something, as a spec has them."""
    return (f'  "{title}"' if title else "") + "".join(f" @{clause}" for clause in clauses)


@frozen
class _Writer:
    """Writes one graph."""

    graph: Graph
    words: Notation

    def lines(self) -> Iterator[str]:
        graph = self.graph
        yield f'{graph.name} "{graph.title}", {graph.seats} seats, begins at {graph.start}'
        yield ""
        yield from self._classes()
        yield from self._places()
        for variable in graph.variables:
            yield f"var {self._variable(variable)}{_tail('', variable.clauses)}"
        for function in graph.functions:
            yield ""
            yield from self._function(function)
        for phase in graph.phases:
            yield ""
            yield from self._phase(phase)
        yield from self._statements()

    def sayings(self) -> Iterator[str]:
        """Declarations, cases, steps, options and guards; none says where it stands."""
        graph = self.graph
        yield from self._classes()
        yield from (f"zone {place.label}: {self._place(place)}" for place in graph.places)
        yield from (f"var {self._variable(variable)}" for variable in graph.variables)
        for function in graph.functions:
            yield from (f"{function.name} = {self._case(case)}" for case in function.cases)
        for node in graph.nodes:
            yield f"{node.phase}: {self.step(node.step)}"
            for option in node.step.options if isinstance(node.step, Choose) else ():
                named = f"{node.phase}: {self._option(option)}"
                yield named
                yield from (f"{named} {self._guard(guard)}" for guard in option.guards)
        yield from (f"whenever {self.words.text(trigger.condition)}" for trigger in graph.triggers)

    # ---- declarations

    def _classes(self) -> Iterator[str]:
        for part in self.graph.classes:
            sort = "card" if part.is_card else "piece"
            attributes = ", ".join(f"{entry.name}: {entry.type}" for entry in part.attributes)
            yield f"{sort} {part.name}" + (f" with {attributes}" if attributes else "")
            yield "    " + " ".join(
                kind.word if kind.copies == 1 else f"{kind.word}*{kind.copies}"
                for kind in part.kinds
            )
            for flag in part.sticky_flags:
                yield f"    flag {flag}"
            for name, kinds in part.named_kinds:
                yield f"    kind {name} = {' '.join(part.kinds[kind].word for kind in kinds)}"

    def _places(self) -> Iterator[str]:
        """Places of a zone on one line as long as they differ only in their key."""
        runs: dict[tuple[str, str], list[Place]] = {}
        for place in self.graph.places:
            runs.setdefault((place.zone, self._place(place)), []).append(place)
        for (_, facts), places in runs.items():
            first, last = places[0], places[-1]
            label = first.label if first is last else f"{first.label} .. {last.label}"
            number = str(first.index) if first is last else f"{first.index}..{last.index}"
            yield f"zone {number} {label}: {facts}"

    def _place(self, place: Place) -> str:
        parts = [f"{place.shape.value} of {self._held(place)}"]
        parts.append("face up" if place.face_up else "face down")
        if place.viewers is not None:
            parts.append(f"seen by {self.words.text(place.viewers)}")
        if place.capacity is not None:
            parts.append(f"holds {place.capacity}")
        parts += [f"flag {flag}" for flag in place.flags]
        return ", ".join(parts)

    def _held(self, place: Place) -> str:
        if place.token_class is None:
            return "everything"
        part = self.graph.token_class(place.token_class)
        named = [name for name, kinds in part.named_kinds if kinds == place.kinds]
        return named[0] if named and place.kinds is not None else part.name

    def _variable(self, variable: Variable) -> str:
        per = ", ".join(str(key) for key in variable.key_types)
        initial = ValueWords(self.graph).text(variable.initial, variable.type)
        readers = dict.fromkeys(
            "everyone" if reader is None else self.words.text(reader) for reader in variable.readers
        )
        seen = f", seen by {' | '.join(readers)}" if readers else ""
        name = self.words.text(Read(variable)) + (f" per {per}" if per else "")
        return f"{name}: {variable.type} = {initial}{seen}"

    def _function(self, function: Function) -> Iterator[str]:
        params = ", ".join(f"{bound.name}: {bound.type}" for bound in function.params)
        head = f"define {function.name}" + (f"({params})" if params else "")
        yield f"{head}: {function.type}{_tail('', function.clauses)}"
        for case in function.cases:
            yield f"    {self._case(case)}{_tail('', case.clauses)}"

    def _case(self, case: Case) -> str:
        value = self.words.text(case.value)
        return value if case.when is None else f"{value} when {self.words.text(case.when)}"

    def _statements(self) -> Iterator[str]:
        for trigger in self.graph.triggers:
            yield ""
            condition = self.words.text(trigger.condition)
            tail = _tail(trigger.title, trigger.clauses)
            yield f"whenever {condition} -> {trigger.phase}{tail}"
        for invariant in self.graph.invariants:
            yield ""
            where = f" at {invariant.at_phase}" if invariant.at_phase else ""
            where += " at decisions" if invariant.at_decisions else ""
            yield f'invariant "{invariant.title}"{where}{_tail("", invariant.clauses)}'
            for fact in invariant.facts:
                yield f"    {self.words.text(fact.term)}{_tail('', fact.clauses)}"
        for claim in self.graph.claims:
            yield ""
            where = "" if claim.phase is None else f" {_side(claim)} {claim.phase}"
            yield f'claim "{claim.title}"{where}{_tail("", claim.clauses)}'
            yield f"    {claim.mode} {self.words.text(claim.term)}"
        for title in self.graph.disclosures:
            yield f'discloses "{title}"'

    # ---- nodes

    def _phase(self, phase: Phase) -> Iterator[str]:
        params = ", ".join(f"{variable.name}: {variable.type}" for variable in phase.params)
        head = f"phase {phase.name}" + (f"({params})" if params else "")
        trigger = ", a trigger" if phase.is_trigger else ""
        yield f"{head}, begins at {phase.entry}{trigger}{_tail(phase.title, phase.clauses)}"
        for variable in phase.locals:
            if variable not in phase.params:
                yield f"    var {self._variable(variable)}"
        named: int | None = None
        for node in self.graph.nodes:
            if node.phase != phase.name:
                continue
            if node.named != named and node.named is not None:
                step = self.graph.named[node.named]
                yield f'       "{step.title}"{_tail("", step.clauses)}'
            named = node.named
            yield from self._node(node)

    def _node(self, node: Node) -> Iterator[str]:
        ways = self._ways(node)
        words = f"{node.id:6} {self._for_another(node)}{self.step(node.step)}{ways}"
        yield words + _tail(node.title, node.clauses)
        if isinstance(node.step, Choose):
            yield from self._options(node, node.step)

    def _for_another(self, node: Node) -> str:
        """The phase before a parameter that is set for it."""
        match node.step:
            case Assign(Variable(phase=str() as phase)) if phase != node.phase:
                return f"{phase}."
            case _:
                return ""

    def _ways(self, node: Node) -> str:
        match node.step:
            case Branch():
                return f"  yes {node.next[0]}, no {node.next[1]}"
            case Choose() as step:
                return f"  all in -> {node.next[0]}" if step.joint else ""
            case _:
                return f"  -> {', '.join(map(str, node.next))}" if node.next else ""

    def _options(self, node: Node, step: Choose) -> Iterator[str]:
        ways = iter(node.next)
        for option in step.options:
            way = "" if step.joint else f"  -> {next(ways)}"
            yield f"         {self._option(option)}{way}{_tail(option.title, option.clauses)}"
            for guard in option.guards:
                yield f"             {self._guard(guard)}{_tail('', guard.clauses)}"
        if step.joint:
            return
        if step.optional:
            yield f"         decline  -> {next(ways)}"
        if step.has_otherwise:
            yield f"         otherwise  -> {next(ways)}"

    def _guard(self, guard: Guard) -> str:
        match guard.holds:
            case Apply(op, (refused,)) if guard.negated and op is NOT:
                return f"unless {self.words.text(refused)}"
            case holds:
                return f"when {self.words.text(holds)}"

    def _option(self, option: Option) -> str:
        slots = ", ".join(self._slot(slot) for slot in option.slots)
        return f"{option.name} {slots}" if slots else option.name

    def _slot(self, slot: Slot) -> str:
        lead = f"{slot.preposition} " if slot.preposition else ""
        where = "" if slot.where is None else f" where {self.words.text(slot.where)}"
        local = self.words.text(Read(slot.local))
        kept = "" if local == slot.bound.name else f" as {local}"
        return f"{lead}{slot.bound.name} in {self.words.domain(slot.domain)}{where}{kept}"

    # ---- steps

    def step(self, step: Step) -> str:
        """One step in words."""
        match step:
            case Assign(target, args, value):
                return self._assign(target, args, value)
            case Move():
                return self._move(step)
            case Branch(test):
                return f"{self.words.text(test)}?"
            case Choose(actor, optional=optional):
                each = f" {step.seat.name} in" if step.seat is not None else ""
                verb = "may choose" if optional else "chooses"
                lead = "together" if step.joint else ""
                return f"{lead}{each} {self.words.text(actor)} {verb}".strip()
            case Chance():
                return self._chance(step)
            case Flow():
                return self._flow(step)
            case _:
                assert_never(step)

    def _assign(self, target: Target, args: tuple[Term, ...], value: Term) -> str:
        given = self.words.text(value)
        match target:
            case Variable():
                return f"{self.words.text(Read(target, args))} = {self.words.tokens(value)}"
            case FaceTarget():
                side = ("up" if value.value else "down") if isinstance(value, Const) else "as"
                shown = "" if isinstance(value, Const) else f" {given}"
                return f"flip {self.words.tokens(args[0])} face {side}{shown}"
            case FlagTarget(name):
                if not isinstance(value, Const):
                    return f"mark {self.words.tokens(args[0])} {name} as {given}"
                return f"{'mark' if value.value else 'unmark'} {self.words.tokens(args[0])} {name}"
            case KnownTarget():
                if isinstance(value, Const) and value.value is None:
                    return f"reveal {self.words.tokens(args[0])}"
                return f"show {self.words.tokens(args[0])} to {given}"
            case _:
                assert_never(target)

    def _move(self, step: Move) -> str:
        parts = [f"move {self.words.tokens(step.tokens)} to {self.words.text(step.place)}"]
        if step.face_up is not None:
            parts.append("face up" if step.face_up else "face down")
        if step.at_bottom:
            parts.append("bottom")
        if step.count is not None:
            parts.append(f"exactly {self.words.text(step.count)}")
        return ", ".join(parts)

    def _chance(self, step: Chance) -> str:
        match step.distribution:
            case Roll(dice):
                names = ", ".join(self.words.text(Read(die, args)) for die, args, _ in dice)
                return f"roll {names}"
            case Shuffle(place):
                return f"shuffle {self.words.text(place)}"
            case Pick(variable, args, domain, where, bound):
                kept = self.words.text(Read(variable, args))
                name = f"{bound.name} in " if bound is not None and where is not None else ""
                only = "" if where is None else f" where {self.words.text(where)}"
                return f"pick {kept} in {name}{self.words.domain(domain)}{only} at random"
            case Blind(variable, args, actor):
                kept = self.words.text(Read(variable, args))
                return f"settle which {kept} is, as {self.words.text(actor)} cannot tell"
            case _:
                assert_never(step.distribution)

    def _flow(self, step: Flow) -> str:
        match step.way:
            case Call(phase):
                return f"do {phase}"
            case Jump(phase):
                return f"-> {phase}"
            case Return():
                return "return"
            case Leave(phase):
                return f"leave {phase}"
            case End(ending, value):
                said = "" if value is None else f" {self.words.text(value)}"
                return f"end {ending.value}{said}"
            case _:
                assert_never(step.way)
