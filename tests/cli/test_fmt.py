"""`fmt`: what it writes, what it only tells, and what it leaves alone."""

import io
import sys
from pathlib import Path

import pytest

from compiler.format.layout import formatted
from ruleengine.cli import run

UNTIDY = 'rulebook small "Small"\n  seats 2..2   -- two\nstart\n  end draw\n'
TIDY = 'rulebook small "Small"\n    seats 2..2  -- two\nstart\n    end draw\n'
BROKEN = "start\n    end drw\n"


def stored(folder: Path, text: str, name: str = "one.rules") -> Path:
    """A file with a text."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_writes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file is written anew, once."""
    path = stored(tmp_path, UNTIDY)

    assert run(["fmt", str(path)]) == 0
    assert path.read_text() == TIDY
    assert capfd.readouterr() == ("", "1 of 1 file formatted\n")
    assert run(["fmt", str(path)]) == 0
    assert capfd.readouterr().err == "nothing to do in 1 file\n"


@pytest.mark.parametrize("text", ["\ufeff" + TIDY, TIDY.replace("\n", "\r\n")], ids=["bom", "crlf"])
def test_bytes(tmp_path: Path, text: str) -> None:
    """A mark at the beginning goes, and lines end in line feeds."""
    path = stored(tmp_path, text)

    assert run(["fmt", "--check", str(path)]) == 1
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == TIDY.encode()


def test_check(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`--check` writes nothing and exits with 1 if it would."""
    path = stored(tmp_path, UNTIDY)
    stored(tmp_path, TIDY, "two.rules")

    assert run(["fmt", "--check", str(tmp_path)]) == 1
    assert path.read_text() == UNTIDY
    assert capfd.readouterr().err == "1 of 2 files would be formatted\n"


def test_diff(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`--diff` shows the lines that would change."""
    path = stored(tmp_path, UNTIDY)

    assert run(["fmt", "--diff", str(path)]) == 1
    out = capfd.readouterr().out
    assert "-  seats 2..2   -- two\n+    seats 2..2  -- two\n" in out
    assert path.read_text() == UNTIDY


def test_stdin(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """`-` formats the standard input to the standard output."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNTIDY.encode())))

    assert run(["fmt", "-"]) == 0
    assert capfd.readouterr() == (TIDY, "")


def test_errors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read as a spec is reported and left alone; others are formatted."""
    broken = stored(tmp_path, BROKEN, "broken.rules")
    path = stored(tmp_path, UNTIDY)

    assert run(["fmt", str(tmp_path)]) == 1
    assert broken.read_text() == BROKEN
    assert path.read_text() == TIDY
    assert "error[misspelt-word]" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.rules"], "there is no file `nothing.rules`"),
        (["klonk"], "did you mean `klink`?"),
        (["-", "klink"], "`-` stands alone"),
        (["."], "is no file `*.rules`"),
        ([], "Missing argument"),
    ],
)
def test_wrong_use(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    """What leads to no text is wrong use, in a line."""
    monkeypatch.chdir(tmp_path)

    assert run(["fmt", *arguments]) == 2
    assert said in capfd.readouterr().err


def test_shipped() -> None:
    """Every rulebook, variant and file of scenarios is formatted, and what `new` writes."""
    root = Path(__file__).parents[2]
    files = [f for folder in ("specs", "ruleengine") for f in (root / folder).rglob("*.rules")]

    assert len(files) > 50
    assert [f.name for f in sorted(files) if formatted(text := f.read_text("utf-8")) != text] == []
