"""What many commands share: specs by name, configurations, and what happens when they are wrong."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NoReturn, TypeVar

import click
from attrs import evolve, frozen
from click.shell_completion import CompletionItem

from compiler.config import (
    MOST_SEATS,
    Configuration,
    NotASetting,
    SetTwice,
    SeveralSettings,
    UnknownSetting,
    ValueRefused,
)
from compiler.diagnostic import Report
from compiler.lower.errors import SeatsRefused
from compiler.pipeline import Compiled, Spec, compile_rules, compile_sources
from compiler.render import entries, full
from compiler.source import SourceSet
from ruleengine import library
from ruleengine.cli.screen import note, painter, say_json
from ruleengine.game import Instance

FOUND = 1
"""The exit code when a spec has errors, a property is broken or a record does not fit."""

_RECORD: Final = re.compile(r"rulewright record\b(?:.*\nspec (\S+))?")
_BEGINNING: Final = 200  # bytes of a file in which a record says what it is

MOST_JOBS = 64
"""Processes that a command may be told to use: more than any machine at a table has."""

_WRONG_SETTINGS = (
    NotASetting,
    SetTwice,
    UnknownSetting,
    SeveralSettings,
    ValueRefused,
    SeatsRefused,
)

Command = TypeVar("Command", bound=Callable[..., Any])


# ---- what is asked for


class SpecName(click.ParamType[str]):
    """The name or path of a spec; shells complete the shipped ones."""

    name = "spec"

    def convert(self, value: str, _param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is; `UsageError` for a recorded game where its rulebook should be."""
        if (said := _record_said(value)) is not None:
            message = f"`{value}` is a recorded game: its rulebook comes first"
            raise click.UsageError(f"{message}, as in `rulewright replay {said} {value}`", ctx)
        return value

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """What could stand there."""
        command = f"rulewright {param.name}" if ctx is None else ctx.command_path
        return f"Say which rulebook: a shipped one, as in `{command} klink`, or a file of yours."

    def shell_complete(
        self,
        _ctx: click.Context,
        _param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """The shipped rulebooks and their variants, or files."""
        *base, last = incomplete.split("+")
        known = library.variants(base[0]) if base else library.names()
        found = [name for name in known if name.startswith(incomplete)]
        return [CompletionItem(name) for name in found] or [CompletionItem(last, type="file")]


def _record_said(name: str) -> str | None:
    """The rulebook that a recorded game in a file says it is of; `None` if the file is none."""
    path = Path(name)
    if path.suffix == library.SUFFIX or not path.is_file():
        return None
    begins = path.read_bytes()[:_BEGINNING].decode("utf-8", "replace")
    found = _RECORD.match(begins)
    return None if found is None else found[1] or "SPEC"


class Whole(click.IntRange):
    """A whole number in a range; what is none is answered with what would do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; `BadParameter` for anything else."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            most = "" if self.max is None else f" and at most {self.max}"
            self.fail(f"`{value}` is no whole number of at least {self.min}{most}", param, ctx)


def specs(command: Command) -> Command:
    """The argument `SPEC...`."""
    return click.argument("specs", nargs=-1, required=True, type=SpecName(), metavar="SPEC...")(
        command
    )


def configured(command: Command) -> Command:
    """`--players`, `--set` and its other names."""
    players = click.option("--players", type=Whole(1), metavar="N", help="Number of players.")
    settings = click.option(
        "--set",
        "--ruling",
        "--given",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="A reading, parameter or given fact; may be said several times.",
    )
    return players(settings(command))


def seeded(command: Command) -> Command:
    """`--seed`."""
    return click.option(
        "--seed",
        type=Whole(0, 2**64 - 1),
        default=0,
        show_default=True,
        metavar="S",
        help="The same seed gives the same games.",
    )(command)


def machine(*names: str, only_one: bool = False) -> Callable[[Command], Command]:
    """`--machine`, which is one of these; the command is not told where all mean the same."""
    return click.option(
        "--machine",
        type=click.Choice(names),
        default="auto",
        show_default=True,
        expose_value=not only_one,
        help="What plays the games.",
    )


def as_json(command: Command) -> Command:
    """`--json`."""
    return click.option("--json", "json_", is_flag=True, help="Write JSON.")(command)


# ---- what comes of it


@frozen
class Loaded:
    """A game, and the seconds that compiling it took."""

    game: Instance
    seconds: float


def chosen(players: int | None, settings: Sequence[str]) -> Configuration:
    """The configuration that the options say."""
    many = players is not None and players > MOST_SEATS  # more than any rulebook, which will say so
    configuration, report = Configuration.parse(settings, None if many else players)
    if report.has_errors:
        named = next((f.text for f in report if isinstance(f, NotASetting)), "")
        raise click.UsageError(_readings_of(named) or _first(report))
    return evolve(configuration, players=players) if many else configuration


def _readings_of(said: str) -> str:
    """What to type for a ruling that was named without a reading; nothing if it names none."""
    told = click.get_current_context().params
    for name in told.get("specs") or [told.get("spec")]:
        spec = opened(name) if said and name else None
        for ruling in spec.rulings if isinstance(spec, Spec) else ():
            if said == ruling.name.text or said in ruling.tail.clauses:
                ways = [f"`{ruling.name.text}={reading.name.text}`" for reading in ruling.readings]
                return f"`{said}` needs a reading: {', '.join(ways[:-1])} or {ways[-1]}"
    return ""


def found_sources(name: str) -> SourceSet | Report:
    """The files of a spec by name; `UsageError` if the name leads nowhere."""
    try:
        return library.read(name)
    except library.UnknownSpec as unknown:
        folder = Path(name).is_dir() and bool(Path(name).suffix)
        told = f"`{name}` is a folder, and no rulebook is in it" if folder else str(unknown)
        if Path(name).is_file():
            told = f"`{name}` is no rulebook: the name of one ends with `{library.SUFFIX}`"
        raise click.UsageError(told) from unknown


def opened(name: str) -> Spec | Report:
    """A spec and its scenarios, or what is wrong with any; `UsageError` for an unknown name."""
    sources = found_sources(name)
    return sources if isinstance(sources, Report) else compile_sources(sources)


def instantiated(spec: Spec, configuration: Configuration) -> Compiled | Report:
    """A game of a spec; `UsageError` if only the configuration is at fault."""
    made = spec.instantiate(configuration)
    if isinstance(made, Report) and all(isinstance(e, _WRONG_SETTINGS) for e in made.errors):
        raise click.UsageError(f"{spec.name}: {_first(made)}")
    return made


def ruling_of(spec: Spec, said: str) -> str:
    """The name of a ruling, or of the one that alone cites a clause; else `UsageError`."""
    named = [ruling.name.text for ruling in spec.rulings]
    citing = [ruling.name.text for ruling in spec.rulings if said in ruling.tail.clauses]
    if said in named:
        return said
    if len(citing) == 1:
        return citing[0]
    if citing:
        names = " and ".join(f"`{name}`" for name in citing)
        raise click.UsageError(f"`{said}` could mean several rulings: {names}")
    near = get_close_matches(said, named, 1)
    known = f"there are {', '.join(named)}" if named else "this rulebook has none"
    hint = f"did you mean `{near[0]}`?" if near else known
    raise click.UsageError(f"no ruling is called `{said}`; {hint}")


def sound(name: str) -> Spec:
    """A spec by name whose usual game compiles; one with errors is told, and ends the command."""
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec, name)
    made = instantiated(spec, Configuration())
    if isinstance(made, Report):
        refuse(made, name)
    return spec


def loaded(name: str, configuration: Configuration) -> Loaded:
    """A game by name; rules with errors are reported and end the command."""
    begun = perf_counter()
    sources = found_sources(name)
    spec = sources if isinstance(sources, Report) else compile_rules(sources)
    if isinstance(spec, Report):
        refuse(spec, name)
    made = instantiated(spec, configuration)
    if isinstance(made, Report):
        refuse(made, name)
    game = Instance.of(made)
    return Loaded(game, perf_counter() - begun)


def all_loaded(names: Sequence[str], configuration: Configuration) -> Iterator[Loaded]:
    """Games by name, one after the other, each name once."""
    for name in dict.fromkeys(names):
        yield loaded(name, configuration)


def refuse(report: Report, name: str | None = None) -> NoReturn:
    """Shows what is wrong, as JSON if that was asked for, and ends the command."""
    context = click.get_current_context(silent=True)
    said = {} if context is None else context.params
    if said.get("json_") or said.get("form") == "json":
        say_json([{"name": name or said.get("spec"), "diagnostics": entries(report)}])
    else:
        note(full(report, painter(stderr=True)).rstrip())
    raise click.exceptions.Exit(FOUND)


def _first(report: Report) -> str:
    first = report.errors[0]
    return f"{first.message}; {first.help}" if first.help else first.message
