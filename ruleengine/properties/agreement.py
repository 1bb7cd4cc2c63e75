"""What must be true of records, machines and texts: they say the same as what they were made of."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.format.layout import formatted
from compiler.graph.text import graph_text
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile, SourceSet
from ruleengine.batch import NoMachine, choose, played, reference
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Law
from ruleengine.record import Record, RecordError, replay
from ruleengine.trail import Trail, record_of

_REPLAYED: Final = 60  # moves of a play that are replayed


def replays(game: Instance, ranks: Sequence[int]) -> Broken | None:
    """What is wrong with the record of a play: read again, it leads to the same bytes."""
    ranks = ranks[:_REPLAYED]
    trail = Trail.begin(game, observer=game.knowledge)
    try:
        for rank in ranks:
            trail.take(rank)
        there = game.packing.pack(trail.table)
        text = str(evolve(record_of(game, ranks), result=None))
        again = replay(game, Record.parse(text)).states[-1]
    except RecordError as error:
        return Broken(Law.REPLAY, Law.REPLAY.value, f"its own record does not fit: {error}")
    except RuleError:
        return None  # that is for other laws
    if bytes(again) != there:
        return Broken(Law.REPLAY, Law.REPLAY.value, "its record leads to other bytes")
    return None


def machines_agree(game: Instance, seed: int, games: int, node_limit: int) -> Broken | str | None:
    """Which game comes out otherwise on a compiled machine; why there is none, in words."""
    try:
        choice = choose(game, "auto")
    except NoMachine as error:
        return str(error)
    if choice.name == "interpreter":
        return choice.why
    numbers = range(games)
    chunks = played(game, "auto", seed, numbers, node_limit, 1, rows=True)
    found = (row for chunk in chunks for row in chunk.rows)
    rows = sorted(found, key=lambda row: row.game)  # those that are given up come last
    for row, number in zip(rows, numbers, strict=True):
        if row != reference(game, seed, number, node_limit):
            message = f"game {number} of seed {seed} comes out otherwise on {choice.name}"
            return Broken(Law.MACHINES, Law.MACHINES.value, message)
    return None


def layout_keeps(spec: Spec, configuration: Configuration) -> Broken | None:
    """What formatting changes in the meaning of a spec: its graph is compared."""
    laid = compile_sources(_laid_out(spec.sources))
    made = spec.instantiate(configuration)
    if not isinstance(made, Compiled):
        return None  # that is for another law
    again = laid if isinstance(laid, Report) else laid.instantiate(configuration)
    if isinstance(again, Report):
        message = f"it does not compile any more: {again.errors[0].message}"
        return Broken(Law.LAYOUT, Law.LAYOUT.value, message)
    if graph_text(again.graph) != graph_text(made.graph):
        return Broken(Law.LAYOUT, Law.LAYOUT.value, "its graph is another one")
    return None


def _laid_out(sources: SourceSet) -> SourceSet:
    def laid(file: SourceFile) -> SourceFile:
        return SourceFile(file.name, formatted(file.text))

    return evolve(
        sources,
        base=laid(sources.base),
        variants=tuple(map(laid, sources.variants)),
        scenarios=(),
    )
