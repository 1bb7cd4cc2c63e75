"""The rulings of a rulebook: which of them matter, how much, and where their readings first part.

Every reading is run against the usual one in the same games.  A reading that changes nothing alone
is tried again, in a quarter of the games, under the readings of the rulings read beside it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.config import Configuration, Value, validated
from compiler.diagnostic import Report
from compiler.pipeline import Spec
from compiler.source import SourceSet
from ruleengine.measure.effects import Effect, comparisons, effect
from ruleengine.measure.intervals import each
from ruleengine.measure.lockstep import Parting
from ruleengine.measure.readings import (
    Against,
    Games,
    Knowing,
    Parted,
    play_against,
)
from ruleengine.measure.shrinking import BUDGET
from ruleengine.processes import Workers
from ruleengine.tally import Row

NODE_LIMIT: Final = 100_000
"""Steps after which a game is given up: several times what the longest shipped one takes."""

_FEWEST: Final = 4  # games by which it is seen at least whether a reading matters under another


@frozen
class Asked:
    """A reading that is not the usual one: of which ruling, and what both say."""

    ruling: str
    question: str
    clauses: tuple[str, ...]
    usual: str
    usual_title: str
    reading: str
    title: str

    @property
    def setting(self) -> tuple[str, Value]:
        """What the configuration says of it."""
        return self.ruling, self.reading


@frozen
class Answer:
    """What came of a reading.

    `configuration` is the usual one it was run against, `under` what had to be read otherwise there
    for it to matter.  `knowing` tells of games that went alike, whether somebody knew something
    else.  Without an effect it was not run: `why` says why not.
    """

    asked: Asked
    configuration: Configuration
    under: tuple[tuple[str, Value], ...]
    effect: Effect | None
    witness: Parting | None
    knowing: Knowing | None = None
    why: str = ""

    @property
    def new(self) -> Configuration:
        """The configuration with the reading."""
        return with_settings(self.configuration, (self.asked.setting,))

    @property
    def rank(self) -> tuple[float, ...]:
        """What comes first is most worth deciding: what surely moves a chance, the length or the
        score furthest, then what ends more games otherwise, then what more games go otherwise by at
        all; what needs another reading comes behind."""
        if self.effect is None:
            return (2.0, 0.0, 0.0, 0.0)
        effect, behind = self.effect, float(bool(self.under))
        return behind, -effect.sure, -effect.changed.value, -effect.parted.value


@frozen
class Rulings:
    """The table: every reading of every ruling, those first that are most worth deciding."""

    spec: Spec = field(repr=False)
    seats: int
    seed: int
    games: int
    comparisons: int
    alpha: float
    answers: tuple[Answer, ...]


@frozen
class Plan:
    """How rulings are run: which games, on how many processes, how hard plays are shrunk.

    `only` names rulings; all, if it is empty.  `progress` is told of every task that is done.
    """

    games: int = 100
    seed: int = 0
    jobs: int = 1
    node_limit: int = NODE_LIMIT
    shrink: int = BUDGET
    only: tuple[str, ...] = ()
    progress: Callable[[int], None] = lambda _: None


def rulings(spec: Spec, configuration: Configuration, plan: Plan) -> Rulings:
    """Runs every reading of a spec against the usual one, as the configuration has it.

    The configuration must be a legal one.
    """
    (found,) = several_rulings(spec, (configuration,), plan)
    return found


def several_rulings(
    spec: Spec, configurations: Sequence[Configuration], plan: Plan
) -> tuple[Rulings, ...]:
    """A table for each of several legal configurations; the intervals of all hold together.

    A play after which two readings part is looked for until one is found in one of the tables.
    """
    with Workers(plan.jobs) as workers:
        running, done, told = [], [], frozenset[Asked]()
        for configuration in configurations:
            named, _ = validated(spec.vocabulary, configuration)  # clauses may call rulings
            known = Configuration(configuration.players, named)
            running.append(_Running(spec, known, plan, workers, told))
            done.append(running[-1].played())
            told |= {one.case.asked for one in done[-1] if one.parted.witness is not None}
        many = sum(one.figures(its) for one, its in zip(running, done, strict=True))
        return tuple(one.table(its, many) for one, its in zip(running, done, strict=True))


def with_play(tables: Sequence[Rulings], answer: Answer) -> Answer:
    """An answer about the same reading that has a play after which it parts, if there is one."""
    same = (one for found in tables for one in found.answers if one.asked == answer.asked)
    return next((one for one in same if one.witness is not None), answer)


def asked_of(spec: Spec, configuration: Configuration) -> Iterator[Asked]:
    """Every reading of every ruling but the one that the configuration has, in file order."""
    values = configuration.values
    for ruling in spec.rulings:
        name, tail = ruling.name.text, ruling.tail
        defaults = [one.name.text for one in ruling.readings if one.default is not None]
        usual = str(values.get(name, defaults[0] if defaults else ""))
        titles = {one.name.text: one.title.text for one in ruling.readings}
        for reading, title in titles.items():
            if reading != usual:
                yield Asked(
                    name, tail.text, tail.clauses, usual, titles.get(usual, ""), reading, title
                )


def with_settings(
    configuration: Configuration, settings: Sequence[tuple[str, Value]]
) -> Configuration:
    """A configuration with some of its values changed."""
    return Configuration(configuration.players, {**configuration.values, **dict(settings)})


@define(eq=False)
class _Running:
    """One table in the making."""

    spec: Spec
    configuration: Configuration
    plan: Plan
    workers: Workers
    told: frozenset[Asked]  # of which a play is known already
    _sources: SourceSet = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._sources = evolve(self.spec.sources, scenarios=())  # games need none

    def played(self) -> list["_Done"]:
        """Everything, in two rounds."""
        wanted = [
            one
            for one in asked_of(self.spec, self.configuration)
            if not self.plan.only or one.ruling in self.plan.only
        ]
        plan = self.plan
        first = self._round([_Case(one, self.configuration, ()) for one in wanted], plan.games)
        silent = [done.case.asked for done in first if done.is_silent]
        few = max(min(plan.games, _FEWEST), plan.games // 4)
        second = self._round(list(self._deeper(silent)), few)
        found = [done for done in second if not done.is_silent]
        heard = {done.case.asked for done in found}
        kept = [done for done in first if done.case.asked not in heard]
        return [*kept, *found]

    def _deeper(self, silent: Sequence[Asked]) -> Iterator["_Case"]:
        """Readings that changed nothing, under each reading of a ruling that is read beside."""
        everything = list(asked_of(self.spec, self.configuration))
        for one in silent:
            beside = self.spec.read_beside(one.ruling)
            for other in everything:
                if other.ruling in beside:
                    under = (other.setting,)
                    yield _Case(one, with_settings(self.configuration, under), under)

    # ---- rounds

    def _round(self, cases: list["_Case"], games: int) -> list["_Done"]:
        """Cases of one round, each against its own usual reading; those of one usual together."""
        which = Games(self.plan.seed, games, self.plan.node_limit)
        order = list(dict.fromkeys(case.old for case in cases))
        by_usual = sorted(cases, key=lambda case: order.index(case.old))
        work = [
            Against(
                (self._sources, case.old),
                (self._sources, case.new),
                which,
                None if case.asked in self.told else self.plan.shrink,
                not case.under,
            )
            for case in by_usual
        ]
        found: list[_Done | None] = [None] * len(by_usual)
        for at, parted in self.workers.begin(play_against, work):
            found[at] = _Done(by_usual[at], parted)
            self.plan.progress(1)
        return [done for done in found if done is not None]

    # ---- the table

    @property
    def seats(self) -> int:
        """How many players there are."""
        made = self.spec.instantiate(self.configuration)
        usual = self.configuration.players or min(self.spec.seats())
        return usual if isinstance(made, Report) else made.seats

    def figures(self, done: list["_Done"]) -> int:
        """How many figures are looked at."""
        scored = any(row.scores is not None for one in done for row in one.rows)
        return sum(not one.parted.why for one in done) * comparisons(self.seats, scored)

    def table(self, done: list["_Done"], many: int) -> Rulings:
        """The table; so many figures are looked at in all tables together."""
        plan, seats, alpha = self.plan, self.seats, each(many)
        answers = [one.answer(seats, alpha) for one in done]
        order = {asked: at for at, asked in enumerate(asked_of(self.spec, self.configuration))}
        answers.sort(key=lambda answer: (*answer.rank, order[answer.asked]))
        return Rulings(self.spec, seats, plan.seed, plan.games, many, alpha, tuple(answers))


@frozen
class _Case:
    """A reading to be run against the usual one of a configuration."""

    asked: Asked
    old: Configuration
    under: tuple[tuple[str, Value], ...]

    @property
    def new(self) -> Configuration:
        return with_settings(self.old, (self.asked.setting,))


@frozen
class _Done:
    """What was played of a case."""

    case: _Case
    parted: Parted

    @property
    def rows(self) -> tuple[Row, ...]:
        """Those of the usual reading."""
        return self.parted.before

    @property
    def is_silent(self) -> bool:
        """Whether it was run, and nothing changed."""
        return not self.parted.why and self.parted.witness is None and not self.parted.stops

    def answer(self, seats: int, alpha: float) -> Answer:
        """What the table says of it."""
        case, parted = self.case, self.parted
        found = None
        if not parted.why:
            new = {row.game: row for row in parted.rows}
            found = effect(self.rows, new, len(parted.stops), seats, alpha)
        return Answer(
            case.asked, case.old, case.under, found, parted.witness, parted.knowing, parted.why
        )
