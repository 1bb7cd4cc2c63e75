"""A rulebook with its variants, written out as one text."""

from pathlib import Path

import pytest
from attrs import evolve

from compiler.analysis.pairing import pairing
from compiler.config import Configuration
from compiler.format.layout import laid_out
from compiler.graph.core import Graph
from compiler.pipeline import Compiled, Spec, compile_sources, expanded_text
from compiler.source import SourceFile, SourceSet
from compiler.syntax import ast
from compiler.syntax.declared import Item
from compiler.syntax.parse import parse
from compiler.syntax.walk import alike
from compiler.variant.expanded import expanded
from compiler.variant.merge import merge
from ruleengine import library

QUICK = ("jinx+quick_jinx", "klink+shelter_klink")
STACKS = [stack for name in library.names() for stack in (name, *library.variants(name))]

BASE = """-- What to know.
rulebook little "Little"
    seats 2..2
param most: 1..9 = 3 "Most"
given first: player
ruling last "Who takes the last?"
    wins  "He wins" default
    loses "He loses"
enum size: small S, large

-- Where it begins.
start
    -- Nobody has any yet.
    repeat "Turns"
        A chooses "How many?" @LI-1
            take n in 1..most "Take"
                unless n > 2 @LI-2
                do done
            pass "Pass"
                leave repeat
    until most is 3
    end draw

phase done "Done"
    if most > 3 "Many?"
        end draw
    elif most > 2
        end winners [A]
    else
        end winners [B]
"""
VARIANT = """variant tall "Tall" of little @LI-9
    set most = 5
    set first = A
    set last = loses
    extend enum size: huge H
    in start
        before "Turns"
            reveal deck @LI-3
        add to "How many?"
            give q in players "Give" @LI-4
                end draw
        remove guard of take @LI-2
    in done
        after "Many?"
            end draw
"""


def _tree(name: str, text: str) -> ast.File:
    tree, report = parse(SourceFile(name, text))
    assert tree is not None
    assert not report.has_errors
    return tree


def _merged(base: str, *variants: str) -> tuple[tuple[Item, ...], str]:
    files = [_tree("base.rules", base), *(_tree("over.rules", text) for text in variants)]
    items, report = merge(files[0], files[1:])
    assert not report.has_errors
    return items, expanded(items, files)


@pytest.mark.parametrize("stack", STACKS)
def test_it_says_what_was_merged(stack: str) -> None:
    """Read again, the text says exactly what the rulebook with its variants says."""
    sources = library.read(stack)
    assert isinstance(sources, SourceSet)
    items, text = _merged(sources.base.text, *(variant.text for variant in sources.variants))

    assert alike(items, _tree("expanded.rules", text).items)


@pytest.mark.parametrize(
    "stack",
    [
        pytest.param(stack, marks=() if stack in QUICK else pytest.mark.long)
        for stack in STACKS
        if "+" in stack
    ],
)
def test_it_is_the_same_game(stack: str) -> None:
    """Written out, laid out anew and compiled, a rulebook with its variants is the same game."""
    sources = library.read(stack)
    assert isinstance(sources, SourceSet)
    text = expanded_text(sources)
    assert isinstance(text, str)
    whole = laid_out(SourceFile(sources.base.name, text))
    assert isinstance(whole, str)
    alone = SourceFile(sources.base.name, whole)
    written = evolve(sources, base=alone, variants=(), scenarios=())

    assert pairing(_graph(written), _graph(evolve(sources, scenarios=()))).same


def _graph(sources: SourceSet) -> Graph:
    spec = compile_sources(sources)
    assert isinstance(spec, Spec)
    made = spec.instantiate(Configuration())
    assert isinstance(made, Compiled)
    return made.graph


def test_what_is_not_edited_stays_as_written() -> None:
    """Without variants every declaration is printed as it stands, comments included."""
    _, text = _merged(BASE)
    lines = [line for line in BASE.splitlines() if line]

    assert [line for line in text.splitlines() if line] == lines


def test_edits_show_where_they_apply() -> None:
    """New defaults, members, steps and options stand where they belong, with their citations."""
    items, text = _merged(BASE, VARIANT)

    assert alike(items, _tree("expanded.rules", text).items)
    for line in (
        'param most: 1..9 = 5 "Most"',
        "given first: player = A",
        '    wins "He wins"',
        '    loses "He loses" default',
        "enum size: small S, large, huge H",
        "    -- Nobody has any yet.",
        '        A chooses "How many?"'.ljust(72) + "@LI-1",
        '            give q in players "Give" @LI-4',
    ):
        assert line in text.splitlines()
    assert "@LI-2" not in text.partition("start")[2].partition("phase")[0]
    assert text.index("reveal deck") < text.index('repeat "Turns"')


def test_a_variant_brings_clauses_of_its_own(tmp_path: Path) -> None:
    """House rules have a source too: a table that is read beside that of the rulebook."""
    table = "| id | kind | text |\n| --- | --- | --- |\n"
    (tmp_path / "clauses.md").write_text(f"{table}| LI-1 | M | Somebody says a number. |\n")
    (tmp_path / "house.md").write_text(f"{table}| HO-1 | M | Nobody says one. |\n")
    rules = BASE.replace('"Little"', '"Little"\n    clauses "clauses.md"').replace("@LI-2", "")
    (tmp_path / "little.rules").write_text(rules)
    house = """variant house "House" of little
    clauses "house.md"
    in start
        before take
            reveal box @HO-1
"""
    (tmp_path / "house.rules").write_text(house)
    found = library.read(str(tmp_path / "house"))
    assert isinstance(found, SourceSet)
    spec = compile_sources(found)
    assert isinstance(spec, Spec), [finding.message for finding in spec]
    assert spec.catalogue is not None

    assert spec.catalogue.ids == ("LI-1", "HO-1")
    text = expanded_text(found)
    assert isinstance(text, str)
    assert '    clauses "house.md"' in text.splitlines()


def test_an_unknown_clause_of_a_variant_is_found(tmp_path: Path) -> None:
    """What neither table lists cannot be cited; a table that is not there is told at its name."""
    (tmp_path / "little.rules").write_text(BASE)
    (tmp_path / "house.rules").write_text(
        'variant house "House" of little\n    clauses "none.md"\n    set most = 4\n'
    )
    found = library.read(str(tmp_path / "house"))
    assert not isinstance(found, SourceSet)

    assert [(f.code, f.span.text) for f in found] == [("unreadable-file", '"none.md"')]
