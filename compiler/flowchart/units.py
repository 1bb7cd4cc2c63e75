"""Which graph nodes make one box of the `steps` chart.

A box is, in this order: a named step that is straight automatic work; an unnamed loop that is; a
run of unnamed effects; or a single node.  Bookkeeping (locals, what the compiler made, tests that
lead to the same place either way) makes no box: an arrow goes through it.
"""

from collections.abc import Iterable

from attrs import frozen

from compiler.flowchart.asking import asked_locals, same_question
from compiler.flowchart.loops import each_of, finds_nobody, handed_on, is_next
from compiler.flowchart.routes import Landing, Routes
from compiler.graph.core import (
    Apply,
    Assign,
    Blind,
    Branch,
    Call,
    Chance,
    Choose,
    Const,
    FlagOf,
    FlagTarget,
    Flow,
    Jump,
    KnownTarget,
    Move,
    Node,
    Read,
    Return,
    Term,
    Variable,
)
from compiler.graph.settled import for_rulings, unchanging
from compiler.graph.walk import terms_of, variable_reads, whole
from compiler.ops.numbers import ADD, SUBTRACT


@frozen
class Unit:
    """The graph nodes of one box, the one where it is entered first.

    `named` is the named step it is, `None` if it has no name of its own; `loop` is the test of the
    loop it is; `lead` is the node that the box is about, the others only going with it.
    """

    nodes: tuple[int, ...]
    named: int | None = None
    loop: int | None = None
    lead: int | None = None
    cases: bool = False  # tests one after the other that are one question


class Effects:
    """What of a graph is worth a box: the effects that a reader of the rules would name."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self._ended = routes.graph.ended
        self._asked = asked_locals(routes)
        self._unread = _unread(routes)
        self._unchanging = unchanging(routes.graph)
        self._looked_at = _flags_read(routes)
        self._first_set: dict[Variable, int] = {}
        for node in routes.graph.nodes:
            if isinstance(node.step, Assign) and isinstance(node.step.target, Variable):
                self._first_set.setdefault(node.step.target, node.id)
        self.idle: frozenset[str] = frozenset()
        self._find_idle()

    def visible(self, node: Node) -> bool:
        """Whether a node shows: bookkeeping and ways on do not."""
        match node.step:
            case Assign(Variable() as variable, args, Apply(op, (old, Const(0)))) if op in (
                ADD,
                SUBTRACT,
            ) and old == Read(variable, args):
                return False  # another reading would add something here
            case Assign(Variable() as variable, _, value):
                return not _forgets(node, variable, value) and self._shows(variable, node)
            case Assign(FlagTarget(name)):
                return name in self._looked_at
            case Chance(Blind()) | Flow(Jump()):
                return False
            case Flow(Call(phase)):
                return phase not in self.idle
            case _:
                return True

    def _shows(self, variable: Variable, node: Node) -> bool:
        """Locals show where a rule is cited for a change, not where they are declared.

        What only another reading would look at, or change, never shows.
        Those that a test without a title asks about show always, and so does whose turn it is.
        """
        if variable is self._ended or variable.hidden_name or variable in self._unread:
            return False
        if variable in self._unchanging:
            return False
        if node.title or handed_on(node) is not None:
            return True
        if variable in self._asked and not is_next(node) and not self._begins(node, variable):
            return True
        return variable.phase is None or (bool(node.clauses) and not _declares(node, variable))

    def _begins(self, node: Node, variable: Variable) -> bool:
        """Whether a step only gives a local its first value, known before play."""
        plain = isinstance(node.step, Assign) and isinstance(node.step.value, Const)
        return plain and self._first_set.get(variable) == node.id

    def _find_idle(self) -> None:
        """Finds the phases that do nothing in this configuration but return."""
        while True:
            found = frozenset(
                procedure.name
                for procedure in self.routes.procedures[1:]
                if not procedure.is_trigger and self._is_idle(procedure.entry)
            )
            if found == self.idle:
                return
            self.idle = found

    def _is_idle(self, entry: int) -> bool:
        nodes = [self.routes.nodes[node_id] for node_id in self.routes.order(entry)]
        return all(
            node.step == Flow(Return())
            or (isinstance(node.step, Branch) and not node.title)
            or (bool(node.next) and not self._matters(node))
            for node in nodes
        )

    def _matters(self, node: Node) -> bool:
        """Whether a node changes more than values that are forgotten when the phase is over."""
        match node.step:
            case Assign(Variable(phase=str())) if not node.clauses:
                return False
            case _:
                return self.visible(node)


def _unread(routes: Routes) -> frozenset[Variable]:
    """The variables for a ruling that no rule looks at under this reading, but to change them."""
    written = {
        node.step.target
        for node in routes.graph.nodes
        if isinstance(node.step, Assign) and isinstance(node.step.target, Variable)
    }
    written = {variable for variable in written if for_rulings(variable)}
    for node in routes.graph.nodes:
        target = node.step.target if isinstance(node.step, Assign) else None
        found = {variable for variable, _ in variable_reads(*terms_of(node.step))}
        written -= found - {target}
    for trigger in routes.graph.triggers:
        written -= {variable for variable, _ in variable_reads(trigger.condition)}
    return frozenset(written)


def _flags_read(routes: Routes) -> frozenset[str]:
    """The flags that a rule looks at under this reading; the others are there for another."""
    terms = [term for node in routes.graph.nodes for term in terms_of(node.step)]
    terms += [trigger.condition for trigger in routes.graph.triggers]
    return frozenset(
        term.source.name
        for term in whole(*terms)
        if isinstance(term, Read) and isinstance(term.source, FlagOf)
    )


def _forgets(node: Node, variable: Variable, value: Term) -> bool:
    """Whether a step only empties a variable where a phase begins: nothing of it holds any more."""
    if node.title or variable.phase is not None or node.span != variable.span:
        return False
    return isinstance(value, Const) and not value.value


class Grouping:
    """The boxes of one procedure, and which of its nodes are bookkeeping."""

    def __init__(self, routes: Routes, effects: Effects, entry: int) -> None:
        self.routes = routes
        self._effects = effects
        self._entry = entry
        self.order = routes.order(entry)
        self._predecessors = routes.predecessors(self.order)
        self._unit_of: dict[int, Unit] = {}
        self.framed: dict[int, None] = {}  # named steps that hold several boxes
        self._named_steps()
        self._loops()
        self._silent = self._silent_nodes()
        self._runs()
        self._singles()

    @property
    def units(self) -> tuple[Unit, ...]:
        """The boxes, each after those before it."""
        found: dict[Unit, None] = {}
        for node_id in self.order:
            unit = self._unit_of.get(node_id)
            if unit is not None:
                found[unit] = None
        return tuple(found)

    def unit(self, node_id: int) -> Unit | None:
        """The box that a node is in; `None` for bookkeeping."""
        return self._unit_of.get(node_id)

    # ---- what goes together

    def _take(self, unit: Unit) -> None:
        for node_id in unit.nodes:
            self._unit_of[node_id] = unit

    def _node(self, node_id: int) -> Node:
        return self.routes.nodes[node_id]

    def _entries(self, members: Iterable[int]) -> list[int]:
        """The members where a way from outside, or the beginning of the procedure, comes in."""
        inside = set(members)
        return [
            member
            for member in self.order
            if member in inside
            and (
                member == self._entry
                or any(before not in inside for before in self._predecessors[member])
            )
        ]

    def _exits(self, members: Iterable[int]) -> list[Landing]:
        """Where ways out of the members end, each once."""
        inside = set(members)
        found: dict[Landing, None] = {}
        for member in self.order:
            if member in inside:
                found.update(
                    (landing, None)
                    for _, landing in self.routes.ways(member)
                    if landing not in inside
                )
        return list(found)

    def _is_straight(self, members: list[int]) -> bool:
        """Whether a reader loses nothing if the members are one box: one way in, one way out."""
        return len(self._entries(members)) == 1 and len(self._exits(members)) <= 1

    def _entry_first(self, members: list[int]) -> tuple[int, ...]:
        first = self._entries(members)[0]
        return (first, *(member for member in members if member != first))

    # ---- named steps

    def _named_steps(self) -> None:
        by_name: dict[int, list[int]] = {}
        for node_id in self.order:
            named = self._node(node_id).named
            if named is not None:
                by_name.setdefault(named, []).append(node_id)
        holding = self._around(by_name)
        self.framed.update(dict.fromkeys(holding))
        for named, members in by_name.items():
            work = [member for member in members if not _is_last(self._node(member))]
            automatic = all(_may_fold(self._node(member)) for member in work)
            if named not in holding and work and automatic and self._is_straight(work):
                lead = work[0] if len(work) == 1 else None
                self._take(Unit(self._entry_first(work), named=named, lead=lead))
            elif named not in holding and len(work or members) == 1:
                only = (work or members)[0]
                self._take(Unit((only,), named=named, lead=only))
            else:
                self.framed[named] = None

    def _around(self, by_name: Iterable[int]) -> list[int]:
        """The named steps around those, each once."""
        found: dict[int, None] = {}
        for named in by_name:
            parent = self.routes.graph.named[named].parent
            while parent is not None and parent not in found:
                found[parent] = None
                parent = self.routes.graph.named[parent].parent
        return list(found)

    # ---- loops

    def _loops(self) -> None:
        """Makes a box of each loop of unnamed work in which nothing is asked."""
        for node_id in self.order:
            if isinstance(self._node(node_id).step, Branch) and node_id not in self._unit_of:
                body = self._loop(node_id)
                if body and self._folds(body, node_id) and self._is_straight(body):
                    self._take(Unit(self._entry_first(body), loop=node_id))

    def _loop(self, header: int) -> list[int]:
        """The nodes of the loop that a test heads, the test included; none if it heads no loop."""
        ahead = self._spread(header, {id_: self.routes.onwards(id_) for id_ in self.order})
        back = self._spread(header, self._predecessors)
        if header not in ahead or self._entries(members := [*ahead & back]) != [header]:
            return []
        return [member for member in self.order if member in members]

    def _spread(
        self, start: int, links: dict[int, tuple[int, ...]] | dict[int, list[int]]
    ) -> set[int]:
        found: set[int] = set()
        waiting = list(links[start])
        while waiting:
            node_id = waiting.pop()
            if node_id not in found:
                found.add(node_id)
                waiting += links[node_id]
        return found

    def _folds(self, body: list[int], header: int) -> bool:
        nodes = [self._node(member) for member in body]
        shown = [node for node in nodes if self._effects.visible(node) and node.id != header]
        alone = [node for node in shown if isinstance(node.step, Chance | Flow)]
        return (
            all(_may_fold(node) or node.id == header for node in nodes)
            and all(node.id not in self._unit_of for node in nodes)
            and len({node.named for node in nodes}) == 1
            and (not alone or len(shown) == 1)
            and bool(shown)
        )

    # ---- bookkeeping

    def _silent_nodes(self) -> set[int]:
        """The nodes without a box; an untitled test is one if both its ways meet at once."""
        silent = {
            node_id
            for node_id in self.order
            if node_id not in self._unit_of and not self._effects.visible(self._node(node_id))
        }
        grown = True
        while grown:
            grown = False
            for node_id in self.order:
                node = self._node(node_id)
                plain = isinstance(node.step, Branch) and not node.title
                plain = plain or self.routes.answer(node) is not None
                if not plain or node_id in silent or node_id in self._unit_of:
                    continue
                if self._takes_turns(node):
                    continue
                if len(self._landings(node_id, silent | {node_id})) == 1:
                    silent.add(node_id)
                    grown = True
        return silent

    def _takes_turns(self, node: Node) -> bool:
        """Whether a test heads a loop over a domain in which something shows: whose turn it is."""
        if each_of(self.routes, node) is None:
            return False
        links = {id_: self.routes.onwards(id_) for id_ in self.order} | {node.id: ()}
        if node.next[0] not in links:  # there is surely nobody
            return False
        body = self._spread(node.next[0], links) - {node.id}
        return any(self._effects.visible(self._node(other)) for other in body)

    def _landings(self, node_id: int, silent: set[int]) -> set[Landing]:
        """Where the ways on from a node end, if one goes through bookkeeping."""
        found: set[Landing] = set()
        seen: set[int] = set()
        waiting = [node_id]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            for _, landing in self.routes.ways(at):
                if isinstance(landing, int) and landing in silent:
                    waiting.append(landing)
                else:
                    found.add(landing)
        return found

    # ---- what is left

    def _runs(self) -> None:
        """Joins unnamed effects that follow one another."""
        for node_id in self.order:
            if node_id in self._unit_of or node_id in self._silent:
                continue
            if self._tells(node_id):
                self._take(Unit(self._run(node_id), lead=node_id))
            elif isinstance(self._node(node_id).step, Assign | Move):
                self._take(Unit(self._run(node_id)))

    def _tells(self, node_id: int) -> bool:
        """Whether a decision only lets somebody see something: that stays in its box."""
        node = self._node(node_id)
        if not isinstance(node.step, Choose) or len(self.routes.onwards(node_id)) > 1:
            return False
        run = self._run(node_id)
        shown = [n for n in map(self._node, run[1:]) if self._effects.visible(n)]
        return bool(shown) and all(
            isinstance(n.step, Assign) and n.step.target == KnownTarget() for n in shown
        )

    def _run(self, first: int) -> tuple[int, ...]:
        run = [first]
        while True:
            onwards = self.routes.onwards(run[-1])
            if len(onwards) != 1:
                break
            (following,) = onwards
            node = self._node(following)
            alone = len(self._predecessors[following]) == 1 and following not in self._unit_of
            if not alone or not (isinstance(node.step, Assign | Move) or _is_blind(node)):
                break
            if node.named != self._node(first).named:
                break
            run.append(following)
        while run[-1] in self._silent:
            run.pop()
        return tuple(run)

    def _singles(self) -> None:
        for node_id in self.order:
            if node_id in self._unit_of or node_id in self._silent:
                continue
            cases = self._cases(node_id)
            if len(cases) > 1:
                self._take(Unit(cases, lead=node_id, cases=True))
            elif (asked := self._sealed(node_id)) is not None:
                self._take(Unit((node_id, asked), lead=asked))
            else:
                self._take(Unit((*self._arguments(node_id), node_id), lead=node_id))

    def _sealed(self, node_id: int) -> int | None:
        """The sealed decision behind a test that only asks if it has anybody to ask."""
        node = self._node(node_id)
        if not finds_nobody(node) or each_of(self.routes, node) is not None:
            return None
        asked = self._node(node.next[1])
        sealed = isinstance(asked.step, Choose) and asked.step.joint
        free = asked.id in self._predecessors and asked.id not in self._unit_of
        return asked.id if sealed and free else None

    def _cases(self, first: int) -> tuple[int, ...]:
        """A test and those that are asked if it fails, as long as they compare the same things."""
        found = [first]
        while isinstance(self._node(found[-1]).step, Branch):
            last = self._node(found[-1])
            following = last.next[1]
            free = following not in self._unit_of and following not in self._silent
            alone = len(self._predecessors.get(following, ())) == 1 and following not in found
            if not free or not alone or last.named != self._node(following).named:
                break
            if not same_question(last, self._node(following)):
                break
            found.append(following)
        return tuple(found)

    def _arguments(self, node_id: int) -> list[int]:
        """The nodes before a call that set what the phase is given."""
        step = self._node(node_id).step
        found: list[int] = []
        if not isinstance(step, Flow) or not isinstance(step.way, Call):
            return found
        params = self.routes.graph.phase(step.way.phase).params
        at = node_id
        while len(self._predecessors[at]) == 1:
            (at,) = self._predecessors[at]
            given = self._node(at).step
            if at not in self._silent or not isinstance(given, Assign):
                break
            if not any(given.target is param for param in params):
                break
            found.insert(0, at)
        return found


def _declares(node: Node, variable: Variable) -> bool:
    """Whether the line of a node is where the variable gets its name."""
    if node.span is None or variable.span is None:
        return False
    return node.span.start <= variable.span.start < node.span.end


def _is_blind(node: Node) -> bool:
    """Whether a node only settles which of the cards he could not tell apart a player took."""
    return isinstance(node.step, Chance) and isinstance(node.step.distribution, Blind)


def _is_last(node: Node) -> bool:
    """Whether a phase, or the game, is left here."""
    return isinstance(node.step, Flow) and not isinstance(node.step.way, Call)


def _may_fold(node: Node) -> bool:
    """Whether a node may vanish in a box: no decision, and no test with its own question."""
    if isinstance(node.step, Branch):
        return not node.title
    return not isinstance(node.step, Choose) and not _is_last(node)
