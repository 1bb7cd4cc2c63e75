"""Lines of scenarios that read as English: what lies where, who answers what, what is expected."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, WHO, Saying, saying

_OWN_WORD: Final = "scenarios say so with a word of their own"
_TOKEN: Final = r"(?:[A-Z]\w*|\d\w*)"

SCENES: Final[dict[str, Saying]] = {
    "who won": saying(
        rf"\b(?:if|elif|when|unless|until|and|or|not) "
        rf"(?P<wrong>({WHO}) (?:has won|wins?|won|has lost|loses?|lost))$",
        "who wins is told where the game ends",
        "ask what makes it so, as `{score}[{1}] >= 3`, and below it `end winners {1}`",
    ),
    "expect to win": saying(
        rf"^ *expect ({SEAT}) (?:to win|is (?:the )?winner|to be (?:the )?winner)$",
        _OWN_WORD,
        "write `expect winners {0}`",
        "expect winners {0}",
    ),
    "expect the end": saying(
        r"^ *expect (?:the )?(?:game|it) (?:is |to be |to )?(?:over|ended|ends|end|finished|done)$",
        "that it is over has a word",
        "write `expect ended`",
        "expect ended",
    ),
    "expect a turn": saying(
        rf"^ *expect (?:it is |it's )?(?:({SEAT})'s turn|(?:the )?next (?:player|turn|seat)"
        rf"(?: is| =|:)? *({SEAT}))$",
        "who decides next has a word",
        "write `expect next {0}{1}`",
        "expect next {0}{1}",
    ),
    "expect that": saying(
        r"^ *expect (?P<wrong>that )", "one word fewer", "write `expect` and what holds", ""
    ),
    "several options": saying(
        rf"^ *expect options ({_TOKEN}), *({_TOKEN})\b.*$",
        "each answer stands alone",
        "write `expect options choose {0} or choose {1}`",
    ),
    "whose in a scenario": saying(
        rf"(?P<wrong>({SEAT})'s ([a-z_]\w*))",
        "what somebody has is written behind its name",
        "write `{2}[{1}]`",
        "{2}[{1}]",
    ),
    "somebody's place": saying(
        r"^ +(?:expect )?(?P<wrong>(?!(?:at|chance|expect|winners|next)\b)([a-z_]\w*) "
        rf"({SEAT}))(?= *(?:=|is\b))",
        "whose it is stands in brackets",
        "write `{1}[{2}]`",
        "{1}[{2}]",
    ),
    "somebody has": saying(
        rf"^ +({SEAT}) (?:has|holds|owns|starts with) ({_TOKEN}(?:, *{_TOKEN})*)$",
        "what lies in a place is told of the place",
        "write `{hand}[{0}] = {1}` below `given`",
    ),
    "chooses it": saying(
        rf"^ *({SEAT}) (?:chooses|selects|picks|plays) ({_TOKEN}.*)$",
        "an answer stands behind a colon",
        "write `{0}: choose {1}`, or the name of the option for `choose`",
        needs="COLON",
    ),
    "then it": saying(
        rf"^ +(?P<wrong>(?:then|next|now|when|and|after that),? )(?=(?:{SEAT}:|expect |chance ))",
        "lines follow each other",
        "leave it out",
        "",
    ),
    "rolled": saying(
        r"^ +(?:roll|rolls|die|dice|throw|cast)(?: [a-z_]\w*)? *(?:=|is|:)? *(\d+)$",
        "what chance brings has a word",
        "write `chance {0}`",
        "chance {0}",
        needs="CHANCE",
    ),
    "given without it": saying(
        r"^ +([a-z_]\w*) *= *(\w+)$",
        "what is given stands below its own line",
        "write `given`, and below it `{0} = {1}`; what a die shows is `chance {1}`",
        needs="CHANCE",
    ),
    "chance of": saying(
        r"^ +chance(?P<wrong>(?: *:| +[a-z_]\w* *(?:=|is\b|:)) *)(?=\d)",
        "what chance brings stands alone",
        "write `chance` and what it brings",
        "",
    ),
    "at the phase": saying(
        r"^ +at (?P<wrong>(?:the )?phase ([a-z_]\w*))",
        "a phase is known by its name",
        "write `at {1}`",
        "{1}",
    ),
    "at somebody": saying(
        rf"^ +at ([a-z_]\w*)(?P<wrong> (?:of|with|for) ({SEAT}))$",
        "whose turn it is stands in a variable of yours",
        "write `at {0}`, and below `given`, `{active} = {2}`; if the phase is told who, "
        "`at {0}({2})`",
    ),
    "begin at": saying(
        r"^ +(?P<wrong>(?:start|begin|starts|begins|from)(?: at| in| with)?) (?=[a-z_])",
        "where a scenario begins has a word",
        "write `at`",
        "at",
        needs="CHANCE",
    ),
    "colon for equals": saying(
        rf"^ {{2,}}{TERM}(?P<wrong> *:)(?= *[A-Z])",
        "what lies in a place stands behind `=`",
        "write `=`",
        " =",
        needs="BECOMES",
    ),
}
