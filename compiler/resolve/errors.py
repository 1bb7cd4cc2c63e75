"""What can be wrong with names, citations and the way a game flows, before types are looked at."""

from collections.abc import Iterable
from typing import Self

from attrs import frozen

from compiler.diagnostic import Error, Warning_
from compiler.source import Span
from compiler.syntax.spelling import nearest

# ---- files and headings


@frozen(eq=False, repr=False)
class NoHeading(Error):
    """A file that does not say what it is."""

    title = "this file does not say what it is"
    label = "no line begins with `rulebook`, `scenarios of` or `variant`"
    hint = 'begin with `rulebook {stem} "…"`'
    stem: str


@frozen(eq=False, repr=False)
class TwoHeadings(Error):
    """A file that says twice what it is."""

    title = "a file is one thing"
    label = "it is {first} already"
    hint = "put it into a file of its own"
    first: str


@frozen(eq=False, repr=False)
class Misplaced(Error):
    """A declaration in a file that is not for such."""

    title = "{what} has no place here"
    label = "this file is {heading}"
    hint = "{fix}"
    what: str
    heading: str
    fix: str


@frozen(eq=False, repr=False)
class NoStart(Error):
    """A rulebook that does not say where the game begins."""

    title = "the game does not begin anywhere"
    label = "`{name}` has no `start`"
    hint = "add a line `start`, and below it what happens first"
    name: str


@frozen(eq=False, repr=False)
class NoSeats(Error):
    """A rulebook that does not say how many may play."""

    title = "how many may play?"
    label = "`{name}` has no `seats`"
    hint = "add a line such as `seats 2..4` below it"
    name: str


@frozen(eq=False, repr=False)
class SaidTwice(Error):
    """A line that may stand once only."""

    title = "`{what}` stands twice"
    label = "one of them is enough"
    what: str


# ---- names


@frozen(eq=False, repr=False)
class DuplicateName(Error):
    """Two things of one name where names must differ."""

    title = "two things are called `{name}`"
    label = "this {what} needs another name"
    hint = "{fix}"
    name: str
    what: str
    fix: str


@frozen(eq=False, repr=False)
class ReservedName(Error):
    """A declaration with a name that the language has given away."""

    title = "this name is taken"
    label = "in every game this means: {meaning}"
    hint = "choose another name"
    name: str
    meaning: str


@frozen(eq=False, repr=False)
class ShadowedName(Error):
    """A local with the name of something that can be read there already."""

    title = "this name is taken"
    label = "`{name}` is already {what}"
    hint = "choose another name"
    name: str
    what: str


@frozen(eq=False, repr=False)
class UnusedName(Warning_):
    """Something that is declared and that no rule needs."""

    title = "nothing uses `{name}`"
    label = "{what}"
    hint = "remove it, or begin its name with `_`"
    name: str
    what: str


@frozen(eq=False, repr=False)
class RulingNeverRead(Warning_):
    """A ruling that makes no difference, because no rule asks for it."""

    title = "no rule reads `{name}`"
    label = "whatever reading is chosen, the game is the same"
    hint = "write `when {name} is {reading}` where it matters"
    name: str
    reading: str


@frozen(eq=False, repr=False)
class NeverRolled(Warning_):
    """A die that no step rolls."""

    title = "nothing rolls `{name}`"
    label = "it shows no face"
    hint = "add a step `roll {name}`"
    name: str


@frozen(eq=False, repr=False)
class OutsideWindow(Error):
    """`passes` or `passed` where nobody can pass."""

    title = "nobody can pass here"
    label = "`{name}` can be read in the lines of a `window` only"
    hint = (
        "in a `define`, hand it on as an argument; elsewhere, keep a variable: `var {name}: {type}`"
    )
    name: str
    type: str


@frozen(eq=False, repr=False)
class RecursiveDefine(Error):
    """A define that needs itself."""

    title = "a define cannot use itself"
    label = "`{name}` leads back to itself: {way}"
    hint = "a `repeat` in a phase can do what is done again and again"
    name: str
    way: str


# ---- rulings


@frozen(eq=False, repr=False)
class NoDefault(Error):
    """A ruling none of whose readings is the default."""

    title = "no reading is the default"
    label = "`{name}` must be read in some way"
    hint = "write `default` after the title of one reading"
    name: str


@frozen(eq=False, repr=False)
class TwoDefaults(Error):
    """A ruling with two default readings."""

    title = "two readings are the default"
    label = "`{name}` has a default already"
    name: str


# ---- citations


@frozen(eq=False, repr=False)
class UnknownClause(Error):
    """A citation of something that the table of clauses does not hold."""

    title = "unknown clause"
    label = "the table of clauses has no `{id}`"
    hint = "did you mean `{nearest}`?"
    id: str
    nearest: str


@frozen(eq=False, repr=False)
class UncitedClause(Warning_):
    """A mechanical clause that no rule implements."""

    title = "nothing cites {id}"
    label = "{text}"
    hint = "write `@{id}` at the line that does this, or a `note`"
    id: str
    text: str


@frozen(eq=False, repr=False)
class OnlyNoted(Warning_):
    """A mechanical clause that notes mention, and no rule carries out."""

    title = "only a note cites {id}"
    label = "a note does nothing, and this clause is mechanical"
    hint = "cite it at the line that does this, or call it informative (I) in the table"
    id: str


@frozen(eq=False, repr=False)
class PhysicalRule(Warning_):
    """A clause about hands and tables that a line of code claims to carry out."""

    title = "{id} is about what hands do"
    label = "no line can do this; the table calls the clause physical"
    hint = "cite it in a `note`, or call it mechanical (M) in the table"
    id: str


@frozen(eq=False, repr=False)
class MissingRuling(Warning_):
    """A question of the catalogue that the rulebook neither decides nor mentions."""

    title = "{id} is not decided"
    label = "{question}"
    hint = "declare a ruling that cites `@{id}`, or cite it where it is decided"
    id: str
    question: str


@frozen(eq=False, repr=False)
class StaleCitation(Warning_):
    """A rule cites a clause whose text has changed since it was confirmed."""

    title = "the text of {id} has changed"
    label = "this was written for the text before"
    hint = "look at both, then confirm it: `rulewright check SPEC --confirm {id}`"
    id: str


# ---- phases and flow


@frozen(eq=False, repr=False)
class UnknownPhase(Error):
    """A phase that nothing declares."""

    title = "unknown phase"
    label = "no phase is called `{name}`"
    hint = "{fix}"
    name: str
    fix: str

    @classmethod
    def near(cls, name: str, phases: Iterable[str], span: Span, otherwise: str = "") -> Self:
        """With the phase that was meant, if one is much like it, and else with those there are."""
        known = sorted(phases)
        near = nearest(name, known)
        fix = f"did you mean `{near}`?" if near else otherwise
        if not fix and known:
            fix = f"the phases are {', '.join(f'`{phase}`' for phase in known[:8])}"
        return cls(name, fix, span=span)


@frozen(eq=False, repr=False)
class RecursivePhase(Error):
    """A phase that is run while it runs."""

    title = "a phase cannot run inside itself"
    label = "`{phase}` leads back to `{caller}`, which waits here for its end"
    hint = "go on as that phase with `->`, or write a `repeat`"
    phase: str
    caller: str


@frozen(eq=False, repr=False)
class NeverReached(Error):
    """A step behind one that never goes on."""

    title = "this step is never reached"
    label = "the step before it never goes on to here"
    hint = "remove it, or put it before the step that never goes on"


@frozen(eq=False, repr=False)
class FallsThrough(Error):
    """A phase that ends and was called by nobody."""

    title = "the game runs off the end of `{phase}`"
    label = "when this phase ends nothing says what follows"
    hint = "end it with `-> PHASE` or `end winners …`"
    phase: str


@frozen(eq=False, repr=False)
class NoWayOut(Error):
    """A `repeat` that nothing ends."""

    title = "this `repeat` has no way out"
    label = "nothing in it leaves, and there is no `until`"
    hint = "add `until …` below it, or `leave repeat` inside"


@frozen(eq=False, repr=False)
class NothingToLeave(Error):
    """`leave` outside of what it leaves."""

    title = "nothing to leave here"
    label = "{reason}"
    reason: str


# ---- options


@frozen(eq=False, repr=False)
class TwoOptions(Error):
    """Two options of one name in one decision."""

    title = "two options of one name"
    label = "`{name}` stands above already"
    name: str


@frozen(eq=False, repr=False)
class GuardCycle(Error):
    """Options whose guards ask each other whether they are legal."""

    title = "options ask each other whether they are legal"
    label = "`{name}` asks, by way of others, for itself"
    name: str
