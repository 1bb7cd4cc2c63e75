"""A file's text without comments and titles, as long as before, for those who look around in it.

Places are offsets.  A top-level block begins with a line at the left edge, unless that line goes on
one that ends in a comma.
"""

import re

_UNREAD = re.compile(r'"[^"\n]*"|--[^\n]*')
_OPENER = {")": "(", "]": "["}
_BRACKET = re.compile(r"[()\[\]]")
_INDENTED = re.compile(r"^( *)[^ \n]", re.MULTILINE)


def bare(text: str) -> str:
    """The text with blanks for its comments and quotation marks for its titles."""
    return _UNREAD.sub(lambda m: (" " if m[0][0] == "-" else '"') * len(m[0]), text)


def line_begin(text: str, at: int) -> int:
    """Where the line of a place begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Where the line of a place ends, before its line feed."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def line_above(text: str, at: int) -> tuple[int, int]:
    """The last line before a place that says anything, from its first word to its last."""
    end = len(text[:at].rstrip())
    begin = line_begin(text, end)
    return begin + len(text[begin:end]) - len(text[begin:end].lstrip()), end


def depth(text: str, at: int, tab: int) -> int:
    """How deep the line of a place is indented; a tab fills up to `tab` spaces."""
    line = text[line_begin(text, at) : line_end(text, at)].expandtabs(tab)
    return len(line) - len(line.lstrip())


def block(text: str, at: int) -> tuple[int, int]:
    """The top-level block of a place: from its first line to the line of the next one."""
    begin = line_begin(text, at)
    while begin > 0 and not _begins_block(text, begin):
        begin = line_begin(text, begin - 1)
    end = min(line_end(text, at) + 1, len(text))
    while end < len(text) and not _begins_block(text, end):
        end = min(line_end(text, end) + 1, len(text))
    return begin, end


def _begins_block(text: str, begin: int) -> bool:
    return text[begin : begin + 1].strip() != "" and comma_above(text, begin) is None


def open_brackets(text: str, begin: int, end: int) -> list[int]:
    """The brackets of a stretch that are open at its end, outermost first."""
    opened: list[int] = []
    for offset in range(begin, end):
        if text[offset] in "([":
            opened.append(offset)
        elif text[offset] in ")]" and opened and text[opened[-1]] == _OPENER[text[offset]]:
            opened.pop()
    return opened


def deep_bracket(plain: str, limit: int) -> int | None:
    """The first bracket of a bare text inside of so many others that are all closed again."""
    if plain.count("(") + plain.count("[") <= limit:
        return None
    opened: list[int] = []
    for found in _BRACKET.finditer(plain):
        if found[0] in "([":
            opened.append(found.start())
        elif not opened or plain[opened[-1]] != _OPENER[found[0]]:
            return None
        else:
            if len(opened) > limit:
                return opened[limit]
            opened.pop()
    return None


def deep_line(plain: str, limit: int) -> int | None:
    """Where the first line of a bare text begins that is inside of so many blocks."""
    if " " * limit not in plain:
        return None
    around: list[int] = []
    for found in _INDENTED.finditer(plain):
        spaces = len(found[1])
        while around and around[-1] >= spaces:
            around.pop()
        if len(around) >= limit:
            return found.end() - 1
        around.append(spaces)
    return None


def unclosed(text: str, at: int) -> int | None:
    """The last bracket before a place that its block never closes, or else the block above."""
    begin, end = block(text, at)
    before = [offset for offset in open_brackets(text, begin, end) if offset < at]
    if not before and begin > 0:
        before = open_brackets(text, *block(text, begin - 1))
    return before[-1] if before else None


def comma_above(text: str, at: int) -> int | None:
    """The comma that ends the line above a place, if one does."""
    end = len(text[: line_begin(text, at)].rstrip())
    return end - 1 if text[end - 1 : end] == "," else None
