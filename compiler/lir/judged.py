"""A program that plays on at random from a stop, for a while, and says how seats stand then.

It goes node by node.  A playout is over when the game is, or before the question that follows some
number of decisions.
"""

from typing import Final

from attrs import frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Choose, Graph, Term
from compiler.lir.build import binary, both, num
from compiler.lir.core import WORD, Call, Do, Expr, Function, Local, Number, Op, Program, Set
from compiler.lir.random import FUNCTIONS
from compiler.lir.reps import NONE, UNDEFINED
from compiler.lir.stepwise.code import (
    Code,
    at_least,
    call,
    differ,
    function,
    is_,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.lists import element, size
from compiler.lir.stepwise.plan import Plan
from compiler.lir.stepwise.pools import RUN
from compiler.lir.stepwise.program import Parts, begin, parts_of, step
from compiler.lir.telling import IS_DRAW, IS_UNSCORED, seeding

MOST_ROWS: Final = 256
"""Playouts in one call."""

JUDGED, ENDED, GIVEN_UP = 0, 1, 2
"""How a playout is over: cut short, at the end of the game, or because it took too long."""

_STANDING: Final = "standing"


@frozen(eq=False)
class Judged:
    """The program; the host writes the table of a stop to `plan.image`, and playouts go on from it.

    `judge(game_low, game_high, count, limit, cut)` leaves a row for each playout at `rows`: how it
    is over, a mask of winners with `IS_DRAW` and `IS_UNSCORED`, then for each seat its score at the
    end, then how it stands; numbers of four bytes.  A playout is given up after `limit` nodes.
    """

    program: Program
    plan: Plan
    rows: int
    scored: bool


def judged(graph: Graph, alive: Liveness, standing: tuple[Term, ...]) -> Judged:
    """The program of a graph; `standing` is a term for each seat, or one that lists them.

    `Unsupported` if there is none.
    """
    parts = parts_of(graph, alive, lawful=False)
    plan = parts.plan
    known = set(parts.terms.made)
    asks = plan.memory.constant(tuple(int(isinstance(n.step, Choose)) for n in graph.nodes))
    stands = plan.memory.words(graph.seats)
    rows = plan.memory.words(MOST_ROWS * row_words(graph.seats))
    own = (
        function(_STANDING, (), lambda code: _stand(parts, code, standing, stands), gives=None),
        _judge(parts, asks, stands, rows),
    )
    made = [its for term, its in parts.terms.made.items() if term not in known]
    functions = (*own, *made, begin(parts), step(parts), seeding(RUN), *parts.functions, *FUNCTIONS)
    memory = -(-plan.memory.end // 8) * 8
    program = Program(graph.name, functions, tuple(plan.memory.data), memory)
    return Judged(program, plan, rows, parts.steps.ending.scored)


def row_words(seats: int) -> int:
    """How many numbers are in a row."""
    return 2 + 2 * seats


def _stand(parts: Parts, code: Code, standing: tuple[Term, ...], stands: int) -> None:
    """Writes how seats stand; stops the machine where that is not defined."""
    reader = parts.terms.of(code)
    parts.terms.tokens.references.fresh(code)
    seats = parts.plan.graph.seats
    if len(standing) == 1 and seats > 1:
        listed = code.keep(reader.listed(standing[0]))
        code.trap_if(differ(size(listed), seats), UNDEFINED)
        found: list[Expr] = [element(listed, seat) for seat in range(seats)]
    else:
        found = [code.keep(reader.term(term)) for term in standing]
    for seat, score in enumerate(found):
        kept = code.keep(score)
        code.trap_if(is_(kept, NONE), UNDEFINED)
        code.put(put_word(stands, kept, seat))


def _judge(parts: Parts, asks: int, stands: int, rows: int) -> Function:
    """The loop in which playouts are played."""
    low, high = Local("game_low", WORD), Local("game_high", WORD)
    count, limit, cut = Local("count"), Local("limit"), Local("cut")
    plan, seats = parts.plan, parts.plan.graph.seats
    width = row_words(seats)

    def body(code: Code) -> None:
        with code.up_to(count) as (each, i):
            each.put(Do(Call("begin", (low, high))))
            how = each.local("how", JUDGED)
            nodes = each.local("nodes", 0)
            with each.loop() as run:
                with run.when(less(limit, nodes)) as long:
                    long.set(how, GIVEN_UP)
                    run.leave_from(long)
                run.step(nodes)
                asked = binary(Op.NE, word(asks, word(plan.node)), num(0))
                run.leave_if(both(asked, at_least(word(parts.decisions), cut)))
                with run.when(less(call("step"), 0)) as over:
                    over.set(how, ENDED)
                    run.leave_from(over)
            with each.when(differ(how, GIVEN_UP)) as told:
                told.do(_STANDING)
            row = each.keep(times(i, width))
            outcome = parts.outcome
            values = (
                how,
                plus(
                    word(outcome.winners),
                    plus(
                        times(word(outcome.draw), IS_DRAW),
                        times(word(outcome.unscored), IS_UNSCORED),
                    ),
                ),
                *(word(outcome.scores, seat) for seat in range(seats)),
                *(word(stands, seat) for seat in range(seats)),
            )
            for at, value in enumerate(values):
                each.put(put_word(rows, value, plus(row, at)))
            each.put(Set(low, binary(Op.ADD, low, Number(1, WORD))))
            with each.when(binary(Op.EQ, low, Number(0, WORD))) as carried:
                carried.put(Set(high, binary(Op.ADD, high, Number(1, WORD))))

    made = function("judge", (), body, gives=None, exported=True)
    return Function(made.name, (low, high, count, limit, cut), None, made.body, exported=True)
