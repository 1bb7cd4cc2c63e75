"""Bots: what they find, what they cannot know, and that they do it again alike."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from ruleengine.game import Instance, load
from ruleengine.knowledge.tape import Drawn
from ruleengine.match import Ending, Match, played_by
from ruleengine.players import mind
from ruleengine.players.mind import Mind
from ruleengine.players.naming import Bot, UnknownBot, bot, bots, maker, makers
from ruleengine.players.playouts import asked_of
from ruleengine.players.protocol import Turn
from ruleengine.players.rewards import rewards
from ruleengine.players.standing import NoStanding, standing
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import ChanceStop, Decision, Terminal
from ruleengine.table import Table
from tests.engine.games import written

LEAD = "count(agents[p]) - counters(p)"
LOW = "0 - score[p]"


@cache
def shipped(name: str) -> Instance:
    """A shipped game, made once."""
    return load(name)


def after(game: Instance, *said: str) -> tuple[Table, Decision]:
    """The decision after these answers and outcomes."""
    machine = game.interpreter
    table = machine.start()
    stop = machine.advance(table)
    for words in said:
        if isinstance(stop, ChanceStop):
            outcome = game.wording.find_outcome(stop.outcomes, words)
            assert outcome is not None
            machine.draw(table, outcome, game.knowledge)
        else:
            assert isinstance(stop, Decision)
            choice = game.answers.find(table, stop.choices, words)
            assert choice is not None
            machine.choose(table, choice, game.knowledge)
        stop = machine.advance(table, game.knowledge)
    assert isinstance(stop, Decision)
    return table, stop


def answer(game: Instance, name: str, table: Table, stop: Decision, seed: int = 1) -> str:
    """What a bot answers there."""
    turn = Turn(game, stop.seat, stop.choices, table)
    return turn.words[maker(game, bot(name))(stream(seed, 0, 0)).pick(turn)]


THREE = tuple(f"choose {column}" for column in (3, 4, 3, 4, 3))
"""Connect four: A has three discs in a column."""


@pytest.mark.parametrize("name", ["flat:70", "mcts:60"])
def test_a_win_is_seen(name: str) -> None:
    """Who has three in a column drops the fourth."""
    game = shipped("connect_four")

    assert answer(game, name, *after(game, *THREE, "choose 5")) == "choose 3"


@pytest.mark.parametrize("name", ["mcts:200"])
def test_a_loss_is_prevented(name: str) -> None:
    """Who faces three in a column covers them."""
    game = shipped("connect_four")

    assert answer(game, name, *after(game, *THREE)) == "choose 3"


def test_certain_ends_are_not_tried_on() -> None:
    """A search whose end is proved stops, however many rounds it may take."""
    game = shipped("tictactoe")
    marks = ("1, 1", "2, 1", "1, 2", "2, 2")
    table, stop = after(game, *(f"choose grid[{mark}]" for mark in marks))

    assert answer(game, "mcts:10000000", table, stop) == "choose grid[1, 3]"


@pytest.mark.parametrize("name", ["flat:200", "ismcts:200"])
def test_nobody_folds_the_best_card(name: str) -> None:
    """Kuhn poker: facing a bet, the king calls and the jack folds."""
    game = shipped("kuhn")

    assert answer(game, name, *after(game, "Q", "K", "bet")) == "call"
    assert answer(game, name, *after(game, "Q", "J", "bet")) == "fold"


def test_a_score_is_followed() -> None:
    """Greedy takes the answer that leaves it furthest ahead at once."""
    game = shipped("reversi")
    table, stop = after(game)
    judged = standing(game)

    turn = Turn(game, stop.seat, stop.choices, table)
    picked = maker(game, bot("greedy"))(stream(1, 0, 0)).pick(turn)
    gains = []
    for choice in stop.choices:
        there = table.copy()
        game.interpreter.choose(there, choice)
        game.interpreter.advance(there)
        scores = judged(there)
        assert scores is not None
        gains.append(scores[stop.seat] - scores[1 - stop.seat])

    assert gains[picked] == max(gains)


def test_who_goes_round_in_circles_finds_the_way_out(tmp_path: Path) -> None:
    """Greedy players who would wait for ever, for every way out begins with a loss, end the game.

    The third time that all is as it was they answer what they have answered least there.
    """
    game = load(written(tmp_path, RING))

    for number in range(3):
        played = played_by(
            game, makers(game, bots("greedy,greedy"), "0 - toll[p]"), 5, number, node_limit=1000
        )
        assert played.ending is Ending.FINISHED


RING = """rulebook ring "Who wants out has to lose a point first"
    seats 2..2
var toll per player: 0..3 = 0
var height: 0..3 = 0
var active: player = A
start
    -> turn
phase turn
    active chooses "Which way?"
        wait
            active = next(active)
        climb "Climb, at a loss"
            toll[active] = 1
            height += 1
            if height is 3 "At the top?"
                end winners [active]
        slide "Slide down"
            when height > 0
            toll[active] = 0
            height -= 1
    -> turn
"""


def secret_turns(game: Instance, seed: int, most: int) -> Iterator[tuple[Turn, Turn]]:
    """Decisions of a game as they are, and each in a world that its seat cannot tell from it."""
    machine, source = game.interpreter, stream(seed, 0, CHANCE)
    table = machine.start()
    stop = machine.advance(table, game.knowledge)
    for at in count():
        if isinstance(stop, Terminal) or at == most:
            return
        if isinstance(stop, ChanceStop):
            machine.draw(
                table, stop.outcomes.drawn(source.below(stop.outcomes.total)), game.knowledge
            )
        else:
            seat = stop.seat if isinstance(stop, Decision) else stop.seats[0]
            choices = asked_of(stop, seat)
            turn = Turn(game, seat, choices, table.copy())
            other = Mind.of(game).worlds.world(turn.view, Drawn(source))
            imagined = asked_of(machine.advance(other), seat)
            yield turn, Turn(game, seat, imagined, other)
            machine.choose(table, choices[source.below(len(choices))], game.knowledge)
        stop = machine.advance(table, game.knowledge)


@pytest.mark.parametrize(
    ("game", "score", "most"),
    [
        ("kuhn", None, 12),
        ("klink", LOW, 8),
        pytest.param("klink", LOW, 60, marks=pytest.mark.long),
        pytest.param("highjinks", LEAD, 60, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", ["greedy:1", "ismcts:3:cut=1"])
def test_nobody_peeks(game: str, score: str | None, most: int, name: str) -> None:
    """In a world that a seat cannot tell from the table its bot answers the same."""
    played = shipped(game)
    make = maker(played, bot(name), score)

    for turn, other in secret_turns(played, 3, most):
        assert turn.view == other.view
        assert make(stream(1, 0, 0)).pick(turn) == make(stream(1, 0, 0)).pick(other)


def match(game: Instance, said: str, number: int, seed: int = 5, score: str | None = None) -> Match:
    """One game between bots."""
    return played_by(game, makers(game, bots(said), score), seed, number)


def wins(game: Instance, said: str, games: int, score: str | None = None) -> float:
    """What the first bot wins of games in which it sits on every seat in turn against others."""
    strong, weak = bots(said)
    total = 0.0
    for number in range(games):
        seat = number % game.seats
        seated = [strong if at == seat else weak for at in range(game.seats)]
        played = played_by(game, makers(game, seated, score), 7, number)
        total += rewards(played.result, game.seats)[seat]
    return total


def test_a_game_between_bots_can_be_played_again() -> None:
    """The same seed gives the same game, another one another."""
    game = shipped("tictactoe")
    games = [match(game, "mcts:30,flat:30", number) for number in (0, 1)]

    assert games == [match(game, "mcts:30,flat:30", number) for number in (0, 1)]
    assert games != [match(game, "mcts:30,flat:30", number, seed=6) for number in (0, 1)]


@pytest.mark.parametrize(
    "name",
    [
        "leduc",
        "whist",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("klink", "jinks", "jinxx", "highjinks")
        ),
    ],
)
def test_bots_play_every_kind_of_rulebook(name: str) -> None:
    """Dice, hidden hands, sealed answers: the first decisions of a game are answered."""
    game = shipped(name)

    for turn, _ in secret_turns(game, 1, 4):
        for said in ("flat:1:cut=1", "ismcts:1"):
            assert (
                0
                <= maker(game, bot(said), "p.seat")(stream(1, 0, 0)).pick(turn)
                < len(turn.choices)
            )


@pytest.mark.parametrize("name", ["connect_four", "pig"])
def test_a_tree_grows_alike_on_machines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gives the same answers whether its tree is gone through by a machine or not."""
    stepped = load(name)
    assert Mind.of(stepped).stepper is not None
    monkeypatch.setattr(mind, "_stepper", lambda _: None)
    interpreted = load(name)
    assert Mind.of(interpreted).stepper is None

    one, other = (
        played_by(game, makers(game, bots("mcts:30,random")), 5, 0)
        for game in (stepped, interpreted)
    )
    assert one == other


def test_thinking_beats_chance() -> None:
    """Little thought is enough against none: connect four, and dice."""
    assert wins(shipped("connect_four"), "mcts:40,random", 3) == 3
    assert wins(shipped("pig"), "mcts:20,random", 2) == 2


@pytest.mark.long
def test_little_thought_wins_high_jinks() -> None:
    """Who looks one step ahead beats who does not."""
    assert wins(shipped("highjinks"), "greedy:1,random", 4, LEAD) == 4


def test_a_thousand_rounds_never_lose_tictactoe() -> None:
    """Neither first nor second."""
    game = shipped("tictactoe")

    for number in range(2):
        seat = number % 2
        seated = [bot("mcts:1000") if at == seat else bot("random") for at in range(2)]
        played = played_by(game, makers(game, seated), 11, number)
        assert rewards(played.result, 2)[seat] > 0


@pytest.mark.long
def test_a_thousand_rounds_lose_no_line_of_tictactoe() -> None:
    """Whatever the other answers, in every line there is, on either seat."""
    game = shipped("tictactoe")
    known: dict[bytes, int] = {}
    make = maker(game, bot("mcts:1000"))

    def worst(table: Table, seat: int) -> float:
        stop = game.interpreter.advance(table)
        if isinstance(stop, Terminal):
            return rewards(stop.result, 2)[seat]
        assert isinstance(stop, Decision)
        taken = stop.choices
        if stop.seat == seat:
            key = game.packing.pack(table)
            if key not in known:
                turn = Turn(game, seat, stop.choices, table)
                known[key] = make(stream(1, 0, seat)).pick(turn)
            taken = (stop.choices[known[key]],)
        found = []
        for choice in taken:
            there = table.copy()
            game.interpreter.choose(there, choice)
            found.append(worst(there, seat))
        return min(found)

    assert [worst(game.interpreter.start(), seat) for seat in (0, 1)] == [0.5, 0.5]


@pytest.mark.long
def test_a_thousand_rounds_beat_chance_in_connect_four() -> None:
    """In at least 95 of 100 games: 20 of 20 here."""
    assert wins(shipped("connect_four"), "mcts:1000,random", 20) >= 19


@pytest.mark.long
def test_information_sets_beat_chance_in_klink() -> None:
    """Ten of these thirty short games would be chance; thirty rounds win half or more."""
    game = load("klink", point_limit=15)

    assert wins(game, "ismcts:30,random", 30, LOW) >= 15


@pytest.mark.long
def test_information_sets_beat_chance_in_high_jinks() -> None:
    """Ten rounds and four decisions ahead are enough: 14 of 14 here."""
    assert wins(shipped("highjinks"), "ismcts:10:cut=4,random", 10, LEAD) >= 9


# ---- names


def test_names_say_how_long_bots_think() -> None:
    """Rounds, seconds, playouts, cuts and curiosity in any order."""
    assert bots("mcts:1000,random") == (
        Bot("mcts:1000", "mcts", rounds=1000),
        Bot("random", "random"),
    )
    assert bot("ismcts:2s:cut=6:c=1.5") == Bot(
        "ismcts:2s:cut=6:c=1.5", "ismcts", seconds=2, cut=6, exploration=1.5
    )
    assert bot("ismcts:9:each=32").each == 32
    assert bot("mcts:500ms").seconds == 0.5
    assert (bot("mcts").rounds, bot("mcts:2s").is_timed, bot("mcts:9").is_timed) == (
        1000,
        True,
        False,
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("mtcs:10", "did you mean `mcts`?"),
        ("mcts:10,", "between its commas"),
        ("", "between its commas"),
        ("mcts:0", "0 is not from 1"),
        ("mcts:99999999999999999999", "is not from 1"),
        ("mcts:fast", "`fast` is neither a number of rounds"),
        ("mcts:0s", "more than no time"),
        ("random:5", "does not think"),
        ("ismcts:each=257", "257 is not from 1 to 256"),
        ("flat:cut=-1", "`cut=-1` is neither"),
    ],
)
def test_names_that_mean_nothing(said: str, told: str) -> None:
    """What is wrong is said, with what would do."""
    with pytest.raises(UnknownBot, match=told.replace("?", r"\?")):
        bots(said)


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (None, "does not say how players stand"),
        ("points[p]", "nothing is called `points`"),
        ("true", "a score is a number"),
        ("1 +", "expected a value"),
        ("1\n    define x = 2", "on one line"),
        ("", "on one line"),
    ],
)
def test_scores_that_are_none(score: str | None, told: str) -> None:
    """Who needs a score says what is wrong with the one there is."""
    with pytest.raises(NoStanding, match=told):
        maker(shipped("connect_four"), bot("greedy"), score)


def test_rules_may_say_how_players_stand(tmp_path: Path) -> None:
    """A `standing` of the rulebook is taken before the scores at the end."""
    said = written(tmp_path, PILES)
    game = load(said)
    assert list(game.compiled.spec.report) == []
    table = game.interpreter.start()

    assert standing(game)(table) == (8, 9)
    assert standing(game, "p.seat")(table) == (1, 2)


PILES = """rulebook piles "Nothing but a score"
    seats 2..2
var left per player: 0..9 = 1
define standing(p: player) = left[p] + 6 + p.seat
start
    A chooses "End?"
        over "Over"
            end scores left
"""


def test_time_needs_a_clock() -> None:
    """Nobody reads a clock unless he was given one; one round is always thought."""
    game = shipped("connect_four")
    ticks = count()
    table, stop = after(game)
    turn = Turn(game, stop.seat, stop.choices, table)
    with pytest.raises(ValueError, match="clock"):
        maker(game, bot("mcts:2s"))

    timed = maker(game, bot("mcts:20s"), clock=lambda: float(next(ticks)))(stream(1, 0, 0))

    assert timed.pick(turn) == maker(game, bot("mcts:19"))(stream(1, 0, 0)).pick(turn)
