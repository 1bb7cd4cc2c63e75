"""The play after which two games part, as scenarios: what holds in one game and fails in the other.

A scenario states what was asked for and not more, so it is tried before it is given away.  Where
nothing that it could say differs yet, it goes on with the first answer and the first outcome until
something does.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from attrs import define, evolve, field, frozen

from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.graph.core import Place
from compiler.graph.values import seat_text
from compiler.lower.scenarios import Reader
from compiler.pipeline import BrokenScenarios, Compiled, Spec
from compiler.source import SourceFile
from ruleengine.game import Instance
from ruleengine.measure.lockstep import Following, Lockstep, Parting, Play, Side, asked
from ruleengine.scenario.answers import Answers
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Stage, interpreter_of
from ruleengine.scenario.tokens import Words
from ruleengine.stops import ChanceStop, Choice, Decision, JointDecision, Odds, Stop, Terminal

_LISTED: Final = 40  # answers or cards that a scenario lists
_ODDS: Final = 3  # outcomes of which it tells the odds
_AHEAD: Final = (0, 3, 12)  # stops that it goes on behind the parting, few first


class Unsaid(Enum):
    """Why there is no scenario; the value is how it is told."""

    BROKEN = "a rule breaks down there, and no scenario expects that"
    PLAY = "an answer or a card of the play cannot be written so that it means one thing"
    ALIKE = f"nothing that a scenario can ask differs within {_AHEAD[-1]} stops"


@frozen
class Telling:
    """Under which configuration a scenario is told, and what it is called."""

    configuration: Configuration
    title: str

    @property
    def head(self) -> str:
        """Its first lines."""
        settings = [f"    set {name} = {value}" for name, value in self.configuration.pairs]
        seats = f"    seats {self.configuration.players}"
        return "\n".join([f'scenario "{self.title}"', seats, *settings])

    def text(self, lines: Sequence[str]) -> str:
        """The scenario with these lines."""
        return "\n".join([self.head, *lines, ""])


@frozen
class Said:
    """Scenarios of a parting: one for each game, or for one of them; `why` if there are none."""

    texts: tuple[str, ...]
    why: Unsaid | None = None


def scenarios(spec: Spec, old: Telling, new: Telling, parting: Parting) -> Said:
    """Scenarios with the same play, which say what is so under each of two configurations.

    Both configurations name the number of players.
    """
    before, after = (Instance.of(_made(spec, one.configuration)) for one in (old, new))
    trials = Trials(spec)
    found = _Parted(before, after, parting)
    elsewhere = evolve(new, title=old.title), evolve(old, title=new.title)
    said = [
        found.said(0, (old, trials), (elsewhere[0], trials)),
        found.said(1, (new, trials), (elsewhere[1], trials)),
    ]
    texts = tuple(one for one in said if isinstance(one, str))
    if texts:
        return Said(texts)
    return Said((), next(one for one in said if isinstance(one, Unsaid)))


def parting_scenario(old: Instance, new: Instance, parting: Parting, title: str) -> str | None:
    """A scenario that holds in one rulebook and fails in another, where the two part.

    `None` if what differs cannot be said.
    """
    telling = Telling(evolve(old.configuration, players=old.seats), title)
    mine, other = Trials(old.compiled.spec), Trials(new.compiled.spec)
    said = _Parted(old, new, parting).said(0, (telling, mine), (telling, other))
    return said if isinstance(said, str) else None


def _made(spec: Spec, configuration: Configuration) -> Compiled:
    made = spec.instantiate(configuration)
    if isinstance(made, Report):
        raise InternalError("a game that was compiled does not compile again")
    return made


# ---- trying


@define(eq=False)
class Trials:
    """Tries scenarios of a spec; the games they ask for are made once."""

    spec: Spec
    _stage: Stage = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stage = Stage(self.spec, interpreter_of)

    def held(self, texts: Sequence[str]) -> list[bool]:
        """Whether each can be read and holds; one that cannot be read spoils no other."""
        head = f"scenarios of {self.spec.name.rsplit('+', 1)[-1]}\n\n"
        file = SourceFile("witness.rules", head + "\n".join(texts))
        read = evolve(self.spec, sources=evolve(self.spec.sources, scenarios=(file,)))
        try:
            written = list(read.scenarios)[len(read.own_scenarios) :]
        except BrokenScenarios as broken:
            return self._without(texts, _guilty(broken, texts, len(head)))
        ran = [self._stage.run(one) for one in written]
        return [isinstance(one, Ran) and one.failure is None for one in ran]

    def _without(self, texts: Sequence[str], guilty: frozenset[int]) -> list[bool]:
        """The others, where some cannot be read."""
        if len(texts) == 1:
            return [False]
        if not guilty:  # nothing says which: one by one
            return [self.held([text])[0] for text in texts]
        left = [at for at in range(len(texts)) if at not in guilty]
        found = dict(zip(left, self.held([texts[at] for at in left]), strict=True)) if left else {}
        return [found.get(at, False) for at in range(len(texts))]


def _guilty(broken: BrokenScenarios, texts: Sequence[str], begin: int) -> frozenset[int]:
    """Which of some texts hold what cannot be read; they stand one below the other in a file."""
    found = set()
    for error in broken.report.errors:
        at = begin
        for number, text in enumerate(texts):
            if at <= error.span.start < at + len(text) + 1:
                found.add(number)
            at += len(text) + 1
    return frozenset(found)


def passed(spec: Spec, texts: Sequence[str]) -> list[bool]:
    """Whether each of some scenarios can be read and holds; one that cannot spoils no other."""
    return Trials(spec).held(texts)


# ---- what may be said


@define(eq=False)
class _Parted:
    """Two games at the stop at which they part."""

    old: Instance
    new: Instance
    parting: Parting

    def said(
        self, which: int, mine: tuple[Telling, Trials], other: tuple[Telling, Trials]
    ) -> str | Unsaid:
        """A scenario that holds in one of the games alone: the old one if `which` is 0."""
        lockstep = Lockstep.of(self.old, self.new)
        play = self.parting.play
        lockstep.play(Following(play, len(play)), len(play) + 1)
        side, beside = (lockstep.old, lockstep.new)[:: -1 if which else 1]
        if side.stop is None:
            return Unsaid.BROKEN
        value = (self.parting.old, self.parting.new)[which]
        played = _lines((self.old, self.new)[which], play)
        readable = False
        ahead = 0
        for most in _AHEAD:
            bodies: list[list[str]] = []
            while ahead <= most and side.stop is not None:
                here = _here(side, beside, self.parting.about, value) if not ahead else _now(side)
                bodies += [[*played, *lines] for lines in here]
                played = [*played, *_line(side, 0)]
                side.go(0)
                ahead += 1
            (telling, trials), (elsewhere, others) = mine, other
            held = trials.held([telling.text(body) for body in bodies]) if bodies else []
            readable = readable or any(held)
            held_so = [body for body, holds in zip(bodies, held, strict=True) if holds]
            fails = others.held([elsewhere.text(body) for body in held_so]) if held_so else []
            for body, holds in zip(held_so, fails, strict=True):
                if not holds:
                    return telling.text(body)
        return Unsaid.ALIKE if readable else Unsaid.PLAY


def _lines(game: Instance, play: Play) -> list[str]:
    """The answers and outcomes of a play as scenarios write them."""
    side = Side(game)
    side.begin()
    lines = []
    for number in play:
        lines += _line(side, number)
        side.go(number)
    return lines


def _line(side: Side, number: int) -> list[str]:
    """The answer or outcome of a number, in a line; none at the end."""
    stop = side.stop
    if isinstance(stop, ChanceStop):
        return [f"    chance {stop.outcomes.drawn(number).label}"]
    choices = () if stop is None else asked(stop)
    if not choices:
        return []
    spelled = _answers(side.game).spell(side.table, choices[number], choices)
    return [f"    {seat_text(choices[number].seat)}: {spelled}"]


def _answers(game: Instance) -> Answers:
    reader = Reader(game.compiled.lowered.for_questions())
    return Answers(game.interpreter, Words(game.interpreter, reader))


def _here(side: Side, other: Side, about: str, value: str) -> Iterator[list[str]]:
    """What may be said of where a side stands and the other does not, the plainest first."""
    if about:
        for expectation in _about(side, other, about, value):
            yield [f"    expect {expectation}"]
            yield [f"    expect now {expectation}"]
    if isinstance(side.stop, Decision):
        here, there = _offered(side, asked(side.stop)), _offered(other, _asked(other.stop))
        if len(here) <= _LISTED:
            yield [f"    expect options {' or '.join(here)}"]
        yield from [[f"    expect offered {one}"] for one in here if one not in there][:1]
        yield from [[f"    expect refused {one}"] for one in there if one not in here][:1]
    if isinstance(side.stop, ChanceStop) and isinstance(other.stop, ChanceStop):
        yield from _falls(side.stop.outcomes, other.stop.outcomes)
    yield from _now(side)


def _falls(here: Odds, there: Odds) -> Iterator[list[str]]:
    """The first outcomes that elsewhere come with other odds, or not at all."""
    others = {(one.label, one.weight) for one in there}
    some = [
        one for one in here if here.total != there.total or (one.label, one.weight) not in others
    ]
    for outcome in some[:_ODDS]:
        yield [f"    expect chance {outcome.label} is {outcome.weight} of {here.total}"]
        yield [f"    chance {outcome.label}"]


def _now(side: Side) -> Iterator[list[str]]:
    """What may be said of a stop alone."""
    match side.stop:
        case Decision(choices=choices):
            here = _offered(side, choices)
            yield [f"    expect next {seat_text(choices[0].seat)}"]
            yield [f"    expect now next {seat_text(choices[0].seat)}"]
            if len(here) <= _LISTED:
                yield [f"    expect options {' or '.join(here)}"]
        case JointDecision(seats=seats, choices=by_seat):
            named = ", ".join(map(seat_text, seats))
            yield [f"    expect next {named}"]
            yield [f"    expect now next {named}"]
            here = _offered(side, by_seat[0])
            if len(here) <= _LISTED:
                yield [f"    expect options {' or '.join(here)}"]
        case ChanceStop(outcomes=odds):
            yield from _odds(odds)
            yield [f"    chance {odds[0].label}"]
        case Terminal(result=result) if result is not None:
            if result.scores is not None:
                named = ", ".join(f"{seat_text(s)} = {n}" for s, n in enumerate(result.scores))
                yield [f"    expect scores {named}"]
            yield [f"    expect winners {', '.join(map(seat_text, result.winners))}"]
            yield ["    expect ended"]
        case _:
            pass
    yield ["    expect not ended"]


def _odds(odds: Odds) -> Iterator[list[str]]:
    """The odds of the first outcomes."""
    for outcome in odds[:_ODDS]:
        yield [f"    expect chance {outcome.label} is {outcome.weight} of {odds.total}"]


def _about(side: Side, other: Side, about: str, value: str) -> Iterator[str]:
    """What lies in a place or a variable holds, and who can tell."""
    places = {place.label: place for place in side.game.graph.places}
    if about not in places:
        yield f"{about} is {value}"
        return
    place = places[about]
    words = _answers(side.game).words
    yield f"{about} = {words.contents(side.table, place.index)}"
    yield f"count({about}) is {len(side.table.cells[place.index])}"
    for seat in range(side.game.seats):
        known = _known(side, place, seat)
        if known and known != _known(other, place, seat):
            yield f"{seat_text(seat)} sees {about} = {', '.join(known)}"


def _known(side: Side, place: Place, seat: int) -> list[str]:
    """What a seat can name in a place, as scenarios write it."""
    cells = side.table.cells[place.index]
    if not cells or len(cells) > _LISTED:
        return []
    statics = side.game.interpreter.statics
    kinds = statics.graph.classes[statics.token_class[cells[0]]].kinds
    known = _answers(side.game).words.known(side.table, place.index, seat)
    return ["?" if kind is None else kinds[kind].word for kind in known]


def _asked(stop: Stop | None) -> tuple[Choice, ...]:
    return () if stop is None else asked(stop)


def _offered(side: Side, choices: Sequence[Choice]) -> list[str]:
    """Answers as scenarios write them."""
    answers = _answers(side.game)
    return [answers.spell(side.table, choice, tuple(choices)) for choice in choices]
