"""The play after which two readings part: as a record, in words, on a chart."""

from compiler.flowchart.chart import chart
from compiler.flowchart.overlay import Overlaid, trail
from ruleengine.game import Instance
from ruleengine.measure.lockstep import Play, Side, asked
from ruleengine.play.course import Course
from ruleengine.play.lines import Line
from ruleengine.play.retelling import Retelling
from ruleengine.record import Record, Recorder
from ruleengine.stops import ChanceStop
from ruleengine.tracing import recorded


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
