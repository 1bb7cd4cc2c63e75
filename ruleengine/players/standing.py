"""How seats stand before a game is over: a score for each, by which short-sighted players judge.

The rules may say it themselves, where a game ends with scores or declares a `standing`; else who
asks for it writes a term of the language about a player `p`, such as `0 - score[p]`.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import evolve, frozen

from compiler.diagnostic import Report
from compiler.graph.core import Apply, Const, End, Ending, Flow, Function, Term, Value
from compiler.ops.row import Undefined
from compiler.pipeline import compile_sources
from compiler.resolve.usage import STANDING
from compiler.source import SourceFile
from compiler.types import Int
from ruleengine.errors import Fault, Unresolved
from ruleengine.game import Instance
from ruleengine.table import Table

_ASKED: Final = "standing_asked_for"


_Scores: TypeAlias = Callable[[Table], tuple[float, ...] | None]


@frozen(eq=False)
class Standing:
    """How seats of a game stand: a term for each seat, or one that lists them all.

    `game` is where the terms belong: its tables are those of the game that is played.
    """

    game: Instance
    terms: tuple[Term, ...]
    _scores: _Scores

    def __call__(self, table: Table) -> tuple[float, ...] | None:
        """The score of each seat on a table; `None` where it is not defined there."""
        return self._scores(table)


class NoStanding(ValueError):
    """There is no score to judge by, or what was given is none."""


def standing(game: Instance, asked: str | None = None) -> Standing:
    """The score that is asked for, else the one the rules say; raises `NoStanding`."""
    if asked is not None:
        scored = _with(game, asked)  # whose slots have the numbers of the game's
        return _of_players(scored, _function(scored, _ASKED))
    found = spec_standing(game)
    if found is None:
        raise NoStanding(
            f"{game.name} does not say how players stand before the end; say it with a term "
            "about a player p, for example `--score 'score[p]'`"
        )
    return found


def spec_standing(game: Instance) -> Standing | None:
    """How seats stand as the rules say it: a `standing`, or the scores at the end."""
    declared = declared_standing(game)
    if declared is not None:
        return declared
    for node in game.graph.nodes:
        match node.step:
            case Flow(End(Ending.SCORES, value)) if value is not None:
                return _of_list(game, value)
            case _:
                pass
    return None


def declared_standing(game: Instance) -> Standing | None:
    """How seats stand as the rules declare it."""
    declared = [function for function in game.graph.functions if function.name == STANDING]
    if declared and len(declared[0].params) == 1:
        return _of_players(game, declared[0])
    return None


def _with(game: Instance, asked: str) -> Instance:
    """The same game with one more definition, whose places and variables are the same."""
    sources = game.compiled.spec.sources
    base = sources.base.name.rsplit("/", 1)[-1].removesuffix(".rules")
    if "\n" in asked or not asked.strip():
        raise NoStanding("a score is a term about a player p, on one line")
    text = f"variant asked of {base}\n    define {_ASKED}(p: player) = {asked}\n"
    variant = SourceFile("--score", text)
    spec = compile_sources(evolve(sources, variants=(*sources.variants, variant), scenarios=()))
    made = spec if isinstance(spec, Report) else spec.instantiate(game.configuration)
    if isinstance(made, Report):
        first = made.errors[0]
        said = f"{first.message}; {first.help}" if first.help else first.message
        raise NoStanding(f"`{asked}` is no score: {said}")
    return Instance.of(made)


def _function(game: Instance, name: str) -> Function:
    found = next((each for each in game.graph.functions if each.name == name), None)
    if found is None or not isinstance(found.type, Int):
        raise NoStanding("a score is a number")
    return found


def _of_players(game: Instance, function: Function) -> Standing:
    terms = tuple(Apply(function, (Const(seat),), type=function.type) for seat in range(game.seats))
    closures = [game.interpreter.terms.closed(term) for term in terms]

    def of_players(table: Table) -> tuple[float, ...] | None:
        try:
            return _numbers(tuple(closure(table) for closure in closures), game.seats)
        except (Undefined, Fault, Unresolved):
            return None

    return Standing(game, terms, of_players)


def _of_list(game: Instance, value: Term) -> Standing:
    closure = game.interpreter.terms.closed(value)

    def of_list(table: Table) -> tuple[float, ...] | None:
        try:
            return _numbers(closure(table), game.seats)
        except (Undefined, Fault, Unresolved):
            return None

    return Standing(game, (value,), of_list)


def _numbers(value: Value, seats: int) -> tuple[float, ...] | None:
    listed = value if isinstance(value, tuple) else ()
    found = tuple(float(number) for number in listed if isinstance(number, int))
    return found if len(found) == seats else None
