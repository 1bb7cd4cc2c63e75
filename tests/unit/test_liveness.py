"""What must be remembered: what some way on reads before giving it a value."""

from compiler.analysis.liveness import Liveness, liveness
from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Branch,
    Call,
    Case,
    Chance,
    Choose,
    Cond,
    Const,
    Domain,
    DomainMode,
    End,
    Ending,
    Flow,
    Function,
    Graph,
    Guard,
    Jump,
    Leave,
    Option,
    Return,
    Roll,
    Slot,
    Term,
    Trigger,
    Variable,
)
from compiler.types import BOOL, Int, Player
from tests.unit import small_graph as small
from tests.unit.small_graph import (
    ended,
    flow,
    graph,
    inner_param,
    other_local,
    passed,
    players,
    read,
    read_all,
    score,
    target,
)

STOP = flow(End(Ending.WINNERS, Const((0,))))
DRAW = flow(End(Ending.DRAW, None))


def set_(variable: Variable, *keys: Term) -> Assign:
    """A step that gives a variable a value."""
    return Assign(variable, keys, Const(0))


def names(found: Liveness, node: int) -> set[str]:
    """The variables live at a node, `ended` apart."""
    return {variable.name for variable in found.variables(node)} - {"ended"}


def live(made: Graph, node: int) -> set[str]:
    """The variables live at a node of a graph."""
    return names(liveness(made), node)


def test_what_is_read_later_is_live() -> None:
    """A variable must be remembered up to the last step that reads it, and no longer."""
    made = graph(
        (set_(target), (1,), "start"), (read_all(passed), (2, 2), "start"), (STOP, (), "start")
    )

    assert [{"passed"}, {"passed"}, set()] == [live(made, node) for node in range(3)]


def test_a_value_to_come_makes_the_old_one_dead() -> None:
    """What is given a value before it is read need not be remembered."""
    made = graph(
        (set_(target), (1,), "start"), (read_all(target), (2, 2), "start"), (STOP, (), "start")
    )

    assert [set(), {"target"}, set()] == [live(made, node) for node in range(3)]


def test_both_ways_count() -> None:
    """What only one branch reads is live before the branch."""
    made = graph(
        (Branch(small.TRUE), (1, 2), "start"),
        (read_all(target), (2, 2), "start"),
        (STOP, (), "start"),
    )

    assert live(made, 0) == {"target"}


def test_the_members_of_a_family_live_apart() -> None:
    """Giving A a score kills A's score and leaves B's alone."""
    made = graph(
        (set_(score, Const(0)), (1,), "start"),
        (read_all(score), (2, 2), "start"),
        (STOP, (), "start"),
    )
    found = liveness(made)

    first = found.slots.first[score]
    assert found.at[0] >> first & 0b11 == 0b10
    assert found.at[1] >> first & 0b11 == 0b11


def test_a_family_survives_a_value_at_an_unknown_key() -> None:
    """Whose score is set is not known before play, so that nobody's old score is dead."""
    made = graph(
        (Assign(score, (read(target),), Const(0)), (1,), "start"),
        (read_all(score), (2, 2), "start"),
        (STOP, (), "start"),
    )

    assert live(made, 0) == {"score", "target"}


def test_what_a_function_reads_is_read() -> None:
    """A step that calls a define reads what the define reads."""
    function = Function("f", (), (Case(None, read(passed)),), BOOL)
    made = graph((Branch(Apply(function, ())), (1, 1), "start"), (STOP, (), "start"))

    assert live(made, 0) == {"passed"}


def test_guards_and_domains_are_read_and_slots_given() -> None:
    """A decision reads its guards and domains; the slot of the option taken has a value then."""
    members = Domain(DomainMode.MEMBERS, read(passed))
    slot = Slot(Bound("x", 0), members, None, other_local)
    option = Option("go", (slot,), (Guard(read(target)),))
    made = graph(
        (Choose(Const(0), (option,), optional=True), (1, 2), "other"),
        (read_all(other_local), (2, 2), "other"),
        (STOP, (), "other"),
    )

    assert live(made, 0) == {"passed", "target"}


def test_sealed_answers_are_kept_while_others_think() -> None:
    """Where several choose together, what the first have picked is live at the decision itself."""
    members = Domain(DomainMode.MEMBERS, Const((1, 2)))
    picked = Variable("picked", Int(0, 1), ((0, 1),), (Player(2),), "start")
    kept = Variable("kept", Int(1, 2), ((0, 1),), (Player(2),), "start")
    option = Option("go", (Slot(Bound("x", 1), members, None, kept),), ())
    step = Choose(Const((0, 1)), (option,), joint=True, seat=Bound("seat", 0), picked=picked)
    made = small.with_locals(
        graph((step, (1,), "start"), (STOP, (), "start")), "start", picked, kept
    )

    assert live(made, 0) == {"picked", "kept"}


def test_a_roll_gives_its_dice_values() -> None:
    """The last roll need not be remembered before the next."""
    made = graph(
        (Chance(Roll(((small.die, (), small.FACES),))), (1,), "start"),
        (read_all(small.die), (2, 2), "start"),
        (STOP, (), "start"),
    )

    assert [set(), {"die"}] == [live(made, 0), live(made, 1)]


CALLING = graph(
    (set_(inner_param), (1,), "start"),
    (flow(Call("inner")), (2,), "start"),
    (read_all(passed, small.outer_local), (3, 3), "start"),
    (STOP, (), "start"),
    (read_all(inner_param, target), (5, 5), "inner"),
    (flow(Return()), (), "inner"),
)


def test_a_call_reads_what_the_phase_reads() -> None:
    """What a phase that is called reads is live before the call, its parameters included."""
    assert live(CALLING, 1) == {"wanted", "target", "passed", "kept"}
    assert live(CALLING, 0) == {"target", "passed", "kept"}


def test_what_the_caller_reads_later_is_live_inside() -> None:
    """The game's variables are remembered for the caller; its locals are its own business."""
    assert live(CALLING, 5) == {"passed"}


def test_a_call_remembers_the_locals_of_the_caller() -> None:
    """For each call it is known which locals of the caller matter after the return."""
    found = liveness(CALLING)

    assert {"kept"} == {variable.name for variable in found.slots.named(found.after[1])}


def test_what_the_called_phase_overwrites_is_dead_before() -> None:
    """A phase that always sets a variable makes its old value dead before the call."""
    made = graph(
        (flow(Call("inner")), (1,), "start"),
        (read_all(target), (2, 2), "start"),
        (STOP, (), "start"),
        (set_(target), (4,), "inner"),
        (flow(Return()), (), "inner"),
    )

    assert live(made, 0) == set()


def test_a_jump_leaves_the_locals_behind() -> None:
    """After `->` nothing of the old phase is live, and what its caller reads later still is."""
    made = graph(
        (flow(Call("inner")), (1,), "start"),
        (read_all(target), (2, 2), "start"),
        (STOP, (), "start"),
        (flow(Jump("other")), (), "inner"),
        (read_all(passed), (5, 5), "other"),
        (flow(Return()), (), "other"),
    )

    assert [{"passed", "target"}, {"target"}] == [live(made, 3), live(made, 5)]


def test_leaving_returns_from_the_phase_that_is_left() -> None:
    """What matters after `leave inner` is what matters where `inner` returns to."""
    made = graph(
        (flow(Call("inner")), (1,), "start"),
        (read_all(target), (2, 2), "start"),
        (STOP, (), "start"),
        (flow(Call("other")), (4,), "inner"),
        (read_all(passed), (5, 5), "inner"),
        (flow(Return()), (), "inner"),
        (Flow(Leave("inner")), (), "other"),
    )

    assert live(made, 6) == {"target"}


def test_the_outcome_is_read_at_the_end() -> None:
    """The end reads what it announces, and that the game has ended is never forgotten."""
    made = graph((flow(End(Ending.WINNERS, read(players))), (), "start"))

    assert [v.name for v in liveness(made).variables(0)] == ["players", "ended"]


def test_a_trigger_reads_its_condition_everywhere() -> None:
    """The condition of a `whenever` is asked after every step, its block may run after effects."""
    made = graph(
        (set_(players), (1,), "start"),
        (STOP, (), "start"),
        (read_all(passed), (3, 3), "alarm"),
        (flow(Return()), (), "alarm"),
        triggers=(Trigger(read(target), "alarm", "Alarm"),),
    )

    assert [{"target", "passed"}, {"target"}] == [live(made, 0), live(made, 1)]


def test_who_sees_a_place_is_asked_everywhere() -> None:
    """What `seen by` reads decides at any moment what is visible: it is always live."""
    made = graph((STOP, (), "start"))
    seen = small.with_viewers(made, small.HAND_A, read(passed))

    assert [set(), {"passed"}] == [live(made, 0), live(seen, 0)]


def test_statements_are_read_only_when_asked_for() -> None:
    """An invariant keeps its variables alive for those who check it, and for nobody else."""
    made = graph((STOP, (), "start"))

    assert names(liveness(made, (read(passed),)), 0) == {"passed"}


def test_a_situation_has_what_its_frames_have() -> None:
    """Inside a trigger, what the interrupted phase needs is live beside what the trigger needs."""
    made = graph(
        (set_(target), (1,), "start"),
        (read_all(small.outer_local), (2, 2), "start"),
        (STOP, (), "start"),
        (flow(Call("other")), (4,), "alarm"),
        (flow(Return()), (), "alarm"),
        (read_all(other_local), (6, 6), "other"),
        (flow(Return()), (), "other"),
        triggers=(Trigger(read(ended), "alarm", "Alarm"),),
    )
    found = liveness(made)

    outside, inside = found.now(5, [-1 - 1, 3], True)

    assert [
        [variable.name for variable in found.slots.named(mask)] for mask in (outside, inside)
    ] == [["ended", "kept"], ["ended", "counted"]]


def test_both_sides_of_an_or_are_read() -> None:
    """Both sides of an `or` count as read, whichever is asked first."""
    test = Cond(read(passed), small.TRUE, read(target))
    made = graph((Branch(test), (1, 1), "start"), (STOP, (), "start"))

    assert live(made, 0) == {"passed", "target"}


def test_a_draw_reads_who_is_in() -> None:
    """Who is still in shares a draw, so that is remembered until then."""
    made = graph((Branch(read(passed)), (1, 2), "start"), (DRAW, (), "start"), (STOP, (), "start"))

    assert [live(made, node) for node in range(3)] == [{"passed", "players"}, {"players"}, set()]
