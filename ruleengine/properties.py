"""What must hold in every game of every spec, and what a spec says must hold in its own.

Random games are watched: at every stop no token may be lost, the state must fit its layout and come
back from its bytes unchanged, invariants hold, and somebody has an answer; and the game ends with
winners.  A game in which something breaks is a finding, with the record that leads there.  A game
that does not end within its limit breaks nothing, since rules may allow it; it is counted.
"""

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Final

from attrs import define, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.graph.core import Call, Clauses, Flow, Invariant, Jump
from compiler.pipeline import Spec
from compiler.source import SourceSet, Span
from ruleengine.errors import RuleError, Unresolved
from ruleengine.game import Instance
from ruleengine.match import Ending, Move, random_match
from ruleengine.processes import compiled_spec
from ruleengine.record import Recorder
from ruleengine.spelling import Unpackable
from ruleengine.stops import Decision, JointDecision, Stop, Terminal
from ruleengine.table import Table
from ruleengine.terms import Closure


class Law(Enum):
    """What must hold in every game, in a few words."""

    COMPILES = "every configuration compiles"
    CONSERVATION = "no token is lost or made"
    BOUNDS = "every state fits its layout"
    RULES = "no rule breaks down and no decision is without an answer"
    WINNERS = "somebody wins, or draws"
    END = "some game ends"
    INVARIANT = "an invariant of the spec"


LAWS: Final = tuple(law for law in Law if law is not Law.INVARIANT)
"""Those that no spec has to write down."""

_PACKED_EVERY: Final = 8  # stops between two at which a state is turned to bytes and back


class Broken(RuleError):
    """Something that must hold does not."""

    def __init__(
        self, law: Law, title: str, message: str, clauses: Clauses = (), span: Span | None = None
    ) -> None:
        super().__init__(message, span=span)
        self.law = law
        self.title = title
        self._clauses = clauses

    @property
    def clauses(self) -> Clauses:
        """What the invariant cites."""
        return self._clauses


@frozen
class Finding:
    """Something that broke in a game: what, where in the spec, and the play that leads there."""

    law: Law
    title: str
    message: str
    clauses: Clauses
    place: str | None
    configuration: Configuration
    seed: int
    game: int
    record: str = field(repr=False)


# ---- looking at a table


@define(eq=False)
class Lawful:
    """Looks at tables of one game; raises `Broken`."""

    game: Instance
    _copies: tuple[tuple[int, ...], ...]  # per class: copies of each kind
    _at_stops: list[tuple[Invariant, Sequence[Closure]]] = field(factory=list)
    _seen: int = 0

    @classmethod
    def of(cls, game: Instance) -> "Lawful":
        """That of a game, whose machine it also watches for phases that begin."""
        copies = tuple(
            tuple(kind.copies for kind in token_class.kinds) for token_class in game.graph.classes
        )
        lawful = cls(game, copies)
        for invariant in game.graph.invariants:
            facts = [game.interpreter.terms.closed(fact.term) for fact in invariant.facts]
            if invariant.at_phase is None:
                lawful._at_stops.append((invariant, facts))
            else:
                lawful._watch(invariant.at_phase, invariant, facts)
        return lawful

    def _watch(self, phase: str, invariant: Invariant, facts: Sequence[Closure]) -> None:
        """Looks whenever a phase begins: behind every step that calls it or goes on as it."""

        def look(table: Table) -> None:
            _hold(invariant, facts, table)

        for node in self.game.graph.nodes:
            match node.step:
                case Flow(Call(name) | Jump(name)) if name == phase:
                    self.game.interpreter.watch(node.id, look)
                case _:
                    pass

    def look(self, table: Table, stop: Stop, _: Move | None) -> None:
        """Looks at a stop."""
        lost = self._lost(table)
        if lost is not None:
            raise Broken(Law.CONSERVATION, Law.CONSERVATION.value, lost)
        asks = isinstance(stop, Decision | JointDecision)
        for invariant, facts in self._at_stops:
            if asks or not invariant.at_decisions:
                _hold(invariant, facts, table)
        if isinstance(stop, Terminal) and (stop.result is None or not stop.result.winners):
            raise Broken(Law.WINNERS, Law.WINNERS.value, "the game ends, and nobody wins or draws")
        self._seen += 1
        if self._seen % _PACKED_EVERY == 0:
            self._pack(table)

    def _lost(self, table: Table) -> str | None:
        """What is wrong with the tokens as a whole."""
        places = self.game.graph.places
        lying = [token for cells in table.cells for token in cells]
        if sorted(lying) != list(range(len(table.kind))):
            return f"{len(lying)} tokens lie somewhere, and there are {len(table.kind)}"
        said = table.place
        for place, cells in enumerate(table.cells):
            if [token for token in cells if said[token] != place]:
                return f"a token lies in {places[place].label} and says it lies elsewhere"
        statics = self.game.interpreter.statics
        for class_index, copies in enumerate(self._copies):
            tokens = statics.class_tokens[class_index]
            found = Counter(table.kind[tokens.start : tokens.stop])  # also those without a kind
            bits = len(statics.sticky_bits[class_index])
            for pool, counts in table.pools.items():
                if statics.pool_class(pool) == class_index:
                    for sort, count in enumerate(counts):
                        found[sort >> bits] += count
            if [found[kind] for kind in range(len(copies))] != list(copies):
                return f"the kinds of {self.game.graph.classes[class_index].name} have changed"
        return None

    def _pack(self, table: Table) -> None:
        packing = self.game.packing
        try:
            data = packing.pack(table)
            again = packing.pack(packing.unpack(data))
        except Unpackable as error:
            raise Broken(Law.BOUNDS, Law.BOUNDS.value, str(error)) from error
        if again != data:
            message = "a state that is read from its bytes has others"
            raise Broken(Law.BOUNDS, Law.BOUNDS.value, message)


def _hold(invariant: Invariant, facts: Sequence[Closure], table: Table) -> None:
    for fact, holds in zip(invariant.facts, facts, strict=True):
        try:
            broken = not holds(table)
        except Unresolved:
            continue  # it depends on what nobody knows yet: neither kept nor broken
        if broken:
            clauses = tuple(dict.fromkeys((*invariant.clauses, *fact.clauses)))
            message = "this does not hold"
            span = fact.span or invariant.span
            raise Broken(Law.INVARIANT, invariant.title, message, clauses, span)


# ---- games


@frozen
class Trial:
    """Some random games of one configuration, as values that can be sent to another process."""

    sources: SourceSet
    configuration: Configuration
    seed: int
    numbers: range
    node_limit: int


@frozen
class Tried:
    """What came of a trial: of each thing that broke the first, and which games did not end."""

    findings: tuple[Finding, ...]
    finished: int
    unfinished: tuple[int, ...]


def try_games(trial: Trial) -> Tried:
    """Plays the games of a trial, in a process that has only its texts."""
    return play_games(compiled_spec(trial.sources), trial)


def play_games(spec: Spec, trial: Trial) -> Tried:
    """Plays the games of a trial of a spec."""
    made = spec.instantiate(trial.configuration)
    if isinstance(made, Report):
        return Tried((_refused(trial, made),), 0, ())
    lawful = Lawful.of(Instance.of(made))
    found: dict[tuple[Law, str, str], Finding] = {}
    finished, unfinished = 0, []
    for number in trial.numbers:
        match = random_match(
            lawful.game, trial.seed, number, node_limit=trial.node_limit, watching=lawful.look
        )
        finished += match.ending is Ending.FINISHED
        if match.ending is Ending.NODE_LIMIT:
            unfinished.append(number)
        elif match.error is not None:
            error = _as_broken(match.error)
            key = (error.law, error.title, error.message)
            if key not in found:
                found[key] = _finding(lawful, trial, number, error)
    return Tried(tuple(found.values()), finished, tuple(unfinished))


def _refused(trial: Trial, report: Report) -> Finding:
    """A configuration that the compiler refuses."""
    first = report.errors[0]
    law = Law.COMPILES
    return Finding(
        law,
        law.value,
        first.message,
        (),
        str(first.span),
        trial.configuration,
        trial.seed,
        trial.numbers.start,
        "",
    )


def _as_broken(error: RuleError) -> Broken:
    """What broke, if it was no law of ours: a rule did."""
    if isinstance(error, Broken):
        return error
    return Broken(Law.RULES, Law.RULES.value, str(error), error.clauses, error.span)


def _finding(lawful: Lawful, trial: Trial, number: int, error: Broken) -> Finding:
    """A finding, with the play that leads to it: the game is played again and written down."""
    recorder = Recorder(lawful.game, trial.seed, number)

    def watch(table: Table, stop: Stop, move: Move | None) -> None:
        lawful.look(table, stop, move)
        recorder.watch(table, stop, move)

    random_match(lawful.game, trial.seed, number, node_limit=trial.node_limit, watching=watch)
    return Finding(
        error.law,
        error.title,
        error.message,
        error.clauses,
        None if error.span is None else str(error.span),
        trial.configuration,
        trial.seed,
        number,
        str(recorder.record),
    )
