"""The tables of `docs/mutants.md`: what became of the mutants of some rulebooks."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).parents[2]

Entry: TypeAlias = Mapping[str, object]
"""What `rulewright mutate --json` tells of a rulebook."""

_BEGIN: Final = "<!-- {name}: begin -->"
_END: Final = "<!-- {name}: end -->"
_LONGEST: Final = 90  # letters of a change that are shown


def found_in(file: Path) -> list[Entry]:
    """The rulebooks that a document tells of."""
    document = json.loads(file.read_text(encoding="utf-8"))
    return list(document["specs"])


def rewritten(text: str, found: Sequence[Entry]) -> str:
    """A page with both tables anew."""
    for name, lines in (("figures", figures(found)), ("survivors", survivors(found))):
        begin, end = _BEGIN.format(name=name), _END.format(name=name)
        head, _, rest = text.partition(begin)
        _, _, tail = rest.partition(end)
        text = "\n".join((f"{head}{begin}", *lines, f"{end}{tail}"))
    return text


def figures(found: Sequence[Entry]) -> Iterator[str]:
    """A line for each rulebook."""
    yield "| rulebook | mutants | tried | refused | equivalent | killed | survived | share |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for entry in found:
        share = entry["share"]
        shown = f"{share:.1%}" if isinstance(share, float) else "-"
        names = ("name", "whole", "mutants", "refused", "equivalent", "killed", "survived")
        cells = [*(entry[name] for name in names), shown]
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def survivors(found: Sequence[Entry]) -> Iterator[str]:
    """A line for each mutant that nothing kills, with what is known of it."""
    yield "| rulebook | line | clauses | change | what is known |"
    yield "| --- | ---: | --- | --- | --- |"
    for entry in found:
        verdicts = entry["verdicts"]
        assert isinstance(verdicts, list)
        for verdict in verdicts:
            if verdict["fate"] == "survived":
                change = verdict["change"][:_LONGEST].replace("|", "\\|")
                known = (verdict["why"] or verdict["parts"]).replace("|", "\\|")
                clauses = " ".join(verdict["clauses"]) or "-"
                name, line = entry["name"], verdict["line"]
                yield f"| {name} | {line} | {clauses} | {change} | {known} |"
