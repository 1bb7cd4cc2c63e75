"""Finds every place of a rulebook where an operator applies, in the order of its text.

Rules are mutated, not what says how they are tested: invariants, claims, notes, rulings and
scenarios stay.  So do the bounds of variables, of what a phase is given and of what a zone holds:
they decide nothing while no rule breaks them.  Whether a mutant compiles is found out by compiling
it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field

from compiler.mutation.asked import Asked
from compiler.mutation.mutation import Mutation, Operator
from compiler.source import SourceFile, Span
from compiler.syntax import ast
from compiler.syntax.ast import Node
from compiler.syntax.parse import parse
from compiler.syntax.walk import children, cites_of, walk

_RULES: Final = (
    ast.Define,
    ast.Start,
    ast.PhaseDecl,
    ast.Whenever,
    ast.Var,
    ast.Zone,
    ast.Die,
    ast.TokenDecl,
    ast.KindDecl,
)
_EFFECTS: Final = (
    ast.Assign,
    ast.Do,
    ast.Eliminate,
    ast.Move,
    ast.Flip,
    ast.Mark,
    ast.Show,
    ast.Reveal,
)
_INSIDE: Final = (ast.Option, ast.Guard, ast.Otherwise)  # what a decision is made of
_ASKING: Final = (ast.Choice, ast.Decision, ast.Together, ast.Window)
_CHANCE: Final = (ast.Shuffle, ast.Roll, ast.Pick)
_FLIPPED: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ENDS: Final = {"top": "bottom", "bottom": "top"}
_CALLS: Final = {"first": "last", "last": "first"}


def mutations(source: SourceFile) -> tuple[Mutation, ...]:
    """All mutations of a rulebook's file, none of which says the same as another.

    There are none of a file that cannot be read.
    """
    file, _ = parse(source)
    if file is None:
        return ()
    finder = _Finder(tuple(item for item in file.items if isinstance(item, ast.Zone)))
    asked = Asked([(item, _whole(item).text) for item in file.items])
    for item in file.items:
        finder.around, finder.asks = _rows(_whole(item)), asked.by(item)
        if isinstance(item, ast.Whenever):
            finder.add(Operator.DROP_TRIGGER, _lines(_whole(item)), "", _cites(item))
        if isinstance(item, _RULES):
            finder.go(item, _cites(item))
    return tuple(sorted(finder.found, key=lambda one: (one.span.start, one.span.end, one.name)))


@define(eq=False)
class _Finder:
    zones: tuple[ast.Zone, ...]
    found: list[Mutation] = field(factory=list)
    around: range = range(0)
    asks: frozenset[str] = frozenset()
    _step: Node | None = None  # the innermost step that is looked at
    _texts: set[tuple[int, int, str]] = field(factory=set)

    def add(self, operator: Operator, span: Span, after: str, clauses: Sequence[str]) -> None:
        """Notes a mutation, if no other does the same."""
        key = span.start, span.end, after
        if key in self._texts or span.text == after:
            return
        self._texts.add(key)
        at = span.first
        name = f"{at.line}:{at.column} {operator.name.lower().replace('_', '-')}"
        alike = sum(one.name.partition("#")[0] == name for one in self.found)
        name = f"{name}#{alike + 1}" if alike else name
        cited, near = tuple(clauses), self._near(span)
        around, asks = self.around, self.asks
        self.found.append(Mutation(name, operator, span, after, cited, near, around, asks))

    def _near(self, span: Span) -> range | None:
        """The lines a game comes to if it comes to what is spoilt."""
        if self._step is None:
            return None
        step = _rows(self._step.span)
        last = _rows(_whole(self._step) if isinstance(self._step, _ASKING) else span)
        return range(step.start, max(step.stop, last.stop))

    def go(self, root: Node, clauses: tuple[str, ...]) -> None:
        """Looks at a declaration and all below."""
        waiting: list[tuple[Node, tuple[str, ...], Node | None]] = [(root, clauses, None)]
        while waiting:
            node, cited, step = waiting.pop()
            self._step = step
            self._look(node, cited)
            blocks = list(_blocks(node))
            for block in blocks:
                self._look_at_block(block, cited)
            lines = {line for block in blocks for line in block if not isinstance(line, _INSIDE)}
            bounds = _bounds(node)
            waiting += [
                (child, _cites(child) or cited, child if child in lines else step)
                for child in children(node)
                if child not in bounds
            ]

    # ---- lines

    def _look_at_block(self, block: Sequence[Node], cited: tuple[str, ...]) -> None:
        """Lines that stand below each other: one may go, two may change places."""
        for at, line in enumerate(block):
            clauses = _cites(line) or cited
            self._step = line
            if len(block) > 1 and isinstance(line, _EFFECTS):
                self.add(Operator.DROP_EFFECT, _lines(_whole(line)), "", clauses)
            if len(block) > 1 and isinstance(line, _CHANCE):
                self.add(Operator.SKIP_CHANCE, _lines(_whole(line)), "", clauses)
            following = block[at + 1] if at + 1 < len(block) else None
            if isinstance(line, _EFFECTS + _CHANCE) and isinstance(following, _EFFECTS + _CHANCE):
                one, other = _lines(_whole(line)), _lines(_whole(following))
                both = one.file.span(one.start, other.end)
                between = one.file.text[one.end : other.start]
                after = other.text + between + one.text
                self.add(Operator.REORDER_EFFECTS, both, after, clauses)

    # ---- single places

    def _look(self, node: Node, cited: tuple[str, ...]) -> None:
        match node:
            case ast.Guard(how, test):
                self.add(Operator.DROP_GUARD, _lines(_whole(node)), "", cited)
                other = "unless" if how.text == "when" else "when"
                self.add(Operator.NEGATE_GUARD, how.span, other, cited)
                self._opposite(test, cited, of_guard=True)
            case ast.Branch(test) | ast.Elif(test):
                self.add(Operator.NEGATE_GUARD, test.span, f"not ({test.span.text})", cited)
            case ast.Case(when=when) if when is not None:
                self.add(Operator.NEGATE_GUARD, when.span, f"not ({when.span.text})", cited)
            case ast.Binary(op=op) if op.text in _FLIPPED:
                self.add(Operator.FLIP_COMPARISON, op.span, _FLIPPED[op.text], cited)
            case ast.Is() | ast.IsNot() | ast.In() | ast.NotIn():
                self._opposite(node, cited)
            case ast.Number(digits):
                for by in (1, -1):
                    if int(digits.text) + by >= 0:
                        after = str(int(digits.text) + by)
                        self.add(Operator.CHANGE_CONSTANT, digits.span, after, cited)
            case ast.Call(name, args):
                self._call(node, name, args, cited)
            case ast.EndOf(end):
                self.add(Operator.SWAP_NEXT, end.span, _ENDS.get(end.text, end.text), cited)
            case ast.Move(place=place):
                self._zone(place, cited)
            case ast.Flip(side=side) | ast.Facing(side):
                other = "down" if side.text == "up" else "up"
                self.add(Operator.CHANGE_FACE, side.span, other, cited)
            case ast.Seen(by) | ast.SeenBy(by):
                self.add(Operator.WIDEN_SIGHT, by.span, "everyone", cited)
            case ast.Show(to=to):
                self.add(Operator.WIDEN_SIGHT, to.span, "everyone", cited)
            case _:
                pass

    def _opposite(self, node: Node, cited: tuple[str, ...], *, of_guard: bool = False) -> None:
        """`is` becomes `is not` and back, `in` becomes `not in`; a guard is negated already."""
        if of_guard or not isinstance(node, ast.Is | ast.IsNot | ast.In | ast.NotIn):
            return
        between = node.span.file.span(node.left.span.end, node.right.span.start)
        words = {
            ast.Is: ("is", "is not"),
            ast.IsNot: ("is not", "is"),
            ast.In: ("in", "not in"),
            ast.NotIn: ("not in", "in"),
        }
        before, after = words[type(node)]
        if between.text.strip() == before:
            changed = between.text.replace(before, after)
            self.add(Operator.FLIP_COMPARISON, between, changed, cited)

    def _call(
        self, node: Node, name: ast.Word, args: Sequence[Node], cited: tuple[str, ...]
    ) -> None:
        if name.text == "next" and len(args) == 1:
            after = f"last(seats_from({args[0].span.text}))"
            self.add(Operator.SWAP_NEXT, node.span, after, cited)
        inner = args[0] if len(args) == 1 else None
        if name.text == "last" and isinstance(inner, ast.Call) and inner.name.text == "seats_from":
            after = f"next({inner.args[0].span.text})"
            self.add(Operator.SWAP_NEXT, node.span, after, cited)
        elif name.text in _CALLS:
            self.add(Operator.SWAP_NEXT, name.span, _CALLS[name.text], cited)

    def _zone(self, place: Node, cited: tuple[str, ...]) -> None:
        """The next zone of the same cards and of as many members, where one is named."""
        name = place.of if isinstance(place, ast.Index) else place
        if not isinstance(name, ast.Name):
            return
        keys = len(place.keys) if isinstance(place, ast.Index) else 0
        here = next((zone for zone in self.zones if zone.name.text == name.name.text), None)
        if here is None:
            return
        at = self.zones.index(here)
        for other in (*self.zones[at + 1 :], *self.zones[:at]):
            if len(other.per or ()) == keys and other.shape.holds.text == here.shape.holds.text:
                self.add(Operator.CHANGE_ZONE, name.span, other.name.text, cited)
                return


def _bounds(node: Node) -> tuple[Node, ...]:
    """What says below a node how much there can be."""
    match node:
        case ast.Var(per=per, type=type_):
            return (*(per or ()), type_)
        case ast.Typed(type=type_):
            return (type_,)
        case ast.Holds(count):
            return (count,)
        case _:
            return ()


def _blocks(node: Node) -> Iterator[tuple[Node, ...]]:
    """The lines below a line."""
    for name in ("block", "lines"):
        value = getattr(node, name, None)
        if isinstance(value, tuple):
            yield tuple(item for item in value if isinstance(item, Node))


def _cites(node: Node) -> tuple[str, ...]:
    """The clauses that a line cites."""
    tail = getattr(node, "tail", None)
    words = (*cites_of(node), *(cites_of(tail) if isinstance(tail, Node) else ()))
    return tuple(word.text for word in words)


def _rows(span: Span) -> range:
    """The lines that something stands on."""
    return range(span.first.line, span.first.line + span.text.rstrip().count("\n") + 1)


def _whole(node: Node) -> Span:
    """A line with its block."""
    end = max(below.span.end for below in walk(node))
    return node.span.file.span(node.span.start, end)


def _lines(span: Span) -> Span:
    """The whole lines that something stands on, with the end of the last."""
    text = span.file.text
    start = text.rfind("\n", 0, span.start) + 1
    inside = text[span.start : span.end].rstrip()
    end = text.find("\n", span.start + len(inside))
    return span.file.span(start, len(text) if end < 0 else end + 1)
