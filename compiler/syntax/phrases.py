"""Sentences of printed rules: what is dealt and drawn, who wins, what comes next."""

from typing import Final

from compiler.syntax.saying import SEAT, TERM, WHO, Saying, saying

_DONE: Final = "steps begin with what is done"
_RESULT: Final = "a game ends with its result"
_DICE: Final = "dice are declared, and each is named when it is rolled"
_TO_EACH: Final = (
    "write `for p in players`, and below it, further in, `move top {0}{1} of {pile} to {hand}[p]`"
)
_MOST: Final = r"(?:most|highest|largest|greatest|max(?:imum)?|best)"
_FEWEST: Final = r"(?:fewest|least|lowest|smallest|min(?:imum)?|worst)"
_ASKED: Final = r"(?:if|elif|when|unless|until|and|or|not)"
_NO_MOVE: Final = (
    r"(?:no|moves?|legal|valid|more|possible|plays?|go|act|left|choices?|options?|able|to)"
)
_CARDS: Final = r"(?:cards?|tiles?|pieces?|stones?)"

STEPS: Final[dict[str, Saying]] = {
    # ---- who wins
    "most wins": saying(
        rf"^ *(?:(?:the )?(?:player|one|seat|who)s? (?:with|who has|has|having) )?(?:the )?{_MOST} "
        r"[a-z]\w*(?: [a-z]\w*)? (?:wins?|won)\b.*$",
        _RESULT,
        "write `end winners most({score}[p] for p in players)`",
    ),
    "fewest wins": saying(
        rf"^ *(?:(?:the )?(?:player|one|seat|who)s? (?:with|who has|has|having) )?(?:the )?"
        rf"{_FEWEST} [a-z]\w*(?: [a-z]\w*)? (?:wins?|won)\b.*$",
        _RESULT,
        "write `end winners least({score}[p] for p in players)`",
    ),
    "is winner": saying(
        rf"^ *({WHO}) (?:is|are|becomes?) (?:the |a )?winners?$",
        _RESULT,
        "write `end winners {0}`",
        "end winners {0}",
    ),
    "winner is": saying(
        rf"^ *(?:the )?(?:win|winners?|victory)(?: is| are| for|:| *=)? ({WHO})$",
        _RESULT,
        "write `end winners {0}`",
        "end winners {0}",
    ),
    "end with several": saying(
        rf"^ *end winners? (?P<wrong>({WHO})(?:,| and|, and) ({WHO}))$",
        "several stand in a list",
        "write `[{1}, {2}]`",
        "[{1}, {2}]",
    ),
    "end with": saying(
        rf"^ *(?P<wrong>end (?:win|winning|with|for)) ({WHO})$",
        _RESULT,
        "write `end winners {1}`",
        "end winners",
    ),
    "is out": saying(
        rf"^ *({WHO}) (?:is|are|gets?) (?:out|eliminated|dead|knocked out|removed)$",
        "who is out is a step",
        "write `eliminate {0}`",
        "eliminate {0}",
    ),
    "end alone": saying(
        r"^ *(?P<wrong>end|stop|finish|quit|exit|game over|end of game)$",
        _RESULT,
        "write `end winners {active}`, with who wins; `end draw` if nobody does",
    ),
    # ---- points
    "points": saying(
        rf"^ *(?!every|each|all)({WHO}) (?:gets?|scores?|gains?|wins?|earns?|receives?) (\d+)"
        r"(?: more)?(?: points?)?$",
        "steps begin with what is changed",
        "write `{score}[{0}] += {1}`",
    ),
    "points lost": saying(
        rf"^ *(?!every|each|all)({WHO}) (?:loses?|pays?) (\d+)(?: [a-z_]\w*)?$",
        "steps begin with what is changed",
        "write `{score}[{0}] -= {1}`",
    ),
    "add to": saying(
        rf"^ *add (\w+) (?:points? )?to (?:the )?({TERM})$",
        "steps begin with what is changed",
        "write `{1} += {0}`",
    ),
    "subtract": saying(
        rf"^ *(?:subtract|take|deduct|remove) (\d+) (?:points? )?from (?:the )?({TERM})$",
        "steps begin with what is changed",
        "write `{1} -= {0}`",
    ),
    "increase": saying(
        rf"^ *(?:increase|raise|increment|decrease|lower|reduce|decrement) ({TERM})"
        r"(?: by ([\w.\[\]]+))?$",
        "steps begin with what is changed",
        "write `{0} += 1`, or `{0} -= 1`, with how much for 1",
    ),
    "set to": saying(
        rf"^ *set (?:the )?({TERM}) to (\S.*)$",
        "what something becomes stands behind `=`",
        "write `{0} = {1}`",
        "{0} = {1}",
    ),
    # ---- cards
    "deal to each": saying(
        r"^ *(?:deal|give|hand)(?: out)? (?:(\d+)(?: cards?)? (?:to )?(?:each|every|all)"
        rf"(?: of the)?(?: players?)?|(?:each|every|all)(?: players?)? (\d+)(?: {_CARDS})?)$",
        "one after the other is a loop",
        _TO_EACH,
    ),
    "each draws": saying(
        r"^ *(?:(?:each|every|all) players?|everyone|everybody|players) "
        r"(?:draws?|gets?|takes?|receives?|has|have|is dealt|are dealt|starts? with) (\d+)"
        rf"(?: {_CARDS})?$",
        "one after the other is a loop",
        "write `for p in players`, and below it, further in, `move top {0} of {pile} to {hand}[p]`",
    ),
    "deal to one": saying(
        rf"^ *(?:deal|give) (\d+)(?: {_CARDS})? to ({WHO})$",
        _DONE,
        "write `move top {0} of {pile} to {hand}[{1}]`",
    ),
    "give one": saying(
        rf"^ *(?:deal|give) ({SEAT}|active) (\d+)(?: {_CARDS})?$",
        _DONE,
        "write `move top {1} of {pile} to {hand}[{0}]`",
    ),
    "draws so many": saying(
        rf"^ *({WHO}) (?:draws?|takes?|gets?|receives?|picks? up) (\d+) {_CARDS}(?: from .*)?$",
        _DONE,
        "write `move top {1} of {pile} to {hand}[{0}]`",
    ),
    "draw so many": saying(
        rf"^ *(?:draw|take|pick up) (\d+)(?: {_CARDS})?(?: from .*)?$",
        _DONE,
        "write `move top {0} of {pile} to {hand}[{active}]`",
    ),
    "draw one": saying(
        rf"^ *(?:draw|take|pick up)(?: (?:an?|one|the top))?(?: (?:top )?{_CARDS})?(?: from .*)?$",
        _DONE,
        "write `move top of {pile} to {hand}[{active}]`; a drawn game is `end draw`",
    ),
    "discard it": saying(
        r"^ *discard (?:the )?([a-z_]\w*)$",
        _DONE,
        "write `move {0} to {used}`",
    ),
    "discard one": saying(
        rf"^ *discard(?: (?:an?|one|any|\d+) {_CARDS})?$",
        "what a player discards he chooses",
        "write `{active} chooses {c} in {hand}[{active}]`, and in the next line "
        "`move {c} to {used}`",
    ),
    "plays one": saying(
        rf"^ *({WHO}) (?:discards?|plays?|puts?|places?|lays?|gives?|passes) "
        r"(?:an?|one|any|his|her|their|\d+) [a-z]\w*\b.*$",
        "what a player plays he chooses",
        "write `{0} chooses {c} in {hand}[{0}]`, and in the next line `move {c} to {table}`",
    ),
    "plays one of": saying(
        rf"^ *({WHO}) (?:plays?|picks?|selects?|takes?|draws?|bids?|names?|decides?|discards?|"
        r"moves?) ([a-z_]\w* in \S.*)$",
        "who decides chooses",
        "write `{0} chooses {1}`",
        "{0} chooses {1}",
    ),
    "plays it": saying(
        rf"^ *({WHO}) (?:discards?|plays?|puts?|places?|lays?|moves?) "
        r"(?!again\b)([a-z_]\w*)"
        r"(?: (?:to|on|onto|into) .*)?$",
        _DONE,
        "write `move {1} to {table}`, with the place where it goes",
    ),
    "top card": saying(
        rf"(?P<wrong>(?:the )?top (?:(\d+) )?{_CARDS} (?:of|from) (?:the )?({TERM}))",
        "what lies on top needs no other word",
        "write `top of {2}`; of several, as in `top 3 of {2}`",
    ),
    "move so many": saying(
        rf"^ *move (?P<wrong>(?:the )?(?:top )?(\d+) {_CARDS}) to ({TERM}|{SEAT})",
        "what is moved is named by where it lies",
        "write `move top {1} of {pile} to {2}`",
    ),
    "move one": saying(
        rf"^ *move (?P<wrong>(?:(?:an?|one|any|the|the top|top) )?{_CARDS} (?:from|of|off) "
        rf"(?:the )?({TERM}))(?= to\b)",
        "what is moved is named by where it lies",
        "write `top of {1}`; any of several that are alike is `1 of {1}`",
        "top of {1}",
    ),
    "shuffle into": saying(
        rf"^ *shuffle (?:all )?(?:the )?(?:all of )?(?:cards|{TERM}) (?:back )?into (?:the )?"
        rf"({TERM})$",
        "a place is shuffled when all lies there",
        "write `move all of {card} to {0}`, and in the next line `shuffle {0}`",
    ),
    "move a token": saying(
        rf"^ *move (?P<wrong>(?:the |an? |one )?(?:[a-z]\w* )?({SEAT}|\d+)) to (\S.*)$",
        "which is meant is told of it",
        "write `move 1 of (all {x} in {piece} where {piece_test}) to {2}`",
    ),
    "move some": saying(
        r"^ *move (?P<wrong>(?:the |all )?(?!all\b|top\b|bottom\b|each\b|every\b)"
        r"([a-z]\w* [a-z]\w*)) to (\S.*)$",
        "which are meant is told of each",
        "write `move all {x} in {piece} where {piece_test} to {2}`",
    ),
    "shuffle what": saying(
        rf"^ *(?:{WHO} )?shuffles?(?: up)?(?: (?:the|all|all the|up))?(?: (?:cards|deck|{TERM}))?$",
        "a place is shuffled",
        "write `shuffle {pile}`",
        "shuffle {pile}",
    ),
    "turn over": saying(
        rf"^ *(?:(?:turn over|turn up|uncover|open) (?:the )?({TERM})|"
        rf"(?:turn|flip) (?:the )?({TERM}) (?:over|around|up|face up))$",
        _DONE,
        "write `flip {0}{1} face up`",
    ),
    "turn face up": saying(
        rf"^ *turn (?:the )?((?:all of|first|last|top of|top \d+ of) ?\(?{TERM}\)?|{TERM}) face "
        r"(up|down)$",
        _DONE,
        "write `flip {0} face {1}`",
        "flip {0} face {1}",
        free=True,
    ),
    # ---- dice
    "roll so many": saying(
        rf"^ *(?:{WHO} )?(?:rolls?|throws?|casts?) (\d+)[dD](\d+)$",
        _DICE,
        "write `die dice per 1..{0}: 1..{1}` at the left edge, and here `roll dice[1], dice[2]`",
    ),
    "roll dice": saying(
        rf"^ *(?:{WHO} )?(?:rolls?|throws?|casts?) (?:the )?(?:\d+|two|both|three|four|five|six) "
        r"(?:dice|die|[a-z]\w*)$",
        _DICE,
        "write `die dice per 1..2: 1..6` at the left edge, and here `roll dice[1], dice[2]`",
    ),
    "roll again": saying(
        rf"^ *roll ({TERM}) (?:twice|again|once|two times|three times|\d+ times)$",
        "each line `roll` is one throw",
        "write `roll {0}` once for each throw",
    ),
    "rolls": saying(
        rf"^ *(?:{WHO} )?(?:rolls?|throws?|casts?)(?: (?:an?|the|one|his|her|their))?"
        r"(?: (?:d\d+|die|dice|[a-z]\w*))?(?: of \w+)?$",
        _DICE,
        "write `roll {die}`; what it can show is told at the left edge: `die {die}: 1..6`",
    ),
    # ---- what comes next
    "nothing": saying(
        r"^ *(?P<wrong>pass|skip|nothing|continue|do nothing|noop|nop)$",
        "where nothing is done, nothing is written",
        "remove the line; an option may have nothing below it",
    ),
    "turn ends": saying(
        r"^ *(?:(?:the |his |her |their )?(?:turn|round) (?:ends|is over|over|passes|is done)|"
        r"pass (?:the )?turn)\b.*$",
        "whose turn it is stands in a variable of yours",
        "write `{active} = next({active})`, and `-> {phase}`",
    ),
    "again": saying(
        r"^ *(?:go|play|start|turn|repeat|begin)(?: it)?(?: all)? (?:again|over|anew)$",
        "what comes next stands behind an arrow",
        "write `-> {phase}`",
    ),
    "start phase": saying(
        r"^ *(?:start|begin|run|repeat|enter) (?:the |a |an |a new |another |with )?([a-z_]\w*)$",
        "what comes next stands behind an arrow",
        "write `-> {0}`; to come back behind it: `do {0}`",
    ),
    "choose who": saying(
        r"^ *(?:choose|select|pick) ((?!.*\bat random\b)[a-z_]\w* in \S.*)$",
        "somebody decides",
        "write `{active} chooses {0}`; by chance it is `pick {0} at random`",
    ),
    "ask": saying(
        rf"^ *(?:ask|let) ({WHO}) (?:to )?(?:choose|pick|select) ([a-z_]\w* in \S.*)$",
        "who decides stands first",
        "write `{0} chooses {1}`",
        "{0} chooses {1}",
    ),
    # ---- loops and tests
    "from somebody": saying(
        r"^ *for ([a-z_]\w*) in players,? (?P<wrong>(?:clockwise )?(?:from|after|"
        rf"(?:starting|beginning) (?:with|from|at)) (?:the )?({TERM}|{SEAT}))$",
        "who comes first is told by the list",
        "write `for {0} in seats_from({2})`",
    ),
    "for players": saying(
        r"^ *for (?P<wrong>(?:(?:each|every|all|any) )?(?:players?|everyone|everybody|seats?)"
        r"(?: in (?:players|everyone))?):?$",
        "a loop has a name for the one whose turn it is",
        "write `for p in players`, and below it use `p`",
        "p in players",
    ),
    "for all": saying(
        r"^ *for (?P<wrong>(?:all|every|any) ([a-z_]\w*) in) ",
        "a loop goes through all by itself",
        "write `for {1} in`",
        "{1} in",
    ),
    "cannot move": saying(
        rf"(?P<wrong>\b(?!{_ASKED} )(?:(?:the |a )?player|{WHO}) "
        rf"(?:cannot|can't|can not|is unable to|has no|have no|can no)(?: {_NO_MOVE})+|"
        rf"\b(?:there (?:are|is) no|nobody can|no one can|no)(?: {_NO_MOVE})+)$",
        "that nothing can be chosen shows where it is to be",
        "write `otherwise` as the last line below the choice, and what happens then below it",
    ),
    "has none": saying(
        rf"(?P<wrong>({TERM}) (?:has|have|contains?) no (?:more )?{_CARDS}(?: left)?)\b",
        "that nothing lies there has a word",
        "write `{1} is empty`",
        "{1} is empty",
    ),
    "has so many": saying(
        rf"(?P<wrong>({TERM}) (?:has|have|contains?) (?:exactly )?(\d+) {_CARDS})\b",
        "what lies there is counted",
        "write `count({1}) is {2}`",
        "count({1}) is {2}",
    ),
    "has at least": saying(
        rf"(?P<wrong>({WHO}) (?:has|have) (?:at least )?(\d+)(?: or more)? (?:points?|[a-z]\w*))$",
        "what somebody has stands in a variable",
        "write `{score}[{1}] >= {2}`; of cards, `count({hand}[{1}]) >= {2}`",
    ),
    "has more than": saying(
        rf"(?P<wrong>({WHO}) (?:has|have) more (?:points?|[a-z]\w*) than ({WHO}))$",
        "what somebody has stands in a variable",
        "write `{score}[{1}] > {score}[{2}]`; of cards, `count({hand}[{1}]) > count({hand}[{2}])`",
    ),
    "has such": saying(
        rf"(?P<wrong>({TERM}) (?:has|have|contains?) (?:an?|any|some) "
        r"(?:card|piece|tile|stone)\b.*)$",
        "what lies there is asked one by one",
        "write `some {x} in {1}: {card_test}`, with what is asked of {x}",
    ),
    "else in one line": saying(
        r"^ *else (?P<wrong>(?!if\b)(\S.*))$",
        "what is done stands in the lines below, further in",
        "end the line behind `else`, and write `{1}` below it, indented",
    ),
    "let be": saying(
        r"^ *let [a-z_]\w* (?P<wrong>(?:be|is|to|equal|:=)) ",
        "a value stands behind `=`",
        "write `=`",
        "=",
    ),
    "seen to": saying(
        r", *(?P<wrong>(?:only )?(?:visible|open|known|shown|seen)(?: only)? (?:to|for|only by) "
        r"(?:the |its |his )?\w+)",
        "who may look is told by `seen by`",
        "write `seen by holder`: its own player",
    ),
    "step if": saying(
        r"^ +(?P<wrong>((?:[a-z_][\w.]*(?:\[[^\]]*\])? *(?:[-+]?=|chooses)|move|roll|end|shuffle|"
        r"reveal|flip|mark|eliminate|leave|do|->)(?: .*?|.+?)),? (?:if|when) (\S.*))$",
        "what is asked stands before what is done",
        "write `if {2}`, and below it, indented, `{1}`",
    ),
    "step unless": saying(
        r"^ +(?P<wrong>((?:[a-z_][\w.]*(?:\[[^\]]*\])? *(?:[-+]?=|chooses)|move|roll|end|shuffle|"
        r"reveal|flip|mark|eliminate|leave|do|->)(?: .*?|.+?)),? unless (\S.*))$",
        "what is asked stands before what is done",
        "write `if not ({2})`, and below it, indented, `{1}`",
    ),
    "in one line": saying(
        r"^ *(?:if|elif|when|whenever) (?!.*\bthen\b)(?!.*\b(?:some|every|no) \w+ in\b).*?\S"
        r"(?P<wrong>(?:[:,] *| )((?:end|move|roll|shuffle|do|leave|reveal|flip|mark|pick|eliminate|"
        r"->) *\S.*)|[:,] *([a-z_][\w.\[\]]* *[-+]?= *\S.*))$",
        "what is done stands in the lines below, further in",
        "end the line before `{1}{2}`, and write that below it, indented",
    ),
    "article": saying(
        r"(?P<wrong>\b(?:the|an?) ([a-z_]\w*))\b",
        "names stand without an article",
        "write `{1}`",
        "{1}",
    ),
}
