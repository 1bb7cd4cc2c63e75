"""Lines of scenarios that read as English: what lies where, who answers what, what is expected."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, WHO, Saying, saying

_ANSWER: Final = r"([a-z_]\w*.*)$"
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
    "two things expected": saying(
        rf"^ *expect ({TERM}) = ([^=]*?) (?P<wrong>and|or) .*$",
        "`=` says what lies in one place, to the end of the line",
        "write `expect {0} = {1}`, and `expect` again for the rest on a line of its own",
        free=True,
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
    "from and to": saying(
        rf"^ *({SEAT}): *(?:[a-z_]\w* )?(?P<wrong>from (\S.*?),? to (\S.*))$",
        "an answer begins with its option, and commas stand between its values",
        "write `choose {2}, {3}`; of an option with words, as `step from {2}, to {3}`",
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
    "expect wins": saying(
        rf"^ *expect ({SEAT}) (?:wins?|won)$",
        "scenarios say so with a word of their own",
        "write `expect winners {0}`",
        "expect winners {0}",
    ),
    "winner": saying(
        r"^ *expect winner:? *(?:=|is)? *([A-Z][\w, ]*)$",
        "scenarios say so with a word of their own",
        "write `expect winners {0}`",
        "expect winners {0}",
    ),
    "winners are": saying(
        r"^ *expect winners *(?:=|is|are) *(\S.*)$",
        "those who win stand right behind the word",
        "write `expect winners {0}`",
        "expect winners {0}",
    ),
    "cannot": saying(
        rf"^ *expect {SEAT} (?:cannot|can't|can not|may not|must not) (.+)$",
        "scenarios say so with a word of their own",
        "write `expect refused {0}`, with the name of the option",
    ),
    "given in one line": saying(
        r"^ +given (\S.*)$",
        "what is given stands in lines of its own, further in",
        "write `given`, and below it `{0}`",
    ),
    "chance apart": saying(
        r"^ *chance (?P<wrong>(\d+|[A-Z]\w*)(?: and | *\+ *| +)(\d+|[A-Z]\w*))$",
        "what comes together stands behind commas",
        "write `chance {1}, {2}`",
        "{1}, {2}",
    ),
    "chance by name": saying(
        r"^ *chance (?P<wrong>[a-z_]\w* (?:(?:shows|rolls|comes(?: to)?) )?(\d+|[A-Z]\w*)\b.*)$",
        "what comes is said alone, in the order in which it is rolled",
        "write `chance {1}`; of several dice one behind the other, as in `chance {1}, {1}`",
    ),
    "expect nobody wins": saying(
        r"^ *expect (?:a )?(?:draw|tie)\b",
        "a drawn game has all who play as its winners",
        "write `expect winners A, B`, with every player",
    ),
    "expect not offered": saying(
        rf"^ *expect (?:not|no) (?:offered|possible|legal|allowed) {_ANSWER}",
        "scenarios say so with a word of their own",
        "write `expect refused {0}`",
        "expect refused {0}",
    ),
    "expect illegal": saying(
        r"^ *expect (?:illegal|forbidden|impossible|invalid|rejected|disallowed|not) "
        rf"((?:choose|decline)\b.*|(?!expect)[a-z_]\w* (?:{SEAT}|\d).*)$",
        "scenarios say so with a word of their own",
        "write `expect refused {0}`",
        "expect refused {0}",
    ),
    "expect legal": saying(
        r"^ *expect (?:legal|allowed|possible|option|answer) "
        rf"((?:choose|decline)\b.*|[a-z_]\w*(?: (?:{SEAT}|\d).*)?)$",
        "scenarios say so with a word of their own",
        "write `expect offered {0}`",
        "expect offered {0}",
    ),
    "expect legal token": saying(
        rf"^ *expect (?:legal|allowed|possible|offered) ({SEAT}|\d\w*)$",
        "what is offered is an answer",
        "write `expect offered choose {0}`, or the name of the option for `choose`",
    ),
    "winners with and": saying(
        rf"^ *expect winners ({SEAT}) and ({SEAT})$",
        "several stand in a list",
        "write `expect winners {0}, {1}`",
        "expect winners {0}, {1}",
    ),
    "expect empty": saying(
        rf"^ *expect (?:empty|nothing in|no) ({TERM})$",
        "what is said of a place stands behind it",
        "write `expect {0} is empty`",
        "expect {0} is empty",
    ),
    "expect nothing": saying(
        rf"^ *expect ({TERM}) =$",
        "what lies there is missing",
        "write `expect {0} is empty`, or behind `=` what lies there; "
        "of a number: `expect {0} is 3`",
    ),
    "bare answer": saying(
        rf"^ *({SEAT}): *((?:\d|[A-Z]).*)$",
        "an answer begins with its option",
        "write `{0}: choose {1}`, or the name of the option for `choose`",
    ),
    "answer without colon": saying(
        rf"^ *({SEAT}) ([a-z_]\w*(?: .*)?)$",
        "a colon stands behind who answers",
        "write `{0}: {1}`, with the name of the option; of a choice without options: "
        "`{0}: choose …`",
        needs="COLON",
    ),
    "class before token": saying(
        r"= *(?:.*, *)?(?P<wrong>[a-z_]\w* ((?:\d|[A-Z])\w*))(?= *(?:,|$))",
        "tokens are written as their class says behind `written`",
        "write `{1}` alone",
        "{1}",
    ),
}
