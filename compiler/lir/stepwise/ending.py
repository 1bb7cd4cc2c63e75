"""The end of a game: who has won, whether it is a draw, the scores if there are any."""

from attrs import define, frozen

from compiler.graph.core import End, Ending, Flow, Graph, Read, Term
from compiler.lir.build import binary, choice, num
from compiler.lir.core import Expr, Op
from compiler.lir.reps import NONE, UNDEFINED
from compiler.lir.stepwise.code import Code, call, differ, is_, joined, put_word
from compiler.lir.stepwise.lists import element, elements, size
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.terms import Terms, seat_mask
from compiler.types import Int, present
from compiler.types import element as element_type


@frozen
class Outcome:
    """Where the end of a game is written: winners as a mask, whether it is a draw, scores."""

    winners: int
    draw: int
    scores: int
    unscored: int  # whether this end has no scores, though others have


@define(eq=False)
class EndSteps:
    """The ends of one graph; `scored` if one has scores, none of which is below `low`.

    `mixed` if others have none.
    """

    plan: Plan
    terms: Terms
    outcome: Outcome
    scored: bool = False
    low: int = 0

    def step(self, code: Code, way: End) -> None:
        """Writes how the game ended."""
        reader = self.terms.of(code)
        if self.mixed:
            self._tell_scored(code, way)
        if way.ending is Ending.DRAW or way.value is None:
            still_in = self.plan.graph.players
            players = code.keep(seat_mask(reader, Read(still_in, (), type=still_in.type)))
            code.put(put_word(self.outcome.winners, players), put_word(self.outcome.draw, 1))
            return
        if way.ending is Ending.WINNERS:
            winners = code.keep(seat_mask(reader, way.value))
            code.trap_if(is_(winners, 0), UNDEFINED)
            self._won(code, winners)
            return
        if way.ending is Ending.RANKING:
            self._ranked(code, reader.listed(way.value))
            return
        self._by_score(code, reader.listed(way.value), way.value)

    @property
    def mixed(self) -> bool:
        """Whether some ends have scores and others have none."""
        return is_mixed(self.plan.graph)

    def _tell_scored(self, code: Code, way: End) -> None:
        unscored = way.ending is not Ending.SCORES or way.value is None
        code.put(put_word(self.outcome.unscored, unscored))
        if unscored:
            for seat in range(self.plan.graph.seats):
                code.put(put_word(self.outcome.scores, 0, seat))

    def _ranked(self, code: Code, groups: Expr) -> None:
        """The first group that is not empty has won."""
        seats = self.plan.graph.seats
        pointer = code.keep(groups)
        winners = code.local("winners", 0)
        with elements(code, pointer) as (each, group):
            with elements(each, group) as (inside, seat):
                one = binary(Op.SHL, num(1), seat)
                inside.set(winners, joined(winners, one))
            with each.when(differ(winners, 0)) as found:
                each.leave_from(found)
        with code.when(is_(winners, 0)) as nobody:
            nobody.set(winners, (1 << seats) - 1)
        self._won(code, winners)

    def _by_score(self, code: Code, scores: Expr, term: Term) -> None:
        seats = self.plan.graph.seats
        pointer = code.keep(scores)
        code.trap_if(differ(size(pointer), seats), UNDEFINED)
        best = code.keep(call("list_max", pointer))
        winners = code.local("winners", 0)
        for seat in range(seats):
            score = code.keep(element(pointer, seat))
            code.trap_if(is_(score, NONE), UNDEFINED)
            code.put(put_word(self.outcome.scores, score, seat))
            mine = choice(is_(score, best), num(1 << seat), num(0))
            code.set(winners, joined(winners, mine))
        self._won(code, winners)
        self.scored = True
        self.low = min(self.low, _lowest(term))

    def _won(self, code: Code, winners: Expr) -> None:
        """Writes a mask of winners; where all of several have won, it is a draw."""
        seats = self.plan.graph.seats
        everyone = is_(winners, (1 << seats) - 1)
        code.put(put_word(self.outcome.winners, winners))
        code.put(put_word(self.outcome.draw, everyone if seats > 1 else 0))


def is_mixed(graph: Graph) -> bool:
    """Whether some ends of a game have scores and others have none."""
    steps = [node.step for node in graph.nodes]
    ends = {
        step.way.ending for step in steps if isinstance(step, Flow) and isinstance(step.way, End)
    }
    return Ending.SCORES in ends and len(ends) > 1


def _lowest(term: Term) -> int:
    """The least score there can be."""
    inner = element_type(term.type)
    number = None if inner is None else present(inner)
    return number.low if isinstance(number, Int) else 0
