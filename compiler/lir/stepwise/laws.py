"""Invariants, asked at stops and where phases begin: the machine stops where one is broken.

What depends on cards that nobody has seen is neither kept nor broken.
"""

from typing import Final

from attrs import define

from compiler.graph.core import Call, Choose, Flow, Invariant, Jump, Node
from compiler.lir.build import both, negate
from compiler.lir.core import Function, Trap
from compiler.lir.stepwise.code import Code, function, is_, put_word, word
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.terms import Terms

BROKEN: Final = 11
"""Trap: an invariant does not hold."""


@define(eq=False)
class Laws:
    """The invariants of one graph; none of them if nobody asks."""

    plan: Plan
    terms: Terms  # which note what is unseen, in `doubt`
    wanted: bool

    @property
    def _laws(self) -> tuple[Invariant, ...]:
        return self.plan.graph.invariants if self.wanted else ()

    def functions(self) -> tuple[Function, ...]:
        """One that asks all that hold at every stop, one for those at decisions, one for each."""
        at_stops = [n for n, law in enumerate(self._laws) if _at_stops(law)]
        at_decisions = [n for n, law in enumerate(self._laws) if law.at_phase is None]
        asked = {"laws_at_stops": at_stops, "laws_at_decisions": at_decisions}
        return (
            *(
                function(name, (), lambda code, some=some: self._ask(code, some), gives=None)
                for name, some in asked.items()
            ),
            *(
                function(f"law{n}", (), lambda code, law=law: self._law(code, law), gives=None)
                for n, law in enumerate(self._laws)
            ),
        )

    def _ask(self, code: Code, numbers: list[int]) -> None:
        for number in numbers:
            code.do(f"law{number}")

    def _law(self, code: Code, law: Invariant) -> None:
        assert self.terms.doubt is not None
        for fact in law.facts:
            code.put(put_word(self.terms.doubt, 0))
            holds = code.keep(self.terms.of(code).test(fact.term))
            sure = is_(word(self.terms.doubt), 0)
            with code.when(both(sure, negate(holds))) as broken:
                broken.put(Trap(BROKEN))

    def at_stop(self, code: Code, node: Node) -> None:
        """Asks at a node where a game may wait."""
        if self._laws:
            decides = isinstance(node.step, Choose)
            code.do("laws_at_decisions" if decides else "laws_at_stops")

    def at_draw(self, code: Code) -> None:
        """Asks where chance is about to decide what a hidden card is."""
        if self._laws:
            code.do("laws_at_stops")

    def begun(self, code: Code, node: Node) -> None:
        """Asks what holds where a phase begins, at the step that calls it."""
        match node.step:
            case Flow(Call(phase) | Jump(phase)):
                for number, law in enumerate(self._laws):
                    if law.at_phase == phase:
                        code.do(f"law{number}")
            case _:
                pass


def _at_stops(law: Invariant) -> bool:
    return law.at_phase is None and not law.at_decisions
