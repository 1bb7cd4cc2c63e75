"""The balance report: one page about how a game plays, nothing that has to be fetched.

What to know first stands first; then figures with what they mean, plots, clauses by how often games
came to them, rulings, charts, and the rules as they are written.
"""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from statistics import quantiles
from typing import Final

from compiler.clauses import CatalogueRuling
from compiler.graph.values import seat_text
from compiler.highlight import listing
from compiler.markup import Markup, joined, tag
from ruleengine.checking import coverage
from ruleengine.match import Ending
from ruleengine.measure.balance import Balance, findings
from ruleengine.measure.ladder import Step
from ruleengine.measure.metrics import Figure, OptionUse, fair_words, histogram, length, option_use
from ruleengine.measure.rulings_page import HEADERS, method, rows, where
from ruleengine.measure.summary import percent, words
from ruleengine.report import charts, code
from ruleengine.report import rulings as questions
from ruleengine.report.chapter import Chapter, Places, entry_text, prose
from ruleengine.report.plots import Bar, Range, bars, ranges

_PLAYED_BY: Final = {
    "interpreter": "the interpreter",
    "wasm": "WebAssembly",
    "python": "generated Python",
    "c": "C",
}
_SHADES: Final = 5


def balance_page(found: Balance) -> str:
    """The page: a text of HTML, the same for the same rules, seed and plan."""
    chapter = _chapter(found)
    drawn, colours = charts.section(chapter)
    title = f"{found.game.compiled.spec.title}: balance"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content="rulewright"),
        tag("title", title),
        tag("style", _style(colours)),
    )
    main = tag(
        "main",
        tag("h1", title, id=chapter.anchor),
        tag("p", method_words(found), class_="lead"),
        _part("What to know first", _findings(found)),
        _part("Figures", _figures(found.figures)),
        _part("Seats", _seats(found)),
        _part("Lengths and scores", _spreads(found)),
        _part("Does skill matter?", _ladder(found)),
        _part("Options over time", _options(found), long=True),
        _part("Clauses", _clauses(found, chapter), long=True),
        _part("Rulings", _rulings(found, chapter), long=True),
        _part("Charts", tag("div", drawn, class_="of-charts"), long=True),
        _part("Rules, as they are written", _rules(chapter), long=True),
        id="text",
    )
    body = tag("body", main, class_="balance")
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _chapter(found: Balance) -> Chapter:
    """The rulebook as the game has it; its scenarios are no part of this page."""
    spec = found.game.compiled.spec
    places = Places.of(spec)
    texts = (spec.sources.base, *spec.sources.variants)
    listings = tuple(map(listing, texts))
    return Chapter(spec, places.entries, found.game, coverage(spec), listings, ())


def _style(colours: frozenset[str]) -> Markup:
    night = charts.night(colours)
    return joined(
        _file("page.css"),
        _file("balance.css"),
        Markup(f"\n@media screen and (prefers-color-scheme: dark) {{{night}}}\n"),
    )


def _file(name: str) -> Markup:
    text = files("ruleengine.report").joinpath(name).read_text(encoding="utf-8")
    return Markup(f"\n{text}")


def _part(title: str, content: Markup, *, long: bool = False) -> Markup:
    return tag("section", tag("h3", title), content, class_="long" if long else None)


def method_words(found: Balance) -> str:
    """How the figures came about, in a few sentences."""
    run, game = found.run, found.game
    settings = [f"{game.seats} players", *(f"{n} = {v}" for n, v in game.configuration.pairs)]
    by = "at random" if run.cast is None else f"by {', '.join(b.said for b in run.cast.bots)}"
    told = (
        f"{', '.join(settings)}. {run.games} games played {by} on "
        f"{_PLAYED_BY[run.machine]}, seed {run.seed}; {len(found.watching.games)} of them watched "
        "move by move. Ranges in brackets hold what they are about in 95 of 100 such reports."
    )
    if run.cast is not None and run.cast.is_timed:
        told += " Bots thought by the clock, so it cannot be made again exactly."
    return told


def _findings(found: Balance) -> Markup:
    return tag("ul", (tag("li", sentence) for sentence in findings(found)), class_="findings")


# ---- figures


def _table(heads: Sequence[str], lines: Iterator[Markup], more: str = "") -> Markup:
    head = tag("thead", tag("tr", (tag("th", name, scope="col") for name in heads)))
    return tag("table", head, tag("tbody", lines), class_=f"figures {more}".strip())


def _figures(found: Sequence[Figure]) -> Markup:
    lines = (
        tag(
            "tr",
            tag("th", one.title, scope="row"),
            tag("td", words(one), class_="n"),
            tag("td", one.meaning, tag("small", f" ({one.source})") if one.source else None),
            tag("td", str(one.games), class_="n"),
        )
        for one in found
    )
    return _table(("Figure", "Value (95 %)", "What it means", "Games"), lines)


def _seats(found: Balance) -> Markup:
    if not found.seats:
        return tag("p", "Nobody won over anybody.", class_="note")
    shown = [
        Range(f"Seat {one.seat}", one.interval, one.fair, percent(one.interval))
        for one in found.seats
    ]
    return joined(
        tag(
            "p",
            "Shares of the games that somebody won, with ranges that hold all together; the "
            f"dashed line is the fair share. {fair_words(found.seats)}",
        ),
        ranges(shown, "Wins of each seat"),
    )


def _spreads(found: Balance) -> Markup:
    done = [row for row in found.run.rows if row.ending is Ending.FINISHED]
    if not done:
        return tag("p", "No game came to an end.", class_="note")
    what, lengths = length(done)
    parts = [tag("h4", "Lengths"), _histogram(lengths, what)]
    scores = [row.scores for row in done if row.scores is not None]
    for seat, column in enumerate(zip(*scores, strict=True)):
        parts += [tag("h4", f"Scores of {seat_text(seat)}"), _histogram(column, "score")]
    return joined(parts)


def _histogram(values: Sequence[int], axis: str) -> Markup:
    found = [
        Bar(str(low) if low == high else f"{low}-{high}", count)
        for low, high, count in histogram(values)
    ]
    told = f"{min(values)} to {max(values)} {axis}"
    if len(values) > 1:
        quarters = quantiles(values, n=4, method="inclusive")
        told = f"{told}, half of them {quarters[0]:.0f} to {quarters[2]:.0f}"
    return joined(bars(found, told, axis), tag("p", f"{told}.", class_="told"))


# ---- skill


def _ladder(found: Balance) -> Markup:
    if found.no_ladder:
        return tag("p", found.no_ladder, class_="note")
    shown = [
        Range(f"{one.upper.said} v {one.lower.said}", one.interval, one.fair, percent(one.interval))
        for one in found.ladder
    ]
    return joined(
        tag(
            "p",
            "Each bot against the one below it on the ladder, on every seat in turn: the share "
            "of games it wins, and what it would win by chance (dashed).",
        ),
        ranges(shown, "Each rung against the one below"),
        _table(
            ("Rung", "Games", "Share won (all together 95 %)", "Skill"), map(_rung, found.ladder)
        ),
        tag(
            "p",
            "Skill is how much of what it could gain over chance a rung gains: 0 is none of "
            "it, 100 % is every game. Where each gains little, luck decides; where the ladder "
            "goes on, thinking further pays.",
            class_="told",
        ),
    )


def _rung(step: Step) -> Markup:
    return tag(
        "tr",
        tag("th", f"{step.upper.said} against {step.lower.said}", scope="row"),
        tag("td", str(step.games), class_="n"),
        tag("td", f"{percent(step.interval)}: {step.verdict}", class_="n"),
        tag("td", f"{100 * step.skill:.0f} %", class_="n"),
    )


# ---- options and clauses


def _options(found: Balance) -> Markup:
    use = option_use(found.watching.games)
    if not use:
        return tag("p", "No decision was watched.", class_="note")
    heads = ("Option", "Offered", "Taken", *(f"{10 * tenth} %" for tenth in range(10)))
    return joined(
        tag(
            "p",
            "How often each option was offered and taken in the games that were watched, and "
            "in which tenth of the game it was taken.",
        ),
        _table(heads, (_option(name, one) for name, one in use.items()), "heat"),
    )


def _option(name: str, use: OptionUse) -> Markup:
    most = max(use.by_tenth) or 1
    taken = "n" if use.taken else "n never"
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", str(use.offered), class_="n"),
        tag("td", str(use.taken), class_=taken),
        (_heat(count, most) for count in use.by_tenth),
    )


def _heat(count: int, most: int) -> Markup:
    shade = -(-count * _SHADES // most) if most else 0
    return tag("td", str(count), class_="t", data_h=shade)


def _clauses(found: Balance, chapter: Chapter) -> Markup:
    covered = found.clauses
    if covered is None:
        return tag("p", "This spec has no table of clauses.", class_="note")
    games = len(found.watching.games)
    most = max(covered.times.values(), default=0)
    lines = (
        tag(
            "tr",
            tag("th", id_, scope="row"),
            tag("td", prose(entry_text(chapter.entries[id_]))),
            _times(covered.times.get(id_, 0), most, id_ in covered.in_force),
            id=chapter.place(id_),
        )
        for id_ in covered.mechanical
    )
    return joined(
        tag(
            "p",
            f"{covered.share} clauses that need a rule came up in {games} watched games; the "
            "darker, the more often. A clause of the set-up is in force in every game.",
        ),
        _table(("Clause", "What it says", "Times"), lines, "heat"),
        _others(chapter, covered.mechanical),
    )


def _others(chapter: Chapter, shown: Sequence[str]) -> Markup | None:
    """What else may be cited, so that every citation leads somewhere; rulings have their own."""
    others = [
        entry
        for id_, entry in chapter.entries.items()
        if id_ not in shown and not isinstance(entry, CatalogueRuling)
    ]
    lines = (
        tag(
            "tr",
            tag("th", entry.id, scope="row"),
            tag("td", prose(entry_text(entry))),
            id=chapter.place(entry.id),
        )
        for entry in others
    )
    if not others:
        return None
    named = tag("summary", "Clauses that need no rule, and what else is cited")
    return tag("details", named, _table(("Clause", "What it says"), lines))


def _times(count: int, most: int, in_force: bool) -> Markup:
    if not count:
        words_ = "in force" if in_force else "never"
        return tag("td", words_, class_=None if in_force else "never")
    shade = 1 + (_SHADES - 1) * count // most
    return tag("td", str(count), class_="t", data_h=shade)


# ---- the rest


def _rulings(found: Balance, chapter: Chapter) -> Markup:
    if found.rulings is None:
        told = "What is left open, and how it is read here; `--rulings N` measures what it changes."
        return joined(tag("p", prose(told)), questions.section(chapter))
    cells = zip(rows(found.rulings), map(where, found.rulings.answers), strict=True)
    lines = (
        tag("tr", tag("th", row[0], scope="row"), (tag("td", cell) for cell in (*row[1:], parting)))
        for row, parting in cells
    )
    return joined(
        _table((*HEADERS, "they part"), lines),
        tag("p", method(found.rulings).replace("*", ""), class_="told"),
        questions.section(chapter),
    )


def _rules(chapter: Chapter) -> Markup:
    texts = (
        tag(
            "details",
            tag("summary", each.source.name.rsplit("/", 1)[-1]),
            code.whole(chapter, each),
        )
        for each in chapter.rules
    )
    return tag("div", texts, class_="of-rules")
