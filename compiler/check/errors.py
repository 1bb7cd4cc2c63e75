"""What hidden information forbids: choices and orders that would tell what nobody may know."""

from attrs import frozen

from compiler.diagnostic import Error, Warning_


@frozen(eq=False, repr=False)
class GuardReadsHidden(Error):
    """An option whose legality or slots depend on what its own player may not see.

    What is offered would tell him; such a rule is an attempt that is always offered, with a public
    test of what is hidden afterwards.
    """

    title = "`{option}` depends on what its player may not know"
    label = "who decides may not see {what} here"
    hint = "offer it always, and test what is hidden after the choice"
    option: str
    what: str


@frozen(eq=False, repr=False)
class OrderTells(Error):
    """Hidden cards without an order that are laid into hidden places in a row."""

    title = "the order of these cards would tell what they are"
    label = "they come from a place without order, so only their faces could order them"
    hint = "`shuffle` the place in the next line, or let a player choose from `orders(…)`"


@frozen(eq=False, repr=False)
class FlagTells(Error):
    """A flag that sticks to cards, set where somebody may not see them.

    How many cards of a face carry it is known to all.
    """

    title = "`{flag}` is set on cards that somebody may not see"
    label = "it stays with them as part of their face, and all could tell what they are"
    hint = "turn them face up first, or write `unmark {card} {flag}`: off all there are"
    flag: str
    card: str


@frozen(eq=False, repr=False)
class Disclosure(Warning_):
    """A step whose visible course depends on cards, dice or variables that somebody may not see.

    That can be the point of a rule (a showdown); then the author confirms it once.
    """

    title = "this step tells something of what is hidden"
    label = "what happens here depends on {what}, which not everybody may see"
    hint = 'if the rule means to tell it, confirm it: `discloses "{step}"`'
    what: str
    step: str
