"""Sentences of printed rules that say what there is: players, cards, places, dice, phases."""

from typing import Final

from compiler.syntax.saying import Saying, saying

_TO_SEATS: Final = "how many play is told by their seats"
_DECLARED: Final = "what there is begins with its kind"

HEADS: Final[dict[str, Saying]] = {
    "game": saying(
        r"^(?:game|name|rules(?: of| for)?) *:? *([A-Za-z][\w ]*?)$",
        "a file begins with what it is",
        'write `rulebook {0:name} "{0}"`, and below it, indented, `seats 2..4`',
    ),
    "rulebook with a title alone": saying(
        r"^rulebook (?P<wrong>\"+)$",
        "a rulebook has a name before its title",
        "write a name in small letters before the title, as `rulebook small`",
    ),
    "rulebook without quotes": saying(
        r"^rulebook (?P<wrong>([A-Za-z]\w*(?: \w+)+|[A-Z]\w*))$",
        "a rulebook has a name in small letters, and a title in quotes",
        'write `rulebook {1:name} "{1}"`',
        '{1:name} "{1}"',
    ),
    "title": saying(
        r"^(?:game|name|title|rules(?: of| for)?) *:? *\"+$",
        "a file begins with what it is",
        "write `rulebook NAME` before the title, NAME in small letters; below it, indented, "
        "`seats 2..4`",
    ),
    "so many players": saying(
        r"^ *(?:for )?(\d+)(?: *(?:-|–|to|\.\.|or) *)(\d+) players$",
        _TO_SEATS,
        "write `seats {0}..{1}` below `rulebook`, indented",
    ),
    "one number of players": saying(
        r"^ *(?:(?:players?|seats?|number of players)(?: *[:=]| are)? *(\d+)(?: players)?|"
        r"(?:for )?(\d+) players?)$",
        _TO_SEATS,
        "write `seats {0}{1}` below `rulebook`, indented",
    ),
    "setup": saying(
        r"^(?P<wrong>(?:setup|set[- ]?up|begin|beginning|main|init|initialize|preparation|prepare)"
        r"(?: phase)?:?)$",
        "where a game begins has a word of its own",
        "write `start`, and its steps below it, indented",
        "start",
        needs="ENUM",
    ),
    "zone without word": saying(
        r"^([a-z_]\w*(?: per [\w, ]+)?):? *(?:an? )?((?:pile|list|set) of [a-z_]\w*.*)$",
        _DECLARED,
        "write `zone {0}: {1}`",
        needs="ENUM",
    ),
    "zone without class": saying(
        r"^(?:zone )?([a-z_]\w*(?: per [\w, ]+)?):? *(?:an? )?(?:pile|list|set|stack|zone|place)$",
        "a place says what lies there, and how",
        "write `zone {0}: pile of {card}`, or `set of {card}` where there is no order",
    ),
    "hand": saying(
        r"^(?:(?:each|every) player (?:has|gets) )?(?:an? )?hands?(?: of .*| per player)?:?$",
        _DECLARED,
        "write `zone hand per player: set of {card}, face down, seen by holder`",
        needs="ENUM",
    ),
    "deck": saying(
        r"^(?:an? |the )?(deck|pile|stock|talon|discards?|table|bank|pool|trick)"
        r"(?: pile)?(?: of .*)?:?$",
        _DECLARED,
        "write `zone {0}: pile of {card}`, with `, face down` behind it if nobody sees them",
        needs="ENUM",
    ),
    "named board": saying(
        r"^board ([a-z_]\w*) *:? *(\d+) *(?:x|by|\*) *(\d+)$",
        "a board says what can stand on it",
        "write `board {0}: {1} by {2} of one {piece}`",
        "board {0}: {1} by {2} of one {piece}",
    ),
    "board": saying(
        r"^(?:an? |the )?board:? *(?:of )?(\d+) *(?:x|by|\*) *(\d+)$",
        "a board has a name, and says what can stand on it",
        "write `board field: {0} by {1} of one {piece}`",
    ),
    "board of kinds": saying(
        r"^board .*?\bof (?P<wrong>(?:one )?([a-z_]\w*)"
        r"(?:(?: *, *| and | or )(?:one )?[a-z_]\w*)+)$",
        "all that can stand on a board is one class",
        "declare `piece man` with what tells them apart below it, as `owner: player` or "
        "`shape: 1..2`; write `of one man`",
    ),
    "board without one": saying(
        r"^board .*?\bof (?P<wrong>(?!one\b|pile\b|set\b|list\b)([a-z_]\w*))(?= *(?:,|$))",
        "a square says how many can stand there",
        "write `one {1}`; of several in a stack, `pile of {1}`",
        "one {1}",
    ),
    "cards": saying(
        r"^cards?(?: *[:=].*)?$",
        "cards have a name for their class, and what they have below it",
        "write `card playing_card`, and below it, indented, `value: 1..9`",
    ),
    "pieces": saying(
        r"^(?:pieces?|tokens?|stones?|tiles?|men)(?: *[:=].*)?$",
        "pieces have a name for their class, and what they have below it",
        "write `piece stone`, and below it, indented, `owner: player` and `copies 9`",
    ),
    "unnamed die": saying(
        r"^(?:dice|die)(?: *[:=] *(?:one|1|an?|d6|1\.\.6)?(?: (?:die|dice))?)?$",
        "a die has a name, and faces",
        "write `die cube: 1..6`",
    ),
    "so many dice": saying(
        r"^(?:dice|die) *[:=]? *(\d+)$|^(\d+) (?:dice|die)$",
        "several dice of a kind are a family",
        "write `die cube per 1..{0}{1}: 1..6`: `cube[1]` is the first of them",
    ),
    "players have": saying(
        r"^ *(?:(?:each|every|all) )?(?:players?|everyone|everybody) "
        r"(?:has|have|gets?|owns?|starts? with|begins? with) (\d+) "
        r"(?!cards?\b|tiles?\b|more\b)([a-z_]\w*)$",
        "what each has, and what changes, is declared",
        "write `var {1} per player: 0..99 = {0}` at the left edge",
    ),
    "variable without word": saying(
        r"^([a-z_]\w*(?: per \w+)?): *(bool|player|-?\d+ *\.\. *\d+.*)$",
        "what changes while one plays is declared",
        "write `var {0}: {1}`",
        needs="ENUM",
    ),
    "number without word": saying(
        r"^([a-z_]\w*(?: per \w+)?): *(\d+)$",
        "what changes while one plays is declared",
        "write `var {0}: 0..99 = {1}`",
        needs="ENUM",
    ),
    "parameters": saying(
        r"^define ([a-z_]\w*)\((?P<wrong>([a-z_]\w*)(?: *, *[a-z_]\w*)*)\)",
        "each parameter says what it can be",
        "write it as in `define {0}({2}: 0..9)`; a player is `{2}: player`",
    ),
    "phase parameters": saying(
        r"^phase ([a-z_]\w*)\((?P<wrong>([a-z_]\w*)(?: *, *[a-z_]\w*)*)\)",
        "each parameter says what it can be",
        "write it as in `phase {0}({2}: player)`; a number is `{2}: 0..9`",
    ),
    "die without faces": saying(
        r"^die ([a-z_]\w*(?: per [\w. ]+)?)$",
        "a die has faces",
        "write `die {0}: 1..6`",
    ),
    "so many tokens": saying(
        r"^((?:card|piece) [a-z_]\w*)(?P<wrong> *[:=x]? *(\d+)(?: copies| times| pieces| cards)?)$",
        "how many there are is told below it",
        "write `{0}`, and below it, indented, `copies {2}`",
    ),
    "values of tokens": saying(
        r"^((?:card|piece) [a-z_]\w*)(?P<wrong> *[:=] *(\w+ *\.\. *\w+))$",
        "what each has is told below it",
        "write `{0}`, and below it, indented, `value: {2}`",
    ),
    "copies alone": saying(
        r"^ +(\d+)(?: copies)?$",
        "how many there are is told by copies",
        "write `copies {0}`",
        "copies {0}",
        needs="COPIES",
    ),
    "enum without commas": saying(
        r"^enum [a-z_]\w*: *(?:[a-z_]\w*, *)*(?P<wrong>([a-z_]\w*) +(?:and )?([a-z_]\w*))\b",
        "a comma stands between its members",
        "write `{1}, {2}`",
    ),
    "enum with equals": saying(
        r"^enum [a-z_]\w*(?P<wrong> *=)", "its members stand behind a colon", "write `:`", ":"
    ),
    "enum without members": saying(
        r"^enum ([a-z_]\w*):?$",
        "its members stand in its own line",
        "write `enum {0}: red, blue`, with what it can be",
    ),
    "per behind": saying(
        r"^zone ([a-z_]\w*): *(\w[^,]*?)(?P<wrong>,? *(?:per|for each|one for each) player)\b",
        "for whom there is one stands behind its name",
        "write `zone {0} per player: {1}`",
    ),
    "one for each": saying(
        r"^(?:zone|var|die) [a-z_]\w* (?P<wrong>(?:for|of) (?:each|every|all) players?)\b",
        "for whom there is one is told by `per`",
        "write `per player`",
        "per player",
    ),
    "titled phase": saying(
        r"^phase (?P<wrong>\"+)",
        "a phase has a name, and may have a title behind it",
        "write a name in small letters before the title, as `phase turn`",
    ),
    "phase of somebody": saying(
        r"^phase ([a-z_]\w*) (?P<wrong>(?:of |for )?([a-z_]\w*))$",
        "what a phase is told stands in brackets",
        "write `phase {0}({2}: player)`; a name has no blanks, as `{0}_{2}`",
    ),
    "numbered phase": saying(
        r"^phase ([a-z_]\w*) (?P<wrong>(\d+))$",
        "a name has no blanks",
        "write `phase {0}_{2}`",
    ),
    "let at the edge": saying(
        r"^(?:let|const) ([a-z_]\w*) *(?:: *\w+ *)?= *(-?\w+)$",
        "what there is all the time is declared",
        "write `var {0}: 0..99 = {1}`; what never changes is `define {0} = {1}`",
        needs="ENUM",
    ),
    "variable of a value": saying(
        r"^var ([a-z_]\w*(?: per \w+)?)$",
        "a variable says what it can be, and what it is at first",
        "write `var {0}: 0..99 = 0`",
    ),
    "when": saying(
        r"^when (\S.*?)(?:,? then\b.*|,.*|:)?$",
        "what is watched for all the time has a word of its own",
        "write `whenever {0}`, and what is done below it, indented",
        needs="ENUM",
    ),
    "phase without word": saying(
        r"^([A-Za-z]\w*)(?: phase)?:?$",
        "a part of the game is a phase",
        "write `phase {0:name}`, and its steps below it, indented",
        needs="ENUM",
    ),
}
