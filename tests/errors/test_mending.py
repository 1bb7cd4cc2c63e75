"""What `check --fix` changes: what it says, and nothing that could have been meant otherwise."""

from pathlib import Path

import pytest

from compiler.mend import mended
from compiler.source import SourceFile
from ruleengine.cli import run
from tests.errors.test_stages import findings

FOREIGN = """\
rulebook small “Small”
    seats 2..2 # two
var n: 0..9 = 0;
define odd(k: 0..9) = k%2 == 1 && k != 3
define far(k: 0..9) = k≥3 || k <> 5
define anybody = some p in players where p.seat = 1
define those = for p in players where p.seat === 1
define nobody = []
board field: 3x3 of one stone
piece stone
    copies 9
start
    if n == 3:
        end draw
    elseif n := 4
        n += 1
    else if odd(n):
        n −= 1
    for each p in players:
        n = n × 2
    end winners those + anybody + nobody
"""
OURS = """\
rulebook small "Small"
    seats 2..2 -- two
var n: 0..9 = 0
define odd(k: 0..9) = k mod 2 is 1 and k is not 3
define far(k: 0..9) = k>=3 or k is not 5
define anybody = some p in players: p.seat is 1
define those = all p in players where p.seat is 1
define nobody = empty
board field: 3 by 3 of one stone
piece stone
    copies 9
start
    if n is 3
        end draw
    elif n is 4
        n += 1
    elif odd(n)
        n -= 1
    for p in players
        n = n * 2
    end winners those + anybody + nobody
"""


def rounds(text: str) -> str:
    """A text, changed as long as its findings say how."""
    for _ in range(40):
        changes = mended(findings(SourceFile("small.rules", text)))
        if not changes:
            return text
        text = changes["small.rules"]
    raise AssertionError("there is an end to mending")


def test_foreign_text() -> None:
    """What other languages and word processors write becomes what this language writes."""
    assert rounds(FOREIGN) == OURS


def test_seats_taken_away() -> None:
    """`seats 2-4` takes 4 from 2, and can only be meant as a range."""
    text = 'rulebook small "Small"\n    seats 2-4\nstart\n    end draw\n'

    assert rounds(text) == text.replace("2-4", "2..4")


@pytest.mark.parametrize(
    "line",
    [
        "define x = {1, 2}",
        "define x = 0.5",
        "define Big = 3",
        "zoen deck: pile of c",
        "start\n  1 <",
    ],
)
def test_guesses_are_left(line: str) -> None:
    """Where something else could have been meant, nothing is changed."""
    text = f'rulebook small "Small"\n    seats 2..2\n{line}\n'

    assert mended(findings(SourceFile("small.rules", text))) == {}


def test_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`check --fix` changes the file and reports what is left."""
    path = tmp_path / "small.rules"
    path.write_text(
        "rulebook small “Small”\n    seats 2..2\nstart\n    if 1 == 2:\n        end drw\n"
    )

    assert run(["check", "--fix", "--format", "concise", str(path)]) == 1
    out, err = capfd.readouterr()
    assert path.read_text().splitlines()[3] == "    if 1 is 2"
    assert "misspelt-word" in out
    assert "foreign-sign" not in out
    assert err == f"mended {path.as_posix()}\n"
