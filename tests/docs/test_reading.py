"""How pages of the documentation are read by those who test them."""

import pytest

from tests.docs.reading import Block, agrees, blocks, changed, fenced


@pytest.mark.parametrize(
    ("shown", "output", "fits"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nb\n", "a\nb\n", True),
        ("a ...\n", "a 12\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nx\n", "a\nb\n", False),
    ],
)
def test_what_dots_stand_for(shown: str, output: str, fits: bool) -> None:
    """Dots stand for what is left out, and for nothing else."""
    assert agrees(shown, output) is fits


def test_blocks() -> None:
    """A block knows its language, its file, and whether it answers the one before it."""
    page = '```python\n1\n```\n\n```text\n2\n```\n\nSo.\n\n```rules title="a.rules"\nb\n```\n'

    assert list(fenced(page)) == [
        Block("python", None, "1\n", False),
        Block("text", None, "2\n", True),
        Block("rules", "a.rules", "b\n", False),
    ]


def test_commands() -> None:
    """What stands below a command is its answer, up to the next."""
    page = "```console\n$ one\n1\n2\n$ two\n```\n"

    assert blocks(page) == [("one", "1\n2\n"), ("two", "")]


def test_changes() -> None:
    """A change takes lines out where they stand, and puts others in."""
    assert changed("a\nb\nc\n", " a\n-b\n+d\n+e\n") == "a\nd\ne\nc\n"
