"""Text to syntax tree: the only importer of lark's parser.

Nodes are built from grammar rules by name.  A file with errors is read on behind each, so that one
run shows every independent error.
"""

import os
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from operator import itemgetter
from pathlib import Path

from attrs import fields
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken
from lark.grammar import Symbol

from compiler.diagnostic import InternalError, Report
from compiler.source import SourceFile, Span
from compiler.syntax import ast
from compiler.syntax.bare import bare, deep_bracket, deep_line, line_end
from compiler.syntax.errors import (
    EmptyFile,
    HugeNumber,
    KeywordAsName,
    LongLine,
    MissingBlock,
    RestUnread,
    TooDeep,
)
from compiler.syntax.expected import (
    Found,
    begins_nothing,
    unexpected_character,
    unexpected_token,
    wrong_indent,
)
from compiler.syntax.recovery import Remains, blanked, blocks
from compiler.syntax.words import LINE_WORDS, Blocks, FitsNoBlock

# Rules that are only a sequence.
TUPLES = frozenset(
    """rulebook_lines members readings token_lines names per mods params facts cites block elifs
    args dice options slots choice_lines option_lines variant_lines edits guards told places
    items flags said options_told cases""".split()
)
# Rules that keep words as they stand.
WORDS = frozenset({"word", "member_code", "prep", "chooses", "default", "now"})
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
MAX_DEPTH = 100  # parts inside of each other: beyond any rule, far below Python's own limit
MAX_ERRORS = 25  # independent errors shown for one file
MAX_LINE = 30_000  # characters
MAX_DIGITS = 12  # of a number
MAX_TRIES = 60  # times that one top-level block is read again


class _Parser(Lark):
    """Lark, with a shorter way through rules that stand for their one part.

    An expression goes through a rule for each level of precedence, nearly all of which have
    nothing to add: three of four steps of a parse.  Lark would look at positions each time.
    """

    def _prepare_callbacks(self) -> None:
        super()._prepare_callbacks()
        for rule in self.rules:
            if rule.options.expand1 and not rule.alias and _stands_for_its_part(rule.expansion):
                self._callbacks[rule] = itemgetter(0)


def _stands_for_its_part(expansion: Sequence[Symbol]) -> bool:
    """Whether a rule has one part, which is neither left out nor spread among its siblings."""
    return len(expansion) == 1 and not expansion[0].is_term and expansion[0].name[0] != "_"


@cache
def parser() -> Lark:
    """The LALR parser of the language.

    Its table is kept in the user's cache folder: making it takes half a second, reading it a tenth
    of that.  Lark compares the grammar, its own version and Python's before it trusts the file.
    """
    grammar = files("compiler.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    return _Parser(
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


def parse(source: SourceFile, most: int = MAX_ERRORS) -> tuple[ast.File | None, Report]:
    """The tree of a file, none if there are errors of form, and what was found: so much at most."""
    text = source.text if source.text.endswith("\n") else source.text + "\n"
    plain = bare(text)
    if not plain.strip():
        return None, Report.of(EmptyFile(span=source.span(0, 0)))
    report = _unread(source, plain, most)
    if report.has_errors:
        return None, report
    try:
        return _read(parser().parse(text), source, report), report
    except (UnexpectedToken, UnexpectedCharacters, FitsNoBlock):
        _read_on(text, source, report, most)
        return None, _without_uses(report)


def _without_uses(report: Report) -> Report:
    """What was found, but for uses of a keyword as the name that it was declared as."""
    named = {found.span.text for found in report if isinstance(found, KeywordAsName)}
    return Report.of(
        *(
            found
            for found in report
            if isinstance(found, KeywordAsName)
            or not (found.span.text in named or _word_before(found.span) in named)
        )
    )


def _word_before(span: Span) -> str:
    """The word that a stretch stands right behind."""
    match = _LAST_WORD.search(span.file.text, max(0, span.start - 60), span.start)
    return match[0] if match else ""


def _unread(source: SourceFile, plain: str, most: int) -> Report:
    """What is so long or so deep that a text is not even read."""
    report, at = Report(), 0
    for line in source.text.split("\n"):
        if len(line) > MAX_LINE and len(report) < most:
            report.add(LongLine(MAX_LINE, span=source.span(at, at + 1)))
        at += len(line) + 1
    if report.has_errors:
        return report
    bracket, block = deep_bracket(plain, MAX_DEPTH), deep_line(plain, MAX_DEPTH)
    if bracket is not None:
        report.add(TooDeep(MAX_DEPTH, span=source.span(bracket, bracket + 1)))
    if block is not None:
        end = len(plain[: line_end(plain, block)].rstrip())
        report.add(TooDeep(MAX_DEPTH, span=source.span(block, end)))
    return report


def _read_on(text: str, source: SourceFile, report: Report, most: int) -> None:
    """Reports every independent mistake in a text that has some."""
    blank = blanked(text)
    lacking = False  # whether the block above ends in a line that has nothing below it
    for begin, end in blocks(text):
        if len(report) >= most:
            break
        if not (lacking and begins_nothing(text, begin)):
            before = len(report)
            _read_block(blank[:begin] + text[begin:end], source, report, most)
            lacking = len(report) > before and _ends_early(report, end)
    if len(report) >= most:
        _tell_rest(source, report)


def _tell_rest(source: SourceFile, report: Report) -> None:
    """Says from where on a file was not read, if anything stands there."""
    plain = bare(source.text)
    begin = line_end(plain, max(found.span.end for found in report))
    rest = plain[begin:]
    begin += len(rest) - len(rest.lstrip())
    if rest.strip():
        end = begin + len(plain[begin : line_end(plain, begin)].rstrip())
        report.add(RestUnread(len(report), span=source.span(begin, end)))


def _ends_early(report: Report, end: int) -> bool:
    """Whether the last line before a place lacks the lines below it."""
    lacks = [found.span for found in report if isinstance(found, MissingBlock)]
    return any(not bare(span.file.text[span.end : end]).strip() for span in lacks)


def _read_block(text: str, source: SourceFile, report: Report, most: int) -> None:
    """Reports every independent mistake in a top-level block, everything in front of it blank."""
    remains = Remains(text)
    for _ in range(MAX_TRIES):
        if remains.is_empty or len(report) >= most:
            return
        try:
            tree = parser().parse(remains.text)
        except (UnexpectedToken, UnexpectedCharacters, FitsNoBlock) as error:
            found = _found(error, source, remains.text)
            misses_block = isinstance(found.finding, MissingBlock)
            follows = remains.follows(found.broken, misses_block)
            if not follows:
                report.add(found.finding)
            if not (follows and misses_block and remains.fill(found.broken)):
                remains.take_out(found.broken)
            continue
        _read(tree, source, report)
        return


def _found(
    error: UnexpectedToken | UnexpectedCharacters | FitsNoBlock, source: SourceFile, text: str
) -> Found:
    """What breaks a file off, for people."""
    match error:
        case UnexpectedToken():
            return unexpected_token(error, source, text)
        case UnexpectedCharacters():
            return unexpected_character(error, source)
        case FitsNoBlock():
            return wrong_indent(error, source)


def _read(tree: Tree[Token], source: SourceFile, report: Report) -> ast.File | None:
    """The file's node, and what its form alone shows."""
    made: dict[int, object] = {}
    depths: dict[int, int] = {}
    for part in tree.iter_subtrees():  # from the leaves up
        children, depth = [], 0
        for child in part.children:
            if isinstance(child, Tree):
                children.append(made.pop(id(child)))
                depth = max(depth, depths[id(child)])
            else:
                children.append(_word(child, source, report))
        depths[id(part)] = depth + 1
        made[id(part)] = _node(part, children, source)
        if part.data == "var":
            _refuse_keyword(children[0], report)
    if depths[id(tree)] > MAX_DEPTH:
        report.add(_too_deep(tree, depths, source))
        return None
    file = made[id(tree)]
    if not isinstance(file, ast.File):
        raise InternalError("the grammar's start rule builds a file")
    return file


def _refuse_keyword(name: object, report: Report) -> None:
    """A variable is not called as lines begin: to set it would say something else."""
    if isinstance(name, ast.Word) and name.text in LINE_WORDS:
        said = f"a line that begins with `{name.text}` says something else"
        fix = f"choose another name, for example `the_{name.text}`"
        report.add(KeywordAsName(f"`{name.text}`", said, fix, span=name.span))


def _too_deep(tree: Tree[Token], depths: dict[int, int], source: SourceFile) -> TooDeep:
    """The first part that is inside of too many others."""
    part = tree
    for _ in range(MAX_DEPTH):
        inside = [child for child in part.children if isinstance(child, Tree)]
        part = max(inside, key=lambda child: depths[id(child)])
    return TooDeep(MAX_DEPTH, span=_span(part, [], source))


# ---- building nodes

_COMMENT = re.compile(r"--[^\n]*")
_LAST_WORD = re.compile(r"\w+$")


def _word(token: Token | None, source: SourceFile, report: Report) -> ast.Word | None:
    if token is None:
        return None
    text = str(token)
    if token.type == "STRING":
        text = text[1:-1]
    elif token.type == "CITE":
        text = text[1:]
    span = source.span(token.start_pos or 0, token.end_pos or 0)
    if len(text) > MAX_DIGITS and token.isdecimal():
        report.add(HugeNumber(len(text), MAX_DIGITS, span=span))
    return ast.Word(text, span=span)


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
        return ast.Expect(None, ast.OnlyOptions(children[0], span=span), (), span=span)  # type: ignore[arg-type]
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
