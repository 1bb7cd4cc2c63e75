"""`rulings`: which ambiguities of a rulebook matter, and where their readings part."""

from pathlib import Path

import click
from attrs import evolve

from compiler.pipeline import Spec
from ruleengine.cli.options import (
    MOST_JOBS,
    SpecName,
    Whole,
    as_json,
    chosen,
    configured,
    loaded,
    ruling_of,
    seeded,
)
from ruleengine.cli.pages import width
from ruleengine.cli.screen import announce, json_text, note, progress, say, say_json, say_table
from ruleengine.cli.writing import Target, write
from ruleengine.drawing import Form, drawn
from ruleengine.game import Instance, load
from ruleengine.measure.as_scenario import Telling, scenarios
from ruleengine.measure.rulings import Answer, Plan, Rulings, several_rulings, with_play
from ruleengine.measure.rulings_page import (
    HEADERS,
    entry,
    first,
    markdown,
    method,
    parting_words,
    rows,
    words,
)
from ruleengine.measure.shrinking import BUDGET
from ruleengine.measure.witness import on_chart, record_of, told

_LONGEST = 30  # lines of a play that are told on a screen


@click.command("rulings", short_help="Say which ambiguities matter, and where readings part.")
@click.argument("spec", type=SpecName(), metavar="SPEC")
@click.option(
    "-n",
    "--games",
    type=Whole(1),
    default=400,
    show_default=True,
    metavar="N",
    help="Games for each reading.",
)
@click.option("--all-players", is_flag=True, help="A table for every number of players.")
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes.",
)
@click.option("--only", multiple=True, metavar="RULING", help="This ruling; may be said often.")
@click.option(
    "--shrink",
    type=Whole(0),
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="Stops to play at most, to make a play short.",
)
@click.option("--markdown", "marked", is_flag=True, help="Write Markdown.")
@click.option("-o", "--output", type=Target(), metavar="FILE", help="Where to write it.")
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Keep the plays: as records, as scenarios, drawn on the chart.",
)
@configured
@seeded
@as_json
def command(
    spec: str,
    games: int,
    all_players: bool,
    jobs: int,
    only: tuple[str, ...],
    shrink: int,
    marked: bool,
    output: Path | None,
    save: Path | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    json_: bool,
) -> None:
    """Say which ambiguities matter, and where their readings part.

    Each reading is run against the usual one in the same games, with the fewest players unless
    --players or --all-players says otherwise. The shortest play after which the two part is told
    for the first few, and kept for all with --save.
    """
    if all_players and players is not None:
        raise click.UsageError("--all-players and --players do not go together")
    if output is not None and output.suffix not in (".md", ".json"):
        raise click.UsageError(f"`{output}` says no format; end it with .md or .json")
    game = loaded(spec, chosen(players, settings)).game
    read = game.compiled.spec
    only = _known(read, only)
    counts = list(read.seats(game.configuration.values)) if all_players else [game.seats]
    configurations = [evolve(game.configuration, players=count) for count in counts]
    announce(f"{read.name}: {_much(read, only, games, counts)}")
    with progress(read.name, None) as tell:
        plan = Plan(games, seed, jobs, shrink=shrink, only=only, progress=tell)
        tables = several_rulings(read, configurations, plan)
    entries = [entry(found) for found in tables]
    if output is not None and output.suffix == ".json":
        write(output, json_text(entries).encode())
    elif output is not None or (marked and not json_):
        text = markdown(tables, {one: _story(tables, one) for one in first(*tables)})
        say(text, end="") if output is None else write(output, text.encode())
    if json_:
        say_json(entries)
    elif output is None and not marked:
        _show(tables)
    if save is not None:
        _save(tables, save)


def _much(spec: Spec, only: tuple[str, ...], games: int, counts: list[int]) -> str:
    """What is about to be played."""
    readings = [len(r.readings) - 1 for r in spec.rulings if not only or r.name.text in only]
    much = f"{sum(readings)} {'reading' if sum(readings) == 1 else 'readings'}"
    times = f" for each of {len(counts)} numbers of players" if len(counts) > 1 else ""
    return f"{much}, {games} {'game' if games == 1 else 'games'} each{times}"


def _known(spec: Spec, only: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the rulings that are meant; `UsageError` if one is unknown or there is none."""
    known = [ruling.name.text for ruling in spec.rulings]
    if not known:
        raise click.UsageError(f"{spec.name} leaves nothing open: it has no rulings")
    return tuple(ruling_of(spec, name) for name in only)


def _show(tables: tuple[Rulings, ...]) -> None:
    for found in tables:
        if len(tables) > 1:
            say(f"{found.seats} players")
            say()
        say_table(HEADERS, rows(found), left=2)
        say()
    say(method(*tables).replace("*", ""))
    for answer in first(*tables):
        say()
        say(f"{answer.asked.question} {words(answer)}")
        for line in _story(tables, answer):
            say(f"  {line}")
        shown = with_play(tables, answer)
        if shown.witness is not None:
            say(f"  {parting_words(shown.witness, shown.asked.usual, shown.asked.reading)}")


def _game(spec: Spec, answer: Answer) -> Instance:
    configuration = answer.configuration
    return load(spec, configuration.players, dict(configuration.pairs))


def _story(tables: tuple[Rulings, ...], answer: Answer) -> list[str]:
    """A play in lines, the end of it if it is long."""
    shown = with_play(tables, answer)
    if shown.witness is None or not shown.witness.play:
        return []
    game = _game(tables[0].spec, shown)
    lines = [line.text for line in told(game, shown.witness.play, width())]
    if len(lines) <= _LONGEST:
        return lines
    return [f"… {len(lines) - _LONGEST} lines before", *lines[-_LONGEST:]]


def _save(tables: tuple[Rulings, ...], folder: Path) -> None:
    """Records, charts and scenarios of all plays."""
    spec = tables[0].spec
    texts = [f"scenarios of {spec.name.rsplit('+', 1)[-1]}\n"]
    kept = told_ = 0
    for answer in (one for found in tables for one in found.answers):
        if answer.witness is None:
            continue
        name = f"{answer.asked.ruling}-{answer.asked.reading}"
        game, play = _game(spec, answer), answer.witness.play
        write(folder / f"{name}.play", str(record_of(game, play)).encode())
        title = f"Where {answer.asked.usual} and {answer.asked.reading} part"
        picture = drawn(game.compiled, on_chart(game, play, title), Form.SVG)
        if isinstance(picture, bytes):
            write(folder / f"{name}.svg", picture)
        else:
            note(str(picture))
        said = scenarios(spec, *_tellings(answer), answer.witness)
        texts += said.texts
        if said.why is not None:
            texts.append(f"-- {name}: no scenario, {said.why.value}\n")
        kept += 1
        told_ += bool(said.texts)
    write(folder / "rulings-scenarios.rules", "\n".join(texts).encode())
    plays = "1 play is" if kept == 1 else f"{kept} plays are"
    note(f"{plays} in {folder}, {told_} of them told as scenarios")


def _tellings(answer: Answer) -> tuple[Telling, Telling]:
    asked = answer.asked
    title = f"{asked.ruling}, usual: {asked.usual} before {asked.reading}"
    return (
        Telling(answer.configuration, title),
        Telling(answer.new, f"{asked.ruling}: {asked.reading}"),
    )
