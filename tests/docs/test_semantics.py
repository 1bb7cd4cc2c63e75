"""The page on what the language means names what the code has, and nothing else."""

import ast
import re
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Final, get_args

import pytest

from compiler.graph import core
from compiler.ops.row import Undefined, Value
from compiler.ops.table import BY_NAME, PRIMITIVES
from ruleengine import stops
from ruleengine.knowledge import protocol
from tests.docs.reading import ROOT, disagreements

PAGE: Final = ROOT / "docs" / "semantics.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
_TABLE: Final = re.compile(r"^\| (\w+) \|[^\n]*\n\| ---[^\n]*\n((?:\|[^\n]*\n)+)", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"`(\w+)\(([^`]*)\)` (?:is `([^`]+)`|(fails))")


def _named(heads: str) -> list[str]:
    """The names in the first column of the table whose first heading is this."""
    rows = {found[1]: found[2] for found in _TABLE.finditer(TEXT)}
    return re.findall(r"^\| `(\w+)`", rows[heads], re.MULTILINE)


def _classes(union: object) -> list[str]:
    return [one.__name__ for one in get_args(union)]


def _values(enum: type[Enum]) -> list[str]:
    return [str(one.value) for one in enum]


TABLES: Final = {
    "step": _classes(core.Step),
    "target": _classes(core.Target),
    "distribution": _classes(core.Distribution),
    "way": _classes(core.Flow.__annotations__["way"]),
    "ending": _values(core.Ending),
    "term": _classes(core.Term),
    "fold": _values(core.FoldMode),
    "domain": _values(core.DomainMode),
    "source": _classes(core.Source),
    "operator": [op.name for op in PRIMITIVES],
    "stop": _classes(stops.Stop),
    "event": _classes(protocol.Event),
}
"""By the heading of a table on the page, what the code has."""


@pytest.mark.parametrize("heads", TABLES)
def test_tables_are_the_codes_own(heads: str) -> None:
    """The table has a row for each form there is, once."""
    assert sorted(_named(heads)) == sorted(TABLES[heads])


def _value(text: str) -> Value:
    words = {"nothing": "None", "true": "True", "false": "False"}
    read = ast.literal_eval(re.sub(r"[a-z]+", lambda word: words[word[0]], text))
    return _tupled(read)


def _tupled(read: object) -> Value:
    if isinstance(read, list):
        return tuple(map(_tupled, read))
    assert read is None or isinstance(read, int)
    return read


@pytest.mark.parametrize("example", _EXAMPLE.findall(TEXT), ids=lambda one: one[0])
def test_operators(example: tuple[str, str, str, str]) -> None:
    """An operator gives what the page says."""
    name, said, value, fails = example
    arguments = _value(f"[{said}]")
    assert isinstance(arguments, tuple)
    if fails:
        with pytest.raises(Undefined):
            BY_NAME[name].evaluate(*arguments)
        return

    assert BY_NAME[name].evaluate(*arguments) == _value(value)


def test_every_operator_has_an_example() -> None:
    """No row of the table is mere words."""
    assert {name for name, *_ in _EXAMPLE.findall(TEXT)} == set(BY_NAME)


def test_what_carries_a_rule_out() -> None:
    """Every place in the code that the page names is there."""
    places = re.findall(r"`((?:compiler|ruleengine)\.[\w.]+)`", TEXT)

    assert [place for place in places if not _is_there(place)] == []
    assert len(places) > 20


def _is_there(place: str) -> bool:
    parts = place.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules that the page shows are run, and hold."""
    monkeypatch.chdir(tmp_path)

    assert disagreements(PAGE, tmp_path) == []
