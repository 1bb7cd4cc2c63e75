"""Configurations of a spec put on trial: gone through wholly where they are small, else played.

Plays are drawn by Hypothesis, as ranks among the legal moves.  The second half of the plays of a
configuration is steered: where an answer has been chosen seldom so far, in this configuration or
those before it, it is drawn as often as all answers together; and every other play begins as one
did that came, at the end of these moves, to a rule or to an outcome of a test or guard that none
had come to before.
"""

from collections.abc import Sequence
from typing import Final

from attrs import define, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.graph.core import Choose
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.coverage.counting import Meter, metered_game
from ruleengine.coverage.ledger import Coverage
from ruleengine.game import Instance
from ruleengine.processes import compiled_spec
from ruleengine.properties.agreement import replays
from ruleengine.properties.laws import Broken, Finding, Law, as_broken
from ruleengine.properties.looking import Lawful, Looking
from ruleengine.properties.promises import Promises, sought
from ruleengine.properties.suspicion import suspected
from ruleengine.properties.sweep import Sweep, Swept
from ruleengine.properties.vast import Vast
from ruleengine.stops import ChanceStop, Stop, Terminal
from ruleengine.strategies.hunting import Hunted, hunt
from ruleengine.strategies.plays import Favouring
from ruleengine.table import Table
from ruleengine.trail import choices

_FEW: Final = 1_000  # situations that the interpreter goes through
_MORE: Final = 10  # times as many that a machine goes through beside it
_PARTS: Final = 3  # of the plays of one configuration
_OPENINGS: Final = 8  # plays with something new at their end that others begin with, at most
_SELDOM: Final = 4  # an option is seldom if the commonest beside it was chosen so often as often


@frozen
class Trial:
    """Some configurations of a spec, as values that can be sent to another process.

    `plays` are to be made of each, the first in any case, others as long as all have not taken
    `steps`, and `watched` more on a compiled machine.  With `states` they
    are gone through instead, each as far as so many situations; where that is not all of them,
    nothing is said of that configuration.
    """

    sources: SourceSet
    configurations: tuple[Configuration, ...]
    seed: int
    plays: tuple[int, ...]
    states: int
    node_limit: int
    watched: int = 0
    steps: int | None = None


@frozen
class Tried:
    """What came of one configuration.

    `plays` were played, of which `ended` came to an end and `endless` were given up for their
    length, and `watched` more on a machine; if `whole`, all of its `states` were gone through
    instead, by `gone_by` if that was not the interpreter.  `met` has the claims that are sought, by
    title, with the ranks of the moves that lead to where they are true.
    """

    configuration: Configuration
    findings: tuple[Finding, ...]
    plays: int
    endless: int
    whole: bool
    states: int
    depth: int
    met: tuple[tuple[str, tuple[int, ...]], ...]
    coverage: Coverage = field(repr=False)
    watched: int = 0
    gone_by: str = ""
    stayed: str = ""  # why it was not gone through
    ended: int = 0  # plays, or situations, that are the end of a game


def try_games(trial: Trial) -> tuple[Tried, ...]:
    """Puts configurations on trial, in a process that has only their texts."""
    return play_games(compiled_spec(trial.sources), trial)


def play_games(spec: Spec, trial: Trial) -> tuple[Tried, ...]:
    """Puts configurations of a spec on trial, one after the other."""
    court = _Court(spec, trial)
    chosen = zip(trial.configurations, trial.plays, strict=True)
    return tuple(court.hear(number, *each) for number, each in enumerate(chosen))


@define(eq=False)
class _Court:
    """Hears one configuration after the other, and remembers where their plays went."""

    spec: Spec
    trial: Trial
    _learned: Coverage = field(factory=Coverage.nothing)

    def hear(self, number: int, configuration: Configuration, plays: int) -> Tried:
        """What comes of one configuration."""
        made = self.spec.instantiate(configuration)
        if isinstance(made, Report):
            return _refused(configuration, made)
        game, meter = metered_game(made)
        case = _Case(game, meter, self.trial, configuration)
        if self.trial.states:
            return case.go_through()
        tried = case.play(plays, self.trial.seed + number, self._learned)
        self._learned += tried.coverage
        return tried


def _refused(configuration: Configuration, report: Report) -> Tried:
    """A configuration that the compiler refuses."""
    first = report.errors[0]
    broken = Broken(Law.COMPILES, Law.COMPILES.value, first.message, (), first.span)
    found = (Finding.of(broken, configuration),)
    return Tried(configuration, found, 0, 0, False, 0, 0, (), Coverage.nothing())


@define(eq=False)
class _Case:
    """One configuration on trial."""

    game: Instance
    meter: Meter
    trial: Trial
    configuration: Configuration
    _findings: dict[tuple[Law, str], Finding] = field(factory=dict)
    _met: dict[str, tuple[int, ...]] = field(factory=dict)
    _ended: int = 0
    _endless: int = 0
    _plays: int = 0
    _last: tuple[int, ...] = ()
    _openings: list[tuple[int, ...]] = field(factory=list)
    _unmet: int = -1  # points that no play has come to
    _newest: int = -1  # moves of the play at hand when it last came to a new one

    def go_through(self) -> Tried:
        """Goes through its situations."""
        lawful = Looking.of(self.game, self.trial.node_limit).lawful
        promises = Promises.of(self.game, plays=False)
        swept, machine, stayed = self._swept(lawful, promises)
        return Tried(
            self.configuration,
            tuple(
                Finding.of(broken, self.configuration, way, nearest=True)
                for broken, way in swept.broken
            ),
            0,
            0,
            swept.complete,
            swept.states,
            swept.depth,
            tuple((claim.title, way) for claim, way in swept.met),
            self.meter.coverage,
            gone_by=machine,
            stayed=stayed,
            ended=swept.ends,
        )

    def _swept(self, lawful: Lawful, promises: Promises) -> tuple[Swept, str, str]:
        """What came of going through it, by what, and why it did not get far enough.

        A machine does it if there are many situations.
        """
        most = self.trial.states
        few = Sweep(self.game, lawful, promises, min(most, _FEW)).run()
        if few.complete or few.broken:
            return few, "", ""
        far = max(most, _FEW * _MORE)
        many = Vast(self.game, lawful, promises, far).run()
        if isinstance(many, Swept):
            stayed = "" if many.complete else f"there are more than {far:,} situations"
            return many, "a compiled machine", stayed
        found = few if most <= _FEW else Sweep(self.game, lawful, promises, most).run()
        stayed = f"there are more than {most:,} situations, and no machine looks at more: {many}"
        return found, "", "" if found.complete else stayed

    def play(self, plays: int, seed: int, learned: Coverage) -> Tried:
        """Plays it, half of the plays steered by where plays went."""
        looking = Looking.of(self.game, self.trial.node_limit, going_on=True)
        favouring = _favouring(self.meter, learned) if learned.counts else None
        self._hunt(looking, 1, _PARTS * seed, favouring)
        left = self._affordable(plays - 1)
        first = -(-left // 2)
        for part, count in enumerate((first, left - first), 1):
            steered = part > 1 or learned.counts
            favouring = _favouring(self.meter, learned) if steered else None
            openings = tuple(self._openings[-_OPENINGS:]) if part > 1 else ()
            self._hunt(looking, count, _PARTS * seed + part, favouring, openings)
        if not self.configuration.pairs and self._last:
            broken = replays(self.game, self._last)
            if broken is not None:
                self._keep(broken, self._last)
        watched = self.trial.watched
        if watched:
            strict = Looking.of(self.game, self.trial.node_limit)
            for broken, ranks in suspected(self.game, strict, seed, watched, self.trial.node_limit):
                self._keep(broken, ranks)
        return Tried(
            self.configuration,
            tuple(self._findings.values()),
            self._plays,
            self._endless,
            False,
            0,
            0,
            tuple(self._met.items()),
            self.meter.coverage,
            watched,
            ended=self._ended,
        )

    def _affordable(self, plays: int) -> int:
        """How many more plays can be made, if they are as long as the first."""
        taken, steps = self.game.interpreter.taken, self.trial.steps
        return plays if steps is None else min(plays, max(0, steps // max(1, taken) - 1))

    def _hunt(
        self,
        looking: Looking,
        plays: int,
        noise: int,
        favouring: Favouring | None,
        openings: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        moves = 0

        def look(table: Table, stop: Stop) -> None:
            nonlocal moves
            looking.look(table, stop)
            unmet = self.meter.counts.count(0)
            if unmet != self._unmet:
                self._unmet, self._newest = unmet, moves
            moves += 1

        def begin() -> None:
            nonlocal moves
            looking.begin()
            moves, self._newest = 0, -1

        hunt(
            self.game,
            look,
            lambda hunted: self._note(hunted, looking),
            begin=begin,
            plays=plays,
            noise=noise,
            node_limit=self.trial.node_limit,
            favouring=favouring,
            openings=openings,
        )

    def _note(self, hunted: Hunted, looking: Looking) -> None:
        """Keeps of a play what broke in it, and which claims it met."""
        self._plays += 1
        for broken, at in looking.noted.values():
            self._keep(broken, hunted.ranks[:at])
        self._endless += not hunted.ended
        if hunted.error is not None:
            self._keep(as_broken(hunted.error), hunted.ranks)
            return
        self._ended += hunted.ended
        self._last = hunted.ranks
        if self._newest > 0:
            self._openings.append(hunted.ranks[: self._newest])
        for claim in sought(self.game.graph):
            met = looking.promises.met.get(claim)
            if met is not None:
                self._met.setdefault(claim.title, hunted.ranks[:met])

    def _keep(self, broken: Broken, ranks: tuple[int, ...]) -> None:
        """Keeps the shortest play of each sort."""
        found = Finding.of(broken, self.configuration, ranks)
        known = self._findings.get(found.key)
        if known is None or len(ranks) < len(known.ranks):
            self._findings[found.key] = found


def _favouring(meter: Meter, learned: Coverage) -> Favouring:
    """The answers that have been chosen seldom, by what is known now."""
    points, listed, counts = meter.points, meter.points.listed, tuple(meter.counts)

    def times(node: int, option: int) -> int:
        found = points.options.get((node, option))
        return 0 if found is None else counts[found[1]] + learned.times(listed[found[1]])

    def favoured(stop: Stop) -> Sequence[int]:
        if isinstance(stop, ChanceStop | Terminal):
            return ()
        step = meter.graph.nodes[stop.node].step
        if not isinstance(step, Choose):
            return ()
        offered = choices(stop)
        last = len(step.options)
        by_option = {at: times(stop.node, at) for at in {_option(c.option, last) for c in offered}}
        most = max(by_option.values())
        rare = {at for at, count in by_option.items() if count * _SELDOM <= most and count < most}
        return [c.index for c in offered if _option(c.option, last) in rare]

    return favoured


def _option(option: int | None, decline: int) -> int:
    return decline if option is None else option
