"""What players do, in sentences that begin with who does it, and where cards and pieces go."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, WHO, Saying, saying
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS

_DONE: Final = "steps begin with what is done"
_DECIDES: Final = "who decides chooses, and what he chooses has a name"
_OPTIONS: Final = "what there is to decide between are options, each with a name"
_CARD: Final = r"(?:cards?|tiles?|pieces?|stones?)"
_HIS: Final = r"(?:the |his |her |their |its |my |an? )?"

DEEDS: Final[dict[str, Saying]] = {
    # ---- deciding
    "one of a class": saying(
        r"choose?s? (?P<wrong>(?:an? |the |one |any )?(?:player|card|piece|square|number|tile) "
        r"([a-z_]\w*))(?= in )",
        _DECIDES,
        "write `{1}`",
        "{1}",
    ),
    "all but": saying(
        rf"in (?P<wrong>(?:players|everyone) (?:except|other than|but(?: not)?|without|besides|"
        rf"excluding)(?: for)? ({WHO}))",
        "the others have a word",
        "write `others({1})`",
        "others({1})",
    ),
    "chooses a player": saying(
        rf"^ *({WHO}) (?:chooses?|picks?|selects?) "
        r"(?:(?:an?|one|any|another|the)(?: other)? )(?:player|opponent|seat)$",
        _DECIDES,
        "write `{0} chooses q in others({0})`",
        "{0} chooses q in others({0})",
    ),
    "chooses a card": saying(
        rf"^ *({WHO}) (?:chooses?|picks?|selects?) (?:(?:an?|one|any|his) )?{_CARD}"
        rf"(?: (?:from|in|of) {_HIS}(?:hand)?)?$",
        _DECIDES,
        "write `{0} chooses {c} in {hand}[{0}]`",
        "{0} chooses {c} in {hand}[{0}]",
    ),
    "either or": saying(
        rf"^ *({WHO}) (?:may |can |must )?(?:chooses?|decides?|picks?|does) "
        r"(?:between |whether to |to )?([a-z]\w*) (?:or|and) (?:to )?([a-z]\w*)$",
        _OPTIONS,
        'write `{0} chooses "Which?"`, and below it `{1} "…"` and `{2} "…"` with their steps',
    ),
    "titles or": saying(
        rf"^ *({WHO}) (?:may |can |must )?(?:chooses?|decides?) \"+ or \"+$",
        _OPTIONS,
        'write `{0} chooses "Which?"`, and below it a line for each: a name, and its title',
    ),
    "whether to": saying(
        rf"^ *({WHO}) (?:may |can |must )?(?:chooses?|decides?) (?:whether )?to ([a-z]\w*)\b.*$",
        _OPTIONS,
        'write `{0} chooses "Which?"`, and below it `{1} "…"` and `pass "…"` with their steps',
    ),
    "asked by title": saying(
        rf"^ *ask ({WHO}) \"+$",
        _OPTIONS,
        "write `{0} chooses` and the title, and below it an option for each answer, as `agree` "
        "and `refuse`, with its steps",
    ),
    "if somebody wants": saying(
        rf"^ *(?:if|elif|when) (?P<wrong>({WHO}) (?:chooses|wants|decides|says|agrees)\b.*)$",
        "what somebody decides is asked by a choice",
        'write `{1} chooses "Which?"`, and below it an option for each answer, with its steps',
    ),
    "option of several words": saying(
        rf"^ +(?!(?:{'|'.join(sorted(LINE_WORDS | ALWAYS_WORDS))})\b)"
        r"([a-z]\w*(?: (?!in\b|with\b|to\b)[a-z]\w*)+)(?: *\"+)?$",
        "an option has a name of one word, and a title",
        'write `{0:name} "…"`; what is chosen with it has a place to come from: `c in '
        "{hand}[{active}]`",
        needs="IN",
    ),
    "asks": saying(
        rf"^ *({WHO}) (?:asks?|requests?|demands?)\b.*$",
        _DECIDES,
        "write `{0} chooses q in others({0})`, and in the next line what is asked for, as "
        "`{0} chooses n in 1..9`",
    ),
    "names": saying(
        rf"^ *({WHO}) (?:names|announces|declares|calls|says|guesses|bids) "
        r"(?:an?|one|his|the|some) ([a-z]\w*)\b.*$",
        _DECIDES,
        "write `{0} chooses n in 1..9`, with what there is to choose from",
    ),
    # ---- giving and taking
    "again somebody": saying(
        rf"^ *({WHO}) (?:plays?|goes|moves?|rolls?|draws?|acts?|starts?|gets) "
        r"(?:again|once more|another turn|an extra turn)$",
        "what comes next stands behind an arrow",
        "write `-> {phase}`",
    ),
    "gives all": saying(
        rf"^ *({WHO}) (?:gives?|hands?|passes) (?:all|every|his|her|their)\b.* to ({WHO})$",
        _DONE,
        "write `move all {x} in {hand}[{0}] where {card_test} to {hand}[{1}]`; whatever they are, "
        "`move all of {hand}[{0}] to {hand}[{1}]`",
    ),
    "gives one": saying(
        rf"^ *({WHO}) (?:gives?|hands?|passes) (?:an?|one|any|his|\d+) {_CARD} to ({WHO})$",
        "what a player gives he chooses",
        "write `{0} chooses {c} in {hand}[{0}]`, and in the next line `move {c} to {hand}[{1}]`",
    ),
    "gives it": saying(
        rf"^ *({WHO}) (?:gives?|hands?|passes) ([a-z_]\w*) to ({WHO})$",
        _DONE,
        "write `move {1} to {hand}[{2}]`",
    ),
    "takes one from": saying(
        rf"^ *({WHO}) (?:takes?|draws?|steals?|gets?) (?:an?|one|any) (?:random )?{_CARD} "
        rf"(?:from|of) ({TERM}|{SEAT})$",
        "who takes something chooses it, or chance does",
        "write `pick {x} in {hand}[B] at random`, or `{0} chooses {x} in {1}`, and in the next "
        "line `move {x} to {hand}[{0}]`",
    ),
    "takes it from": saying(
        rf"^ *({WHO}) (?:takes?|draws?|steals?|gets?) ([a-z_]\w*) from ({TERM}|{SEAT})$",
        _DONE,
        "write `move {1} to {hand}[{0}]`",
    ),
    "all draw one": saying(
        r"^ *(?:(?:each|every|all) players?|everyone|everybody|players) "
        rf"(?:draws?|gets?|takes?|receives?) (?:an?|one) {_CARD}$",
        "one after the other is a loop",
        "write `for p in players`, and below it, further in, `move top of {pile} to {hand}[p]`",
    ),
    "all reveal": saying(
        r"^ *(?:(?:reveal|show) (?:all )?(?:the )?(?:hands|cards)|"
        r"(?:(?:each|every|all) players?|everyone) (?:reveals?|shows?) .*)$",
        "what everybody may see is revealed",
        "write `reveal all of {hand}`",
        "reveal all of {hand}",
    ),
    "deal": saying(
        r"^ *deal(?: out)?(?: all)?(?: the)?(?: (?:cards|deck))?(?: to .*)?$",
        "one after the other is a loop",
        "write `for p in players`, and below it, further in, `move top 5 of {pile} to {hand}[p]`",
    ),
    # ---- moving
    "two moves": saying(
        rf"^ *move ([a-z].*?) to ({TERM}),? (?:and|then) (?:move )?([a-z].*?) to ({TERM})$",
        "each move has a line",
        "write `move {0} to {1}`, and in the next line `move {2} to {3}`",
    ),
    "move all from": saying(
        rf"^ *(?:move|return|put) (?:all|everything)(?: (?:of )?(?:the )?{_CARD})? "
        rf"(?:in|from|on|of) (?:the )?({TERM}) (?:back )?(?:to|in|into|on|onto) (?:the )?({TERM})$",
        "all that lies in a place is named by the place",
        "write `move all of {0} to {1}`",
        "move all of {0} to {1}",
    ),
    "move all": saying(
        rf"^ *(?:move|return|put|collect) (?:all|everything)(?: (?:of )?(?:the )?{_CARD})? "
        rf"(?:back )?(?:to|in|into|on|onto) (?:the )?({TERM})$",
        "all that there are is named by the class",
        "write `move all of {card} to {0}`",
        "move all of {card} to {0}",
    ),
    "to the bottom": saying(
        rf"^ *(?:put|place|move|return|lay) ({TERM}) (?:(?:at|to|on) (?:the )?bottom of|under|"
        rf"underneath|beneath) (?:the )?({TERM})$",
        "where it lies stands behind the place",
        "write `move {0} to {1}, bottom`",
        "move {0} to {1}, bottom",
    ),
    "put back": saying(
        rf"^ *(?:return|send|bring|give back|put) ({TERM}) (?:back )?to (?:the )?({TERM})$",
        _DONE,
        "write `move {0} to {1}`",
        "move {0} to {1}",
    ),
    "loses one": saying(
        rf"^ *({WHO}) loses (?:an?|one|his|her|their) [a-z]\w*$",
        "what somebody loses he chooses, or chance does",
        "write `{0} chooses {c} in {hand}[{0}]` or `pick {c} in {hand}[{0}] at random`, and in the "
        "next line `move {c} to box`",
    ),
    "put it": saying(
        rf"^ *(?:put|place|lay|return|move|add) ({TERM}) (?:(?:back )?(?:on top of|to the top of|"
        rf"on|onto|into|in|upon)) (?:the )?({TERM})$",
        _DONE,
        "write `move {0} to {1}`",
        "move {0} to {1}",
    ),
    "moves a piece": saying(
        rf"^ *({WHO}) (?:moves?|steps?|slides?) (?:an?|one|any|his|her|their) [a-z]\w*"
        r"(?: (?:from|to|on|one|any|to|along|forward|diagonally|\d)\b.*)?$",
        _DECIDES,
        "write `{0} chooses s in squares({board}), t in squares({board})`, with `where` for what "
        "is allowed, and in the next line `move s to t`",
    ),
    "so many where": saying(
        r"(?P<wrong>\b(\d+) of ([a-z_]\w*) where ([a-z_]\w* (?:is|in|<=?|>=?) [\w.]+))",
        "what is asked of each has a name for it",
        "write `{1} of (all {x} in {2} where {x}.{3})`",
        "{1} of (all {x} in {2} where {x}.{3})",
    ),
    "all where": saying(
        r"(?P<wrong>\ball (?:of )?(?:the )?([a-z_]\w*) (?:where|whose|with) "
        r"([a-z_]\w* (?:is|in|<=?|>=?) [\w.]+))",
        "what is asked of each has a name for it",
        "write `all {x} in {1} where {x}.{2}`",
        "all {x} in {1} where {x}.{2}",
    ),
    "take away": saying(
        rf"^ *(?:remove|destroy|kill|capture|trash|burn|bury) ({TERM})"
        r"(?: from (?:the )?[a-z]\S*)?$",
        "what leaves the game goes to the box",
        "write `move {0} to box`, or to the place where it goes",
    ),
    # ---- becoming
    "is now": saying(
        rf"^ +(?!it )({TERM}) is now (\S.*)$",
        "what something becomes stands behind `=`",
        "write `{0} = {1}`",
        "{0} = {1}",
    ),
    "becomes": saying(
        rf"^ +({WHO}) becomes (?:the )?({WHO})$",
        "what something becomes stands behind `=`",
        "write `{0} = {1}`, with the variable in front",
    ),
    "is on turn": saying(
        rf"^ *it is (?:now )?(?:({WHO})'s turn|the turn of ({WHO}))$",
        "whose turn it is stands in a variable of yours",
        "write `{active} = {0}{1}`",
    ),
    "of somebody": saying(
        rf"^ +([a-z_]\w*) of ({WHO})(?= *[-+]?=)",
        "whose it is stands in brackets",
        "write `{0}[{1}]`",
    ),
    "with its unit": saying(
        rf"^ +{TERM} *[-+]?= *\S.*?(?P<wrong> (?:points?|coins?|cards?|lives|tricks?|dollars?))$",
        "a number stands alone",
        "leave it out",
        "",
    ),
    # ---- what somebody has
    "alike in a place": saying(
        rf"(?P<wrong>({TERM}) (?:has|have|contains?|holds) (?:an? )?(?:(pair)|"
        rf"(two|three|four|\d+)(?: {_CARD})? of (?:the same|a|one) [a-z]\w*))$",
        "what is alike is counted",
        "write `some {x} in {1:place}: count(y for y in {1:place} where y.{value} is {x}.{value}) "
        ">= {2:number}{3:number}`",
        free=True,
    ),
    "attribute asked": saying(
        r"(?P<wrong>(?:the )?([a-z_]\w*) (?:has|is of) (?:the |a |that )(?:same )?([a-z_]\w*))$",
        "what a card has stands behind a dot",
        "write it as in `c.{2} is wanted`",
        free=True,
    ),
}
