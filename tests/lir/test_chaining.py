"""Steps go on to the next one by themselves, and are still counted."""

from compiler.lir.core import Block, Call, Function, Number, Return
from compiler.lir.stepwise.chaining import Kept, chained
from compiler.lir.stepwise.code import put_word, word
from compiler.lir.walk import facts

SPARE, NODE, FRESH = 8, 12, 16


def steps(*bodies: Block) -> dict[str, Function]:
    """Steps with these bodies, chained."""
    functions = [
        Function(f"n{number}", (), Number(0).kind, (put_word(FRESH, 0), *body))
        for number, body in enumerate(bodies)
    ]
    found = chained(functions, Kept(SPARE, NODE, frozenset({FRESH})))
    return {function.name: function for function in found}


def calls(function: Function) -> set[str]:
    """What a step calls."""
    return set(facts(function).calls)


def test_a_known_node_is_gone_on_with() -> None:
    """The step that is given is called, as long as more may be taken."""
    made = steps((Return(Number(1)),), (Return(Number(-1)),))

    assert calls(made["n0"]) == {"n1"}
    assert made["n1"].body == (Return(Number(-1)),)


def test_no_step_comes_to_call_itself() -> None:
    """A way back to a node before is left to the loop."""
    made = steps((Return(Number(1)),), (Return(Number(2)),), (Return(Number(0)),))

    assert [calls(made[name]) for name in ("n0", "n1", "n2")] == [{"n1"}, {"n2"}, set()]
    assert made["n2"].body == (Return(Number(0)),)


def test_what_is_looked_at_is_written() -> None:
    """A step that asks at which node the table stands writes it; what nobody reads is left out."""
    made = steps((Return(word(NODE)),), (Return(word(FRESH)),))

    assert made["n0"].body == (put_word(NODE, 0), Return(word(NODE)))
    assert made["n1"].body == (put_word(FRESH, 0), Return(word(FRESH)))
    assert calls(made["n0"]) == set()


def test_other_calls_stay() -> None:
    """What is given by a function is not known before."""
    made = steps((Return(Call("leave", ())),))

    assert made["n0"].body == (Return(Call("leave", ())),)


def test_what_a_step_does_stays() -> None:
    """A constant that is written before something is fresh again is not taken for the beginning."""
    does = (put_word(20, 1), put_word(FRESH, 0), Return(word(FRESH)))
    made = steps(does, (put_word(20, 1), put_word(FRESH, 0), Return(Number(-1))))

    assert made["n0"].body == (put_word(FRESH, 0), *does)
    assert put_word(20, 1) in made["n1"].body
