"""What the rulebooks assert of themselves, proved by cases where they are few, else measured."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from compiler.graph.core import Apply, Call, Choose, Const, Flow, Function, Jump
from ruleengine.exploration import Spot
from ruleengine.game import Instance, load
from ruleengine.match import random_match
from ruleengine.solve.chain import chances
from ruleengine.solve.worth import worths
from ruleengine.stops import ChanceStop, Choice, Decision, Outcome, Result, Stop, Terminal
from ruleengine.table import Table

long = pytest.mark.long


@cache
def game(name: str, players: int) -> Instance:
    """A rulebook with the usual readings."""
    return load(name, players)


def entries(played: Instance, phase: str) -> list[int]:
    """The steps that begin a phase."""
    ways = [(node.id, node.step) for node in played.graph.nodes]
    return [
        at
        for at, step in ways
        if isinstance(step, Flow) and isinstance(step.way, Call | Jump) and step.way.phase == phase
    ]


# ---- Jinxx


def function(played: Instance, name: str) -> Function:
    """A define of a rulebook."""
    return next(one for one in played.graph.functions if one.name == name)


def boards(played: Instance, players: int) -> Iterator[tuple[tuple[int, ...], Table]]:
    """Every way for players to have uncovered pieces on the nine squares, or none there."""
    statics = played.interpreter.statics
    (token_class,) = played.graph.classes
    squares = [place.index for place in played.graph.places if place.square is not None]
    owners: dict[int, list[int]] = {seat: [] for seat in range(played.seats)}
    empty = played.interpreter.prepared()
    at = [attribute.name for attribute in token_class.attributes].index("owner")
    for token in statics.class_tokens[0]:
        owner = token_class.kinds[empty.kind[token]].values[at]
        assert isinstance(owner, int)
        owners[owner].append(token)
    for tops in product(range(-1, players), repeat=len(squares)):
        table = empty.copy()
        left = {seat: iter(tokens) for seat, tokens in owners.items()}
        for square, seat in zip(squares, tops, strict=True):
            if seat >= 0:
                token = next(left[seat])
                table.cells[0].remove(token)
                table.cells[square].append(token)
                table.place[token] = square
        yield tops, table


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=long)])
def test_two_players_never_hold_a_line_and_two_pieces_never_win(players: int) -> None:
    """JXX-I4, JXX-I6: on every board at most one player has a line, and he has three pieces."""
    played = game("jinxx", players)
    has_line = function(played, "has_a_line")
    terms = played.interpreter.terms
    tests = [terms.closed(Apply(has_line, (Const(seat),))) for seat in range(players)]
    lines = 0
    for tops, table in boards(played, players):
        holding = [seat for seat in range(players) if tests[seat](table)]
        lines += len(holding)

        assert len(holding) <= 1, tops
        assert all(tops.count(seat) >= 3 for seat in holding), tops

    assert lines > 0


def turn_chain(played: Instance, table: Table) -> list[Spot]:
    """The situations of one turn, from the roll on; that another begins ends it."""
    machine, packing = played.interpreter, played.packing
    over = Result((0,), None, ((0,),), False)
    spots: list[Spot | None] = []
    known: dict[bytes, int] = {}
    waiting: list[tuple[int, Table]] = []

    def reach(there: Table, ended: bool) -> int:
        stop = machine.advance(there)
        key = b"over" if ended or isinstance(stop, Terminal) else packing.pack(there)
        if key not in known:
            known[key] = len(spots)
            spots.append(Spot((), (), None, over) if key == b"over" else None)
            if key != b"over":
                waiting.append((known[key], there))
        return known[key]

    reach(table.copy(), False)
    while waiting:
        at, here = waiting.pop()
        stop = machine.advance(here)
        following: list[int] = []
        for move in moves(stop):
            there = here.copy()
            if isinstance(move, Outcome):
                machine.draw(there, move)
                following.append(reach(there, False))
            else:
                machine.choose(there, move)
                following.append(reach(there, not again(played, move)))
        asked = stop.seat if isinstance(stop, Decision) else None
        weights = tuple(move.weight if isinstance(move, Outcome) else 1 for move in moves(stop))
        spots[at] = Spot(tuple(following), weights, asked)
    return [spot for spot in spots if spot is not None]


def moves(stop: Stop) -> tuple[Choice | Outcome, ...]:
    """What can happen at a stop."""
    match stop:
        case ChanceStop(outcomes=odds):
            return tuple(odds)
        case Decision(choices=choices):
            return choices
        case _:
            return ()


def again(played: Instance, choice: Choice) -> bool:
    """Whether a choice is to roll again, which goes on with the turn."""
    step = played.graph.nodes[choice.node].step
    assert isinstance(step, Choose)
    return choice.option is not None and step.options[choice.option].name == "again"


def test_a_turn_of_jinxx_ends_with_probability_one() -> None:
    """JXX-10.2: who cannot move may roll again and again, but from everywhere in a turn its end can
    be reached, so it comes with probability one."""
    played = game("jinxx", 2)
    rolls = {node.id for node in played.graph.nodes if node.title == "" and node.phase == "turn"}
    checked = rerolled = 0

    def watch(table: Table, stop: Stop, _: object) -> None:
        nonlocal checked, rerolled
        if checked < 25 and isinstance(stop, ChanceStop) and stop.node in rolls:
            spots = turn_chain(played, table)
            found = chances(spots, 2, lambda result: worths(result, 2))
            assert found.ends == 1
            checked += 1
            rerolled += any(0 in spot.next for spot in spots)

    for number in range(4):
        random_match(played, 11, number, node_limit=2_500, watching=watch)

    assert checked > 0


# ---- Klink


def test_a_turn_of_klink_passes_every_player_once() -> None:
    """KL-4.14: cards are passed to nobody twice, so a turn has at most one pass a player."""
    played = game("klink", 4)
    passes = [0]
    most = 0

    def watch(_table: Table, _stop: Stop, move: object) -> None:
        nonlocal most
        if isinstance(move, Choice) and move.option is not None:
            step = played.graph.nodes[move.node].step
            assert isinstance(step, Choose)
            name = step.options[move.option].name
            passes[0] = passes[0] + 1 if name == "hand_on" else passes[0]
            passes[0] = 0 if name == "keep" else passes[0]
            most = max(most, passes[0])

    for number in range(3):
        random_match(played, 12, number, node_limit=8_000, watching=watch)

    assert 1 <= most <= 3


# ---- Jinks


def test_three_rounds_of_sixteen_are_all_the_cards() -> None:
    """JK-1.1, JK-4.2: 3 × 16 = 48, so that the stack is used up by three displays."""
    number = game("jinks", 2).graph.token_class("number")

    assert sum(kind.copies for kind in number.kinds) == 3 * 16


@pytest.mark.parametrize(("players", "games"), [(2, 3), pytest.param(4, 40, marks=long)])
def test_a_round_of_jinks_has_at_most_seventeen_turns(players: int, games: int) -> None:
    """JK-I3: every turn but the last takes a card from the display, which begins with sixteen."""
    played = Instance.of(game("jinks", players).compiled)
    turns: list[int] = []
    for at in entries(played, "turn"):
        played.interpreter.watch(at, lambda _: turns.append(turns.pop() + 1))
    for at in entries(played, "new_round"):
        played.interpreter.watch(at, lambda _: turns.append(0))
    for number in range(games):
        random_match(played, 13, number)

    assert len(turns) == 3 * games
    assert all(1 <= count <= 17 for count in turns)


# ---- High Jinks


@long
@pytest.mark.parametrize("games", [20])
def test_two_decks_make_decking_out_rarer(games: int) -> None:
    """HJ-23.3: played at random three players use up two decks less than half as often, turn for
    turn, as one deck.  Rare it is not: they do so about every fourteenth turn."""
    two = decked(load("highjinks", 3), games)
    one = decked(load("highjinks", 3, {"deck_count": "one_deck_allowed"}), games)

    assert 0 < 2 * two < one


def decked(played: Instance, games: int) -> float:
    """How often the deck runs out in random games, for each turn."""
    ran_out, turns = [0], [0]
    machine = played.interpreter
    trigger = next(one for one in played.graph.triggers if one.title == "Decking out")
    machine.watch(played.graph.phase(trigger.phase).entry, lambda _: ran_out.append(1))
    for at in entries(played, "turn"):
        machine.watch(at, lambda _: turns.append(1))
    for number in range(games):
        random_match(played, 14, number, node_limit=60_000)
    return sum(ran_out) / sum(turns)
