"""Runs the tests of a spec: each scenario, then what plays decide for all configurations together.

The configurations are dealt to a fixed number of tasks, so that what comes out does not depend on
how many processes there are.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from itertools import chain
from typing import Final

from attrs import define, evolve, field

from compiler.config import Configuration
from compiler.graph.core import Claim, Graph
from compiler.pipeline import Compiled, Spec
from compiler.source import SourceSet
from ruleengine.configurations import configurations, extremes, few, mixed, usual
from ruleengine.coverage.ledger import Coverage
from ruleengine.game import Instance
from ruleengine.processes import Workers, in_order
from ruleengine.properties.laws import Finding, Law
from ruleengine.properties.looking import Looking
from ruleengine.properties.trial import Trial, Tried, play_games, try_games
from ruleengine.record import Record, RecordError
from ruleengine.testing.apart import APART, Apart, settle, settled
from ruleengine.testing.asked import asked_tests
from ruleengine.testing.plan import Outcome, Plan, Searched, Sort, Tested
from ruleengine.testing.scenarios import scenario_tests
from ruleengine.testing.story import breaking, failed_test
from ruleengine.trail import ranks_of

_TASKS: Final = 8
_FEW: Final = 6  # configurations for which it does not pay to start processes
_ENDLESS: Final = (
    "is what ends a game ever reached?  below stands what no play came to; if games are only long, "
    "`--node-limit` allows more"
)


@define(eq=False)
class Running:
    """The tests of a spec, each given when it is known; scenarios come first.

    `searched` tells how far the search went once all have been given.
    """

    _tests: Iterator[Tested]
    _search: "Search"

    def __iter__(self) -> Iterator[Tested]:
        return self._tests

    @property
    def searched(self) -> Searched | None:
        """How far the search went; `None` if nothing was played."""
        return self._search.searched


def run_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """Runs the tests of a spec.  It must have no errors in any configuration."""
    with Workers(plan.jobs) as workers:
        yield from begin_tests(spec, plan, workers)


def begin_tests(spec: Spec, plan: Plan, workers: Workers) -> Running:
    """The same for whoever asks one test after the other; its plays begin, where several work."""
    search = Search(spec, plan)
    found = search.begin(workers)
    return Running(chain(scenario_tests(spec, plan), found), search)


def game_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """Laws, invariants and claims alone; what is played is played here."""
    return Search(spec, plan).begin(Workers(1))


# ---- what plays decide


@define(eq=False, slots=False)
class Search:
    """The search for a play in which something breaks, in all configurations of a spec."""

    spec: Spec
    plan: Plan
    searched: Searched | None = field(default=None, init=False)
    _found: dict[tuple[Law, str], Finding] = field(factory=dict, init=False)
    _stayed: str = field(default="", init=False)
    _met: dict[str, str] = field(factory=dict, init=False)  # claims, and where they were met

    def begin(self, workers: Workers) -> Iterator[Tested]:
        """Begins to play, if anything is asked that plays decide."""
        asked = asked_tests(self.spec, self.plan)
        if not asked:
            return iter(())
        if not self.plan.games and not self.plan.states:
            return (evolve(t, outcome=Outcome.SKIPPED, message="nothing was played") for t in asked)
        apart = [test for test in asked if _law_of(test) in APART]
        played = [test for test in asked if _law_of(test) not in APART]
        far = workers.several and len(self._chosen) > _FEW
        tried = self._tried(workers, far) if played else iter(())
        return chain(self._apart(workers, apart, far), self._tested(played, tried))

    def _apart(self, workers: Workers, tests: list[Tested], far: bool) -> Iterator[Tested]:
        """The laws that no play decides; elsewhere they are looked at from now on."""
        plan = self.plan.silent
        tasks = [Apart(self._sources, plan, _law_of(test), test) for test in tests]
        if far:
            return in_order(workers.begin(settle, tasks))
        return map(partial(settled, self.spec), tasks)

    @property
    def _sources(self) -> SourceSet:
        return evolve(self.spec.sources, scenarios=())  # plays need none

    def _tested(self, asked: list[Tested], tried: Iterator[Tried]) -> Iterator[Tested]:
        if not asked:
            return
        for finding in known_findings(self.spec, self.plan.known):
            self._keep(finding)
        self.searched = self._add_up(tried)
        for test in asked:
            yield self._decided(test)

    def _add_up(self, tried: Iterator[Tried]) -> Searched:
        """Takes in what came of the configurations."""
        several = list(tried)
        coverage = Coverage.nothing()
        for one in several:
            for finding in one.findings:
                self._keep(finding)
            for title, _ in one.met:
                self._met.setdefault(title, str(one.configuration))
            coverage += one.coverage
        whole = [one for one in several if one.whole]
        gone_through = {one.configuration for one in whole}
        played = [one for one in several if one.configuration not in gone_through]
        return Searched(
            len({one.configuration for one in several}),
            len(whole),
            sum(one.states for one in whole),
            sum(one.plays for one in played),
            sum(one.endless for one in played),
            coverage,
            sum(one.watched for one in played),
            sum(bool(one.gone_by) for one in whole),
            self._stayed,
            sum(one.ended for one in several),
        )

    def _keep(self, finding: Finding) -> None:
        """Keeps the finding with the shortest play; of equal ones the first."""
        known = self._found.get(finding.key)
        if known is None or len(finding.ranks) < len(known.ranks):
            self._found[finding.key] = finding

    def search(self, workers: Workers) -> Searched:
        """Plays, or goes through, all configurations, whatever is asked."""
        far = workers.several and len(self._chosen) > _FEW
        return self._add_up(self._tried(workers, far))

    # ---- one test

    def _decided(self, test: Tested) -> Tested:
        """How a test came out."""
        law = _law_of(test)
        claim = self._claims.get(test.title) if law is Law.CLAIM else None
        if claim is not None and claim.mode == "possible":
            return self._possible(test)
        broken = self._found.get((law, test.title))
        if broken is not None:
            return failed_test(self.spec, self.plan, test, broken)
        idle = self._idle(test, law)
        if idle:
            return evolve(test, outcome=Outcome.SKIPPED, message=idle)
        if law is Law.END and self.searched is not None:
            return self._ended(test, self.searched)
        return evolve(test, message=self._how)

    def _idle(self, test: Tested, law: Law) -> str:
        """Why a test was never asked, if it was not: what nobody came to proves nothing."""
        searched = self.searched
        if searched is None:
            return ""
        if law is not Law.COMPILES and not searched.whole and not searched.plays:
            return "nothing could be played"
        if law in (Law.END, Law.WINNERS) and not searched.ended and not searched.endless:
            return f"no game came to its end {self._how}, something else breaks before"
        phase = self._phases.get((law, test.title))
        # What a machine goes through leaves no trace of phases.
        if phase is None or searched.by_machine or phase in _begun(searched.coverage):
            return ""
        return f"never looked at: the phase `{phase}` never began {self._how}"

    @property
    def _how(self) -> str:
        return f"in {self.searched}"

    @property
    def _claims(self) -> dict[str, Claim]:
        return {claim.title: claim for graph in _first_graph(self.spec) for claim in graph.claims}

    @cached_property
    def _phases(self) -> dict[tuple[Law, str], str | None]:
        """The phases at which invariants and claims are asked, where it is not everywhere."""
        return {
            **{
                (Law.INVARIANT, one.title): one.at_phase
                for graph in _first_graph(self.spec)
                for one in graph.invariants
            },
            **{(Law.CLAIM, title): claim.phase for title, claim in self._claims.items()},
        }

    def _possible(self, test: Tested) -> Tested:
        """A claim that some play comes somewhere: one is enough; no play is no proof."""
        if test.title in self._met:
            return evolve(test, message=f"with {self._met[test.title]}")
        broken = self._found.get((Law.CLAIM, test.title))
        if broken is not None and self.searched is not None and not self.searched.plays:
            return failed_test(self.spec, self.plan, test, broken)
        ended = " (plays end where something else breaks)" if self._found else ""
        message = f"no play came there {self._how}; that is no proof{ended}"
        return evolve(test, outcome=Outcome.SKIPPED, message=message)

    def _ended(self, test: Tested, searched: Searched) -> Tested:
        """How the law came out that games end; how many did not is told in any case."""
        plays, endless = searched.plays, searched.endless
        message = f"{endless} of {plays} plays did not end within the limit" if endless else ""
        if endless and endless == plays and not searched.whole:
            # Of a variant that nobody asked for a few plays are made, which are given up early.
            outcome = Outcome.FAILED if self.plan.readings else Outcome.SKIPPED
            return evolve(test, outcome=outcome, message=message, hint=_ENDLESS)
        return evolve(test, message=message or self._how)

    # ---- trials

    def _tried(self, workers: Workers, far: bool) -> Iterator[Tried]:
        """What came of the configurations, in their order; if `far`, elsewhere, from now on.

        The first is gone through while all are played; if it is small, so are the others.
        """
        chosen = self._chosen
        pilot = self._trials(chosen[:1], self.plan.states) if self.plan.states else []
        tasks = [*pilot, *self._trials(chosen, 0)]
        return self._told(workers, far, self._begun(workers, far, tasks))

    def _told(
        self, workers: Workers, far: bool, done: Iterator[tuple[Tried, ...]]
    ) -> Iterator[Tried]:
        found = [tried for some in done for tried in some]
        self._stayed = next((tried.stayed for tried in found if tried.stayed), "")
        if any(tried.whole for tried in found):
            rest = self._begun(workers, far, self._trials(self._every[1:], self.plan.states))
            found += [tried for some in rest for tried in some]
        # What a machine goes through is not counted; the plays beside it are.
        whole = {tried.configuration for tried in found if tried.whole and not tried.gone_by}
        for tried in found:
            if tried.whole or (tried.plays and tried.configuration not in whole) or tried.findings:
                yield tried

    def _begun(
        self, workers: Workers, far: bool, trials: list[Trial]
    ) -> Iterator[tuple[Tried, ...]]:
        """What comes of trials, in their order; with `far` they begin at once, elsewhere."""
        if far:
            return self._noted(in_order(workers.begin(try_games, trials)), trials)
        return self._noted(map(partial(play_games, self.spec), trials), trials)

    def _noted(
        self, done: Iterator[tuple[Tried, ...]], trials: list[Trial]
    ) -> Iterator[tuple[Tried, ...]]:
        for tried, trial in zip(done, trials, strict=True):
            self.plan.progress(sum(trial.plays))
            yield tried

    def _trials(self, chosen: list[Configuration], states: int) -> list[Trial]:
        """Trials of configurations: gone through as far as so many `states`, or else played."""
        plan = self.plan
        plays = self._plays(chosen) if not states else [0] * len(chosen)
        if not states and not plan.games:
            return []
        return [
            Trial(
                self._sources,
                tuple(chosen[first::_TASKS]),
                plan.seed + 1000 * first,
                tuple(plays[first::_TASKS]),
                states,
                plan.node_limit,
                0 if states else plan.watched,
                None if plan.steps is None else plan.steps // len(chosen),
            )
            for first in range(min(_TASKS, len(chosen)))
        ]

    def _plays(self, chosen: list[Configuration]) -> list[int]:
        """How often each is played: at least once, and else as often as the others."""
        each, more = divmod(self.plan.games, len(chosen))
        return [max(1, each + (at < more)) for at in range(len(chosen))]

    @cached_property
    def _every(self) -> list[Configuration]:
        """Every configuration: each reading and each end of a parameter alone."""
        if not self.plan.readings:
            return list(usual(self.spec))
        some = mixed(self.spec, self.plan.mixed, self.plan.seed)
        return list(dict.fromkeys((*configurations(self.spec), *extremes(self.spec), *some)))

    @cached_property
    def _chosen(self) -> list[Configuration]:
        """Those that are played: every one, or of many several readings in each."""
        if self.plan.alone or not self.plan.readings:
            return self._every
        return few(self.spec)


# ---- what is asked


def _law_of(test: Tested) -> Law:
    match test.sort:
        case Sort.INVARIANT:
            return Law.INVARIANT
        case Sort.CLAIM:
            return Law.CLAIM
        case _:
            return Law(test.title)


def _begun(coverage: Coverage) -> set[str | None]:
    """The phases in which something was done."""
    met = coverage.meanings.items()
    return {meaning.phase for point, meaning in met if coverage.times(point)}


def _first_graph(spec: Spec) -> Iterator[Graph]:
    """The graph of the first configuration, to know of invariants and claims."""
    made = spec.instantiate(next(configurations(spec)))
    if isinstance(made, Compiled):
        yield made.graph


def known_findings(spec: Spec, records: Iterable[Record]) -> Iterator[Finding]:
    """What still breaks in plays in which something broke before."""
    for record in records:
        made = spec.instantiate(record.configuration)
        if not isinstance(made, Compiled):
            continue
        game = Instance.of(made)
        try:
            ranks = ranks_of(game, record)
        except RecordError:
            continue  # the rules have changed so that it is no play any more
        broken = breaking(Looking.of(game), ranks)
        if broken is not None:
            yield Finding.of(broken, record.configuration, ranks)
