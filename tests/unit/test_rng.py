"""Random streams: the numbers that every machine must draw, and that they are fair."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleengine import rng
from ruleengine.rng import CHANCE, Stream, StreamName, stream, words

TOP = 2**64 - 1

# (seed, game, stream) -> the state it begins in, its first four words, its thousandth
VECTORS: list[tuple[int, int, StreamName, str, str, str]] = [
    (0, 0, CHANCE, "5d6d90f2 61043ad6 b07d822b", "be71cbe7 959e4c6e 579a5fba 6fac3fe6", "6f9577a1"),
    (7, 0, CHANCE, "bdbdce23 213c6a3b 12350c27", "defa387d c50a618d 264cfc18 720ede50", "aff0759d"),
    (7, 1, CHANCE, "df0eaf10 a8a1fadd 2c892b2b", "87b0aa0c 39c82ec3 e663029b f6174eaf", "ff8fa9a2"),
    (7, 0, 0, "d7c63eeb 8041c8bc fbd68305", "580807c6 5a8c83a5 59eb75c7 97bc97ec", "2dfbf41a"),
    (7, 1, 2, "e2fe48af 27866fa7 f2edf815", "0a84b875 b1f3656d 01745e56 b37de6a0", "4d44b6bd"),
    (
        20250101,
        999999,
        1,
        "189ee4ff 1fc78dde 57cd4893",
        "386672fc 35fffb63 b79968db c10081d7",
        "e249dee3",
    ),
    (
        TOP,
        TOP,
        2**32 - 2,
        "148f1cbc 1f16cd91 3e282c4f",
        "33a5ea6c 4e82d5de d979651a cc3e9bb9",
        "1a31f571",
    ),
]


def hexes(numbers: list[int]) -> str:
    """Words as the tables write them."""
    return " ".join(f"{number:08x}" for number in numbers)


def starting_with(word: int) -> Stream:
    """A stream whose next word is `word`; its counter is at 0."""
    return Stream((word - 5) % 2**32, 5, 9, 0)


@pytest.mark.parametrize(("seed", "game", "name", "state", "first", "thousandth"), VECTORS)
def test_vectors(
    seed: int, game: int, name: StreamName, state: str, first: str, thousandth: str
) -> None:
    """The published numbers: every machine draws these."""
    source = stream(seed, game, name)
    assert hexes(list(source.state)) == f"{state} 0000001f"

    drawn = words(source, 1000)
    assert hexes(drawn[:4]) == first
    assert hexes(drawn[-1:]) == thousandth


def test_vectors_in_the_documentation() -> None:
    """The numbers that the documentation shows are the ones that are drawn."""
    assert doctest.testmod(rng) == doctest.TestResults(failed=0, attempted=4)


def test_all_words_wrap() -> None:
    """Every sum is taken modulo 2**32, the counter's too."""
    source = Stream(2**32 - 1, 2**32 - 1, 2**32 - 1, 2**32 - 1)

    assert source.next32() == 2**32 - 3
    assert source.state == (2**32 - 1 ^ (2**32 - 1 >> 9), 2**32 - 9, 2**32 - 4, 0)


def test_numbers_below() -> None:
    """Dice, cards and numbers of more than a word come from the same words in every machine."""
    source = stream(7, 0, CHANCE)
    drawn = [source.below(n) for n in (2, 3, 52, 2**32, 2**32 + 1, 10**30, 1, 6)]

    assert drawn == [1, 2, 7, 1913577040, 149737932, 37361428543828822580821984840, 0, 5]
    assert source.state == (3303630177, 646153230, 1005225275, 0x1F + 11)


def test_one_outcome_draws_nothing() -> None:
    """What is certain is not drawn: the stream stays where it is."""
    source = stream(7, 0, CHANCE)

    assert source.below(1) == 0
    assert source == stream(7, 0, CHANCE)


@pytest.mark.parametrize("n", [0, -1])
def test_no_outcome(n: int) -> None:
    """There is no number below zero to draw."""
    with pytest.raises(ValueError, match="no number"):
        stream(7, 0, CHANCE).below(n)


@given(st.integers(2, 2**32), st.data())
def test_every_outcome_has_equally_many_words(n: int, data: st.DataObject) -> None:
    """Of the 2**32 words exactly 2**32 // n stand for each outcome; the rest are drawn again."""
    outcome = data.draw(st.integers(0, n - 1))
    share = 2**32 // n
    lowest = -(-(outcome * 2**32 + 2**32 % n) // n)

    for word in (lowest, lowest + share - 1):
        source = starting_with(word)
        assert (source.below(n), source.state[3]) == (outcome, 1)
    for word in (lowest - 1, lowest + share):
        source = starting_with(word % 2**32)
        assert source.below(n) != outcome or source.state[3] > 1


def test_a_refused_word_is_drawn_again() -> None:
    """Three outcomes do not part 2**32 words evenly: the word 0 is one too many."""
    second = words(starting_with(0), 2)[1]
    source = starting_with(0)

    assert source.below(3) == second * 3 >> 32
    assert source.state[3] == 2


@given(st.integers(2, 2**100))
def test_numbers_stay_below(n: int) -> None:
    """A number below n is one of 0 up to n - 1, however large n is."""
    source = stream(1, 2, CHANCE)

    assert all(0 <= source.below(n) < n for _ in range(5))


@given(st.integers(2, 40), st.integers(0, TOP), st.integers(0, 1000))
def test_dice_are_fair(n: int, seed: int, game: int) -> None:
    """A thousand throws of a die with n sides stray no further than luck explains."""
    source = stream(seed, game, CHANCE)
    counts = [0] * n
    for _ in range(1000):
        counts[source.below(n)] += 1
    strays = sum((count - 1000 / n) ** 2 for count in counts) * n / 1000

    assert strays < (n - 1) + 9 * (2 * (n - 1)) ** 0.5 + 30


@given(st.integers(0, TOP), st.integers(0, TOP), st.integers(0, 5), st.integers(0, 159))
def test_names_spread(seed: int, game: int, seat: int, bit: int) -> None:
    """Changing one bit of a stream's name changes about half of the bits it begins with."""
    changed = [seed, game, seat]
    which, place = (0, bit) if bit < 64 else (1, bit - 64) if bit < 128 else (2, (bit - 128) % 31)
    changed[which] ^= 1 << place
    before = stream(seed, game, seat).state
    after = stream(*changed).state

    assert 20 <= sum((x ^ y).bit_count() for x, y in zip(before, after, strict=True)) <= 76


def test_streams_of_a_run_differ() -> None:
    """No two of the streams of a run begin alike."""
    names: list[StreamName] = [CHANCE, 0, 1, 2, 3, 4, 5]
    states = {stream(7, game, name).state for game in range(100) for name in names}

    assert len(states) == 700


@given(st.integers(0, TOP), st.integers(0, 20))
def test_a_stream_goes_on_from_its_state(seed: int, drawn: int) -> None:
    """The state is all there is: a stream set to it draws the same numbers."""
    source = stream(seed, 0, CHANCE)
    words(source, drawn)
    other = Stream.at(source.state)

    assert words(other, 5) == words(source, 5)


@pytest.mark.parametrize(
    ("seed", "game", "name"),
    [(-1, 0, CHANCE), (TOP + 1, 0, CHANCE), (0, -1, 0), (0, TOP + 1, 0), (0, 0, -1), (0, 0, 2**32)],
)
def test_no_such_stream(seed: int, game: int, name: StreamName) -> None:
    """Seeds and games are 64-bit numbers, seats are counted from 0."""
    with pytest.raises(ValueError, match="no stream"):
        stream(seed, game, name)
