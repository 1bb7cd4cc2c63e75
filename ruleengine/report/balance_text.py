"""The balance report for places where text belongs: Markdown, and JSON for programs."""

from collections.abc import Iterator

from ruleengine.measure.balance import Balance, findings
from ruleengine.measure.metrics import fair_words, option_use
from ruleengine.measure.rulings_page import HEADERS, rows
from ruleengine.measure.rulings_page import entry as rulings_entry
from ruleengine.measure.summary import (
    bots_entry,
    figure_entries,
    moves_entry,
    percent,
    seats_entry,
    spread_entry,
    step_entry,
    words,
)
from ruleengine.report.balance import method_words


def balance_markdown(found: Balance) -> str:
    """The report in Markdown, without its charts and plots."""
    return "\n".join(_lines(found))


def _lines(found: Balance) -> Iterator[str]:
    yield from (f"# {found.game.compiled.spec.title}: balance", "", method_words(found), "")
    yield from ("## What to know first", "", *(f"- {one}" for one in findings(found)), "")
    yield from ("## Figures", "")
    heads = ("figure", "value (95 %)", "what it means", "games")
    yield from _table(
        heads, [(one.title, words(one), one.meaning, str(one.games)) for one in found.figures]
    )
    if found.seats:
        yield from ("## Seats", "")
        yield from _table(
            ("seat", "wins", "share of wins", "fair"),
            [
                (one.seat, str(one.wins), percent(one.interval), f"{100 * one.fair:.0f} %")
                for one in found.seats
            ],
        )
        yield from (fair_words(found.seats), "")
    if found.ladder:
        yield from ("## Does skill matter?", "")
        yield from _table(
            ("rung", "games", "share won", "verdict", "skill"),
            [
                (
                    f"{one.upper.said} against {one.lower.said}",
                    str(one.games),
                    percent(one.interval),
                    one.verdict,
                    f"{100 * one.skill:.0f} %",
                )
                for one in found.ladder
            ],
        )
    use = option_use(found.watching.games)
    if use:
        yield from ("## Options", "")
        yield from _table(
            ("option", "offered", "taken"),
            [(name, str(one.offered), str(one.taken)) for name, one in use.items()],
        )
    if found.rulings is not None:
        yield from ("## Rulings", "")
        yield from _table(HEADERS, rows(found.rulings))


def _table(heads: tuple[str, ...], lines: list[tuple[str, ...]]) -> Iterator[str]:
    yield _row(heads)
    yield _row(("---",) * len(heads))
    yield from map(_row, lines)
    yield ""


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def balance_entry(found: Balance) -> dict[str, object]:
    """The report as programs read it."""
    run, covered = found.run, found.clauses
    clauses = covered and {
        "mechanical": len(covered.mechanical),
        "reached": len(covered.reached),
        "unreached": list(covered.unreached),
    }
    return {
        "name": run.name,
        "players": run.seats,
        "configuration": dict(run.configuration.pairs),
        "seed": run.seed,
        "machine": run.machine,
        "games": run.games,
        "finished": run.totals.finished,
        "reproducible": run.cast is None or not run.cast.is_timed,
        "findings": list(findings(found)),
        "figures": figure_entries(found.figures),
        "seats": seats_entry(run),
        "bots": bots_entry(run),
        "draws": run.draws,
        "ladder": [step_entry(step) for step in found.ladder],
        "no_ladder": found.no_ladder or None,
        **spread_entry(run.rows),
        "moves": moves_entry(found.watching),
        "clauses": clauses,
        "rulings": None if found.rulings is None else rulings_entry(found.rulings),
    }
