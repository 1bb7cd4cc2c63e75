"""What can be wrong with the form of a file, before anything is known of its names."""

from attrs import frozen

from compiler.diagnostic import Error, Warning_


@frozen(eq=False, repr=False)
class UnexpectedWord(Error):
    """Something stands where the grammar has no place for it."""

    title = "unexpected {what}"
    label = "{reason}"
    hint = "{fix}"
    what: str
    reason: str
    fix: str


@frozen(eq=False, repr=False)
class UnexpectedCharacter(UnexpectedWord):
    """A character that begins no word of the language."""

    title = "unexpected character {what}"


# ---- what beginners write, each told in its own words


@frozen(eq=False, repr=False)
class ForeignSign(UnexpectedWord):
    """A sign that other languages or word processors have, and this one has not."""

    title = "{what} is no sign of the language"


@frozen(eq=False, repr=False)
class ForeignWord(UnexpectedWord):
    """A line that begins with a word of another language."""

    title = "{what} is a word of other languages"


@frozen(eq=False, repr=False)
class MisspeltWord(UnexpectedWord):
    """A word that looks like one of the language and is none."""

    title = "no such word: {what}"


@frozen(eq=False, repr=False)
class EqualsForIs(UnexpectedWord):
    """`=` in a question: it gives a value and compares nothing."""

    title = "`=` compares nothing"


@frozen(eq=False, repr=False)
class ChainedComparison(UnexpectedWord):
    """`a < b < c`: a comparison has two sides."""

    title = "a comparison has two sides"


@frozen(eq=False, repr=False)
class ElseIf(UnexpectedWord):
    """`else if` at the beginning of a line, `elif` inside a term."""

    title = "{what} is not how this goes on"


@frozen(eq=False, repr=False)
class WhereInQuantifier(UnexpectedWord):
    """`some x in S where P`: what is asked stands behind a colon."""

    title = "a quantifier asks behind a colon"


@frozen(eq=False, repr=False)
class ForInsteadOfAll(UnexpectedWord):
    """`for` or `any` where `all`, `some` or a count is meant."""

    title = "{what} begins no value"


@frozen(eq=False, repr=False)
class ColonAtEnd(UnexpectedWord):
    """A line that ends in a colon, as in other languages."""

    title = "a line ends without a colon"


@frozen(eq=False, repr=False)
class TypeOfALocal(UnexpectedWord):
    """A `let` with a type, or a variable without one."""

    title = "types stand where values can change"


@frozen(eq=False, repr=False)
class NameNotLowerCase(UnexpectedWord):
    """A capital, a foreign letter or a digit in front, in what is meant as a name."""

    title = "{what} is not written as a name"


@frozen(eq=False, repr=False)
class MisplacedCitation(UnexpectedWord):
    """A citation in front of something else, or one that is not written as one."""

    title = "a citation stands at the end of its line"


@frozen(eq=False, repr=False)
class MisplacedLine(UnexpectedWord):
    """A line that belongs below another kind of line."""

    title = "{what} has no line that it could belong to"


@frozen(eq=False, repr=False)
class StrayBracket(UnexpectedWord):
    """A closing bracket that closes nothing."""

    title = "no bracket is open here"


@frozen(eq=False, repr=False)
class UnexpectedIndent(UnexpectedWord):
    """A line that is deeper than the one above, which has no block."""

    title = "this line is too deep"


@frozen(eq=False, repr=False)
class SaidOtherwise(UnexpectedWord):
    """A line that reads as English, or as another language, and is said in another way here."""

    title = "this is said in another way"


@frozen(eq=False, repr=False)
class TabsAndSpaces(Error):
    """Lines of one block, some indented with tabs and some with spaces, that do not fit."""

    title = "tabs and spaces do not fit together"
    label = "{reason}"
    hint = "{fix}"
    reason: str
    fix: str


@frozen(eq=False, repr=False)
class UnclosedTitle(Error):
    """A title whose second quotation mark is missing."""

    title = "this title is not closed"
    label = "it begins here, and the line ends within it"
    hint = 'close it with `"` on the same line'


@frozen(eq=False, repr=False)
class UnclosedBracket(Error):
    """A bracket that is open where what follows cannot stand inside of it."""

    title = "this bracket is not closed"
    label = "`{opened}` is still open where the text cannot go on"
    hint = "close it with `{closer}`"
    opened: str
    closer: str


@frozen(eq=False, repr=False)
class MissingBlock(Error):
    """A line that says what is done in the lines below it, without such lines."""

    title = "a block is missing"
    label = "what belongs to this line must stand below it, indented"
    hint = "{fix}"
    fix: str


@frozen(eq=False, repr=False)
class WrongIndent(Error):
    """A line that is indented like none of the blocks around it."""

    title = "this line fits no block above it"
    label = "indented by {depth} spaces, and the lines above by {depths}"
    hint = "{fix}"
    depth: int
    depths: tuple[int, ...]
    fix: str


@frozen(eq=False, repr=False)
class TooDeep(Error):
    """Terms or blocks within each other, beyond any rule."""

    title = "nested too deeply"
    label = "this is inside of {limit} others"
    hint = "name a part of it with `define`, or make it a `phase`"
    limit: int


@frozen(eq=False, repr=False)
class LongLine(Error):
    """A line that no person has written and none could read."""

    title = "this line is too long"
    label = "it has more than {limit} characters"
    hint = "break it after commas, inside brackets, or before `and` and `or`"
    limit: int


@frozen(eq=False, repr=False)
class HugeNumber(Error):
    """A number beyond anything that is counted at a table."""

    title = "this number is too large"
    label = "it has {digits} digits; {limit} are enough for any game"
    digits: int
    limit: int


@frozen(eq=False, repr=False)
class KeywordAsName(UnexpectedWord):
    """A word of the language where a name of the author's own must be."""

    title = "this name is a keyword"


@frozen(eq=False, repr=False)
class RestUnread(Warning_):
    """A file with so many mistakes that what is below them was not read."""

    title = "what is below was not read"
    label = "from here on nothing was looked at: {told} errors are told at once"
    hint = "mend those above, and check again; `check --all` tells all at once"
    told: int


@frozen(eq=False, repr=False)
class EmptyFile(Error):
    """A file in which nothing is declared."""

    title = "nothing is declared here"
    label = "the file has no lines of its own"
    hint = 'begin with `rulebook NAME "Title"`'
