"""How many histories and information sets the tiny games have, counted elsewhere before."""

import pytest

from compiler.diagnostic import Report
from ruleengine.game import load
from ruleengine.stops import ChanceStop, Decision, Terminal
from tests.knowledge.checks import surplus
from tests.knowledge.games import FOLDER, compiled, game
from tests.knowledge.histories import moments

LONG = pytest.mark.long

COUNTS = [
    pytest.param("kuhn", 30, 30, [6, 6]),
    pytest.param("mini_klink", 338, 1560, [9, 54, 54]),
    pytest.param("two_oracles", 168, 288, [73, 91]),
    pytest.param("carousel", 216, 216, [7, 7]),
    pytest.param("carousel_singly", 216, 216, [13, 13]),
    pytest.param("leduc", 1116, 4410, [144, 144], marks=LONG),
    pytest.param("leduc_suits", 5520, 35280, [468, 468], marks=LONG),
    pytest.param("mini_klink_mixing", 1010, 4584, [9, 54, 54], marks=LONG),
    pytest.param("mini_klink_turns", 2160, 2160, [799, 650], marks=LONG),
]


@pytest.mark.parametrize(("name", "late", "early", "sets"), COUNTS)
def test_histories_and_information_sets(name: str, late: int, early: int, sets: list[int]) -> None:
    """Histories to the end with kinds settled late and at once; what seats may have heard."""
    for eager, expected in ((False, late), (True, early)):
        tiny = game(name, eager=eager)
        ends = 0
        heard: list[set[str]] = [set() for _ in range(tiny.seats)]
        for moment in moments(tiny):
            ends += isinstance(moment.stop, Terminal)
            if moment.seat is not None:
                heard[moment.seat].add(moment.heard(moment.seat))

        assert (expected, sets) == (ends, [len(logs) for logs in heard])


@LONG
def test_situations_at_decisions() -> None:
    """What no rule can read any more parts no situations; what somebody knows may."""
    tiny = load(str(FOLDER / "mini_klink_mixing.rules"))
    first = tiny.start()
    found, waiting = {bytes(first): first}, [first]
    while waiting:
        state = waiting.pop()
        stop = tiny.stop(state)
        count = len(stop.outcomes) if isinstance(stop, ChanceStop) else len(tiny.options(state))
        for rank in range(count):
            then = tiny.apply(state, rank)
            if bytes(then) not in found:
                found[bytes(then)] = then
                waiting.append(then)
    asked = [state for state in found.values() if isinstance(tiny.stop(state), Decision)]

    assert (len({state.core for state in asked}), len(asked)) == (141, 381)


@LONG
def test_what_is_imagined_too_much() -> None:
    """After two oracles a seat imagines half as much again as can be: that two cards are known and
    their order is not is more than it keeps."""
    tiny = game("two_oracles")
    all_of = tuple(moments(tiny))
    counts = [surplus(tiny, all_of, seat) for seat in range(tiny.seats)]

    assert (sum(many for many, _ in counts), sum(real for _, real in counts)) == (951, 635)


def test_cards_laid_in_the_order_of_their_kinds_are_refused() -> None:
    """`move all of hand to row` would tell by its place what each card is."""
    report = compiled("sorted")

    assert isinstance(report, Report)
    assert [found.code for found in report] == ["order-tells"]
