"""What effects touch, and therefore which two may change places.

What is touched are slots of variables and places, as masks: what is read and what is written.
A call counts as one effect if nothing in the phase waits for anybody.  Two effects may change
places if neither writes what the other touches; but what two of them put into a place without order
may come there one after the other or the other way round.
"""

from collections.abc import Iterable

from attrs import define, field, frozen

from compiler.analysis.liveness import Liveness, Slots, liveness
from compiler.graph.core import (
    AllTokens,
    Assign,
    Branch,
    Call,
    Chance,
    Contents,
    FaceUp,
    FlagOf,
    Flow,
    Graph,
    HolderOf,
    Move,
    Node,
    Pick,
    PlaceOfToken,
    PositionOf,
    Read,
    Return,
    Roll,
    Shape,
    Shuffle,
    Term,
    Variable,
)
from compiler.graph.walk import terms_of, whole, written_slots
from compiler.graph.where import Where
from compiler.graph.whereabouts import Whereabouts
from compiler.types import Token, present


@frozen
class Touched:
    """Masks of slots and places; `added` are places without order that it only puts into."""

    reads: int = 0
    writes: int = 0
    looks: int = 0
    changes: int = 0
    added: int = 0
    draws: bool = False  # from chance, whose order stays

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(
            self.reads | other.reads,
            self.writes | other.writes,
            self.looks | other.looks,
            self.changes | other.changes,
            self.added | other.added,
            self.draws or other.draws,
        )

    def apart(self, other: "Touched") -> bool:
        """Whether the order of both makes no difference."""
        slots = self.writes & (other.reads | other.writes) | other.writes & self.reads
        theirs = other.changes | other.added
        places = self.changes & (other.looks | theirs) | self.added & (other.looks | other.changes)
        places |= theirs & self.looks
        return not slots and not places and not (self.draws and other.draws)


@define(eq=False)
class Effects:
    """What the steps of a graph touch; what an invariant asks for is asked at any time.

    Where nothing was `found` of the whole graph, a step is judged by itself: what it moves may lie
    wherever its words allow, and the game's variables may be read at any time.
    """

    graph: Graph
    found: Whereabouts | None
    slots: Slots = field(init=False)
    live: Liveness = field(init=False)
    _where: Where = field(init=False)
    _loud: Touched = field(init=False)  # what triggers ask for
    _nodes: dict[int, Touched | None] = field(factory=dict, init=False)
    _phases: dict[str, Touched | None] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        facts = [fact for invariant in self.graph.invariants for fact in invariant.facts]
        self.live = liveness(self.graph, [fact.term for fact in facts])
        self.slots = self.live.slots
        self._where = Where(self.graph, {} if self.found is None else self.found.held)
        self._loud = self._asked(trigger.condition for trigger in self.graph.triggers)

    def touched(self, node: Node) -> Touched | None:
        """What a step touches, if it may change places with others at all."""
        if node.id not in self._nodes:
            found = self._touched(node)
            if found is not None and not found.apart(self._loud):
                found = None  # a trigger may fire right after it
            self._nodes[node.id] = found
        return self._nodes[node.id]

    def asks(self, term: Term) -> Touched:
        """What a term depends on."""
        return self._asked((term,))

    def _touched(self, node: Node) -> Touched | None:
        match node.step:
            case Flow(Call(phase)):
                return self._called(phase)
            case Assign() | Move() | Chance(Shuffle() | Roll() | Pick()):
                return self._own(node)
            case _:
                return None

    def _own(self, node: Node) -> Touched:
        step = node.step
        asked = self._asked(terms_of(step))
        writes = 0
        for variable, args in written_slots(step):
            member = self.slots.member(variable, args)
            writes |= self.slots.mask(variable) if member is None else member
        changes, added = 0, 0
        match step:
            case Assign(target, (tokens,)) if not isinstance(target, Variable):
                changes = asked.looks | self._where.tokens(tokens)
            case Chance(Shuffle(place)):
                changes = self._where.places(place)
            case _:
                pass
        if isinstance(step, Move):
            source, goal = self.ends(node.id, step)
            added = goal & self._sets() & ~source
            changes |= source | goal & ~added
        drawn = isinstance(step, Chance)
        return asked | Touched(writes=writes, changes=changes, added=added, draws=drawn)

    def ends(self, node: int, step: Move) -> tuple[int, int]:
        """The places that a move can lead from, and to."""
        path = None if self.found is None else self.found.paths.get(node)
        if path is not None:
            return path.source, path.target
        return self._where.tokens(step.tokens), self._where.places(step.place)

    def unread(self, node: int, mask: int) -> bool:
        """Whether none of these slots is read from a node on, before it is given a value."""
        live = self.live.at[node]
        if self.found is None:
            game = (*self.graph.variables, self.graph.players, self.graph.ended)
            live |= sum(self.slots.mask(variable) for variable in game)
        return not live & mask

    def _sets(self) -> int:
        return sum(1 << one.index for one in self.graph.places if one.shape is Shape.SET)

    def _called(self, phase: str) -> Touched | None:
        """What a phase touches that waits for nobody; parameters and locals included."""
        if phase not in self._phases:
            self._phases[phase] = None
            self._phases[phase] = self._inside(phase)
        return self._phases[phase]

    def _inside(self, phase: str) -> Touched | None:
        found = Touched()
        waiting = [self.graph.phase(phase).entry]
        seen = set(waiting)
        while waiting:
            node = self.graph.nodes[waiting.pop()]
            match node.step:
                case Flow(Return()):
                    continue
                case Flow(Call()):
                    own = self._touched(node)
                case Branch(test):
                    own = self._asked((test,))
                case Assign() | Move() | Chance(Shuffle() | Roll() | Pick()):
                    own = self._own(node)
                case _:
                    own = None
            if own is None or not own.apart(self._loud):
                return None
            found |= own
            waiting += [one for one in node.next if one not in seen]
            seen.update(node.next)
        return found

    def _asked(self, terms: Iterable[Term]) -> Touched:
        asked = tuple(terms)
        looks = 0
        for term in whole(*asked):
            if isinstance(term, Read):
                looks |= self._looked(term)
        return Touched(reads=self.slots.read(*asked), looks=looks)

    def _looked(self, term: Read) -> int:
        """The places whose tokens a term asks for."""
        match term.source:
            case Contents():
                return self._where.places(term.args[0])
            case AllTokens(token_class):
                return self._where.of_class(token_class)
            case PlaceOfToken() | PositionOf() | HolderOf() | FaceUp() | FlagOf():
                subject = term.args[0]
                is_token = isinstance(present(subject.type), Token)
                return self._where.tokens(subject) if is_token else 0
            case _:
                return 0
