"""Who has edited what: two variants that edit one thing conflict."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.source import Span
from compiler.variant.errors import EditedTwice

# From the declaration inwards: ("turn",), ("turn", "Draw 2 cards"), ("turn", "stop", "@JK-5.1").
Key: TypeAlias = tuple[str, ...]


@frozen
class Entry:
    """One edit; an exclusive one leaves nothing of what it edits for others to edit."""

    key: Key
    exclusive: bool
    variant: str
    span: Span

    def clashes(self, other: "Entry") -> bool:
        """Whether one of the two takes away, or changes as a whole, what the other edits."""
        shared = min(len(self.key), len(other.key))
        if self.key[:shared] != other.key[:shared]:
            return False
        if len(self.key) == len(other.key):
            return self.exclusive or other.exclusive
        outer = self if len(self.key) == shared else other
        return outer.exclusive


@define
class Ledger:
    """All edits so far; a variant may edit again what those that it is a variant of have edited."""

    _ancestors: dict[str, tuple[str, ...]] = field(factory=dict)
    _entries: list[Entry] = field(factory=list)

    def open(self, variant: str, of: str) -> None:
        """From here on a variant, which may be one of another variant, is laid over."""
        self._ancestors[variant] = (of, *self._ancestors.get(of, ()))

    @property
    def variants(self) -> Mapping[str, Sequence[str]]:
        """The variants so far, and what each is laid over."""
        return self._ancestors

    def clash(self, entry: Entry) -> EditedTwice | None:
        """The conflict with an earlier edit, if there is one."""
        for earlier in self._entries:
            if earlier.variant in self._ancestors.get(entry.variant, ()):
                continue
            if earlier.clashes(entry):
                shorter = min(earlier.key, entry.key, key=len)
                note = (earlier.span, f"the other edit, in `{earlier.variant}`")
                return EditedTwice(shorter[-1], span=entry.span, notes=(note,))
        return None

    def add(self, entry: Entry) -> None:
        """Remember an edit that was made."""
        self._entries.append(entry)
