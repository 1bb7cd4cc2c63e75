"""Who may know what, on every history of the tiny games; P1 to P13 are the properties' numbers."""

from functools import cache

import pytest
from attrs import frozen

from tests.knowledge import checks
from tests.knowledge.games import Game, game
from tests.knowledge.histories import Moment, moments


@frozen(eq=False)
class Played:
    """All decisions and ends of a game, with kinds settled late and with kinds settled at once."""

    lazy: Game
    late: tuple[Moment, ...]
    eager: Game
    early: tuple[Moment, ...]


@cache
def played(spelling: str) -> Played:
    """A game, its settings after it: `sandbox turns=1`."""
    name, *settings = spelling.split()
    lazy, eager = game(name, *settings), game(name, *settings, eager=True)
    return Played(lazy, tuple(moments(lazy)), eager, tuple(moments(eager)))


QUICK = (
    "kuhn",
    "two_oracles",
    "carousel",
    "reply",
    "seer",
    "guests",
    "stains",
    "washing",
    "washing_openly",
    "secrets",
    "alarm",
    "sandbox turns=1",
)
LONG = (
    "leduc",
    "mini_klink",
    "mini_klink_mixing",
    "mini_klink_turns",
    "carousel_singly",
    "sandbox",
    "sandbox highest=4",
    "sandbox turns=3 dealt=2",
)


def among(*names: str) -> pytest.MarkDecorator:
    """The quick games, then the long ones behind their marker, those named left out."""
    chosen = [pytest.param(name) for name in QUICK if name not in names]
    chosen += [pytest.param(name, marks=pytest.mark.long) for name in LONG if name not in names]
    return pytest.mark.parametrize("name", chosen)


@among()
def test_settling_kinds_late_changes_nothing(name: str) -> None:
    """P1: all that everybody hears is as likely as if cards were shuffled physically."""
    all_of = played(name)

    late = checks.law_of_logs(all_of.lazy, all_of.late)

    assert sum(late.values()) == 1
    assert late == checks.law_of_logs(all_of.eager, all_of.early)


@among()
def test_a_view_is_a_function_of_what_was_heard(name: str) -> None:
    """P2: who has heard the same may know the same, however kinds were settled."""
    all_of = played(name)

    assert checks.differing_views(all_of.lazy, all_of.late + all_of.early) == []


@among()
def test_options_are_a_function_of_the_view(name: str) -> None:
    """P3: two situations that look alike to the seat that is asked offer it the same."""
    all_of = played(name)

    assert checks.differing_options(all_of.lazy, all_of.late + all_of.early) == []


@among()
def test_knowledge_is_true(name: str) -> None:
    """P4: what somebody knows to be in a place is in it."""
    all_of = played(name)

    assert checks.false_knowledge(all_of.eager, all_of.early) == []


@among()
def test_worlds_are_uniform_and_complete(name: str) -> None:
    """P5: a world is one of all ways of laying single cards that agree with the view."""
    all_of = played(name)

    assert checks.wrong_worlds(all_of.eager, all_of.early, all_of.eager.observers) == []


@among()
def test_what_has_no_kind_is_known_to_nobody(name: str) -> None:
    """P6: who sees or knows a card sees or knows a kind."""
    all_of = played(name)

    assert checks.known_without_kind(all_of.lazy, all_of.late) == []


@among()
def test_a_world_offers_the_same_options(name: str) -> None:
    """P7: the options of a seat do not depend on what it cannot know."""
    all_of = played(name)

    assert checks.leaking_options(all_of.lazy, all_of.late) == []


@among("kuhn", "leduc", "carousel", "carousel_singly", "secrets")
def test_nothing_is_heard_of_what_is_hidden(name: str) -> None:
    """P8: after the same choice one hears the same, until one sees a face.

    Left out are the games in which something hidden is disclosed at the end, or picked in secret.
    """
    all_of = played(name)

    for observer in all_of.lazy.observers:
        assert checks.differing_futures(all_of.lazy, all_of.late, observer) == []


@among()
def test_views_are_a_fold_over_what_is_heard(name: str) -> None:
    """P10: the view before and what was heard since determine the view after."""
    all_of = played(name)

    assert checks.unforeseen_views(all_of.lazy, all_of.late) == []


@among()
def test_knowledge_changes_no_play(name: str) -> None:
    """P12: states that differ only in knowledge go on alike."""
    all_of = played(name)

    assert checks.unlike_without_knowledge(all_of.lazy, all_of.late) == []


@among()
def test_a_seat_remembers_its_own_choices(name: str) -> None:
    """P13: who has heard the same was asked and chose the same before."""
    all_of = played(name)

    assert checks.imperfect_recall(all_of.lazy, all_of.late + all_of.early) == []


@among()
def test_packed_states_keep_the_views(name: str) -> None:
    """P9, P11: views, and so worlds, are the same when a table was packed and unpacked."""
    all_of = played(name)

    assert checks.unpackable(all_of.lazy, all_of.late) == []


def test_a_check_can_fail() -> None:
    """Without what they remember, seats that have heard the same see different things."""
    all_of = played("two_oracles")
    forgetful = [moment.table.copy() for moment in all_of.late]
    for table in forgetful[::2]:
        table.knows = [0] * len(table.knows)
    torn = [
        Moment(table, moment.log, moment.stop, moment.law, moment.own)
        for table, moment in zip(forgetful, all_of.late, strict=True)
    ]

    assert checks.differing_views(all_of.lazy, (*torn, *all_of.early))
