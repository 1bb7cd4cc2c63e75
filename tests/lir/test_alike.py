"""What options of one decision ask of each other is recognized whatever names it is asked under."""

from compiler.graph.core import Apply, Bound, Choose, Const, Option, Term
from compiler.graph.walk import subterms
from compiler.lir.stepwise.alike import asks_for, is_alike, replaced
from compiler.ops import lists
from ruleengine.game import load

X, Y, Z = (Bound(name, index) for index, name in enumerate("xyz"))


def joined(*terms: Term) -> Term:
    """A list of some terms."""
    return Apply(lists.LIST, terms)


def jinxx() -> dict[str, Option]:
    """What a player of Jinxx may do in his turn."""
    steps = [node.step for node in load("jinxx").graph.nodes]
    (options,) = [step.options for step in steps if isinstance(step, Choose)]
    return {option.name: option for option in options}


def test_names_may_differ() -> None:
    """Terms are alike under other names, but not where two names become one."""
    assert is_alike(joined(X, Y), joined(Z, Y), {0: 2})
    assert not is_alike(joined(X, Y), joined(Z, Z), {0: 2})
    assert not is_alike(joined(X), joined(X, Y))


def test_rolling_again_asks_for_moves() -> None:
    """Who would roll again in Jinxx must have no move; that is asked of the two other options."""
    options = jinxx()
    asked = {
        (option.name, other.name)
        for option in options.values()
        for other in options.values()
        for guard in option.guards
        for part in subterms(guard.holds)
        if other.slots and asks_for(part, other)
    }

    assert asked == {("help", "go"), ("again", "go")}


def test_parts_are_replaced() -> None:
    """What stands in place of a part stands there as often as the part does."""
    five = Const(5)

    assert replaced(joined(X, joined(Y, X)), lambda term: five if term == X else None) == joined(
        five, joined(Y, five)
    )
