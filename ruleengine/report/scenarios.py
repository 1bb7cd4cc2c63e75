"""The scenarios: what was acted out, whether it came out as it should, and the lines of each."""

from collections.abc import Mapping

from compiler.highlight import Listing, listing
from compiler.markup import Markup, classes, joined, tag
from compiler.source import SourceFile
from ruleengine.report import code
from ruleengine.report.chapter import Chapter, counted
from ruleengine.report.clauses import scenario_place
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import Unreadable


def section(chapter: Chapter) -> Markup:
    """All scenarios in file order, each with its text folded up."""
    if not chapter.scenarios:
        return tag("p", "This spec has no scenarios.", class_="note")
    files = dict.fromkeys(scenario.span.file for scenario in chapter.scenarios)
    listings = {file: listing(file) for file in files}
    numbered = enumerate(chapter.scenarios, 1)
    return tag(
        "ol",
        (_scenario(chapter, number, scenario, listings) for number, scenario in numbered),
        class_="scenarios",
    )


def passed(scenario: Ran | Unreadable) -> bool:
    """Whether a scenario came out as it should."""
    return isinstance(scenario, Ran) and scenario.failure is None


def _scenario(
    chapter: Chapter,
    number: int,
    scenario: Ran | Unreadable,
    listings: Mapping[SourceFile, Listing],
) -> Markup:
    text = listings[scenario.span.file]
    lines = text.block_at(scenario.span.first.line)
    good = passed(scenario)
    summary = tag(
        "summary",
        tag("span", "passed" if good else "failed", class_=classes("mark", "ok" if good else "no")),
        tag("span", scenario.title, class_="title"),
        tag("span", counted(checks(scenario), "check"), class_="told"),
    )
    return tag(
        "li",
        tag(
            "details",
            summary,
            _failure(scenario),
            code.block(chapter, text, lines.first, lines.last),
            open=not good,
        ),
        tag("div", chapter.chips(scenario.clauses), class_="at"),
        id=scenario_place(chapter, number),
    )


def checks(scenario: Ran | Unreadable) -> int:
    """How many expectations a scenario has tested."""
    return scenario.expectations if isinstance(scenario, Ran) else 0


def _failure(scenario: Ran | Unreadable) -> Markup:
    """What went wrong, and on which line; nothing if nothing did."""
    told: list[str] = []
    if isinstance(scenario, Unreadable):
        told = [found.message for found in scenario.report]
    elif scenario.failure is not None:
        line = scenario.failure.span.first.line
        told = [f"Line {line}: {scenario.failure.message}", scenario.failure.hint]
    return joined(tag("p", words, class_="bad") for words in told if words)
