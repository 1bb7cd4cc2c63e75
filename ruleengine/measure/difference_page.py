"""A difference as people and programs read it: Markdown for a pull request, HTML, JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from compiler.config import Configuration
from compiler.graph.values import seat_text
from compiler.markup import Markup, joined, tag
from compiler.variant.changes import Change, Sort
from ruleengine.drawing import clause_texts
from ruleengine.measure.difference import NODE_LIMIT, Difference, Figures, Measured
from ruleengine.measure.intervals import ALPHA, Interval
from ruleengine.measure.lockstep import Parting
from ruleengine.measure.neutral import How
from ruleengine.measure.scope_words import scope_words, verdict_words, where_words
from ruleengine.measure.witness import told

_SAID: Final = {
    Sort.ADDED: "added",
    Sort.REMOVED: "removed",
    Sort.CHANGED: "changed",
    Sort.CITED: "cites otherwise",
}
_WIDTH: Final = 96  # letters of a line on a page


def headline(found: Difference) -> str:
    """Both sides by name, and the games that were asked for."""
    return f"{found.old.said} and {found.new.said}, {where_words(found)}"


def change_words(change: Change) -> str:
    """What happened to a declaration, in a line."""
    name = f" `{change.name}`" if change.name else ""
    under = f", under `{change.under[-1]}`" if change.under else ""
    cited = f" ({', '.join(change.clauses)})" if change.clauses else ""
    return f"{change.what}{name} {_SAID[change.sort]}{under}{cited}"


def by_clause(found: Difference) -> dict[str, list[Change]]:
    """The changes by the clauses that they are about; under no clause last."""
    listed: dict[str, list[Change]] = {}
    for change in found.changes:
        for clause in change.clauses or ("",):
            listed.setdefault(clause, []).append(change)
    return dict(sorted(listed.items(), key=lambda each: (not each[0], each[0])))


def clause_words(found: Difference) -> Mapping[str, str]:
    """The texts of the clauses of both sides."""
    specs = found.old.game.compiled.spec, found.new.game.compiled.spec
    return clause_texts(specs[0]) | clause_texts(specs[1])


def figure_rows(figures: Figures) -> list[tuple[str, str, str, str]]:
    """Both sides and their difference, line by line."""
    old, new = figures.old, figures.new
    rows = [
        ("games", str(old.games), str(new.games), ""),
        ("not ended", str(old.unfinished), str(new.unfinished), ""),
        ("steps", *_three(old.length, new.length, figures.length)),
        ("score", *_three(old.score, new.score, figures.score)),
    ]
    for seat, change in enumerate(figures.wins):
        first, second = old.wins[seat], new.wins[seat]
        rows.append((f"{seat_text(seat)} wins", *_three(first, second, change, 100)))
    rows.append(("draws", *_three(old.draws, new.draws, None, 100)))
    taken = dict.fromkeys((*old.options, *new.options))
    rows += [(f"option {name}", _part(old, name), _part(new, name), "") for name in taken]
    return [row for row in rows if row[1] != "-" or row[2] != "-"]


def _three(
    old: Interval | None, new: Interval | None, change: Interval | None, scale: int = 1
) -> tuple[str, str, str]:
    return _shown(old, scale), _shown(new, scale), _shown(change, scale, signed=True)


def _shown(interval: Interval | None, scale: int, signed: bool = False) -> str:
    if interval is None:
        return "-"
    half = (interval.high - interval.low) / 2 * scale
    sign = "+" if signed else ""
    star = " *" if signed and interval.excludes_zero else ""
    unit = " %" if scale == 100 else ""
    return f"{interval.value * scale:{sign}.1f} ± {half:.1f}{unit}{star}"


def _part(measured: Measured, name: str) -> str:
    total = sum(measured.options.values())
    return f"{100 * measured.options.get(name, 0) / total:.1f} %" if total else "-"


def needed_words(figures: Figures) -> str:
    """How the intervals were made, and how many games would show a difference of the size."""
    percent = f"{100 * figures.size:g} %"
    unended = figures.old.unfinished + figures.new.unfinished
    left_out = (
        f" {unended} games did not end within {NODE_LIMIT:,} steps of the machine and are left out "
        "of all other figures: `coverage` lists what no game comes to."
    )
    return (
        f"All {figures.comparisons} intervals hold together with {100 * (1 - ALPHA):.0f} %; a star "
        f"marks a difference that is told apart from none. To see a difference of {percent} in a "
        f"seat's chance in four of five tries takes {figures.games_for_chance:,} games of each; of "
        f"{percent} of the length, {figures.games_for_length:,}.{left_out if unended else ''}"
    )


# ---- the play after which they part


def play_title(found: Difference) -> str:
    """What stands above the play after which both part."""
    where = found.parted.besides if found.parted is not None else Configuration()
    return "The play after which they part" + (f", with {where}" if str(where) else "")


def play_lines(found: Difference, wide: int) -> list[str]:
    """That play, step by step; nothing if there is none or they part at the start."""
    one = found.parted
    if one is None or one.verdict.witness is None:
        return []
    return [line.text for line in told(one.old, one.verdict.witness.play, wide)]


# ---- Markdown


def markdown(found: Difference) -> str:
    """All but the chart, as it stands in a pull request."""
    return "\n".join(_markdown(found)) + "\n"


def _markdown(found: Difference) -> Iterator[str]:
    yield f"# {headline(found)}"
    yield ""
    yield verdict_words(found.verdict)
    for line in scope_words(found):
        yield ""
        yield line
    yield ""
    lines = play_lines(found, _WIDTH)
    if lines:
        yield f"## {play_title(found)}"
        yield ""
        yield "```text"
        yield from lines
        yield "```"
        yield ""
    if found.settings or found.changes:
        yield "## What changed"
        yield ""
    for name, old, new in found.settings:
        yield f"- `{name}`: {old}, then {new}"
    texts = clause_words(found)
    for clause, listed in by_clause(found).items():
        text = texts.get(clause, "")
        yield f"- **{clause or 'Under no clause'}**{f': {text}' if text else ''}"
        for change in listed:
            yield f"  - {change_words(change)}"
    if found.changes:
        yield ""
        yield "```diff"
        for change in found.changes:
            yield from diff_lines(change)
        yield "```"
    if found.figures is not None:
        yield ""
        yield "## What it comes to"
        yield ""
        yield "| | first | second | difference |"
        yield "| --- | ---: | ---: | ---: |"
        for row in figure_rows(found.figures):
            yield f"| {' | '.join(row)} |".replace("*", "\\*")
        yield ""
        yield needed_words(found.figures)


def diff_lines(change: Change) -> Iterator[str]:
    """The lines that went and came, marked."""
    yield f"@@ {change.what} {change.name} @@".replace("  ", " ")
    yield from (f"- {line}" for line in change.old)
    yield from (f"+ {line}" for line in change.new)


# ---- HTML


def html(found: Difference, pictures: Sequence[bytes]) -> str:
    """One page that needs nothing from elsewhere, the charts included."""
    charts = (Markup(_svg(picture.decode())) for picture in pictures)
    texts = clause_words(found)
    listed = (
        tag(
            "li",
            tag("b", clause or "Under no clause"),
            f": {texts[clause]}" if clause in texts else None,
            tag("ul", (tag("li", _coded(change_words(change))) for change in changes)),
        )
        for clause, changes in by_clause(found).items()
    )
    set_ = (tag("li", f"{name}: {old}, then {new}") for name, old, new in found.settings)
    lines = "\n".join(line for change in found.changes for line in diff_lines(change))
    played = play_lines(found, _WIDTH)
    body = joined(
        tag("h1", headline(found)),
        tag("p", verdict_words(found.verdict)),
        (tag("p", line) for line in scope_words(found)),
        (tag("h2", play_title(found)), tag("pre", "\n".join(played))) if played else None,
        tag("h2", "What changed"),
        tag("ul", set_, listed),
        tag("pre", lines) if lines else None,
        tag("h2", "On the chart") if pictures else None,
        (tag("div", drawn, class_="chart") for drawn in charts),
        None if found.figures is None else _figures(found.figures),
    )
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", headline(found)),
        tag("style", Markup(_STYLE)),
    )
    return f"<!doctype html>\n{tag('html', tag('head', head), tag('body', body), lang='en')}\n"


_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}td{text-align:right;padding:0 .8em}th{text-align:left}"
    ".chart{margin:1em 0;text-align:center}.chart svg{max-width:100%;height:auto}"
    "pre{overflow-x:auto}"
)


def _svg(text: str) -> str:
    return text[text.index("<svg") :]


def _figures(figures: Figures) -> Markup:
    head = tag("tr", (tag("th", word) for word in ("", "first", "second", "difference")))
    rows = (
        tag("tr", tag("th", name, scope="row"), (tag("td", cell) for cell in cells))
        for name, *cells in figure_rows(figures)
    )
    return joined(
        tag("h2", "What it comes to"), tag("table", head, rows), tag("p", needed_words(figures))
    )


# ---- JSON


def entry(found: Difference) -> dict[str, object]:
    """All but the chart, as programs read it."""
    return {
        "name": found.new.game.name,
        "old": found.old.said,
        "new": found.new.said,
        "players": found.old.game.seats,
        "settings": [{"name": n, "old": a, "new": b} for n, a, b in found.settings],
        "changes": [
            {
                "sort": change.sort.name.lower(),
                "what": change.what,
                "name": change.name,
                "under": list(change.under),
                "removed": list(change.old),
                "added": list(change.new),
                "clauses": list(change.clauses),
            }
            for change in found.changes
        ],
        "neutral": found.neutral,
        "how": found.verdict.how.name.lower(),
        "situations": found.verdict.situations,
        "witness": _witness_entry(found.verdict.witness),
        "compared": list(_compared_entries(found)),
        "figures": None if found.figures is None else _figures_entry(found.figures),
    }


def _compared_entries(found: Difference) -> Iterator[dict[str, object]]:
    """Everywhere they were compared; `how` is empty where what differs was not gone through."""
    seats, scope = found.old.game.seats, found.scope
    for one in found.compared:
        yield _where_entry(one.besides, seats) | {
            "neutral": one.verdict.neutral,
            "how": one.verdict.how.name.lower(),
            "witness": _witness_entry(one.verdict.witness),
        }
    for where in scope.same:
        found_ = {"neutral": True, "how": How.GRAPHS.name.lower(), "witness": None}
        yield _where_entry(where, seats) | found_
    for where in (*scope.alike, *scope.left):
        yield _where_entry(where, seats) | {"neutral": None, "how": None, "witness": None}


def _where_entry(where: Configuration, seats: int) -> dict[str, object]:
    return {"players": where.players or seats, "settings": dict(where.pairs)}


def _witness_entry(witness: Parting | None) -> dict[str, object] | None:
    if witness is None:
        return None
    return {
        "play": list(witness.play),
        "what": witness.what.name.lower(),
        "about": witness.about or None,
        "old": witness.old,
        "new": witness.new,
    }


def _figures_entry(figures: Figures) -> dict[str, object]:
    return {
        "old": _measured_entry(figures.old),
        "new": _measured_entry(figures.new),
        "difference": {
            "length": interval_entry(figures.length),
            "score": interval_entry(figures.score),
            "wins": _by_seat(figures.wins),
        },
        "comparisons": figures.comparisons,
        "size": figures.size,
        "games_for_chance": figures.games_for_chance,
        "games_for_length": figures.games_for_length,
    }


def _measured_entry(measured: Measured) -> dict[str, object]:
    return {
        "games": measured.games,
        "unfinished": measured.unfinished,
        "length": interval_entry(measured.length),
        "score": interval_entry(measured.score),
        "wins": _by_seat(measured.wins),
        "draws": interval_entry(measured.draws),
        "options": dict(measured.options),
    }


def _by_seat(intervals: tuple[Interval, ...]) -> dict[str, object]:
    return {seat_text(seat): interval_entry(one) for seat, one in enumerate(intervals)}


def interval_entry(interval: Interval | None) -> dict[str, float] | None:
    """A figure with the ends of its interval."""
    if interval is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def _coded(words: str) -> Markup:
    """Words in which what stands between backticks is code."""
    parts = words.split("`")
    return joined(tag("code", part) if at % 2 else part for at, part in enumerate(parts))
