"""Ways through a tree that need no knowledge of its nodes: they read the fields.

Nothing here recurses, so that depth of nesting is no limit.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, fields

from compiler.diagnostic import InternalError
from compiler.syntax import ast
from compiler.syntax.ast import Node, Word

# the names of each kind's own fields, in reading order
_SLOTS: dict[type[Node], tuple[str, ...]] = {
    kind: tuple(slot.name for slot in fields(kind) if slot.name != "span")
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, Node)
}

# the same from the last to the first, of those that may hold nodes: a word holds none
_BACKWARDS = {kind: () if kind is Word else slots[::-1] for kind, slots in _SLOTS.items()}


def children(node: Node) -> Iterator[Node]:
    """The nodes right below, in reading order."""
    for slot in _SLOTS[type(node)]:
        value = getattr(node, slot)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def walk(*roots: Node) -> Iterator[Node]:
    """The nodes and all below, each before its children, in reading order."""
    waiting = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        yield node
        for slot in _BACKWARDS[type(node)]:
            value = getattr(node, slot)
            if isinstance(value, Node):
                waiting.append(value)
            elif isinstance(value, tuple):
                waiting += [item for item in reversed(value) if isinstance(item, Node)]


def alike(one: Node | tuple[Node, ...], other: Node | tuple[Node, ...]) -> bool:
    """Whether two nodes, or sequences of them, say the same; where they stand does not matter."""
    waiting: list[tuple[object, object]] = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, Node) and isinstance(b, Node):
            if type(a) is not type(b):
                return False
            waiting.extend((getattr(a, slot), getattr(b, slot)) for slot in _SLOTS[type(a)])
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            waiting.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def replaced(root: Node, target: Node, by: Sequence[Node]) -> Node:
    """The tree with other nodes where `target` stood; what does not enclose it is kept as it is.

    In a sequence any number of nodes may take its place, in a field of its own exactly one, or
    none where the field may be empty.
    """
    above = _enclosing(root, target)
    now: tuple[Node, ...] = tuple(by)
    inner = target
    for outer in above:
        now = (_with_child(outer, inner, now),)
        inner = outer
    if len(now) != 1:
        raise InternalError("the root of a tree gives way to one node")
    return now[0]


def _enclosing(root: Node, target: Node) -> list[Node]:
    """What encloses a node, innermost first; the root is the last."""
    parents: dict[Node, Node] = {}
    for node in walk(root):
        if node is target:
            break
        parents.update((child, node) for child in children(node))
    found = []
    at = target
    while at is not root:
        if at not in parents:
            raise InternalError("what is to be replaced stands in the tree")
        at = parents[at]
        found.append(at)
    return found


def _with_child(node: Node, child: Node, by: tuple[Node, ...]) -> Node:
    changes: dict[str, Any] = {}  # values of any field of any node
    for slot in _SLOTS[type(node)]:
        value = getattr(node, slot)
        if value is child:
            changes[slot] = by[0] if by else None
            return evolve(node, **changes)
        if isinstance(value, tuple) and any(item is child for item in value):
            at = next(i for i, item in enumerate(value) if item is child)
            changes[slot] = (*value[:at], *by, *value[at + 1 :])
            return evolve(node, **changes)
    raise InternalError("a child stands in a field of its parent")


def cites_of(node: Node) -> tuple[Word, ...]:
    """The citations written at a node itself, not below it."""
    cites = getattr(node, "cites", ())
    return cites if isinstance(cites, tuple) else ()


def cited(*roots: Node) -> Iterator[Word]:
    """All citations at and below, in reading order."""
    for node in walk(*roots):
        yield from cites_of(node)
