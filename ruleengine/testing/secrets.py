"""The law that nobody can tell what he must not know, tested in the usual games of a spec."""

from collections.abc import Iterator

from compiler.pipeline import Compiled, Spec
from ruleengine.configurations import usual
from ruleengine.game import Instance
from ruleengine.leaks.leak import Found
from ruleengine.leaks.search import Looked, find_leaks
from ruleengine.leaks.telling import alike, hides, leak_lines, promised, said, sides
from ruleengine.properties.laws import Broken, Finding, Law
from ruleengine.record import Record
from ruleengine.testing.plan import Counterexample
from ruleengine.testing.story import scenario
from ruleengine.trail import ranks_of


def leaking(
    spec: Spec, stops: int, seed: int, *, everybody: bool
) -> tuple[Counterexample | None, str]:
    """The first leak, if there is one; else how far was looked, nothing if that tells nothing.

    So many stops are looked at with the fewest players, or with every number of them.
    """
    looked: list[Looked] = []
    secret = False
    for game in _games(spec, everybody=everybody):
        if not hides(game):
            continue
        secret = True
        looked.append(find_leaks(game, stops=stops, seed=seed))
        for found in looked[-1].found:
            return counterexample(game, found), ""
    if not secret:
        return None, "nothing is hidden"
    worlds = sum(one.worlds for one in looked)
    told = f"{sum(one.stops for one in looked)} stops, {worlds} other worlds"
    return None, f"in {told}" if worlds else ""


def _games(spec: Spec, *, everybody: bool) -> Iterator[Instance]:
    for configuration in usual(spec):
        made = spec.instantiate(configuration)
        if isinstance(made, Compiled):
            yield Instance.of(made)
        if not everybody:
            return


def counterexample(game: Instance, found: Found) -> Counterexample:
    """A leak as people can use it."""
    record = Record.parse(found.record)
    message = f"{said(game, found.leak)} ({found.leak.promise.number})"
    broken = Broken(Law.LEAKS, Law.LEAKS.value, message)
    finding = Finding.of(broken, game.configuration, ranks_of(game, record))
    story = (*leak_lines(game, found), *_side_by_side(game, found))
    return Counterexample(finding, record, story, scenario(game, finding, record))


def _side_by_side(game: Instance, found: Found) -> Iterator[str]:
    rows = sides(found.leak)[1:]
    if rows:
        yield alike(game, found.leak)
    for name, here, there in rows:
        yield f"    {name}: {here}, and in the other: {there}"
    yield promised(found.leak)
