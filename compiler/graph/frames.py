"""Which phases can run inside which: how deep the stack gets, and whose locals need room together.

Calls put a frame on the stack, jumps replace one.  Calls never come back to a phase that runs
already; a chain of jumps may.
"""

from attrs import frozen

from compiler.diagnostic import InternalError
from compiler.graph.core import Call, Flow, Graph, Jump


@frozen
class Unit:
    """A phase as it runs by itself, or inside a trigger, where its locals are others."""

    phase: str
    in_trigger: bool


@frozen
class Frames:
    """The calls and jumps of a graph, by name of phase, each in the order of the nodes."""

    phases: tuple[str, ...]
    calls: dict[str, tuple[str, ...]]
    jumps: dict[str, tuple[str, ...]]
    triggers: tuple[str, ...]

    @classmethod
    def of(cls, graph: Graph) -> "Frames":
        """Read off the nodes."""
        calls: dict[str, dict[str, None]] = {phase.name: {} for phase in graph.phases}
        jumps: dict[str, dict[str, None]] = {phase.name: {} for phase in graph.phases}
        for node in graph.nodes:
            match node.step:
                case Flow(Call(name)):
                    calls[node.phase][name] = None
                case Flow(Jump(name)):
                    jumps[node.phase][name] = None
                case _:
                    pass
        return cls(
            tuple(calls),
            {name: tuple(called) for name, called in calls.items()},
            {name: tuple(following) for name, following in jumps.items()},
            tuple(trigger.phase for trigger in graph.triggers),
        )

    def reach(self, *starts: str) -> tuple[str, ...]:
        """The phases that run once these begin, until they return; these included."""
        found: dict[str, None] = {}
        waiting = list(reversed(starts))
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = None
                waiting += reversed(self.calls[name] + self.jumps[name])
        return tuple(found)

    @property
    def banked(self) -> tuple[str, ...]:
        """The phases that can run both by themselves and inside a trigger."""
        inside = self.reach(*self.triggers)
        return tuple(n for n in self.phases if n in inside and n not in self.triggers)

    def depth(self) -> int:
        """The most entries the stack can have: open calls, and one for a trigger that runs."""
        by_itself = max((self._depth(name, {}, ()) for name in self.phases), default=0)
        inside = max((self._depth(name, {}, ()) for name in self.triggers), default=-1)
        return by_itself + 1 + inside

    def _depth(self, name: str, known: dict[str, int], calling: tuple[str, ...]) -> int:
        """Open calls above a phase; jumps from it count, being in the same frame."""
        if name in calling:
            raise InternalError(f"phase {name} calls itself through {', '.join(calling)}")
        if name not in known:
            line = self._jumped(name)
            below = [
                1 + self._depth(called, known, (*calling, *line))
                for phase in line
                for called in self.calls[phase]
            ]
            known[name] = max(below, default=0)
        return known[name]

    def _jumped(self, name: str) -> tuple[str, ...]:
        """A phase and all that can replace it by jumps."""
        found: dict[str, None] = {name: None}
        waiting = [name]
        while waiting:
            for following in self.jumps[waiting.pop()]:
                if following not in found:
                    found[following] = None
                    waiting.append(following)
        return tuple(found)

    def units(self) -> tuple[Unit, ...]:
        """Every phase by itself, triggers' blocks apart, then all that run inside triggers."""
        inside = self.reach(*self.triggers)
        return (
            *(Unit(name, False) for name in self.phases if name not in self.triggers),
            *(Unit(name, True) for name in self.phases if name in inside),
        )

    def together(self, unit: Unit, other: Unit) -> bool:
        """Whether locals of both can matter at one time.

        They do if one runs while the other waits for a call to return, or where one jumps to the
        other, whose parameters are set before the jump.
        """
        if unit == other or unit.in_trigger != other.in_trigger:
            return True
        return self._above(unit.phase, other.phase) or self._above(other.phase, unit.phase)

    def _above(self, lower: str, upper: str) -> bool:
        return upper in self.jumps[lower] or upper in self.reach(*self.calls[lower])
