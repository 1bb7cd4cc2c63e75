"""A rulebook's page in Markdown: each clause beside its lines, questions with their readings.

A page is for reading where the files are: it quotes lines with their numbers and links to them.  It
is text only; `rulebook_charts` draws what it shows.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from compiler.clauses import CatalogueRuling, Clause, Entry, Kind
from compiler.highlight import Listing
from compiler.source import SourceFile, Span
from ruleengine.report import clauses, rulings
from ruleengine.report.chapter import Chapter, counted
from ruleengine.report.rulebook_charts import Sketch

Address = Callable[[str, int], str]
"""Where a page finds a line of the file of that name; line 0 is the file itself."""

_Head: TypeAlias = tuple[Listing, int]  # a statement: its file, the line it begins on

NOTICE: Final = "<!-- Written by `rulewright book`: change the rules, not this page. -->"
_MOST: Final = 3  # excerpts quoted of a clause that many lines cite
_LINES: Final = 8  # of a statement that is quoted whole
_GAP: Final = re.compile(r"(?<=\S) {2,}")


def code_lines(text: str) -> int:
    """The lines of a file of rules that are neither blank nor comments."""
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("--") for line in lines)


def page(
    chapter: Chapter,
    sketches: Sequence[Sketch],
    variants: Sequence[str],
    address: Address,
    measured: str = "",
) -> str:
    """The page about one rulebook; `variants` are the names of those that there are of it.

    `measured` is the page that says which of its questions matter, if there is one beside it.
    """
    return _Page(chapter, variants, address, measured).text(sketches)


def index(chapters: Sequence[Chapter]) -> str:
    """The page that leads to the others, with the sizes of the rulebooks."""
    rows = [
        ("rulebook", "players", "lines of rules", "clauses", "open questions", "scenarios"),
        ("---", "---", "---:", "---:", "---:", "---:"),
        *(_row(chapter) for chapter in chapters),
    ]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        (
            "# Rulebooks",
            "",
            NOTICE,
            "",
            "A page for each rulebook: its charts, every clause with the lines that implement it,",
            "and what the text leaves open with the reading that is taken.  Lines leave out blanks",
            "and comments; clauses are those that need a rule and have one.",
            "",
            *lines,
            "",
        )
    )


def _row(chapter: Chapter) -> tuple[str, ...]:
    return (
        f"[{chapter.spec.title}]({chapter.spec.name}.md)",
        chapter.players,
        str(code_lines(chapter.spec.sources.base.text)),
        _covered(chapter),
        str(len(rulings.questions(chapter))),
        str(sum(1 for _ in chapter.spec.scenarios)),
    )


def _covered(chapter: Chapter) -> str:
    if chapter.coverage is None:
        return "none listed"
    needed = len(chapter.coverage.mechanical)
    return f"{needed - len(chapter.coverage.uncited)} of {needed}"


@frozen
class _Page:
    """One page in the making."""

    chapter: Chapter
    variants: Sequence[str]
    address: Address
    measured: str

    def text(self, sketches: Sequence[Sketch]) -> str:
        """All parts, under their headings."""
        parts = (
            (f"# {self.chapter.spec.title}", self._opening()),
            ("## Charts", _pictures(sketches)),
            ("## Clauses", self._clauses()),
            ("## Rulings", self._rulings()),
            ("## Gaps", self._gaps()),
            ("## Invariants and scenarios", self._extras()),
        )
        lines = (line for title, part in parts for line in _titled(title, tuple(part)))
        return "\n".join(lines)

    # ---- the beginning

    def _opening(self) -> Iterator[str]:
        yield from (NOTICE, "")
        for paragraph in self.chapter.preface:
            yield from (paragraph, "")
        yield from ("| | |", "| --- | --- |")
        for name, value in self._facts():
            yield f"| {name} | {value} |"
        yield ""

    def _facts(self) -> Iterator[tuple[str, str]]:
        spec = self.chapter.spec
        sources = spec.sources
        yield "players", self.chapter.players
        yield (
            "rules",
            f"{self._file(sources.base)}, {counted(code_lines(sources.base.text), 'line')}",
        )
        if sources.catalogue is not None:
            others = 0 if spec.catalogue is None else len(spec.catalogue.clauses)
            others -= 0 if self.chapter.coverage is None else len(self.chapter.coverage.mechanical)
            told = f"{_covered(self.chapter)} that need a rule have one, {others} need none"
            yield "clauses", f"{self._file(sources.catalogue)}: {told}"
        asked = rulings.questions(self.chapter)
        yield "switches", f"{counted(len(asked), 'question')} with {_readings(asked)}"
        if self.measured:
            yield "which of them matter", f"[{self.measured}]({self.measured})"
        scenarios = counted(sum(1 for _ in spec.scenarios), "scenario")
        yield "scenarios", ", ".join((*map(self._file, sources.scenarios), scenarios))
        if self.variants:
            yield "variants", ", ".join(f"`{name}`" for name in self.variants)

    def _file(self, file: SourceFile) -> str:
        return f"[{_short(file.name)}]({self.address(file.name, 0)})"

    # ---- clauses

    def _clauses(self) -> Iterator[str]:
        catalogue = self.chapter.spec.catalogue
        if catalogue is not None:
            known = clauses.headings(self.chapter)
            last = ""
            for clause in catalogue.clauses.values():
                heading = clauses.heading_of(known, clause)
                if heading != last:
                    yield from (f"### {heading}", "")
                    last = heading
                yield from self._entry(clause, clause.text)

    def _extras(self) -> Iterator[str]:
        catalogue = self.chapter.spec.catalogue
        if catalogue is not None:
            for extra in catalogue.extras.values():
                yield from self._entry(extra, extra.text)

    def _entry(self, entry: Entry, text: str) -> Iterator[str]:
        """What may be cited, then where it is."""
        kind = ""
        if isinstance(entry, Clause) and entry.kind is not Kind.MECHANICAL:
            kind = f" _({entry.kind.name.lower()})_"
        yield from (f'<a id="{_anchor(entry.id)}"></a>**{entry.id}**{kind} {text}', "")
        spans = self.chapter.cited_in_rules(entry.id)
        told = self._scenarios(entry.id)
        if not spans and not kind and isinstance(entry, Clause):
            yield from ("No rule cites it.", "")
        yield from self._places(spans, told)

    def _places(self, spans: Sequence[Span], told: str) -> Iterator[str]:
        """Links to the lines, then the first of them as text."""
        heads = tuple(dict.fromkeys(self._heads(spans)))
        yield from self._links(heads, told)
        yield from _quotes(heads[:_MOST])

    def _links(self, heads: Sequence[_Head], told: str) -> Iterator[str]:
        links = ", ".join(self._line(listing.source, first) for listing, first in heads)
        words = "; ".join(part for part in (links and f"Rules: {links}", told) if part)
        if words:
            yield from (f"{words}.", "")

    def _heads(self, spans: Sequence[Span]) -> Iterator[_Head]:
        """The statements that places stand in, by the lines they begin on."""
        for span in spans:
            listing = self.chapter.lines_of(span.file)
            if listing is not None:
                yield listing, listing.block_at(span.first.line).first

    def _scenarios(self, id_: str) -> str:
        """Links to the scenarios that act an id out."""
        coverage = self.chapter.coverage
        spans = () if coverage is None else coverage.citations.scenarios.get(id_, ())
        places = dict.fromkeys((span.file.name, span.first.line) for span in spans)
        links = (f"[{line}]({self.address(name, line)})" for name, line in places)
        return f"scenarios: {', '.join(links)}" if places else ""

    def _line(self, file: SourceFile, line: int) -> str:
        return f"[{line}]({self.address(file.name, line)})"

    def _to(self, id_: str) -> str:
        """A clause or ruling; a link to it if the table of clauses has it."""
        catalogue = self.chapter.spec.catalogue
        return f"[{id_}](#{_anchor(id_)})" if catalogue is not None and id_ in catalogue else id_

    # ---- what is open

    def _rulings(self) -> Iterator[str]:
        catalogue = self.chapter.spec.catalogue
        listed = () if catalogue is None else tuple(catalogue.rulings.values())
        asked = rulings.questions(self.chapter)
        known = {ruling.id for ruling in listed}
        gaps = self._names_of_gaps()
        for ruling in listed:
            yield from self._ruling(ruling, [each for each in asked if ruling.id in each.cites])
        for question in asked:
            if question.name not in gaps and not known & set(question.cites):
                yield from (f"**`{question.name}`** {question.asks}", "")
                yield from self._switch(question)

    def _ruling(self, ruling: CatalogueRuling, asked: Sequence[rulings.Question]) -> Iterator[str]:
        """A question of the table of clauses with its readings, the one that is taken in bold."""
        about = f" _(on {', '.join(map(self._to, ruling.clauses))})_" if ruling.clauses else ""
        yield from (
            f'<a id="{_anchor(ruling.id)}"></a>**{ruling.id}** {ruling.question}{about}',
            "",
        )
        for question in asked:
            if len(asked) > 1:
                yield from (question.asks, "")
            yield from self._switch(question)
        if not asked:
            for name in ruling.readings:
                taken = name in ruling.defaults or len(ruling.readings) == 1
                yield f"- **`{name}`** (chosen)" if taken else f"- `{name}` (no switch)"
            yield ""
        heads = tuple(dict.fromkeys(self._heads(self.chapter.cited_in_rules(ruling.id))))
        yield from self._links(heads, self._scenarios(ruling.id))
        yield from _quotes([(rules, line) for rules, line in heads if _is_note(rules, line)])

    def _switch(self, question: rulings.Question) -> Iterator[str]:
        """The readings of a question that a configuration may change."""
        for reading in question.readings:
            said = f": {reading.says}" if reading.says else ""
            name = f"`{question.name}={reading.name}`"
            yield f"- **{name}**{said} (chosen)" if reading.chosen else f"- {name}{said}"
        yield ""

    def _gaps(self) -> Iterator[str]:
        """What the rulebook does not say at all, and what stands in for it."""
        gaps = self._names_of_gaps()
        for question in rulings.questions(self.chapter):
            if question.name in gaps:
                place = self._line(question.span.file, question.span.first.line)
                cites = ", ".join(map(self._to, question.cites))
                yield from (f"**`{question.name}`** {question.asks} {cites}, line {place}.", "")
                yield from self._switch(question)

    def _names_of_gaps(self) -> frozenset[str]:
        return frozenset(gap.name.text for gap in self.chapter.spec.gaps)


def _titled(title: str, part: Sequence[str]) -> Sequence[str]:
    return (title, "", *part) if part else ()


def _pictures(sketches: Sequence[Sketch]) -> Iterator[str]:
    for sketch in sketches:
        yield from (f"### {sketch.title}", "", f"![{sketch.title}]({sketch.file})", "")


def _quotes(heads: Sequence[_Head]) -> Iterator[str]:
    """Statements as they stand in their files."""
    if heads:
        yield "```"
        for at, (listing, first) in enumerate(heads):
            if at:
                yield ""
            yield from _quoted(listing, first)
        yield from ("```", "")


def _is_note(listing: Listing, first: int) -> bool:
    """Whether a statement says why something is as it is."""
    return listing.source.text.split("\n")[first - 1].startswith("note ")


def _quoted(listing: Listing, first: int) -> Iterator[str]:
    """A statement with its line numbers, as far left as it goes; a long one is cut short."""
    lines = listing.source.text.split("\n")
    found = listing.block_at(first)
    shown = found.last if found.last - found.first < _LINES else max(found.own, found.first + 3)
    depth = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    for number in range(first, shown + 1):
        text = lines[number - 1][depth:].rstrip()
        indent = len(text) - len(text.lstrip())
        yield f"{number:4}  {' ' * indent}{_GAP.sub('  ', text.lstrip())}".rstrip()
    if shown < found.last:
        yield f"      ... {found.last - shown} more"


def _readings(asked: Sequence[rulings.Question]) -> str:
    return counted(sum(len(question.readings) for question in asked), "reading")


def _anchor(id_: str) -> str:
    return id_.lower()


def _short(name: str) -> str:
    return name.rsplit("/", 1)[-1]
