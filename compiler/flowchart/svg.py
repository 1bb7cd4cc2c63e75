"""Pictures: runs a program that lays out DOT text.

Two programs are known: `graphviz-pure`, which a Python package carries, and Graphviz's own `dot`.
The first draws the same picture on every machine; PDF only the second can.  Both may drop an arrow
of a valid chart and say nothing, or lead one through words, so pictures are looked at and other
settings tried.
"""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from typing import TypeVar
from xml.etree.ElementTree import ParseError

from attrs import frozen

from compiler.flowchart.clashes import clashes

DOT_VARIABLE = "RULEWRIGHT_DOT"
"""The environment variable that may name Graphviz's own program."""

_MORE = 11  # settings that are tried for a picture whose arrows touch what is not theirs
_LOOKED_AT = 90  # arrows of a picture, at most, that has a chance to come out clean
_PATIENCE = 120  # seconds for one picture
_SHARP = "-Gdpi=144"  # half as much again as a screen's, for print
_Laid = TypeVar("_Laid")
_Picture = TypeVar("_Picture")


class Format(Enum):
    """What a picture is written as."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


class Choice(Enum):
    """Which renderer may draw."""

    AUTO = "auto"
    PURE = "pure"
    DOT = "dot"


@frozen
class Renderer:
    """A program that draws."""

    name: str
    program: Path


@frozen
class RendererMissing:
    """No program is here that can draw what was asked for."""

    format: Format
    choice: Choice = Choice.AUTO

    def __str__(self) -> str:
        if self.format is Format.PDF:
            return "PDF needs Graphviz itself (`dot`); write SVG instead, or print the page"
        if self.choice is Choice.DOT:
            return f"Graphviz's `dot` is not on the PATH; {DOT_VARIABLE} may name it"
        return (
            "no renderer found: `pip install graphviz-pure`, or install Graphviz so that `dot` "
            "is on the PATH; the chart can be written as DOT text without one"
        )


@frozen
class RenderFailed:
    """A renderer was run, and it broke off or left arrows out."""

    renderer: str
    reason: str

    def __str__(self) -> str:
        return f"{self.renderer} could not draw the chart: {self.reason}"


def renderers(format_: Format, choice: Choice = Choice.AUTO) -> tuple[Renderer, ...]:
    """The programs found that can write a format, best first."""
    found: list[Renderer] = []
    if choice is not Choice.DOT and format_ is not Format.PDF:
        found += _first("graphviz-pure", _folders())
    if choice is not Choice.PURE:
        named = os.environ.get(DOT_VARIABLE)
        found += _first(named, [None]) if named else _first("dot", [None])
    return tuple(found)


def render(
    texts: Iterable[str], edges: int, format_: Format = Format.SVG, choice: Choice = Choice.AUTO
) -> bytes | RendererMissing | RenderFailed:
    """The picture of a chart with that many arrows, given as DOT texts, the first preferred.

    The texts are gone through once for each program that is tried; of the first few on which no
    arrow is lost, the one counts on which the fewest touch what is not theirs.
    """
    programs = renderers(format_, choice)
    if not programs:
        return RendererMissing(format_, choice)
    failed: RenderFailed | None = None
    for renderer in programs:
        chosen = _chosen(renderer, texts, edges)
        if isinstance(chosen, _Drawn):
            drawn = chosen.svg if format_ is Format.SVG else _run(renderer, chosen.text, format_)
            if isinstance(drawn, bytes):
                return drawn
            chosen = drawn
        failed = failed or chosen
    return failed or RenderFailed(programs[0].name, "there is no text to draw")


def drawn_beside(
    draw: Callable[[_Laid], _Picture], charts: Sequence[_Laid]
) -> tuple[_Picture, ...]:
    """What drawing comes to for each chart, in order; renderers of several run at the same time."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return tuple(pool.map(draw, charts))


@frozen
class _Drawn:
    """A text and its drawing, on which so many arrows touch what is not theirs."""

    text: str
    svg: bytes
    clashes: int


def _chosen(renderer: Renderer, texts: Iterable[str], edges: int) -> _Drawn | RenderFailed:
    """The text that one program draws best; the first failure if it draws none."""
    best: _Drawn | None = None
    failed: RenderFailed | None = None
    more = _MORE
    for text in texts:
        drawn = _whole(renderer, text, edges)
        if isinstance(drawn, RenderFailed):
            failed = failed or drawn
        elif best is None or drawn.clashes < best.clashes:
            best = drawn
        if best is not None and (best.clashes == 0 or more == 0):
            return best
        more -= best is not None
    return best or failed or RenderFailed(renderer.name, "there is no text to draw")


def _whole(renderer: Renderer, text: str, edges: int) -> _Drawn | RenderFailed:
    """A drawing as SVG on which no arrow is lost."""
    svg = _run(renderer, text, Format.SVG)
    if isinstance(svg, RenderFailed):
        return svg
    drawn = svg.count(b' class="edge"')
    if drawn != edges:
        return RenderFailed(renderer.name, f"{drawn} of {edges} arrows were drawn")
    try:
        return _Drawn(text, svg, clashes(svg) if edges <= _LOOKED_AT else 0)
    except ParseError:
        return RenderFailed(renderer.name, "what it wrote is no SVG")


def _run(renderer: Renderer, text: str, format_: Format) -> bytes | RenderFailed:
    command = [str(renderer.program), f"-T{format_.value}"]
    if format_ is Format.PNG:
        command.append(_SHARP)
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_PATIENCE, check=False
        )
    except OSError as error:
        return RenderFailed(renderer.name, f"it does not start ({error.strerror})")
    except subprocess.TimeoutExpired:
        return RenderFailed(renderer.name, f"it took more than {_PATIENCE} seconds")
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return RenderFailed(renderer.name, said[-1] if said else f"exit code {done.returncode}")
    return done.stdout


# ---- where programs are


def _folders() -> Iterator[str | None]:
    """Where a program of a Python package may be; `None` is the PATH."""
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    yield None


def _first(name: str, folders: Iterator[str | None] | Sequence[str | None]) -> list[Renderer]:
    for folder in folders:
        program = shutil.which(name, path=folder)
        if program is not None:
            return [Renderer(Path(name).name, Path(program))]
    return []
