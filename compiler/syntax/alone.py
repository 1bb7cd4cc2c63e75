"""Lines of one name, which do nothing: most often a phase that is to follow."""

import re

from compiler.diagnostic import Edit
from compiler.syntax.bare import line_end
from compiler.syntax.errors import SaidOtherwise
from compiler.syntax.place import Hint, Place
from compiler.syntax.saying import TERM
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS

_PHASE = re.compile(r"^phase (\w+)", re.MULTILINE)
_DEFINE = re.compile(r"^define (\w+)", re.MULTILINE)
_LINE_ENDS = frozenset({"_NL", "$END", "_DEDENT"})
_LONE = re.compile(r"^ *([a-z_]\w*)$")
_ONE_LESS = re.compile(rf" *({TERM}) *--[ ;]*$")


def one_less(place: Place) -> Hint | None:
    """`n--`: what is meant as a step is a name alone, and a comment."""
    begin = place.start - len(place.before)
    match = _ONE_LESS.match(place.source.text[begin : line_end(place.source.text, begin)])
    if match is None:
        return None
    span = place.source.span(begin + match.start(1), begin + match.end())
    fix, instead = f"write `{match[1]} -= 1`", f"{match[1]} -= 1"
    return Hint(span, fix, "`--` begins a comment", SaidOtherwise, (Edit(span, instead),))


def lone_phase(place: Place) -> Hint | None:
    """A phase that stands alone where a step must be, whatever else its name may mean."""
    match = _LONE.match(place.before)
    if match is None or match[1] not in _PHASE.findall(place.source.text):
        return None
    return lone_name(place)


def lone_name(place: Place) -> Hint | None:
    """A name that stands alone where a step must be: most often a phase that is to follow."""
    match = _LONE.match(place.before)
    if match is None or place.kind not in _LINE_ENDS or "BECOMES" not in place.accepted:
        return None
    name, text = match[1], place.source.text
    if name in LINE_WORDS | ALWAYS_WORDS:
        return None
    reason = "a name alone does nothing"
    fix = f"a phase is run by `do {name}` or `-> {name}`, a variable set by `{name} = …`"
    if name in _PHASE.findall(text):
        reason = "a phase is not run by its name alone"
        fix = f"write `-> {name}` to go on as it, or `do {name}` to run it and come back"
    elif name in _DEFINE.findall(text):
        reason, fix = "a define only has a value", f"read it in a step: `if {name}`, `x = {name}`"
    begin = place.start - len(place.before)
    span = place.source.span(begin + match.start(1), begin + match.end(1))
    return Hint(span, fix, reason, SaidOtherwise)
