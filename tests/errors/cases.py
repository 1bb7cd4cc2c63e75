"""Cases: texts whose guilty lines are marked `-- error: code` or `-- warning: code`.

A case is a rulebook; a line `-- file: NAME` begins another file that goes with it, a variant, a
table of clauses or scenarios.
"""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from compiler.diagnostic import Diagnostic
from compiler.source import SourceFile

HERE = Path(__file__).parent
MARK = re.compile(r" *-- (error|warning): ([a-z0-9-]+)")
NEXT = re.compile(r"^-- file: (\S+)$", re.MULTILINE)

Findings = Counter[tuple[str, int, str, str]]  # file, line, severity, code


def cases(*stages: str) -> list[Path]:
    """The cases of some stages, in the order of their names."""
    return sorted(path for stage in stages for path in (HERE / stage).glob("*.rules"))


def name_of(path: Path) -> str:
    """How a case is called: `lower/unknown-name`."""
    return f"{path.parent.name}/{path.stem}"


def parts(path: Path, base: str = "base.rules") -> list[SourceFile]:
    """The files of a case, the rulebook first."""
    first, *others = NEXT.split(path.read_text(encoding="utf-8"))
    named = zip(others[::2], others[1::2], strict=True)
    return [SourceFile(base, first), *(SourceFile(*part) for part in named)]


def expected(files: Iterable[SourceFile]) -> Findings:
    """What the marks of a case say."""
    return Counter(
        (file.name, number, severity, code)
        for file in files
        for number in range(1, file.line_count + 1)
        for severity, code in MARK.findall(file.line(number))
    )


def found(findings: Iterable[Diagnostic]) -> Findings:
    """The same of what was found."""
    return Counter(
        (f.span.file.name, f.span.first.line, f.severity.value, f.code) for f in findings
    )


def kinds(*modules: object) -> set[str]:
    """The codes of the findings that some modules declare."""
    return {
        kind.code
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Diagnostic)
        and kind.__module__ == getattr(module, "__name__", "")
    }
