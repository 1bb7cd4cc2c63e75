"""Clauses with their texts: what the rulebook says, and which reading of a ruling is in force."""

from collections.abc import Iterable

from attrs import define

from compiler.clauses import CatalogueRuling
from compiler.config import validated
from compiler.pipeline import Compiled
from compiler.source import Span
from ruleengine.play.lines import Line, Look, paragraph


@define(eq=False)
class Citing:
    """The clauses of one game."""

    compiled: Compiled

    def text(self, id_: str) -> str:
        """What a clause says, or what a ruling asks and how it is read; empty if nobody knows."""
        catalogue = self.compiled.spec.catalogue
        if catalogue is None:
            return ""
        if id_ in catalogue.clauses:
            return catalogue.clauses[id_].text
        if id_ in catalogue.extras:
            return catalogue.extras[id_].text
        ruling = catalogue.rulings.get(id_)
        return "" if ruling is None else self._ruling(ruling)

    def _ruling(self, ruling: CatalogueRuling) -> str:
        readings = [self._reading(name) for name in self._declared(ruling.id)]
        read = f" Read here as: {'; '.join(readings)}." if readings else ""
        return f"{ruling.question}{read}"

    def _declared(self, id_: str) -> list[str]:
        """The rulings and gaps of the spec that a question of the catalogue became."""
        return [one.name.text for one in self.compiled.spec.rulings if id_ in one.tail.clauses]

    def _reading(self, name: str) -> str:
        ruling = next(one for one in self.compiled.spec.rulings if one.name.text == name)
        chosen = validated(self.compiled.spec.vocabulary, self.compiled.configuration)[0].get(name)
        for reading in ruling.readings:
            if reading.name.text == chosen or (chosen is None and reading.default is not None):
                return f"{name} = {reading.name.text}, “{reading.title.text}”"
        return f"{name} = {chosen}"

    def lines(self, ids: Iterable[str], width: int, indent: int = 2) -> list[Line]:
        """Clauses, each once, with their texts."""
        found = dict.fromkeys(ids)
        column = indent + max((len(id_) for id_ in found), default=0) + 2
        lines = []
        for id_ in found:
            label = f"{' ' * indent}{id_}".ljust(column)
            text = self.text(id_)
            shown = paragraph(text, width, label, " " * column) if text else [label.rstrip()]
            lines += [Line(line, Look.NOTE) for line in shown]
        return lines


def where(span: Span | None) -> str:
    """A place in a spec as people find it: `klink.rules:184`."""
    if span is None:
        return ""
    return f"{span.file.name.rsplit('/', 1)[-1]}:{span.first.line}"


def rule_text(span: Span | None) -> str:
    """The rule that is written at a place, without its citations and what follows them."""
    if span is None:
        return ""
    line = " ".join(span.text.split())
    return line.split(" @")[0].strip()
