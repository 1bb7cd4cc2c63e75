"""Text to syntax tree: the only importer of lark's parser.

Nodes are built from grammar rules by name.  A file with errors is read on: the top-level block
that holds the error is left out and the rest parsed again, so that one run shows every independent
error.
"""

import os
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from attrs import fields
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken
from lark.exceptions import UnexpectedEOF
from lark.indenter import DedentError

from compiler.diagnostic import Diagnostic, InternalError, Report
from compiler.source import SourceFile, Span
from compiler.syntax import ast
from compiler.syntax.errors import TooDeep, WrongIndent
from compiler.syntax.expected import unexpected_character, unexpected_token
from compiler.syntax.words import Blocks

# Rules that are only a sequence.
TUPLES = frozenset(
    """rulebook_lines members readings token_lines names per mods params facts cites block elifs
    args dice options slots choice_lines option_lines variant_lines edits guards told places
    items flags said options_told cases""".split()
)
# Rules that keep words as they stand.
WORDS = frozenset({"word", "prep", "chooses", "default"})
# Rules whose class is not called after them, or which end in a sequence without a rule of its own.
NAMES: dict[str, type[ast.Node]] = {
    "is_": ast.Is,
    "in_": ast.In,
    "or_": ast.Or,
    "and_": ast.And,
    "not_": ast.Not,
    "none": ast.NoneLiteral,
    "empty": ast.EmptyLiteral,
    "true": ast.TrueLiteral,
    "false": ast.FalseLiteral,
    "true_": ast.Holding,
}
GATHER: dict[str, int] = {  # node -> how many fields stand before the gathered one
    "call": 1,
    "index": 1,
    "list_of": 0,
    "only_options": 0,
    "scores": 0,
    "setting": 0,
    "file": 0,
}
MAX_OPEN = 100  # brackets open at once: beyond any rule, far below Python's own limit
MAX_ERRORS = 25  # independent errors shown for one file


@cache
def parser() -> Lark:
    """The LALR parser of the language.

    Its table is kept in the user's cache folder: making it takes half a second, reading it a tenth
    of that.  Lark compares the grammar, its own version and Python's before it trusts the file.
    """
    grammar = files("compiler.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start="file",
        postlex=Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_cache_file(),
    )


def _cache_file() -> str | bool:
    """Where the table is kept; nowhere if there is no folder of the user's own to write to."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(home) / "rulewright"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return str(folder / "grammar.lark.cache") if os.access(folder, os.W_OK) else False


def parse(source: SourceFile) -> tuple[ast.File | None, Report]:
    """The tree of a file, without the top-level blocks that have errors, and what was found."""
    report = Report()
    text = source.text if source.text.endswith("\n") else source.text + "\n"
    deep = _too_deep(source)
    if deep is not None:
        return None, Report.of(deep)
    for _ in range(MAX_ERRORS):
        if not _COMMENT.sub("", text).strip():
            return None, report
        try:
            tree = parser().parse(text)
        except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF, DedentError) as error:
            finding, offset = _finding(error, source, text)
            report.add(finding)
            text = _without_block(text, offset)
            continue
        return _build(tree, source), report
    return None, report


_COMMENT = re.compile(r"--[^\n]*")
_BRACKET = re.compile(r'"[^"\n]*"|--[^\n]*|[\[\](){}]')


def _too_deep(source: SourceFile) -> TooDeep | None:
    depth = 0
    for match in _BRACKET.finditer(source.text):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth = max(0, depth - 1)
        if depth > MAX_OPEN:
            return TooDeep(MAX_OPEN, span=source.span(match.start(), match.end()))
    return None


def _finding(error: Exception, source: SourceFile, text: str) -> tuple[Diagnostic, int]:
    """The diagnostic for what lark found, and the offset it is at."""
    match error:
        case UnexpectedToken():
            return unexpected_token(error, source)
        case UnexpectedCharacters():
            return unexpected_character(error, source)
        case DedentError():
            return _wrong_indent(error, source, text)
        case _:
            return unexpected_character(error, source)


_DEPTHS = re.compile(r"Unexpected dedent to column (\d+). Expected dedent to (\d+)")


def _wrong_indent(error: DedentError, source: SourceFile, text: str) -> tuple[Diagnostic, int]:
    """Where the indentation breaks: lark says the columns, the line is found by replaying them."""
    depths = [0]
    offset = 0
    opened = 0
    for line in text.splitlines(keepends=True):
        bare = _COMMENT.sub("", line).strip()
        if bare and opened == 0 and not bare.startswith(("and ", "or ")):
            depth = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
            while depth < depths[-1]:
                depths.pop()
            if depth > depths[-1]:
                if len(depths) > 1 and _DEPTHS.search(str(error)) and depth == _bad_depth(error):
                    break
                depths.append(depth)
        opened += sum(line.count(c) for c in "([") - sum(line.count(c) for c in ")]")
        offset += len(line)
    line_text = text[offset:].split("\n", 1)[0]
    start = min(offset, len(source.text))
    span = source.span(start, min(start + max(1, len(line_text)), len(source.text)))
    spaces = tuple(f"{d} spaces" for d in depths)
    return WrongIndent(f"{_bad_depth(error)} spaces", spaces, span=span), start


def _bad_depth(error: DedentError) -> int:
    match = _DEPTHS.search(str(error))
    return int(match[1]) if match else 0


def _without_block(text: str, offset: int) -> str:
    """The text with the top-level block around an offset blanked, its lines kept."""
    lines = text.split("\n")
    at = text.count("\n", 0, min(offset, max(0, len(text) - 1)))
    first = at
    while first > 0 and not _begins_block(lines[first]):
        first -= 1
    last = first + 1
    while last < len(lines) and not _begins_block(lines[last]):
        last += 1
    for number in range(first, last):
        lines[number] = ""
    return "\n".join(lines)


def _begins_block(line: str) -> bool:
    return bool(line) and not line[0].isspace() and not line.startswith("--")


# ---- building nodes


def _build(tree: Tree[Token], source: SourceFile) -> ast.File:
    """The node of a whole file, from the leaves up."""
    made: dict[int, object] = {}
    for subtree in tree.iter_subtrees():
        children = [
            made.pop(id(c)) if isinstance(c, Tree) else _word(c, source) for c in subtree.children
        ]
        made[id(subtree)] = _node(subtree, children, source)
    file = made[id(tree)]
    if not isinstance(file, ast.File):
        raise InternalError("the grammar's start rule builds a file")
    return file


def _word(token: Token | None, source: SourceFile) -> ast.Word | None:
    if token is None:
        return None
    text = str(token)
    if token.type == "STRING":
        text = text[1:-1]
    elif token.type == "CITE":
        text = text[1:]
    start, end = token.start_pos or 0, token.end_pos or 0
    return ast.Word(text, span=source.span(start, end))


def _node(tree: Tree[Token], children: list[object], source: SourceFile) -> object:
    rule = str(tree.data)
    if rule in TUPLES:
        return tuple(child for child in children if child is not None)
    span = _span(tree, children, source)
    if rule in WORDS:
        words = [child for child in children if isinstance(child, ast.Word)]
        return ast.Word(" ".join(word.text for word in words), span=span)
    if rule == "single_case":
        value, tail = children
        return (ast.Case(value, None, tail, span=span),)  # type: ignore[arg-type]
    if rule == "faces_cases":
        return ast.FacesCases(tuple(children), span=span)  # type: ignore[arg-type]
    if rule == "expect_block":
        return ast.Expect(ast.OnlyOptions(children[0], span=span), (), span=span)  # type: ignore[arg-type]
    if rule == "shape":
        children = [children[0], children[-1]]
    if rule in GATHER:
        cut = GATHER[rule]
        children = [*children[:cut], tuple(c for c in children[cut:] if c is not None)]
    made = _class(rule)
    return made(*children, span=span)


@cache
def _class(rule: str) -> type[ast.Node]:
    made = NAMES.get(rule)
    if made is None:
        made = getattr(ast, "".join(part.capitalize() for part in rule.split("_")))
    if not issubclass(made, ast.Node):
        raise InternalError(f"rule `{rule}` builds no node")
    return made


def rules_without_node() -> tuple[str, ...]:
    """Rules of the grammar that would build nothing: empty when grammar and tree agree."""
    plain = TUPLES | WORDS | {"single_case", "expect_block", "cases"}
    names = {str(rule.alias or rule.origin.name) for rule in parser().rules}
    visible = {name for name in names if not name.startswith("_") and name not in plain}
    return tuple(
        sorted(name for name in visible if not hasattr(ast, _camel(name)) and name not in NAMES)
    )


def _camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.split("_"))


def _span(tree: Tree[Token], children: list[object], source: SourceFile) -> Span:
    """Where a node stands: an expression whole, a line up to its own end, without its block."""
    meta = tree.meta
    start = getattr(meta, "start_pos", None)
    if start is None:
        return source.span(0, 0)
    end: int = meta.end_pos
    text = source.text[start:end]
    if any(isinstance(child, ast.Tail | tuple) for child in children) or text.endswith("\n"):
        text = text.split("\n", 1)[0]
    text = _COMMENT.sub("", text) if "--" in text and '"' not in text.split("--", 1)[1] else text
    return source.span(
        min(start, len(source.text)), min(start + len(text.rstrip()), len(source.text))
    )


def fields_of(node: ast.Node) -> tuple[str, ...]:
    """The names of a node's own fields, in reading order."""
    return tuple(f.name for f in fields(type(node)) if f.name != "span")
