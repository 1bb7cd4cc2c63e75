"""Lines that read as English or as other languages and are said in another way: a table of them.

A row fits if its pattern fits a stretch of the line that holds the place where the file breaks
off.  What follows is a fix, and what is to be written instead where nothing else can be meant.
"""

import re
from collections.abc import Sequence
from typing import Final

from compiler.diagnostic import Edit
from compiler.source import Span
from compiler.syntax.bare import bare, line_begin, line_end
from compiler.syntax.deeds import DEEDS
from compiler.syntax.errors import SaidOtherwise
from compiler.syntax.heads import HEADS
from compiler.syntax.own import own_names
from compiler.syntax.phrases import STEPS
from compiler.syntax.place import Hint, Place
from compiler.syntax.programs import PROGRAMS
from compiler.syntax.saying import BEGINS_TERM, GOES_ON, OF, SEAT, TERM, WHO, Said, Saying, saying
from compiler.syntax.scenes import SCENES
from compiler.syntax.slips import SLIPS
from compiler.syntax.spoken import SPOKEN
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS

_LONGEST = 200  # characters of a line that are looked at
_DECLARED = re.compile(r"^(?:param|given|var) (\w+): *([^=\n]*\S) *=", re.MULTILINE)
_TITLE = re.compile(r' *(?:"{2,} *)?(?:@\S+ *)*$')

_CHANGE: Final = r"(?:change|modify|edit|amend|update)"
_WHOLE: Final = (
    "of a param, given or ruling write `set {1} = …`; of another declaration `replace` and its new "
    "line, as in `replace var {1}: 0..9 = 0`; of an option or step, below `in` and the name of the "
    "phase, `replace {1}` and its new lines"
)

_OWN: dict[str, Saying] = {
    "no preposition": saying(
        r"^ +[a-z_]\w* [^\"]*\bin [^\"]*?,? (?P<wrong>(?!(?:all|any|some|every|not?|for|orders)\b)"
        r"([a-z]\w*) ([a-z_]\w*)) in\b",
        "a comma, and one of a few words, stand before what else is chosen",
        "write `, with {2} in …`; for `with` can stand `to`, `from`, `on`, `at`, `as`, `using`, "
        "`by`, `of`, `for` and `in`",
    ),
    # ---- steps
    "wins": saying(
        rf"^ *({WHO}) (?:wins?|won|has won)\b",
        "a game ends with its result",
        "write `end winners {0}`",
        "end winners {0}",
    ),
    "loses": saying(
        rf"^ *({WHO}) (?:loses?|lost|has lost)(?: the game)?$",
        "a game ends with its result",
        "write `end winners others({0})`; who is out while the others play on: `eliminate {0}`",
    ),
    "next player": saying(
        r"^ *next (?:player|turn|seat|one)\b",
        "whose turn it is stands in a variable of yours",
        "write `{active} = next({active})`",
    ),
    "next active": saying(
        rf"^ *next ({TERM})$",
        "whose turn it is stands in a variable of yours",
        "write `{0} = next({0})`",
        "{0} = next({0})",
    ),
    "gets": saying(
        rf"^ *(?!{_CHANGE} )({TERM}|{SEAT}) "
        r"(?:draws?|gets?|takes?|gains?|receives?|pays?|scores?)\b",
        "steps begin with what is done",
        "write `move top of {pile} to {hand}[{0}]`; points: `{score}[{0}] += 1`",
    ),
    "remove": saying(
        rf"^ *(?:remove|delete) ((?:first|last|top of|bottom of|all of)\b.*|{TERM})$",
        "what leaves the game goes to the box",
        "write `move {0} to box`; out of a variable: `x -= [y]`",
        needs="LET",
    ),
    "for each player": saying(
        r"^ *for (?:each |every |all )?players? ([a-z]\w*)$",
        "a loop says through what it goes",
        "write `for {0} in players`",
        "for {0} in players",
    ),
    "show": saying(
        rf"^ *show ({TERM})$",
        "some player is shown them",
        "write `show {0} to p`; everybody sees them: `reveal {0}`",
    ),
    "increases": saying(
        rf"^ *({TERM}) (?:increases?|grows?|rises?|decreases?|falls?|drops?) (?:by )?"
        r"([\w.\[\]]+)$",
        "steps begin with what is changed",
        "write `{0} += {1}`, or `{0} -= {1}`",
    ),
    "reveals": saying(
        rf"^ *({TERM}|{SEAT}) (?:reveals?|shows?|discloses?) ([a-z_].*)$",
        "steps begin with what is done",
        "write `reveal {1}`; one player is shown them: `show {1} to p`",
    ),
    "must choose": saying(
        rf"^ *({TERM}|{SEAT}) (?:must|has to|can|should) (?:choose|pick|select) (.+)$",
        "who decides has to, unless he may",
        "write `{0} chooses {1}`; who may also do nothing: `{0} may choose {1}`",
    ),
    "skip turn": saying(
        r"^ *(?:skip|end|finish) (?:the |his |her |their )?(?:turn|round)$",
        "whose turn it is stands in a variable of yours",
        "write `{active} = next({active})`, and `-> {phase}`",
    ),
    "swap": saying(
        rf"^ *(?:swap|exchange|switch) ({TERM}) (?:and|with) ({TERM})$",
        "two places change by way of a third",
        "declare a zone `aside`; write `move {0} to aside`, `move {1} to {0}`, `move aside to {1}`",
    ),
    "end game": saying(
        r"^ *(?:(?:end|finish|stop) (?:the )?game\b.*|(?:the )?game (?:is )?(?:over|ends|ended|"
        r"finished|done)\b.*)$",
        "a game ends with its result",
        "write `end winners {active}`, `end draw`, or `end scores` and `end ranking` with what is "
        "counted",
    ),
    "remove what": saying(
        r"^ *(?:remove|delete|discard) ([a-z_]\w*\(.*\))$",
        "what leaves the game goes to the box",
        "write `move {0} to box`, or to the place where it goes",
    ),
    "remove player": saying(
        rf"^ *remove ({SEAT})$",
        "a player lies nowhere",
        "write `eliminate {0}`: he is out, and the others play on",
    ),
    "go to": saying(
        r"^ *(?:go to|jump to|continue with|proceed to) ([a-z_]\w*)$",
        "what comes next stands behind an arrow",
        "write `-> {0}`; to come back behind it: `do {0}`",
    ),
    "then": saying(
        r"^ *(?:if|elif) .*?(?P<wrong>\bthen)$",
        "what is done stands in the lines below, further in",
        "remove it",
    ),
    "each player chooses": saying(
        r"^ *(?:(?:each|every|all) players?|everyone|everybody) [a-z]\w*\b.*$",
        "one after the other is a loop",
        "write `for p in players`, and below it, further in, the step with `p`",
    ),
    "set with is": saying(
        rf"^ +({TERM}) is (?!$)(.+)$",
        "what something becomes stands behind `=`",
        "write `{0} = {1}`",
        "{0} = {1}",
    ),
    # ---- heads
    "players": saying(
        r"^ *(?:players|seats|number of players) *[:=]? *(\d+) *(?:-|–|to|or|and|,|\.\.) *(\d+)"
        r"(?: players)?$",
        "how many play is told by their seats",
        "write `seats {0}..{1}`",
        "seats {0}..{1}",
    ),
    "type without colon": saying(
        r"^var [a-z_]\w* (?P<wrong>(?:player|number|square|bool|integer|int))$",
        "a colon stands before what a variable can be",
        "write it as in `var winner: player or none = none`, `var round: 0..9 = 0`",
    ),
    "no for false": saying(
        r"= *(?P<wrong>no)$",
        "truths are `true` and `false`",
        "write `false`",
        "false",
    ),
    "yes or no": saying(
        r"^ +([a-z_]\w*): *(?P<wrong>(?:yes, *no|no, *yes|true, *false|false, *true))\b",
        "what is true or not has a type",
        "write `{0}: bool`; what changes while one plays: `flag {0}`",
    ),
    # ---- choices
    "between": saying(
        r"choose?s? (?P<wrong>([a-z_]\w*) (?:between|from) ([\w\[\]]+) (?:and|to) ([\w\[\]]+))$",
        "numbers are given by their first and last",
        "write `{1} in {2}..{3}`",
        "{1} in {2}..{3}",
    ),
    "chooses from": saying(
        rf"choose?s? (?P<wrong>(?:(?:a|one|any) )?(?:[a-z]\w* )?(?:from|out of) ({TERM}))$",
        "what is chosen has a name",
        "write `c in {1}`, and below it use `c`",
    ),
    # ---- terms
    "has": saying(
        rf"(?P<wrong>({TERM}) (?:has|have|contains?|includes?) (?:an? |the |no )?"
        rf"([\w.\[\]]+)){GOES_ON}",
        "what lies there is asked one by one",
        "write it as in `some c in {1}: c.rank is {2}`; whether it lies there itself: `{2} in {1}`",
    ),
    "count of": saying(
        rf"(?P<wrong>(?:the )?(?:count|number) of ([a-z_]\w*) (?:in|of) ({TERM})"
        rf"(?: (?:is|=|<=?|>=?) [\w.\[\]]+)?){GOES_ON}",
        "what is counted is told of each",
        "write `count({2})`; of some of them, as in `count(c for c in {2} where c.rank is {1})`",
    ),
    "bars": saying(
        rf"{BEGINS_TERM} *(?P<wrong>\|(?!\|) *([^|\n]+?) *\|(?!\|))",
        "other languages write it so",
        "write `abs({1})`",
        "abs({1})",
    ),
    "question mark": saying(
        r"\? *(\S[^:\n]*?) *: *(\S.*)$",
        "other languages write it so",
        "write `if P then {0} else {1}`, where P is what stands in front",
    ),
    "all are equal": saying(
        r"\ball (?P<wrong>(?:the )?\w+ (?:(?:are|is) )?(?:equal|the same|alike|same))\b",
        "that values are alike is asked of their list",
        "write it as in `same(bet[p] for p in players)`",
    ),
    "call without brackets": saying(
        rf"{BEGINS_TERM} *(?P<wrong>(next|others|count|first|last|sum|max|min) ({TERM}))$",
        "what is asked of something stands before brackets",
        "write `{1}({2})`",
    ),
    "other player": saying(
        r"(?P<wrong>(?:the )?other player)\b",
        "who that is hangs on somebody",
        "write `next({active})` of two players, `p in others({active})` of several",
    ),
    "random": saying(
        r"= *(?P<wrong>(?:a )?random ([a-z]\w*))$",
        "chance is a step",
        "write `pick {x} in {1:members} at random`, and below it use `{x}`",
    ),
    "highest in": saying(
        rf"(?P<wrong>(?:the )?(?:highest|largest|best|strongest) [a-z][\w.]* {OF} ({TERM}))",
        "what is compared is told of each",
        "how high it is: `max({x}.{value} for {x} in {1})`; which it is: "
        "`first(most({x}.{value} for {x} in {1}))`, and of some of them `… for {x} in {1} where P`",
    ),
    "lowest in": saying(
        rf"(?P<wrong>(?:the )?(?:lowest|smallest|worst|weakest) [a-z][\w.]* {OF} ({TERM}))",
        "what is compared is told of each",
        "how low it is: `min({x}.{value} for {x} in {1})`; which it is: "
        "`first(least({x}.{value} for {x} in {1}))`, and of some of them "
        "`… for {x} in {1} where P`",
    ),
    "with most": saying(
        r"(?P<wrong>(?:the )?[a-z]\w* with (?:the )?"
        r"(?:most|highest|greatest|largest|max(?:imum)?)\b.*)",
        "what is compared is told of each",
        "write it as in `most({score}[p] for p in players)`",
    ),
    "with fewest": saying(
        r"(?P<wrong>(?:the )?[a-z]\w* with (?:the )?"
        r"(?:fewest|least|lowest|smallest|min(?:imum)?)\b.*)",
        "what is compared is told of each",
        "write it as in `least({score}[p] for p in players)`",
    ),
    "all are empty": saying(
        r"\b(?P<wrong>all (?:the )?\w+ are (?:empty|none))\b",
        "each of them is asked",
        "write it as in `every p in players: {hand}[p] is empty`",
    ),
    # ---- places, and what somebody can see
    "zone without shape": saying(
        r"^zone \w+(?: per [\w, .]+)?: *(?P<wrong>([a-z_]\w*))(?= *(?:,|$))",
        "a place says how cards lie there",
        "write `set of {1}` (no order), `pile of {1}` (top first), `list of {1}` (in a row) or "
        "`one {1}`",
    ),
    "hidden": saying(
        r", *(?P<wrong>hidden|secret|private|concealed|facedown|face-down)\b",
        "places say how cards lie there, and who may look",
        "write `face down`, and `seen by holder` behind a comma where its own player may look",
    ),
    "open": saying(
        r", *(?P<wrong>open|public|visible|faceup|face-up)\b",
        "places say how cards lie there",
        "write `face up`",
        "face up",
    ),
    # ---- variants
    "named as such": saying(
        r"^ +(replace|remove|restrict|before|after) (?P<wrong>(?:the )?(?:option|step)) "
        r"([a-z_]\w*)",
        "options and steps are named without saying what they are",
        "write `{0} {2}`, below `in` and the name of the phase",
    ),
    "restrict a choice": saying(
        r"^ +(?:restrict|before|after|replace|remove) (?P<wrong>cho(?:oses?|ice)\b.*)$",
        "only an option has a name",
        'a choice without options is replaced as a whole, by its title: `replace "Which?"`',
    ),
    "change a declaration": saying(
        rf"^ {{4}}(?P<wrong>{_CHANGE}) (?:the |option )*([a-z_]\w*)",
        "an edit says what it does, and of what",
        _WHOLE,
        needs="REPLACE",
    ),
    "replace a name": saying(
        r"^ {4}replace (?P<wrong>([a-z_]\w*+).*)$",
        "a declaration begins with what it declares",
        _WHOLE,
        needs="PARAM",
    ),
    "edit outside": saying(
        r"^ {4}(?:re(?:move|place) )?"
        r"(?P<wrong>(?:restrict [a-z]|(?:before|after|add to) \"|guard of\b).*|\"+)$",
        "steps and options are edited in their phase",
        "write `in` and the name of the phase above it, as in `in turn`, and put this line below",
    ),
    "add a declaration": saying(
        r"^ {4}(?P<wrong>add) (?!to\b)",
        "what is declared in a variant is added",
        "leave `add` out; options are added below `in` and the name of the phase: "
        '`add to "Which?"`',
        needs="REPLACE",
    ),
    "rename": saying(
        r"^ +(?P<wrong>(?:rename|retitle)) (?:the |option )*([a-z_]\w*)(?= |$)",
        "a title is replaced, and what is left out stays",
        'write `replace {1} "Another title"`, below `in` and the name of the phase',
    ),
    "change what": saying(
        rf"^ +(?P<wrong>{_CHANGE}) (?:the |option )*([a-z_]\w*|\"+)",
        "an edit says what it does",
        "write `replace {1}` and its new lines; `restrict {1}` and more guards; `before {1}` or "
        "`after {1}` and more steps: below `in`, with the name of the phase",
        needs="REPLACE",
    ),
    "restrict a title": saying(
        r"^ +restrict (?P<wrong>\"+)",
        "guards are added to an option, and that has a name",
        'write that name; a choice without options is replaced as a whole: `replace "Which?"`',
    ),
    "remove a guard": saying(
        r"^ +remove (?P<wrong>(?:when|unless|guard(?! of))\b.*)$",
        "a guard is named by its option and the clause that it cites",
        "write `remove guard of OPTION @CLAUSE`; if it cites none, `replace` the option",
    ),
}
_ROWS: Final = SLIPS | DEEDS | SCENES | PROGRAMS | HEADS | STEPS | SPOKEN | _OWN
_LAST: Final = frozenset(
    {"phase without word", "option of several words", "article"}
)  # where no other row fits
SAYINGS: Final[dict[str, Saying]] = {
    **{name: row for name, row in _ROWS.items() if name not in _LAST},
    **{name: row for name, row in _ROWS.items() if name in _LAST},
}


def said_otherwise(place: Place) -> Hint | None:
    """A line of the table, or a lone name, at a place."""
    text = place.source.text
    begin = line_begin(text, place.start)
    line = bare(text[begin : min(line_end(text, begin), begin + _LONGEST)]).rstrip()
    at = place.start - begin
    untitled = _TITLE.sub("", line)
    found = _said(place, begin, line, at)
    if found is None and untitled != line:
        found = _said(place, begin, untitled, min(at, len(untitled)))
    return found


def _said(place: Place, begin: int, line: str, at: int) -> Hint | None:
    """The first row that fits a line of which a place is read last."""
    for row in SAYINGS.values():
        if row.needs and row.needs not in place.accepted:
            continue
        match = row.pattern.search(line)
        which = "wrong" if "wrong" in row.pattern.groupindex else 0
        if match is None or not match.start(which) <= at <= match.end(which):
            continue
        start = match.start(which) + len(match[which]) - len(match[which].lstrip())
        span = place.source.span(begin + start, begin + match.end(which))
        told = tuple(Said(group.strip() if group else "") for group in match.groups())
        named = told[row.pattern.groupindex.get("wrong", 0) :]
        if not row.free and any(group in LINE_WORDS | ALWAYS_WORDS for group in named):
            continue
        own = own_names(place.source.text)
        instead = None if row.instead is None else row.instead.format(*told, **own)
        edits = () if instead is None else (_edit(span, instead),)
        return Hint(span, row.fix.format(*told, **own), row.reason, SaidOtherwise, edits)
    return None


def _edit(span: Span, instead: str) -> Edit:
    """The change of a stretch; one that is taken off the end of a line takes its blanks along."""
    text = span.file.text
    ends = not text[span.end : line_end(text, span.end)].strip()
    if instead or not ends:
        return Edit(span, instead)
    begin = line_begin(text, span.start)
    return Edit(span.file.span(begin + len(text[begin : span.start].rstrip()), span.end), "")


def types_for(value: str, text: str) -> Sequence[str]:
    """What something can be that begins with a value, as far as value and file show it."""
    word = value.split(" ")[0]
    for name, type_ in _DECLARED.findall(text):
        if name == word:
            return (type_,)
    if word == "none":
        return ("player or none", "square or none", "0..9 or none")
    if word in ("true", "false"):
        return ("bool",)
    if word == "empty":
        return ("set of player", "list of 0..9")
    if re.fullmatch(r"[A-Z]|P\d", word):
        return ("player",)
    if word.isdecimal() and len(word) < 6:
        return (f"0..{max(9, int(word))}",)
    return ("0..99",)
