"""A play as text: its rulebook and configuration, then a line for every answer and chance outcome.

    rulewright record 1
    spec klink
    hash 5f0c2a9be1d07743
    players 3
    set begins = random
    seed 7

    chance B
    chance 12
    B: hand_on to A
    end A and C win

A person can read it and change it: blank lines and what follows `--` mean nothing.  Replaying needs
no randomness; a line that does not fit is named, with what would fit there.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from hashlib import sha256
from typing import Final, TypeAlias, assert_never

from attrs import define, evolve, field, frozen

from compiler.config import Configuration
from compiler.graph.values import seat_text
from compiler.markup import joined, tag
from compiler.source import SourceSet
from ruleengine.game import IllegalAnswer, Instance, Option, State
from ruleengine.rng import CHANCE, Stream, stream
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Outcome,
    Stop,
    Terminal,
)
from ruleengine.table import Table
from ruleengine.wording import result_words

VERSION: Final = 1
LONGEST_NUMBER: Final = 20  # digits of a seed, the longest number there is
_TITLE: Final = "rulewright record"
_SHOWN: Final = 8  # answers that are listed when a line does not fit
_HEADER: Final = re.compile(r"(spec|hash|players|set|seed|game)\s+(\S.*)")
_ANSWER: Final = re.compile(r"([A-Z]):\s*(\S.*)")
_OUTCOME: Final = re.compile(r"chance\s+(\S.*)")
_END: Final = re.compile(r"end\s+(\S.*)")
_WORDS: Final = ("spec", "hash", "players", "set", "seed", "game", "chance", "end")


class RecordError(ValueError):
    """A record that cannot be read or does not fit; `line` counts from 1.

    `fits` are the lines that could stand there.
    """

    def __init__(self, line: int, reason: str, fits: tuple[str, ...] = ()) -> None:
        self.line = line
        self.reason = reason
        self.fits = fits
        shown = "".join(f"\n    {words}" for words in fits[:_SHOWN])
        more = f"\n    and {len(fits) - _SHOWN} more" if len(fits) > _SHOWN else ""
        here = f"\n  what fits here:{shown}{more}" if fits else ""
        super().__init__(f"line {line}: {reason}{here}")


@frozen
class Answered:
    """A seat's answer, in words; `line` is where a record that was read has it, 0 if nowhere."""

    seat: int
    words: str
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        return f"{seat_text(self.seat)}: {self.words}"


@frozen
class Happened:
    """What chance decided, in words."""

    words: str
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        return f"chance {self.words}"


Step: TypeAlias = Answered | Happened


@frozen
class Record:
    """A play that can be kept, read, changed and played again.

    `digest` names the text of the rules; `seed` and `game` name the streams that were drawn from,
    if any were.  `result` says how the game ended, `None` if it did not.
    """

    spec: str
    digest: str
    configuration: Configuration
    seed: int | None
    game: int
    steps: tuple[Step, ...]
    result: str | None
    result_line: int = field(default=0, eq=False)

    @classmethod
    def of(cls, game: Instance, seed: int | None = None, number: int = 0) -> "Record":
        """The record of a game that has not begun."""
        digest = rules_digest(game.compiled.spec.sources)
        configuration = evolve(game.configuration, players=game.seats)
        return cls(game.name, digest, configuration, seed, number, (), None)

    def __str__(self) -> str:
        lines = [f"{_TITLE} {VERSION}", f"spec {self.spec}", f"hash {self.digest}"]
        lines.append(f"players {self.configuration.players}")
        lines += [f"set {name} = {value}" for name, value in self.configuration.pairs]
        if self.seed is not None:
            lines += [f"seed {self.seed}", *([f"game {self.game}"] if self.game else [])]
        lines += ["", *map(str, self.steps)]
        if self.result is not None:
            lines.append(f"end {self.result}")
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        """The play as a numbered list, for notebooks."""
        seed = "" if self.seed is None else f", seed {self.seed}, game {self.game}"
        head = f"{self.spec}: {self.configuration.players} players{seed}"
        steps = tag("ol", (tag("li", str(step)) for step in self.steps))
        result = "" if self.result is None else tag("p", self.result)
        return joined(tag("p", tag("b", head)), steps, result)

    @classmethod
    def parse(cls, text: str) -> "Record":
        """The record that a text says; `RecordError` for a line that says nothing."""
        lines = [
            (number, line.partition("--")[0].strip())
            for number, line in enumerate(text.split("\n"), 1)
        ]
        lines = [(number, line) for number, line in lines if line]
        if not lines or not lines[0][1].startswith(f"{_TITLE} "):
            raise RecordError(1, "this is no record", (f"{_TITLE} {VERSION}",))
        if lines[0][1] != f"{_TITLE} {VERSION}":
            other = lines[0][1].removeprefix(_TITLE).strip()
            reason = (
                f"this is a record of version {other}, and only version {VERSION} can be read; "
                "use the rulewright that wrote it"
            )
            raise RecordError(lines[0][0], reason)
        return _Parser().parse(lines[1:])


def rules_digest(sources: SourceSet) -> str:
    """A name for the text of the rules: rulebook, prelude and variants, nothing else."""
    texts = (sources.prelude, sources.base, *sources.variants)
    return sha256("\0".join(file.text for file in texts).encode()).hexdigest()[:16]


@define
class _Parser:
    """Reads the lines of a record behind the first."""

    _said: dict[str, str] = field(factory=dict)
    _settings: list[str] = field(factory=list)
    _steps: list[Step] = field(factory=list)
    _result: tuple[str, int] | None = None

    def parse(self, lines: Sequence[tuple[int, str]]) -> Record:
        """The record of these lines, each with its number."""
        for number, line in lines:
            if self._result is not None:
                raise RecordError(number, "nothing can follow the end")
            self._take(number, line)
        seats = self._number("players", lines)
        configuration, report = Configuration.parse(self._settings, seats)
        if report.has_errors:
            raise RecordError(1, report.errors[0].message)
        return Record(
            self._said.get("spec", ""),
            self._said.get("hash", ""),
            configuration,
            self._number("seed", lines),
            self._number("game", lines) or 0,
            tuple(self._steps),
            *(self._result or (None, 0)),
        )

    def _take(self, number: int, line: str) -> None:
        if header := _HEADER.fullmatch(line):
            if self._steps:
                raise RecordError(number, f"`{header[1]}` belongs above the play")
            if header[1] == "set":
                self._settings.append(header[2])
            else:
                self._said[header[1]] = header[2]
        elif answer := _ANSWER.fullmatch(line):
            self._steps.append(Answered(ord(answer[1]) - ord("A"), _spaced(answer[2]), number))
        elif outcome := _OUTCOME.fullmatch(line):
            self._steps.append(Happened(_spaced(outcome[1]), number))
        elif end := _END.fullmatch(line):
            self._result = (_spaced(end[1]), number)
        else:
            fits = ("A: ANSWER", "chance OUTCOME", "end RESULT")
            raise RecordError(number, f"`{line}` is no line of a record{_meant(line)}", fits)

    def _number(self, name: str, lines: Sequence[tuple[int, str]]) -> int | None:
        said = self._said.get(name)
        if said is None or (said.isdecimal() and len(said) <= LONGEST_NUMBER):
            return None if said is None else int(said)
        at = next(number for number, line in lines if line.split()[0] == name)
        raise RecordError(at, f"`{name}` is a whole number, and `{said[:LONGEST_NUMBER]}` is none")


def _spaced(text: str) -> str:
    return " ".join(text.split())


# ---- while a game is played


@define(eq=False)
class Play:
    """A game going on, with all that led there: it can be recorded, and taken back.

    With a seed chance is drawn at once; without one it waits to be said.
    """

    game: Instance
    seed: int | None
    number: int
    states: list[State]
    steps: list[Step]

    @classmethod
    def begin(cls, game: Instance, seed: int | None = None, number: int = 0) -> "Play":
        """A new game, at its first decision (or chance stop, without a seed)."""
        first = game.start()
        if seed is not None:
            first = game.state(bytes(first), stream(seed, number, CHANCE).state)
        play = cls(game, seed, number, [first], [])
        play._draw()
        return play

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[-1]

    @property
    def stop(self) -> Stop:
        """Who or what decides now."""
        return self.game.stop(self.state)

    @property
    def record(self) -> Record:
        """The play so far."""
        stop = self.stop
        result = result_words(stop.result) if isinstance(stop, Terminal) else None
        empty = Record.of(self.game, self.seed, self.number)
        return evolve(empty, steps=tuple(self.steps), result=result)

    def choose(self, answer: Option | int | str, seat: int | None = None) -> None:
        """Gives an answer; `IllegalAnswer` if it does not fit."""
        if isinstance(self.stop, ChanceStop):
            raise IllegalAnswer(str(answer), ())
        option = self.game.meant(self.state, answer, seat)
        self._go_on(option, Answered(option.seat, option.words))
        self._draw()

    def happen(self, outcome: int | str) -> None:
        """Says what chance decides; `IllegalAnswer` if it does not fit."""
        stop = self.stop
        if not isinstance(stop, ChanceStop):
            raise IllegalAnswer(str(outcome), ())
        found = self.game.outcome_meant(stop, outcome)
        words = self.game.wording.outcome(stop.outcomes, found)
        self._go_on(found, Happened(words))

    def undo(self) -> bool:
        """Takes the last answer back, and the chance after it; false if there is none.

        Chance will come out as it did before.
        """
        last = max(
            (at for at, step in enumerate(self.steps) if isinstance(step, Answered)), default=-1
        )
        if last < 0:
            return False
        del self.steps[last:]
        del self.states[last + 1 :]
        return True

    def _draw(self) -> None:
        """Draws all chance that is due from the stream, if there is one."""
        while self.state.stream is not None:
            stop = self.stop
            if not isinstance(stop, ChanceStop):
                return
            source = Stream.at(self.state.stream)
            outcome = stop.outcomes.drawn(source.below(stop.outcomes.total))
            words = self.game.wording.outcome(stop.outcomes, outcome)
            self._go_on(outcome, Happened(words), source)

    def _go_on(self, move: Option | Outcome, step: Step, source: Stream | None = None) -> None:
        kept = self.state.stream if source is None else source.state
        after = self.game.apply(self.game.state(bytes(self.state)), move)
        self.states.append(self.game.state(bytes(after), kept))
        self.steps.append(step)


@define(eq=False)
class Recorder:
    """Writes down a match as it is played: its `watch` is told of every stop."""

    game: Instance
    seed: int | None
    number: int
    _steps: list[Step] = field(factory=list, init=False)
    _result: str | None = field(default=None, init=False)

    @property
    def record(self) -> Record:
        """What has been written down."""
        empty = Record.of(self.game, self.seed, self.number)
        return evolve(empty, steps=tuple(self._steps), result=self._result)

    def watch(self, table: Table, stop: Stop, move: Choice | Outcome | None) -> None:
        """Notes what is done at a stop."""
        wording = self.game.wording
        match stop:
            case Terminal(result=result):
                self._result = result_words(result)
            case ChanceStop(outcomes=odds) if isinstance(move, Outcome):
                self._steps.append(Happened(wording.outcome(odds, move)))
            case Decision() | JointDecision() if isinstance(move, Choice):
                choices = stop.choices if isinstance(stop, Decision) else stop.of(move.seat)
                words = wording.choices(table, choices)[move.index]
                self._steps.append(Answered(move.seat, words))
            case _:
                raise ValueError("this cannot be done at this stop")


# ---- playing it again


@frozen
class Replay:
    """A record that was played again: the state at every stop, the first one included.

    `changed` is true if the rules are not those the record was made with.
    """

    record: Record
    states: tuple[State, ...]
    changed: bool


def replay(game: Instance, record: Record) -> Replay:
    """Plays a record again; `RecordError` names the line that does not fit."""
    if record.configuration.players not in (None, game.seats):
        raise RecordError(1, f"the record is of {record.configuration.players} players")
    states = [game.start()]
    for step in record.steps:
        states.append(_again(game, states[-1], step))
    stop = game.stop(states[-1])
    if record.result is not None:
        said = result_words(stop.result) if isinstance(stop, Terminal) else "the game goes on"
        if said != record.result:
            fits = (f"end {said}",) if isinstance(stop, Terminal) else _fitting(game, states[-1])
            raise RecordError(record.result_line, f"`end {record.result}` does not fit", fits)
    changed = record.digest not in ("", rules_digest(game.compiled.spec.sources))
    return Replay(record, tuple(states), changed)


def _again(game: Instance, state: State, step: Step) -> State:
    stop = game.stop(state)
    try:
        match step, stop:
            case Answered(seat, words), Decision(seat=asked) if seat == asked:
                return game.apply(state, words)
            case Answered(seat, words), JointDecision(seats=asked) if seat in asked:
                return game.apply(state, words, seat=seat)
            case Happened(words), ChanceStop():
                return game.apply(state, words)
            case _:
                pass
    except IllegalAnswer:
        pass
    raise RecordError(step.line, f"`{step}` does not fit", _fitting(game, state))


def _fitting(game: Instance, state: State) -> tuple[str, ...]:
    """The lines that could stand at a stop."""
    stop = game.stop(state)
    match stop:
        case ChanceStop(outcomes=odds):
            return tuple(f"chance {words}" for words in game.wording.outcomes(odds))
        case Decision(seat=seat):
            return tuple(f"{seat_text(seat)}: {option}" for option in game.options(state))
        case JointDecision(seats=seats):
            return tuple(
                f"{seat_text(seat)}: {option}"
                for seat in seats
                for option in game.options(state, seat)
            )
        case Terminal(result=result):
            return (f"end {result_words(result)}",)
        case _:
            assert_never(stop)


def _meant(line: str) -> str:
    """What a line that cannot be read is close to: a word at its beginning, a seat's letter."""
    word, _, rest = line.partition(" ")
    capital = f"{line[:1].upper()}{line[1:]}"
    if _ANSWER.fullmatch(capital):
        return f"; did you mean `{capital}`?"
    near = get_close_matches(word, _WORDS, 1)
    return f"; did you mean `{near[0]} {rest}`?" if near and near[0] != word else ""
