"""The formats of charts on the command line, and where they are written."""

import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from compiler.flowchart.routes import Routes
from compiler.graph.core import Graph
from ruleengine.cli.options import FOUND
from ruleengine.cli.screen import note
from ruleengine.cli.writing import write
from ruleengine.drawing import Form, Undrawn

_NAMES: Final = {
    "svg": Form.SVG,
    "png": Form.PNG,
    "pdf": Form.PDF,
    "html": Form.HTML,
    "dot": Form.DOT,
    "mermaid": Form.MERMAID,
    "json": Form.JSON,
    "text": Form.TEXT,
}
PICTURES: Final = (Form.SVG, Form.PNG, Form.PDF)
FORMS: Final = _NAMES | {"gv": Form.DOT, "mmd": Form.MERMAID, "txt": Form.TEXT}
"""What `--format` takes, and what a file ends with."""

_LAID: Final = ("--heat", "--trace", "--against", "--select", "--impossible grey", "--conforms")
_WITH_MARKS: Final = frozenset(Form) - {Form.MERMAID}
SHOWN: Final[Mapping[str, frozenset[Form]]] = {
    "--theme": frozenset((*PICTURES, Form.DOT)),
    "--paper": frozenset((Form.SVG, Form.PDF, Form.HTML)),
    "--renderer": frozenset((*PICTURES, Form.HTML)),
    **dict.fromkeys(_LAID, _WITH_MARKS),
}
"""The formats in which an option of a chart shows; elsewhere it is refused."""


def refuse_unseen(form: Form, given: Iterable[str]) -> None:
    """Refuses options that would not show in a format, with the formats in which they do."""
    for option in given:
        if form not in SHOWN[option]:
            known = ", ".join(f".{one.value}" for one in Form if one in SHOWN[option])
            raise click.UsageError(f"`{option}` does not show in .{form.value}, but in {known}")


def form_of(output: Path | None, form: str | None) -> Form:
    """The format: as said, else by the file's ending, else text."""
    if form is not None:
        return FORMS[form]
    if output is None or is_folder(output):
        return Form.TEXT
    suffix = output.suffix.removeprefix(".").lower()
    if suffix not in FORMS:
        known = ", ".join(FORMS)
        raise click.UsageError(f"`{output}` says no format; end it with one of {known}")
    return FORMS[suffix]


def is_folder(output: Path) -> bool:
    """Whether a path is to be a folder: there is one, or it has no ending."""
    return output.is_dir() or not output.suffix


def named_phase(graph: Graph, phase: str | None) -> str | None:
    """The name of a phase that was named, or called by its title; refused if a game has none."""
    return known_phase([graph], phase)


def known_phase(graphs: Iterable[Graph], phase: str | None) -> str | None:
    """The same of a name that one of several games must have."""
    every = [one for graph in graphs for one in Routes(graph).procedures]
    known = list(dict.fromkeys(one.name for one in every))
    if phase is None or phase in known:
        return phase
    titled = {one.title.casefold(): one.name for one in reversed(every) if one.title}
    if phase.casefold() in titled:
        return titled[phase.casefold()]
    near = get_close_matches(phase, known, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
    raise click.UsageError(f"no phase is called `{phase}`; {hint}")


def put(picture: bytes | Undrawn, output: Path | None) -> int:
    """Writes what was drawn; says what stood in the way if nothing was."""
    if not isinstance(picture, bytes):
        note(f"{picture}\nwrite `--format dot` or `--format text` instead")
        return FOUND
    if output is None:
        sys.stdout.buffer.write(picture)
    else:
        write(output, picture)
    return 0
