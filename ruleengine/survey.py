"""What only all configurations together show of a rulebook: lines that never matter, dead ends.

Guards, questions and phases are judged by what they come to in every graph that `check` makes;
readings by whether their graph is that of the usual reading, for every number of players.
"""

from collections.abc import Iterator

from attrs import define, field

from compiler.analysis.ends import phases_without_end
from compiler.analysis.errors import NoEndAhead, ReadingWithoutEffect
from compiler.analysis.pairing import pairing
from compiler.analysis.vacuity import (
    Offered,
    answers,
    never_filled,
    offered,
    settled_questions,
    vacuous_guards,
)
from compiler.config import Configuration
from compiler.diagnostic import Report, Warning_
from compiler.pipeline import Compiled, Spec
from compiler.resolve.errors import RulingNeverRead
from compiler.resolve.written import settable, unfilled, written_guards, written_questions
from compiler.source import Span
from ruleengine.configurations import usual


@define(eq=False)
class Survey:
    """Looks at one game after the other of a spec, and says at last what none of them needs."""

    spec: Spec
    _options: list[Offered] = field(factory=list, init=False)
    _usual: dict[int, Compiled] = field(factory=dict, init=False)  # by number of players
    _alike: list[Configuration] = field(factory=list, init=False)  # readings that changed nothing
    _ending: set[str] = field(factory=set, init=False)  # phases that lead to an end in some game
    _stuck: set[str] = field(factory=set, init=False)

    def look(self, made: Compiled) -> None:
        """Takes one game in; those with the usual readings come first."""
        self._options += offered(made.graph)
        stuck = phases_without_end(made.graph)
        self._stuck |= stuck
        self._ending |= {phase.name for phase in made.graph.phases} - stuck
        if not made.configuration.pairs:
            self._usual[made.seats] = made
        elif made.seats in self._usual and _same(self._usual[made.seats], made):
            self._alike.append(made.configuration)

    def found(self) -> Report:
        """What no game needs, and from where none can end."""
        declared, settings = self.spec.declarations, settable(self.spec.declarations)
        report = Report()
        report.extend(never_filled(unfilled(declared)))
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

    def _idle_readings(self) -> Iterator[Warning_]:
        """Those of rulings that some rule reads; of others it is told that none does."""
        for configuration in self._alike:
            ((name, value),) = configuration.pairs
            if name in self._unread:
                continue
            others = (players for players in self._usual if players != configuration.players)
            games = (
                (self._usual[players], self.spec.instantiate(Configuration(players, {name: value})))
                for players in others
                if players in self.spec.seats({name: value})
            )
            if self.spec.seats({name: value}) == self.spec.seats() and all(
                isinstance(other, Compiled) and _same(one, other) for one, other in games
            ):
                yield from self._idle(name, str(value))

    @property
    def _unread(self) -> frozenset[str]:
        """The rulings that no rule reads."""
        return frozenset(f.name for f in self.spec.report if isinstance(f, RulingNeverRead))

    def _idle(self, name: str, value: str) -> Iterator[Warning_]:
        for ruling in self.spec.rulings:
            if ruling.name.text == name:
                usual_ = next(r.name.text for r in ruling.readings if r.default is not None)
                for reading in ruling.readings:
                    if reading.name.text == value:
                        yield ReadingWithoutEffect(name, value, usual_, span=reading.name.span)


def _same(one: Compiled, other: Compiled) -> bool:
    """Whether two games are one, step by step."""
    return pairing(one.graph, other.graph).same
