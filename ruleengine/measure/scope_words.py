"""Where two rulebooks were compared, and what was found there, in words that claim no more."""

from collections.abc import Iterator, Sequence
from typing import Final

from compiler.config import Configuration
from compiler.graph.naming import listed
from ruleengine.measure.difference import Difference
from ruleengine.measure.elsewhere import Scope
from ruleengine.measure.neutral import How, Verdict

_NAMED: Final = 6  # configurations that are listed


def where_words(found: Difference) -> str:
    """The number of players and the readings of the games that were asked for."""
    ones, others = found.old.game.configuration.pairs, found.new.game.configuration.pairs
    common = [f"{name}={value}" for name, value in ones if (name, value) in others]
    usual = "otherwise usual readings" if common or ones or others else "usual readings"
    return ", ".join((f"{found.old.game.seats} players", *common, usual))


def verdict_words(verdict: Verdict) -> str:
    """Whether anything changes in the play of two games, and how that is known."""
    seen = f"{verdict.situations:,} pairs of situations were looked at"
    if verdict.how is How.GRAPHS:
        return "Nothing changes in play there, proved: both do the same step by step."
    if verdict.how is How.EXPLORED:
        return f"Nothing changes in play there, proved: {seen}, which are all, and none differs."
    if verdict.witness is None:
        games = f"{verdict.games} random games did not part"
        return f"Not decided: {seen}, there are more, and {games}."
    count = len(verdict.witness.play)
    steps = f"after {count} step{'s' if count != 1 else ''}" if count else "at the start"
    shortest = ", and no shorter play shows it" if verdict.how is How.SHORTEST else ""
    parting = verdict.witness
    return (
        f"They play differently {steps}{shortest}, in {parting.matter}. "
        f"In the first: {parting.old}. In the second: {parting.new}."
    )


def scope_words(found: Difference) -> tuple[str, ...]:
    """Where else both were compared, and what came of it, a line for each."""
    return tuple(_scope(found))


def _scope(found: Difference) -> Iterator[str]:
    scope, lone = found.scope, _one_sided(found)
    if lone:
        yield f"Only one of both has {listed(lone)}: not changed here."
    if not scope.besides:
        yield "Nothing else was compared: there are no other players, readings or parameters."
        return
    yield f"Compared besides: {'; '.join(_parts(found))}."
    if scope.same:
        where = _of_all(scope.same, scope)
        yield f"In {where}, nothing changes in play, proved: both do the same step by step."
    for one in scope.tried:
        words = verdict_words(one.verdict).replace(" there,", ",")
        same = words == verdict_words(found.verdict)
        yield f"With {one.besides}: {'the same' if same else words[0].lower() + words[1:-1]}."
    if scope.alike:
        yield (
            f"In {_of_all(scope.alike, scope)}, the same lines differ and no others, so they were "
            "not played."
        )
    if scope.left:
        more = len(scope.left) - _NAMED
        named = [str(one) for one in scope.left[:_NAMED]] + ([f"{more} others"] if more > 0 else [])
        yield f"Not played, though other lines differ there: {'; '.join(named)}."


def _of_all(some: Sequence[Configuration], scope: Scope) -> str:
    """How many of the configurations some are."""
    many = len(scope.besides)
    return "all of these" if len(some) == many else f"{len(some)} of these {many}"


def _one_sided(found: Difference) -> list[str]:
    """The settings that only one of both has."""
    ones, others = (
        {one.name.text for one in (*spec.rulings, *spec.params, *spec.givens)}
        for spec in (found.old.game.compiled.spec, found.new.game.compiled.spec)
    )
    return sorted(ones ^ others)


def _parts(found: Difference) -> Iterator[str]:
    """What was compared besides, by sort."""
    besides, scope = found.scope.besides, found.scope
    rulings = {one.name.text for one in found.old.game.compiled.spec.rulings}
    alone = [one for one in besides if len(one.pairs) == 1]
    players = sorted(one.players for one in besides if not one.pairs and one.players is not None)
    if players:
        yield f"{listed([str(number) for number in players])} players"
    kinds = (
        (_of(alone, rulings), "other reading alone", "other readings, each alone"),
        (
            len(alone) - _of(alone, rulings),
            "value of a parameter",
            "values of parameters, each alone",
        ),
    )
    for many, one, several in kinds:
        if many:
            yield f"{many} {one if many == 1 else several}"
    mixtures = sum(len(one.pairs) > 1 for one in besides)
    if mixtures:
        how = ", two at a time" if scope.paired else ""
        yield f"{mixtures} mixtures of {listed(scope.mixed)}{how}"


def _of(alone: Sequence[Configuration], names: set[str]) -> int:
    """How many of some configurations set one of these."""
    return sum(one.pairs[0][0] in names for one in alone)
