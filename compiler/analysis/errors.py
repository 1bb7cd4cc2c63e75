"""What graphs show of a rulebook: lines that make no difference, what never ends or breaks down."""

from attrs import frozen

from compiler.diagnostic import Error, Warning_


@frozen(eq=False, repr=False)
class GuardNeverFails(Warning_):
    """A guard that holds whenever it is asked, in every configuration."""

    title = "this guard makes no difference"
    label = "it holds whatever happens"
    hint = "leave it out, or test what may fail"


@frozen(eq=False, repr=False)
class GuardNeverHolds(Warning_):
    """A guard that fails whenever it is asked, in every configuration."""

    title = "this guard lets nothing pass"
    label = "it fails {when}, so `{option}` is never offered"
    hint = "test what may hold, or leave the option out"
    option: str
    when: str = "whatever happens"


@frozen(eq=False, repr=False)
class QuestionSettled(Warning_):
    """A question of an `if` or `until` that has one answer whenever it is asked."""

    title = "this question has one answer"
    label = "it is {answer} whatever happens"
    hint = "ask what may change, or leave out what is never done"
    answer: str


@frozen(eq=False, repr=False)
class NoEndAhead(Warning_):
    """A phase from which no way leads to an `end`: a dead end of the chart."""

    title = "from `{phase}` the game cannot end"
    label = "no way from here comes to an `end`"
    hint = "let some option or step `end` the game, or lead to a phase that does"
    phase: str


@frozen(eq=False, repr=False)
class ReadingWithoutEffect(Warning_):
    """A reading with which every step is the same as with the usual one."""

    title = "this reading makes no difference"
    label = "with it every step is as with `{usual}`"
    hint = "use it in a rule: `if {ruling} is {reading}`, or leave it out"
    ruling: str
    reading: str
    usual: str


@frozen(eq=False, repr=False)
class LoopWithoutProgress(Warning_):
    """A way back to a question, without a choice or a die, that changes nothing of its answer."""

    title = "this may go round for ever"
    label = "nothing on the way back to this question changes its answer"
    hint = "change what is asked before it is asked again"


@frozen(eq=False, repr=False)
class LoopWithoutEnd(Warning_):
    """A loop of automatic steps from which no way leads to a choice, to chance or to the end."""

    title = "this goes round for ever"
    label = "{when} no way leads from here to a choice, to chance or to an end"
    hint = "{fix}"
    when: str
    fix: str


@frozen(eq=False, repr=False)
class StartBreaksDown(Error):
    """A game that breaks down before its first choice, whatever anybody would do."""

    title = "the game breaks down before anybody can do anything"
    label = "{what}"
    hint = "{fix}"
    what: str
    fix: str = ""


@frozen(eq=False, repr=False)
class NeverFilled(Warning_):
    """A place to which no step moves anything."""

    title = "nothing is ever moved to `{name}`"
    label = "all cards and pieces are in the box when a game begins"
    hint = "move them there first: `move all of {kind} to {name}`"
    name: str
    kind: str


@frozen(eq=False, repr=False)
class TriggersTogether(Warning_):
    """Two `whenever` of one condition: both run, one after the other, in the order of the file."""

    title = "two triggers of one condition"
    label = "this runs after the other; what that changes is seen here"
    hint = "make one of the two, so that the order is plain"


@frozen(eq=False, repr=False)
class TriggersOverlap(Warning_):
    """Two `whenever` whose conditions one change can make true: both run, one after the other."""

    title = "two triggers of one change"
    label = "with {change} both become true, and this runs after the other"
    hint = "make one of the two, or let this one exclude the other: `and not ({other})`"
    change: str
    other: str
