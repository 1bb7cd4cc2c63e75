"""What `flow` can lay over a chart, as asked for on the command line."""

from collections.abc import Callable
from typing import TypeAlias

import click
from attrs import frozen

from compiler.clauses import nearest_id
from compiler.diagnostic import Report
from compiler.flowchart import overlay
from compiler.flowchart.against import against
from compiler.flowchart.chart import chart
from compiler.flowchart.model import Chart
from compiler.flowchart.overlay import Overlaid
from compiler.pipeline import Compiled
from ruleengine.cli.options import chosen, loaded
from ruleengine.cli.options import refuse as refuse_spec
from ruleengine.cli.recorded import record_of, refuse
from ruleengine.game import Instance
from ruleengine.record import Record, RecordError
from ruleengine.tracing import misfit, played, recorded

Laying: TypeAlias = Callable[[Chart], Overlaid]
"""Lays something over any chart of one game."""


@frozen
class Asked:
    """What is to be laid over: at most one of these."""

    heat: int | None = None
    seed: int = 0
    trace: str | None = None
    upto: int | None = None
    against: str | None = None
    select: tuple[str, ...] = ()
    grey: bool = False  # what is impossible

    @property
    def given(self) -> tuple[str, ...]:
        """The options by which it was asked for."""
        said = {
            "--heat": self.heat is not None,
            "--trace": self.trace is not None,
            "--against": self.against is not None,
            "--select": bool(self.select),
            "--impossible grey": self.grey,
        }
        return tuple(option for option, is_given in said.items() if is_given)

    def compiled(self, game: Instance) -> Compiled:
        """The game that is drawn: with impossible branches if these are to be grey."""
        if not self.grey:
            return game.compiled
        made = game.compiled.spec.to_draw(game.compiled.configuration)
        if isinstance(made, Report):
            refuse_spec(made)
        return made

    def laying(self, game: Instance) -> Laying:
        """How to lay it over the charts of a game; `UsageError` if several things are asked for."""
        if len(self.given) > 1:
            raise click.UsageError(
                "one of --heat, --trace, --against, --select, --impossible grey at a time"
            )
        if self.grey:
            return overlay.impossible
        if self.heat is not None:
            return _heat(game, self.heat, self.seed)
        if self.trace is not None:
            return trail(game, record_of(self.trace), self.trace, self.upto)
        if self.against is not None:
            return _difference(game.compiled, self.against)
        if self.select:
            return _selection(game.compiled, self.select)
        return Overlaid


def _heat(game: Instance, games: int, seed: int) -> Laying:
    passages = played(game, games, seed).passages
    counted = f"{games:,} random game{'s' if games != 1 else ''}"
    title = f"How often, in {counted} (seed {seed})"
    return lambda drawn: overlay.heat(game.graph, drawn, passages, title)


def trail(game: Instance, record: Record, name: str, upto: int | None = None) -> Laying:
    """The game of a record, to its end or so many steps; ends the command where it does not fit."""
    try:
        tracer, now = recorded(game, record, upto)
    except RecordError as error:
        refuse(name, misfit(game, record, error))
    told = upto is None or upto >= len(record.steps)
    stands = "to its end" if told else f"after {upto} of {len(record.steps)} steps"
    title = f"The game of {name.rsplit('/', 1)[-1]}, {stands}"
    path = tracer.path
    return lambda drawn: overlay.trail(game.graph, drawn, path, now, title)


def _difference(new: Compiled, said: str) -> Laying:
    """Against `SPEC` or `SPEC,NAME=VALUE,...`, for as many players."""
    spec, *settings = said.split(",")
    old = loaded(spec, chosen(new.seats, tuple(settings))).game.compiled
    return against(old.graph, new.graph, f"What differs from {said}")


def _selection(compiled: Compiled, clauses: tuple[str, ...]) -> Laying:
    whole = chart(compiled.graph)
    cited = {id_ for node in whole.nodes for id_ in node.clauses}
    cited |= {id_ for edge in whole.edges for id_ in edge.clauses}
    for clause in clauses:
        if not any(id_ == clause or id_.startswith(f"{clause}.") for id_ in cited):
            near = nearest_id(clause, cited)
            hint = f"; did you mean `{near}`?" if near else ""
            raise click.UsageError(f"nothing in the chart cites `{clause}`{hint}")
    return lambda drawn: overlay.selection(drawn, clauses, f"Where {', '.join(clauses)} is")
