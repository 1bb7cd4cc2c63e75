"""The parts of a canonical state: how what lies on a table is spelled in fields.

A field is a run of atoms, whole numbers of 1, 2, 4 or 8 bytes.  Parts name fields by position in
`Layout.fields`.  In short:

* a set is a *bag* for each face and set of flags its tokens can have there, and a bag counts kinds;
* ordered places and single cells keep *cells*; places that could hold far more between them than
  there are tokens share one run of cells;
* a board of single cells is a bitboard for each kind where that is small;
* a token that a variable refers to is named by its kind and which of its copies it is, in the
  order in which they lie;
* locals of phases that never need room at one time share it.
"""

from typing import TypeAlias

from attrs import frozen

from compiler.graph.codec import Codec
from compiler.graph.core import Variable
from compiler.shown import Shown


@frozen(repr=False)
class Field(Shown):
    """`count` atoms of `width` bytes from byte `offset`; `start` numbers the first of all atoms."""

    name: str
    width: int
    count: int
    offset: int
    start: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.width * self.count


@frozen(repr=False)
class Plane(Shown):
    """Bit `sort - first` of a field (`WORD` bits to an atom): more than so many copies are there.

    `sorts` are those with enough copies to ask for.
    """

    field: int
    first: int
    sorts: tuple[int, ...]


@frozen(repr=False)
class Multiset(Shown):
    """How many of each sort: plane j says which have more than j copies, or a count for each.

    `copies` bounds the number of each sort, 0 where none can be.
    """

    copies: tuple[int, ...]
    planes: tuple[Plane, ...]
    counts: int | None

    @property
    def sorts(self) -> tuple[int, ...]:
        """The sorts that can be there, ascending."""
        return tuple(sort for sort, most in enumerate(self.copies) if most)


@frozen(repr=False)
class Bag(Shown):
    """The tokens of one class, face and set of flags in a set, by kind."""

    place: int
    token_class: str
    face: bool
    flags: tuple[str, ...]
    contents: Multiset


@frozen(repr=False)
class Unresolved(Shown):
    """How many cards without a kind, of one pool and set of flags, lie in a set, face down."""

    place: int
    token_class: str
    flags: tuple[str, ...]
    pool: int
    field: int


@frozen(repr=False)
class CellCode(Shown):
    """How one token is spelled: 0 for an empty cell, else a number and marks above it.

    The number is kind + 1, or one for each pool behind all kinds.  Above its `bits` comes a bit for
    face down if both faces occur, then one for each flag.
    """

    kinds: int
    pools: tuple[int, ...]
    faces: tuple[bool, ...]
    flags: tuple[str, ...]

    @property
    def bits(self) -> int:
        """Bits of the number."""
        return (self.kinds + len(self.pools)).bit_length()

    @property
    def face_bits(self) -> int:
        """1 if the face is spelled out, else 0."""
        return int(len(self.faces) > 1)

    @property
    def largest(self) -> int:
        """A bound for the code."""
        return (1 << self.bits + self.face_bits + len(self.flags)) - 1


@frozen(repr=False)
class Rows(Shown):
    """Ordered places that share a run of cells, in order of place, each from its first cell.

    `ends` has the number of cells up to the end of each place; `None` for a single cell.
    """

    places: tuple[int, ...]
    token_class: str
    ends: int | None
    cells: int
    capacity: int
    code: CellCode


@frozen(repr=False)
class Board(Shown):
    """A board of single cells as a bitboard for each kind (`fields`): bit i is the i-th square.

    In the order of the squares, so that the lowest bit of a set of them is its first; lines and
    steps need no guard column, since what they are tested at is known before play.
    """

    zone: str
    token_class: str
    places: tuple[int, ...]
    fields: tuple[int, ...]


@frozen(repr=False)
class Pool(Shown):
    """The sorts that the cards of a pool have between them; `place` is what was shuffled."""

    place: int
    token_class: str
    contents: Multiset


@frozen(repr=False)
class Names(Shown):
    """What variables call the tokens of a class: numbers from 1.

    The i-th token of a kind is called `first[kind] + i`, counted over the places by index, from the
    first cell on; in a set by face and flags, and among twins those that are referred to before
    others, by what refers to them.  The i-th one without a kind is called `unresolved + i`.
    """

    token_class: str
    first: tuple[int, ...]
    unresolved: int


@frozen(repr=False)
class Slot(Shown):
    """A variable; bank 1 is that of a local while a trigger runs.  Members follow each other."""

    variable: Variable
    bank: int
    codec: Codec
    field: int


@frozen(repr=False)
class Control(Shown):
    """Where play is.  A stack entry is a call node, or `RESUME` more than the node to resume at."""

    node: int
    depth: int | None
    stack: int | None
    fired: int | None
    held: int | None
    in_trigger: int | None


RESUME = 1 << 15
"""Marks the stack entry under a trigger."""


@frozen(repr=False)
class Sight(Shown):
    """A bit for each observer and cell of `rows` (its position in `Layout.rows`).

    `looked`: those who, as everybody knows, may have seen a face where it lies; `knows`: those who
    may be able to name it.  The n-th of these, all in one line, has bits n * capacity on.
    """

    rows: int
    looked: tuple[int, ...]
    knows: tuple[int, ...]
    field: int


@frozen(repr=False)
class Facts(Shown):
    """Sorts that one observer knows to be among the cards of a place that he cannot name."""

    observer: int
    place: int
    token_class: str
    contents: Multiset


Part: TypeAlias = Bag | Unresolved | Rows | Board | Pool | Slot | Sight | Facts
"""What fields can spell, control apart."""
