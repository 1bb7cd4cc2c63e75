"""What can be wrong with the meaning of a line: names, types, bounds, places of use."""

from attrs import frozen

from compiler.diagnostic import Error


@frozen
class UnknownName(Error):
    """A name that nothing declares."""

    title = "unknown name"
    label = "nothing is called `{name}`"
    hint = "did you mean `{nearest}`?"
    name: str
    nearest: str


@frozen
class UnknownCode(Error):
    """A code that names no seat, enum member or token where it stands."""

    title = "unknown code"
    label = "`{word}` is no {wanted} here"
    hint = "did you mean `{nearest}`?"
    word: str
    wanted: str
    nearest: str


@frozen
class UnknownAttribute(Error):
    """Something after a dot that the thing before it does not have."""

    title = "unknown attribute"
    label = "a {of} has no `{name}`"
    hint = "{fix}"
    of: str
    name: str
    fix: str


@frozen
class WrongType(Error):
    """A term of one type where another is asked for."""

    title = "this does not fit here"
    label = "this is a {found}, but {wanted} is needed"
    hint = "{fix}"
    found: str
    wanted: str
    fix: str


@frozen
class NeverFits(Error):
    """A number that lies outside the range of its slot whatever happens."""

    title = "this number never fits"
    label = "it is in {found}, the range is {wanted}"
    found: str
    wanted: str


@frozen
class NotComparable(Error):
    """Two things that can never be equal, or have no order."""

    title = "these cannot be compared"
    label = "a {left} and a {right}"
    left: str
    right: str


@frozen
class WrongArguments(Error):
    """A call with more or fewer arguments than declared."""

    title = "wrong number of arguments"
    label = "`{name}` takes {wanted}, here are {found}"
    name: str
    wanted: int
    found: int


@frozen
class NotAType(Error):
    """A term where a type must be."""

    title = "this is not a type"
    label = "a type is a range (`1..6`), `bool`, `player`, `square`, an enum, a card or piece class"
    text: str


@frozen
class NotKnownBeforePlay(Error):
    """A bound, number of copies or size that depends on play."""

    title = "this must be known before play"
    label = "it reads something that changes during the game"
    text: str


@frozen
class NoValue(Error):
    """A constant term without a value: division by 0, `none` where a number must be."""

    title = "this has no value"
    label = "{reason}"
    reason: str


@frozen
class NotAssignable(Error):
    """Something that is not a variable to the left of `=`."""

    title = "only a variable can be given a value"
    label = "this is {what}"
    hint = "{fix}"
    what: str
    fix: str


@frozen
class UnknownOption(Error):
    """`can N` without a sibling option of that name."""

    title = "unknown option"
    label = "no option of this decision is called `{name}`"
    hint = "did you mean `{nearest}`?"
    name: str
    nearest: str


@frozen
class UnknownFlag(Error):
    """A mark that nothing declares."""

    title = "unknown flag"
    label = "no place or class has a flag `{name}`"
    hint = "add `flag {name}` to the zone, or to the card if it stays on when the card moves"
    name: str


@frozen
class EmptyChoice(Error):
    """A choice whose domain is always empty, without `otherwise`."""

    title = "this choice is always empty"
    label = "there is never anything to choose"
    hint = "add `otherwise` with what happens then"


@frozen
class NotTogether(Error):
    """A `together` whose block does not begin with a choice of its seat."""

    title = "`together` begins with a choice"
    label = "its first step must be `{name} chooses …`"
    name: str


@frozen
class Ambiguous(Error):
    """A word that several enums know, where none is asked for."""

    title = "this word could mean several things"
    label = "`{name}` is a member of {enums:and}"
    hint = "compare it with something of one of these types"
    name: str
    enums: tuple[str, ...]


@frozen
class SeatsRefused(Error):
    """A number of players that the rulebook does not allow."""

    title = "this game is not for {seats} players"
    label = "it is for {allowed}"
    hint = "see {clauses:and}"
    seats: int
    allowed: str
    clauses: tuple[str, ...]


@frozen
class CasesDiffer(Error):
    """Cases of one define that give different kinds of things."""

    title = "these cases give different things"
    label = "this is a {found}, the cases above give a {wanted}"
    found: str
    wanted: str
