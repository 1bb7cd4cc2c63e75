"""Where fields go: widest first, locals of phases that never run together on one another."""

from attrs import define, field

from compiler.diagnostic import InternalError
from compiler.graph.frames import Frames, Unit
from compiler.graph.parts import Field

_LETTERS = {8: "Q", 4: "I", 2: "H", 1: "B"}


@define
class Room:
    """Fields asked for, and where they go once all are known."""

    _asked: list[tuple[str, int, int, bool, Unit | None]] = field(factory=list, init=False)

    def ask(
        self,
        name: str,
        size: int,
        count: int = 1,
        *,
        knows: bool = False,
        unit: Unit | None = None,
    ) -> int:
        """Room for `count` atoms; with `unit`, shared with units that never run along with it."""
        self._asked.append((name, size, count, knows, unit))
        return len(self._asked) - 1

    def settle(self, frames: Frames) -> tuple[tuple[Field, ...], str, int, int]:
        """The fields as asked, the format of all atoms, and the sizes of the core and of all."""
        placed: list[Field | None] = [None] * len(self._asked)
        letters = "<"
        offset = start = core = 0
        for knows in (False, True):
            for size in _LETTERS:
                count = self._region(placed, frames, size, knows, (offset, start))
                letters += f"{count}{_LETTERS[size]}" if count else ""
                offset += count * size
                start += count
            padding = -offset % 8
            letters += f"{padding}x" if padding else ""
            offset += padding
            core = core if knows else offset
        fields = tuple(entry for entry in placed if entry is not None)
        if len(fields) != len(placed):
            raise InternalError("a field has no room")
        return fields, letters, core, offset

    def _region(
        self,
        placed: list[Field | None],
        frames: Frames,
        size: int,
        knows: bool,
        begin: tuple[int, int],
    ) -> int:
        """Places the fields of one size; the number of atoms they take together."""
        offset, start = begin
        used = 0
        wanted: dict[Unit, list[int]] = {}
        for index, (name, wide, count, tail, unit) in enumerate(self._asked):
            if (wide, tail) != (size, knows):
                continue
            if unit is not None:
                wanted.setdefault(unit, []).append(index)
                continue
            placed[index] = Field(name, size, count, offset + used * size, start + used)
            used += count
        base = used
        for unit, first in self._overlay(frames, wanted).items():
            at = base + first
            for index in wanted[unit]:
                name, _, count, _, _ = self._asked[index]
                placed[index] = Field(name, size, count, offset + at * size, start + at)
                at += count
            used = max(used, at)
        return used

    def _overlay(self, frames: Frames, wanted: dict[Unit, list[int]]) -> dict[Unit, int]:
        """The first atom of each unit: the lowest where no unit it meets has one."""
        first: dict[Unit, int] = {}
        size = {unit: sum(self._asked[i][2] for i in indices) for unit, indices in wanted.items()}
        for unit in wanted:
            met = sorted(
                (first[other], first[other] + size[other])
                for other in first
                if frames.together(unit, other)
            )
            at = 0
            for begin, end in met:
                if begin < at + size[unit] and at < end:
                    at = end
            first[unit] = at
        return first
