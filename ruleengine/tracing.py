"""Where games went in the graph: the nodes they came to, one after the other.

A tracer watches the automatic steps of an interpreter; stops are told to it by who plays.  Its path
is laid over charts: as counts of many games, or as the trail of one.
"""

from collections import Counter
from collections.abc import Iterator

from attrs import Factory, define, frozen

from compiler.flowchart.model import Way
from compiler.flowchart.overlay import Passages
from compiler.graph.core import Call, Chance, Choose, End, Flow, Graph, Jump, Node, Step
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.interpreter import Interpreter
from ruleengine.match import Move, random_match
from ruleengine.record import Answered, Happened, Record, RecordError, replay
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Outcome, Stop
from ruleengine.table import Table


@frozen
class Visit:
    """A node that a game came to; at a decision with the position of the way that was picked."""

    node: int
    picked: int | None = None


@define(eq=False)
class Tracer:
    """The nodes that a game came to, in order."""

    graph: Graph
    _seen: list[Visit] = Factory(list)

    @classmethod
    def of(cls, interpreter: Interpreter) -> "Tracer":
        """One that from now on sees every automatic step of an interpreter."""
        tracer = cls(interpreter.graph)
        for node in interpreter.graph.nodes:
            if not _stops(node):
                interpreter.watch(node.id, tracer._stepped)
        return tracer

    def _stepped(self, table: Table) -> None:
        self._seen.append(Visit(table.node))

    def stopped(self, _table: Table, stop: Stop, move: Move | None) -> None:
        """Is told what is done at a stop; `None` at the end."""
        if isinstance(move, Outcome) and move.settles is not None:
            return  # a hidden card shows its face: no step of the rules
        if isinstance(stop, JointDecision) and self._seen and self._seen[-1].node == stop.node:
            return  # another seat gives its answer
        picked = None
        step = self.graph.nodes[stop.node].step
        if isinstance(move, Choice) and isinstance(step, Choose) and not step.joint:
            picked = len(step.options) if move.option is None else move.option
        self._seen.append(Visit(stop.node, picked))

    @property
    def visits(self) -> Iterator[Visit]:
        """All nodes in order, also those of chance and choices that left nothing to decide."""
        for at, visit in enumerate(self._seen):
            yield visit
            if at + 1 < len(self._seen):
                passed = self._passed(visit, self._seen[at + 1].node)
                yield from map(Visit, passed)

    def _passed(self, visit: Visit, then: int) -> list[int]:
        """The nodes between two, at which a game would have waited had there been a choice."""
        node = self.graph.nodes[visit.node]
        ahead = [node.next[visit.picked]] if visit.picked is not None else self._ahead(node)
        paths = [[first] for first in ahead]
        if then in ahead:
            return []
        while paths:
            path = paths.pop(0)
            last = self.graph.nodes[path[-1]]
            if not _stops(last):
                continue
            if then in last.next:
                return path
            paths += [[*path, following] for following in last.next if following not in path]
        return []

    def _ahead(self, node: Node) -> list[int]:
        match node.step:
            case Flow(Call(phase) | Jump(phase)):
                return [self.graph.phase(phase).entry]
            case _:
                return list(node.next)

    @property
    def path(self) -> tuple[Way, ...]:
        """The ways gone along, in order."""
        return tuple(self._ways(list(self.visits)))

    @property
    def passages(self) -> Passages:
        """How often each node was come to and each way gone."""
        visits = list(self.visits)
        return Passages(Counter(visit.node for visit in visits), Counter(self._ways(visits)))

    def _ways(self, visits: list[Visit]) -> Iterator[Way]:
        following = [*(visit.node for visit in visits[1:]), None]
        for visit, then in zip(visits, following, strict=True):
            node = self.graph.nodes[visit.node]
            if visit.picked is not None:
                yield Way(node.id, visit.picked)
            elif len(node.next) == 1 or _leads_on(node.step):
                yield Way(node.id, 0)
            elif then in node.next:
                yield Way(node.id, node.next.index(then))


def _leads_on(step: Step) -> bool:
    return isinstance(step, Flow) and isinstance(step.way, Call | Jump)


def _stops(node: Node) -> bool:
    """Whether a game may wait at a node."""
    step = node.step
    ends = isinstance(step, Flow) and isinstance(step.way, End)
    return ends or isinstance(step, Chance | Choose)


def played(game: Instance, games: int, seed: int) -> Tracer:
    """The nodes that games of uniform random players came to, one game after the other."""
    watched, tracer = _watched(game)
    for number in range(games):
        random_match(watched, seed, number, watching=tracer.stopped)
    return tracer


def misfit(game: Instance, record: Record, error: RecordError) -> RecordError:
    """What is wrong with a line that does not fit, with what fits there."""
    try:
        replay(game, record)
    except RecordError as told:
        return told
    return error


def recorded(game: Instance, record: Record, steps: int | None = None) -> tuple[Tracer, int]:
    """The nodes that a recorded game came to, and the one where it stands after so many steps.

    That is the node where the rules break down, if they do.  Raises `RecordError` where a line does
    not fit.
    """
    watched, tracer = _watched(game)
    machine = watched.interpreter
    table = machine.start()
    stop = machine.advance(table, watched.knowledge)
    for step in record.steps[:steps]:
        match step, stop:
            case Answered(seat, words), Decision() | JointDecision():
                choice = game.answers.find(table, _choices(stop, seat), words)
                if choice is None:
                    raise RecordError(step.line, f"`{step}` does not fit")
                tracer.stopped(table, stop, choice)
                machine.choose(table, choice, watched.knowledge)
            case Happened(words), ChanceStop(outcomes=odds):
                outcome = game.wording.find_outcome(odds, words)
                if outcome is None:
                    raise RecordError(step.line, f"`{step}` does not fit")
                tracer.stopped(table, stop, outcome)
                machine.draw(table, outcome, watched.knowledge)
            case _:
                raise RecordError(step.line, f"`{step}` does not fit")
        try:
            stop = machine.advance(table, watched.knowledge)
        except RuleError:
            return tracer, table.node
    tracer.stopped(table, stop, None)
    return tracer, stop.node


def _choices(stop: Decision | JointDecision, seat: int) -> tuple[Choice, ...]:
    if isinstance(stop, Decision):
        return stop.choices if stop.seat == seat else ()
    return stop.of(seat) if seat in stop.seats else ()


def _watched(game: Instance) -> tuple[Instance, Tracer]:
    """The same game with an interpreter of its own, and what watches that."""
    watched = Instance.of(game.compiled)
    return watched, Tracer.of(watched.interpreter)
