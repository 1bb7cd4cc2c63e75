"""What can be wrong with a variant: edits that meet nothing, meet twice, or meet each other."""

from attrs import frozen

from compiler.diagnostic import Error


@frozen(eq=False, repr=False)
class TargetNotFound(Error):
    """An edit of something that is not there."""

    title = "this edit meets nothing"
    label = "{where} has no {what} `{name}`"
    hint = "{fix}"
    what: str
    name: str
    where: str
    fix: str


@frozen(eq=False, repr=False)
class MeetsTwice(Error):
    """An edit of something that is there more than once."""

    title = "this edit meets more than one thing"
    label = "{count} things here are called `{name}`"
    name: str
    count: int


@frozen(eq=False, repr=False)
class EditedTwice(Error):
    """Two edits that both want to change one thing."""

    title = "two edits of one thing"
    label = "`{name}` is changed by another edit already"
    hint = "keep one of the two, or write this one as a variant of the other"
    name: str


@frozen(eq=False, repr=False)
class NotSettable(Error):
    """`set` of something that has no value in the configuration."""

    title = "`{name}` cannot be set"
    label = "it is {what}; params, givens, rulings and gaps can be set"
    hint = "write `replace` and its whole declaration"
    name: str
    what: str


@frozen(eq=False, repr=False)
class UnknownReading(Error):
    """A ruling is set to something that is none of its readings."""

    title = "unknown reading"
    label = "`{ruling}` has no reading `{name}`"
    hint = "did you mean `{nearest}`?"
    ruling: str
    name: str
    nearest: str


@frozen(eq=False, repr=False)
class NoChange(Error):
    """An edit after which everything is as it was."""

    title = "this edit changes nothing"
    label = "`{name}` is like this already"
    name: str


@frozen(eq=False, repr=False)
class VariantOfAnother(Error):
    """A variant laid over a rulebook that it was not written for."""

    title = "a variant of something else"
    label = "it is of `{of}`, but is laid over `{base}`"
    of: str
    base: str


@frozen(eq=False, repr=False)
class NoVariant(Error):
    """A file stacked as a variant that holds none."""

    title = "this file is no variant"
    label = "it must begin with `variant NAME of RULEBOOK`"
