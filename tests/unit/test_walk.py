"""Ways through a tree."""

from compiler.source import SourceFile
from compiler.syntax import ast
from compiler.syntax.parse import parse
from compiler.syntax.walk import alike, children, cited, replaced, walk

TEXT = """\
rulebook small "Small"
    seats 2..4 @SM-1
start
    "Deal" @SM-2
        score = 1
    if score > 3 "Over?" @SM-3
        end draw
    -> turn
"""
NOWHERE = SourceFile("nowhere.rules", "").span(0, 0)


def tree(text: str = TEXT) -> ast.File:
    """The tree of a text."""
    found, _ = parse(SourceFile("small.rules", text))
    assert found is not None
    return found


def start(file: ast.File) -> ast.Start:
    """The start of a file."""
    return next(item for item in file.items if isinstance(item, ast.Start))


def test_children_stand_in_reading_order() -> None:
    """A branch has its test, its tail and its steps, as they are read."""
    branch = next(node for node in walk(tree()) if isinstance(node, ast.Branch))

    assert [type(node) for node in children(branch)] == [ast.Binary, ast.Tail, ast.EndDraw]


def test_walk_meets_every_citation_in_order() -> None:
    """A walk goes top down, first things first."""
    assert [word.text for word in cited(tree())] == ["SM-1", "SM-2", "SM-3"]


def test_depth_is_no_limit() -> None:
    """A term deeper than any that a file may hold is walked like any other."""
    term: ast.Expr = ast.TrueLiteral(span=NOWHERE)
    for _ in range(5000):
        term = ast.Not(term, span=NOWHERE)

    assert sum(isinstance(node, ast.Not) for node in walk(term)) == 5000


def test_alike() -> None:
    """The same words elsewhere are alike, other words are not."""
    other = tree(TEXT.replace("score = 1", "score   =   1"))

    assert alike(tree(), other)
    assert not alike(tree(), tree(TEXT.replace("score = 1", "score = 2")))
    assert not alike(tree(), tree(TEXT.replace(' "Over?"', "")))


def test_replaced_keeps_what_is_around() -> None:
    """A step may give way to several; the tree it stood in is left as it was."""
    file = tree()
    deal, branch, goto = start(file).block

    made = replaced(start(file), branch, (deal, goto))

    assert isinstance(made, ast.Start)
    assert made.block == (deal, deal, goto, goto)
    assert made.span == start(file).span
    assert start(file).block == (deal, branch, goto)


def test_replaced_deep_down() -> None:
    """Only what encloses a node is made anew."""
    file = tree()
    deal, branch, _ = start(file).block
    assert isinstance(branch, ast.Branch)

    made = replaced(start(file), branch.block[0], ())

    assert isinstance(made, ast.Start)
    assert made.block[0] is deal
    assert isinstance(made.block[1], ast.Branch)
    assert made.block[1].block == ()
    assert made.block[1].test is branch.test
