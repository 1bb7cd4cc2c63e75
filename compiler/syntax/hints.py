"""What to type instead of a beginner's line: signs and words of other languages, common slips.

A place is known by its token, by what could stand there, and by the line around it.  The first
hint that fits is given; where none does, nothing is suggested.
"""

import re
from difflib import get_close_matches

from compiler.diagnostic import Edit
from compiler.source import SourceFile, Span
from compiler.syntax.alone import lone_name, lone_phase, one_less
from compiler.syntax.bare import bare, block, line_end, open_brackets
from compiler.syntax.capitals import capital
from compiler.syntax.errors import (
    ChainedComparison,
    ColonAtEnd,
    ElseIf,
    EqualsForIs,
    ForeignSign,
    ForeignWord,
    ForInsteadOfAll,
    KeywordAsName,
    MisplacedCitation,
    MisplacedLine,
    MisspeltWord,
    NameNotLowerCase,
    StrayBracket,
    TypeOfALocal,
    UnexpectedCharacter,
    UnexpectedIndent,
    WhereInQuantifier,
)
from compiler.syntax.foreign import BELOW, FOREIGN, MEANT, SAME, SIGNS
from compiler.syntax.otherwise import said_otherwise, types_for
from compiler.syntax.own import own_names
from compiler.syntax.place import Hint, Place, mended
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS, PAIRS

_VARIANT = re.compile(r"variant +(\w+) +of +(\w+)$")
_CITATION = "a citation is written like `@KL-4.1`"
_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)))

_QUANTIFIER = re.compile(r"\b(some|every|no)\b[^:]*$")
_WORD = re.compile(r"\w+")
_CLOSING = re.compile('[“”"]')
_SIZE = re.compile(r"(\d+)x(\d+)")
_LONGEST = 60  # characters of a word that are looked at
_KEYWORDS = LINE_WORDS | ALWAYS_WORDS
_FIRST_WORDS = sorted(LINE_WORDS | {"if", "elif", "else", "for", "in", "set", "unless", "until"})
_STEPS = frozenset(
    """let if for do repeat leave end eliminate move flip mark unmark show reveal shuffle roll pick
    together window""".split()
)
_AT_THE_EDGE = frozenset(
    "enum param given ruling gap card piece kind die zone board define phase whenever claim "
    "invariant scenario".split()
)
_INSTEAD = {"whenever": "; what is asked once, here and now, is `if`"}
_MODES = frozenset({"always", "never", "possible", "surely"})
_AFTER_NAME = ("=", "+=", "-=", "[", "chooses", "may choose")
_ENDINGS = frozenset({"face", "seen", "holds", "flag"})
_COMPARING = frozenset({"COMPARE", "IS", "IN"})
_PREPOSITIONS = frozenset("WITH TO FROM ON AT AS USING BY OF FOR IN".split())
_SLOT_ENDS = frozenset({"_COMMA", "WHERE", "STRING"})
_ANSWER = re.compile(r" *[A-Z]\w*: *[a-z]")
_ASKED = re.compile(r"\b(?:if|elif|when|unless|until|and|or|not) ([a-z_]\w*(?:\[[^\]]*\])?) \w+$")
_LAST = re.compile(r"(?:(?:top|bottom) of )?[\w.]+(?:\[[^\]]*\])?")
_REACHING = frozenset("ALL SOME EVERY NO IF".split())


def hint(place: Place) -> Hint:
    """The stretch that is wrong, and what to type instead."""
    found = (
        capital(place, _FIRST_WORDS)
        or lone_phase(place)
        or one_less(place)
        or said_otherwise(place)
    )
    found = (
        found
        or _sign(place)
        or _below(place)
        or _name(place)
        or _first_word(place)
        or _else_if(place)
    )
    found = found or lone_name(place) or _english(place) or _of_all(place) or _fix(place)
    found = found or _verb(place)
    return found or Hint(_here(place), _nearest(place))


def _here(place: Place) -> Span:
    return place.source.span(place.start, place.end)


def character_hint(place: Place) -> Hint:
    """The same for a character that begins no word."""
    found = said_otherwise(place) or _sign(place) or _name(place)
    if found is not None:
        return found
    if place.word == "@":
        return Hint(_here(place), _CITATION, kind=MisplacedCitation)
    return Hint(_here(place), kind=UnexpectedCharacter)


def _sign(place: Place) -> Hint | None:
    """A sign of another language at a place."""
    match = _covering(_SIGN, place)
    if match is None:
        return None
    span, sign = _span(match, place), match[0]
    meant = MEANT.get(sign)
    if sign == ";" and place.source.text[span.end : span.end + 1].strip():
        meant = None
    edits = () if meant is None else mended(span, meant)
    if meant == '"':
        edits = _quoted(span)
    reason = "other languages write it so"
    if not sign.isascii():
        reason = "word processors write it so"
    return Hint(span, SIGNS[sign], reason, ForeignSign, edits)


def _quoted(span: Span) -> tuple[Edit, ...]:
    """Straight quotes for a curly one and for that which closes it; none if nothing does."""
    text = span.file.text
    closing = _CLOSING.search(text, span.end, line_end(text, span.end))
    if closing is None:
        return ()
    return Edit(span, '"'), Edit(span.file.span(*closing.span()), '"')


def _below(place: Place) -> Hint | None:
    """A line that belongs below another."""
    if place.kind == "_INDENT" or not place.begins_line:
        return None
    span = _here(place)
    is_step = place.word in _STEPS or place.behind.startswith(_AFTER_NAME)
    if is_step and "OTHERWISE" in place.accepted and "LET" not in place.accepted:
        fix = "steps go below the choice, as deep as its own line: what was chosen is known there"
        return Hint(span, fix, "only guards and `otherwise` stand here", MisplacedLine)
    if place.word in _MODES and _block_of(place) == "claim":
        fix = 'begin another: `claim "…"`, and this line below it'
        return Hint(span, fix, "a claim says one thing", MisplacedLine)
    if not {"LET", "CLAIM", "ENUM"} & place.accepted:
        return None
    if "LET" in place.accepted and place.word in _AT_THE_EDGE:
        fix = f"begin it at the left edge, outside of any phase{_INSTEAD.get(place.word, '')}"
        return Hint(span, fix, "steps stand here", MisplacedLine)
    if place.word in BELOW:
        return Hint(span, BELOW[place.word], kind=MisplacedLine)
    if "ENUM" in place.accepted and is_step:
        return Hint(span, "steps stand below `start` or a `phase`, indented", kind=MisplacedLine)
    return None


def _block_of(place: Place) -> str:
    """The word that begins the line that the line of a place stands below."""
    text, depth = place.source.text, len(place.before)
    for line in reversed(text[: place.start - depth].split("\n")):
        bare = line.strip()
        if bare and not bare.startswith("--") and len(line) - len(line.lstrip()) < depth:
            return bare.split()[0]
    return ""


def _covering(pattern: re.Pattern[str], place: Place) -> re.Match[str] | None:
    """The match of a pattern in the line of a place that holds its first character."""
    begin = place.start - len(place.before)
    matches = pattern.finditer(place.source.text, begin, place.start + _LONGEST)
    return next((m for m in matches if m.start() <= place.start < m.end()), None)


def _span(match: re.Match[str], place: Place) -> Span:
    return place.source.span(match.start(), match.end())


def _name(place: Place) -> Hint | None:
    """A word that is meant as a name and cannot be one."""
    match = _covering(_WORD, place)
    if match is None or not (match.span() != (place.start, place.end) or place.wants_name):
        return None
    word = match[0]
    if place.before.endswith("."):
        return _behind_dot(place, _span(match, place))
    span = _span(match, place)
    if word == "each" and place.before.split()[-1:] == ["for"]:
        edit = Edit(place.source.span(span.start, _next_word(span)), "")
        return Hint(span, "write `for` without `each`", "", ForeignWord, (edit,))
    size = _SIZE.fullmatch(word)
    if size is not None:
        said = f"{size[1]} by {size[2]}"
        return Hint(span, f"write `{said}`", "", ForeignSign, (Edit(span, said),))
    if word[0].isdigit():
        return Hint(span, "a name begins with a letter", kind=NameNotLowerCase)
    if not word.isascii():
        fix = "names are made of `a` to `z`, digits and `_`"
        return Hint(span, fix, "no name has such a letter", NameNotLowerCase)
    if word != word.lower():
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
        return Hint(span, f"names are lower case: `{snake}`", kind=NameNotLowerCase)
    if word in _KEYWORDS:
        fix = f"`{word}` is a keyword; choose another name, for example `the_{word}`"
        return Hint(span, fix, kind=KeywordAsName)
    return None


def _next_word(span: Span) -> int:
    """Where the word behind a stretch begins."""
    rest = span.file.text[span.end :]
    return span.end + len(rest) - len(rest.lstrip(" \t"))


def _behind_dot(place: Place, span: Span) -> Hint:
    """What is no attribute: the decimals of a number, or whose something is."""
    if place.kind == "INT":
        return Hint(span, "numbers are whole")
    if place.word in ("top", "bottom"):
        return Hint(span, f"write `{place.word} of` before the place")
    return Hint(span, f"write `[{span.text}]` to say whose" if place.kind == "CODE" else "")


def _first_word(place: Place) -> Hint | None:
    """A line whose first word is of another language, misspelt, or a keyword meant as a name."""
    words = place.before.split()
    if len(words) != (0 if place.begins_line else 1):
        return None
    word = place.word if place.begins_line else words[0]
    start = place.start - (0 if place.begins_line else len(place.before.lstrip()))
    span = place.source.span(start, start + len(word))
    rest = place.behind if place.begins_line else f"{place.word} {place.behind}".strip()
    if word in FOREIGN:
        edits = () if word not in SAME else (Edit(span, SAME[word]),)
        fix = FOREIGN[word].format(**own_names(place.source.text))
        return Hint(span, fix, "no line begins with this word", ForeignWord, edits)
    if word in LINE_WORDS and rest.startswith(_AFTER_NAME):
        reason = "a line that begins with this word says something else"
        return Hint(span, "choose another name", reason, KeywordAsName)
    if word in _KEYWORDS and rest.startswith(":"):
        return _keyword_and_colon(place.source, span, rest)
    near = get_close_matches(word[:_LONGEST], _FIRST_WORDS, 1, 0.65)
    declared = rf"^(?:var|zone|die|given|param|board) {re.escape(word)}\b"
    if re.search(declared, place.source.text, re.MULTILINE):
        return None
    if near and word not in _KEYWORDS and (rest[:1].isalnum() or not rest):
        said = f"did you mean `{near[0]}`?"
        return Hint(span, said, "no line begins with this word", MisspeltWord)
    return None


def _keyword_and_colon(source: SourceFile, word: Span, rest: str) -> Hint:
    """`given:`: with a colon behind it a keyword is read as a name."""
    at = source.text.index(":", word.end)
    colon, reason = source.span(at, at + 1), f"with a colon `{word.text}` is read as a name"
    if rest == ":":
        fix = "a line needs no colon at its end"
        return Hint(colon, fix, reason, ColonAtEnd, (Edit(colon, ""),))
    return Hint(colon, f"write `{word.text}` without a colon", reason)


def _else_if(place: Place) -> Hint | None:
    if place.kind != "IF" or place.before.split() != ["else"]:
        return None
    span = place.source.span(place.start - len(place.before.lstrip()), place.end)
    return Hint(span, "write `elif`", "", ElseIf, (Edit(span, "elif"),))


def _fix(place: Place) -> Hint | None:
    """What to type at a place whose stretch is the token itself."""
    kind, accepted, here = place.kind, place.accepted, _here(place)
    match kind:
        case "COLON":
            return _colon(place)
        case "WHERE":
            return _where(place)
        case "ANY" if "SOME" in accepted:
            fix = (
                "whether any fits is written `some x in S: P`; those that do, `all x in S where P`"
            )
            return Hint(here, fix, kind=ForInsteadOfAll)
        case "FOR" if {"_COMMA", "RSQB"} <= accepted:
            fix = (
                "a list of members is `all x in S where P`; scores are a `define` of one player: "
                "`end scores total`"
            )
            return Hint(here, fix, "no list is made so")
        case "FOR" if "INT" in accepted:
            fix = "write `all`: `all x in S where P`"
            return Hint(here, fix, kind=ForInsteadOfAll, edits=mended(here, "all"))
        case "ELIF" if "ELSE" in accepted:
            edits = mended(here, "else if")
            return Hint(here, "inside a term write `else if`", kind=ElseIf, edits=edits)
        case "BECOMES" if "IS" in accepted:
            fix = "write `is`: `=` only gives a value"
            return Hint(here, fix, kind=EqualsForIs, edits=mended(here, "is"))
        case "BECOMES" if "COLON" in accepted:
            name = place.before.strip()
            value = place.behind or "3"
            kinds = types_for(value, place.source.text)
            types = ", or ".join(f"`{name}: {kind} = {value}`" for kind in kinds)
            return Hint(here, f"say what it can be: {types}", kind=TypeOfALocal)
        case "CITE":
            return Hint(here, "citations stand at the end of a line", kind=MisplacedCitation)
        case "STRING" if "CITE" in accepted and (named := _VARIANT.match(place.before.strip())):
            name, base = named.groups()
            fix = f"the title stands behind the name: `variant {name} {place.word} of {base}`"
            return Hint(here, fix)
        case "STRING" if "CITE" in accepted:
            fix = "the title stands before the citations"
            return Hint(here, fix, kind=MisplacedCitation)
        case "DOT" if re.search(r"@[A-Z0-9.-]+$", place.before):
            return Hint(here, _CITATION, kind=MisplacedCitation)
        case "_NL" | "$END" if place.before.split() in (["end", "winners"], ["end", "scores"]):
            own = own_names(place.source.text)
            fix = "write `end winners {active}`, or `end scores {score}`, with what each has"
            return Hint(here, fix.format(**own))
        case "RPAR" | "_COMMA" if accepted == {"COLON"}:
            name = re.split(r"[^a-z0-9_]+", place.before)[-1]
            return Hint(here, f"say what it is: `{name}: player`, or `{name}: 0..9`")
        case "STRING" if "CLAIM" in accepted and "LET" not in accepted:
            return Hint(here, f"an option has a name before its title: `answer {place.word}`")
        case "STRING" if "INT" in accepted:
            return _quoted_value(place)
        case "RSQB" if place.before.rstrip().endswith("["):
            opened = place.start - len(place.before) + place.before.rindex("[")
            edit = Edit(place.source.span(opened, place.end), "empty")
            return Hint(here, "write `empty` for the list of nothing", edits=(edit,))
        case "RPAR" | "RSQB" if not _is_open(place):
            return Hint(here, "remove it", "it closes nothing", StrayBracket)
        case "PER" if place.before.split()[:1] == ["board"]:
            return Hint(here, "a board is one for all; a family of zones can have `per`")
        case "CHOOSE":
            return Hint(here, "write `chooses`, or `may choose`", kind=MisspeltWord)
        case "_INDENT":
            return Hint(here, "", "", UnexpectedIndent)
        case _ if kind in _COMPARING and "AND" in accepted:
            how = place.word if kind == "COMPARE" else "is"
            return Hint(here, f"write `a {how} b and b {how} c`", kind=ChainedComparison)
        case _ if place.word in ("face_up", "face_down") and "FACE" in accepted:
            said = place.word.replace("_", " ")
            return Hint(here, f"write `{said}`", "", MisspeltWord, (Edit(here, said),))
        case _ if accepted == {"OF"} and place.before.split()[-1:] in (["pile"], ["list"], ["set"]):
            edit = Edit(place.source.span(place.start, place.start), "of ")
            return Hint(here, f"write `of` before it: `of {place.word}`", edits=(edit,))
        case "ETC" if "DOTS" in accepted:
            return Hint(here, "write `..`", edits=(Edit(here, ".."),))
        case "INT" | "SET" | "LIST" if accepted <= {"COLON", "PER"}:
            said = f"{place.before.strip()}: {place.word} {place.behind}".strip()
            return Hint(here, f"a colon stands before what it can be: `{_closed(said)}`")
        case _ if accepted == {"FACE"} and place.before.split()[:1] == ["flip"]:
            said = place.before.strip()
            return Hint(here, f"write `{said} face up` or `{said} face down`")
        case _ if place.word == "face" and "FACE" in accepted:
            return Hint(here, "write `face up` or `face down`")
        case _ if place.word in _ENDINGS and "_COMMA" in accepted:
            before = place.source.span(place.start - 1, place.start)
            edits = (Edit(before, ", "),) if before.text == " " else ()
            return Hint(here, f"a comma stands before `{place.word}`", edits=edits)
        case _ if kind in _PREPOSITIONS and (
            (accepted >= _SLOT_ENDS and _is_option(place))
            or ("_COMMA" in accepted and _ANSWER.match(place.before))
        ):
            before = place.source.span(place.start - 1, place.start)
            edits = (Edit(before, ", "),) if before.text == " " else ()
            return Hint(here, "a comma stands before each further slot", edits=edits)
        case "NAME" if {"CHOOSES", "BECOMES"} <= accepted and not _is_near_chooses(place.word):
            return Hint(here, "a player decides so: `p chooses c in hand[p]`")
        case "INT" if place.before.split() == ["repeat"]:
            return Hint(here, f"write `for i in 1..{place.word}`, or `until` below the block")
        case _:
            return None


def _closed(said: str) -> str:
    """A line as it is written, blanks around `..` left out."""
    return re.sub(r" *\.\. *", "..", said)


def _quoted_value(place: Place) -> Hint:
    """A value in quotation marks, as other languages write words."""
    said = place.word.strip('"')
    reason = "quotation marks are for titles; a value is a name"
    if re.fullmatch(r"[A-Za-z_]\w*|-?\d+", said):
        return Hint(_here(place), f"write `{said}`", reason, edits=(Edit(_here(place), said),))
    fix = "what something can be is declared, `enum mood: calm, angry`, and written `calm`"
    return Hint(_here(place), fix, reason)


def _is_near_chooses(word: str) -> bool:
    """Whether a word may be `chooses`, misspelt."""
    return bool(get_close_matches(word[:_LONGEST], ("choose", "chooses"), 1))


def _is_option(place: Place) -> bool:
    """Whether a line begins with a name, as an option does."""
    words = place.before.split()
    return bool(words) and words[0] not in _KEYWORDS


def _english(place: Place) -> Hint | None:
    """What reads as English and is said in another way."""
    here, words = _here(place), place.before.split()
    if not words:
        return None
    last, quantifier = words[-1], words[-2] if len(words) > 1 else ""
    if place.kind == "LPAR" and quantifier in ("no", "some", "every") and "IN" in place.accepted:
        no = "not " if quantifier == "no" else ""
        return Hint(here, f"write `{no}{last}(…)`; of members, `{quantifier} x in S: P`")
    if quantifier == "all" and place.word in ("are", "is"):
        return Hint(here, f"write `every x in {last}: P`")
    if place.kind == "_COMMA" and "IN" in place.accepted and _is_option(place):
        return Hint(
            here, f"each has its own list: `{last} in S, b in S`; two of one, `x in 2 of S`"
        )
    if place.kind == "_COMMA" and words[0] == "move" and "TO" in place.accepted:
        return Hint(here, f"several at once are a list: `move [{' '.join(words[1:])}, …] to place`")
    if place.word in ("top", "bottom") and last == "of" and quantifier.isidentifier():
        fix = f"what something has stands behind it: `({place.word} of z).{quantifier}`"
        return Hint(here, fix)
    return None


def _verb(place: Place) -> Hint | None:
    """A word of the author's own between two values, as `beats`."""
    match = _ASKED.search(f"{place.before}{place.word}")
    if place.kind != "NAME" or match is None or not _LAST.match(place.behind):
        return None
    if get_close_matches(place.word, ("and", "is", "or", "in"), 1, 0.6):
        return None
    other = _LAST.match(place.behind)
    said = f"{place.word}({match[1]}, {other[0] if other else '…'})"
    fix = f"a test of your own is a `define` with what it is asked of: `{said}`"
    return Hint(_here(place), fix, "no word of the language stands between two values here")


def _of_all(place: Place) -> Hint | None:
    """`all` where it cannot stand without brackets, or where nothing of its kind is needed."""
    words = place.before.split()
    if place.kind in _REACHING and "LPAR" in place.accepted and place.kind not in place.accepted:
        said = _here(place).text
        return Hint(_here(place), f"put it in brackets: `({said} …)`", "it reaches to the end")
    if place.accepted == {"OF"} and words[-1:] == ["all"]:
        return Hint(_here(place), "put it in brackets: `(all x in S where P)`")
    if place.accepted == {"IN"} and words[-2:-1] == ["all"]:
        fix = (
            f"write `all of {words[-1]}` for what lies in a place, `{words[-1]}` for all there are"
        )
        return Hint(_here(place), fix)
    return None


def _colon(place: Place) -> Hint | None:
    """A colon that other languages write, or one where `where` must be."""
    here = _here(place)
    if not place.behind or place.behind.startswith('"'):
        fix = "a line needs no colon at its end"
        return Hint(here, fix, kind=ColonAtEnd, edits=(Edit(here, ""),))
    if place.before.split()[:1] == ["let"]:
        return Hint(here, "`let` takes no type: `let x = 3`", kind=TypeOfALocal)
    if "WHERE" in place.accepted:
        fix = "write `where`: `all x in S where P`"
        return Hint(here, fix, kind=WhereInQuantifier, edits=mended(here, "where"))
    return None


def _where(place: Place) -> Hint | None:
    """`where` in a place that asks for something else."""
    here = _here(place)
    if {"FOR", "RPAR"} <= place.accepted:
        fix = "write what is counted before `for`: `count(x for x in S where P)`"
        return Hint(here, fix, kind=ForInsteadOfAll)
    if _QUANTIFIER.search(place.before):
        blanks = len(place.before) - len(place.before.rstrip())
        edit = Edit(place.source.span(place.start - blanks, place.end), ":")
        fix = "a quantifier has a colon: `some x in S: P`"
        return Hint(here, fix, kind=WhereInQuantifier, edits=(edit,))
    if "WHEN" in place.accepted:
        fix = "a guard begins with `when`; `where` stands behind what a slot ranges over"
        return Hint(here, fix, edits=mended(here, "when"))
    return None


def _is_open(place: Place) -> bool:
    plain = bare(place.source.text)
    return bool(open_brackets(plain, block(plain, place.start)[0], place.start))


def _nearest(place: Place) -> str:
    """The keyword that a misspelt one may have meant."""
    fitting = sorted(t.lower() for t in place.accepted)
    words = [word for word in fitting if word in _KEYWORDS or word in PAIRS]
    near = get_close_matches(place.word[:_LONGEST], words, 1, 0.7)
    return f"did you mean `{near[0]}`?" if near and place.kind == "NAME" else ""
