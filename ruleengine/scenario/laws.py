"""The invariants of a spec while its scenarios run: at stops, and where phases begin."""

from collections.abc import Callable, Sequence

from attrs import define, field

from compiler.graph.core import Call, Flow, Invariant, Jump
from ruleengine.closures import Closure
from ruleengine.errors import RuleError, Unresolved
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table


@define(eq=False)
class Laws:
    """Looks at the tables of one interpreter; raises `RuleError` where an invariant is broken.

    One that the given position breaks already is `unchecked` for that scenario.
    """

    _facts: dict[Invariant, Sequence[Closure]]
    _unchecked: set[Invariant] = field(factory=set)

    @classmethod
    def of(cls, interpreter: Interpreter) -> "Laws":
        """Those of an interpreter, which from now on tells where phases begin."""
        laws = cls(
            {
                invariant: [interpreter.terms.closed(fact.term) for fact in invariant.facts]
                for invariant in interpreter.graph.invariants
            }
        )
        for invariant in interpreter.graph.invariants:
            for node in interpreter.graph.nodes:
                match node.step:
                    case Flow(Call(phase) | Jump(phase)) if phase == invariant.at_phase:
                        interpreter.watch(node.id, laws._looking(invariant))
                    case _:
                        pass
        return laws

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The titles of the invariants that the given position breaks."""
        return tuple(invariant.title for invariant in self._facts if invariant in self._unchecked)

    def begin(self) -> None:
        """A scenario begins: all invariants are to be kept."""
        self._unchecked.clear()

    def given(self, table: Table) -> None:
        """Looks at a given position."""
        self._unchecked |= {law for law in self._facts if self._is_broken(law, table)}

    def look(self, table: Table, stop: Stop) -> None:
        """Looks at a stop."""
        if isinstance(stop, Terminal) and stop.result is None:
            return
        asks = isinstance(stop, Decision | JointDecision)
        for invariant in self._facts:
            if invariant.at_phase is None and (asks or not invariant.at_decisions):
                self._hold(invariant, table)

    def _looking(self, invariant: Invariant) -> Callable[[Table], None]:
        return lambda table: self._hold(invariant, table)

    def _hold(self, invariant: Invariant, table: Table) -> None:
        if invariant not in self._unchecked and self._is_broken(invariant, table):
            message = f"the invariant “{invariant.title}” is broken"
            raise RuleError(message, span=invariant.span)

    def _is_broken(self, invariant: Invariant, table: Table) -> bool:
        """Whether a fact is false; what depends on cards nobody has seen is neither."""
        for fact in self._facts[invariant]:
            try:
                if not fact(table):
                    return True
            except Unresolved:
                continue
        return False
