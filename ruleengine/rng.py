"""Streams of random numbers, the same on every machine and in every language.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): three 32-bit words and a counter, moved by
additions, shifts and exclusive-or only. All arithmetic is modulo 2**32. One round is

    result  = a + b + counter
    counter = counter + 1
    a       = b xor (b >> 9)
    b       = c + (c << 3)
    c       = (c rotated left by 21) + result

**Seeding.** A stream is named by (seed, game, stream): two 64-bit numbers and a stream number,
0 for chance and 1 + s for the policy of seat s. It begins as

    a, b, c, counter = 6a09e667, bb67ae85, 3c6ef372, 1       (the first words of SHA-256's start)
    a ^= low half of seed;  b ^= high half of seed;                 15 rounds, results dropped
    a ^= low half of game;  b ^= high half of game;  c ^= stream;   15 rounds, results dropped

so every stream begins with its counter at 31. A round can be undone, hence two names with the same
seed never begin in the same state, and neither do two seeds with the same game and stream.

**Drawing.** `below(n)` is exactly uniform (D. Lemire, ACM Trans. Model. Comput. Simul. 29, 2019).
`below(1)` draws nothing. Otherwise let k be the fewest words with n <= 2**(32 k): k is 1 for every
n up to 2**32. Draw k words, the first being the most significant, as one number x, and let
m = x * n. When the low 32 k bits of m are less than 2**(32 k) mod n, drop x and draw again;
else the answer is the high part, m >> (32 k).

First results, which every machine must give (more in `docs/decisions/002-random-streams.md`):

    >>> [f"{word:08x}" for word in words(stream(7, 0, CHANCE), 3)]
    ['defa387d', 'c50a618d', '264cfc18']
    >>> [f"{word:08x}" for word in words(stream(7, 1, 2), 3)]
    ['0a84b875', 'b1f3656d', '01745e56']
    >>> dice = stream(7, 0, CHANCE)
    >>> [1 + dice.below(6) for _ in range(10)]
    [6, 5, 1, 3, 1, 6, 1, 5, 5, 2]
"""

from typing import Final, Literal, Self, TypeAlias

from attrs import define

CHANCE: Final = "chance"
"""The stream of dice and shuffles; the other streams belong to the policies of seats."""

StreamName: TypeAlias = Literal["chance"] | int
"""Who draws: `CHANCE`, or the number of a seat, counted from 0."""

StreamState: TypeAlias = tuple[int, int, int, int]
"""The words a, b, c and the counter, each below 2**32."""

_WORD: Final = 1 << 32
_MASK: Final = _WORD - 1
_START: Final = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 1)
_ROUNDS: Final = 15


@define
class Stream:
    """One source of random numbers, and where it has got to. Equal streams go on alike."""

    _a: int
    _b: int
    _c: int
    _counter: int

    @classmethod
    def at(cls, state: StreamState) -> Self:
        """The stream that goes on from a state."""
        return cls(*state)

    @property
    def state(self) -> StreamState:
        """Where the stream is: all it needs to go on."""
        return self._a, self._b, self._c, self._counter

    def next32(self) -> int:
        """The next word, uniform over 0 up to 2**32 - 1."""
        result = (self._a + self._b + self._counter) & _MASK
        self._counter = (self._counter + 1) & _MASK
        self._a = self._b ^ (self._b >> 9)
        self._b = (self._c + (self._c << 3)) & _MASK
        rotated = (self._c << 21 | self._c >> 11) & _MASK
        self._c = (rotated + result) & _MASK
        return result

    def below(self, n: int) -> int:
        """A number from 0 up to n - 1, each exactly as likely; `ValueError` unless n is positive.

        Draws nothing when n is 1.
        """
        if n < 1:
            raise ValueError(f"no number from 0 up to {n - 1}")
        if n == 1:
            return 0
        bits = 32 * -(-(n - 1).bit_length() // 32)
        product = self._draw(bits) * n
        low = product & ((1 << bits) - 1)
        if low < n:
            refused = (1 << bits) % n
            while low < refused:
                product = self._draw(bits) * n
                low = product & ((1 << bits) - 1)
        return product >> bits

    def _draw(self, bits: int) -> int:
        """A number of so many bits, a multiple of 32; the first word drawn is the highest."""
        number = self.next32()
        for _ in range(bits // 32 - 1):
            number = number << 32 | self.next32()
        return number

    def _absorb(self, a: int, b: int, c: int) -> None:
        """Mix three words in, so that each of their bits reaches the whole state."""
        self._a ^= a
        self._b ^= b
        self._c ^= c
        for _ in range(_ROUNDS):
            self.next32()


def stream(seed: int, game: int, name: StreamName) -> Stream:
    """The stream of `name` in game number `game` of a run; `seed` and `game` are below 2**64.

    Every game has streams of its own, so it can be played alone, and changing how one seat plays
    leaves the dice and the other seats alone. Raises `ValueError` for numbers out of range.
    """
    number = 0 if name == CHANCE else name + 1
    named = name == CHANCE or 0 < number < _WORD
    if not (named and 0 <= seed < _WORD**2 and 0 <= game < _WORD**2):
        raise ValueError(f"no stream for seed {seed}, game {game}, {name}")
    fresh = Stream.at(_START)
    fresh._absorb(seed & _MASK, seed >> 32, 0)
    fresh._absorb(game & _MASK, game >> 32, number)
    return fresh


def words(source: Stream, count: int) -> list[int]:
    """The next `count` words of a stream."""
    return [source.next32() for _ in range(count)]
