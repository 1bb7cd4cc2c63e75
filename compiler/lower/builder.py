"""Collects nodes in the order of the text and joins their ways.

While a block is lowered, `open` holds the ways that lead to whatever comes next.  A step that never
goes on leaves nothing open; a step with two ways leaves both to be joined by its own lowering.
"""

from attrs import define, field

from compiler.graph.core import Clauses, Named, Node, Step
from compiler.source import Span

Way = tuple[int, int]
"""A node and which of its ways."""

NOWHERE = -1


@define(eq=False)
class Draft:
    """A node whose ways are not all joined yet."""

    step: Step
    next: list[int]
    phase: str
    title: str
    clauses: Clauses
    span: Span | None
    named: int | None


@define(eq=False)
class Builder:
    """The nodes of a game on the way."""

    drafts: list[Draft] = field(factory=list)
    named: list[Named] = field(factory=list)
    open: list[Way] = field(factory=list)
    phase: str = ""
    inside: int | None = None  # the innermost named step
    entering: bool = False  # whether the next node is a beginning that nothing joins yet

    @property
    def goes_on(self) -> bool:
        """Whether anything leads to what comes next."""
        return bool(self.open) or self.entering

    def begin(self, phase: str) -> int:
        """Starts a phase; the id of the node that will be its first."""
        self.phase, self.open, self.inside, self.entering = phase, [], None, True
        return len(self.drafts)

    def emit(
        self,
        step: Step,
        ways: int = 1,
        title: str = "",
        clauses: Clauses = (),
        span: Span | None = None,
    ) -> int:
        """Adds a node behind what is open; with one way, that way is open then."""
        node = len(self.drafts)
        self.drafts.append(
            Draft(step, [NOWHERE] * ways, self.phase, title, clauses, span, self.inside)
        )
        self.join(self.open, node)
        self.open = [(node, 0)] if ways == 1 else []
        self.entering = False
        return node

    def join(self, ways: list[Way], node: int) -> None:
        """Leads ways to a node."""
        for draft, which in ways:
            self.drafts[draft].next[which] = node

    def name(self, title: str, clauses: Clauses, span: Span) -> int:
        """Opens a named step; returns the one around it, to come back to, via `inside`."""
        self.named.append(Named(title, self.phase, clauses, self.inside, span))
        self.inside = len(self.named) - 1
        return self.inside

    def mark(self) -> tuple[int, int, list[Way], int | None, bool]:
        """What to come back to with `forget`."""
        return len(self.drafts), len(self.named), self.open[:], self.inside, self.entering

    def forget(self, mark: tuple[int, int, list[Way], int | None, bool]) -> None:
        """Drops what was lowered since: a branch that this configuration never takes."""
        drafts, named, self.open, self.inside, self.entering = mark
        del self.drafts[drafts:]
        del self.named[named:]

    def nodes(self, entries: tuple[int, ...]) -> tuple[tuple[Node, ...], dict[int, int]]:
        """The finished nodes that can be reached from the entries, renumbered in text order."""
        reached: set[int] = set()
        pending = list(entries)
        while pending:
            node = pending.pop()
            if node in reached or node == NOWHERE:
                continue
            reached.add(node)
            pending += self.drafts[node].next
        order = sorted(reached)
        number = {old: new for new, old in enumerate(order)}
        made = tuple(
            Node(
                number[old],
                draft.step,
                tuple(number[n] for n in draft.next),
                draft.phase,
                draft.title,
                draft.clauses,
                draft.span,
                draft.named,
            )
            for old in order
            for draft in (self.drafts[old],)
        )
        return made, number
