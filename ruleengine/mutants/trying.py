"""Tries one mutant: first some scenarios that come to the fault, then games on a compiled machine
that stops where a law or an invariant is broken, then the rest of those scenarios.

What survives is compared with the rulebook under every number of players and every reading.  If all
graphs do the same, or no situation of any differs, the two are the same game; else the play that
parts them is told, and a scenario made of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.lower.script import Written
from compiler.mutation.mutate import mutations
from compiler.mutation.mutation import Mutation
from compiler.mutation.spoilt import spoilt
from compiler.pipeline import Compiled, Spec, compile_rules
from compiler.source import SourceFile, SourceSet
from ruleengine.configurations import configurations, usual
from ruleengine.game import Instance
from ruleengine.interpreter import Interpreter
from ruleengine.measure.as_scenario import parting_scenario
from ruleengine.measure.lockstep import Drawing, Lockstep, Parting
from ruleengine.measure.neutral import How, compared
from ruleengine.measure.shrinking import Shrinking
from ruleengine.mutants.games import Beside, beside, original
from ruleengine.mutants.reasons import SMALL, reason, small
from ruleengine.mutants.sameness import same_game
from ruleengine.mutants.verdict import Fate, Verdict
from ruleengine.processes import compiled_spec
from ruleengine.rehearsing import configuration_of
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import interpreter_of, run_written

GAMES: Final = 100
"""Random games of a mutant for each configuration in which it differs, unless it is said."""

_FIRST: Final = 30  # scenarios that are run before any game is played
_READINGS: Final = 2  # readings under which games are played, if the mutant differs in them alone
_STOPS: Final = 20_000  # stops of a game in which the two must part
_BUDGET: Final = 1_000  # stops that are played to make such a game short
_PAIRS: Final = 20_000  # situations that are compared, times the steps of the graph
_FEWEST, _MOST = 100, 300
_WHOLE: Final = 4 * SMALL  # pairs of situations, where knowledge counts, of a game that is small
_TRACED: Final = 200  # games of which every stop is compared
_TRIED: Final = 2  # configurations in which that is tried in vain


@frozen
class Trying:
    """A mutant to be tried, as values that can be sent to another process.

    `scenarios` are the positions of those that may notice it, the likeliest first.
    """

    sources: SourceSet
    name: str
    scenarios: tuple[int, ...]
    games: int = GAMES
    seed: int = 0


@lru_cache(maxsize=4)
def mutations_of(sources: SourceSet) -> dict[str, Mutation]:
    """All mutations of a rulebook by name, in the order of its text."""
    return {mutation.name: mutation for mutation in mutations(sources.base)}


class Refused(Exception):
    """The compiler refuses a mutant; the message is what it says."""


def try_mutant(task: Trying) -> Verdict:
    """What becomes of a mutant."""
    spec = compiled_spec(task.sources)
    mutation = mutations_of(task.sources)[task.name]
    try:
        return _Trial(task, mutation, _mutant(spec, mutation)).verdict()
    except Refused as refused:
        return Verdict(task.name, Fate.REFUSED, str(refused))


def _mutant(spec: Spec, mutation: Mutation) -> Spec:
    """The rulebook with the fault in it, and the scenarios of the whole one."""
    base = SourceFile(spec.sources.base.name, mutation.text)
    tree = spoilt(mutation)
    # A fault cites nothing that the rulebook does not cite.
    sources = evolve(spec.sources, base=base, catalogue=None, tables=(), lock=None)
    made = tree if isinstance(tree, Report) else compile_rules(sources, tree)
    if isinstance(made, Report):
        raise Refused(made.errors[0].message)
    return made


@define(eq=False)
class _Trial:
    """One mutant on trial."""

    task: Trying
    mutation: Mutation
    mutant: Spec
    _alike: list[tuple[Instance, Instance]] = field(factory=list, init=False)
    _same: dict[Configuration, bool] = field(factory=dict, init=False)
    _local: dict[Configuration, bool] = field(factory=dict, init=False)
    _others: dict[Configuration, Compiled | None] = field(factory=dict, init=False)
    _held: list[Compiled] = field(factory=list, init=False)
    _played: int = field(default=0, init=False)
    _games: tuple[Compiled, ...] = field(default=(), init=False)

    def verdict(self) -> Verdict:
        """What becomes of it."""
        first, rest = self.task.scenarios[:_FIRST], self.task.scenarios[_FIRST:]
        by = self._scenario(first)
        if by:
            return self._killed(by)
        found = self._beside(self._usual())
        if isinstance(found, str):
            return self._killed(found)
        by = self._scenario([at for at in rest if self._may_notice(at)])
        if by:
            return self._killed(by)
        if found is None:
            found = self._beside(self._readings(), enough=True)
        if isinstance(found, str):
            return self._killed(found)
        return self._alive() if found is None else self._survived(*found)

    def _killed(self, by: str) -> Verdict:
        return Verdict(self.task.name, Fate.KILLED, by)

    def _usual(self) -> tuple[Compiled, ...]:
        """Its games for every number of players."""
        if not self._games:
            made = [self.mutant.instantiate(one) for one in usual(self.mutant)]
            refused = next((one for one in made if isinstance(one, Report)), None)
            if refused is not None:
                raise Refused(refused.errors[0].message)
            self._games = tuple(one for one in made if isinstance(one, Compiled))
        return self._games

    # ---- who kills it

    def _scenario(self, positions: Sequence[int]) -> str:
        """The first of some scenarios that fails."""
        written = _scenarios(self.task.sources)
        chosen = [written[at] for at in positions]
        for ran in run_written(self.mutant, chosen, self._holding):
            if not isinstance(ran, Ran):
                self._usual()  # perhaps no game of it compiles
            if not isinstance(ran, Ran) or ran.failure is not None:
                return f'scenario "{ran.title}"'
        return ""

    def _holding(self, compiled: Compiled) -> Interpreter:
        """What plays the scenarios of a game, which is kept for what else is asked of it."""
        self._held.append(compiled)
        return interpreter_of(compiled)

    def _may_notice(self, position: int) -> bool:
        """Whether the game of a scenario is another one than the rulebook's."""
        wish = configuration_of(_scenarios(self.task.sources)[position])
        return isinstance(wish, Report) or not self._is_same_under(wish)

    def _is_same_under(self, wish: Configuration) -> bool:
        """Whether the mutant is the same game under a configuration.

        One that differs from a usual one in nothing that matters to the fault needs no look, unless
        it is the same there for reasons that lie elsewhere.
        """
        if wish not in self._same:
            same = None
            if not {name for name, _ in wish.pairs} & self.mutation.asks:
                same = self._is_same_as_usual(wish.players)
            self._same[wish] = self._look(wish) if same is None else same
        return self._same[wish]

    def _is_same_as_usual(self, players: int | None) -> bool | None:
        usual_ = self._usual()
        one = next((one for one in usual_ if one.configuration.players == players), None)
        one = usual_[0] if players is None else one
        if one is None:
            return None
        if not self._is_same(one):
            return False
        key = one.configuration
        if key not in self._local:
            self._local[key] = same_game(self.task.sources, one, locally=True)
        return True if self._local[key] else None

    def _look(self, wish: Configuration) -> bool:
        new = self._made(wish)
        return new is not None and self._is_same(new)

    def _made(self, wish: Configuration) -> Compiled | None:
        """The mutant's game under a configuration, if it and the rulebook's compile."""
        if wish not in self._others:
            new = self.mutant.instantiate(wish)
            known = isinstance(new, Compiled) and _compiles(self.task.sources, wish)
            self._others[wish] = new if isinstance(new, Compiled) and known else None
        return self._others[wish]

    def _is_same(self, new: Compiled) -> bool:
        wish = new.configuration
        if wish not in self._same:
            self._same[wish] = same_game(self.task.sources, new)
        return self._same[wish]

    def _beside(
        self, made: Iterable[Compiled], *, enough: bool = False
    ) -> str | tuple[Instance, Instance, int] | None:
        """Plays games: what kills it, or the two games and a number in which they differ.

        One configuration in which they differ may be `enough`.
        """
        parting: tuple[Instance, Instance, int] | None = None
        for one in made:
            if self._is_same(one):
                continue
            old, new = original(self.task.sources, one.configuration), Instance.of(one)
            found = Beside()
            if self._wanted:
                found = beside(self.task.sources, new, self.task.seed, self.task.games)
                self._played += found.games
            if found.by:
                return found.by
            if found.differs is None:
                self._alike.append((old, new))
            elif parting is None:
                parting = old, new, found.differs
                if enough:
                    break
        return parting

    @property
    def _wanted(self) -> bool:
        """Whether more games are worth their while."""
        return self._played < (len(self._usual()) + _READINGS) * max(self.task.games, 1)

    def _readings(self) -> Iterator[Compiled]:
        """Its games under every reading, those first that the spoilt lines name."""
        text = self.mutation.span.file.text.splitlines()
        around = "\n".join(text[row - 1] for row in self.mutation.around)
        known = {one.configuration for one in self._usual()}
        others = [one for one in configurations(self.mutant) if one not in known]
        others.sort(key=lambda one: not any(name in around for name, _ in one.pairs))
        for configuration in others:
            made = None if self._is_same_under(configuration) else self._made(configuration)
            if made is not None:
                yield made

    # ---- who survives

    def _survived(self, old: Instance, new: Instance, number: int) -> Verdict:
        """How a mutant differs that nothing kills."""
        lockstep = Lockstep.of(old, new)
        parting = lockstep.play(Drawing.of(old, self.task.seed, number), _STOPS)
        if parting is None:
            told = f"game {number} comes out otherwise ({old.configuration})"
            return Verdict(self.task.name, Fate.SURVIVED, parts=told)
        return self._parted(old, new, Shrinking(lockstep, parting, _BUDGET).run())

    def _parted(self, old: Instance, new: Instance, parting: Parting) -> Verdict:
        told = f"{parting.what.value}: {parting.old}, and now {parting.new}"
        told = f"{told} (after {len(parting.play)} moves, {old.configuration})"
        scenario = parting_scenario(old, new, parting, "What tells them apart") or ""
        return Verdict(self.task.name, Fate.SURVIVED, parts=told, scenario=scenario)

    def _alive(self) -> Verdict:
        """No game told them apart: whether they are the same, else how they differ after all.

        A game that is small is gone through whole beside its mutant.
        """
        if not self._alike:
            return Verdict(self.task.name, Fate.EQUIVALENT, "every step means the same")
        situations = 0
        undecided: list[tuple[Instance, Instance]] = []
        for old, new in self._alike:
            if len(undecided) == _TRIED:
                break
            whole = small(self.task.sources, old.compiled.configuration)
            pairs = _WHOLE if whole else max(_FEWEST, min(_MOST, _PAIRS // len(old.graph.nodes)))
            verdict = compared(old, new, pairs, 1 if undecided else _TRACED)
            if verdict.witness is not None:
                return self._parted(old, new, verdict.witness)
            situations += verdict.situations
            if verdict.how is How.UNDECIDED:
                undecided.append((old, new))
        if not undecided:
            by = f"gone through side by side: {situations:,} situations, and none differs"
            return Verdict(self.task.name, Fate.EQUIVALENT, by)
        old, new = undecided[0]
        why = reason(self.task.sources, new, self.mutation, self.task.scenarios, self.task.seed)
        told = f"no play was found in which it differs, in {self._played:,} games: {why}"
        return Verdict(self.task.name, Fate.SURVIVED, why=told)


@lru_cache(maxsize=2)
def _scenarios(sources: SourceSet) -> tuple[Written, ...]:
    return tuple(compiled_spec(sources).scenarios)


@lru_cache(maxsize=256)
def _compiles(sources: SourceSet, configuration: Configuration) -> bool:
    return isinstance(compiled_spec(sources).instantiate(configuration), Compiled)
