"""`check`: what is wrong with a spec, and what of its rulebook it implements."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from attrs import evolve

from compiler.diagnostic import Report
from compiler.graph.amounts import counted
from compiler.mend import mended
from compiler.pipeline import MOST_ERRORS, every_error, expanded_text, is_cut_off
from compiler.render import Format, entries, render, summary
from ruleengine.checking import Checked, Coverage, check, confirmation
from ruleengine.cli.options import FOUND, found_sources, opened, refuse, specs
from ruleengine.cli.screen import JsonEntry, note, painter, progress, say, say_json, say_table

MOST_ROUNDS: Final = 40  # of changing files and reading them again


def _refuse_setting(_: click.Context, __: click.Parameter, value: str | None) -> None:
    """Says where a setting belongs that stands here."""
    if value is not None:
        raise click.UsageError(
            "`check` takes no setting: it looks at every number of players and at every reading; "
            "it belongs to what plays or draws one configuration: `simulate`, `play`, `explore`, "
            "`flow`"
        )


@click.command(
    "check", short_help="Report what is wrong with specs, and which clauses they implement."
)
@specs
@click.option("--clauses", is_flag=True, help="Show every clause and the lines that cite it.")
@click.option("--expanded", is_flag=True, help="Write each spec with its variants laid over it.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Format]),
    default=Format.FULL.value,
    show_default=True,
    help="How to write what was found.",
)
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help=f"Tell all errors of form, not the first {MOST_ERRORS} of each file.",
)
@click.option("--fix", is_flag=True, help="Mend what can only have been meant in one way.")
@click.option(
    "--confirm",
    "confirmed",
    multiple=True,
    metavar="CLAUSE",
    help="Note that a clause was compared with its lines; `all` for every clause.",
)
@click.option(
    *("--set", "--ruling", "--given", "--players"),
    expose_value=False,
    hidden=True,
    callback=_refuse_setting,
    help="Of other commands.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are errors.")
def command(
    specs: tuple[str, ...],
    clauses: bool,
    expanded: bool,
    form: str,
    json_: bool,
    every: bool,
    fix: bool,
    confirmed: tuple[str, ...],
    exit_zero: bool,
) -> int:
    """Report what is wrong with specs, and which clauses they implement.

    `rulewright explain CODE` tells more of a kind of finding.

    Every number of players is looked at with the default readings, and every other reading once.
    The exit code is 1 if there are errors; warnings alone do not change it.
    """
    if expanded:
        return _show_expanded(specs)
    if fix:
        for name in dict.fromkeys(specs):
            _fix(name)
    if confirmed:
        for name in dict.fromkeys(specs):
            _confirm(name, confirmed)
    found = {name: _checked(name, every=every) for name in dict.fromkeys(specs)}
    chosen = Format.JSON if json_ else Format(form)
    if chosen is Format.JSON:
        say_json([check_entry(name, checked) for name, checked in found.items()])
    else:
        text = render({name: c.report for name, c in found.items()}, chosen, painter())
        if text:
            say(text, end="" if text.endswith("\n") else "\n")
        if chosen is Format.FULL:
            show_checks(found)
        if clauses:
            for checked in found.values():
                _show_clauses(checked)
    broken = any(checked.report.has_errors for checked in found.values())
    return FOUND if broken and not exit_zero else 0


def _fix(name: str) -> None:
    """Changes the files of a spec as its report says, until there is nothing more to change."""
    changed: dict[str, None] = {}
    for _ in range(MOST_ROUNDS):
        spec = opened(name)
        report = spec if isinstance(spec, Report) else check(spec).report
        texts = {file: text for file, text in mended(report).items() if Path(file).is_file()}
        if not texts:
            break
        for file, text in texts.items():
            Path(file).write_text(text, encoding="utf-8", newline="\n")
            changed[file] = None
    for file in changed:
        note(f"mended {file}")


def _confirm(name: str, ids: Sequence[str]) -> None:
    """Writes the file that keeps what was confirmed, beside the table of clauses."""
    spec = opened(name)
    if isinstance(spec, Report):
        refuse(spec)
    try:
        text = confirmation(spec, () if "all" in ids else ids)
    except LookupError as none:
        raise click.UsageError(str(none.args[0])) from none
    if spec.sources.catalogue is not None:
        path = Path(spec.sources.catalogue.name).with_suffix(".lock")
        path.write_text(text, encoding="utf-8", newline="\n")
        note(f"confirmed in {path.as_posix()}")


def _checked(name: str, *, every: bool) -> Checked:
    spec = opened(name)
    with progress(name, None) as tell:
        checked = check(spec, tell)
    return evolve(checked, report=every_error(checked.report)) if every else checked


def check_entry(name: str, checked: Checked) -> JsonEntry:
    """What was found in a spec, as programs read it."""
    covered = checked.coverage
    return {
        "name": name,
        "diagnostics": entries(checked.report),
        "errors": len(checked.report.errors),
        "warnings": len(checked.report.warnings),
        "configurations": checked.configurations,
        "clauses": None if covered is None else _clauses_entry(covered),
        "rulings": None if checked.spec is None else _rulings_entry(checked),
    }


def _clauses_entry(covered: Coverage) -> JsonEntry:
    uncited = covered.uncited
    return {
        "mechanical": len(covered.mechanical),
        "cited": len(covered.mechanical) - len(uncited),
        "uncited": list(uncited),
    }


def _rulings_entry(checked: Checked) -> JsonEntry:
    covered = checked.coverage
    return {
        "declared": 0 if checked.spec is None else len(checked.spec.rulings),
        "catalogue": 0 if covered is None else len(covered.catalogue.rulings),
        "missing": [] if covered is None else list(covered.missing),
    }


def show_checks(found: Mapping[str, Checked]) -> None:
    """A line for each spec: what was found, how much of its rulebook is there."""
    for name, checked in found.items():
        parts = [summary(checked.report)]
        if is_cut_off(checked.report):
            parts[0] += " so far (`--all` tells those below, too)"
        if checked.coverage is not None:
            mechanical = len(checked.coverage.mechanical)
            cited = mechanical - len(checked.coverage.uncited)
            parts.append(f"{cited} of {counted(mechanical, 'mechanical clause')} implemented")
        if checked.spec is not None:
            rulings = counted(len(checked.spec.rulings), "ruling")
            parts.append(f"{rulings} in {counted(checked.configurations, 'configuration')}")
        say(f"{name}: {', '.join(parts)}")


def _show_expanded(names: Sequence[str]) -> int:
    """Each spec as one text that could stand in a file of its own."""
    for name in dict.fromkeys(names):
        sources = found_sources(name)
        text = sources if isinstance(sources, Report) else expanded_text(sources)
        if isinstance(text, Report):
            refuse(text)
        say(text, end="")
    return 0


def _show_clauses(checked: Checked) -> None:
    """The table of clauses, each with where it is cited."""
    covered = checked.coverage
    if covered is None:
        return
    rows = [
        *((c.id, c.kind.value, c.text) for c in covered.catalogue.clauses.values()),
        *((r.id, "R", r.question) for r in covered.catalogue.rulings.values()),
    ]
    say()
    say_table(
        ("clause", "kind", "cited at", "text"),
        [(id_, kind, _places(covered, id_), text) for id_, kind, text in rows],
        left=4,
    )


def _places(covered: Coverage, id_: str) -> str:
    """The lines that cite a clause, then how many scenarios do."""
    spans = covered.citations.rules.get(id_, ())
    told = len(covered.citations.scenarios.get(id_, ()))
    lines = [f"{span.file.name.rsplit('/', 1)[-1]}:{span.first.line}" for span in spans]
    shown = " ".join(dict.fromkeys(lines)) or "-"
    return f"{shown} +{told} in scenarios" if told else shown
