"""A rulebook with its variants laid over it, as text: what there is now, as if written so at once.

Whatever no variant touches is printed as it stands in its file, comments included.  Of a step that
a variant reaches into, the line is kept and what belongs under it is printed anew.
"""

from collections.abc import Iterator, Sequence
from textwrap import indent
from typing import Final

from attrs import define, field, fields

from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.ast import Node, Tail, Word
from compiler.syntax.declared import Item
from compiler.syntax.walk import alike, walk

_STEP: Final = "    "
_CITES_AT: Final = 72  # column, from 0, at which citations begin if the line is short enough
_BESIDE: Final = (ast.Elif, ast.OtherwiseBlock, ast.Until)  # lines no deeper than their step's


def expanded(items: Sequence[Item], files: Sequence[ast.File]) -> str:
    """The text of merged declarations; `files` are the trees that they were merged from."""
    return "\n".join(f"{text}\n" for text in printed(items, files))


def printed(items: Sequence[Item], files: Sequence[ast.File]) -> list[str]:
    """The same, declaration by declaration."""
    printer = _Printer()
    for file in files:
        printer.know(file)
    return [printer.item(item) for item in items]


@define
class _Printer:
    """Prints nodes; it knows what each was before it was edited.

    `depth` is how many columns further right a line will stand, for the column of citations.
    """

    _written: dict[tuple[type[Node], SourceFile, int, int], Node] = field(factory=dict)

    def know(self, file: ast.File) -> None:
        """Takes in the nodes of a file as it was written."""
        for node in walk(file):
            span = node.span
            self._written[type(node), span.file, span.start, span.end] = node

    def item(self, item: Item) -> str:
        """A declaration, with the comment right above it."""
        return "\n".join(self._lines(item, 0))

    def _lines(self, node: Node, depth: int) -> Iterator[str]:
        """The comment above a node and its lines, from the first column."""
        yield from _comment(node)
        if self._untouched(node):
            yield from _flush(_whole(node), node).split("\n")
            return
        match node:
            case ast.NoteDecl(title, cites):
                yield _line(f'note "{title.text}"', None, cites, depth)
            case ast.Param() | ast.Given():
                yield _line(_with_default(node), node.tail.title, node.tail.cites, depth)
            case ast.EnumDecl(name, members, tail):
                listed = ", ".join(member.span.text for member in members)
                yield _line(f"enum {name.text}: {listed}", tail.title, tail.cites, depth)
            case ast.Reading(name, title, default, cites):
                mark = "" if default is None else " default"
                yield _line(f"{name.text} {title.span.text}{mark}", None, cites, depth)
            case _:
                yield from self._opened(node, depth)

    def _opened(self, node: Node, depth: int) -> Iterator[str]:
        """The line of a node and, line by line, what belongs to it."""
        head_end, title, cites = node.span.start, None, tuple[Word, ...]()
        below: list[Node] = []
        for slot in fields(type(node)):
            value = getattr(node, slot.name)
            if isinstance(value, Tail):
                head_end, title, cites = value.span.start, value.title, value.cites
            elif slot.name == "cites":
                cites = value
            elif slot.name in _BELOW and value is not None:
                below += value if isinstance(value, tuple) else (value,)
            elif isinstance(node, ast.Named) and isinstance(value, Word):
                head_end = value.span.end
        head = node.span.file.text[node.span.start : head_end].rstrip()
        yield _line(_flush(head, node), title, cites, depth)
        for child in below:
            prefix = "" if isinstance(child, _BESIDE) else _STEP
            for line in self._lines(child, depth + len(prefix)):
                yield indent(line, prefix)

    def _untouched(self, node: Node) -> bool:
        """Whether a node says what it said when it was written."""
        span = node.span
        before = self._written.get((type(node), span.file, span.start, span.end))
        return before is not None and alike(before, node)


_BELOW: Final = frozenset(
    ["block", "elifs", "otherwise", "until", "options", "lines", "readings", "cases", "facts"]
)
"""The fields whose nodes stand on lines of their own."""


def _whole(node: Node) -> str:
    """The text of an untouched node as written, up to the end of its last line."""
    text = node.span.file.text
    last = max(part.span.end for part in walk(node))
    beyond = text.find("\n", last)
    return text[node.span.start : beyond if beyond >= 0 else len(text)].rstrip()


def _flush(text: str, node: Node) -> str:
    """A text that begins where a node does, the lines below moved left as far as its own line.

    That line may begin earlier, with `replace`.
    """
    whole = node.span.file.text
    begin = whole.rfind("\n", 0, node.span.start) + 1
    line = whole[begin : node.span.start]
    margin = line[: len(line) - len(line.lstrip(" "))]
    return text.replace(f"\n{margin}", "\n")


def _with_default(node: ast.Param | ast.Given) -> str:
    """The line of a setting up to its tail, with the default it has now."""
    typed = node.span.file.text[node.span.start : node.type.span.end]
    return typed if node.default is None else f"{typed} = {node.default.span.text}"


def _line(head: str, title: Word | None, cites: Sequence[Word], depth: int) -> str:
    """A line with its title, and its citations in their column."""
    said = head if title is None else f"{head} {title.span.text}"
    if not cites:
        return said
    cited = " ".join(f"@{cite.text}" for cite in cites)
    return f"{said.ljust(_CITES_AT - depth - 1)} {cited}"


def _comment(node: Node) -> list[str]:
    """The lines of comment right above a node."""
    above = node.span.file.text[: node.span.start].split("\n")[:-1]
    found: list[str] = []
    while above and above[-1].lstrip().startswith("--"):
        found.insert(0, above.pop().strip())
    return found
