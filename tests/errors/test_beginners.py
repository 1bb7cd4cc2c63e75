"""The mistakes that beginners were expected to make, each with what it is told."""

import pytest

from compiler.source import SourceFile
from tests.errors.test_stages import findings

HEAD = """rulebook small "Small"
    seats 2
card coin
    value: 1..6
zone _deck: pile of coin, face up
var n: 0..9 = 0
"""
TESTS = "start\n    if {test}\n        end winners A\n    n = 1\n    end draw\n"
BRANCHES = "start\n    if n is 1\n        end winners A\n    {line}\n        n = 2\n    end draw\n"
STEPS = "start\n    {line}\n    end scores [n, 0]\n"
TOP = "{line}\nstart\n    n = 1\n    end scores [n, 0]\n"
MISTAKES = {
    "==": (TESTS.format(test="n == 3"), 8, "foreign-sign", "write `is`"),
    "!=": (TESTS.format(test="n != 3"), 8, "foreign-sign", "write `is not`"),
    "a < b < c": (
        TESTS.format(test="1 < n < 3"), 8, "chained-comparison", "write `a < b and b < c`",
    ),
    "else if": (BRANCHES.format(line="else if n is 2"), 10, "else-if", "write `elif`"),
    "elseif": (BRANCHES.format(line="elseif n is 2"), 10, "foreign-word", "write `elif`"),
    "where in a quantifier": (
        TESTS.format(test="some c in _deck where c.value is n"), 8, "where-in-quantifier",
        "`some x in S: P`",
    ),
    "for for all": (
        STEPS.format(line="n = count(for c in _deck where c.value is 1)"), 8, "for-instead-of-all",
        "write `all`",
    ),
    "colon at a line's end": (TESTS.format(test="n is 3:"), 8, "colon-at-end", "needs no colon"),
    "a tab among spaces": (
        "start\n    if n is 1\n\tend winners A\n    n = 1\n    end draw\n", 8, "tabs-and-spaces",
        "indent with four spaces",
    ),
    "unclosed bracket": (STEPS.format(line="n = (n + 1"), 8, "unclosed-bracket", "with `)`"),
    "capital in a name": (
        TOP.format(line="var Total: 0..9 = 0"), 7, "name-not-lower-case", "`total`",
    ),
    "keyword as a name": (
        TOP.format(line="var move: 0..9 = 0"), 7, "keyword-as-name", "`the_move`",
    ),
    "missing default": (
        TOP.format(line='ruling tie "Tie?"\n    nobody "Nobody"\n    first_seat "The first"'), 7,
        "no-default", "write `default` after the title",
    ),
    "citation in the wrong place": (
        STEPS.format(line="n = @SM-1 3"), 8, "misplaced-citation", "at the end of a line",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_told(mistake: str) -> None:
    """It has a message of its own, at its line, which says what to type."""
    text, line, code, told = MISTAKES[mistake]

    errors = findings(SourceFile("small.rules", HEAD + text)).errors

    assert [(error.code, error.span.first.line) for error in errors] == [(code, line)]
    assert told in errors[0].help


def test_each_is_told_apart() -> None:
    """All of them are here; no two lines of help are one."""
    assert len(MISTAKES) == len({MISTAKES[mistake][1:] for mistake in MISTAKES}) == 14
