"""A game to play: `load` a rulebook, `start`, ask for `options`, `apply` one.

A state is bytes, and everything here is a function of its arguments.  Randomness is not in the
bytes: a state that was started with a seed remembers beside them where its stream of chance has got
to, so that going on from it needs nothing else and always goes the same way.  Without a seed the
game waits at every chance stop for somebody to say what happens.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from attrs import define, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.graph.core import Clauses, Graph
from compiler.graph.values import seat_text
from compiler.markup import Markup, joined, tag
from compiler.pipeline import Compiled, Spec, compile_rules
from compiler.render import full
from ruleengine import library
from ruleengine.answers import Answers, Reason
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.events import Knowledge
from ruleengine.knowledge.hearing import Hearing
from ruleengine.packing import Packing
from ruleengine.rng import CHANCE, Stream, StreamState, stream
from ruleengine.showing import SeatView
from ruleengine.stops import (
    ChanceStop,
    Choice,
    Decision,
    JointDecision,
    Odds,
    Outcome,
    Result,
    Stop,
    Terminal,
)
from ruleengine.table import Table
from ruleengine.wording import Wording

Setting: TypeAlias = str | int
"""A value of the configuration: a number, a reading, a seat's letter, an enum member."""

Forced: TypeAlias = Sequence[Outcome | str]
"""What happens at the next chance stops, in words or as it was offered."""

_KEPT = 32  # states whose stops are kept, since they are asked about again at once


class Printer(Protocol):
    """What pretty-prints: IPython, Hypothesis."""

    def text(self, words: str) -> None:
        """Adds words to what is printed."""


class RefusedSpec(ValueError):
    """A spec, or a configuration of it, in which the compiler found errors."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__("\n" + full(report))


class IllegalAnswer(ValueError):
    """An answer or an outcome that does not fit here; `fits` are the words of those that do."""

    def __init__(self, said: str, fits: tuple[str, ...]) -> None:
        self.said = said
        self.fits = fits
        offered = ", ".join(f"`{words}`" for words in fits[:12])
        more = f" and {len(fits) - 12} more" if len(fits) > 12 else ""
        super().__init__(f"`{said}` does not fit here; what fits is {offered or 'nothing'}{more}")


class State(bytes):
    """One situation of one game.

    Equal when the situations are: what players know of the past makes no difference, and neither
    does chance to come.  `bytes(state)` is all of it, to be kept and compared byte by byte.
    """

    core: bytes
    """What makes the situation: everything but the knowledge."""
    stream: StreamState | None
    """Where the stream of chance has got to; `None` when chance is not drawn."""

    def __new__(cls, data: bytes, core_size: int, stream: StreamState | None = None) -> Self:
        """A state of these bytes; the first `core_size` of them make the situation."""
        self = super().__new__(cls, data)
        self.core = data[:core_size]
        self.stream = stream
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[bytes, int, StreamState | None]]:
        """What a copy is made from."""
        return type(self), (bytes(self), len(self.core), self.stream)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.core == other.core

    def __ne__(self, other: object) -> bool:  # the one of bytes would look at all of them
        return not self == other

    def __hash__(self) -> int:
        return hash(self.core)

    def __repr__(self) -> str:
        return f"<State {self.hex()}>"


@frozen
class Option:
    """One legal answer of a seat: its rank in the list, its words, the clauses that allow it."""

    index: int
    words: str
    seat: int
    clauses: Clauses = field(eq=False)
    choice: Choice = field(eq=False, repr=False)

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        """Who may do what, and by which clauses, for notebooks."""
        seat, cited = seat_text(self.seat), " ".join(self.clauses)
        return joined(tag("b", seat), " ", self.words, " ", tag("small", cited))


@define(eq=False)
class Instance:
    """A rulebook under one configuration, ready to be played."""

    compiled: Compiled = field(repr=False)
    interpreter: Interpreter = field(repr=False)
    packing: Packing = field(repr=False)
    hearing: Hearing = field(repr=False)
    wording: Wording = field(repr=False)
    answers: Answers = field(repr=False)

    @classmethod
    def of(cls, compiled: Compiled, interpreter: Interpreter | None = None) -> "Instance":
        """That of a compiled spec, played by an interpreter of its own if none is given."""
        interpreter = interpreter or Interpreter.of(compiled.graph)
        statics, sight = interpreter.statics, interpreter.sight
        hearing = Hearing.of(interpreter.terms, sight)
        wording = Wording(statics, sight, hearing.words)
        packing = Packing(statics, interpreter.references, compiled.layout)
        return cls(compiled, interpreter, packing, hearing, wording, Answers(interpreter, wording))

    @property
    def name(self) -> str:
        """The rulebook's name, those of its variants behind it."""
        return self.compiled.spec.name

    @property
    def graph(self) -> Graph:
        """The phases and steps."""
        return self.compiled.graph

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.compiled.seats

    @property
    def configuration(self) -> Configuration:
        """The number of players and what else was chosen."""
        return self.compiled.configuration

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.configuration.pairs)
        return f"load({self.name!r}, {self.seats}{settings})"

    def _repr_pretty_(self, printer: Printer, _: bool) -> None:
        """The same, for those who would print all that is inside."""
        printer.text(repr(self))

    # ---- playing

    def start(
        self, seed: int | None = None, *, game: int = 0, chance: Stream | Forced | None = None
    ) -> State:
        """The first stop of a game.

        With a seed all chance is drawn from the stream of game number `game`; else the game waits
        where chance decides, unless `chance` says what happens.
        """
        table = self.interpreter.start()
        drawn = None if seed is None else stream(seed, game, CHANCE)
        return self._on(table, drawn, chance)

    def stop(self, state: State) -> Stop:
        """Who or what decides now: a seat, several, chance, or nobody any more."""
        return self._opened(state)[1]

    def options(self, state: State, seat: int | None = None) -> tuple[Option, ...]:
        """The legal answers in canonical order; those of the first seat asked, unless one is said.

        There are none where chance decides, at the end, or for a seat that is not asked.
        """
        table, stop = self._opened(state)
        choices = _choices(stop, seat)
        return tuple(
            self._option(choice, words)
            for choice, words in zip(choices, self.wording.choices(table, choices), strict=True)
        )

    def chances(self, state: State) -> tuple[tuple[str, Fraction], ...]:
        """The outcomes of a chance stop with their exact odds; elsewhere there are none."""
        stop = self.stop(state)
        if not isinstance(stop, ChanceStop):
            return ()
        odds = stop.outcomes
        words = self.wording.outcomes(odds)
        return tuple(
            (said, Fraction(outcome.weight, odds.total))
            for said, outcome in zip(words, odds, strict=True)
        )

    def apply(
        self,
        state: State,
        answer: Option | Outcome | int | str,
        chance: Stream | Forced | None = None,
        *,
        seat: int | None = None,
    ) -> State:
        """The next stop after an answer or, at a chance stop, an outcome; by rank or in words.

        Chance on the way is drawn from the stream or forced as `chance` says, then drawn from the
        state's own stream; a state without one waits.  Raises `IllegalAnswer` if nothing fits.
        """
        before, stop = self._opened(state)
        table = before.copy()
        if isinstance(stop, ChanceStop):
            outcome = self._outcome(stop.outcomes, answer)
            self.interpreter.draw(table, outcome, self.knowledge)
        else:
            choice = self._choice(before, stop, answer, seat)
            self.interpreter.choose(table, choice, self.knowledge)
        drawn = None if state.stream is None else Stream.at(state.stream)
        return self._on(table, drawn, chance)

    def outcome(self, state: State) -> Result | None:
        """Winners, scores, ranking; `None` while the game goes on."""
        stop = self.stop(state)
        return stop.result if isinstance(stop, Terminal) else None

    # ---- looking

    def view(self, state: State, seat: int) -> SeatView:
        """Everything a seat may know; the number of seats stands for the public."""
        viewer = self.hearing.viewer
        return SeatView.of(viewer.view(self._opened(state)[0], seat), viewer)

    def show(self, state: State, seat: int) -> str:
        """The table as a seat sees it, a line for each place and variable."""
        table = self._opened(state)[0]
        places = [
            self.hearing.place(table, place.index, seat)
            for place in self.graph.places
            if table.cells[place.index]
        ]
        return "\n".join(
            (*places, *self.hearing.variables(table, self.hearing.game_slots, seat).values())
        )

    def why_not(self, state: State, answer: str, seat: int | None = None) -> Reason:
        """Whether an answer, offered or not, is legal, and which rule says so.

        `ValueError` where nobody is asked.
        """
        table, stop = self._opened(state)
        asked = _asked(stop)
        if not asked:
            raise ValueError("nobody is asked here")
        who = asked[0] if seat is None else seat
        return self.answers.why(table, _choices(stop, who), who, answer)

    def _repr_html_(self) -> str:
        """What is played, with which settings, and its chart, for notebooks."""
        settings = (f"{name} = {value}" for name, value in self.configuration.pairs)
        said = ", ".join((f"{self.seats} players", *settings))
        picture = self._repr_svg_()
        drawn = None if picture is None else Markup(picture[picture.index("<svg") :])
        return joined(tag("b", self.compiled.spec.title), " ", said, tag("div", drawn))

    def _repr_svg_(self) -> str | None:
        """The chart of the whole game, for notebooks; `None` where nothing can draw it."""
        return self.compiled._repr_svg_()

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        """The same as notebooks prefer it: a page with the settings, a picture, text."""
        return {"text/html": self._repr_html_(), **self.compiled._repr_mimebundle_()}

    # ---- bytes and tables

    @cached_property
    def knowledge(self) -> Knowledge:
        """Keeps who knows what true while tables change."""
        return Knowledge.of(self.interpreter.terms, self.interpreter.sight)

    def state(self, data: bytes, stream_state: StreamState | None = None) -> State:
        """The state with these bytes."""
        return State(data, self.packing.core_size, stream_state)

    def table(self, state: State) -> Table:
        """A table that is in a state."""
        return self._opened(state)[0].copy()

    @cached_property
    def _opened(self) -> "_Opened":
        return _Opened(self)

    def _on(self, table: Table, drawn: Stream | None, chance: Stream | Forced | None) -> State:
        """Runs to the next stop at which somebody has to say what happens."""
        forced: Iterator[Outcome | str] = iter(() if isinstance(chance, Stream | None) else chance)
        source = chance if isinstance(chance, Stream) else drawn
        while True:
            stop = self.interpreter.advance(table, self.knowledge)
            if not isinstance(stop, ChanceStop):
                break
            said = next(forced, None)
            if said is not None:
                outcome = self._outcome(stop.outcomes, said)
            elif source is not None:
                outcome = stop.outcomes.drawn(source.below(stop.outcomes.total))
            else:
                break
            self.interpreter.draw(table, outcome, self.knowledge)
        return self.state(self.packing.pack(table), None if drawn is None else drawn.state)

    # ---- what was meant

    def meant(self, state: State, answer: Option | int | str, seat: int | None = None) -> Option:
        """The legal answer that a rank or words mean; `IllegalAnswer` if none is meant."""
        table, stop = self._opened(state)
        choice = self._choice(table, stop, answer, seat)
        return self.options(state, choice.seat)[choice.index]

    def outcome_meant(self, stop: ChanceStop, said: Outcome | int | str) -> Outcome:
        """The outcome that a rank or words mean; `IllegalAnswer` if none is meant."""
        return self._outcome(stop.outcomes, said)

    def _option(self, choice: Choice, words: str) -> Option:
        option = self.wording.option(choice)
        clauses = () if option is None else option.clauses
        return Option(choice.index, words, choice.seat, clauses, choice)

    def _choice(
        self, table: Table, stop: Stop, answer: Option | Outcome | int | str, seat: int | None
    ) -> Choice:
        """The legal answer of this stop that is meant."""
        who = answer.seat if isinstance(answer, Option) else seat
        choices = _choices(stop, who)
        found: Choice | None = None
        match answer:
            case str():
                found = self.answers.find(table, choices, answer)
            case int() if 0 <= answer < len(choices):
                found = choices[answer]
            case Option() if answer.index < len(choices):
                found = choices[answer.index]
                found = found if found == answer.choice else None
            case _:
                pass
        if found is None:
            raise IllegalAnswer(str(answer), self.wording.choices(table, choices))
        return found

    def _outcome(self, odds: Odds, said: Option | Outcome | int | str) -> Outcome:
        """The outcome of this stop that is meant."""
        found: Outcome | None = None
        match said:
            case str():
                found = self.wording.find_outcome(odds, said)
            case int() if 0 <= said < len(odds):
                found = odds[said]
            case Outcome() if said in odds:
                found = said
            case _:
                pass
        if found is None:
            word = said.label if isinstance(said, Outcome) else str(said)
            raise IllegalAnswer(word, self.wording.outcomes(odds))
        return found


class _Opened:
    """Tables and stops of states, the last few of them kept."""

    def __init__(self, game: Instance) -> None:
        @lru_cache(maxsize=_KEPT)
        def opened(data: bytes) -> tuple[Table, Stop]:
            table = game.packing.unpack(data)
            return table, game.interpreter.advance(table)

        self._by_bytes = opened

    def __call__(self, state: State) -> tuple[Table, Stop]:
        """The table in a state, not to be changed, and where it stands."""
        return self._by_bytes(bytes(state))


def load(
    name: str | Path | Spec,
    players: int | None = None,
    rulings: Mapping[str, Setting] | None = None,
    **settings: Setting,
) -> Instance:
    """The game of a rulebook: a shipped one, a path, either with variants stacked on it by `+`.

    `rulings` and `settings` are readings, parameters and given facts by name; a ruling also by its
    clause.  Raises `UnknownSpec` for a name that leads nowhere, and `RefusedSpec`.
    """
    spec = name if isinstance(name, Spec) else open_spec(str(name))
    if isinstance(spec, Report):
        raise RefusedSpec(spec)
    made = spec.instantiate(Configuration(players, {**(rulings or {}), **settings}))
    if isinstance(made, Report):
        raise RefusedSpec(made)
    return Instance.of(made)


def open_spec(name: str, *, inherit: bool = False) -> Spec | Report:
    """A rulebook by name or path, compiled, or what is wrong with its rules.

    With `inherit` the scenarios of what a variant is laid over are its own too.
    """
    sources = library.read(name, inherit=inherit)
    return sources if isinstance(sources, Report) else compile_rules(sources)


def _asked(stop: Stop) -> tuple[int, ...]:
    """The seats that have to choose."""
    match stop:
        case Decision(seat=seat):
            return (seat,)
        case JointDecision(seats=seats):
            return seats
        case _:
            return ()


def _choices(stop: Stop, seat: int | None) -> tuple[Choice, ...]:
    """The choices of a seat, of the first that is asked if none is said."""
    match stop:
        case Decision(seat=asked, choices=choices) if seat in (None, asked):
            return choices
        case JointDecision(seats=seats) if seat is None:
            return stop.of(seats[0])
        case JointDecision(seats=seats) if seat in seats:
            return stop.of(seat)
        case _:
            return ()
