"""What edits inside a phase can meet: titled things, and options by name."""

from collections.abc import Iterator
from typing import TypeAlias, TypeGuard

from attrs import frozen

from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.walk import walk

Host: TypeAlias = ast.PhaseDecl | ast.Start
Titled: TypeAlias = (
    ast.Step | ast.Elif | ast.OtherwiseBlock | ast.Otherwise
)  # what a title may head


@frozen(eq=False)
class Hook:
    """A titled thing, and the step that `before` and `after` go around.

    The two differ for the later branches of an `if` and for `otherwise`.
    """

    title: Word
    thing: Titled
    step: ast.Step


STEPS = (
    ast.Named,
    ast.Let,
    ast.Assign,
    ast.Do,
    ast.Goto,
    ast.Branch,
    ast.Loop,
    ast.Repeat,
    ast.Leave,
    ast.EndStep,
    ast.EndDraw,
    ast.Eliminate,
    ast.Var,
    ast.Move,
    ast.Flip,
    ast.Mark,
    ast.Show,
    ast.Reveal,
    ast.Shuffle,
    ast.Roll,
    ast.Pick,
    ast.Choice,
    ast.Decision,
    ast.Together,
    ast.Window,
)


def is_step(node: ast.Node) -> TypeGuard[ast.Step]:
    """Whether a node is a step."""
    return isinstance(node, STEPS)


def hooks(host: Host) -> Iterator[Hook]:
    """Every titled thing of a phase, in reading order."""
    for node in walk(*host.block):
        if not is_step(node):
            continue
        if isinstance(node, ast.Named):
            yield Hook(node.title, node, node)
            continue
        if node.tail.title is not None:
            yield Hook(node.tail.title, node, node)
        for part in _parts(node):
            if part.tail.title is not None:
                yield Hook(part.tail.title, part, node)


def _parts(step: ast.Step) -> Iterator[ast.Elif | ast.OtherwiseBlock | ast.Otherwise]:
    match step:
        case ast.Branch():
            yield from step.elifs
            if step.otherwise is not None:
                yield step.otherwise
        case ast.Decision():
            if step.otherwise is not None:
                yield step.otherwise
        case ast.Choice():
            yield from (line for line in step.lines or () if isinstance(line, ast.Otherwise))
        case _:
            return


def options(host: Host) -> Iterator[ast.Option]:
    """Every option of a phase, in reading order."""
    return (node for node in walk(*host.block) if isinstance(node, ast.Option))
