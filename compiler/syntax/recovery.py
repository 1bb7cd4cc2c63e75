"""Reading on behind a mistake: one run tells every independent mistake, and none that follows.

A text falls into top-level blocks, which do not depend on each other's form.  In a block, the line
that is broken is taken out, or stands in for itself with as little as its kind of line can say:
then what is below it is read too.  What only shows because something was taken out is not told.
"""

import re
from collections.abc import Iterator
from typing import Final

from attrs import define, field

from compiler.syntax.bare import bare, depth, line_begin, line_end
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS, TAB

_GOES_ON: Final = re.compile(r"[)\]]|(?:and|or)\b")
_FIRST_WORD: Final = re.compile(r'"|->|[a-z_]+')
_FOLLOWS: Final = frozenset({"elif", "else", "until", "otherwise", "when", "unless", "default"})
_STEP: Final = re.compile(r" *(?:(?:move|if|for|let|->|do|roll|shuffle) |[a-z_][\w.\[\]]* *[-+]?=)")
_GUARDS: Final = frozenset({"when", "unless", "otherwise"})
_CHOOSES: Final = re.compile(r"\bchoose?s?\b(?! [a-z]+ in\b)")
_ASKS: Final = re.compile(r"\bchooses\b(?! [a-z]+ in\b)|^ *window\b", re.MULTILINE)
_ANY_STEP: Final = "-> x"
# the least that a line can say which has a block, by the word that it begins with
_STAND_INS: Final = {
    "if": "if true",
    "elif": "elif true",
    "elseif": "elif true",
    "elsif": "elif true",
    "else": "else",
    "for": "for x in y",
    "foreach": "for x in y",
    "repeat": "repeat",
    "while": "repeat",
    "phase": "phase x",
    "start": "start",
    "whenever": "whenever x",
    "scenario": "scenario",
    "ruling": "ruling x",
    "gap": "gap x",
    "card": "card x",
    "piece": "piece x",
    "in": "in x",
    '"': '"x"',
}


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """The top-level blocks of a text, each with the blank lines and comments behind it.

    A line at the left edge begins one, unless it goes on the line above.
    """
    plain = bare(text)
    begin, at, last = 0, 0, ""
    while at < len(plain):
        end = min(line_end(plain, at) + 1, len(plain))
        line = plain[at:end].rstrip()
        goes_on = last.endswith(",") or _GOES_ON.match(line) is not None
        if line and not line[0].isspace() and not goes_on and at > begin:
            yield begin, end if begin == at else at
            begin = at
        last = line or last
        at = end
    if begin < len(text):
        yield begin, len(text)


def blanked(text: str) -> str:
    """A text as long as another, with blanks for everything but line breaks."""
    return re.sub(r"[^\n]", " ", text)


@define(eq=False)
class Remains:
    """What is left of a text whose broken lines are taken out one after the other."""

    text: str
    _plain: str = field(init=False)
    _taken: dict[int, bool] = field(factory=dict, init=False)  # line -> whether wholly
    _filled: set[int] = field(factory=set, init=False)  # lines in the place of others

    def __attrs_post_init__(self) -> None:
        self._plain = bare(self.text)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to read."""
        return not bare(self.text).strip()

    def follows(self, at: int, misses_block: bool) -> bool:
        """Whether a mistake at a place only shows because something else was taken out."""
        begin = line_begin(self._plain, at)
        if begin in self._filled or begin in self._taken:  # what stands in for a line is no better
            return True
        if misses_block:
            below = self._beside(begin, 1)
            return below is not None and below in self._taken
        above = self._beside(begin, -1)
        if above is None or not self._taken.get(above, False):
            return False
        word = _FIRST_WORD.match(self._plain[begin:].lstrip(" \t"))
        deeper = depth(self._plain, begin, TAB) > depth(self._plain, above, TAB)
        return deeper or (word is not None and word[0] in _FOLLOWS)

    def fill(self, at: int) -> bool:
        """Puts a step below a line that has lost what was below it; whether that can be done."""
        below = self._beside(line_begin(self._plain, at), 1)
        if below is None or below not in self._taken or below in self._filled:
            return False
        line = self._plain[below : line_end(self._plain, below)]
        said = line[: len(line) - len(line.lstrip(" \t"))] + _ANY_STEP
        if len(said) > len(line):
            return False
        self._filled.add(below)
        self._write(below, below + len(line), said)
        return True

    def take_out(self, at: int) -> None:
        """Takes out the line of a place, or lets it stand in for itself."""
        begin, own, end = self._statement(at)
        stands_in = self._stand_in(begin, own, end)
        if begin not in self._taken and stands_in:
            self._taken[begin] = False
            self._write(begin, own, stands_in)
            return
        for line in self._lines(begin, end):
            self._taken[line] = True
        self._write(begin, end, "")

    def _stand_in(self, begin: int, own: int, end: int) -> str:
        """What a line can be read as that has others below it; nothing for other lines."""
        if not self._plain[own:end].strip():
            return ""
        line = self._plain[begin:own]
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        word = _FIRST_WORD.match(line, len(indent))
        said = "" if word is None else _STAND_INS.get(word[0], "") or self._chosen(begin, word[0])
        if said == "else" and line[len(indent) :].split()[1:2] == ["if"]:
            said = "elif true"
        return f"{indent}{said}" if said and len(indent) + len(said) < len(line) else ""

    def _chosen(self, begin: int, word: str) -> str:
        """A choice, or an option of one, as short as it can be; nothing for other lines."""
        if not word[0].islower() or word in LINE_WORDS | ALWAYS_WORDS:
            return ""
        if _CHOOSES.search(self._plain, begin, line_end(self._plain, begin)):
            below = self._beside(begin, 1)
            line = "" if below is None else self._plain[below : line_end(self._plain, below)]
            first = _FIRST_WORD.match(line.lstrip(" "))
            chosen = first is not None and (first[0] in _GUARDS or _STEP.match(line) is not None)
            return f"{word} chooses x in y" if chosen else f"{word} chooses"
        above, deep = self._beside(begin, -1), depth(self._plain, begin, TAB)
        while above is not None and depth(self._plain, above, TAB) >= deep:
            above = self._beside(above, -1)
        if above is None or not _ASKS.search(self._plain, above, line_end(self._plain, above)):
            return ""
        return word

    def _write(self, begin: int, end: int, said: str) -> None:
        blank = blanked(self.text[begin + len(said) : end])
        self.text = f"{self.text[:begin]}{said}{blank}{self.text[end:]}"

    def _statement(self, at: int) -> tuple[int, int, int]:
        """Where the line of a place begins, where its own text ends, and all that is below it."""
        begin = line_begin(self._plain, min(at, len(self._plain)))
        while begin > 0 and self._is_continued(begin):
            begin = line_begin(self._plain, begin - 1)
        own = min(line_end(self._plain, at) + 1, len(self._plain))
        deep = depth(self._plain, begin, TAB)
        end = own
        while end < len(self._plain):
            blank = not self._plain[end : line_end(self._plain, end)].strip()
            if not blank and depth(self._plain, end, TAB) <= deep:
                break
            end = min(line_end(self._plain, end) + 1, len(self._plain))
        return begin, own, end

    def _is_continued(self, begin: int) -> bool:
        """Whether a line goes on the one above it."""
        words = self._plain[begin : line_end(self._plain, begin)].strip()
        if not words or _GOES_ON.match(words):
            return True
        above = self._beside(begin, -1)
        if above is None:
            return False
        return self._plain[above : line_end(self._plain, above)].rstrip().endswith(",")

    def _beside(self, begin: int, step: int) -> int | None:
        """The next line above or below a line that says anything."""
        at = begin
        while True:
            if step < 0:
                if at == 0:
                    return None
                at = line_begin(self._plain, at - 1)
            else:
                at = line_end(self._plain, at) + 1
                if at >= len(self._plain):
                    return None
            if self._plain[at : line_end(self._plain, at)].strip():
                return at

    def _lines(self, begin: int, end: int) -> Iterator[int]:
        """Where the lines of a stretch begin."""
        at = begin
        while at < end:
            yield at
            at = line_end(self._plain, at) + 1
