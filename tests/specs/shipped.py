"""The shipped rulebooks and classics, compiled once for all tests."""

from functools import cache

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.pipeline import Compiled, Spec, compile_sources
from ruleengine import library

COMPLETE = ("jinx", "jinxx", "klink")
DRAFTS = ("jinks", "highjinks")
CLASSICS = (
    *("tictactoe", "connect_four", "breakthrough", "reversi", "nim"),
    *("pig", "kuhn", "leduc", "whist"),
)
ALL = (*COMPLETE, *DRAFTS, *CLASSICS)


@cache
def spec(name: str) -> Spec:
    """A shipped spec, with its scenarios."""
    sources = library.read(name)
    assert not isinstance(sources, Report), [found.message for found in sources]
    compiled = compile_sources(sources)
    assert not isinstance(compiled, Report), [found.message for found in compiled]
    return compiled


@cache
def instance(name: str, players: int | None = None, *settings: str) -> Compiled:
    """A shipped spec under a configuration."""
    configuration, refused = Configuration.parse(settings, players)
    assert not refused.has_errors, [found.message for found in refused]
    made = spec(name).instantiate(configuration)
    assert not isinstance(made, Report), [found.message for found in made]
    return made


def counts(name: str) -> tuple[int, ...]:
    """The numbers of players a spec allows by default."""
    return spec(name).seats()
