"""The games that come along, compiled once for all tests of charts."""

from functools import cache

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.pipeline import Compiled, Spec, compile_sources
from ruleengine import library

GAMES = library.names()


@cache
def spec_of(game: str) -> Spec:
    """The spec of a game."""
    sources = library.read(game)
    assert not isinstance(sources, Report)
    spec = compile_sources(sources)
    assert isinstance(spec, Spec)
    return spec


@cache
def compiled(game: str) -> Compiled:
    """A game for the fewest players it allows, every ruling at its default."""
    made = spec_of(game).instantiate(Configuration())
    assert isinstance(made, Compiled)
    return made
