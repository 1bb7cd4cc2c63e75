"""Where a file breaks off: a finding for people, and what must be left out to read on."""

import re
from typing import TypeAlias

from attrs import frozen
from lark import Token, UnexpectedCharacters, UnexpectedToken

from compiler.diagnostic import Diagnostic
from compiler.source import Position, SourceFile, Span
from compiler.syntax.alternatives import DECLARATIONS, expected
from compiler.syntax.bare import (
    bare,
    block,
    comma_above,
    depth,
    line_above,
    line_begin,
    line_end,
    open_brackets,
    unclosed,
)
from compiler.syntax.errors import (
    MissingBlock,
    MisspeltWord,
    TabsAndSpaces,
    UnclosedBracket,
    UnclosedTitle,
    UnexpectedWord,
    WrongIndent,
)
from compiler.syntax.hints import character_hint, hint
from compiler.syntax.place import Place
from compiler.syntax.words import TAB, FitsNoBlock

_UNSEEN = {"_NL": "end of line", "$END": "end of file", "_INDENT": "indentation"}
_CLOSER = {"(": ")", "[": "]"}
_WORD = re.compile(r"\S*")
_DECLARING = frozenset(word.lower() for word in DECLARATIONS)
_NAME = re.compile(r"[a-z_]*")
_TABS = "indent with four spaces; a tab fills up to four"
_INDENTED = "indent what belongs to it by four spaces"
_BELOW_IT = {  # what must stand below a line at the left edge that is often written alone
    "piece": "write `copies 1` below it, indented, or what it has, as `size: 1..3`",
    "card": "write `copies 1` below it, indented, or what it has, as `value: 1..6`",
    "ruling": 'write its readings below it, indented: `yes "Yes" default`, `no "No"`',
    "gap": 'write its readings below it, indented: `yes "Yes" default`, `no "No"`',
}
_ASKS = re.compile(r"\bchooses *(?:$|\")|^ *window\b")
_BELOW = "what belongs to this line must stand below it, deeper than it"

Notes: TypeAlias = tuple[tuple[Span, str], ...]


@frozen
class Found:
    """A finding, and a place whose line cannot be read on account of it."""

    finding: Diagnostic
    broken: int


def unexpected_token(error: UnexpectedToken, source: SourceFile, text: str) -> Found:
    """What stands where it cannot, what could, and a fix; `text` is what was read of the file."""
    token: Token = error.token
    plain = bare(text)
    accepted = frozenset(error.accepts or error.expected) - {"_DEDENT"}
    start, end = _stretch(token, source.text)
    if accepted == {"_INDENT"}:
        return _missing_block(source, plain, start)
    bracket = _unclosed(source, plain, start, token.type)
    if bracket is not None:
        return bracket
    found = hint(Place(source, start, end, token.type, accepted))
    what, reason, fix, kind = f"`{found.span.text}`", found.reason, found.fix, found.kind
    if not reason:
        what, reason = _UNSEEN.get(token.type, what), expected(accepted)
    notes = _comma(source, plain, start, token.type)
    if notes:
        fix = fix or "remove the comma, or go on with the list"
    elif token.type == "_INDENT":
        fix = "indent it like the line above"
        if _tabs(source.text, start):
            return Found(TabsAndSpaces(reason, _TABS, span=found.span), start)
    if kind is UnexpectedWord and fix.startswith("did you mean"):
        kind = MisspeltWord
    finding = kind(what, reason, fix, span=found.span, notes=notes, edits=found.edits)
    return Found(finding, start)


def _comma(source: SourceFile, plain: str, start: int, kind: str) -> Notes:
    """The comma on account of which a line was read as part of the one above."""
    above = line_above(plain, line_begin(plain, start))[0]
    at = comma_above(plain, above if kind == "_INDENT" else start)
    if at is None or unclosed(plain, start) is not None or _in_brackets(plain, start):
        return ()
    return ((source.span(at, at + 1), "on account of this comma the next line belongs here"),)


def _in_brackets(plain: str, start: int) -> bool:
    return bool(open_brackets(plain, block(plain, start)[0], start))


def _stretch(token: Token, text: str) -> tuple[int, int]:
    """A token's offsets; of an end, where it is; of a depth, those of its line's first word."""
    start = min(token.start_pos or 0, len(text))
    match token.type:
        case "_NL":
            end = len(text[:start].rstrip())
            return end, end
        case "_INDENT" | "_DEDENT":
            start = min(token.end_pos or 0, len(text))
            word = _WORD.match(text, start)
            return start, word.end() if word is not None else start
        case "$END":
            end = len(text.rstrip())
            return end, end
        case _:
            return start, min(start + len(token), len(text))


def _missing_block(source: SourceFile, plain: str, start: int) -> Found:
    """The line above a place where a block should begin."""
    begin, end = line_above(plain, start)
    word = _NAME.match(plain, begin)
    fix = _BELOW_IT.get(word[0] if word is not None else "", _INDENTED)
    if fix == _INDENTED and plain.startswith("if ", begin) and _is_in_option(plain, begin):
        fix = f"a guard begins with `when`: `when {source.text[begin + 3 : end]}`"
    if plain[begin : begin + 1] == '"':
        fix = "a title names the steps below it: indent them by four spaces; alone it says nothing"
    tabs = _tabs(source.text, start)
    span = source.span(begin, end)
    finding = TabsAndSpaces(_BELOW, _TABS, span=span) if tabs else MissingBlock(fix, span=span)
    return Found(finding, begin)


def _is_in_option(plain: str, at: int) -> bool:
    """Whether a line stands right below an option, or below guards of one."""
    begin = line_begin(plain, at)
    deep = depth(plain, begin, TAB)
    above = line_begin(plain, line_above(plain, begin)[0])
    while above > 0 and depth(plain, above, TAB) >= deep:
        above = line_begin(plain, line_above(plain, above)[0])
    around = line_begin(plain, line_above(plain, above)[0])
    while around > 0 and depth(plain, around, TAB) >= depth(plain, above, TAB):
        around = line_begin(plain, line_above(plain, around)[0])
    return _ASKS.search(plain[around : line_end(plain, around)]) is not None


def begins_nothing(text: str, at: int) -> bool:
    """Whether the line at a place begins no declaration."""
    word = _NAME.match(text, at)
    return word is None or word[0] not in _DECLARING


def _unclosed(source: SourceFile, plain: str, start: int, kind: str) -> Found | None:
    """A bracket before a place that is never closed, if it can be why the text breaks off there."""
    at = unclosed(plain, start)
    closes = kind in ("RPAR", "RSQB")
    if at is None or not (closes or kind == "$END" or "\n" in plain[at:start]):
        return None
    word = _WORD.match(source.text, start)
    end = start + 1 if closes or word is None else word.end()
    said = "this closes another kind" if closes else "this cannot stand inside of it"
    notes = ((source.span(start, end), said),) if source.text[start:end].strip() else ()
    opened = plain[at]
    finding = UnclosedBracket(opened, _CLOSER[opened], span=source.span(at, at + 1), notes=notes)
    return Found(finding, at)


def unexpected_character(error: UnexpectedCharacters, source: SourceFile) -> Found:
    """A character that begins no word, and a fix."""
    at = source.offset(Position(error.line, error.column))
    if source.text[at] == '"':
        title = source.text[at : line_end(source.text, at)].split(" --")[0].rstrip()
        return Found(UnclosedTitle(span=source.span(at, at + len(title))), at)
    found = character_hint(Place(source, at, at + 1, "", frozenset()))
    shown = source.text[at] if source.text[at].isalpha() else found.span.text
    what = f"`{shown}`" if shown.isprintable() else f"U+{ord(shown[0]):04X}"
    reason = found.reason or "no word begins with it"
    finding = found.kind(what, reason, found.fix, span=found.span, edits=found.edits)
    return Found(finding, at)


def wrong_indent(error: FitsNoBlock, source: SourceFile) -> Found:
    """A line as deep as none of the blocks around it."""
    word = _WORD.match(source.text, error.at)
    end = word.end() if word is not None else error.at
    fix = "indent it like the lines it belongs to" if error.depths else "begin at the left edge"
    deep = depth(source.text, error.at, TAB)
    span = source.span(error.at, end)
    if _tabs(source.text, error.at):
        reason = f"this is as deep as {deep} spaces, and fits no block above"
        return Found(TabsAndSpaces(reason, _TABS, span=span), error.at)
    return Found(WrongIndent(deep, error.depths, fix, span=span), error.at)


def _tabs(text: str, at: int) -> bool:
    """Whether a line, or the one above it, is indented by tabs."""
    begin = line_begin(text, at)
    above = line_begin(text, line_above(text, begin)[0])
    return any("\t" in text[b : len(text) - len(text[b:].lstrip(" \t"))] for b in (begin, above))
