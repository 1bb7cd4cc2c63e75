"""The whole page: a chapter for each rulebook, nothing that has to be fetched from elsewhere."""

from collections.abc import Sequence
from importlib.resources import files
from itertools import starmap
from typing import Final

from attrs import frozen

from compiler.clauses import Kind
from compiler.markup import Markup, joined, tag
from compiler.pipeline import Spec
from ruleengine import showing
from ruleengine.report import charts, clauses, code, rulings, scenarios
from ruleengine.report.chapter import REMARKS, Chapter, counted
from ruleengine.report.games import Games, eyes, retold
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable, run_scenarios

SEED: Final = 2026
"""The seed of the games that are played if nobody says another."""

_PARTS: Final = {
    "charts": "Charts",
    "clauses": "Clauses",
    "rulings": "Rulings",
    "scenarios": "Scenarios",
    "game": "A game, move by move",
    "rules": "Rules, as they are written",
}


@frozen
class Written:
    """A chapter as it will stand on a page: plain values that another process can send.

    `figures` are its numbers for the glance at the beginning, without the moves of its games;
    `seats` the players that were drawn and played with, `colours` those of its charts.  The games
    go between `text` and `rules`.
    """

    anchor: str
    title: str
    figures: tuple[str, ...]
    seats: int
    text: Markup
    rules: Markup
    colours: frozenset[str]


def report(specs: Sequence[Spec], games: int = 1, seed: int = SEED) -> str:
    """The page about some rulebooks: a text of HTML, the same for the same rules and seed.

    Scenarios are run, and `games` games of each rulebook are played with its usual readings and
    the fewest players.  Raises `RefusedSpec` for a rulebook that cannot be played.
    """
    return bound(
        [
            (written(spec, tuple(run_scenarios(spec))), retold(spec, seed, range(games)))
            for spec in specs
        ]
    )


def written(spec: Spec, scenarios: Sequence[Ran | Unreadable]) -> Written:
    """The chapter about a rulebook whose scenarios have been run; `RefusedSpec` if it is none."""
    chapter = Chapter.with_scenarios(spec, scenarios)
    drawn, colours = charts.section(chapter)
    return Written(
        chapter.anchor,
        spec.title,
        _figures(chapter),
        chapter.game.seats,
        _text(chapter, drawn),
        _section(chapter.anchor, "rules", _rules(chapter)),
        colours,
    )


def bound(chapters: Sequence[tuple[Written, Games]]) -> str:
    """The page of these chapters, in this order, each with its games."""
    texts = [text for text, _ in chapters]
    colours = frozenset(colour for text in texts for colour in text.colours)
    seats = max((text.seats for text in texts), default=0)
    body = tag(
        "body",
        tag("a", "Skip to the text", href="#text", class_="skip"),
        _contents(texts),
        tag("main", _opening(chapters), starmap(_chapter, chapters), id="text"),
        tag("script", _file("page.js")),
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content="rulewright"),
        tag("title", ", ".join(text.title for text in texts)),
        tag("style", _style(colours, seats)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _file(name: str) -> Markup:
    """A file of this package, as it is."""
    text = files("ruleengine.report").joinpath(name).read_text(encoding="utf-8")
    return Markup(f"\n{text}")


def _style(colours: frozenset[str], seats: int) -> Markup:
    night = charts.night(colours)
    return joined(
        Markup(f"\n{showing.style()}"),
        _file("page.css"),
        Markup(eyes(seats)),
        Markup(f"\n@media screen and (prefers-color-scheme: dark) {{{night}}}\n"),
    )


# ---- the beginning


def _contents(chapters: Sequence[Written]) -> Markup:
    """The table of contents."""
    return tag(
        "nav",
        tag("p", tag("a", "rulewright", href="#text"), class_="brand"),
        tag("ul", map(_contents_of, chapters)),
        aria_label="Contents",
    )


def _contents_of(chapter: Written) -> Markup:
    parts = (
        tag("li", tag("a", title.partition(",")[0], href=f"#{chapter.anchor}-{name}"))
        for name, title in _PARTS.items()
    )
    link = tag("a", chapter.title, href=f"#{chapter.anchor}")
    return tag("li", link, tag("ul", parts))


def _opening(chapters: Sequence[tuple[Written, Games]]) -> Markup:
    """What the page is about, and the rulebooks at a glance."""
    return tag(
        "header",
        tag("h1", "Rulebooks as programs"),
        tag(
            "p",
            "Each rulebook below is written as a short program. Its charts are drawn from that "
            "program, its scenarios were acted out on it, and a game was played with it. Every "
            "line names the clause it implements, so that you can walk from a sentence of the "
            "rulebook to the line, to the box of the chart and to the move where it mattered.",
            class_="lead",
        ),
        _glance(chapters),
    )


def _glance(chapters: Sequence[tuple[Written, Games]]) -> Markup:
    heads = ("Rulebook", "Players", "Lines", "Clauses", "Rulings", "Scenarios", "Moves")
    lines = (
        tag(
            "tr",
            tag("th", tag("a", each.title, href=f"#{each.anchor}"), scope="row"),
            (
                tag("td", value, data_label=name)
                for name, value in zip(heads[1:], (*each.figures, str(played.moves)), strict=True)
            ),
        )
        for each, played in chapters
    )
    return tag(
        "table",
        tag("caption", "The rulebooks at a glance", class_="unseen"),
        tag("thead", tag("tr", (tag("th", name, scope="col") for name in heads))),
        tag("tbody", lines),
        class_="glance",
    )


def _figures(chapter: Chapter) -> tuple[str, ...]:
    """The numbers of a rulebook, in the order of the table."""
    return (
        chapter.players,
        str(sum(len(listing.lines) for listing in chapter.rules)),
        _implemented(chapter),
        _open(chapter),
        f"{sum(map(scenarios.passed, chapter.scenarios))} of {len(chapter.scenarios)}",
    )


def _implemented(chapter: Chapter) -> str:
    """How many of the clauses that need a rule have one."""
    if chapter.coverage is None:
        return "none listed"
    needed = len(chapter.coverage.mechanical)
    return f"{needed - len(chapter.coverage.uncited)} of {needed}"


def _open(chapter: Chapter) -> str:
    asked = len(rulings.questions(chapter))
    catalogue = chapter.spec.catalogue
    return str(asked if catalogue is None else max(asked, len(catalogue.rulings)))


# ---- chapters


def _chapter(text: Written, played: Games) -> Markup:
    return tag(
        "section",
        text.text,
        _section(text.anchor, "game", played.markup),
        text.rules,
        id=text.anchor,
        class_="chapter",
        aria_labelledby=f"{text.anchor}-title",
    )


def _text(chapter: Chapter, drawn: Markup) -> Markup:
    """All that stands before the games."""
    contents = {
        "charts": drawn,
        "clauses": clauses.section(chapter),
        "rulings": rulings.section(chapter),
        "scenarios": scenarios.section(chapter),
    }
    return joined(
        tag("h2", chapter.spec.title, id=f"{chapter.anchor}-title"),
        [
            tag("p", words, class_="note" if words.startswith(REMARKS) else "lead")
            for words in chapter.preface
        ],
        _facts(chapter),
        [_section(chapter.anchor, name, content) for name, content in contents.items()],
    )


def _section(anchor: str, name: str, content: Markup) -> Markup:
    """A part of a chapter, under its heading."""
    place = f"{anchor}-{name}"
    return tag(
        "section",
        tag("h3", _PARTS[name], id=f"{place}-title"),
        content,
        id=place,
        class_=f"of-{name}",
        aria_labelledby=f"{place}-title",
    )


def _facts(chapter: Chapter) -> Markup:
    """The numbers of a rulebook with what they mean."""
    seats, lines, implemented, asked, passed = _figures(chapter)
    catalogue = chapter.spec.catalogue
    others = () if catalogue is None else tuple(catalogue.clauses.values())
    told = sum(clause.kind is not Kind.MECHANICAL for clause in others)
    switches = len(rulings.questions(chapter))
    facts = (
        ("Players", seats, f"drawn and played here with {chapter.game.seats}"),
        ("Lines of rules", lines, "comments and headings included"),
        (
            "Clauses with a rule",
            implemented,
            f"and {told} that need none" if told else "",
        ),
        ("Open questions", asked, f"{switches} of them are switches"),
        ("Scenarios passed", passed, _checks(chapter)),
    )
    return tag(
        "dl",
        (
            tag("div", tag("dt", name), tag("dd", value, tag("small", note) if note else None))
            for name, value, note in facts
        ),
        class_="facts",
    )


def _checks(chapter: Chapter) -> str:
    ran = (found for found in chapter.scenarios if scenarios.passed(found))
    return counted(sum(scenarios.checks(found) for found in ran), "check")


def _rules(chapter: Chapter) -> Markup:
    """The text of the rulebook, then of the variants laid over it."""
    return joined(
        tag(
            "details",
            tag(
                "summary",
                f"{listing.source.name.rsplit('/', 1)[-1]}, {counted(len(listing.lines), 'line')}",
            ),
            code.whole(chapter, listing),
        )
        for listing in chapter.rules
    )
