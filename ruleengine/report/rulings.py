"""The rulings: what a rulebook leaves open, how it may be read, and how it was read here."""

import re
from typing import Final

from attrs import frozen

from compiler.clauses import CatalogueRuling
from compiler.markup import Markup, classes, joined, tag
from compiler.source import Span
from ruleengine.report.chapter import Chapter, prose

_QUESTION: Final = re.compile(r"(.*?[?])\s*(.*)", re.DOTALL)


@frozen
class Reading:
    """One way to read a clause: its name, what it says, whether it is the one in force."""

    name: str
    says: str
    chosen: bool


@frozen
class Question:
    """A question of a spec with its readings; `span` is where it is declared."""

    name: str
    asks: str
    readings: tuple[Reading, ...]
    cites: tuple[str, ...]
    span: Span


def questions(chapter: Chapter) -> tuple[Question, ...]:
    """The rulings and gaps of a spec, with the readings under its configuration."""
    chosen = chapter.game.configuration.values
    found = []
    for ruling in chapter.spec.rulings:
        name = ruling.name.text
        usual = next((r.name.text for r in ruling.readings if r.default is not None), "")
        taken = str(chosen.get(name, usual))
        readings = tuple(
            Reading(r.name.text, r.title.text, r.name.text == taken) for r in ruling.readings
        )
        tail = ruling.tail
        found.append(Question(name, tail.text, readings, tail.clauses, ruling.span))
    return tuple(found)


def section(chapter: Chapter) -> Markup:
    """Every question of the table of clauses, then those that only the spec asks."""
    asked = questions(chapter)
    catalogue = chapter.spec.catalogue
    listed = () if catalogue is None else tuple(catalogue.rulings.values())
    if not listed and not asked:
        return tag("p", "Nothing was left open.", class_="note")
    known = {ruling.id for ruling in listed}
    own = [question for question in asked if not known & set(question.cites)]
    return tag(
        "div",
        (_from_catalogue(chapter, ruling, asked) for ruling in listed),
        (_card(chapter, question.name, question.asks, "", [question]) for question in own),
        class_="rulings",
    )


def asked_and_why(ruling: CatalogueRuling) -> tuple[str, str]:
    """The question of a row of the table, and why it is read as it is."""
    match = _QUESTION.fullmatch(ruling.question)
    return (match[1], match[2]) if match else (ruling.question, "")


def _from_catalogue(
    chapter: Chapter, ruling: CatalogueRuling, asked: tuple[Question, ...]
) -> Markup:
    question, reason = asked_and_why(ruling)
    mine = [each for each in asked if ruling.id in each.cites]
    return _card(chapter, ruling.id, question, reason, mine, ruling)


def _card(
    chapter: Chapter,
    id_: str,
    question: str,
    reason: str,
    asked: list[Question],
    ruling: CatalogueRuling | None = None,
) -> Markup:
    """A question, why it is read as it is, and all readings."""
    about = () if ruling is None else ruling.clauses
    return tag(
        "article",
        tag("h4", tag("span", id_, class_="id"), " ", prose(question)),
        tag("p", prose(reason), class_="reason") if reason else None,
        (_declared(chapter, each, len(asked) > 1) for each in asked),
        _catalogued(ruling) if ruling is not None and not asked else None,
        tag("p", "About ", tag("span", chapter.chips(about), class_="at"), class_="told")
        if about
        else None,
        _lines(chapter, ruling.id, asked) if ruling is not None else None,
        id=chapter.place(id_),
    )


def _declared(chapter: Chapter, question: Question, several: bool) -> Markup:
    """A question that the spec makes a switch of."""
    return joined(
        tag("p", question.asks, class_="asks") if several else None,
        tag("ul", map(_reading, question.readings), class_="readings"),
        tag(
            "p",
            "Switch it with ",
            tag("code", f"--ruling {question.name}=…"),
            ", declared on line ",
            tag("a", str(question.span.first.line), href=chapter.address(question.span)),
            ".",
            class_="told",
        ),
    )


def _catalogued(ruling: CatalogueRuling) -> Markup:
    """A question that the rules settle without a switch."""
    readings = (
        Reading(name, "", name in ruling.defaults or len(ruling.readings) == 1)
        for name in ruling.readings
    )
    return tag("ul", map(_reading, readings), class_="readings")


def _reading(reading: Reading) -> Markup:
    says = reading.says or reading.name.replace("_", " ")
    return tag(
        "li",
        says,
        " ",
        tag("code", reading.name) if reading.says else None,
        tag("strong", " chosen") if reading.chosen else None,
        class_=classes("chosen" if reading.chosen else ""),
    )


def _lines(chapter: Chapter, id_: str, asked: list[Question]) -> Markup | None:
    """Links to the lines that depend on a ruling, its own declaration left out."""
    declared = {chapter.address(question.span) for question in asked}
    spans = (s for s in chapter.cited_in_rules(id_) if chapter.lines_of(s.file) is not None)
    places = {chapter.address(span): span.first.line for span in spans}
    links = [
        tag("a", str(line), href=address)
        for address, line in places.items()
        if address not in declared
    ]
    if not links:
        return None
    listed = [joined(", " if at else "", link) for at, link in enumerate(links)]
    return tag("p", "Lines that depend on it: ", listed, class_="told")
