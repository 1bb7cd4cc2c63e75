"""How many sequences of moves there are, by their number."""

from collections.abc import Callable
from typing import Final

from attrs import frozen

from compiler.lir.reps import Unsupported
from ruleengine.batch import MachineName, NoMachine, lowered
from ruleengine.compiled.counts import Counted, counted
from ruleengine.compiled.machine import Stopped, Unavailable
from ruleengine.errors import RuleError
from ruleengine.exploration.sums import by_number
from ruleengine.exploration.walk import Walk
from ruleengine.game import Instance

_LIMIT: Final = 10_000_000  # situations that the interpreter looks at instead


@frozen
class Counts:
    """Sequences of moves by their number, the empty one first, and what counted them.

    Moves of chance count; a sequence that ended earlier is counted where it ended.  `why` says why
    it was not what was hoped for.
    """

    by_depth: tuple[int, ...]
    played_by: MachineName
    why: str = ""

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.by_depth)


def perft(
    game: Instance,
    depth: int,
    machine: MachineName = "auto",
    progress: Callable[[int], None] | None = None,
) -> Counts:
    """Sequences of up to so many moves, one by one: none is left out because another leads to the
    same situation.

    `progress` is told how many more situations were gone through.  Raises `NoMachine` if a machine
    is asked for by name and does not go through this game.
    """
    if machine == "interpreter":
        return _walked(game, depth, "", progress)
    try:
        found = counted(lowered(game), depth, machine, progress or _untold)
    except (Unsupported, Unavailable, Stopped) as error:
        why = f"no machine goes through {game.name}: {error}"
        if machine != "auto":
            raise NoMachine(why) from error
        return _walked(game, depth, f"{why}; the interpreter does", progress)
    except RuleError:
        return Counts((1,), "interpreter", f"{game.name} breaks down before its first stop")
    return Counts(_whole(found), _NAMES[found.made.module.name], found.made.why)


_NAMES: Final[dict[str, MachineName]] = {"wasm": "wasm", "python": "python", "c": "c"}


def _whole(found: Counted) -> tuple[int, ...]:
    """Without the lengths that no sequence has."""
    last = max(at for at, count in enumerate(found.by_depth) if count)
    return found.by_depth[: last + 1]


def _walked(game: Instance, depth: int, why: str, progress: Callable[[int], None] | None) -> Counts:
    """Counted by the reference, situation by situation."""
    walk = Walk(game, _LIMIT, depth, "interpreter")
    walk.run(progress)
    if depth and not walk.net.size:
        return Counts((1,), "interpreter", f"{game.name} breaks down before its first stop")
    return Counts(by_number(walk.net, depth), "interpreter", why)


def _untold(_: int) -> None:
    """Nobody wants to know."""
