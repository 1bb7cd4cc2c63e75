"""What was expected where a file breaks off, in words, and a fix to type.

Lark knows terminals; people know words.  Beginners' lines (`==`, `else if`, a colon at the end) are
recognised by what stands around the place.
"""

import re
from difflib import get_close_matches

from lark import Token, UnexpectedCharacters, UnexpectedToken

from compiler.diagnostic import Diagnostic
from compiler.source import SourceFile, Span
from compiler.syntax.errors import UnexpectedCharacter, UnexpectedWord
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS

FRIENDLY: dict[str, str] = {
    "NAME": "a name",
    "CODE": "a code such as `A` or `KH`",
    "INT": "a number",
    "STRING": 'a title in quotes ("…")',
    "CITE": "a citation such as `@KL-4.1`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "_COMMA": "`,`",
    "COMPARE": "`<`, `<=`, `>` or `>=`",
    "BECOMES": "`=`",
    "PLUS_IS": "`+=`",
    "MINUS_IS": "`-=`",
    "DOTS": "`..`",
    "ARROW": "`->`",
    "ETC": "`...`",
    "UNKNOWN": "`?`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COLON": "`:`",
    "DOT": "`.`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "$END": "the end of the file",
}
# Beginners' lines: what stands there, from the line's beginning to the error -> what to type
HINTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), fix)
    for pattern, fix in (
        (r"==$", "write `is`: `=` only gives a value"),
        (r"!=?$", "write `is not`"),
        (r"<>$", "write `is not`"),
        (r"&&?$", "write `and`"),
        (r"\|\|?$", "write `or`"),
        (r"^\s*else\s+if$", "write `elif`"),
        (r"^\s*(elseif|elsif)\b", "write `elif`"),
        (r":$", "a line needs no colon at its end"),
        (r";$", "a line needs no semicolon"),
        (r"[<>]=?\s*[\w.]+\s*[<>]=?$", "write `a < b and b < c`"),
        (r"\b(some|every|no)\b.*\bwhere$", "a quantifier has a colon: `some x in S: P`"),
        (r"'$", 'titles stand in double quotes: "…"'),
        (r"[/]$", "write `div` for whole-number division"),
        (r"%$", "write `mod`"),
        (r"\{$|\}$", "lists and sets stand in square brackets"),
        (r"//$|#$", "comments begin with `--`"),
    )
)


def unexpected_token(error: UnexpectedToken, source: SourceFile) -> tuple[Diagnostic, int]:
    """What stands where it cannot, what could, and a fix."""
    token: Token = error.token
    end = len(source.text)
    start = end if token.start_pos is None else min(int(token.start_pos), end)
    width = 0 if token.type in ("_NL", "$END", "_INDENT", "_DEDENT") else len(str(token))
    if token.type == "$END" or (start == end and end):
        start = len(source.text.rstrip())
    span = source.span(start, min(start + width, end))
    accepted = set(error.accepts or error.expected)
    what = FRIENDLY.get(token.type, f"`{token}`" if str(token).strip() else "end of the line")
    if width:
        what = f"`{token}`"
    reason = _reason(accepted)
    return UnexpectedWord(what, reason, _fix(token, accepted, source, span), span=span), start


def unexpected_character(error: Exception, source: SourceFile) -> tuple[Diagnostic, int]:
    """A character that begins no word, and a fix."""
    end = len(source.text)
    found = error.pos_in_stream if isinstance(error, UnexpectedCharacters) else None
    at = end if found is None else min(found, end)
    span = source.span(at, min(at + 1, end))
    character = span.text
    fix = _hint(source, at, min(at + 1, end))
    if character == '"':
        fix = 'close the title with `"` on the same line'
    elif character == "\t":
        fix = "indent with four spaces"
    elif character == "@":
        fix = "a citation is written like `@KL-4.1`"
    reason = "no word begins with it" if character else "the file ends too early"
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character[:1] or ' '):04X}"
    return UnexpectedCharacter(shown, reason, fix, span=span), at


def _reason(accepted: set[str]) -> str:
    names = sorted({_friendly(terminal) for terminal in accepted - {"_DEDENT"}})
    if not names:
        return "nothing fits here"
    if len(names) > 6:
        words = [n for n in names if not n.startswith("`")]
        names = [*(words + [n for n in names if n.startswith("`")])[:6], "…"]
    return "expected " + (
        ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]
    )


def _friendly(terminal: str) -> str:
    return FRIENDLY.get(terminal, f"`{terminal.lower()}`")


def _fix(token: Token, accepted: set[str], source: SourceFile, span: Span) -> str:
    hint = _hint(source, span.start, span.end)
    if hint:
        return hint
    word = str(token)
    if token.type == "CODE" and "NAME" in accepted:
        return f"names are lower case: `{word.lower()}`"
    if token.type == "NAME":
        words = [t.lower() for t in accepted if t.lower() in LINE_WORDS | ALWAYS_WORDS]
        near = get_close_matches(word, words, 1, 0.7)
        return f"did you mean `{near[0]}`?" if near else ""
    if "NAME" in accepted and word in LINE_WORDS | ALWAYS_WORDS:
        return f"`{word}` is a keyword; choose another name"
    if token.type in ("_NL", "_INDENT") and accepted & {"RPAR", "RSQB"}:
        return "close the bracket"
    if token.type == "_INDENT":
        return "this line is indented too far, or the line above needs a block"
    return ""


def _hint(source: SourceFile, start: int, end: int) -> str:
    """The fix for a beginner's line, if the text up to an error looks like one."""
    line_start = source.text.rfind("\n", 0, start) + 1
    for stop in (end, min(end + 1, len(source.text))):
        before = source.text[line_start:stop]
        for pattern, fix in HINTS:
            if pattern.search(before):
                return fix
    return ""
