"""The one table of words: which are keywords, and where they are only names.

A line begins with its keyword; elsewhere most of those words are good names (`card`, `roll`), and
which of the two a word is shows from its place in the line, before parsing.
"""

from collections.abc import Iterator

from attrs import define
from lark import Token
from lark.indenter import Indenter

# keywords only as the first word of a line (or after `replace`, `extend`)
LINE_WORDS = frozenset(
    """rulebook clauses seats scenarios scenario variant enum param given ruling gap card piece
    kind die zone board var define start phase whenever invariant claim note discloses copies
    written let do repeat leave end eliminate move flip mark unmark show reveal shuffle roll
    pick together window extend restrict add before after remove replace chance expect rest
    always never possible surely""".split()
)
# keywords only right after one of these kinds of token
PAIRS: dict[str, frozenset[str]] = {
    "winners": frozenset({"END", "EXPECT", "NOW"}),
    "scores": frozenset({"END", "EXPECT", "NOW"}),
    "ranking": frozenset({"END", "EXPECT", "NOW"}),
    "draw": frozenset({"END"}),
    "now": frozenset({"EXPECT"}),
    "options": frozenset({"EXPECT", "NOW"}),
    "offered": frozenset({"EXPECT", "NOW"}),
    "refused": frozenset({"EXPECT", "NOW"}),
    "next": frozenset({"EXPECT", "NOW"}),
    "chance": frozenset({"EXPECT", "NOW"}),
    "guard": frozenset({"REMOVE"}),
    "sees": frozenset({"CODE"}),
    "knows": frozenset({"CODE"}),
    "up": frozenset({"FACE"}),
    "down": frozenset({"FACE"}),
    "random": frozenset({"AT"}),
    "default": frozenset({"STRING"}),
    "before": frozenset({"STRING"}),
    "after": frozenset({"STRING"}),
}
# a word that is a name unless one of these words follows it
FOLLOWED: dict[str, frozenset[str]] = {"face": frozenset({"up", "down"})}
# keywords wherever they stand
ALWAYS_WORDS = frozenset(
    """all and any as at by can chooses choose div each elif else empty every false fewer for from
    holds if in is may mod no none not of on one or otherwise per set some seen then to top true
    unless until up using when where with list pile bottom""".split()
)

# what can stand right behind a term, and begins none
_BEHIND_A_TERM = frozenset(
    """IS IN COMPARE BECOMES _COMMA DOT LSQB LPAR PLUS MINUS STAR DIV MOD DOTS AND OR OF CITE COLON
    _NL""".split()
)


TAB = 4  # a tab fills up to this many spaces


@define(eq=False)
class FitsNoBlock(Exception):
    """A line that is less deep than the one above, and as deep as none of the blocks around it.

    `at` is the offset of its first word; `depths` are those that would fit, outermost first, and
    none if it is the first line of the file.
    """

    at: int
    depths: tuple[int, ...]


class Blocks(Indenter):
    """Indentation, lines that go on, and which words are names where they stand."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012  (lark reads a list)
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = TAB

    def handle_NL(self, token: Token) -> Iterator[Token]:  # noqa: N802  (the name is lark's)
        """The end of a line, then where blocks begin or end; nothing inside brackets."""
        if self.paren_level > 0:
            return
        yield token
        spaces = token.rpartition("\n")[2]
        depth = len(spaces.expandtabs(TAB))
        around = self.indent_level
        if depth < around[-1] and depth not in around:
            raise FitsNoBlock(token.end_pos or 0, tuple(around))
        if depth > around[-1]:
            around.append(depth)
            yield Token.new_borrow_pos(self.INDENT_type, spaces, token)
        while depth < around[-1]:
            around.pop()
            yield Token.new_borrow_pos(self.DEDENT_type, spaces, token)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with blocks marked and words out of their place retagged as names."""
        tokens = list(stream)
        first = next((token for token in tokens if token.type != self.NL_type), None)
        if first is not None and first.column != 1:
            raise FitsNoBlock(first.start_pos or 0, ())
        blocks: Iterator[Token] = super().process(self._words(tokens))  # type: ignore[no-untyped-call]
        return blocks

    def _words(self, tokens: list[Token]) -> Iterator[Token]:
        """A line that begins with `and` or `or` goes on the one before it."""
        before, depth = Token("_NL", ""), 0
        for token, after in zip(tokens, [*tokens[1:], Token("_NL", "")], strict=True):
            if token.type == "_NL" and depth == 0 and after.type in ("AND", "OR"):
                continue
            kept = token
            if _is_name_here(token, before, after, depth):
                kept = Token.new_borrow_pos("NAME", str(token), token)
            depth += (token.type in self.OPEN_PAREN_types) - (token.type in self.CLOSE_PAREN_types)
            before = kept
            yield kept


def _is_name_here(token: Token, before: Token, after: Token, depth: int) -> bool:
    """Whether a keyword stands where it can only be a name."""
    if token.type == "NAME":
        return False
    word = str(token)
    if word in PAIRS:
        paired = before.type in PAIRS[word]
        if word == "next":
            paired = paired and after.type == "CODE"
        if word == "now":
            paired = paired and after.type not in _BEHIND_A_TERM
        if paired or word not in LINE_WORDS:
            return not paired
    if word in LINE_WORDS:
        first = before.type == "_NL" and depth == 0
        if after.type == "COLON":  # an attribute or a parameter
            return True
        return not first and before.type not in ("REPLACE", "EXTEND")
    return word in FOLLOWED and str(after) not in FOLLOWED[word]
