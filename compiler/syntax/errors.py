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
class WrongIndent(Error):
    """A line is indented by a depth that no line above it has."""

    title = "this line fits no block above it"
    label = "indented by {depth}, but the lines above by {depths}"
    hint = "indent it like the lines it belongs to"
    depth: str
    depths: tuple[str, ...]


@frozen
class TooDeep(Error):
    """Brackets nested beyond any rule."""

    title = "nested too deeply"
    label = "more than {limit} brackets are open here"
    hint = "name a part of it with `define`"
    limit: int


@frozen
class EmptyFile(Error):
    """A file in which nothing is declared."""

    title = "nothing is declared here"
    label = "the file has no lines of its own"
    hint = 'begin with `rulebook NAME "Title"`'
