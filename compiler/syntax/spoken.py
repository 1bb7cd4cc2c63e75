"""More lines that read as English: of turns, of what a variable is, of cards and of comparing."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, Saying, saying

SPOKEN: Final[dict[str, Saying]] = {
    "family without var": saying(
        r"^([a-z_]\w*)(?: per ([a-z_]\w*))?:? *= *(-?\w+)$",
        "what changes while one plays is declared",
        "write `var {0} per player: 0..9 = {2}`; one for all, `var {0}: 0..9 = {2}`; with what it "
        "can be for `0..9`",
        needs="ENUM",
    ),
    "die with a range": saying(
        r"^die ([a-z_]\w*)(?P<wrong>, *(\w+\.\.\w+): *(.+))$",
        "several dice of a kind are a family",
        "write `die {0} per {2}: {3}`: `{0}[1]` is the first of them",
        " per {2}: {3}",
    ),
    "die with a number": saying(
        r"^die ([a-z_]\w*)(?P<wrong>,? +(\w+): *(.+))$",
        "several dice of a kind are a family",
        "write `die {0} per 1..{2}: {3}`: `{0}[1]` is the first of them",
    ),
    "dice": saying(
        r"^(?P<wrong>(?:dice|die) ([a-z_]\w*):? *(?:= *)?(\d+)d(\d+))$",
        "several dice of a kind are a family",
        "write `die {1} per 1..{2}: 1..{3}`: `{1}[1]` is the first of them",
    ),
    "one die": saying(
        r"^(?P<wrong>(?:dice|die) ([a-z_]\w*):? *(?:= *)?[dD](\d+))$",
        "a die has faces",
        "write `die {1}: 1..{2}`",
    ),
    "values of a variable": saying(
        r"^var ([a-z_]\w*): *(?P<wrong>(?:enum(?: of)? |one of |\[)?([a-z_]\w*(?: *, *[a-z_]\w*)+))"
        r"\]?(?: *=.*)?$",
        "words that something can be are an `enum`",
        "write `enum {0}_kind: {2}` above, and here `var {0}: {0}_kind`",
    ),
    "values of an attribute": saying(
        r"^ +([a-z_]\w*): *(?P<wrong>(?!yes|no|true|false)(?:enum(?: of)? |one of |\[)?"
        r"([a-z_]\w*(?: *, *[a-z_]\w*)+)\]?)$",
        "words that something can be are an `enum`",
        "write `enum {0}: {2}` at the left edge, and here `{0}: {0}`",
    ),
    "values that are letters": saying(
        r"^ +([a-z_]\w*): *(?P<wrong>([A-Z]\w*)(?: *, *\w+)+)$",
        "words that something can be are an `enum`; each has a name, and behind it what is printed",
        "write `enum {0}: king K, queen Q` at the left edge, with yours, and here `{0}: {0}`",
    ),
    "copies": saying(
        r"^ +(?P<wrong>(?:count|number|amount|quantity|times):? (\d+))$",
        "how many there are is told by copies",
        "write `copies {1}`",
        "copies {1}",
    ),
    "until behind a loop": saying(
        rf"^ *for [a-z_]\w* in {TERM} (?P<wrong>(?:until|while)\b.*)$",
        "a loop goes once through what it names",
        "what goes on until something holds is `repeat`, its steps below it, and `until P` last",
    ),
    "for from": saying(
        r"^ *for ([a-z_]\w*) "
        rf"(?P<wrong>(?:from|starting (?:with|from|at)|beginning with) ({TERM}))$",
        "a loop says through what it goes",
        "write `for {0} in seats_from({2})`",
        "in seats_from({2})",
    ),
    "together each": saying(
        r"^ *together (?P<wrong>(?:each|every|all|for)\b.*)$",
        "those who choose at once are a list, and each has a name",
        "write `together p in players`, and below it what `p` chooses",
    ),
    "roll all": saying(
        r"^ *roll (?P<wrong>(?:all|every|each|both)(?: of)?(?: the)? ([a-z_]\w*))$",
        "each die is named",
        "write `roll {1}`, or of several `roll {1}[1], {1}[2]`; in a loop, `roll {1}[i]`",
    ),
    "change without equals": saying(
        rf"^ +({TERM}) (?P<wrong>([+-]) *([\w.\[\]]+))$",
        "a sum alone changes nothing",
        "write `{0} {2}= {3}`",
        "{2}= {3}",
        needs="PLUS_IS",
    ),
    "move from": saying(
        rf"^ *move (?P<wrong>(\d+|[a-z_]\w*) (?:of )?(?:the )?[a-z_]\w* from ({TERM})) to\b.*$",
        "what is moved is named by where it lies",
        "write `top {1} of {2}`, or `{1} of {2}` where all are alike",
    ),
    "moved from": saying(
        rf"^ *move ({TERM}|{SEAT})(?P<wrong> from {TERM})\b.*$",
        "where something lies is known",
        "leave it out: `move {0} to …`",
    ),
    "may do": saying(
        rf"^ *({TERM}|{SEAT}) (?P<wrong>(?:may|can|must|has to) (?!choose\b)([a-z_]\w*).*)$",
        "what a player can do is an option of a choice",
        'write `{0} chooses "Which?"`, and below it `{2} "…"` and `pass "…"` with their steps',
    ),
    "has no moves": saying(
        rf"(?P<wrong>({TERM}|{SEAT}) (?:has|have) no (?:legal |valid |possible |more )?"
        r"(?:moves?|options?|choices?|actions?)\b.*)$",
        "that nothing can be chosen shows where it is to be",
        "write `otherwise` as the last line below the choice, and what happens then below it",
    ),
    "one where": saying(
        r"= *(?P<wrong>(?:the )?([a-z_]\w*) (?:where|whose|with|who) (.+))$",
        "those of whom something holds are a list",
        "write `first(all {1} in players where P)`, with what holds of {1} for P",
    ),
    "winners who": saying(
        r"^ *end winners "
        r"(?P<wrong>(?:the |all |any )?(?:players?|one|seats?|he|who)\b(?! in\b)"
        r"(?!.*\bwith (?:the )?(?:m[oa]|hi|gr|lar|few|le|lo|sm|mi)).*)$",
        "who wins is a player, or a list of them",
        "write `all p in players where {score}[p] >= 3`, or `most({score}[p] for p in players)`",
    ),
    "whose": saying(
        rf"(?P<wrong>({TERM})'s ([a-z_]\w*))",
        "what somebody has is written behind its name",
        "write `{2}[{1}]` of a player, `{1}.{2}` of a card or piece; a piece of a player is "
        "`1 of (all {x} in {2} where {x}.owner is {1})`",
    ),
    "then in one line": saying(
        r"^ *(?:if|elif) (?!.*\belse\b).*?(?P<wrong>\bthen (\S.*))$",
        "what is done stands in the lines below, further in",
        "end the line before `then`, and write `{1}` below it, indented",
    ),
}
