"""What can be wrong with the form of a file, before anything is known of its names."""

from attrs import frozen

from compiler.diagnostic import Error


@frozen
class UnexpectedWord(Error):
    """Something stands where the grammar has no place for it."""

    title = "unexpected {what}"
    label = "{reason}"
    hint = "{fix}"
    what: str
    reason: str
    fix: str


@frozen
class UnexpectedCharacter(Error):
    """A character that begins no word of the language."""

    title = "unexpected character {what}"
    label = "{reason}"
    hint = "{fix}"
    what: str
    reason: str
    fix: str


@frozen
class UnclosedTitle(Error):
    """A title whose second quotation mark is missing."""

    title = "this title is not closed"
    label = "it begins here, and the line ends within it"
    hint = 'close it with `"` on the same line'


@frozen
class UnclosedBracket(Error):
    """A bracket that is open where what follows cannot stand inside of it."""

    title = "this bracket is not closed"
    label = "`{opened}` is still open where the text cannot go on"
    hint = "close it with `{closer}`"
    opened: str
    closer: str


@frozen
class MissingBlock(Error):
    """A line that says what is done in the lines below it, without such lines."""

    title = "a block is missing"
    label = "what belongs to this line must stand below it, indented"
    hint = "{fix}"
    fix: str


@frozen
class WrongIndent(Error):
    """A line that is indented like none of the blocks around it."""

    title = "this line fits no block above it"
    label = "indented by {depth} spaces, and the lines above by {depths}"
    hint = "{fix}"
    depth: int
    depths: tuple[int, ...]
    fix: str


@frozen
class TooDeep(Error):
    """Terms or blocks within each other, beyond any rule."""

    title = "nested too deeply"
    label = "this is inside of {limit} others"
    hint = "name a part of it with `define`, or make it a `phase`"
    limit: int


@frozen
class KeywordAsName(Error):
    """A variable whose name would begin another kind of line."""

    title = "this name is a keyword"
    label = "a line that begins with `{name}` says something else"
    hint = "choose another name"
    name: str


@frozen
class EmptyFile(Error):
    """A file in which nothing is declared."""

    title = "nothing is declared here"
    label = "the file has no lines of its own"
    hint = 'begin with `rulebook NAME "Title"`'
