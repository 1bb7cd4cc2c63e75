"""Sources: reading files, and finding places in them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.source import Obstacle, Position, SourceFile, SourceSet, Span, Unreadable

TEXT = "zone deck\n\nzone hand\n"


def texts() -> st.SearchStrategy[str]:
    """Texts with lines, tabs and characters of several bytes."""
    return st.text(alphabet="ab é牌\t\n", max_size=40)


@pytest.mark.parametrize(
    ("offset", "line", "column"),
    [(0, 1, 1), (8, 1, 9), (9, 1, 10), (10, 2, 1), (11, 3, 1), (20, 3, 10), (21, 4, 1)],
)
def test_position(offset: int, line: int, column: int) -> None:
    """A line feed belongs to the line it ends; the end of the text has a position."""
    assert SourceFile("a", TEXT).position(offset) == Position(line, column)


@given(texts(), st.data())
def test_position_and_offset_are_inverse(text: str, data: st.DataObject) -> None:
    """Every place has one line and column, and they lead back to it."""
    file = SourceFile("a", text)
    offset = data.draw(st.integers(0, len(text)))

    assert file.offset(file.position(offset)) == offset


@given(texts())
def test_lines_make_the_text(text: str) -> None:
    """The lines, joined by line feeds, are the text again."""
    file = SourceFile("a", text)

    assert "\n".join(file.line(number) for number in range(1, file.line_count + 1)) == text


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_newlines_of_every_system(newline: str) -> None:
    """Whatever ends the lines of a file, it is the same file to us."""
    assert SourceFile("a", "zone deck\nzone hand\n") == SourceFile(
        "a", f"zone deck{newline}zone hand{newline}"
    )


def test_span() -> None:
    """A span knows its text, where it begins, and where it has ended."""
    span = SourceFile("klink.rules", TEXT).span(11, 20)

    assert span.text == "zone hand"
    assert span.first == Position(3, 1)
    assert span.beyond == Position(3, 10)
    assert str(span) == "klink.rules:3:1"


def test_after_a_span() -> None:
    """What is missing behind a word is missing at an empty place right behind it."""
    file = SourceFile("a", TEXT)

    assert file.span(0, 4).after == file.span(4, 4)


def test_join_spans() -> None:
    """Joined spans reach from the first beginning to the last end, in either order."""
    file = SourceFile("a", TEXT)
    early, late = file.span(2, 9), file.span(5, 7)

    assert early.join(late) == late.join(early) == file.span(2, 9)


def test_join_spans_of_two_files() -> None:
    """No stretch of text lies in two files."""
    one, other = SourceFile("a", TEXT).span(0, 1), SourceFile("b", TEXT).span(0, 1)

    with pytest.raises(ValueError, match="different files"):
        one.join(other)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2), (0, len(TEXT) + 1)])
def test_span_outside_its_file(start: int, end: int) -> None:
    """A span lies in its file, and ends no sooner than it begins."""
    with pytest.raises(ValueError, match="no stretch"):
        SourceFile("a", TEXT).span(start, end)


def test_read(tmp_path: Path) -> None:
    """A file is read as UTF-8; a byte order mark and carriage returns leave no trace."""
    path = tmp_path / "mix.rules"
    path.write_bytes(b"\xef\xbb\xbfzone caf\xc3\xa9\r\n")

    assert SourceFile.read(path, "mix") == SourceFile("mix", "zone café\n")


def test_a_file_is_called_by_its_path(tmp_path: Path) -> None:
    """Without a name to show, a file is shown by its path."""
    path = tmp_path / "mix.rules"
    path.write_bytes(b"")

    assert SourceFile.read(path) == SourceFile(path.as_posix(), "")


def test_missing_file(tmp_path: Path) -> None:
    """A missing file is a value that says so."""
    path = tmp_path / "none.rules"

    assert SourceFile.read(path, "none") == Unreadable.file("none", Obstacle.MISSING)


def test_folder(tmp_path: Path) -> None:
    """A folder is no source file."""
    assert SourceFile.read(tmp_path, "dir") == Unreadable.file("dir", Obstacle.FOLDER)


def test_name_no_system_accepts(tmp_path: Path) -> None:
    """A name too long for any file system is refused, not crashed on."""
    path = tmp_path / ("x" * 5000)

    assert SourceFile.read(path, "long") == Unreadable.file("long", Obstacle.REFUSED)


@pytest.mark.parametrize("text", ["zone".encode("utf-16-le"), "zone".encode("utf-16-be")])
def test_utf_16(text: bytes) -> None:
    """The other encoding that editors write is recognised by its mark."""
    mark = b"\xff\xfe" if text[1] == 0 else b"\xfe\xff"

    assert SourceFile.decode("a", mark + text) == Unreadable.file("a", Obstacle.UTF_16)


def test_broken_utf_8() -> None:
    """Where the bytes stop being UTF-8 is a place with line and column, as people see it."""
    found = SourceFile.decode("a", "\ufeffdéjà\r\nvu ".encode() + b"\xff!")

    assert found == Unreadable(Span(SourceFile("a", "déjà\nvu \ufffd!"), 8, 9), Obstacle.NOT_UTF_8)
    assert isinstance(found, Unreadable)
    assert found.span.first == Position(2, 4)


def test_broken_after_a_carriage_return() -> None:
    """A line that ends in a carriage return alone ends before the broken byte, too."""
    found = SourceFile.decode("a", b"a\r\xff")

    assert isinstance(found, Unreadable)
    assert found.span.first == Position(2, 1)


@given(st.binary(max_size=12))
def test_any_bytes_decode_or_break_somewhere(data: bytes) -> None:
    """Bytes are text, or there is a first place where they are not."""
    found = SourceFile.decode("a", data)

    assert isinstance(found, SourceFile) or found.span.end <= len(found.span.file.text)


def test_source_set() -> None:
    """A compilation reads the prelude first, then a rulebook, then what is laid over it."""
    prelude, base, clauses, lock, short, scenes = (
        SourceFile(name, "") for name in ("prelude", "base", "clauses", "lock", "short", "scenes")
    )
    sources = SourceSet(base, prelude, clauses, lock, variants=(short,), scenarios=(scenes,))

    assert list(sources) == [prelude, clauses, lock, base, short, scenes]
    assert list(SourceSet(base, prelude)) == [prelude, base]
