"""A game at one screen: nothing shown or told again tells too much."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from attrs import evolve

from ruleengine.game import Instance
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.log import Log, Observers, information_state
from ruleengine.knowledge.protocol import Observer
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.world import Worlds
from ruleengine.play.course import Course
from ruleengine.play.faces import Faces
from ruleengine.play.names import Names
from ruleengine.play.retelling import Retelling, retold
from ruleengine.play.scene import Scene
from ruleengine.play.session import Session
from ruleengine.play.telling import Telling
from ruleengine.rng import stream
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Outcome, Stop
from ruleengine.table import Table
from tests.engine.screens import game, session, typed

# ---- nothing shown depends on what cannot be known


@pytest.mark.parametrize("name", ["klink", "highjinks", "kuhn", "jinks"])
def test_a_screen_is_the_same_in_every_world(name: str) -> None:
    """Hidden cards are dealt anew: the screen, the answers and the reasons stay as they are."""
    at = session(name)
    machine = game(name).interpreter
    worlds = Worlds.of(machine.terms, machine.sight, game(name).hearing.viewer)
    tape = Drawn(stream(5, 0, 1))
    compared = changed = 0
    for _ in range(24):
        if at.over:
            break
        mine = _everything(at)
        kept = at.course.now
        for _ in range(3):
            table = worlds.world(at.course.view(0), tape)
            stop = machine.advance(table)
            at.course.moments[-1] = evolve(kept, table=table, stop=stop)
            assert _everything(at) == mine
            compared += 1
            changed += table.kind != kept.table.kind or table.pools != kept.table.pools
        at.course.moments[-1] = kept
        answers = list(at._offers())
        typed(at, answers[compared % len(answers)].number)

    assert compared > 0
    assert changed > 0


def _everything(at: Session) -> tuple[str, ...]:
    """All that the person asked can have shown."""
    commands = ("table", "options", "rules", "log 900", "why 1", "why z", "z")
    step = at.course.game.graph.nodes[at.course.now.table.node].step
    names = [option.name for option in getattr(step, "options", ())]
    return tuple(at.feed(text).text for text in (*commands, *(f"why {name}" for name in names)))


@pytest.mark.parametrize("name", ["kuhn", "mini_klink", "carousel", "reply", "seer", "two_oracles"])
def test_what_is_told_follows_from_the_log(name: str) -> None:
    """Who has observed the same is told the same, in every history of a tiny game."""
    told: dict[tuple[int, str], tuple[str, ...]] = {}
    wrong = []
    count = 0
    for log, sentences in _histories(game(name)):
        for observer in range(game(name).seats + 1):
            key = observer, information_state(log, observer)
            if told.setdefault(key, sentences[observer]) != sentences[observer]:
                wrong.append((key, told[key], sentences[observer]))
            count += 1

    assert wrong == []
    assert len(told) < count


def _histories(of: Instance) -> Iterator[tuple[Log, tuple[tuple[str, ...], ...]]]:
    """Every stop of every history: the log, and all sentences so far per observer."""
    machine = of.interpreter
    telling = Telling(machine.statics, machine.sight, Names.of(machine.statics, of.hearing.words))
    table = machine.start()
    nothing: tuple[tuple[str, ...], ...] = ((),) * (of.seats + 2)
    yield from _on(of, telling, table, Log.of(of.hearing, table), nothing)


def _on(
    of: Instance,
    telling: Telling,
    table: Table,
    log: Log,
    so_far: tuple[tuple[str, ...], ...],
) -> Iterator[tuple[Log, tuple[tuple[str, ...], ...]]]:
    machine = of.interpreter
    stop = machine.advance(table, Observers((of.knowledge, log, telling)))
    sentences = _longer(so_far, telling)
    if not isinstance(stop, ChanceStop):
        yield log, sentences
    for act in _ways(of, stop):
        way, told = table.copy(), log.copy()
        act(way, Observers((of.knowledge, told, telling)))
        yield from _on(of, telling, way, told, _longer(sentences, telling))


def _ways(of: Instance, stop: Stop) -> Iterator[Callable[[Table, Observer], None]]:
    """All that can be done at a stop; of a joint one all that its first seat can do."""
    machine = of.interpreter
    match stop:
        case ChanceStop(outcomes=odds):
            for outcome in odds:
                yield partial(_draw, machine, outcome)
        case Decision(choices=choices) | JointDecision(choices=(choices, *_)):
            for choice in choices:
                yield partial(_choose, machine, choice)
        case _:
            return


def _draw(machine: Interpreter, outcome: Outcome, table: Table, observer: Observer) -> None:
    machine.draw(table, outcome, observer)


def _choose(machine: Interpreter, choice: Choice, table: Table, observer: Observer) -> None:
    machine.choose(table, choice, observer)


def _longer(so_far: tuple[tuple[str, ...], ...], telling: Telling) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (*before, *(told.text for told in now))
        for before, now in zip(so_far, telling.take(), strict=True)
    )


# ---- told again


def test_referee_and_seat() -> None:
    """The referee is told every face, a seat what it saw; both with clauses."""
    at = session("klink")
    typed(at, "1", "1")
    referee = "\n".join(line.text for line in Retelling(at.course, None, 72).lines())
    seat = "\n".join(line.text for line in Retelling(at.course, 1, 72).lines())

    assert " 5  C: choose drawn[1]  @KL-4.2 @KL-4.10 @KL-9.2\n" in referee
    assert "      C looks at the 1st of drawn: -4.\n" in referee
    assert "  C looks at the 1st of drawn.\n" in seat
    assert ": -4" not in seat.split("Keep both")[0]


def test_steps_are_those_of_the_record() -> None:
    """The referee's numbers count the lines of a record, so that they can be asked about."""
    at = session("klink")
    typed(at, "1")
    steps = [step for step in retold(at.course, None) if step.number]

    assert [step.words for step in steps] == [str(step) for step in at.course.steps]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert {step.number for step in retold(at.course, 1)} == {None}


def test_tables_of_referee_and_seat() -> None:
    """At each decision the referee sees what is settled; a seat sees its own decisions only."""
    at = session("kuhn", seed=2)
    typed(at, "bet")
    referee = "\n".join(line.text for line in Retelling(at.course, None, 72, True).lines())
    seat = "\n".join(line.text for line in Retelling(at.course, 0, 72, True).lines())

    assert "[?]" not in referee.replace("deck    [?]", "")
    assert seat.count("A (you)") == 1


@pytest.mark.parametrize("name", ["klink", "highjinks"])
def test_scenes_of_all_seats(name: str) -> None:
    """Every seat's table can be drawn at every stop of a game."""
    course = Course.begin(game(name), 3)
    for _ in range(120):
        match course.now.stop:
            case ChanceStop():
                course.draw()
            case Decision() | JointDecision():
                course.let_bot_choose(course.asked[0])
            case _:
                break
        for seat in course.seats:
            scene = Scene(course.names, Faces(course.names, course.view(seat)), 60, str)
            assert scene.lines()
