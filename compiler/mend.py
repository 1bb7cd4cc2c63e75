"""A report's changes, made: the texts that come of them."""

from collections.abc import Iterable

from compiler.diagnostic import Edit, Report
from compiler.source import SourceFile


def mended(report: Report) -> dict[str, str]:
    """The texts, by name, of the files that a report says how to mend.

    Of two changes of one place the first is made; what is left is told by the next report.
    """
    wanted: dict[str, list[Edit]] = {}
    for finding in report:
        for edit in finding.edits:
            wanted.setdefault(edit.span.file.name, []).append(edit)
    return {name: _with_edits(edits[0].span.file, edits) for name, edits in wanted.items()}


def _with_edits(file: SourceFile, edits: Iterable[Edit]) -> str:
    said, at = "", 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < at or (edit.span.start == at and at > 0):
            continue
        said += file.text[at : edit.span.start] + edit.text
        at = edit.span.end
    return said + file.text[at:]
