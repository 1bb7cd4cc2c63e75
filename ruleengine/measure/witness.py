"""The play after which two readings part: as a record, in words, on a chart, as a scenario.

A scenario states what was asked for and not more, so it is tried before it is given away: under its
own reading it must hold, under the other it must fail.
"""

from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.flowchart.chart import chart
from compiler.flowchart.overlay import Overlaid, trail
from compiler.graph.values import seat_text
from compiler.lower.scenarios import Reader
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile
from ruleengine.game import Instance
from ruleengine.measure.lockstep import Following, Lockstep, Parting, Play, Side, asked
from ruleengine.play.course import Course
from ruleengine.play.lines import Line
from ruleengine.play.retelling import Retelling
from ruleengine.record import Record, Recorder
from ruleengine.scenario.answers import Answers
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios
from ruleengine.scenario.tokens import Words
from ruleengine.stops import ChanceStop, Decision, JointDecision, Terminal
from ruleengine.tracing import recorded

_OFFERED: Final = 40  # answers that a scenario lists


def record_of(game: Instance, play: Play) -> Record:
    """A play as it can be kept and played again."""
    recorder = Recorder(game, None, 0)
    side = Side(game)
    side.begin()
    for number in play:
        stop = side.stop
        if isinstance(stop, ChanceStop):
            recorder.watch(side.table, stop, stop.outcomes.drawn(number))
        elif stop is not None:
            recorder.watch(side.table, stop, asked(stop)[number])
        side.go(number)
    return recorder.record


def told(game: Instance, play: Play, width_: int) -> tuple[Line, ...]:
    """A play step by step, with clauses."""
    course = Course.begin(game, 0)
    course.follow(record_of(game, play))
    return tuple(Retelling(course, None, width_).lines())[:-1]


def on_chart(game: Instance, play: Play, title: str) -> Overlaid:
    """The way that a play goes through the chart of a game."""
    tracer, now = recorded(game, record_of(game, play))
    return trail(game.graph, chart(game.graph), tracer.path, now, title)


# ---- as a scenario


@frozen
class Telling:
    """Under which configuration a scenario is told, and what it is called."""

    configuration: Configuration
    title: str

    @property
    def head(self) -> str:
        """Its first lines."""
        settings = [f"    set {name} = {value}" for name, value in self.configuration.pairs]
        seats = f"    seats {self.configuration.players}"
        return "\n".join([f'scenario "{self.title}"', seats, *settings])


def scenarios(spec: Spec, old: Telling, new: Telling, parting: Parting) -> tuple[str, ...]:
    """Two scenarios with the same play, which say what is so under each configuration.

    Both configurations name the number of players.  There are none if what differs cannot be said.
    """
    sides = [Instance.of(_made(spec, one.configuration)) for one in (old, new)]
    lockstep = Lockstep.of(*sides)
    lockstep.play(Following(parting.play, len(parting.play)), len(parting.play) + 1)
    played = _lines(sides[0], parting.play)
    about = parting.about
    found = [
        _proved(
            spec, old, new, played, list(_said(lockstep.old, lockstep.new, about, parting.old))
        ),
        _proved(
            spec, new, old, played, list(_said(lockstep.new, lockstep.old, about, parting.new))
        ),
    ]
    texts = [text for text in found if text is not None]
    return tuple(texts) if len(texts) == len(found) else ()


def parting_scenario(old: Instance, new: Instance, parting: Parting, title: str) -> str | None:
    """A scenario that holds in one rulebook and fails in another, where the two part.

    `None` if what differs cannot be said.
    """
    lockstep = Lockstep.of(old, new)
    lockstep.play(Following(parting.play, len(parting.play)), len(parting.play) + 1)
    played = _lines(old, parting.play)
    head = Telling(evolve(old.configuration, players=old.seats), title).head
    for lines in _said(lockstep.old, lockstep.new, parting.about, parting.old):
        body = "\n".join([*played, *lines])
        text = f"{head}\n{body}\n"
        if passed(old.compiled.spec, [text])[0] and not passed(new.compiled.spec, [text])[0]:
            return text
    return None


def _made(spec: Spec, configuration: Configuration) -> Compiled:
    made = spec.instantiate(configuration)
    if isinstance(made, Report):
        raise InternalError("a game that was compiled does not compile again")
    return made


def _proved(
    spec: Spec, mine: Telling, other: Telling, played: list[str], said: list[list[str]]
) -> str | None:
    """The first thing said of a side that holds under its own configuration alone."""
    bodies = ["\n".join([*played, *lines]) for lines in said]
    elsewhere = evolve(other, title=mine.title)
    texts = [f"{one.head}\n{body}\n" for body in bodies for one in (mine, elsewhere)]
    held = passed(spec, texts)
    for at in range(0, len(texts), 2):
        if held[at] and not held[at + 1]:
            return texts[at]
    return None


def passed(spec: Spec, texts: list[str]) -> list[bool]:
    """Whether each of some scenarios can be read and holds; one that cannot spoils no other."""
    name = spec.name.rsplit("+", 1)[-1]
    file = SourceFile("witness.rules", "\n".join([f"scenarios of {name}\n", *texts]))
    compiled = compile_sources(evolve(spec.sources, scenarios=(file,)))
    if isinstance(compiled, Report):  # one that cannot be read says nothing against the others
        return [False] if len(texts) == 1 else [passed(spec, [text])[0] for text in texts]
    own = len(list(compiled.scenarios)) - len(texts)  # those in the rulebook itself come first
    ran = list(run_scenarios(compiled))[own:]
    return [isinstance(one, Ran) and one.failure is None for one in ran]


def _lines(game: Instance, play: Play) -> list[str]:
    """The answers and outcomes of a play as scenarios write them."""
    answers = _answers(game)
    side = Side(game)
    side.begin()
    lines = []
    for number in play:
        stop = side.stop
        if isinstance(stop, ChanceStop):
            lines.append(f"    chance {stop.outcomes.drawn(number).label}")
        elif stop is not None:
            choices = asked(stop)
            spelled = answers.spell(side.table, choices[number], choices)
            lines.append(f"    {seat_text(choices[number].seat)}: {spelled}")
        side.go(number)
    return lines


def _answers(game: Instance) -> Answers:
    reader = Reader(game.compiled.lowered.for_questions())
    return Answers(game.interpreter, Words(game.interpreter, reader))


def _said(side: Side, other: Side, about: str, value: str) -> Iterator[list[str]]:
    """What may be said of where a side stands and the other does not, the plainest first."""
    stop, table, game = side.stop, side.table, side.game
    answers = _answers(game)
    places = {place.label: place.index for place in game.graph.places}
    if about in places:
        at = places[about]
        yield [f"    expect {about} = {answers.words.contents(table, at)}"]
        yield [f"    expect count({about}) is {len(table.cells[at])}"]
    elif about:
        yield [f"    expect {about} is {value}"]
    match stop:
        case Decision(seat=seat):
            here, there = _offered(side), _offered(other)
            if len(here) <= _OFFERED:
                yield [f"    expect options {' or '.join(here)}"]
            yield [f"    expect next {seat_text(seat)}"]
            yield from [[f"    expect offered {one}"] for one in here if one not in there][:1]
            yield from [[f"    expect refused {one}"] for one in there if one not in here][:1]
        case JointDecision(seats=seats):
            yield [f"    expect next {', '.join(map(seat_text, seats))}"]
        case ChanceStop(outcomes=odds):
            yield [f"    chance {odds[0].label}"]
        case Terminal(result=result) if result is not None:
            if result.scores is not None:
                named = enumerate(result.scores)
                scores = ", ".join(f"{seat_text(seat)} = {score}" for seat, score in named)
                yield [f"    expect scores {scores}"]
            yield [f"    expect winners {', '.join(map(seat_text, result.winners))}"]
            yield ["    expect ended"]
        case _:
            pass
    yield ["    expect not ended"]


def _offered(side: Side) -> list[str]:
    """The answers of who decides there alone, as scenarios write them."""
    stop = side.stop
    if not isinstance(stop, Decision):
        return []
    answers = _answers(side.game)
    return [answers.spell(side.table, choice, stop.choices) for choice in stop.choices]
