"""The claims of a spec while it is played: `always`, `never`, `possible`, `surely`.

`always` and `never` speak of every stop.  `possible` asks for a play that comes to a stop where the
term is true; `surely` says that every play does, sooner or later, whatever is chosen at random.
"""

from attrs import define, field

from compiler.graph.core import Claim, Graph
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

    @classmethod
    def of(cls, game: Instance, *, plays: bool = True) -> "Promises":
        """Those of a game."""
        terms = game.interpreter.terms
        return cls(tuple((claim, terms.closed(claim.term)) for claim in game.graph.claims), plays)

    def begin(self) -> None:
        """A play begins."""
        self.met.clear()
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
        for claim, term in self.claims:
            try:
                holds = bool(term(table))
            except Unresolved:
                continue  # it depends on what nobody knows yet
            wanted = HOLD.get(claim.mode)
            if wanted is None:
                if holds:
                    self.met.setdefault(claim, self._moves)
            elif holds is not wanted:
                raise broken_claim(claim, _SAID[claim.mode])


_SAID = {"always": "here it is false", "never": "here it is true"}


def broken_claim(claim: Claim, message: str) -> Broken:
    """A claim that does not hold."""
    return Broken(Law.CLAIM, claim.title, message, claim.clauses, claim.span)
