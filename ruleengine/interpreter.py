"""The reference interpreter: plays a graph on a table, one step after the other.

A table is changed in place; who wants to try something copies it first.  `advance` runs automatic
steps to the next stop; `choose` and `draw` answer the stop, and `advance` goes on.  Chance is never
drawn here: a stop lists its outcomes with exact odds.

The reference decides what a game means; it is kept plain where plainness and speed part.  What
single steps do is elsewhere; here are the stops, and all that can be asked or done at one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Self

from attrs import define, field

from compiler.graph.amounts import counted
from compiler.graph.core import (
    Assign,
    Choose,
    Const,
    End,
    Ending,
    Flow,
    Graph,
    Node,
    Value,
    Variable,
)
from compiler.graph.loops import beginnings
from compiler.ops.row import Undefined
from ruleengine.chance import Pools
from ruleengine.closures import Closure
from ruleengine.draws import Draw, Draws
from ruleengine.effects import with_event
from ruleengine.errors import Exposed, Fault, RuleError, Unresolved, Where
from ruleengine.gather import Gather
from ruleengine.knowledge.protocol import Asked, Chosen, Ended, Observer, Revealed, Unsealed
from ruleengine.ondemand import OnDemand
from ruleengine.options import Asking
from ruleengine.pruning import hopeless
from ruleengine.references import References
from ruleengine.results import result_of
from ruleengine.sight import Sight
from ruleengine.statics import Statics, statics_of
from ruleengine.steps import HALT, StepFunction, Steps
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Result,
    Stop,
    Terminal,
)
from ruleengine.table import UNRESOLVED, Table
from ruleengine.terms import Tap, Terms
from ruleengine.triggers import Triggers
from ruleengine.twins import Twins
from ruleengine.whynot import Answer, WhyNot

STEP_LIMIT: Final = 100_000
"""Automatic steps between two stops before a game is said not to go on."""

_NAMED_AT_MOST = 1_000  # steps that are followed to name the nodes of an endless loop


@define(eq=False)
class Interpreter:
    """Plays one graph.

    `eager` gives every hidden token its kind right after a shuffle: the same game, for tests.
    `scenario` lets a phase that was entered directly return to nobody: a `Terminal` without result.
    """

    graph: Graph
    statics: Statics
    references: References
    terms: Terms
    sight: Sight
    twins: Twins
    pools: Pools
    triggers: Triggers
    eager: bool
    scenario: bool
    limit: int
    _steps: Steps
    _functions: OnDemand[StepFunction | None]
    _askings: OnDemand[Asking]
    _actors: OnDemand[Closure]
    _draws: OnDemand[Draw]
    _endings: dict[int, tuple[Ending, Closure]]
    _why: WhyNot = field(repr=False)
    taken: int = field(default=0, init=False)  # steps since it was made, in all its games

    @classmethod
    def of(
        cls,
        graph: Graph,
        *,
        eager: bool = False,
        scenario: bool = False,
        limit: int = STEP_LIMIT,
        prune: bool = True,
        tap: Tap | None = None,
    ) -> Self:
        """That of a graph; without `prune` every subset of a domain is tried.

        `tap` is told of the cases of functions that are used.
        """
        statics = statics_of(graph)
        references = References.of(statics)
        terms = Terms(statics, references, hopeless if prune else None, tap)
        sight = Sight.of(terms)
        twins = Twins(statics, references, sight)
        pools = Pools(statics)
        triggers = Triggers.of(terms, sight)
        steps = Steps.of(terms, sight, pools, triggers)
        draws = Draws(statics, steps, twins, pools)
        nodes = graph.nodes
        askings = OnDemand(lambda at: Asking.of(nodes[at], terms, twins, prune))
        return cls(
            graph,
            statics,
            references,
            terms,
            sight,
            twins,
            pools,
            triggers,
            eager,
            scenario,
            limit,
            steps,
            OnDemand(lambda at: steps.of_node(nodes[at], eager)),
            askings,
            OnDemand(lambda at: askings[at].scope.term(askings[at].step.actor)),
            OnDemand(lambda at: draws.of_node(nodes[at])),
            _endings(graph, terms),
            WhyNot(terms, twins),
        )

    # ---- beginning

    def start(self) -> Table:
        """A table before the first step of a game."""
        table = self.statics.new_table()
        with self._blaming(table):
            self.triggers.arm(table)
        return table

    def prepared(self) -> Table:
        """A table as the givens and first values leave it: an open given has its first value."""
        table = self.statics.new_table()
        while not isinstance(self.graph.nodes[table.node].step, Flow):
            function = self._functions[table.node]
            if function is None:
                draw = self._draws[table.node]
                draw.apply(table, draw.odds(table)[0], None)
                table.node = draw.node.next[0]
            else:
                table.node = function(table, None)
        return table

    def enter(
        self, table: Table, phase: str, args: tuple[Value, ...] = (), within: int | None = None
    ) -> None:
        """Makes a table stand at the beginning of a phase, called by nobody; nothing has fired.

        `within`: at that node of the phase instead, whose locals have the values they begin with;
        the loops around it are in their first round.
        """
        called = self.graph.phase(phase)
        table.stack.clear()
        table.in_trigger = False
        table.node = called.entry
        with self._blaming(table):
            for parameter, value in zip(called.params, args, strict=True):
                self._steps.assigns.store(table, parameter, self.statics.offset(parameter), value)
            if within is not None:
                self._begin_locals(table, phase)
                for node in beginnings(self.graph, within):
                    self._run_one(table, node)
                table.node = within
            self.triggers.arm(table)

    def _begin_locals(self, table: Table, phase: str) -> None:
        """Runs the assignments to locals that a phase begins with."""
        while True:
            step, function = self.graph.nodes[table.node].step, self._functions[table.node]
            if function is None or not isinstance(step, Assign):
                return
            if not isinstance(step.target, Variable) or step.target.phase != phase:
                return
            table.node = function(table, None)

    def _run_one(self, table: Table, node: int) -> None:
        """Runs the step of a node that is no stop."""
        function = self._functions[node]
        if function is not None:
            function(table, None)

    def script(self, table: Table, place: int, sorts: tuple[int, ...]) -> None:
        """Gives the first tokens of a place just shuffled these sorts, from the top."""
        cells = table.cells[place][: len(sorts)]
        with self._blaming(table):
            if len(cells) < len(sorts):
                held = counted(len(cells), "token")
                raise Fault(f"{self.graph.places[place].label} has only {held}")
            for token, sort in zip(cells, sorts, strict=True):
                if table.kind[token] == UNRESOLVED:
                    self.pools.resolve(table, token, sort)
                elif self.statics.sort(table, token) != sort:
                    raise Fault(f"{self.graph.places[place].label} is not in an unknown order")

    def watch(self, node: int, look: Callable[[Table], None]) -> None:
        """From now on, `look` sees the table after the step of a node that is no stop."""
        function = self._functions[node]
        if function is None:
            raise ValueError(f"node {node} is a stop")
        step = function

        def watched(table: Table, observer: Observer | None) -> int:
            then = step(table, observer)
            look(table)
            return then

        self._functions[node] = watched

    # ---- running

    def advance(self, table: Table, observer: Observer | None = None) -> Stop:
        """Runs to the next stop.

        A decision is told to the observer each time it is reached, so call this once per answer.
        Raises `RuleError` where the spec is at fault.
        """
        functions = self._functions
        stop = self._uncover(table, observer)
        for _ in range(self.limit):
            if stop is not None:
                return stop
            node = table.node
            self.taken += 1
            try:
                function = functions[node]
                if function is None:
                    then = self._halt(table, observer)
                else:
                    then = function(table, observer)
                if not isinstance(then, int):
                    return then
                if then == HALT:
                    return self._returned(table)
                table.node = then
            except Unresolved as unresolved:
                stop = self._settle(table, self._read_set(table, unresolved.token), observer)
            except Exposed as shown:
                stop = self._settle(table, shown.tokens, observer)
                if table.node != node:  # a shuffle is done, and what it left open remains
                    stop = stop or self._uncover(table, observer)
            except (Undefined, Fault) as fault:
                raise _rule_error(fault, self.graph.nodes[node]) from fault
        if stop is not None:
            return stop
        raise self._endless(table)

    def _halt(self, table: Table, observer: Observer | None) -> Stop | int:
        """At a step where a game may wait: the stop, or the node that comes next without one."""
        node = self.graph.nodes[table.node]
        if isinstance(node.step, Choose):
            if not node.step.joint:
                return self._ask(table, node, node.step, observer)
            return self._ask_all(table, node, node.step, observer)
        if isinstance(node.step, Flow):
            return self._end(table, observer)
        return self._chance(table, self._draws[node.id], observer)

    def _returned(self, table: Table) -> Terminal:
        if self.scenario:
            return Terminal(table.node, None)
        raise RuleError("a phase ends that nobody called", Where.of(self.graph.nodes[table.node]))

    def _endless(self, table: Table) -> RuleError:
        """Names the nodes that a game goes round in."""
        seen: dict[int, None] = {}
        for _ in range(_NAMED_AT_MOST):
            seen[table.node] = None
            function = self._functions[table.node]
            if function is None:
                break
            table.node = function(table, None)
        nodes = tuple(Where.of(self.graph.nodes[at]) for at in sorted(seen))
        message = f"{self.limit} steps without a decision, a draw or an end"
        return RuleError(message, nodes[0], nodes=nodes)

    # ---- decisions

    def _seats(self, table: Table, node: Node) -> tuple[int, ...]:
        """The seats that a decision asks."""
        actor = self._actors[node.id](table)
        listed = actor if isinstance(actor, tuple) else (actor,)
        if None in listed:
            raise Fault("`none` where a player must choose")
        return tuple(seat for seat in listed if isinstance(seat, int))

    def _seat(self, table: Table, node: Node) -> int:
        """The seat that a decision of one asks."""
        seats = self._seats(table, node)
        if not seats:
            raise Fault("`none` where a player must choose")
        return seats[0]

    def _ask(self, table: Table, node: Node, step: Choose, observer: Observer | None) -> Stop | int:
        seat = self._seat(table, node)
        choices = self._askings[node.id].choices(table, seat)
        if step.has_otherwise and all(choice.option is None for choice in choices):
            return node.next[-1]
        if not choices:
            raise Fault("a decision without a legal option, and no `otherwise`")
        with_event(observer, table, Asked(node.id, (seat,)), (), _nothing)
        return Decision(node.id, seat, choices)

    def _ask_all(
        self, table: Table, node: Node, step: Choose, observer: Observer | None
    ) -> Stop | int:
        seats = self._seats(table, node)
        asking = self._askings[node.id]
        waiting = [seat for seat in seats if not asking.has_picked(table, seat)]
        fresh = len(waiting) == len(seats)
        found: dict[int, tuple[Choice, ...]] = {}
        for seat in waiting:
            choices = asking.choices(table, seat)
            if choices:
                found[seat] = choices
            elif step.has_otherwise:
                asking.pick(table, seat, len(step.options) + step.optional)
            else:
                raise Fault("a decision without a legal option, and no `otherwise`")
        if not found:
            with_event(observer, table, Unsealed(node.id, seats), (), _nothing)
            return node.next[0]
        if fresh:
            with_event(observer, table, Asked(node.id, seats), (), _nothing)
        return JointDecision(node.id, tuple(found), tuple(found.values()))

    def options(self, table: Table, seat: int | None = None) -> tuple[Choice, ...]:
        """The legal options at a decision, in canonical order; `decline` last.

        `seat` names who is asked in a joint decision.  Elsewhere than at a decision there are none.
        """
        if not self._asks(table):
            return ()
        asking = self._askings[table.node]
        with self._blaming(table):
            who = self._seat(table, asking.node) if seat is None else seat
            return asking.choices(table, who)

    def asking(self, node: int) -> Asking:
        """The decision at a node; `ValueError` if there is none."""
        return self._askings[node]

    def _asks(self, table: Table) -> bool:
        """Whether a table stands at a decision."""
        return isinstance(self.graph.nodes[table.node].step, Choose)

    def choose(self, table: Table, choice: Choice, observer: Observer | None = None) -> None:
        """Takes an option that `options` or the stop offered on this table."""
        if not self._asks(table) or choice.node != table.node:
            raise ValueError("this choice belongs to another decision")
        asking = self._askings[table.node]
        node, step = asking.node, asking.step
        event = Chosen(node.id, choice.seat, choice.option, choice.values, step.joint)
        with self._blaming(table):
            with_event(observer, table, event, (), lambda: self._take(table, step, choice))
            if not step.joint:
                decline = len(step.options)
                table.node = node.next[decline if choice.option is None else choice.option]
                return
            seats = self._seats(table, node)
            if all(asking.has_picked(table, seat) for seat in seats):
                with_event(observer, table, Unsealed(node.id, seats), (), _nothing)
                table.node = node.next[0]

    def _take(self, table: Table, step: Choose, choice: Choice) -> None:
        if choice.option is not None:
            slots = step.options[choice.option].slots
            keys = (choice.seat,) if step.joint else ()
            for slot, value in zip(slots, choice.values, strict=True):
                at = self.statics.slots[slot.local].at(keys, table.in_trigger)
                if at is None:
                    raise Fault("a joint decision asks somebody who has no place for his pick")
                self._steps.assigns.store(table, slot.local, at, value)
        if step.joint:
            position = len(step.options) if choice.option is None else choice.option
            self._askings[choice.node].pick(table, choice.seat, position)

    def why_not(
        self, table: Table, name: str, values: tuple[Value, ...] = (), seat: int | None = None
    ) -> Answer:
        """Whether an answer is legal at this decision, and what refuses it if not."""
        if not self._asks(table):
            raise ValueError("nobody is asked here")
        asking = self._askings[table.node]
        with self._blaming(table):
            who = self._seat(table, asking.node) if seat is None else seat
            return self._why.ask(table, asking, who, name, values)

    # ---- chance

    def _chance(self, table: Table, draw: Draw, observer: Observer | None) -> Stop | int:
        odds = draw.odds(table)
        if table.pools:
            for outcome in odds if draw.may_expose else ():
                trial = table.copy()
                draw.apply(trial, outcome, None)
                self.triggers.foresee(trial, table, draw.watch)
        if len(odds) > 1:
            return ChanceStop(draw.node.id, odds)
        draw.apply(table, odds[0], observer)
        return self.triggers.after(table, draw.watch, draw.node.next[0])

    def draw(self, table: Table, outcome: Outcome, observer: Observer | None = None) -> None:
        """Lets chance decide so."""
        if outcome.node != table.node:
            raise ValueError("this outcome belongs to another stop")
        with self._blaming(table):
            if outcome.settles is not None:
                self._resolve(table, outcome.settles, outcome.value, observer)
                return
            draw = self._draws[table.node]
            draw.apply(table, outcome, observer)
            table.node = self.triggers.after(table, draw.watch, draw.node.next[0])

    def _uncover(self, table: Table, observer: Observer | None) -> ChanceStop | None:
        """Gives what lies open its kinds: the first stop on the way, if any."""
        while exposed := self._steps.exposed(table, self.eager):
            stop = self._settle(table, exposed, observer)
            if stop is not None:
                return stop
        return None

    def _settle(
        self, table: Table, tokens: list[int], observer: Observer | None
    ) -> ChanceStop | None:
        """Gives the first of these tokens its kind, if chance has no choice; else the stop."""
        odds = self.pools.odds(table, tokens[0])
        if len(odds) > 1:
            return ChanceStop(table.node, odds)
        self._resolve(table, tokens[0], odds[0].value, observer)
        return None

    def _resolve(self, table: Table, token: int, sort: Value, observer: Observer | None) -> None:
        if not isinstance(sort, int):
            raise Fault("a hidden token cannot be of no kind")
        if observer is not None and self.sight.watches(table, token):
            with_event(
                observer,
                table,
                Revealed(table.node, token),
                (),
                lambda: self.pools.resolve(table, token, sort),
            )
        else:
            self.pools.resolve(table, token, sort)

    def _read_set(self, table: Table, token: int) -> list[int]:
        """All unresolved tokens that the step at hand would read, in place order."""
        node = self.graph.nodes[table.node]
        gather = Gather(self.terms, table, {token: None})
        seats: tuple[int, ...] = ()
        if isinstance(node.step, Choose):
            gather.term(node.step.actor, {})
            try:
                seats = self._seats(table, node)
            except Unresolved:
                seats = ()  # who is asked depends on it
        gather.step(node.step, seats)
        return self.references.listed(table, list(gather.found))

    # ---- the end

    def _end(self, table: Table, observer: Observer | None) -> Terminal:
        result = self._result(table)
        ended = self.statics.offset(self.graph.ended)
        if table.values[ended]:
            return Terminal(table.node, result)

        def happen() -> None:
            table.values[ended] = True
            table.stack.clear()
            table.fired = 0

        with_event(observer, table, Ended(table.node), (), happen)
        return Terminal(table.node, result)

    def outcome(self, table: Table) -> Result | None:
        """The result of a game that has ended; `None` while it goes on."""
        if table.node not in self._endings:
            return None
        with self._blaming(table):
            return self._result(table)

    def _result(self, table: Table) -> Result:
        ending, value = self._endings[table.node]
        players = table.values[self.statics.offset(self.graph.players)]
        listed = players if isinstance(players, tuple) else ()
        still_in = tuple(seat for seat in listed if isinstance(seat, int))
        return result_of(ending, value(table), still_in, self.graph.seats)

    # ---- errors

    @contextmanager
    def _blaming(self, table: Table) -> Iterator[None]:
        """Says at which node a check failed."""
        try:
            yield
        except (Undefined, Fault) as fault:
            raise _rule_error(fault, self.graph.nodes[table.node]) from fault
        except (Unresolved, Exposed) as hidden:
            message = "this needs to know a token that nobody has seen"
            raise RuleError(message, Where.of(self.graph.nodes[table.node])) from hidden


def _nothing() -> None:
    """What asking changes on the table."""


def _rule_error(fault: Undefined | Fault, node: Node) -> RuleError:
    span = fault.span if isinstance(fault, Fault) else None
    return RuleError(str(fault), Where.of(node), span)


def _endings(graph: Graph, terms: Terms) -> dict[int, tuple[Ending, Closure]]:
    found: dict[int, tuple[Ending, Closure]] = {}
    for node in graph.nodes:
        match node.step:
            case Flow(End(ending, value)):
                term = Const(None) if value is None else value
                found[node.id] = (ending, terms.closed(term))
            case _:
                pass
    return found
