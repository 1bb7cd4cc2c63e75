"""Pitfalls of keeping hidden information: built on purpose, each is caught by a promise.

They stand in the order of the table in `docs/theorems.md`.  On games of a few histories all of them
are compared; what needs more is looked for in random games.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from compiler.diagnostic import InternalError
from ruleengine.chance import Pools
from ruleengine.game import load
from ruleengine.knowledge.events import Knowledge, _Way
from ruleengine.knowledge.hearing import Hearing
from ruleengine.knowledge.log import Log
from ruleengine.knowledge.protocol import Event, Moved, Shown
from ruleengine.knowledge.tape import Tape
from ruleengine.knowledge.view import Cell, View, Viewer
from ruleengine.knowledge.world import Worlds
from ruleengine.leaks.search import find_leaks
from ruleengine.table import UNRESOLVED, Table
from ruleengine.twins import Looks, Twins
from tests.knowledge import checks
from tests.knowledge.games import game
from tests.knowledge.histories import moments

TINY = Path(__file__).parent.parent / "knowledge" / "games"
EVERYBODY = -1
Patch = Callable[[pytest.MonkeyPatch], None]


def differing_views(name: str) -> bool:
    """Whether somebody who has heard the same may know something else (P2)."""
    tiny = game(name)
    return checks.differing_views(tiny, moments(tiny)) != []


def odds_are_others(name: str) -> bool:
    """Whether something is heard more often than with cards that are shuffled at once (P1)."""
    lazy, eager = game(name), game(name, eager=True)
    late = checks.law_of_logs(lazy, moments(lazy))
    return late != checks.law_of_logs(eager, moments(eager))


def known_without_kind(name: str) -> bool:
    """Whether somebody knows a card that has no kind (P6), which the engine itself refuses."""
    tiny = game(name, "turns=1")
    try:
        return checks.known_without_kind(tiny, moments(tiny)) != []
    except InternalError:
        return True


def more_histories(name: str) -> bool:
    """Whether there are more histories than there are ways to play (counts)."""
    return len(tuple(moments(game(name)))) != {"carousel": 390}[name]


def breaking(promise: str) -> Callable[[str], bool]:
    """Whether random games break a promise."""

    def broken(name: str) -> bool:
        looked = find_leaks(load(str(TINY / f"{name}.rules")), stops=60)
        return promise in {found.leak.promise.number for found in looked.found}

    return broken


# ---- the pitfalls


def cards_go_back_into_a_pool_that_is_not_whole(patch: pytest.MonkeyPatch) -> None:
    """A card that was seen is shuffled among others while one of these lies elsewhere, unseen."""
    patch.setattr(Pools, "before_shuffle", lambda *_: [])


def that_cards_are_alike_is_marked_for_all(patch: pytest.MonkeyPatch) -> None:
    """Who sees that cards are alike knows their order; the mark of that is shown to everybody."""
    look = Knowledge._look

    def marked(self: Knowledge, table: Table, ways: list[_Way], orderly: int) -> None:
        alike = self._are_alike(table, frozenset(way.token for way in ways))
        look(self, table, ways, EVERYBODY if alike else orderly)

    patch.setattr(Knowledge, "_look", marked)


def the_last_kind_is_not_settled(patch: pytest.MonkeyPatch) -> None:
    """When one kind is left for hidden cards they are known, and yet have none."""
    patch.setattr(Pools, "settle", lambda *_: None)


def a_secret_look_is_kept_in_views(patch: pytest.MonkeyPatch) -> None:
    """What a seat imagines depends on what others have learnt."""
    cell = Viewer._cell

    def telling(self: Viewer, table: Table, token: int, observer: int) -> Cell:
        seats = table.knows[token] & self.statics.everyone
        return evolve(cell(self, table, token, observer), looked=table.looked[token] | seats)

    patch.setattr(Viewer, "_cell", telling)


def sealed_picks_are_kept_in_worlds(patch: pytest.MonkeyPatch) -> None:
    """Others have picked already, and what they picked is not in their new hands."""

    def redraw(self: Worlds, view: View, table: Table, tape: Tape) -> None:
        for slot, _ in view.hidden:
            possible = self._possible(slot)
            if possible:
                table.values[slot] = possible[tape.pick([1] * len(possible))]

    patch.setattr(Worlds, "_redraw", redraw)


def silent_events_leave_an_entry(patch: pytest.MonkeyPatch) -> None:
    """Who counts the entries of his log knows that something happened."""
    after = Log.after

    def noisy(self: Log, table: Table, event: Event, places: tuple[int, ...]) -> None:
        before = [len(entries) for entries in self.entries]
        after(self, table, event, places)
        for entries, count in zip(self.entries, before, strict=True):
            if len(entries) == count:
                entries.append("")

    patch.setattr(Log, "after", noisy)


def who_looked_is_not_told(patch: pytest.MonkeyPatch) -> None:
    """A card that was shown to somebody is put away as one that nobody saw."""
    label = Hearing.label

    def alike(self: Hearing, table: Table, event: Event, observer: int, saw: dict[int, int]) -> str:
        if isinstance(event, Shown):
            return ""
        heard = label(self, table, event, observer, saw)
        return re.sub(r" seen by [^;×]*", "", heard) if isinstance(event, Moved) else heard

    patch.setattr(Hearing, "label", alike)


def what_a_test_has_read_shows(patch: pytest.MonkeyPatch) -> None:
    """Of two cards the second is not read if the first decides; a seat can tell which were read."""
    cell = Viewer._cell

    def telling(self: Viewer, table: Table, token: int, observer: int) -> Cell:
        seats = self.statics.everyone if table.kind[token] != UNRESOLVED else 0
        return evolve(cell(self, table, token, observer), looked=seats)

    patch.setattr(Viewer, "_cell", telling)


def twins_are_two(patch: pytest.MonkeyPatch) -> None:
    """Two equal cards of a hand are two answers."""

    def apart(*_: object) -> Looks:
        return lambda token: (token,)

    patch.setattr(Twins, "to_seat", apart)


PITFALLS = (
    (cards_go_back_into_a_pool_that_is_not_whole, "burnt", odds_are_others),
    (that_cards_are_alike_is_marked_for_all, "two_oracles", differing_views),
    (the_last_kind_is_not_settled, "sandbox", known_without_kind),
    (a_secret_look_is_kept_in_views, "two_oracles", differing_views),
    (sealed_picks_are_kept_in_worlds, "carousel", breaking("P5")),
    (silent_events_leave_an_entry, "quiet", breaking("P8")),
    (who_looked_is_not_told, "who_looked", breaking("P2")),
    (who_looked_is_not_told, "who_looked", breaking("P10")),
    (what_a_test_has_read_shows, "either", differing_views),
    (twins_are_two, "carousel", more_histories),
)


@pytest.mark.parametrize(("pitfall", "name", "is_caught"), PITFALLS)
def test_a_pitfall_is_caught(
    monkeypatch: pytest.MonkeyPatch, pitfall: Patch, name: str, is_caught: Callable[[str], bool]
) -> None:
    """What an engine gets wrong on purpose is noticed, and nothing before."""
    assert not is_caught(name)
    game.cache_clear()
    pitfall(monkeypatch)

    assert is_caught(name)
    game.cache_clear()
