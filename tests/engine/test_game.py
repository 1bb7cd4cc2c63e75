"""Playing a game by words and by rank."""

import operator
import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import ruleengine
from ruleengine.game import IllegalAnswer, Instance, RefusedSpec, State, load
from ruleengine.rng import CHANCE, stream
from ruleengine.stops import ChanceStop, Decision, Terminal
from tests.engine.games import COUNTER, STUCK, written


@pytest.fixture(name="kuhn", scope="module")
def fixture_kuhn() -> Instance:
    """Kuhn poker: two chance stops, then at most three decisions."""
    return load("kuhn")


def _words(game: Instance, state: State) -> list[str]:
    return [option.words for option in game.options(state)]


def test_ten_names_are_public() -> None:
    """The package exports ten names and fetches each from where it lives."""
    assert len(ruleengine.__all__) == 10
    assert all(getattr(ruleengine, name) is not None for name in ruleengine.__all__)
    assert ruleengine.load is load
    with pytest.raises(ImportError, match="nothing"):
        exec("from ruleengine import nothing")


def test_a_seed_draws_all_chance(kuhn: Instance) -> None:
    """With a seed a game goes from decision to decision, the same way every time."""
    state = kuhn.start(seed=3)

    assert isinstance(kuhn.stop(state), Decision)
    assert _words(kuhn, state) == ["bet", "check"]
    assert bytes(kuhn.start(seed=3)) == bytes(state)


def test_without_a_seed_chance_waits(kuhn: Instance) -> None:
    """Without a seed somebody says what chance does, in words or by rank."""
    state = kuhn.start()
    dealt = kuhn.apply(kuhn.apply(state, "K"), "J")

    assert kuhn.chances(state) == tuple((card, Fraction(1, 3)) for card in "JQK")
    assert kuhn.options(state) == ()
    assert kuhn.start(chance=["K", "J"]) == dealt
    assert kuhn.apply(kuhn.apply(state, 2), 0) == dealt


def test_forced_chance_goes_before_drawn_chance(kuhn: Instance) -> None:
    """What is forced happens first; the rest is drawn from the state's own stream."""
    state = kuhn.start(seed=3, chance=["Q"])

    assert isinstance(kuhn.stop(state), Decision)
    assert "hand[A]: Q" in kuhn.show(state, 0).replace("(Q)", "Q")


def test_a_stream_can_be_lent(kuhn: Instance) -> None:
    """A stream handed in is drawn from and left where it has got to."""
    lent = stream(3, 0, CHANCE)
    state = kuhn.start(chance=lent)

    assert state == kuhn.start(seed=3)
    assert lent != stream(3, 0, CHANCE)


def test_a_game_to_its_end(kuhn: Instance) -> None:
    """A bet and a call with the better card win two."""
    state = kuhn.start(chance=["K", "J"])
    for answer in ("bet", "call"):
        assert kuhn.outcome(state) is None
        state = kuhn.apply(state, answer)
    result = kuhn.outcome(state)

    assert result is not None
    assert (result.winners, result.scores) == ((0,), (2, -2))
    assert isinstance(kuhn.stop(state), Terminal)


def test_apply_leaves_the_state_alone(kuhn: Instance) -> None:
    """A state is a value: two answers to it lead to two states."""
    state = kuhn.start(seed=3)
    before = bytes(state)
    bet, check = (kuhn.apply(state, option) for option in kuhn.options(state))

    assert bet != check
    assert bytes(state) == before


def test_states_are_equal_as_situations(kuhn: Instance) -> None:
    """What players know and where chance has got to make no two situations of one."""
    drawn = kuhn.start(seed=3)
    same = kuhn.state(bytes(drawn))
    other_knowledge = kuhn.state(drawn.core + b"\1" * (len(drawn) - len(drawn.core)))
    copy = pickle.loads(pickle.dumps(drawn))

    assert (drawn == same, hash(drawn) == hash(same)) == (True, True)
    assert bytes(drawn) != bytes(other_knowledge)
    assert drawn == other_knowledge
    assert not operator.ne(drawn, other_knowledge)
    assert (copy, copy.stream) == (drawn, drawn.stream)
    assert drawn != kuhn.apply(drawn, "bet")
    assert drawn != bytes(drawn)


@pytest.mark.parametrize("answer", ["raise", 2, -1])
def test_what_does_not_fit_is_refused(kuhn: Instance, answer: str | int) -> None:
    """An answer that is not offered is refused with those that are."""
    with pytest.raises(IllegalAnswer) as refused:
        kuhn.apply(kuhn.start(seed=3), answer)

    assert refused.value.fits == ("bet", "check")


def test_an_option_of_another_stop_is_refused(kuhn: Instance) -> None:
    """An option belongs to the list it came from."""
    first = kuhn.start(seed=3)
    second = kuhn.apply(first, "bet")

    with pytest.raises(IllegalAnswer):
        kuhn.apply(second, kuhn.options(first)[0])


def test_an_outcome_that_cannot_be_is_refused(kuhn: Instance) -> None:
    """A card that has been dealt is not dealt again."""
    state = kuhn.apply(kuhn.start(), "K")

    assert isinstance(kuhn.stop(state), ChanceStop)
    with pytest.raises(IllegalAnswer) as refused:
        kuhn.apply(state, "K")
    assert refused.value.fits == ("J", "Q")


def test_words_tell_only_what_the_chooser_knows() -> None:
    """A card whose face the chooser cannot see is called by its place."""
    game = load("klink")
    state = game.start(seed=1)
    stop = game.stop(state)

    assert isinstance(stop, Decision)
    assert _words(game, state) == ["choose drawn[1]", "choose drawn[2]"]
    assert "drawn: ? ×2" in game.show(state, (stop.seat + 1) % game.seats)


def test_options_cite(kuhn: Instance) -> None:
    """An option carries the clauses that allow it; the rules of a classic cite nothing."""
    game = load("klink")
    state = game.apply(game.start(seed=1), 0)
    cited = {option.words: option.clauses for option in game.options(state)}

    assert cited["keep"] == ("KL-4.3", "KL-4.5")
    assert kuhn.options(kuhn.start(seed=3))[0].clauses == ()


def test_why_not(tmp_path: Path) -> None:
    """Of an answer that is not offered the rule that forbids it is told."""
    game = load(written(tmp_path, COUNTER), heap=3)
    state = game.apply(game.start(), "choose 2")

    assert _words(game, state) == ["choose 1"]
    assert game.why_not(state, "choose 1").legal
    refused = game.why_not(state, "choose 2")
    assert not refused.legal
    assert "n is at most left" in refused.words
    assert "left is 1" in refused.words
    assert not game.why_not(state, "choose 7").legal
    assert not game.why_not(state, "choose").legal
    assert "choose" in game.why_not(state, "steal 2").words
    assert not game.why_not(state, "choose B").legal


TWINS = """
rulebook twins "Twins"
    seats 2
card gem "Gems"
    value: 1..2
    copies 2
    written value
zone vault: set of gem, face up
zone hand per player: set of gem, face up
start
    move all of gem to vault
    move 1 of (all g in vault where g.value is 2) to hand[B]
    B chooses "What?"
        sell g in hand[B] "Sell"
            when g.value < 2
            move g to vault
        wait "Wait"
            end draw
    end winners B
"""


def test_why_not_of_twins(tmp_path: Path) -> None:
    """Of two cards of one name the one is meant that the option is about, wherever both lie."""
    game = load(written(tmp_path, TWINS))

    assert "value is less than 2" in game.why_not(game.start(), "sell 2").words
    assert "among" in game.why_not(game.start(), "sell 1").words


def test_settings(tmp_path: Path) -> None:
    """Players, readings and parameters are chosen when a game is loaded; a wrong one is refused."""
    path = written(tmp_path, COUNTER)
    game = load(path, players=3, rulings={"last": "loses"}, heap=1)
    ended = game.apply(game.start(), 0)
    result = game.outcome(ended)

    assert result is not None
    assert result.winners == (1, 2)
    with pytest.raises(RefusedSpec, match="4 players"):
        load(path, players=4)
    with pytest.raises(RefusedSpec, match="`heap` cannot be 99"):
        load(path, heap=99)
    with pytest.raises(RefusedSpec, match="nothing to set is called `stack`"):
        load(path, stack=1)


def test_a_draw_is_shared_by_all(tmp_path: Path) -> None:
    """Nobody loses a draw, also where no rule asks who is still in."""
    game = load(written(tmp_path, STUCK))
    result = game.outcome(game.apply(game.start(), "out"))

    assert result is not None
    assert (result.winners, result.ranking, result.draw) == ((0, 1), ((0, 1),), True)
