"""`leave`: what each one ends, and whether a `repeat` can be left at all."""

from collections.abc import Iterator
from typing import TypeAlias

from attrs import frozen

from compiler.diagnostic import Report
from compiler.resolve.calls import Calls, Host
from compiler.resolve.errors import NothingToLeave, NoWayOut
from compiler.syntax import ast
from compiler.syntax.walk import children, walk

Round: TypeAlias = ast.Repeat | ast.Loop | ast.Window  # a block that `leave` can end
_ROUNDS: dict[str, type[ast.Node]] = {
    "repeat": ast.Repeat,
    "for": ast.Loop,
    "window": ast.Window,
}


@frozen(eq=False)
class Leaving:
    """A `leave`, and the blocks around it that it could end, outermost first."""

    step: ast.Leave
    around: tuple[Round, ...]

    @property
    def phase(self) -> str | None:
        """The phase it ends, if it ends one."""
        word = self.step.what.text
        return None if word in _ROUNDS else word

    @property
    def target(self) -> Round | None:
        """The block it ends: the innermost of its sort."""
        kind = _ROUNDS.get(self.step.what.text)
        if kind is None:
            return None
        return next((node for node in reversed(self.around) if isinstance(node, kind)), None)


def leavings(*roots: ast.Node) -> Iterator[Leaving]:
    """Every `leave` below some nodes."""
    waiting: list[tuple[ast.Node, tuple[Round, ...]]] = [(root, ()) for root in roots]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.Leave):
            yield Leaving(node, around)
        inner = (*around, node) if isinstance(node, Round) else around
        waiting.extend((child, inner) for child in children(node))


def left_by(calls: Calls) -> frozenset[str]:
    """The phases that some `leave` ends, in whatever phase it stands."""
    found = (leaving.phase for host in calls.hosts for leaving in leavings(*host.block))
    return frozenset(name for name in found if name is not None)


def check_leaving(calls: Calls) -> Report:
    """`leave` needs a block of its sort around it, or a phase that may be running."""
    report = Report()
    by_trigger = calls.reached(h for h in calls.roots if isinstance(h, ast.Whenever))
    phases = {host.name.text: host for host in calls.hosts if isinstance(host, ast.PhaseDecl)}
    for host in calls.hosts:
        for leaving in leavings(*host.block):
            word = leaving.step.what
            if leaving.phase is None:
                if leaving.target is None:
                    reason = f"no `{word.text}` is around this line"
                    report.add(NothingToLeave(reason, span=leaving.step.span))
                continue
            phase = phases.get(leaving.phase)
            if phase is None or host in by_trigger:
                continue  # told elsewhere; a trigger may interrupt any phase
            if host is not phase and host not in _run_by(phase, calls):
                reason = f"`{word.text}` is not running here: nothing in it leads here by `do`"
                report.add(NothingToLeave(reason, span=leaving.step.span))
    return report


def _run_by(phase: Host, calls: Calls) -> tuple[Host, ...]:
    """What may run while a phase waits for it."""
    return calls.reached(edge.target for edge in calls.edges[phase] if edge.waits)


def check_ways_out(calls: Calls) -> Report:
    """A `repeat` without `until` must be left somehow: by a step in it, or by what it runs."""
    report = Report()
    triggers = [host for host in calls.roots if isinstance(host, ast.Whenever)]
    if any(_breaks_off(host, frozenset()) for host in calls.reached(triggers)):
        return report  # a trigger may end any of them
    for host in calls.hosts:
        for node in walk(*host.block):
            if isinstance(node, ast.Repeat) and node.until is None and not _is_left(node, calls):
                report.add(NoWayOut(span=node.span))
    return report


def _is_left(repeat: ast.Repeat, calls: Calls) -> bool:
    for leaving in leavings(repeat):
        if leaving.phase is not None or leaving.target in (None, repeat):
            return True
    steps = tuple(walk(*repeat.block))
    if any(isinstance(step, ast.Goto | ast.EndStep | ast.EndDraw) for step in steps):
        return True
    run = {step.phase.text for step in steps if isinstance(step, ast.Do)}
    phases = [h for h in calls.hosts if isinstance(h, ast.PhaseDecl) and h.name.text in run]
    reached = calls.reached(phases)
    inside = frozenset(h.name.text for h in reached if isinstance(h, ast.PhaseDecl))
    return any(_breaks_off(host, inside) for host in reached)


def _breaks_off(host: Host, inside: frozenset[str]) -> bool:
    """Whether a block ends the game, or leaves a phase that is not among those it runs in."""
    for node in walk(*host.block):
        if isinstance(node, ast.EndStep | ast.EndDraw):
            return True
    return any(
        leaving.phase is not None and leaving.phase not in inside
        for leaving in leavings(*host.block)
    )
