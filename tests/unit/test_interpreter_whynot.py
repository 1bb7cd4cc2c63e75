"""Why an answer is refused: the first line that fails, what it reads and what decided."""

from compiler.graph.core import (
    Bound,
    Case,
    Choose,
    DomainMode,
    Function,
    Guard,
    Term,
    Variable,
)
from compiler.ops import lists, numbers
from compiler.types import BOOL, Optional
from ruleengine.interpreter import Interpreter
from ruleengine.table import Table
from ruleengine.whynot import (
    Legal,
    NoSuchOption,
    NotDeclinable,
    NotInDomain,
    Refused,
    WrongCount,
)
from tests.unit import tabletop as t
from tests.unit.tabletop import HAND_A, HAND_B, A

picked = Variable("picked", Optional(t.CARD))
chosen = Variable("chosen", t.CARDS, initial=())
n = t.number("n", initial=1)
X = Bound("x", 0, type=t.CARD)
LOCAL: dict[str, tuple[Variable, ...]] = {"start": (picked, chosen)}


def more(a: Term, b: Term) -> Term:
    """Whether a is more than b."""
    return t.apply(numbers.MORE, a, b, type_=BOOL)


def at(choose: Choose) -> tuple[Interpreter, Table, dict[str, int]]:
    """A table at a decision, A holding 1, 1, 2 and 3, B holding 5; handles by word."""
    graph = t.graph(choose, deck=t.cards(1, 1, 2, 3, 5), variables=(n,), local=LOCAL)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    held = t.put(interpreter, table, HAND_A, "1", "1", "2", "3")
    (other,) = t.put(interpreter, table, HAND_B, "5")
    interpreter.advance(table)
    return interpreter, table, dict(zip(("1", "1 too", "2", "3", "5"), (*held, other), strict=True))


PLAY = t.slot(picked, t.all_of(HAND_A))


def test_a_legal_answer_is_named_by_its_rank() -> None:
    """The 2 is the second option; either of two twins is the first."""
    interpreter, table, card = at(t.choose(A, t.option("play", PLAY)))

    assert interpreter.why_not(table, "play", (card["2"],)) == Legal(1)
    assert interpreter.why_not(table, "play", (card["1"],)) == Legal(0)
    assert interpreter.why_not(table, "play", (card["1 too"],)) == Legal(0)


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    """There is no `pass`; there are `play` and `decline`."""
    interpreter, table, card = at(t.choose(A, t.option("play", PLAY), optional=True))

    assert interpreter.why_not(table, "pass") == NoSuchOption(("play", "decline"))
    assert interpreter.why_not(table, "decline") == Legal(3)
    play = interpreter.asking(0).step.options[0]
    assert interpreter.why_not(table, "play", (card["1"], card["2"])) == WrongCount(play, 1)


def test_a_decision_that_must_be_answered_cannot_be_declined() -> None:
    """`chooses` is no `may choose`."""
    interpreter, table, _ = at(t.choose(A, t.option("play", PLAY)))

    assert interpreter.why_not(table, "decline") == NotDeclinable()


def test_a_card_from_elsewhere_is_not_in_the_domain() -> None:
    """B's card is none of A's; the first slot refuses it, with no further reason."""
    interpreter, table, card = at(t.choose(A, t.option("play", PLAY)))
    option = interpreter.asking(0).step.options[0]

    assert interpreter.why_not(table, "play", (card["5"],)) == NotInDomain(option, 0, None, ())


def test_a_slot_may_refuse_a_card_by_its_where() -> None:
    """What `where` reads of the card is told: its value, which is not more than n."""
    where = more(t.value_of(X), t.read(n))
    interpreter, table, card = at(
        t.choose(A, t.option("play", t.slot(picked, t.all_of(HAND_A), where=where)))
    )

    answer = interpreter.why_not(table, "play", (card["1"],))

    assert isinstance(answer, NotInDomain)
    assert answer.where == where
    assert [reading.value for reading in answer.readings] == [1, 1]


def test_the_first_guard_that_fails_is_the_answer() -> None:
    """Later guards are not looked at, and the one that fails brings its clauses."""
    fine = Guard(more(t.value_of(X), t.const(0)), ("R-1",))
    high = Guard(more(t.value_of(X), t.const(2)), ("R-2",))
    never = Guard(more(t.const(0), t.const(1)), ("R-3",))
    interpreter, table, card = at(
        t.choose(A, t.option("play", PLAY, guards=[fine, high, never]), optional=True)
    )

    answer = interpreter.why_not(table, "play", (card["2"],))

    assert isinstance(answer, Refused)
    assert answer.guard is high
    assert answer.clauses == ("R-2",)
    assert [(reading.term, reading.value) for reading in answer.readings] == [(t.value_of(X), 2)]


def test_the_case_that_decided_is_named_with_its_clauses() -> None:
    """A `define` of two cases: for a 1 the first decides, for a 2 the second."""
    y = Bound("y", 0, type=t.CARD)
    one = t.apply(lists.IS, t.value_of(y), t.const(1), type_=BOOL)
    allowed = Function(
        "allowed",
        (y,),
        (
            Case(one, t.const(False, BOOL), ("R-1",)),
            Case(None, more(t.value_of(y), t.const(2)), ("R-2",)),
        ),
        BOOL,
    )
    guard = Guard(t.apply(allowed, X, type_=BOOL), ("R-9",))
    interpreter, table, card = at(t.choose(A, t.option("play", PLAY, guards=[guard])))

    refusals = {word: interpreter.why_not(table, "play", (card[word],)) for word in ("1", "2")}

    cited = {w: a.clauses for w, a in refusals.items() if isinstance(a, Refused)}
    assert cited == {"1": ("R-9", "R-1"), "2": ("R-9", "R-2")}


def test_an_unless_is_decided_by_what_it_denies() -> None:
    """`unless blocked(x)`: the case of `blocked` that is true is the one that decided."""
    y = Bound("y", 0, type=t.CARD)
    blocked = Function("blocked", (y,), (Case(None, t.const(True, BOOL), ("R-1",)),), BOOL)
    held = t.apply(numbers.NOT, t.apply(blocked, X, type_=BOOL), type_=BOOL)
    interpreter, table, card = at(
        t.choose(
            A, t.option("play", PLAY, guards=[Guard(held, ("R-2",), negated=True)]), optional=True
        )
    )

    answer = interpreter.why_not(table, "play", (card["1"],))

    assert isinstance(answer, Refused)
    assert [(d.function.name, d.value) for d in answer.deciders] == [("blocked", True)]
    assert answer.clauses == ("R-2", "R-1")


def test_sets_are_named_in_any_order() -> None:
    """Two cards named the other way round are the same answer; a card twice is none."""
    lay = t.slot(chosen, t.all_of(HAND_A), DomainMode.SUBSETS, low=2, high=2)
    interpreter, table, card = at(t.choose(A, t.option("lay", lay)))
    option = interpreter.asking(0).step.options[0]

    def ask(*names: str) -> object:
        return interpreter.why_not(table, "lay", (tuple(card[name] for name in names),))

    assert ask("3", "2") == ask("2", "3") == Legal(3)
    assert ask("1", "1 too") == Legal(0)
    assert ask("2", "2") == NotInDomain(option, 0, None, ())
    assert ask("2") == NotInDomain(option, 0, None, ())
