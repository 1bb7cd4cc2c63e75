"""Tries one mutant: the scenarios of its clause first, then the others, then random games.

What survives is compared with the rulebook under every number of players and every reading.  If all
graphs do the same, or no situation of any differs, the two are the same game; else the play that
parts them is told, and a scenario made of it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from attrs import evolve, frozen

from compiler.analysis.pairing import pairing
from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.mutation.mutate import mutations
from compiler.mutation.mutation import Mutation
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile, SourceSet
from ruleengine.configurations import configurations, usual
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.match import Ending, Move, random_match
from ruleengine.measure.neutral import How, compared
from ruleengine.measure.witness import parting_scenario
from ruleengine.mutants.verdict import Fate, Verdict
from ruleengine.processes import compiled_spec
from ruleengine.properties.laws import Broken
from ruleengine.properties.looking import Lawful
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_written
from ruleengine.stops import Stop
from ruleengine.table import Table

GAMES: Final = 10
"""Random games of a mutant for each number of players, unless it is said."""

_NODES: Final = 20_000  # steps after which a game is given up
_EFFORT: Final = ((1_500, 2), (300, 1), (100, 0))
"""Situations and random games that are compared under the first configuration in which the graphs
differ, the second, and every other."""


@frozen
class Trying:
    """A mutant to be tried, as values that can be sent to another process."""

    sources: SourceSet
    name: str
    games: int = GAMES
    seed: int = 0


@lru_cache(maxsize=4)
def mutations_of(sources: SourceSet) -> dict[str, Mutation]:
    """All mutations of a rulebook by name, in the order of its text."""
    return {mutation.name: mutation for mutation in mutations(sources.base)}


def try_mutant(task: Trying) -> Verdict:
    """What becomes of a mutant."""
    spec = compiled_spec(task.sources)
    mutation = mutations_of(task.sources)[task.name]
    mutant = _mutant(spec, mutation)
    if isinstance(mutant, Report):
        return Verdict(task.name, Fate.REFUSED, mutant.errors[0].message)
    by = _scenario(mutant, mutation) or _games(mutant, task)
    if by:
        return Verdict(task.name, Fate.KILLED, by)
    return _survivor(spec, mutant, task)


def _mutant(spec: Spec, mutation: Mutation) -> Spec | Report:
    """The rulebook with the fault in it, and the scenarios of the whole one."""
    base = SourceFile(spec.sources.base.name, mutation.text)
    made = compile_sources(evolve(spec.sources, base=base, scenarios=()))
    if isinstance(made, Report):
        return made
    for configuration in usual(made):
        tried = made.instantiate(configuration)
        if isinstance(tried, Report):
            return tried
    return evolve(made, scenario_files=spec.scenario_files)


# ---- who kills it


def _scenario(mutant: Spec, mutation: Mutation) -> str:
    """The first scenario that fails, those that cite its clauses first."""
    cited = set(mutation.clauses)
    ordered = sorted(mutant.scenarios, key=lambda scenario: not cited & set(scenario.tail.clauses))
    for ran in run_written(mutant, ordered):
        if not isinstance(ran, Ran) or ran.failure is not None:
            return f'scenario "{ran.title}"'
    return ""


def _games(mutant: Spec, task: Trying) -> str:
    """What breaks in random games."""
    for configuration in usual(mutant):
        lawful = Lawful.of(Instance.of(_made(mutant, configuration)))

        def look(table: Table, stop: Stop, _: Move | None, lawful: Lawful = lawful) -> None:
            lawful.look(table, stop)

        endless = task.games > 0
        for number in range(task.games):
            match = random_match(lawful.game, task.seed, number, node_limit=_NODES, watching=look)
            if match.error is not None:
                return _law(match.error)
            endless &= match.ending is Ending.NODE_LIMIT
        if endless:
            return 'law "some game ends"'
    return ""


def _law(error: RuleError) -> str:
    if isinstance(error, Broken):
        return f'{"invariant" if error.clauses else "law"} "{error.title}"'
    return f'law "no rule breaks down": {error}'


# ---- who survives


def _survivor(spec: Spec, mutant: Spec, task: Trying) -> Verdict:
    """Whether it is the same game, else how it differs."""
    explored = undecided = False
    tried = 0
    for old, new in _pairs(spec, mutant):
        if pairing(old.graph, new.graph).same:
            continue
        pairs, games = _EFFORT[min(tried, len(_EFFORT) - 1)]
        verdict = compared(old, new, pairs, games)
        tried += 1
        if verdict.witness is not None:
            parting = verdict.witness
            told = f"{parting.what.value}: {parting.old}, and now {parting.new}"
            told = f"{told} (after {len(parting.play)} moves, {old.configuration})"
            return Verdict(
                task.name,
                Fate.SURVIVED,
                parts=told,
                scenario=parting_scenario(old, new, parting, "What tells them apart") or "",
            )
        explored |= verdict.how is How.EXPLORED
        undecided |= verdict.how is How.UNDECIDED
    if undecided:
        return Verdict(task.name, Fate.SURVIVED, parts="no play was found in which it differs")
    by = "no situation differs" if explored else "all graphs do the same"
    return Verdict(task.name, Fate.EQUIVALENT, by)


def _pairs(spec: Spec, mutant: Spec) -> Iterator[tuple[Instance, Instance]]:
    """Both under every number of players and every reading."""
    for old in _all_games(spec.sources):
        new = mutant.instantiate(old.configuration)
        if isinstance(new, Compiled):
            yield old, Instance.of(new)


@lru_cache(maxsize=1)
def _all_games(sources: SourceSet) -> tuple[Instance, ...]:
    """A rulebook's games, kept while its mutants are compared with them."""
    spec = compiled_spec(sources)
    made = (spec.instantiate(configuration) for configuration in configurations(spec))
    return tuple(Instance.of(one) for one in made if isinstance(one, Compiled))


def _made(spec: Spec, configuration: Configuration) -> Compiled:
    made = spec.instantiate(configuration)
    if isinstance(made, Report):
        raise InternalError("a mutant that was compiled does not compile again")
    return made
