"""Flows that a rulebook or its author expects, written down line by line.

    flow klink "One turn, as the rulebook's own chart has it"
    3 decision "Keep or pass" @KL-9.3
        "Keep both" -> 4
        -> 2
    5a step "Turn the pair face down" is turn.reset_effect
        -> 6
        may -> 8        -- not printed there, but a rule

A node has a name; a kind, a title, clauses and the boxes it `is` may follow.  Below it stand the
nodes that can come next: behind a quoted label those that come if that is answered or picked;
behind `may` those that nobody expects but that are right.  What follows `--` is a remark.
"""

import re
from typing import Final

from attrs import evolve, frozen

from compiler.flowchart.model import Kind
from compiler.graph.core import Clauses

KINDS: Final[dict[str, tuple[Kind, ...]]] = {
    "begin": (Kind.START, Kind.TRIGGER),
    "step": (Kind.STEP, Kind.CALL),
    "test": (Kind.QUESTION,),
    "decision": (Kind.DECISION, Kind.JOINT, Kind.WINDOW),
    "sealed": (Kind.JOINT,),
    "window": (Kind.WINDOW,),
    "chance": (Kind.CHANCE,),
    "call": (Kind.CALL,),
    "end": (Kind.END,),
}
"""What kinds of boxes a kind of an expected node can be."""

_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')


@frozen
class Named:
    """A box by its id, or the arrow that leaves it with a label."""

    box: str
    label: str | None = None


@frozen
class Following:
    """A node that can come next; `label` is the answer or option, `None` if it does not matter."""

    target: str
    label: str | None = None
    needed: bool = True


@frozen
class Expected:
    """One node of an expected flow; `line` counts from 1."""

    name: str
    line: int
    kind: str | None = None
    title: str = ""
    clauses: Clauses = ()
    places: tuple[Named, ...] = ()
    following: tuple[Following, ...] = ()


@frozen
class Reference:
    """An expected flow: of which spec, what it is, its nodes in the order of the file."""

    spec: str
    title: str
    nodes: tuple[Expected, ...]


@frozen
class Misread:
    """A line that is no part of a flow, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def read(text: str) -> Reference | Misread:
    """The flow in a text, or the first line that is wrong."""
    spec, title = "", ""
    nodes: list[Expected] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = _words(line)
        if not words:
            continue
        if words[0] == (False, "flow") and not nodes:
            spec = words[1][1] if len(words) > 1 else ""
            title = words[2][1] if len(words) > 2 else spec
            continue
        if not line[0].isspace():
            node = _node(words, number)
            if isinstance(node, Misread):
                return node
            nodes.append(node)
            continue
        following = _following(words, number)
        if isinstance(following, Misread):
            return following
        if not nodes:
            return Misread(number, "what comes next stands below a node")
        nodes[-1] = evolve(nodes[-1], following=nodes[-1].following + following)
    return _checked(Reference(spec, title, tuple(nodes)))


_Word = tuple[bool, str]
"""A word, and whether it stood in quotes."""


def _words(line: str) -> list[_Word]:
    found: list[_Word] = []
    for match in _WORD.finditer(line):
        if match[2] is not None and match[2].startswith("--"):
            break
        found.append((match[2] is None, match[1] if match[2] is None else match[2]))
    return found


def _node(words: list[_Word], line: int) -> Expected | Misread:
    node = Expected(words[0][1], line)
    rest = words[1:]
    while rest:
        quoted, word = rest.pop(0)
        if quoted:
            node = evolve(node, title=word)
        elif word.startswith("@"):
            node = evolve(node, clauses=(*node.clauses, word[1:]))
        elif word in KINDS:
            node = evolve(node, kind=word)
        elif word == "is" and rest:
            return evolve(node, places=_places(rest))
        else:
            kinds = ", ".join(KINDS)
            return Misread(line, f"`{word}` is no kind ({kinds}), `@CLAUSE` or `is BOX`")
    return node


def _places(words: list[_Word]) -> tuple[Named, ...]:
    found: list[Named] = []
    for quoted, word in words:
        if quoted and found:
            found[-1] = Named(found[-1].box, word)
        else:
            found.append(Named(word))
    return tuple(found)


def _following(words: list[_Word], line: int) -> tuple[Following, ...] | Misread:
    needed, label = True, None
    rest = list(words)
    if rest[0] == (False, "may"):
        needed = False
        rest.pop(0)
    if rest and rest[0][0]:
        label = rest.pop(0)[1]
    if not rest or rest.pop(0) != (False, "->") or not rest:
        return Misread(
            line, 'what comes next is written `"LABEL" -> NODE`, `-> NODE`, `may -> NODE`'
        )
    return tuple(Following(word.strip(","), label, needed) for _, word in rest)


def _checked(reference: Reference) -> Reference | Misread:
    names: dict[str, int] = {}
    for node in reference.nodes:
        if node.name in names:
            return Misread(node.line, f"`{node.name}` stands already in line {names[node.name]}")
        names[node.name] = node.line
    for node in reference.nodes:
        for following in node.following:
            if following.target not in names:
                return Misread(
                    node.line, f"`{node.name}` leads to `{following.target}`: no such node"
                )
    return reference
