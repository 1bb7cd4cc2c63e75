"""A rulebook with its variants, written out as one text."""

import pytest

from compiler.source import SourceFile, SourceSet
from compiler.syntax import ast
from compiler.syntax.declared import Item
from compiler.syntax.parse import parse
from compiler.syntax.walk import alike
from compiler.variant.expanded import expanded
from compiler.variant.merge import merge
from ruleengine import library

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
