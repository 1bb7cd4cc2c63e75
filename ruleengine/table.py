"""The working state of the reference interpreter: a table with tokens on it.

Private to the interpreter.  Tokens have handles here, which lets rules move and compare them
simply; the canonical bytes (`packing`) forget the handles, so that twins which no rule can tell
apart are the same.  A token without a kind lies face down and nobody has seen it: it belongs to a
pool, which knows only how many of each sort its tokens have between them.  Its sticky flags are
hidden with its face, and their bits are 0.
"""

from attrs import define, field

from compiler.graph.core import Value

UNRESOLVED = -1
NO_POOL = -1


@define
class Table:
    """Where everything is.  Lists indexed by token handle, place index or slot number."""

    # per token
    kind: list[int]  # index in its class's kinds, or UNRESOLVED
    pool: list[int]  # place index of the pool an unresolved token belongs to, or NO_POOL
    place: list[int]
    face: list[bool]  # face up
    flags: list[int]  # bit mask, bits numbered by `Statics.flag_bits`
    looked: list[int]  # seat mask: who, as everybody knows, has seen this face where it lies
    knows: list[int]  # observer mask (seats, then the public): who can name this hidden cell
    # per place
    cells: list[list[int]]  # token handles; index 0 = top of a pile; sets in no particular order
    # hidden chance: pool (place index) -> number of tokens of each sort (`Statics.sort`) it has;
    # a pool without tokens is not there
    pools: dict[int, list[int]]
    # (observer, place index) -> number of cards of each sort known to be among the unnamed ones
    facts: dict[tuple[int, int], list[int]]
    # slots
    values: list[Value]
    # control
    node: int
    stack: list[int] = field(factory=list)  # call nodes; -1 - n: a trigger to resume at node n
    fired: int = 0  # bit mask: triggers waiting for their turn
    held: int = 0  # bit mask: triggers whose condition held when last tested
    in_trigger: bool = False

    def copy(self) -> "Table":
        """An independent table in the same situation."""
        return Table(
            self.kind[:],
            self.pool[:],
            self.place[:],
            self.face[:],
            self.flags[:],
            self.looked[:],
            self.knows[:],
            [cells[:] for cells in self.cells],
            {pool: counts[:] for pool, counts in self.pools.items()},
            {key: counts[:] for key, counts in self.facts.items()},
            self.values[:],
            self.node,
            self.stack[:],
            self.fired,
            self.held,
            self.in_trigger,
        )
