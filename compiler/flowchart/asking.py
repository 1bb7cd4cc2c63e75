"""What the tests of a graph ask: of which locals, with what odds."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

from compiler.flowchart.routes import Routes
from compiler.graph.core import (
    Apply,
    Assign,
    Bound,
    Branch,
    Chance,
    Const,
    Function,
    Node,
    Read,
    Roll,
    Term,
    Value,
    Variable,
)
from compiler.graph.evaluate import NotConstant, evaluate
from compiler.graph.exchange import replaced
from compiler.graph.walk import function_terms, subterms
from compiler.ops.row import Undefined

_MOST: Final = 216  # results of a roll that are gone through for the odds of a test
_HOPS: Final = 4  # effects between a roll and the test that looks at it


# ---- locals


def asked_locals(routes: Routes) -> frozenset[Variable]:
    """The locals that tests without a title ask about: a reader has to see where they are set.

    What a phase is given stands where it is run.
    """
    given = {param for phase in routes.graph.phases for param in phase.params}
    return frozenset(
        variable
        for node in routes.graph.nodes
        if isinstance(node.step, Branch) and not node.title
        for variable in _locals(node.step.test)
        if not variable.hidden_name and variable not in given
    )


def _locals(term: Term) -> Iterator[Variable]:
    """The locals whose values a term uses; arguments that a function never looks at are not."""
    match term:
        case Apply(Function() as function, args):
            used = {
                inner.index
                for outer in function_terms(function)
                for inner in subterms(outer)
                if isinstance(inner, Bound)
            }
            parts = [arg for index, arg in enumerate(args) if index in used]
        case Read(Variable(phase=str()) as variable, args):
            yield variable
            parts = list(args)
        case _:
            parts = [one for one in subterms(term) if one is not term]
            parts = [one for one in parts if isinstance(one, Apply | Read)]
    for part in parts:
        yield from _locals(part)


def same_question(first: Node, second: Node) -> bool:
    """Whether two tests compare the same two things: then they are one question."""
    match first.step, second.step:
        case Branch(Apply(_, one)), Branch(Apply(_, other)) if not second.title:
            return len(one) == 2 and (other == one or other == one[::-1])
        case _:
            return False


# ---- odds


def odds(routes: Routes, node: Node, before: dict[int, list[int]]) -> Fraction | None:
    """How likely the answer to a test is yes that only looks at the dice just rolled."""
    step = node.step
    if not isinstance(step, Branch):
        return None
    at = node
    for _ in range(_HOPS):
        if len(before.get(at.id, ())) != 1:
            return None
        at = routes.nodes[before[at.id][0]]
        if isinstance(at.step, Chance) and isinstance(at.step.distribution, Roll):
            return _share(routes, step.test, at.step.distribution)
        if not isinstance(at.step, Assign):
            return None
    return None


def _share(routes: Routes, test: Term, roll: Roll) -> Fraction | None:
    """The share of a roll's results for which a test holds; `None` if it asks for anything else."""
    total = prod(len(faces) for _, _, faces in roll.dice)
    if total > _MOST:
        return None
    classes = {one.name: one for one in routes.graph.classes}
    held = 0
    for thrown in product(*(faces for _, _, faces in roll.dice)):
        shown = {
            Read(die, keys): face for (die, keys, _), face in zip(roll.dice, thrown, strict=True)
        }

        def instead(term: Term, shown: dict[Read, Value] = shown) -> Term | None:
            if isinstance(term, Read) and term in shown:
                return Const(shown[term], type=term.type)
            return None

        try:
            held += bool(evaluate(replaced(test, instead), {}, classes))
        except (NotConstant, Undefined):
            return None
    return Fraction(held, total)
