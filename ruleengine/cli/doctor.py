"""`doctor`: what is installed, and what to do about what is missing."""

import os
import platform
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Final

import click
from attrs import frozen

from compiler.flowchart.svg import Format, renderers
from ruleengine import library
from ruleengine.cli.options import FOUND, as_json
from ruleengine.cli.screen import say, say_json, say_table
from ruleengine.compiled.make import Which, trouble

OLDEST: Final = (3, 11)
NONE: Final = "none"
NEEDED: Final = ("attrs", "click", "graphviz", "lark", "rich")


@frozen
class Finding:
    """One thing looked at: what was found, whether it will do, and what to do if not."""

    name: str
    found: str
    good: bool
    cure: str = ""


@click.command("doctor", short_help="Say what is installed, and what is missing.")
@as_json
def command(json_: bool) -> int:
    """Say what is installed, which renderer draws, and what to do about what is missing.

    The exit code is 1 if something is missing that a command needs.
    """
    found = tuple(_look())
    if json_:
        entries = [
            {"name": f.name, "found": f.found, "good": f.good, "cure": f.cure or None}
            for f in found
        ]
        say_json(entries)
    else:
        rows = [(f.name, _state(f), f.found) for f in found]
        say_table(("what", "", "found"), rows, left=3)
        for finding in found:
            if not finding.good:
                say(f"{finding.name}: {finding.cure}")
    return 0 if all(finding.good for finding in found) else FOUND


def _state(finding: Finding) -> str:
    if not finding.good:
        return "missing"
    return "-" if finding.found.startswith(NONE) else "ok"


def _look() -> Iterator[Finding]:
    version = platform.python_version()
    new_enough = sys.version_info[:2] >= OLDEST
    yield Finding("Python", version, new_enough, "install Python 3.11 or newer")
    for package in NEEDED:
        yield _package(package)
    yield _specs()
    yield _renderer(Format.SVG, "pip install graphviz-pure, or install Graphviz")
    yield _renderer(Format.PDF, "PDF needs Graphviz itself (`dot`); SVG and PNG do without")
    yield _machine("wasm", "WebAssembly", "generated Python plays instead, a hundred times slower")
    yield _machine("python", "generated Python", "the interpreter plays instead")
    yield _machine("c", "C", "WebAssembly does without")
    yield _optional("scipy", "`solve` does without for small games: pip install scipy")
    width = f"{os.get_terminal_size().columns} columns" if sys.stdout.isatty() else NONE
    yield Finding("terminal", width, True)


def _package(name: str) -> Finding:
    try:
        return Finding(name, metadata.version(name), True)
    except metadata.PackageNotFoundError:
        return Finding(name, "not installed", False, f"pip install {name}")


def _optional(name: str, instead: str) -> Finding:
    """A package that some commands use if it is there."""
    try:
        return Finding(name, metadata.version(name), True)
    except metadata.PackageNotFoundError:
        return Finding(name, f"{NONE} ({instead})", True)


def _specs() -> Finding:
    names = library.names()
    cure = "reinstall rulewright: its rulebooks are part of it"
    return Finding("rulebooks", ", ".join(names) or NONE, bool(names), cure)


def _machine(which: Which, said: str, instead: str) -> Finding:
    """Whether compiled games run here as this; there is always something else that plays them."""
    why = trouble(which)
    found = f"plays compiled games (`--machine {which}`)" if why is None else None
    return Finding(f"games as {said}", found or f"{NONE} ({why}; {instead})", True)


def _renderer(format_: Format, cure: str) -> Finding:
    programs = [renderer.name for renderer in renderers(format_)]
    optional = format_ is Format.PDF
    found = ", ".join(programs) or (f"{NONE} ({cure})" if optional else NONE)
    return Finding(f"{format_.value.upper()} charts", found, optional or bool(programs), cure)
