"""Whatever is written, something sensible is said, soon: findings with places, or a game."""

import tracemalloc
from pathlib import Path

import pytest

from compiler.diagnostic import Report
from compiler.excerpt import WIDTH
from compiler.pipeline import compile_sources
from compiler.render import full
from compiler.source import SourceFile, SourceSet
from compiler.syntax.parse import parse
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS
from ruleengine import library
from ruleengine.cli import run
from ruleengine.rng import CHANCE, stream
from tests.fuzz.__main__ import texts
from tests.fuzz.beside import OF, mutants, tried_beside
from tests.fuzz.grammatical import sentence
from tests.fuzz.mutants import KINDS, Kind
from tests.fuzz.trying import HANG, laid_out, tried

HEAD = 'rulebook small "Small"\n    seats 2\n'
END = "start\n    end draw\n"
MEGABYTE = 2**20


def sources(name: str) -> SourceSet:
    """The files of a shipped spec."""
    read = library.read(name)
    assert not isinstance(read, Report)
    return read


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_mutants(kind: Kind) -> None:
    """Each kind of mutant of small games is told what is wrong with it, or is a game."""
    for number, name in enumerate(("kuhn", "tictactoe")):
        data = kind(sources(name).base.text, stream(3, number, CHANCE))

        result = tried(data, sources(name))

        assert result.seconds < HANG
        laid_out(data, result.report)


@pytest.mark.parametrize("of", OF)
def test_beside(of: str) -> None:
    """So is each mutant of a variant, and of a file of scenarios."""
    for _, data, files in mutants(of, 13, 6):
        tried_beside(of, data, files)


def test_sentences() -> None:
    """So is each sentence of the grammar."""
    for number in range(5):
        data = sentence(stream(5, number, CHANCE), depth=9).encode()

        result = tried(data)

        assert result.seconds < HANG
        laid_out(data, result.report)


@pytest.mark.long
def test_many() -> None:
    """So are many mutants of all specs; `python -m tests.fuzz` tries as many as one likes."""
    for name, data, files in texts(11, 600):
        result = tried(data, files)

        assert result.seconds < HANG, name
        laid_out(data, result.report)


LARGE = {
    "brackets": f"define x = {'(' * 10_000}1{')' * 10_000}\n",
    "square brackets": f"define x = {'[' * 10_000}1{']' * 10_000}\n",
    "open brackets": f"define x = {'(' * 10_000}\n",
    "closing brackets": f"define x = {')' * 10_000}\n",
    "mixed brackets": f"define x = {'([' * 5_000}\n",
    "not": f"define x = {'not ' * 10_000}true\n",
    "minus": f"define x = {'- ' * 10_000}1\n",
    "if": f"define x = {'if true then 1 else ' * 3_000}1\n",
    "indexes": f"define x = y{'[1]' * 5_000}\n",
    "dots": f"define x = y{'.z' * 5_000}\n",
    "calls": f"define x = {'f(' * 5_000}1{')' * 5_000}\n",
    "blocks": "start\n" + "".join(f"{' ' * n}if true\n" for n in range(1, 900)),
    "elifs": "start\n    if 1 is 2\n        end draw\n"
    + "    elif 1 is 3\n        end draw\n" * 600,
    "one word": f"{'x' * MEGABYTE}\n",
    "one number": f"define x = {'9' * MEGABYTE}\n",
    "one seat": f"define x = P{'9' * 100_000}\n",
    "one title": f'note "{"x" * MEGABYTE}"\n',
    "one open title": f'note "{"x" * MEGABYTE}\n',
    "one comment": f"-- {'x' * MEGABYTE}\n",
    "blanks": " " * MEGABYTE + "\n",
    "newlines": "\n" * 300_000,
    "commas": f"enum x: a{',' * 100_000}\n",
    "signs": f"define x = {'€' * 100_000}\n",
    "zero width": f"define x = 1{chr(0x200B) * 100_000}\n",
    "accents": f"define x = a{chr(0x301) * 100_000}\n",
    "a long line of signs": f"define x = {'1 + ' * 200_000}\n",
    "many declarations": "".join(f"define x{n} = {n}\n" for n in range(500)),
    "many errors": "define x = = 3\n" * 3_000,
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_large(text: str) -> None:
    """What is too large is told so, soon and in little space."""
    tail = "" if text.startswith("start") else END

    tried(END.encode())  # the grammar is read once
    result = tried((HEAD + text + tail).encode())

    assert result.seconds < HANG


def test_too_deep_is_told_before_it_is_read() -> None:
    """The first bracket and the first block inside of a hundred others are named, each once."""
    deep = f"{HEAD}define x = {'(' * 101}1{')' * 101}\n" + LARGE["blocks"]

    found = [(f.code, f.span.first.line, f.span.text) for f in tried(deep.encode()).report]

    assert found == [("too-deep", 3, "("), ("too-deep", 104, "if true")]


WIDE = (  # lines with a range of numbers
    "define h = WIDE\nvar n: h\nstart\n    n = 3\n    end scores [n, 0]\n",
    "var n: WIDE = 7\nstart\n    n = 7\n    end scores [n, 0]\n",
    "zone z per WIDE: pile of c\ncard c\n    value: 1..2\nstart\n    end draw\n",
    "card c\n    value: WIDE\nstart\n    move c to box\n    end draw\n",
    "var s: set of WIDE\nstart\n    s = [7]\n    end scores [count(s), 0]\n",
    "start\n    A chooses x in WIDE\n    end scores [x, 0]\n",
    "start\n    A may choose x in WIDE\n        when x is not 7\n    end draw\n",
    "start\n    A chooses x in 2 of WIDE\n    end draw\n",
    "start\n    A chooses\n        take x in WIDE, y in WIDE\n            end scores [x, y]\n",
    "start\n    for x in WIDE\n        end scores [x, 0]\n    end draw\n",
    "start\n    let n = sum(x for x in WIDE)\n    end scores [n, 0]\n",
    "die d: WIDE\nstart\n    roll d\n    end scores [d, 0]\n",
    "start\n    let x = WIDE\n    end scores [count(x), 0]\n",
    (
        "var n: WIDE = 7\n"
        "start\n"
        "    n = 7\n"
        "    let x = 1..n\n"
        "    A chooses y in 1..3\n"
        "    end scores [count(x), y]\n"
    ),
    (
        "var n: 0..9 = 0\n"
        "start\n"
        "    n = 9 - n\n"
        "    pick x in WIDE at random\n"
        "    end scores [x, n]\n"
    ),
    "param n: WIDE = 7\nstart\n    let x = count(1..n)\n    end scores [x, 0]\n",
    "var n: WIDE = 7\nstart\n    n = 7\n    A chooses x in 1..n\n    end scores [x, 0]\n",
    "board g: 7 by WIDE of one c\ncard c\n    value: 1..2\nstart\n    end draw\n",
    "define f(x: WIDE) = x\nstart\n    end scores [f(7), 0]\n",
    "given k: WIDE\nstart\n    end scores [k, 0]\n",
    "given k per player: WIDE\nstart\n    end scores k\n",
    "whenever some x in WIDE: x is 3\n    end draw\nstart\n    end draw\n",
    'invariant "I"\n    no x in WIDE: x is 0 - 1\nstart\n    end draw\n',
    "start\n    together p in players\n        p chooses x in WIDE\n    end draw\n",
    "var n per WIDE: 0..9 = 1\nstart\n    end scores [n[7], 0]\n",
    "start\n    let n = max(x for x in orders(WIDE))\n    end scores [1, 0]\n",
    "start\n    A chooses x in any of WIDE\n    end draw\n",
    "start\n    A chooses x in some of WIDE\n    end draw\n",
    "start\n    A chooses x in orders(WIDE)\n    end draw\n",
)


@pytest.mark.parametrize(
    "numbers",
    [
        "3000000..7",
        pytest.param("1..3000000", marks=pytest.mark.long),
        pytest.param("0 - 3000000..3000000", marks=pytest.mark.long),
    ],
)
def test_wide_ranges(numbers: str) -> None:
    """However many numbers a range has, wherever it stands, they are not written out."""
    tried(END.encode())  # the grammar is read once
    tracemalloc.start()
    try:
        for line in WIDE:
            tracemalloc.reset_peak()
            result = tried(f"{HEAD}{line.replace('WIDE', numbers)}".encode())

            assert tracemalloc.get_traced_memory()[1] < 40 * MEGABYTE, line
            assert result.seconds < HANG, line
    finally:
        tracemalloc.stop()


CARDS = """rulebook small "Small"
    seats 2
enum rank: ace, king
card c
    rank: rank
zone hand per player: pile of c
define f(x: 0..9) = x
var n: 0..9
start
    move all of c to hand[A]
"""
SIGNS = (*", : . .. ... ? ( ) [ ] = += -= + - * < >= -> is == ;".split(), '"a"', "@EX-1", "3", "A")
AROUND = {  # what stands before and behind a term of its own kind, and the innermost
    "first of an attribute": ("top of (", ").rank", "hand[A]"),
    "first few of an attribute": ("top 1 of (", ").rank", "hand[A]"),
    "attribute": ("(", ").rank", "top of hand[A]"),
    "position": ("(", ")[1]", "hand[A]"),
    "member": ("hand[", "]", "A"),
    "call": ("f(", ")", "1"),
    "unknown call": ("g(", ")", "1"),
    "unknown member": ("g[", "]", "1"),
    "prelude": ("next(", ")", "A"),
    "condition": ("if n is 1 then 1 else (", ")", "2"),
    "quantifier": ("(some x in hand[A]: (", "))", "true"),
    "filter": ("count(all x in (", ") where true)", "hand[A]"),
    "aggregate": ("max(x for x in [", "])", "1"),
    "sum": ("(1 + ", ")", "1"),
    "equality": ("(1 is ", ")", "1"),
    "membership": ("(A in [", "])", "A"),
    "list": ("[", "]", "1"),
    "conjunction": ("(", " and n is 1)", "true"),
    "difference": ("(", " - hand[A])", "hand[A]"),
    "range": ("(1..", ")", "1"),
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_within_itself(around: tuple[str, str, str]) -> None:
    """A term of each kind in another of its kind, and so on, is read once: twenty take no time."""
    before, behind, inner = around
    term = before * 20 + inner + behind * 20

    tried(END.encode())  # the grammar is read once
    result = tried(f"{CARDS}    let y = {term}\n    end scores [count(y), 0]\n".encode())

    assert result.seconds < HANG


BEFORE = (  # texts behind which a line goes on, or should not
    "define x = (1\n",
    "define x = [1,\n",
    "define x(p: player,\n",
    "var x\n",
    "var x per\n",
    "card c,\n",
    "start\n    move a\n",
    "start\n    move a to b,\n",
    "start\n    let x\n",
    "start\n    if some x\n",
    "start\n    A chooses\n        pick x in y,\n",
    "start\n    A chooses\n        pick x in y\n",
)


@pytest.mark.parametrize("before", BEFORE, ids=lambda text: text.replace("\n", "/"))
def test_any_word_first_in_a_line(before: str) -> None:
    """Whatever word or sign a line begins with where another goes on, it is told what is wrong."""
    for word in (*SIGNS, *sorted(LINE_WORDS | ALWAYS_WORDS)[::5]):
        _, report = parse(SourceFile("text.rules", f"{HEAD}{before}{word} z\n{END}"))

        assert all(found.headline for found in report)


def test_many_unknown_names() -> None:
    """Hundreds of unknown names are told in time that grows with their number."""
    names = ", ".join(f"so_{n}" for n in range(200))

    assert tried(f"{HEAD}define x = [{names}]\n{END}".encode()).seconds < HANG


def test_memory() -> None:
    """A long word takes no more than some megabytes."""
    tried(END.encode())
    tracemalloc.start()
    try:
        tried((HEAD + "x" * 20_000 + "\n" + END).encode())
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "sign", ["\u202e", "\u2066", "\u200b", "\ufeff", "\x00", "\x1b[31m", "\u2028"]
)
@pytest.mark.parametrize("line", ["define {}x = 3", 'note "{}"', "define x = 3 -- {}", "{}"])
def test_unseen_signs(sign: str, line: str) -> None:
    """No sign that turns or hides text reaches a terminal, wherever it is written."""
    shown = full(tried(f"{HEAD}{line.format(sign)}\ndefine y = = 3\n{END}".encode()).report)

    assert shown.count("\x1b") == 0
    assert "\u202e" not in shown
    assert "\u2066" not in shown
    assert all(len(row) < WIDTH * 3 for row in shown.splitlines())


# ---- files


def test_clauses_in_a_folder(tmp_path: Path) -> None:
    """A table of clauses that is a folder is told where it is named."""
    (tmp_path / "clauses.md").mkdir()
    (tmp_path / "small.rules").write_text(
        'rulebook small "S"\n    clauses "clauses.md"\n    seats 2\n'
    )
    report = library.read(str(tmp_path / "small.rules"))
    assert isinstance(report, Report)

    assert [(f.code, f.span.first.line, f.remark) for f in report] == [
        ("unreadable-file", 2, "it is a folder")
    ]


@pytest.mark.parametrize(
    "table", ["", ".", "/", "..", "a\x00b", "x" * 5000, "clauses.md/x", "\u202e"]
)
def test_strange_names_of_tables(tmp_path: Path, table: str) -> None:
    """Whatever is named as the table of clauses, it is told that it cannot be read."""
    (tmp_path / "small.rules").write_text(
        f'rulebook s "S"\n    clauses "{table}"\n    seats 2\n{END}'
    )
    read = library.read(str(tmp_path / "small.rules"))
    report = read if isinstance(read, Report) else compile_sources(read)

    assert isinstance(report, Report)
    assert report.has_errors


@pytest.mark.parametrize("command", ["check", "fmt", "simulate", "flow"])
def test_variants_of_each_other(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    """Variants that stand on each other stand on no rulebook: wrong use, and no endless search."""
    (tmp_path / "one_way.rules").write_text('variant one_way "O" of other_way\n    note "x"\n')
    (tmp_path / "other_way.rules").write_text('variant other_way "O" of one_way\n    note "x"\n')
    (tmp_path / "self.rules").write_text('variant self "S" of self\n    note "x"\n')
    (tmp_path / "told.rules").write_text("scenarios of told\n")
    for name in ("one_way", "self", "told"):
        assert run([command, str(tmp_path / name)]) == 2
        assert "stands on itself" in capfd.readouterr().err
    (tmp_path / "base.rules").write_text(f"{HEAD}{END}".replace("small", "base"))
    assert run([command, f"{tmp_path / 'base'}+one_way"]) == 2
    assert "stands on itself" in capfd.readouterr().err


@pytest.mark.parametrize(
    "name", ["", "+", "nim+", "+nim", "nim++nim", "nim+nim", "/", ".", "\x00", "a/b"]
)
def test_strange_specs(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is named as a spec, the answer is a line or a report."""
    assert run(["check", name]) in (1, 2)
    assert capfd.readouterr().err.count("\n") < 12
