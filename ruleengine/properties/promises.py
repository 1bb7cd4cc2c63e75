"""The claims of a spec while it is played: `always`, `never`, `possible`, `surely`.

`always` and `never` speak of every stop.  `possible` asks for a play that comes to a stop where the
term is true; `surely` says that every play does, sooner or later, whatever is chosen at random.
A claim `before` or `after` a phase speaks of the moments when that begins or has ended instead.
"""

from collections.abc import Iterator

from attrs import define, field

from compiler.graph.core import Call, Claim, Flow, Graph, Jump, Leave, Node, Return
from ruleengine.closures import Closure
from ruleengine.errors import Unresolved
from ruleengine.game import Instance
from ruleengine.properties.laws import Broken, Law
from ruleengine.stops import Stop, Terminal
from ruleengine.table import Table

HOLD: dict[str, bool] = {"always": True, "never": False}
"""The claims that one stop can break, and what their term must be."""


def sought(graph: Graph) -> tuple[Claim, ...]:
    """The claims that are about some play: `possible` and `surely`."""
    return tuple(claim for claim in graph.claims if claim.mode not in HOLD)


@define(eq=False)
class Promises:
    """The claims of one game, and which of those that are sought the play at hand has met.

    `met` has after how many moves; a play begins with `begin`.  Where `plays` are looked at, one
    that ends must have met what is sure; of single situations it is not known what came before.
    """

    claims: tuple[tuple[Claim, Closure], ...]
    plays: bool
    met: dict[Claim, int] = field(factory=dict)
    _moves: int = -1
    _been: dict[Claim, set[bool]] = field(factory=dict)  # of phases, since the last stop

    @classmethod
    def of(cls, game: Instance, *, plays: bool = True) -> "Promises":
        """Those of a game."""
        terms = game.interpreter.terms
        claims = tuple((claim, terms.closed(claim.term)) for claim in game.graph.claims)
        promises = cls(claims, plays)
        for claim, term in claims:
            for node in _moments(game.graph, claim):
                promises._watch(game, claim, term, node)
        return promises

    def _watch(self, game: Instance, claim: Claim, term: Closure, node: Node) -> None:
        """Asks a claim whenever a step begins or ends its phase."""

        def look(table: Table) -> None:
            self._been.setdefault(claim, set()).update(_asked(term, table))

        game.interpreter.watch(node.id, look)

    def begin(self) -> None:
        """A play begins, or a single move of one."""
        self.met.clear()
        self._been.clear()
        self._moves = -1

    def look(self, table: Table, stop: Stop) -> None:
        """Looks at a stop; raises `Broken`."""
        self.ask(table)
        if self.plays and isinstance(stop, Terminal):
            for claim, _ in self.claims:
                if claim.mode == "surely" and claim not in self.met:
                    raise broken_claim(claim, "the game ends without it")

    def ask(self, table: Table) -> None:
        """Asks all claims of one situation; raises `Broken`."""
        self._moves += 1
        been, self._been = self._been, {}
        for claim, term in self.claims:
            found = been.get(claim, set()) if claim.phase is not None else _asked(term, table)
            wanted = HOLD.get(claim.mode)
            if wanted is None:
                if True in found:
                    self.met.setdefault(claim, self._moves)
            elif (not wanted) in found:
                raise broken_claim(claim, f"{_when(claim)} it is {_TRUTH[not wanted]}")


_TRUTH = {True: "true", False: "false"}


def _asked(term: Closure, table: Table) -> set[bool]:
    """Whether a claim is true of a table; nothing if it depends on what nobody knows yet."""
    try:
        return {bool(term(table))}
    except Unresolved:
        return set()


def _when(claim: Claim) -> str:
    if claim.phase is None:
        return "here"
    return f"when `{claim.phase}` {'begins' if claim.before else 'has ended'}"


def _moments(graph: Graph, claim: Claim) -> Iterator[Node]:
    """The steps behind which the phase of a claim begins, or has ended.

    It begins where it is run or gone on as; it ends with its last step, where it goes on as another
    one, and where it or what runs it is left.
    """
    for node in graph.nodes if claim.phase is not None else ():
        inside = node.phase == claim.phase
        match node.step:
            case Flow(Call(name)) if claim.before and name == claim.phase:
                yield node
            case Flow(Jump(name)) if name == claim.phase if claim.before else inside:
                yield node
            case Flow(Return()) if inside and not claim.before:
                yield node
            case Flow(Leave(name)) if not claim.before and (inside or name == claim.phase):
                yield node
            case _:
                pass


def broken_claim(claim: Claim, message: str) -> Broken:
    """A claim that does not hold."""
    return Broken(Law.CLAIM, claim.title, message, claim.clauses, claim.span)
