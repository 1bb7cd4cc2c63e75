"""Answers as people type them: blanks and commas in their own way."""

import pytest

from ruleengine.answers import plain


@pytest.mark.parametrize("typed", ["grid[1,2]", "grid[1 ,2]", "grid[ 1,  2 ]", " grid[1, 2] "])
def test_blanks(typed: str) -> None:
    """A square is read alike, wherever blanks stand beside its comma and brackets."""
    assert plain(typed) == "grid[1, 2]"
