"""Where steps lead: what is never reached, what never ends, and what ends into nothing.

This looks at the text: an `if` can go both ways, a `for` may have nothing to do.  What only a
reading makes impossible is not told.
"""

from collections.abc import Iterator
from itertools import pairwise

from attrs import define, field

from compiler.diagnostic import Report
from compiler.resolve.calls import Calls, Host, name_of_host
from compiler.resolve.errors import FallsThrough, NeverReached
from compiler.resolve.leaving import left_by
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.walk import walk


@define(eq=False)
class Flow:
    """Which steps can go on to the next, given which phases can end."""

    calls: Calls
    ends: dict[str, bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Find the phases that can end: the fewest that agree with each other."""
        phases = [host for host in self.calls.hosts if isinstance(host, ast.PhaseDecl)]
        left = left_by(self.calls)
        self.ends.update((phase.name.text, phase.name.text in left) for phase in phases)
        changed = True
        while changed:
            changed = False
            for phase in phases:
                if not self.ends[phase.name.text] and self._can_end(phase):
                    self.ends[phase.name.text] = changed = True

    def _can_end(self, host: Host) -> bool:
        """Whether a phase comes to its end, itself or as the one it goes on as."""
        if self.goes_on(host.block):
            return True
        edges = self.calls.edges[host]
        return any(self.ends[edge.target.name.text] for edge in edges if not edge.waits)

    def goes_on(self, block: ast.Block) -> bool:
        """Whether a block can come to its end."""
        return all(self.step_goes_on(step) for step in block)

    def step_goes_on(self, step: ast.Step) -> bool:
        """Whether the step after this one can be reached."""
        match step:
            case ast.Goto() | ast.Leave() | ast.EndStep() | ast.EndDraw():
                return False
            case ast.Do(phase=phase):
                return self.ends.get(phase.text, True)
            case ast.Named(block=block):
                return self.goes_on(block)
            case ast.Branch():
                return self._branch_goes_on(step)
            case ast.Repeat(block=block, until=until):
                return (until is not None and self.goes_on(block)) or _is_left(step)
            case ast.Decision():
                return self._decision_goes_on(step)
            case _:
                return True

    def _branch_goes_on(self, step: ast.Branch) -> bool:
        if step.otherwise is None:
            return True
        blocks = (step.block, *(part.block for part in step.elifs), step.otherwise.block)
        return any(self.goes_on(block) for block in blocks)

    def _decision_goes_on(self, step: ast.Decision) -> bool:
        if any(self.goes_on(steps_of(option)) for option in step.options):
            return True
        if step.otherwise is not None:
            return self.goes_on(step.otherwise.block or ())
        return step.how.text != "chooses"  # declining goes on


def steps_of(option: ast.Option) -> ast.Block:
    """The steps of an option, without its guards."""
    return tuple(line for line in option.lines or () if not isinstance(line, ast.Guard))


def _is_left(repeat: ast.Repeat) -> bool:
    """Whether `leave repeat` stands in a `repeat` and means that one."""
    waiting: list[ast.Node] = list(repeat.block)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Leave) and node.what.text == "repeat":
            return True
        waiting.extend(child for block in _blocks(node) for child in block)
    return False


def _blocks(node: ast.Node) -> Iterator[ast.Block]:
    """The blocks right below a node that belong to the same `repeat`."""
    match node:
        case ast.Repeat():
            return
        case ast.Branch():
            yield node.block
            for part in node.elifs:
                yield part.block
            if node.otherwise is not None:
                yield node.otherwise.block
        case ast.Decision() | ast.Window():
            for option in node.options:
                yield steps_of(option)
            if isinstance(node, ast.Decision) and node.otherwise is not None:
                yield node.otherwise.block or ()
        case ast.Choice():
            for line in node.lines or ():
                if isinstance(line, ast.Otherwise):
                    yield line.block or ()
        case ast.Named() | ast.Loop() | ast.Together():
            yield node.block
        case _:
            return


# ---- checks


def check_reached(calls: Calls, flow: Flow) -> Report:
    """A step behind one that never goes on is never reached."""
    report = Report()
    for host in calls.hosts:
        for block in _all_blocks(host):
            for before, step in pairwise(block):
                if not flow.step_goes_on(before):
                    notes = ((before.span, "this never goes on"),)
                    report.add(NeverReached(span=step.span, notes=notes))
                    break
    return report


def _all_blocks(host: Host) -> Iterator[ast.Block]:
    yield host.block
    for node in walk(*host.block):
        if isinstance(node, ast.Repeat):
            yield node.block
        yield from _blocks(node)


def check_falls_through(calls: Calls, flow: Flow) -> Report:
    """What goes on from the start by `->` alone may not come to its end: nobody waits for it."""
    report = Report()
    starts = [host for host in calls.hosts if isinstance(host, ast.Start)]
    left = left_by(calls)
    for host in calls.reached(starts, waits=False):
        name = name_of_host(host)
        if flow.goes_on(host.block) or (isinstance(host, ast.PhaseDecl) and name in left):
            place = host.name.span if isinstance(host, ast.PhaseDecl) else host.span
            notes = _entries(calls, host, starts)
            report.add(FallsThrough(name, span=place, notes=notes))
    return report


def _entries(calls: Calls, host: Host, starts: list[ast.Start]) -> tuple[tuple[Span, str], ...]:
    """Where it is entered without anybody waiting."""
    chain = calls.reached(starts, waits=False)
    edges = (edge for source in chain for edge in calls.edges[source])
    enters = [edge for edge in edges if edge.target is host and not edge.waits]
    return tuple((edge.step.span, "nobody waits for its end here") for edge in enters[:1])
