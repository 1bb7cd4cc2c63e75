"""What only all configurations together show of a rulebook: lines that never matter, dead ends.

Guards, questions and phases are judged by what they come to in every graph that `check` makes;
readings by whether their graph is that of another reading, for every number of players.  And each
game with the usual readings is begun: what happens before anybody can do anything always happens.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from attrs import define, field

from compiler.analysis.ends import endless_rings, phases_without_end
from compiler.analysis.errors import (
    LoopWithoutEnd,
    NoEndAhead,
    ReadingWithoutEffect,
    StartBreaksDown,
)
from compiler.analysis.pairing import same
from compiler.analysis.together import overlapping_triggers
from compiler.analysis.vacuity import (
    Offered,
    answers,
    never_filled,
    offered,
    settled_questions,
    vacuous_guards,
)
from compiler.config import Configuration
from compiler.diagnostic import Error, Report, Warning_
from compiler.graph.core import Choose
from compiler.pipeline import Compiled, Spec
from compiler.resolve.errors import RulingNeverRead
from compiler.resolve.written import (
    WrittenLoop,
    settable,
    unfilled,
    written_guards,
    written_loops,
    written_questions,
    written_triggers,
)
from compiler.source import Span
from ruleengine.configurations import usual
from ruleengine.errors import RuleError
from ruleengine.interpreter import Interpreter

_ASK_ELSE: Final = "ask here what the steps above can make true, or `leave repeat` in one of them"
_TURN: Final = "ask behind `until` what the steps above it can make true"
_OTHERWISE: Final = 'say what happens then: `otherwise "Nothing"` below it'
_LEAVE: Final = "`end` the game on the way, or ask somebody: `A chooses …`"


@define(eq=False, slots=False)
class Survey:
    """Looks at one game after the other of a spec, and says at last what none of them needs."""

    spec: Spec
    _options: list[Offered] = field(factory=list, init=False)
    _usual: dict[int, Compiled] = field(factory=dict, init=False)  # by number of players
    _alike: list[Configuration] = field(factory=list, init=False)  # readings that changed nothing
    _ending: set[str] = field(factory=set, init=False)  # phases that lead to an end in some game
    _stuck: set[str] = field(factory=set, init=False)
    _unusual: dict[str, list[Compiled]] = field(factory=dict, init=False)  # of the ruling at hand
    _twins: list[tuple[Configuration, str]] = field(factory=list, init=False)  # and like which
    _loops: dict[Span, str] = field(factory=dict, init=False)  # without an end, and when

    def look(self, made: Compiled) -> None:
        """Takes one game in; those with the usual readings come first."""
        self._options += offered(made.graph)
        stuck = phases_without_end(made.graph)
        self._stuck |= stuck
        self._ending |= {phase.name for phase in made.graph.phases} - stuck
        for ring in endless_rings(made.graph):
            settings = " ".join(f"{name} = {value}" for name, value in made.configuration.pairs)
            self._loops.setdefault(self._line_of(ring), f"with `{settings}`" if settings else "now")
        if not made.configuration.pairs:
            self._usual[made.seats] = made
        elif made.seats in self._usual and same(self._usual[made.seats].graph, made.graph):
            self._alike.append(made.configuration)
        else:
            self._compare(made)

    def _line_of(self, ring: tuple[Span, ...]) -> Span:
        """Where a loop that is written out says how long it lasts; else its first line."""
        around = [
            loop for loop in self._written_loops if all(_within(span, loop.span) for span in ring)
        ]
        return around[-1].asks if around else ring[0]

    @cached_property
    def _written_loops(self) -> tuple[WrittenLoop, ...]:
        return tuple(written_loops(self.spec.declarations))

    def _endless(self) -> Iterator[Warning_]:
        """The loops without an end, each with the first configuration that has it."""
        asking = {loop.asks for loop in self._written_loops}
        for span, when in self._loops.items():
            fix = _ASK_ELSE if span in asking else _LEAVE
            yield LoopWithoutEnd(when, fix, span=span)

    def _compare(self, made: Compiled) -> None:
        """Notes a reading with which every step is as with another one that is not usual."""
        (name,) = made.configuration.values
        if name not in self._unusual:
            self._unusual.clear()
        others = self._unusual.setdefault(name, [])
        for other in others:
            if other.seats == made.seats and same(other.graph, made.graph):
                self._twins.append((made.configuration, str(other.configuration.values[name])))
                return
        others.append(made)

    def found(self) -> Report:
        """What no game needs, and from where none can end."""
        declared, settings = self.spec.declarations, settable(self.spec.declarations)
        report = Report()
        empty = never_filled(unfilled(declared))
        report.extend(empty)
        report.extend(self._beginnings(empty))
        report.extend(self._endless())
        asked = written_triggers(declared)
        for made in self._usual.values():
            report.extend(overlapping_triggers(made.graph, asked))
        report.extend(vacuous_guards(written_guards(declared), self._options, settings))
        report.extend(self._questions(settings))
        report.extend(self._dead_ends())
        report.extend(self._idle_readings())
        return report

    def _questions(self, settings: frozenset[str]) -> Report:
        """Those with one answer; games are made with all their branches while some seem to be."""
        written = tuple(written_questions(self.spec.declarations))
        found: list[tuple[Span, bool | None]] = []
        report = Report()
        for configuration in usual(self.spec):
            drawn = self.spec.to_draw(configuration)
            if isinstance(drawn, Compiled):
                found += answers(drawn.graph)
                report = settled_questions(written, found, settings)
            if not len(report):
                break
        return report

    def _dead_ends(self) -> Iterator[Warning_]:
        """The phases that lead to no end in any game that has them."""
        some = next(iter(self._usual.values()), None)
        for phase in some.graph.phases if some is not None else ():
            if phase.name in self._stuck - self._ending and phase.span is not None:
                yield NoEndAhead(phase.title or phase.name, span=phase.span)

    def _beginnings(self, empty: Report) -> Iterator[Error]:
        """Where games break down before their first stop; `empty` has what nobody ever fills."""
        for made in self._usual.values():
            machine = Interpreter.of(made.graph)
            try:
                machine.advance(machine.start())
            except RuleError as error:
                if error.span is None:
                    continue
                line = error.span.file.line(error.span.first.line)
                lacking = [found for found in empty if _names(line, found.span.text)]
                notes = tuple((found.span, found.headline) for found in lacking)
                fix = next((found.help for found in lacking), _fix(made, error))
                yield StartBreaksDown(error.message, fix, span=error.span, notes=notes)

    def _idle_readings(self) -> Iterator[Warning_]:
        """Those of rulings that some rule reads; of others it is told that none does."""
        unread = {f.name for f in self.spec.report if isinstance(f, RulingNeverRead)}
        like_usual = ((one, self._usual_reading(one)) for one in self._alike)
        for configuration, other in (*like_usual, *self._twins):
            ((name, value),) = configuration.pairs
            if name not in unread and self._alike_everywhere(configuration, other):
                yield from self._idle(name, str(value), other)

    def _alike_everywhere(self, configuration: Configuration, other: str) -> bool:
        """Whether a reading changes nothing of another, whatever the number of players."""
        ((name, value),) = configuration.pairs
        if self.spec.seats({name: value}) != self.spec.seats({name: other}):
            return False
        for players in self.spec.seats({name: value}):
            if players != configuration.players:
                one = self.spec.instantiate(Configuration(players, {name: other}))
                two = self.spec.instantiate(Configuration(players, {name: value}))
                if not (isinstance(one, Compiled) and isinstance(two, Compiled)):
                    return False
                if not same(one.graph, two.graph):
                    return False
        return True

    def _usual_reading(self, configuration: Configuration) -> str:
        ((name, _),) = configuration.pairs
        ruling = next(ruling for ruling in self.spec.rulings if ruling.name.text == name)
        return next(r.name.text for r in ruling.readings if r.default is not None)

    def _idle(self, name: str, value: str, other: str) -> Iterator[Warning_]:
        for ruling in self.spec.rulings:
            if ruling.name.text == name:
                for reading in ruling.readings:
                    if reading.name.text == value:
                        yield ReadingWithoutEffect(name, value, other, span=reading.name.span)


def _within(inner: Span, outer: Span) -> bool:
    return inner.file is outer.file and outer.start <= inner.start and inner.end <= outer.end


def _names(line: str, name: str) -> bool:
    """Whether a line has a word."""
    return re.search(rf"\b{re.escape(name)}\b", line) is not None


def _fix(made: Compiled, error: RuleError) -> str:
    """What to do about a beginning that breaks down, where that can be told."""
    if error.nodes:
        return _TURN
    asks = error.where is not None and isinstance(made.graph.nodes[error.where.node].step, Choose)
    return _OTHERWISE if asks else ""
