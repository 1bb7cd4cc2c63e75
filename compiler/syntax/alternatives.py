"""What could stand at a place of a file, in words: lark knows terminals, people know words."""

from collections.abc import Mapping

FRIENDLY: Mapping[str, str] = {
    "NAME": "a name",
    "CODE": "a code such as `A` or `KH`",
    "INT": "a number",
    "STRING": 'a title in quotes ("…")',
    "CITE": "a citation such as `@KL-4.1`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
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
_VALUES = frozenset(
    """NAME CODE INT LPAR LSQB MINUS NONE EMPTY TRUE FALSE CAN NOT IF SOME NO EVERY ALL TOP BOTTOM
    ANY""".split()
)
_STEPS = frozenset(
    """LET DO ARROW IF FOR REPEAT LEAVE END ELIMINATE VAR MOVE FLIP MARK UNMARK SHOW REVEAL SHUFFLE
    ROLL PICK TOGETHER WINDOW STRING NAME CODE INT LPAR LSQB NONE EMPTY TRUE FALSE CAN""".split()
)
DECLARATIONS = frozenset(
    """RULEBOOK SCENARIOS VARIANT ENUM PARAM GIVEN RULING GAP CARD PIECE KIND DIE ZONE BOARD VAR
    DEFINE START PHASE WHENEVER INVARIANT CLAIM SCENARIO NOTE DISCLOSES $END""".split()
)
_OPTIONS = frozenset(
    """NAME ADD CLAIM END FLIP LEAVE MARK MOVE PICK REMOVE REPEAT REPLACE REST REVEAL ROLL SHOW
    SHUFFLE START""".split()
)
_OPERATORS = frozenset(
    "PLUS MINUS STAR DIV MOD DOTS COMPARE IS IN NOT AND OR DOT LSQB LPAR OF".split()
)
_PREPOSITIONS = frozenset("WITH TO FROM ON AT AS USING BY OF FOR IN".split())
# a terminal that tells a group, the group, and its word: the first that fits takes its terminals
_GROUPS: tuple[tuple[str, frozenset[str], str], ...] = (
    ("ENUM", DECLARATIONS, "a declaration"),
    ("LET", _STEPS, "a step"),
    ("CLAIM", _OPTIONS, "an option"),
    ("LIST", _VALUES | {"SET", "LIST"}, "a type"),
    ("INT", _VALUES, "a value"),
    ("STAR", _OPERATORS, "an operator"),
    ("USING", _PREPOSITIONS, "a preposition such as `to`"),
    ("_NL", frozenset({"_NL", "STRING", "CITE"}), "the end of the line"),
)
_MOST = 6  # alternatives that are told


def expected(accepted: frozenset[str]) -> str:
    """What could stand there: `expected a value or the end of the line`."""
    left, groups = accepted, []
    for sign, group, word in _GROUPS:
        if sign in left and not (sign == "LIST" and "INT" not in left):
            groups.append(word)
            left -= group
    told = [*sorted(map(_friendly, left)), *groups]
    if len(told) > _MOST:
        told = [*told[: _MOST - 1], *groups[-1:]] if groups else [*told[:_MOST], "…"]
    *firsts, last = told or ["nothing"]
    return f"expected {', '.join(firsts)} or {last}" if firsts else f"expected {last}"


def _friendly(terminal: str) -> str:
    return FRIENDLY.get(terminal, f"`{terminal.lower()}`")
