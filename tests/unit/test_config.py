"""Configurations: written, read, and held against a rulebook."""

import pytest

from compiler.config import Configuration, validated
from compiler.resolve.vocabulary import Vocabulary, read_vocabulary
from compiler.source import SourceFile
from compiler.syntax.parse import parse

BOOK = """\
rulebook small "Small"
    seats 2..4
enum suit: hearts H, spades S
param limit: -3..9 = 3    "Limit"        @SM-R4
param open: bool = true                  @SM-R2
define width = 1..5
param side: width = 2                    @SM-R2
given first: player                      @SM-R3
given colour per player: suit or none    @SM-R3
ruling ties "Tied?"                      @SM-R1 @SM-R3
    shared_by_all "All win" default
    nobody        "None wins"
start
    end draw
"""


def vocabulary() -> Vocabulary:
    """The vocabulary of a small rulebook."""
    tree, report = parse(SourceFile("small.rules", BOOK))
    assert tree is not None
    assert list(report) == []
    return read_vocabulary(tree.items)[0]


def settled(*settings: str, players: int | None = None) -> tuple[dict[str, str | int], list[str]]:
    """The values that settings come to, and the codes of what is refused."""
    configuration, report = Configuration.parse(settings, players)
    values, found = validated(vocabulary(), configuration)
    return dict(values), [finding.code for finding in (*report, *found)]


def test_order_does_not_matter() -> None:
    """Two configurations are one if they set the same."""
    one, _ = Configuration.parse(["limit=4", "ties=nobody", "players=3"])
    other, _ = Configuration.parse(["ties = nobody", "limit= 4"], players=3)

    assert one == other
    assert hash(one) == hash(other)
    assert str(one) == "players=3 limit=4 ties=nobody"


def test_text_is_read_back() -> None:
    """What a configuration writes it reads."""
    written, _ = Configuration.parse(["limit=-2", "first=B", "players=3"])
    read, report = Configuration.parse(str(written).split())

    assert list(report) == []
    assert written == read


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("limit=-3", {"limit": -3}),
        ("open=false", {"open": "false"}),
        ("side=5", {"side": 5}),
        ("first=C", {"first": "C"}),
        ("colour[A]=S", {"colour[A]": "spades"}),
        ("colour[B]=none", {"colour[B]": "none"}),
        ("ties=shared-by-all", {"ties": "shared_by_all"}),
        ("SM-R1=nobody", {"ties": "nobody"}),
        ("SM-R3=nobody", {"ties": "nobody"}),
        ("SM-R4=7", {"limit": 7}),
    ],
)
def test_taken(setting: str, values: dict[str, str | int]) -> None:
    """A value is kept by its name; a ruling may be called by the clause that it alone cites."""
    assert (values, []) == settled(setting)


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("limit", "not-a-setting"),
        ("=4", "not-a-setting"),
        ("limits=4", "unknown-setting"),
        ("first[A]=B", "unknown-setting"),
        ("SM-R9=4", "unknown-setting"),
        ("SM-R2=4", "several-settings"),
        ("limit=10", "value-refused"),
        ("limit=much", "value-refused"),
        ("side=6", "value-refused"),
        ("open=1", "value-refused"),
        ("first=D", "value-refused"),
        ("colour[A]=hart", "value-refused"),
        ("ties=shared", "value-refused"),
        ("players=0", "value-refused"),
        ("players=many", "value-refused"),
    ],
)
def test_refused(setting: str, code: str) -> None:
    """What a setting does not have is refused, and nothing is kept of it."""
    players = None if setting.startswith("players") else 3

    assert ({}, [code]) == settled(setting, players=players)


def test_set_twice() -> None:
    """Two values for one setting are one too many, also under two names."""
    assert settled("limit=4", "limit=5") == ({"limit": 4}, ["set-twice"])
    assert settled("ties=nobody", "SM-R1=shared_by_all")[1] == ["set-twice"]
    assert settled("limit=4", "SM-R4=4") == ({"limit": 4}, [])
