"""Texts as they come: several mistakes at once, ends of lines and files, bytes that are no text."""

from pathlib import Path

import pytest

from compiler.diagnostic import Report, unreadable
from compiler.source import SourceFile, Unreadable
from compiler.syntax.parse import MAX_DEPTH, parse
from tests.errors.test_stages import findings

SOUND = """\
rulebook sound "Sound"
    seats 2
var n: 0..9 = 0
start
    n = 3  -- three
    if n is 3
        and n > 2 "Three?"
        n = max([n,
  4])
    end scores [n, -- of A
        -- and of B

        n]
"""


def codes(text: str) -> list[tuple[int, str]]:
    """The line and code of everything that is found in a rulebook."""
    return [(f.span.first.line, f.code) for f in findings(SourceFile("text.rules", text))]


@pytest.mark.parametrize(
    "text",
    [
        SOUND,
        SOUND.rstrip("\n"),
        SOUND.replace("\n", "\r\n"),
        SOUND.replace("\n", "\r"),
        SOUND.replace("    ", "\t"),
        SOUND.replace("\n", "  \n"),
        "\n  \n-- Sound.\n" + SOUND + "\n\n  -- The end",
    ],
    ids=["plain", "no last newline", "crlf", "cr", "tabs", "blanks", "around"],
)
def test_sound(text: str) -> None:
    """Ends of lines, tabs, blanks and comments are the author's: a sound text has no findings."""
    assert codes(text) == []


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n", "-- nothing", "\r\n-- nothing\r\n"])
def test_empty(text: str) -> None:
    """A file without a declaration says so, once."""
    assert codes(text) == [(1, "empty-file")]


def test_independent_mistakes_of_form() -> None:
    """Mistakes in several declarations are all told in one run, each at its place."""
    text = """\
rulebook several "Several"
    seats 2..
enum suit: clubs, all, hearts
zone deck pile of num
phase first
    n == 3
phase second
    "Deal
    end draw
phase third
    n = (3 + 1
phase fourth
start
    end drw
"""

    assert codes(text) == [
        (2, "unexpected-word"),
        (3, "keyword-as-name"),
        (4, "unexpected-word"),
        (6, "said-otherwise"),
        (8, "unclosed-title"),
        (11, "unclosed-bracket"),
        (12, "missing-block"),
        (14, "misspelt-word"),
    ]


def test_independent_mistakes_of_meaning() -> None:
    """Mistakes in several lines are all told in one run, and what follows from them is not."""
    text = """\
rulebook several "Several"
    seats 2
var n: 0..9 = A
zone deck: pile of num
start
    let best = most_of(deck)
    n = best + 1
    m = n
    if best > 3
        n = 12
    move best to deck
    end winners n
"""

    assert codes(text) == [
        (3, "wrong-type"),
        (4, "unknown-name"),
        (6, "unknown-name"),
        (8, "unknown-name"),
        (10, "never-fits"),
        (12, "wrong-type"),
    ]


def test_what_is_left_out_keeps_its_place() -> None:
    """A mistake below another is told where it stands, whatever was left out above."""
    first = "define first = (((\n"
    text = f'rulebook r "R"\n    seats 2\n{first * 3}define second = = 3\n'
    found = parse(SourceFile("text.rules", text))[1]

    assert [f.span.text for f in found] == ["(", "(", "(", "="]


NESTED = {
    "brackets": f"define deep = {'(' * 200}1{')' * 200}\n",
    "not": f"define deep = {'not ' * 2000}true\n",
    "sum": f"define deep = {'1 + ' * 5000}1\n",
    "lists": f"define deep = {'[' * 200}1{']' * 200}\n",
    "blocks": "start\n" + "".join(f"{'    ' * n}if true\n" for n in range(1, 200)),
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_depth(text: str) -> None:
    """Nothing is too deep to be told so."""
    end = "    " * 200 + "end draw\n" if text.startswith("start") else "start\n    end draw\n"

    assert [code for _, code in codes(f'rulebook deep "Deep"\n    seats 2\n{text}{end}')] == [
        "too-deep"
    ]


def test_deep_enough() -> None:
    """What is less deep than the limit is compiled."""
    terms = " + ".join(["n"] * (MAX_DEPTH - 20))
    text = SOUND.replace("n = 3 ", f"n = {terms} ").replace("0..9", "0..999")

    assert codes(text) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (SOUND.encode().replace(b"three", b"thr\xe9\xe9"), "not-utf8"),
        (SOUND.encode("utf-16"), "not-utf8"),
    ],
    ids=["latin-1", "utf-16"],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, code: str) -> None:
    """A file in another encoding is told where it stops being a text."""
    path = tmp_path / "text.rules"
    path.write_bytes(data)
    read = SourceFile.read(path)
    assert isinstance(read, Unreadable)

    assert [found.code for found in Report.of(unreadable(read))] == [code]


def test_byte_order_mark(tmp_path: Path) -> None:
    """The mark that some editors put first is no part of the text."""
    path = tmp_path / "text.rules"
    path.write_bytes(b"\xef\xbb\xbf" + SOUND.encode())
    read = SourceFile.read(path)
    assert isinstance(read, SourceFile)

    assert [f.message for f in findings(read)] == []
