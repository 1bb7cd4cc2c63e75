"""Lines as other languages for machines have them: blocks, comments, loops and comparisons."""

from typing import Final

from compiler.syntax.saying import TERM, Saying, saying

_BELOW: Final = "what belongs to a line stands below it, indented by four spaces"
_COMMENT: Final = "a comment begins with `--` and goes to the end of its line"
_NOT_EQUAL: Final = (
    r"(?:isn't|aren't|isnt|does not equal|doesn't equal|is not equal to|is unequal to|"
    r"is different from|differs from)"
)
_AS_SIGN: Final = "numbers are compared by signs"
_TESTED: Final = (
    r"(?:\b(?:if|elif|when|unless|until|whenever|and|or|where|expect)\b|[=:]).*?[\w\])] "
)
_BEHIND: Final = rf"{_TESTED}(?P<wrong>(?:is |are |has )?"

PROGRAMS: Final[dict[str, Saying]] = {
    # ---- comments
    "slashes": saying(r"^ *(?P<wrong>//+)", _COMMENT, "write `--`", "--"),
    "slashes behind": saying(
        r"(?P<wrong>//+)(?= *(?:[A-Za-z]\w*,? +[A-Za-z]|$))", _COMMENT, "write `--`", "--"
    ),
    "slash and star": saying(
        r"(?P<wrong>/\*+ *(.*?) *(?:\*+/)?)$", _COMMENT, "write `-- {1}`", "-- {1}", free=True
    ),
    "star and slash": saying(
        r"^(?P<wrong> *(?:\*+ )?(.*?) *\*+/)$", _COMMENT, "write `-- {1}`", "-- {1}", free=True
    ),
    "other comments": saying(
        r"^ *(?P<wrong>(?:;+|REM|rem|%+|<!-*)(?: |$))", _COMMENT, "write `--`"
    ),
    "dash": saying(
        r"^ *(?P<wrong>[-*•]) +[a-zA-Z]",
        "no line begins so",
        "leave it out; a comment begins with `--`",
    ),
    # ---- blocks
    "block in braces": saying(
        r"^ *(?:if|elif|else|for|while|repeat|phase|start|whenever)\b.*?"
        r"(?P<wrong>\{ *([^{}]*?) *;? *\})$",
        _BELOW,
        "end the line before `{{`, and write `{1}` below it, indented",
    ),
    "brace opens": saying(r"(?P<wrong>\{)$", _BELOW, "remove it", ""),
    "brace closes": saying(r"^ *(?P<wrong>\}+;?)$", _BELOW, "remove it", ""),
    "loop": saying(
        r"^ *(?P<wrong>(?:loop|forever|do|repeat forever|loop forever|do forever):?)$",
        "a loop begins with `repeat`",
        "write `repeat`, and last, as deep as it, `until P`; without it, `leave repeat` ends it",
        "repeat",
    ),
    "while": saying(
        r"^ *while +(\S.*?):?$",
        "a loop is left by a step, or asks at its end",
        "write `repeat`; below it, further in, first `if not ({0})` with `leave repeat` below "
        "that; behind the block of a `repeat`, `until not ({0})`",
    ),
    "repeat until": saying(
        r"^ *repeat (?P<wrong>until (\S.*?)):?$",
        "a loop asks at its end",
        "write `until {1}` below the block, as deep as `repeat`",
    ),
    "repeat while": saying(
        r"^ *repeat (?P<wrong>while (\S.*?)):?$",
        "a loop asks at its end when to stop",
        "write `until not ({1})` below the block, as deep as `repeat`",
    ),
    "times": saying(
        rf"^ *(?:repeat|do|loop) (?:for )?(\d+|{TERM}) times:?$",
        "a loop says through what it goes",
        "write `for i in 1..{0}`",
        "for i in 1..{0}",
    ),
    "for to": saying(
        r"^ *for ([a-z_]\w*) *(?P<wrong>(?::?=|from|in) *(\w+) *(?:to|until|through|-|\.\.\.) *"
        r"([\w.\[\]]+)):?$",
        "a loop says through what it goes",
        "write `for {0} in {2}..{3}`",
        "in {2}..{3}",
    ),
    "for with semicolons": saying(
        r"^ *for *\( *(?:int |let |var )?([a-z_]\w*) *= *(\w+) *;[^;]*?<=? *([\w.\[\]]+) *;.*$",
        "a loop says through what it goes",
        "write `for {0} in {1}..{2}`, with the last number that is to come",
    ),
    # ---- steps
    "plus plus": saying(
        rf"^ *(?:({TERM}) *\+\+|\+\+ *({TERM}));?$",
        "other languages write it so",
        "write `{0}{1} += 1`",
        "{0}{1} += 1",
    ),
    "equals plus": saying(
        rf"^ +({TERM}) *=\+ *(\S.*)$",
        "the sign stands before `=`",
        "write `{0} += {1}`",
        "{0} += {1}",
    ),
    "print": saying(
        r"^ *(?:print|say|echo|log|announce|display|output|message|alert|write)\b *"
        r"(?:\(.*\)|\"+.*|[a-z_].*)$|^ *show \"+",
        "what happens is told to the players without a step",
        "remove the line; words of your own are the title of a step: a title in quotes alone, and "
        "the steps below it",
    ),
    "method": saying(
        rf"^ *({TERM})\.(?:shuffle|draw|pop|push|append|add|remove|insert|discard|deal|move)"
        r"\w*\(.*\)$",
        "steps begin with what is done",
        "write `shuffle {0}`, `move top of {0} to {hand}[{active}]`, or what else is to be done",
    ),
    "typed variable": saying(
        r"^ *(?:int|integer|number|string|boolean|float|double|auto|dim|local|global|variable) "
        r"([a-z_]\w*)(?: *:?= *(\w+))?;?$",
        "what changes while one plays is declared",
        "write `var {0}: 0..99 = 0` at the left edge, with what it can be and what it is at first",
    ),
    "then and else": saying(
        r"^ *if (.+?) then ((?:[a-z_][\w.\[\]]* *[-+]?=|move|end|->|do|roll|flip|leave).+?) "
        r"else (.+)$",
        "what is done stands in the lines below, further in",
        "write `if {0}`, below it `{1}`, then `else`, and below that `{2}`",
    ),
    # ---- comparisons
    "is not in": saying(r"(?P<wrong>is not in)\b", "one word fewer", "write `not in`", "not in"),
    "is in": saying(r"(?P<wrong>is in)\b", "one word fewer", "write `in`", "in"),
    "unequal": saying(rf"(?P<wrong>{_NOT_EQUAL})", _AS_SIGN, "write `is not`", "is not"),
    "equal to": saying(
        rf"{_TESTED}(?P<wrong>(?:is |are )?(?:equal to|equals?|the same as|identical to))"
        r"(?! then\b)(?= [\w(\[-])",
        "equality is told by `is`",
        "write `is`",
        "is",
    ),
    "at least": saying(
        rf"{_BEHIND}(?:at least|no less than|not less than|no fewer than|"
        r"(?:greater|more|bigger|larger|higher) than or (?:equal|the same)(?: to| as)?))",
        _AS_SIGN,
        "write `>=`",
        ">=",
    ),
    "at most": saying(
        rf"{_BEHIND}(?:at most|no more than|not more than|up to|"
        r"(?:less|fewer|smaller|lower) than or (?:equal|the same)(?: to| as)?))",
        _AS_SIGN,
        "write `<=`",
        "<=",
    ),
    "more than": saying(
        rf"{_BEHIND}(?:(?:more|greater|bigger|larger|higher) than|above|over|exceeds))",
        _AS_SIGN,
        "write `>`",
        ">",
    ),
    "less than": saying(
        rf"{_BEHIND}(?:(?:less|fewer|smaller|lower) than|below|under))",
        _AS_SIGN,
        "write `<`",
        "<",
    ),
    "is between": saying(
        rf"{_TESTED}(?P<wrong>(?:is |are )?between ([\w\[\]]+) and ([\w\[\]]+))",
        "numbers are given by their first and last",
        "write `in {1}..{2}`",
        "in {1}..{2}",
    ),
}
