"""What can be wrong with the meaning of a line: names, types, bounds, places of use."""

from typing import Self

from attrs import frozen

from compiler.diagnostic import Error
from compiler.source import Span


@frozen(eq=False, repr=False)
class UnknownName(Error):
    """A name that nothing declares."""

    title = "unknown name"
    label = "nothing is called `{name}`"
    hint = "{fix}"
    name: str
    fix: str

    @classmethod
    def near(cls, name: str, nearest: str, span: Span, otherwise: str = "") -> Self:
        """With the name that was meant, if there is one, and else with something to type."""
        return cls(name, f"did you mean `{nearest}`?" if nearest else otherwise, span=span)


@frozen(eq=False, repr=False)
class UnknownCode(Error):
    """A code that names no seat, enum member or token where it stands."""

    title = "unknown code"
    label = "no {wanted} is written `{word}`"
    hint = "{fix}"
    word: str
    wanted: str
    fix: str


@frozen(eq=False, repr=False)
class UnknownAttribute(Error):
    """Something after a dot that the thing before it does not have."""

    title = "unknown attribute"
    label = "{of} has no `{name}`"
    hint = "{fix}"
    of: str
    name: str
    fix: str


@frozen(eq=False, repr=False)
class WrongType(Error):
    """A term of one type where another is asked for."""

    title = "this does not fit here"
    label = "this is {found}, but {wanted} is needed"
    hint = "{fix}"
    found: str
    wanted: str
    fix: str


@frozen(eq=False, repr=False)
class NeverFits(Error):
    """A number that lies outside the range of its slot whatever happens."""

    title = "this number never fits"
    label = "this is {found}, outside of {wanted}"
    hint = "{fix}"
    found: str
    wanted: str
    fix: str = ""


@frozen(eq=False, repr=False)
class NotComparable(Error):
    """Two things that can never be equal, or have no order."""

    title = "these cannot be compared"
    label = "{left} with {right}"
    hint = "{fix}"
    left: str
    right: str
    fix: str


@frozen(eq=False, repr=False)
class WrongOperands(Error):
    """Arithmetic with something that is no number, or sets of different things."""

    title = "`{op}` does not go with these"
    label = "{operands:and}"
    hint = "{fix}"
    op: str
    operands: tuple[str, ...]
    fix: str


@frozen(eq=False, repr=False)
class NotCallable(Error):
    """Round brackets behind something that is neither a define nor an operator."""

    title = "this takes no arguments"
    label = "`{name}` is {what}"
    hint = "{fix}"
    name: str
    what: str
    fix: str


@frozen(eq=False, repr=False)
class WrongArguments(Error):
    """A call with more or fewer arguments than declared."""

    title = "wrong number of arguments"
    label = "`{name}` takes {wanted}, not {found}"
    hint = "{fix}"
    name: str
    wanted: str
    found: int
    fix: str = ""


@frozen(eq=False, repr=False)
class NotAType(Error):
    """A term where a type must be."""

    title = "this is not a type"
    label = "a type is a range (`1..6`), `bool`, `player`, `square`, an enum, a card or piece class"
    hint = "{fix}"
    fix: str


@frozen(eq=False, repr=False)
class EmptyRange(Error):
    """A range without numbers where a type, faces or seats must be."""

    title = "this range is empty"
    label = "nothing is at least {low} and at most {high}"
    hint = "the smaller number stands first"
    low: int
    high: int


@frozen(eq=False, repr=False)
class TooMany(Error):
    """More values, places or kinds than any game has."""

    title = "these are too many"
    label = "{found} {what}; there may be {limit}"
    found: int
    what: str
    limit: int


@frozen(eq=False, repr=False)
class UsesItself(Error):
    """A declaration that needs its own value."""

    title = "a declaration cannot use itself"
    label = "`{name}` is needed to say what `{name}` is"
    name: str


@frozen(eq=False, repr=False)
class WrongEnding(Error):
    """`face down`, `seen by`, … behind something that this says nothing about."""

    title = "this has no place here"
    label = "{of} can end in {allowed}"
    of: str
    allowed: tuple[str, ...]


@frozen(eq=False, repr=False)
class NotKnownBeforePlay(Error):
    """A bound, number of copies or size that depends on play."""

    title = "this must be known before play"
    label = "{reason}"
    reason: str


@frozen(eq=False, repr=False)
class NoValue(Error):
    """A constant term without a value: division by 0, `none` where a number must be."""

    title = "this has no value"
    label = "{reason}"
    reason: str


@frozen(eq=False, repr=False)
class NotAssignable(Error):
    """Something that is not a variable to the left of `=`."""

    title = "only a variable can be given a value"
    label = "this is {what}"
    hint = "{fix}"
    what: str
    fix: str


@frozen(eq=False, repr=False)
class UnknownOption(Error):
    """`can N` without a sibling option of that name, or an answer that no option is called."""

    title = "unknown option"
    label = "no option of this {of} is called `{name}`"
    hint = "{fix}"
    of: str
    name: str
    fix: str


@frozen(eq=False, repr=False)
class UnknownFlag(Error):
    """A mark that nothing declares."""

    title = "unknown flag"
    label = "no place or class has a flag `{name}`"
    hint = "{fix}"
    name: str
    fix: str


@frozen(eq=False, repr=False)
class EmptyChoice(Error):
    """A choice that nothing ever fits, without `otherwise`."""

    title = "this choice is always empty"
    label = "there is never anything to choose"
    hint = "add `otherwise` with what happens then"


@frozen(eq=False, repr=False)
class NotTogether(Error):
    """A `together` whose block does not begin with a choice of its seat."""

    title = "`together` begins with a choice"
    label = "its first step must be `{name} chooses …`"
    name: str


@frozen(eq=False, repr=False)
class Ambiguous(Error):
    """A word that several enums know, where none is asked for."""

    title = "this word could mean several things"
    label = "`{name}` is a member of {enums:and}"
    hint = "compare it with something of one of these types"
    name: str
    enums: tuple[str, ...]


@frozen(eq=False, repr=False)
class SeatsRefused(Error):
    """A number of players that the rulebook does not allow."""

    title = "this game is not for {seats} players"
    label = "it is for {allowed}"
    hint = "see {clauses:and}"
    seats: int
    allowed: str
    clauses: tuple[str, ...]


@frozen(eq=False, repr=False)
class OpenCases(Error):
    """A define whose last case has a `when`: it says nothing about the rest."""

    title = "not every case is told"
    label = "what is `{name}` where none of these holds?"
    hint = "the last case has no `when`"
    name: str


@frozen(eq=False, repr=False)
class CaseNeverReached(Error):
    """A case behind one that always holds."""

    title = "this case is never reached"
    label = "the case above has no `when`, so it always holds"
    hint = "put it first"


@frozen(eq=False, repr=False)
class BoardsDiffer(Error):
    """Boards for different classes: a square would not tell what stands on it."""

    title = "all boards hold the same class"
    label = "this one is for {second}, the first for {first}"
    hint = (
        "make one class of them, and tell them apart by what they have, as `owner: player` or "
        "`shape: 1..2`; a place apart from the board is a `zone`"
    )
    first: str
    second: str


@frozen(eq=False, repr=False)
class CasesDiffer(Error):
    """Cases of one define that give different kinds of things."""

    title = "these cases give different things"
    label = "this is {found}, the cases above give {wanted}"
    found: str
    wanted: str


# ---- scenarios


@frozen(eq=False, repr=False)
class NoSuchSeat(Error):
    """A seat that does not play in this scenario."""

    title = "no such seat"
    label = "the seats here are {seats}"
    seats: str


@frozen(eq=False, repr=False)
class UnknownStep(Error):
    """A scenario that begins at a step, decision or question that its phase does not have."""

    title = "unknown step"
    label = "nothing in `{phase}` is called “{name}”"
    hint = "{fix}"
    phase: str
    name: str
    fix: str


@frozen(eq=False, repr=False)
class NotAPlace(Error):
    """Something that neither holds tokens nor a value."""

    title = "nothing can be put here"
    label = "this is neither a place nor a variable"
    hint = "{fix}"
    fix: str


@frozen(eq=False, repr=False)
class WrongItem(Error):
    """An item that is neither a token nor a value that the place takes."""

    title = "this does not belong here"
    label = "{reason}"
    hint = "{fix}"
    reason: str
    fix: str = ""


OF_VALUES = (NeverFits, NoValue, EmptyChoice, EmptyRange, TooMany, UnknownCode)
"""What is wrong only where it is reached: a branch that a configuration never takes may hold it."""
