"""All tests of a spec: its scenarios, its invariants, and what must hold in every game.

Invariants and laws are tested on random games over every number of players and every reading; the
games of a spec are spread evenly over these configurations, at least one for each.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from itertools import chain
from typing import Final

from attrs import evolve, frozen

from compiler.graph.core import Clauses, Graph
from compiler.pipeline import Compiled, Spec
from compiler.render import full
from ruleengine.configurations import configurations, usual
from ruleengine.processes import Workers
from ruleengine.properties import LAWS, Finding, Law, Trial, Tried, play_games, try_games
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios

NODE_LIMIT: Final = 20_000
"""Steps of a game after which a test gives it up: more than the longest shipped game takes."""


_FEW: Final = 6  # configurations for which it does not pay to start processes


class Sort(Enum):
    """What kind of test it is."""

    SCENARIO = "scenario"
    INVARIANT = "invariant"
    LAW = "law"
    CLAIM = "claim"


class Outcome(Enum):
    """How a test came out."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class Tested:
    """One test of a spec.

    `message` says what failed or why the test was skipped; `finding` has the game in which it did.
    """

    spec: str
    sort: Sort
    title: str
    outcome: Outcome
    message: str = ""
    hint: str = ""
    clauses: Clauses = ()
    place: str | None = None
    finding: Finding | None = None

    @property
    def name(self) -> str:
        """How a person picks it out: `klink scenario "Reset"`."""
        return f'{self.spec} {self.sort.value} "{self.title}"'


@frozen
class Plan:
    """How a spec is tested: how many random games in all, with which seed, on how many processes.

    Games go through every number of players and, with `readings`, every reading.  `wanted` picks
    tests by name; `progress` is told how many more games have been played.
    """

    games: int
    seed: int = 0
    jobs: int = 1
    node_limit: int = NODE_LIMIT
    readings: bool = True
    wanted: Callable[[str], bool] = lambda _: True
    progress: Callable[[int], None] = lambda _: None


def run_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """Runs the tests of a spec and gives each when it is known: scenarios, then laws and claims.

    The spec must have no errors in any configuration.
    """
    with Workers(plan.jobs) as workers:
        yield from begin_tests(spec, plan, workers)


def begin_tests(spec: Spec, plan: Plan, workers: Workers) -> Iterator[Tested]:
    """The same; its games begin now, where several work, and are played while scenarios run."""
    games = _begin_games(spec, plan, workers)
    return chain(_scenario_tests(spec, plan), games)


def _scenario_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    name = spec.name

    def told(title: str) -> bool:
        return plan.wanted(Tested(name, Sort.SCENARIO, title, Outcome.PASSED).name)

    for ran in run_scenarios(spec, told):
        yield scenario_test(name, ran)


def scenario_test(spec: str, ran: Ran | Unreadable) -> Tested:
    """A scenario of a spec that was run, as a test."""
    if isinstance(ran, Unreadable):
        return Tested(
            spec,
            Sort.SCENARIO,
            ran.title,
            Outcome.FAILED,
            full(ran.report).strip(),
            clauses=ran.clauses,
            place=str(ran.span),
        )
    failure = ran.failure
    return Tested(
        spec,
        Sort.SCENARIO,
        ran.title,
        Outcome.PASSED if failure is None else Outcome.FAILED,
        "" if failure is None else failure.message,
        "" if failure is None else failure.hint,
        ran.clauses,
        str(ran.span if failure is None else failure.span),
    )


# ---- on random games


def game_tests(spec: Spec, plan: Plan) -> Iterator[Tested]:
    """Laws, invariants and claims, each once for all configurations; games are played here."""
    return _begin_games(spec, plan, Workers(1))


def _begin_games(spec: Spec, plan: Plan, workers: Workers) -> Iterator[Tested]:
    asked = _asked(spec, plan)
    if not plan.games or all(test.sort is Sort.CLAIM for test in asked):
        return (_skipped(test, "no games were played") for test in asked)
    return _played(asked, _tried(spec, plan, workers), not plan.readings)


def _played(asked: list[Tested], played: Iterator[Tried], briefly: bool) -> Iterator[Tested]:
    found: dict[tuple[Sort, str], Finding] = {}
    finished, endless = 0, 0
    for tried in played:
        finished += tried.finished
        endless += len(tried.unfinished)
        for finding in tried.findings:
            sort = Sort.INVARIANT if finding.law is Law.INVARIANT else Sort.LAW
            found.setdefault((sort, finding.title), finding)
    for test in asked:
        broken = found.get((test.sort, test.title))
        if broken is not None:
            yield _failed(test, broken)
        elif test.title == Law.END.value:
            yield _ended(test, finished, endless, briefly)
        else:
            yield test


def _ended(test: Tested, finished: int, endless: int, briefly: bool) -> Tested:
    """How the law came out that some game ends; how many did not is told in any case.

    A `briefly` tested spec, whose games are given up early, is not judged by it.
    """
    said = f"{endless} of {finished + endless} games did not end within the limit"
    message = said if endless else ""
    if finished or not endless:
        return evolve(test, message=message)
    return evolve(test, outcome=Outcome.SKIPPED if briefly else Outcome.FAILED, message=message)


def _skipped(test: Tested, why: str) -> Tested:
    return evolve(test, outcome=Outcome.SKIPPED, message=test.message or why)


def _failed(test: Tested, finding: Finding) -> Tested:
    return evolve(
        test,
        outcome=Outcome.FAILED,
        message=finding.message,
        clauses=finding.clauses,
        place=finding.place or test.place,
        finding=finding,
    )


def _asked(spec: Spec, plan: Plan) -> list[Tested]:
    """The tests that games decide, as they come out if nothing is found."""
    name = spec.name
    found = [Tested(name, Sort.LAW, law.value, Outcome.PASSED) for law in LAWS]
    for graph in _first_graph(spec):
        found += [
            Tested(
                name,
                Sort.INVARIANT,
                invariant.title,
                Outcome.PASSED,
                clauses=invariant.clauses,
                place=None if invariant.span is None else str(invariant.span),
            )
            for invariant in graph.invariants
        ]
        found += [
            Tested(
                name,
                Sort.CLAIM,
                claim.title,
                Outcome.SKIPPED,
                "random games do not decide claims",
                clauses=claim.clauses,
            )
            for claim in graph.claims
        ]
    return [test for test in found if plan.wanted(test.name)]


def _first_graph(spec: Spec) -> Iterator[Graph]:
    """The graph of the first configuration, to know of invariants and claims."""
    made = spec.instantiate(next(configurations(spec)))
    if isinstance(made, Compiled):
        yield made.graph


def _tried(spec: Spec, plan: Plan, workers: Workers) -> Iterator[Tried]:
    """What came of the games, in the order of the configurations."""
    trials = _trials(spec, plan)
    if len(trials) > _FEW and workers.several:
        return _in_order(workers.begin(try_games, trials), trials, plan)
    return _in_order(enumerate(map(partial(play_games, spec), trials)), trials, plan)


def _in_order(
    done: Iterable[tuple[int, Tried]], trials: list[Trial], plan: Plan
) -> Iterator[Tried]:
    results: list[Tried | None] = [None] * len(trials)
    for position, tried in done:
        results[position] = tried
        plan.progress(len(trials[position].numbers))
    yield from (tried for tried in results if tried is not None)


def _trials(spec: Spec, plan: Plan) -> list[Trial]:
    """Games numbered through all configurations, so that no two have the same chance."""
    chosen = list(configurations(spec) if plan.readings else usual(spec))
    each, more = divmod(plan.games, len(chosen))
    sources = evolve(spec.sources, scenarios=())  # games need none
    trials, first = [], 0
    for position, configuration in enumerate(chosen):
        count = max(1, each + (position < more))
        numbers = range(first, first + count)
        trials.append(Trial(sources, configuration, plan.seed, numbers, plan.node_limit))
        first += count
    return trials
