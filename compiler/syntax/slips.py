"""Slips of those who copy from a page: a sign too many or too few, a line in another's place."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, WHO, Saying, saying

_TOKEN: Final = r"(?:[A-Z]\w*|\d\w*)"
_NO_TEST: Final = r"(?!(?:if|elif|when|unless|until|expect|while|define|whenever)\b)"

SLIPS: Final[dict[str, Saying]] = {
    # ---- heads
    "title without quotes": saying(
        r"^(?:rulebook|phase) [a-z_]\w* (?P<wrong>([A-Z]\w*(?: \w+)*))$",
        "a title stands in quotes",
        'write `"{1}"`',
        '"{1}"',
    ),
    "comma before a title": saying(
        r"^(?:rulebook|phase|card|piece) [a-z_]\w*(?P<wrong> *[,:]) *\"",
        "a title stands right behind the name",
        "remove it",
        "",
    ),
    "param without a value": saying(
        r"^param ([a-z_]\w*: *(-?\d+) *\.\. *-?\w+)(?: *\"+)?$",
        "a parameter has a usual value",
        "write `param {0} = {1}`, with the value that is usual",
    ),
    "param without a range": saying(
        r"^param ([a-z_]\w*): *(\d+)(?: *\"+)?$",
        "a parameter says what it can be, and its usual value",
        "write `param {0}: 0..{1} = {1}`",
    ),
    "family in brackets": saying(
        r"^(?:var|zone|die) [a-z_]\w*(?P<wrong>\[(?:player|players|p|each)\])",
        "for whom there is one is told by `per`",
        "write ` per player`",
        " per player",
    ),
    "for how long": saying(
        r"^var .*\S (?P<wrong>(?:per|every|for each|in each) ([a-z_]\w*))$",
        "how long a value lasts is told by `each`",
        "write `each {1}`",
        "each {1}",
    ),
    "copies given": saying(
        r"^ +(?P<wrong>copies *= *(\d+))$",
        "how many there are stands behind the word alone",
        "write `copies {1}`",
        "copies {1}",
    ),
    "written": saying(
        r"^ +(?P<wrong>(?:write|writes|writing|printed|shown as) )[a-z_]\w*(?: [a-z_]\w*)*$",
        "how cards are written is told by another word",
        "write `written`",
        "written ",
        needs="COLON",
    ),
    "who sees it": saying(
        r", *(?P<wrong>(?:its |the |his )?(?:holder|owner|player) (?:sees|knows|may look|can see)\b"
        r"[^,]*)$",
        "who may look is told by `seen by`",
        "write `seen by holder`",
        "seen by holder",
    ),
    # ---- arrows
    "other arrows": saying(
        r"^ *(?P<wrong>(?:>+|→|⇒|=>|—>|–>|➔|-+ >) *)(?=[a-z_])",
        "what comes next stands behind another sign",
        "write `-> `",
        "-> ",
    ),
    "steps behind a head": saying(
        r"^(?:start|phase [a-z_]\w*)(?: *\"+)? "
        r"(?P<wrong>((?:->|end|move|do|shuffle|roll|reveal) ?.*))$",
        "steps stand in the lines below, further in",
        "end the line before it, and write `{1}` below, indented",
    ),
    # ---- steps
    "equals twice": saying(
        rf"^ +{_NO_TEST}{TERM} (?P<wrong>==+) ",
        "a value stands behind one `=`",
        "write `=`",
        "=",
    ),
    "next alone": saying(
        rf"^ *next\(({WHO})\)$",
        "a value alone changes nothing",
        "write `{0} = next({0})`",
        "{0} = next({0})",
    ),
    "braces for brackets": saying(
        r"\b[a-z_]\w*(?P<wrong>\{ *([a-zA-Z_]\w*) *\})",
        "whose it is stands in square brackets",
        "write `[{1}]`",
        "[{1}]",
    ),
    "whose without brackets": saying(
        rf"^ +(?P<wrong>([a-z_]\w*) (active|leader|[a-z]|{SEAT}))(?= *[-+]?=)",
        "whose it is stands in brackets",
        "write `{1}[{2}]`",
        "{1}[{2}]",
    ),
    "drawn game": saying(
        r"^ *(?P<wrong>(?!end draw\b)end (?:in |with |as )?(?:a |the )?(?:draw|tie|Draw|Tie))$",
        "a drawn game has two words",
        "write `end draw`",
        "end draw",
    ),
    "leave a loop": saying(
        r"^ *(?P<wrong>leave|(?:leave|stop|exit|end|quit|break)(?: the| out of)?(?: the)? "
        r"(?:repeat|loop|while))$",
        "what is left has a name",
        "write `leave repeat`; of a `for`, `leave for`",
        "leave repeat",
    ),
    "question without quotes": saying(
        rf"^ *{WHO} (?:chooses|may choose) (?P<wrong>([A-Z]\w*(?: [\w']+)*\??))$",
        "a question is a title, in quotes",
        'write `"{1}"`',
        '"{1}"',
    ),
    "guard in the line": saying(
        r"^ +(?!(?:remove|replace|restrict|before|after)\b)[a-z_]\w*(?: *\"+)?"
        r"(?P<wrong> (?!.*[-+]?=)((?:when|unless) \S.*?)(?: *\"+)?)$",
        "guards stand below their option",
        "write `{1}` in the next line, further in, and the title behind the name of the option",
    ),
    "shows": saying(
        rf"(?P<wrong>({TERM}) (?:shows|rolled|is showing|comes up|landed on)(?: an?)? (\w+))",
        "what a die shows is its value",
        "write `{1} is {2}`",
        "{1} is {2}",
    ),
    "exists": saying(
        rf"(?P<wrong>({TERM}) (?:exists|is there|is set|is given|is present|was chosen))$",
        "what is there is not `none`",
        "write `{1} is not none`",
        "{1} is not none",
    ),
    "all into": saying(
        r"^ *(?:put|place|collect|return|add) all (?:of )?(?:the )?[a-z]\w* (?:back )?"
        rf"(?:in|into|on|to|onto) (?:the )?({TERM})$",
        "steps begin with what is done",
        "write `move all of {card} to {0}`",
        "move all of {card} to {0}",
    ),
    # ---- scenarios
    "tokens with and": saying(
        rf"= *(?:.*, *)?(?P<wrong>({_TOKEN}),? and ({_TOKEN}))$",
        "commas stand between what lies there",
        "write `{1}, {2}`",
        "{1}, {2}",
    ),
    "chooses an option": saying(
        rf"^ *({SEAT}) (?:chooses|selects|picks|takes|does) ([a-z_]\w*)$",
        "an answer stands behind a colon",
        "write `{0}: {1}`",
        "{0}: {1}",
        needs="COLON",
    ),
    "a test alone": saying(
        rf"^ +({TERM} (?:is|in|>|<|>=|<=) \S.*)$",
        "what must come of it is expected",
        "write `expect {0}`",
        "expect {0}",
        needs="CHANCE",
    ),
    "in a phase": saying(
        r"^ +(?P<wrong>(?:in|from|during|on)(?: the)?(?: phase)? ([a-z_]\w*))$",
        "where a scenario begins has a word",
        "write `at {1}`",
        "at {1}",
        needs="CHANCE",
    ),
}
