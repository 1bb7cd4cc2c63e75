"""The table of clauses: what the rulebook says, and the lines that make it happen."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from compiler.clauses import Clause, Entry, Extra, Kind
from compiler.markup import Markup, classes, joined, tag
from compiler.source import Span
from ruleengine.report import code
from ruleengine.report.chapter import Chapter, counted, prose

_KINDS: Final = {
    Kind.MECHANICAL: "mechanical",
    Kind.INFORMATIVE: "informative",
    Kind.PHYSICAL: "physical",
}
_MOST: Final = 4  # excerpts shown of a clause that many lines cite


def section(chapter: Chapter) -> Markup:
    """Every clause under the headings of its rulebook, then what else may be cited."""
    if chapter.spec.catalogue is None:
        return tag("p", "This spec has no table of clauses.", class_="note")
    clauses = tuple(chapter.spec.catalogue.clauses.values())
    extras = tuple(chapter.spec.catalogue.extras.values())
    return joined(
        tag(
            "p",
            "Mechanical clauses need a rule; informative and physical ones do not. "
            "Beside each clause stand the lines that implement it.",
        ),
        _table(chapter, clauses, "Clauses of the rulebook") if clauses else None,
        _table(chapter, extras, "What else the rules and scenarios cite") if extras else None,
    )


def _table(chapter: Chapter, entries: Sequence[Clause] | Sequence[Extra], name: str) -> Markup:
    head = tag(
        "tr",
        tag("th", "Clause", scope="col"),
        tag("th", "What it says", scope="col"),
        tag("th", "Where it is", scope="col"),
    )
    return tag(
        "table",
        tag("caption", name, class_="unseen"),
        tag("thead", head),
        tag("tbody", _rows(chapter, entries)),
        class_=classes("clauses", "extras" if entries and isinstance(entries[0], Extra) else ""),
    )


def _rows(chapter: Chapter, entries: Sequence[Clause] | Sequence[Extra]) -> Iterator[Markup]:
    """The entries, each group under the heading it has in the file."""
    found = headings(chapter)
    last = ""
    for entry in entries:
        heading = heading_of(found, entry)
        if heading != last:
            yield tag("tr", tag("th", heading, colspan=3, scope="colgroup"), class_="part")
            last = heading
        yield _row(chapter, entry)


def headings(chapter: Chapter) -> list[tuple[int, str]]:
    """The headings in the file of the table, with their lines."""
    source = chapter.spec.sources.catalogue
    if source is None:
        return []
    lines = enumerate(source.text.split("\n"), 1)
    return [(number, line.lstrip("# ")) for number, line in lines if line.startswith("##")]


def heading_of(known: Sequence[tuple[int, str]], entry: Entry) -> str:
    """The heading that an entry stands under, of those with their lines."""
    at = bisect_right([line for line, _ in known], entry.span.first.line)
    return known[at - 1][1] if at else ""


def _row(chapter: Chapter, entry: Clause | Extra) -> Markup:
    spans = chapter.cited_in_rules(entry.id)
    kind = _KINDS[entry.kind] if isinstance(entry, Clause) else ""
    needed = isinstance(entry, Clause) and entry.kind is Kind.MECHANICAL and not spans
    return tag(
        "tr",
        tag("th", entry.id, tag("span", kind, class_="kind") if kind else None, scope="row"),
        tag("td", prose(entry.text)),
        tag(
            "td",
            tag("p", "No rule cites it.", class_="bad") if needed else None,
            excerpts(chapter, spans),
            _told(chapter, entry.id),
        ),
        id=chapter.place(entry.id),
        class_=classes(kind),
    )


def excerpts(chapter: Chapter, spans: Sequence[Span]) -> Markup:
    """The lines that cite an id; of many, the first as text and the others as links."""
    shown: list[Markup] = []
    others: list[Markup] = []
    met: set[tuple[str, int]] = set()
    for span in spans:
        listing = chapter.lines_of(span.file)
        if listing is None:
            continue
        first = listing.block_at(span.first.line).first
        if (span.file.name, first) in met:
            continue
        met.add((span.file.name, first))
        if len(shown) < _MOST:
            shown.append(code.excerpt(chapter, listing, first))
        else:
            others.append(tag("a", str(first), href=f"#{chapter.line_place(span.file, first)}"))
    more = [joined(", " if at else "", link) for at, link in enumerate(others)]
    return joined(shown, tag("p", "Also on line ", more, ".", class_="told") if more else None)


def _told(chapter: Chapter, id_: str) -> Markup | None:
    """The scenarios that act it out."""
    numbers = chapter.by_scenario.get(id_, ())
    if not numbers:
        return None
    links = [
        joined(
            ", " if at else "", tag("a", str(number), href=f"#{scenario_place(chapter, number)}")
        )
        for at, number in enumerate(numbers)
    ]
    return tag("p", f"In {counted(len(numbers), 'scenario')}: ", links, class_="told")


def scenario_place(chapter: Chapter, number: int) -> str:
    """The anchor of a scenario."""
    return chapter.place(f"scenario-{number}")
