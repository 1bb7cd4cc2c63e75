"""Graphs for tests, written as rules."""

from pathlib import Path
from textwrap import dedent

from compiler.config import Configuration
from compiler.graph.core import Graph
from compiler.pipeline import Compiled, Spec, compile_sources
from compiler.source import SourceFile, SourceSet

ROOT = Path(__file__).parents[2]

HEAD = """\
rulebook small "Small"
    seats 2..4
card number "Numbers"
    value: 1..6
    copies 2
    written value
zone deck: pile of number, face down
zone open: set of number, face up
zone hand per player: set of number, face down, seen by holder
var active: player
var score: 0..9 = 0
var rounds: 0..9 = 0
"""


def written(rules: str, players: int = 2) -> Graph:
    """The graph of a rulebook with a few cards, places and variables, and these blocks."""
    text = HEAD + dedent(rules)
    prelude = SourceFile("prelude.rules", (ROOT / "compiler" / "prelude.rules").read_text("utf-8"))
    spec = compile_sources(SourceSet(SourceFile("small.rules", text), prelude))
    assert isinstance(spec, Spec), [finding.message for finding in spec]
    compiled = spec.instantiate(Configuration(players))
    assert isinstance(compiled, Compiled), [finding.message for finding in compiled]
    return compiled.graph
