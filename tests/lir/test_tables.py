"""What depends on little is looked up, and what play changes is not."""

from collections.abc import Iterator

from compiler.analysis.liveness import liveness
from compiler.graph.core import Apply, Bound, Choose, Const, Function, Graph, Node
from compiler.graph.walk import terms_of, whole
from compiler.lir.stepwise.plan import plan_of
from compiler.lir.stepwise.tables import Axis, Tables, free_names
from compiler.ops import lists, numbers
from compiler.types import BOOL, Int
from ruleengine.game import load


def functions(nodes: tuple[Node, ...]) -> Iterator[Function]:
    """The functions that steps call."""
    for term in whole(*(term for node in nodes for term in terms_of(node.step))):
        if isinstance(term, Apply) and isinstance(term.op, Function):
            yield term.op


def tables_of(graph: Graph) -> Tables:
    """Those of a graph, none made yet."""
    return Tables(plan_of(graph, liveness(graph)))


def test_functions_of_printed_things_are_looked_up() -> None:
    """In Jinxx sizes are compared by what is printed; where pieces stand changes."""
    graph = load("jinxx").graph
    tables = tables_of(graph)
    plain = {one.name for one in functions(graph.nodes) if tables.is_plain(tables.whole(one))}
    others = {one.name for one in functions(graph.nodes)} - plain

    assert plain >= {"fits"}
    assert others >= {"tower", "pieces", "may_land", "has_a_line"}


def test_what_depends_on_where_a_token_lies() -> None:
    """Where a piece of Jinxx can go to hangs on what it is and where it stands."""
    graph = load("jinxx").graph
    tables = tables_of(graph)
    options = [
        o for node in graph.nodes if isinstance(node.step, Choose) for o in node.step.options
    ]
    reach = next(slot.domain.members for o in options for slot in o.slots if slot.bound.name == "s")

    assert not tables.is_plain(reach)
    assert tables.is_plain(reach, lying=True)
    axes = [tables.axis(bound, None, lying=True) for bound in free_names(reach).values()]
    known = [axis for axis in axes if axis is not None]
    assert [(axis.places, len(axis.values)) for axis in known] == [(16, 6 * 16)]
    assert tables.table(reach, known) is not None


def test_a_table_has_all_values() -> None:
    """A table lists what a term gives for each value of its names, the last one fastest."""
    tables = tables_of(load("jinxx").graph)
    low, high = (Bound(name, index, type=Int(1, 2)) for index, name in enumerate("ab"))
    term = Apply(lists.IN, (high, Apply(lists.RANGE, (low, Const(1, type=Int(1, 1))))), type=BOOL)
    axes = [Axis(bound.index, (1, 2), 1) for bound in free_names(term).values()]
    table = tables.table(term, axes)

    assert [axis.bound for axis in axes] == [1, 0]
    assert table is not None
    begin = next(data for data in tables.plan.memory.data if data.address == table)
    assert begin.content == b"".join(n.to_bytes(4, "little") for n in (1, 0, 0, 0))


def test_what_has_no_value_has_no_table() -> None:
    """A division by nothing is left to play, which says what is wrong."""
    tables = tables_of(load("nim").graph)
    name = Bound("n", 0, type=Int(0, 1))
    halves = Apply(numbers.DIVIDE, (Const(1), name), type=Int(0, 1))

    assert tables.table(halves, [Axis(0, (0, 1), 0)]) is None
