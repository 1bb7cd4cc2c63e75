"""A page on what scenarios and plays of a spec came to: clauses, chart and rules, by heat."""

from collections.abc import Iterator
from typing import Final

from compiler.diagnostic import Report
from compiler.markup import Markup, joined, tag
from compiler.pipeline import Compiled
from compiler.source import SourceFile
from ruleengine.configurations import usual
from ruleengine.coverage.clauses import ClauseCoverage
from ruleengine.coverage.points import Sort
from ruleengine.drawing import Form, heated
from ruleengine.measure.coverage import Survey, passages

_STEPS: Final = (1, 10, 100, 1_000)
"""Counts at which a clause or line is a step hotter."""

_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .15rem .6rem; text-align: left; vertical-align: top }
.count { text-align: right; font-variant-numeric: tabular-nums }
.heat0 { background: #f2b8b5; color: #410e0b }
.heat1 { background: #fff3d6; color: #3d2f00 }
.heat2 { background: #ffe29a; color: #3d2f00 }
.heat3 { background: #ffc65c; color: #3d2f00 }
.heat4 { background: #ff9f40; color: #3d1f00 }
pre { margin: 0; white-space: pre-wrap }
.chart svg { max-width: 100%; height: auto }
"""

SHARES: Final = (
    (Sort.STEP, "steps done"),
    (Sort.TEST, "outcomes of tests"),
    (Sort.OPTION, "options chosen"),
    (Sort.GUARD, "outcomes of guards"),
    (Sort.CASE, "cases of defines used"),
)
"""What a coverage counts besides clauses, and what it is called."""


def page(survey: Survey) -> str:
    """The page, complete in itself."""
    spec = survey.spec
    body = joined(
        tag("h1", f"{spec.title}: coverage"),
        tag("p", said(survey)),
        _shares(survey),
        _clauses(survey),
        tag("h2", "Chart"),
        _chart(survey),
        tag("h2", "Rules"),
        (_rules(survey, file) for file in (spec.sources.base, *spec.sources.variants)),
    )
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", f"{spec.title}: coverage"),
        tag("style", Markup(_STYLE)),
    )
    return f"<!doctype html>\n{tag('html', tag('head', head), tag('body', body), lang='en')}\n"


def said(survey: Survey) -> str:
    """From what a coverage is, in a line."""
    parts = [f"{survey.scenarios} scenarios"] if survey.scenarios else []
    parts += [] if survey.searched is None else [str(survey.searched)]
    nothing = "earlier runs" if survey.coverage.counts else "no game at all"
    return "From " + (" and ".join(parts) or nothing)


def _shares(survey: Survey) -> Markup:
    shares = [(words, survey.coverage.share(sort)) for sort, words in SHARES]
    clauses = survey.clauses
    if clauses is not None:
        shares.insert(0, ("mechanical clauses reached", clauses.share))
    rows = (
        tag("tr", tag("th", words), tag("td", str(share)), tag("td", f"{share.part:.0%}"))
        for words, share in shares
        if share.total
    )
    return tag("table", rows)


def _clauses(survey: Survey) -> Markup | None:
    clauses = survey.clauses
    if clauses is None:
        return None
    why = {missed.clause: missed.why for missed in survey.missed}
    rows = (_clause(clauses, clause, why.get(clause, "")) for clause in clauses.mechanical)
    head = tag("tr", tag("th", "clause"), tag("th", "times"), tag("th", "what it says"))
    return joined(tag("h2", "Clauses"), tag("table", head, rows))


def _clause(clauses: ClauseCoverage, clause: str, why: str) -> Markup:
    times = clauses.times.get(clause, 0)
    in_force = clause in clauses.in_force
    shown = f"{times:,}" if times or not in_force else "in force"
    return tag(
        "tr",
        tag("th", clause),
        tag("td", shown, class_="count"),
        tag("td", clauses.texts[clause], tag("p", why) if why else None),
        class_=_heat(times or in_force),
    )


def _heat(times: int) -> str:
    return f"heat{sum(times >= step for step in _STEPS)}"


def _chart(survey: Survey) -> Markup:
    made: Compiled | Report = survey.spec.instantiate(next(usual(survey.spec)))
    if not isinstance(made, Compiled):
        return tag("p", "With its usual readings the spec does not compile.")
    counted = passages(made, survey.coverage)
    picture = heated(made, counted, "How often", Form.SVG)
    if not isinstance(picture, bytes):
        return tag("p", f"The chart could not be drawn: {picture}")
    text = picture.decode()
    return tag("div", Markup(text[text.index("<svg") :]), class_="chart")


def _rules(survey: Survey, file: SourceFile) -> Markup:
    """A file with how often what begins on each line was come to."""
    return joined(tag("h3", file.name), tag("table", _lines(survey, file)))


def _lines(survey: Survey, file: SourceFile) -> Iterator[Markup]:
    most: dict[int, int] = {}
    for point in survey.coverage.meanings:
        if point.file == file.name:
            times = survey.coverage.times(point)
            most[point.line] = max(most.get(point.line, 0), times)
    for number in range(1, file.line_count + 1):
        known = number in most
        yield tag(
            "tr",
            tag("td", str(number), class_="count"),
            tag("td", f"{most[number]:,}" if known else "", class_="count"),
            tag("td", tag("pre", file.line(number)), class_=_heat(most[number]) if known else None),
        )
