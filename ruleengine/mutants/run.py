"""Tries many mutants of a rulebook, in parallel; what was tried before need not be tried again."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from attrs import frozen

from compiler.mutation.mutation import Mutation
from compiler.pipeline import Spec
from ruleengine.mutants.reach import Reach
from ruleengine.mutants.trying import GAMES, Trying, mutations_of, try_mutant
from ruleengine.mutants.verdict import Tally, Verdict
from ruleengine.processes import spread
from ruleengine.rng import CHANCE, stream

ALL: Final = None
"""As a sample: every mutant."""


@frozen
class Plan:
    """Which mutants are tried: all, or a sample of so many; how, and on how many processes.

    `known` are verdicts of earlier runs of the same rulebook; `told` is given each new one.
    """

    sample: int | None = ALL
    seed: int = 0
    games: int = GAMES
    jobs: int = 1
    known: Iterable[Verdict] = ()
    told: Callable[[Mutation, Verdict], None] = lambda _, __: None


def mutate(spec: Spec, plan: Plan, reach: Reach | None = None) -> Tally:
    """The fate of mutants of a spec, whose own tests must pass.

    `reach` says what its scenarios come to; they are run for it unless it is known.
    """
    every = mutations_of(spec.sources)
    chosen = sampled(tuple(every), plan.sample, plan.seed)
    known = {verdict.name: verdict for verdict in plan.known if verdict.name in chosen}
    left = [name for name in chosen if name not in known]
    come = (reach or Reach.of(spec)) if left else None
    tasks = [
        Trying(spec.sources, name, come.order(every[name]), plan.games, plan.seed)
        for name in left
        if come is not None
    ]
    for _, verdict in spread(try_mutant, tasks, plan.jobs):
        known[verdict.name] = verdict
        plan.told(every[verdict.name], verdict)
    return Tally(tuple((every[name], known[name]) for name in chosen))


def sampled(names: Sequence[str], sample: int | None, seed: int) -> tuple[str, ...]:
    """So many of these names, in their order; a larger sample of the same seed has all of them."""
    if sample is None or sample >= len(names):
        return tuple(names)
    source = stream(seed, 0, CHANCE)
    left = list(range(len(names)))
    taken = sorted(left.pop(source.below(len(left))) for _ in range(sample))
    return tuple(names[at] for at in taken)
