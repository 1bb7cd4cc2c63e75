"""What goes wrong while a game runs: the spec is at fault, and the error says where.

`Fault` is raised where a check fails; the interpreter adds where it was and raises `RuleError`.
`Unresolved` and `Exposed` are no errors: hidden tokens must get their kinds first.
"""

from attrs import frozen

from compiler.graph.core import Clauses, Node
from compiler.source import Span


class Fault(Exception):
    """A check failed; `message` says in the game's words what is wrong."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class Unresolved(Exception):
    """A term reads the face of a token whose kind is not settled yet."""

    def __init__(self, token: int) -> None:
        super().__init__(token)
        self.token = token


class Exposed(Exception):
    """A step would show tokens that have no kind yet, or needs it; `tokens` in place order."""

    def __init__(self, tokens: list[int]) -> None:
        super().__init__(tokens)
        self.tokens = tokens


@frozen
class Where:
    """The node at which a check failed, as a person finds it."""

    node: int
    phase: str
    title: str
    span: Span | None
    clauses: Clauses

    @classmethod
    def of(cls, node: Node) -> "Where":
        """The place of a node."""
        return cls(node.id, node.phase, node.title, node.span, node.clauses)


class RuleError(Exception):
    """A game cannot go on as its spec says: a check failed, or it never stops.

    `where` is the node it happened at; `nodes` names all nodes of a loop that does not end.
    """

    def __init__(
        self,
        message: str,
        where: Where | None = None,
        span: Span | None = None,
        nodes: tuple[Where, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.span = span if span is not None else where.span if where is not None else None
        self.nodes = nodes

    @property
    def clauses(self) -> Clauses:
        """The clauses of the node it happened at."""
        return self.where.clauses if self.where is not None else ()

    def __str__(self) -> str:
        if self.where is None:
            return self.message
        title = f' "{self.where.title}"' if self.where.title else ""
        place = f"node {self.where.node}" if self.span is None else str(self.span)
        return f"{self.message} (phase {self.where.phase}{title}, {place})"
