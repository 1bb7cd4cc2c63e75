"""One game as a program: lowered from its first stop, and compiled for each machine once."""

import struct
from collections.abc import Iterator
from functools import cached_property

from attrs import define, evolve, field

from compiler.analysis.liveness import liveness
from compiler.collecting import uncollected
from compiler.graph.core import Graph
from compiler.lir.core import Data
from compiler.lir.exploring.stepping import Stepping, stepping
from compiler.lir.exploring.woven import Woven, woven
from compiler.lir.program import Resumed, Start, playing, resuming
from compiler.lir.reps import Unsupported
from compiler.lir.stepwise.ending import is_mixed
from compiler.lir.stepwise.program import Openings, Stepwise, stepwise
from compiler.lir.telling import Games
from ruleengine.compiled.make import Made, Which, make_machine
from ruleengine.compiled.openings import Opening, opened
from ruleengine.compiled.working import Working
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.packing import Packing
from ruleengine.stops import Terminal


@define(eq=False)
class Lowered:
    """The program that plays one game at random, made when it is first asked for, and kept."""

    interpreter: Interpreter = field(repr=False)
    packing: Packing = field(repr=False)
    _made: dict[Which, Made] = field(factory=dict, init=False)

    @property
    def games(self) -> Games:
        """The program; `Unsupported` says why there is none."""
        found = self._found
        if isinstance(found, Unsupported):
            raise Unsupported(str(found))
        return found

    @property
    def refusal(self) -> str | None:
        """Why there is no program; `None` if there is one."""
        found = self._found
        return str(found) if isinstance(found, Unsupported) else None

    @uncollected
    def made(self, which: Which) -> Made:
        """The program, compiled for a machine; `Unsupported`, or `Unavailable` on this computer."""
        if which not in self._made:
            self._made[which] = make_machine(self.games.program, which)
        return self._made[which]

    @cached_property
    def resumed(self) -> Resumed:
        """The program that plays on from any stop; `Unsupported` says why there is none."""
        graph = self.interpreter.graph
        _refuse_mixed(graph)
        return resuming(self.packing.layout, liveness(graph), self._start())

    @cached_property
    def moves(self) -> Woven:
        """The moves from stop to stop, woven; `Unsupported` says why there are none."""
        graph = self.interpreter.graph
        _refuse_mixed(graph)
        return woven(self.packing.layout, liveness(graph), self._start())

    @cached_property
    def stepping(self) -> Stepping:
        """The moves from stop to stop, node by node; `Unsupported` says why there are none."""
        graph = self.interpreter.graph
        return stepping(graph, liveness(graph), self.packing.layout)

    @cached_property
    def knowing_stepping(self) -> Stepping:
        """The same, which keeps what everybody knows."""
        graph = self.interpreter.graph
        return stepping(graph, liveness(graph), self.packing.layout, knowing=True)

    @cached_property
    def lawful_stepping(self) -> Stepping:
        """The moves, stopping where an invariant is broken.

        What invariants and claims read is not forgotten, so that situations may differ by it.
        """
        graph = self.interpreter.graph
        asked = [fact.term for law in graph.invariants for fact in law.facts]
        asked += [claim.term for claim in graph.claims]
        return stepping(graph, liveness(graph, asked), self.packing.layout, lawful=True)

    @cached_property
    def stepwise(self) -> Stepwise:
        """The program that goes node by node; `Unsupported` says why there is none."""
        return self._begun(lawful=False)

    @cached_property
    def lawful(self) -> Stepwise:
        """The same, which stops where an invariant is broken."""
        return self._begun(lawful=True)

    @cached_property
    def knowing(self) -> Stepwise:
        """The program that goes node by node and keeps what everybody knows."""
        return self._begun(lawful=False, knowing=True)

    def _begun(self, *, lawful: bool, knowing: bool = False) -> Stepwise:
        """A program whose games begin at the beginning."""
        graph = self.interpreter.graph
        try:
            table = self.interpreter.start()
        except RuleError as error:
            raise Unsupported("its rules break down before anybody decides") from error
        # Laws are asked at the first stop too, so that nothing is passed over where they count.
        interpreter = self.interpreter
        observer = Knowledge.of(interpreter.terms, interpreter.sight) if knowing else None
        openings = () if lawful else opened(interpreter, observer)
        known = self.packing.layout if knowing else None
        found = stepwise(graph, liveness(graph), lawful=lawful, openings=len(openings), known=known)
        working = Working(found.plan, self.interpreter.statics)
        begin = Data(found.plan.image, working.write(table))
        program = found.games.program
        program = evolve(
            program, data=(*program.data, begin, *_written(openings, found.openings, working))
        )
        return evolve(found, games=evolve(found.games, program=program))

    @cached_property
    @uncollected
    def _found(self) -> Games | Unsupported:
        """The woven program, or else the one that goes node by node."""
        if isinstance(self._woven, Games):
            return self._woven
        try:
            return self.stepwise.games
        except Unsupported as unsupported:
            return unsupported

    @property
    def refused_to_weave(self) -> str | None:
        """Why the program is not woven; `None` if it is."""
        return None if isinstance(self._woven, Games) else str(self._woven)

    @cached_property
    def _woven(self) -> Games | Unsupported:
        graph = self.interpreter.graph
        try:
            _refuse_mixed(graph)
            return playing(self.packing.layout, liveness(graph), self._start())
        except Unsupported as unsupported:
            return unsupported

    def _start(self) -> Start:
        """Where every game first stops: nothing is drawn and nobody is asked before."""
        interpreter = self.interpreter
        before = interpreter.taken
        try:
            table = interpreter.start()
            stop = interpreter.advance(table)
        except RuleError as error:
            raise Unsupported("its rules break down before anybody decides") from error
        if isinstance(stop, Terminal):
            raise Unsupported("a game that is over before anybody decides")
        statics = interpreter.statics
        values = tuple(
            ((variable, 0, at), table.values[statics.slots[variable].first + at])
            for variable in statics.variables
            for at in range(variable.size)
        )
        taken = interpreter.taken - before - 1  # the stop itself is counted where it is answered
        return Start(table.node, tuple(table.stack), values, self.packing.pack(table), taken)


def _written(openings: tuple[Opening, ...], where: Openings, working: Working) -> Iterator[Data]:
    """The tables of openings where a program looks for them."""
    if openings:
        steps = [opening.steps for opening in openings]
        yield Data(where.count, struct.pack("<i", len(openings)))
        yield Data(where.steps, struct.pack(f"<{len(steps)}i", *steps))
    for number, opening in enumerate(openings):
        yield Data(where.tables + number * where.stride, working.write(opening.table))


def _refuse_mixed(graph: Graph) -> None:
    """Does not weave games of which some endings have scores and others have none."""
    if is_mixed(graph):
        raise Unsupported("scores at some ends and not at others")
