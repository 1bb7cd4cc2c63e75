"""One game as a program: lowered from its first stop, and compiled for each machine once."""

from functools import cached_property

from attrs import define, field

from compiler.analysis.liveness import liveness
from compiler.graph.core import End, Ending, Flow, Graph
from compiler.lir.program import Games, Resumed, Start, playing, resuming
from compiler.lir.reps import Unsupported
from ruleengine.compiled.make import Made, Which, make_machine
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
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

    def made(self, which: Which) -> Made:
        """The program, compiled for a machine; `Unsupported`, or `Unavailable` on this computer."""
        if which not in self._made:
            self._made[which] = make_machine(self.games.program, which)
        return self._made[which]

    @cached_property
    def resumed(self) -> Resumed:
        """The program that plays on from any stop; `Unsupported` says why there is none."""
        graph = self.interpreter.graph
        _alike(graph)
        return resuming(self.packing.layout, liveness(graph), self._start())

    @cached_property
    def _found(self) -> Games | Unsupported:
        try:
            graph = self.interpreter.graph
            _alike(graph)
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


def _alike(graph: Graph) -> None:
    """Refuses games of which some endings have scores and others have none."""
    steps = [node.step for node in graph.nodes]
    ends = {
        step.way.ending for step in steps if isinstance(step, Flow) and isinstance(step.way, End)
    }
    if Ending.SCORES in ends and len(ends) > 1:
        raise Unsupported("scores at some ends and not at others")
