"""How something breaks, as people can use it: a short play, told, as a record, as a scenario."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from attrs import evolve

from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.graph.core import Claim, Graph
from compiler.graph.notation import term_text
from compiler.pipeline import Compiled, Spec
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.play.course import Course
from ruleengine.play.retelling import Retelling
from ruleengine.properties.laws import Broken, Finding, Law, as_broken
from ruleengine.properties.looking import Looking
from ruleengine.properties.promises import HOLD
from ruleengine.record import Record, RecordError
from ruleengine.strategies.hunting import shortened
from ruleengine.testing.plan import Counterexample, Outcome, Plan, Tested
from ruleengine.trail import Trail, ranks_of, record_of

WIDTH: Final = 88
"""Columns of a story."""

_NO_PLAY: Final = (Law.COMPILES, Law.MACHINES, Law.LAYOUT)
_LAST: Final = 12  # moves of a play that are told


def told(spec: Spec, finding: Finding, tries: int, node_limit: int) -> Counterexample | None:
    """A finding as people can use it; `None` if no play leads there."""
    if finding.law in _NO_PLAY:
        return None
    if finding.configuration.pairs and finding.ranks:
        finding = _plainer(spec, finding, node_limit)
    game = game_of(spec, finding)
    short = _shortest(game, finding, tries, node_limit)
    record = record_of(game, short.ranks)
    return Counterexample(short, record, story(game, record), scenario(game, short, record))


def game_of(spec: Spec, finding: Finding) -> Instance:
    """The game in which something broke."""
    made = spec.instantiate(finding.configuration)
    if isinstance(made, Report):
        raise InternalError("a game that was played does not compile again")
    return Instance.of(made)


def _shortest(game: Instance, finding: Finding, tries: int, node_limit: int) -> Finding:
    """The same thing broken in fewer moves, if such a play is found."""
    if finding.nearest or finding.law in (Law.REPLAY, Law.SEATS) or not finding.ranks:
        return finding
    looking = Looking.of(Instance.of(game.compiled), node_limit)

    def same(error: RuleError) -> bool:
        broken = as_broken(error)
        return (broken.law, broken.title) == finding.key

    ranks = shortened(
        looking.lawful.game,
        looking.look,
        same,
        finding.ranks,
        begin=looking.begin,
        node_limit=node_limit,
        tries=tries,
    )
    return again(looking, finding, ranks) or finding


def again(looking: Looking, finding: Finding, ranks: tuple[int, ...]) -> Finding | None:
    """What breaks in the play of these ranks, if it is the same."""
    broken = breaking(looking, ranks)
    if broken is None or (broken.law, broken.title) != finding.key:
        return None
    return Finding.of(broken, finding.configuration, ranks)


def breaking(looking: Looking, ranks: tuple[int, ...]) -> Broken | None:
    """What breaks in the play of these ranks, if anything does."""
    looking.begin()
    try:
        trail = Trail.begin(looking.lawful.game, looking.look)
        for rank in ranks:
            trail.take(rank)
    except RuleError as error:
        return as_broken(error)
    return None


def failed_test(spec: Spec, plan: Plan, test: Tested, finding: Finding) -> Tested:
    """A test that failed, with the shortest play found in which it does."""
    example = told(spec, finding, plan.tries, plan.node_limit)
    return broken_test(test, finding if example is None else example.finding, example)


def broken_test(test: Tested, shown: Finding, example: Counterexample | None) -> Tested:
    """A test that failed, as it is shown."""
    return evolve(
        test,
        outcome=Outcome.FAILED,
        message=shown.message,
        clauses=shown.clauses,
        place=shown.place or test.place,
        text=shown.text,
        counterexample=example,
    )


# ---- fewer settings


def _plainer(spec: Spec, finding: Finding, node_limit: int) -> Finding:
    """The same thing broken with as few settings as are needed for the same play."""
    for name, _ in finding.configuration.pairs:
        rest = {n: value for n, value in finding.configuration.pairs if n != name}
        without = Configuration(finding.configuration.players, rest)
        made = spec.instantiate(without)
        if not isinstance(made, Compiled):
            continue
        record = record_of(game_of(spec, finding), finding.ranks)
        with suppress(RecordError):
            game = Instance.of(made)
            plain = evolve(finding, configuration=without, nearest=False)
            looking = Looking.of(game, node_limit)
            finding = again(looking, plain, ranks_of(game, record)) or finding
    return finding


# ---- in words


def story(game: Instance, record: Record) -> tuple[str, ...]:
    """The last moves of a play, each with what it brings about and the clauses of that."""
    course = Course.begin(game, 0)
    with suppress(RecordError):  # where the rules break down, the story ends
        course.follow(record)
    return tuple(line.text for line in Retelling(course, None, WIDTH, last=_LAST).lines())


def scenario(game: Instance, finding: Finding, record: Record) -> str:
    """A scenario that fails as long as the play of a record breaks what it breaks."""
    title = f"{_about(finding)} breaks".replace('"', "'")
    cited = "".join(f" @{clause}" for clause in finding.clauses)
    lines = [f'scenario "{title}"{cited}', f"    seats {game.seats}"]
    lines += [f"    set {name} = {value}" for name, value in game.configuration.pairs]
    lines += [f"    {step}" for step in record.steps]
    lines += [f"    expect {term}" for term in _expected(game.graph, finding)]
    return "\n".join(lines) + "\n"


def _about(finding: Finding) -> str:
    return finding.title[:1].upper() + finding.title[1:]


def _expected(graph: Graph, finding: Finding) -> Iterator[str]:
    """What the end of the scenario states; to see whether it is so, the last move must be made."""
    claims = [claim for claim in graph.claims if claim.title == finding.title]
    if finding.law is Law.CLAIM and claims:
        yield _claimed(claims[0], graph)
    else:
        yield f"count(everyone) is {graph.seats}"


def _claimed(claim: Claim, graph: Graph) -> str:
    term = term_text(claim.term, graph)
    return f"not ({term})" if HOLD.get(claim.mode) is False else term
