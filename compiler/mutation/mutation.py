"""What a mutation is: an operator, a stretch of a rulebook, and what stands there instead."""

from enum import Enum

from attrs import field, frozen

from compiler.source import Span


class Operator(Enum):
    """How a rule is spoilt."""

    DROP_GUARD = "drop a guard"
    NEGATE_GUARD = "negate a guard or a test"
    FLIP_COMPARISON = "flip a comparison"
    CHANGE_CONSTANT = "change a constant by one"
    SWAP_NEXT = "swap next and previous, first and last, top and bottom"
    DROP_EFFECT = "drop an effect"
    REORDER_EFFECTS = "reorder two effects"
    CHANGE_FACE = "change a face"
    CHANGE_ZONE = "change a zone"
    DROP_TRIGGER = "drop a trigger"
    WIDEN_SIGHT = "widen visibility"
    SKIP_CHANCE = "skip a chance event"


@frozen
class Mutation:
    """One fault: `after` stands where `span` was.  `clauses` are those of the line, or of the step
    around it.  The `name` is the same as long as the text is.

    A game that comes to none of the lines `near` cannot tell it from the whole rulebook, provided
    that the step is one there: without any, every game may.  `around` are the lines of the
    declaration that it stands in, and `asks` the names that matter to it: in games that differ in
    nothing of these the fault comes to the same.
    """

    name: str
    operator: Operator
    span: Span
    after: str
    clauses: tuple[str, ...] = field(default=())
    near: range | None = field(default=None)
    around: range = field(default=range(0))
    asks: frozenset[str] = field(default=frozenset())

    @property
    def text(self) -> str:
        """The whole rulebook with the fault in it."""
        text = self.span.file.text
        return text[: self.span.start] + self.after + text[self.span.end :]

    @property
    def line(self) -> int:
        """Where it is, counted from 1."""
        return self.span.first.line

    @property
    def words(self) -> str:
        """What was done, on one line: `` `x < 3` -> `x <= 3` ``."""
        before, after = _plain(self.span.text), _plain(self.after)
        return f"`{before}` -> `{after}`" if after else f"without `{before}`"


def _plain(text: str) -> str:
    """A text on one line, its citations left out."""
    lines = (line.partition("@")[0].partition("--")[0] for line in text.split("\n"))
    return " ".join(" ".join(lines).split())
