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
    Parted,
    Played,
    Usual,
    play_against,
    play_usual,
)
from ruleengine.measure.shrinking import BUDGET
from ruleengine.processes import Workers
from ruleengine.tally import Row

NODE_LIMIT: Final = 100_000
"""Steps after which a game is given up: several times what the longest shipped one takes."""

_CHUNK: Final = 10  # games of the usual reading in one task
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
    for it to matter.  Without an effect it was not run: `why` says why not.
    """

    asked: Asked
    configuration: Configuration
    under: tuple[tuple[str, Value], ...]
    effect: Effect | None
    witness: Parting | None
    why: str = ""

    @property
    def new(self) -> Configuration:
        """The configuration with the reading."""
        return with_settings(self.configuration, (self.asked.setting,))

    @property
    def rank(self) -> tuple[float, ...]:
        """What comes first is most worth deciding: games end otherwise and a figure is sure to
        move, then more end otherwise, then more go otherwise at all; what needs another reading
        comes behind."""
        if self.effect is None:
            return (2.0, 0.0, 0.0, 0.0)
        effect = self.effect
        moved = effect.told_apart and effect.changed.value > 0
        behind, still = float(bool(self.under)), float(not moved)
        return behind, still, -effect.changed.value, -effect.parted.value


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
    named, _ = validated(spec.vocabulary, configuration)  # rulings may be called by their clauses
    known = Configuration(configuration.players, named)
    with Workers(plan.jobs) as workers:
        return _Running(spec, known, plan, workers).run()


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
    _sources: SourceSet = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._sources = evolve(self.spec.sources, scenarios=())  # games need none

    def run(self) -> Rulings:
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
        return self._table([*kept, *found])

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
        """Cases of one round, each against its own usual reading."""
        told = [(case, self._refused(case)) for case in cases]
        usual: dict[Configuration, list[_Case]] = {}
        for case, why in told:
            if not why:
                usual.setdefault(case.old, []).append(case)
        rows = self._usual(usual, games)
        tasks = [
            (case, rows[case.old][0], rows[case.old][1][at])
            for group in usual.values()
            for at, case in enumerate(group)
        ]
        done = [_Done(case, (), Parted((), {}, None), why) for case, why in told if why]
        return [*done, *self._against(tasks)]

    def _refused(self, case: "_Case") -> str:
        """Why a reading cannot be run here; nothing if it can."""
        for configuration in (case.old, case.new):
            made = self.spec.instantiate(configuration)
            if isinstance(made, Report):
                return made.errors[0].message
        return ""

    def _usual(
        self, groups: dict[Configuration, list["_Case"]], games: int
    ) -> dict[Configuration, tuple[tuple[Row, ...], tuple[tuple[int, ...], ...]]]:
        """For each usual configuration its rows, and the games that each of its cases touches."""
        tasks, whose = [], []
        for old, cases in groups.items():
            others = tuple(case.new for case in cases)
            for first in range(0, games, _CHUNK):
                numbers = tuple(range(first, min(first + _CHUNK, games)))
                tasks.append(Usual(self._sources, old, others, self._games(numbers)))
                whose.append(old)
        parts: dict[int, Played] = {}
        for at, played in self.workers.begin(play_usual, tasks):
            parts[at] = played
            self.plan.progress(1)
        found = {}
        for old, cases in groups.items():
            mine = [parts[at] for at in range(len(tasks)) if whose[at] == old]
            touched = tuple(
                tuple(number for part in mine for number in part.touched[at])
                for at in range(len(cases))
            )
            found[old] = tuple(row for part in mine for row in part.rows), touched
        return found

    def _against(
        self, tasks: list[tuple["_Case", tuple[Row, ...], tuple[int, ...]]]
    ) -> list["_Done"]:
        work = [
            Against(
                (self._sources, case.old),
                (self._sources, case.new),
                self._games(touched),
                self.plan.shrink,
            )
            for case, _, touched in tasks
        ]
        found: list[_Done | None] = [None] * len(tasks)
        for at, parted in self.workers.begin(play_against, work):
            case, rows, _ = tasks[at]
            found[at] = _Done(case, rows, parted)
            self.plan.progress(1)
        return [done for done in found if done is not None]

    def _games(self, numbers: tuple[int, ...]) -> Games:
        return Games(self.plan.seed, numbers, self.plan.node_limit)

    # ---- the table

    def _table(self, done: list["_Done"]) -> Rulings:
        """Figures, once it is known how many are looked at together."""
        made = self.spec.instantiate(self.configuration)
        seats = self.configuration.players or min(self.spec.seats())
        seats = seats if isinstance(made, Report) else made.seats
        scored = any(row.scores is not None for one in done for row in one.rows)
        run = sum(not one.why for one in done)
        many = run * comparisons(seats, scored)
        answers = [one.answer(seats, each(many)) for one in done]
        order = {asked: at for at, asked in enumerate(asked_of(self.spec, self.configuration))}
        answers.sort(key=lambda answer: (*answer.rank, order[answer.asked]))
        plan = self.plan
        return Rulings(self.spec, seats, plan.seed, plan.games, many, each(many), tuple(answers))


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
    rows: tuple[Row, ...]
    parted: Parted
    why: str = ""

    @property
    def is_silent(self) -> bool:
        """Whether it was run, and nothing changed."""
        return not self.why and not self.parted.stops

    def answer(self, seats: int, alpha: float) -> Answer:
        case, parted = self.case, self.parted
        found = None
        if not self.why:
            new = {row.game: row for row in parted.rows}
            found = effect(self.rows, new, len(parted.stops), seats, alpha)
        return Answer(case.asked, case.old, case.under, found, parted.witness, self.why)
