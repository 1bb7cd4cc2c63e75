"""Running: loops, phases, calls, jumps, leaves, triggers, limits, the end."""

import pytest

from compiler.graph.core import (
    Assign,
    Branch,
    Call,
    End,
    Ending,
    Flow,
    Graph,
    Jump,
    Leave,
    Return,
    Term,
    Trigger,
    Value,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, Int, ListOf
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter
from ruleengine.stops import Decision, Result, Terminal
from tests.unit import tabletop as t
from tests.unit.tabletop import line

n, m = t.number("n"), t.number("m")
CALL, DONE = Flow(Call("inner")), Flow(Return())


def add(variable: Variable, amount: int = 1) -> Assign:
    """A step that adds to a variable."""
    more = t.apply(numbers.ADD, t.read(variable), t.const(amount))
    return Assign(variable, (), more)


def copy(variable: Variable, source: Variable) -> Assign:
    """A step that gives a variable what another holds."""
    return Assign(variable, (), t.read(source))


def is_(variable: Variable, value: int) -> Term:
    """Whether a variable has a value."""
    return t.apply(lists.IS, t.read(variable), t.const(value), type_=BOOL)


def at_least(variable: Variable, value: int) -> Term:
    """Whether a variable is at least that."""
    return t.apply(numbers.AT_LEAST, t.read(variable), t.const(value), type_=BOOL)


def ends(graph: Graph, *asked: Variable) -> tuple[Value, ...]:
    """What variables hold when a game without stops has run to its end."""
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    assert isinstance(interpreter.advance(table), Terminal)
    return tuple(t.holds(interpreter, table, variable) for variable in asked)


# ---- loops and phases


def test_a_loop_runs_until_its_condition_holds() -> None:
    """A counter that is raised until it is 5 is 5 afterwards."""
    graph = t.graph(add(n), line(Branch(is_(n, 5)), 2, 0), variables=(n,))

    assert ends(graph, n) == (5,)


def test_a_called_phase_returns_to_where_it_was_called() -> None:
    """Two calls of a phase add twice, and what follows each call is done once."""
    graph = t.graph(
        CALL,
        add(m, 10),
        line(CALL, 3),
        line(Flow(End(Ending.DRAW, None))),
        line(add(n), phase="inner"),
        line(DONE, phase="inner"),
        variables=(n, m),
    )

    assert ends(graph, n, m) == (2, 10)


def test_a_jump_keeps_the_return_address() -> None:
    """A phase that goes on as another returns, at its end, to the caller of the first."""
    graph = t.graph(
        CALL,
        line(add(m, 10), 6),
        line(Flow(Jump("other")), phase="inner"),
        line(add(m), phase="inner"),
        line(add(n), phase="other"),
        line(DONE, phase="other"),
        variables=(n, m),
    )

    assert ends(graph, n, m) == (1, 10)


def test_leaving_a_phase_leaves_all_above_it() -> None:
    """From two calls deep, the outer phase is left: nothing after either call runs."""
    graph = t.graph(
        line(Flow(Call("outer")), 1),
        line(add(m, 10), 7),
        line(CALL, 3, phase="outer"),
        line(add(m), 4, phase="outer"),
        line(DONE, phase="outer"),
        line(add(n), 6, phase="inner"),
        line(Flow(Leave("outer")), phase="inner"),
        variables=(n, m),
    )

    assert ends(graph, n, m) == (1, 10)


def test_a_phase_that_does_not_run_cannot_be_left() -> None:
    """Leaving a phase that nobody is in is an error of the rules, not of the machine."""
    graph = t.graph(line(Flow(Leave("inner"))), line(DONE, phase="inner"))
    interpreter = Interpreter.of(graph)

    with pytest.raises(RuleError, match="`inner` is to be left, but it is not running"):
        interpreter.advance(interpreter.start())


def test_a_phase_that_nobody_called_must_not_end() -> None:
    """A game that falls off the end of its first phase is an error."""
    interpreter = Interpreter.of(t.graph(line(DONE)))

    with pytest.raises(RuleError, match="a phase ends that nobody called"):
        interpreter.advance(interpreter.start())


def test_a_scenario_may_play_one_phase_alone() -> None:
    """A phase entered directly takes its arguments, runs, and its end ends the scenario."""
    size = Variable("size", Int(0, 9), phase="inner")
    graph = t.graph(
        t.END,
        line(copy(n, size), 2, phase="inner"),
        line(DONE, phase="inner"),
        variables=(n,),
        params={"inner": (size,)},
    )
    interpreter = Interpreter.of(graph, scenario=True)
    table = interpreter.start()

    interpreter.enter(table, "inner", (7,))

    assert interpreter.advance(table) == Terminal(2, None)
    assert t.holds(interpreter, table, n) == 7


def test_an_argument_must_fit_its_parameter() -> None:
    """A phase for numbers up to 9 is not entered with 10."""
    size = Variable("size", Int(0, 9), phase="inner")
    graph = t.graph(t.END, line(DONE, phase="inner"), params={"inner": (size,)})
    interpreter = Interpreter.of(graph, scenario=True)

    with pytest.raises(RuleError, match=r"10 is not 0\.\.9"):
        interpreter.enter(interpreter.start(), "inner", (10,))


def test_a_loop_without_a_stop_is_an_error_that_names_it() -> None:
    """Two steps that follow each other for ever are both named."""
    graph = t.graph(Assign(n, (), t.const(1)), line(Assign(n, (), t.const(2)), 0), variables=(n,))
    interpreter = Interpreter.of(graph, limit=50)

    with pytest.raises(RuleError, match="50 steps without a decision") as error:
        interpreter.advance(interpreter.start())

    assert [where.node for where in error.value.nodes] == [0, 1]


# ---- the end


def test_scores_rank_the_players() -> None:
    """The highest score wins, and equal scores share a rank."""
    scores = t.const((3, 5), ListOf(Int(0, 9)))
    interpreter = Interpreter.of(t.graph(line(Flow(End(Ending.SCORES, scores)))))
    table = interpreter.start()

    stop = interpreter.advance(table)

    assert stop == Terminal(0, Result((1,), (3, 5), ((1,), (0,)), draw=False))
    assert interpreter.outcome(table) == Result((1,), (3, 5), ((1,), (0,)), draw=False)
    assert t.holds(interpreter, table, interpreter.graph.ended) is True


@pytest.mark.parametrize(
    ("ending", "value", "result"),
    [
        (Ending.WINNERS, (1,), Result((1,), None, ((1,), (0,)), draw=False)),
        (Ending.WINNERS, (0, 1), Result((0, 1), None, ((0, 1),), draw=True)),
        (Ending.RANKING, ((1,), (0,)), Result((1,), None, ((1,), (0,)), draw=False)),
        (Ending.RANKING, ((0, 1),), Result((0, 1), None, ((0, 1),), draw=True)),
        (Ending.SCORES, (4, 4), Result((0, 1), (4, 4), ((0, 1),), draw=True)),
        (Ending.DRAW, None, Result((0, 1), None, ((0, 1),), draw=True)),
    ],
)
def test_an_end_says_who_won(ending: Ending, value: Value, result: Result) -> None:
    """Winners, scores and rankings all give winners, groups and whether it is a draw."""
    graph = t.graph(line(Flow(End(ending, t.const(value)))))

    assert Interpreter.of(graph).advance(Interpreter.of(graph).start()) == Terminal(0, result)


def test_a_game_that_goes_on_has_no_outcome() -> None:
    """Before its end a game has no result."""
    interpreter = Interpreter.of(t.graph(add(n), variables=(n,)))

    assert interpreter.outcome(interpreter.start()) is None


# ---- triggers


def when(condition: Term, phase: str = "alarm") -> Trigger:
    """A `whenever`."""
    return Trigger(condition, phase, phase.title())


def test_a_trigger_fires_when_its_condition_becomes_true() -> None:
    """`whenever n >= 2` runs once while n is raised to 5: it was false only before 2."""
    graph = t.graph(
        add(n),
        line(Branch(is_(n, 5)), 2, 0),
        line(t.END),
        line(add(m), 4, phase="alarm"),
        line(DONE, phase="alarm"),
        variables=(n, m),
        triggers=(when(at_least(n, 2)),),
    )

    assert ends(graph, m) == (1,)


def test_a_condition_that_is_true_from_the_start_does_not_fire() -> None:
    """What holds before the first effect has not become true."""
    graph = t.graph(
        add(n),
        line(t.END),
        line(add(m), 3, phase="alarm"),
        line(DONE, phase="alarm"),
        variables=(n, m),
        triggers=(when(at_least(n, 0)),),
    )

    assert ends(graph, m) == (0,)


def test_a_trigger_runs_before_the_next_step() -> None:
    """The block has run when the step after the effect reads what it wrote."""
    graph = t.graph(
        add(n),
        copy(m, n),
        line(t.END),
        line(add(n, 10), 4, phase="alarm"),
        line(DONE, phase="alarm"),
        variables=(n, m),
        triggers=(when(is_(n, 1)),),
    )

    assert ends(graph, m) == (11,)


def test_triggers_wait_for_one_another_in_file_order() -> None:
    """Two that fire at once run one after the other, the first in the file first."""
    doubled = t.apply(numbers.MULTIPLY, t.read(m), t.const(2))
    graph = t.graph(
        add(n),
        line(t.END),
        line(add(m, 3), 3, phase="alarm"),
        line(DONE, phase="alarm"),
        line(Assign(m, (), doubled), 5, phase="bell"),
        line(DONE, phase="bell"),
        variables=(n, m),
        triggers=(when(is_(n, 1)), when(is_(n, 1), "bell")),
    )

    assert ends(graph, m) == (6,)


def test_what_fires_during_a_block_waits_for_its_end() -> None:
    """A trigger set off by the first step of a block runs after the block's last step."""
    k = t.number("k")
    graph = t.graph(
        add(n),
        line(t.END),
        line(add(n), 3, phase="alarm"),
        line(add(m, 5), 4, phase="alarm"),
        line(DONE, phase="alarm"),
        line(copy(k, m), 6, phase="bell"),
        line(DONE, phase="bell"),
        variables=(n, m, k),
        triggers=(when(is_(n, 1)), when(is_(n, 2), "bell")),
    )

    assert ends(graph, k) == (5,)


def test_a_phase_has_its_own_locals_inside_a_trigger() -> None:
    """A phase that runs, and is run again by a trigger it set off, keeps its value."""
    mine = Variable("mine", Int(0, 9), phase="inner", initial=0)
    graph = t.graph(
        CALL,
        line(t.END),
        line(Assign(mine, (), t.read(n)), 3, phase="inner"),
        line(Branch(at_least(n, 1)), 6, 4, phase="inner"),
        line(add(n), 5, phase="inner"),
        line(Assign(m, (), t.apply(numbers.ADD, t.read(mine), t.const(40))), 6, phase="inner"),
        line(DONE, phase="inner"),
        line(CALL, 8, phase="alarm"),
        line(DONE, phase="alarm"),
        variables=(n, m),
        local={"inner": (mine,)},
        triggers=(when(is_(n, 1)),),
    )

    assert ends(graph, m) == (40,)


def test_leaving_a_phase_from_inside_a_trigger_ends_the_trigger() -> None:
    """The interrupted phase is left; afterwards triggers can fire again."""
    graph = t.graph(
        CALL,
        add(n),
        line(t.END),
        line(add(n), 4, phase="inner"),
        line(add(m, 50), 5, phase="inner"),
        line(DONE, phase="inner"),
        line(add(m), 7, phase="alarm"),
        line(Branch(is_(n, 1)), 8, 9, phase="alarm"),
        line(Flow(Leave("inner")), phase="alarm"),
        line(DONE, phase="alarm"),
        variables=(n, m),
        triggers=(when(is_(n, 1)), when(is_(n, 2))),
    )

    assert ends(graph, m) == (2,)


def test_a_trigger_that_waits_runs_although_the_one_before_it_left() -> None:
    """Two fire at once; the first leaves the phase it interrupted, and the second still runs."""
    graph = t.graph(
        CALL,
        line(t.END),
        line(add(n), 3, phase="inner"),
        line(add(m, 50), 4, phase="inner"),
        line(DONE, phase="inner"),
        line(Flow(Leave("inner")), phase="alarm"),
        line(add(m), 7, phase="bell"),
        line(DONE, phase="bell"),
        variables=(n, m),
        triggers=(when(is_(n, 1)), when(is_(n, 1), "bell")),
    )

    assert ends(graph, m) == (1,)


def test_a_family_has_a_slot_per_key() -> None:
    """What is written for one seat is not read for another, and no seat beyond exists."""
    score = Variable("score", Int(0, 9), ((0, 1),), (t.PLAYER,), initial=0)
    graph = t.graph(
        Assign(score, (t.const(1),), t.const(4)),
        Assign(n, (), t.read(score, t.const(1))),
        Assign(m, (), t.read(score, t.const(0))),
        variables=(n, m, score),
    )

    assert ends(graph, n, m) == (4, 0)

    beyond = t.graph(Assign(score, (t.const(2),), t.const(4)), variables=(score,))
    interpreter = Interpreter.of(beyond)
    with pytest.raises(RuleError, match=r"`score` has no member \[2\]"):
        interpreter.advance(interpreter.start())


def test_a_copy_goes_its_own_way() -> None:
    """Choosing on a copy of a table leaves the table as it was."""
    graph = t.graph(t.choose(t.A, t.option("go")), add(n), variables=(n,))
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    stop = interpreter.advance(table)
    assert isinstance(stop, Decision)

    other = table.copy()
    interpreter.choose(other, stop.choices[0])
    interpreter.advance(other)

    assert t.holds(interpreter, other, n) == 1
    assert (table.node, t.holds(interpreter, table, n)) == (0, 0)
