"""What a drawing shows, before anybody decides how it looks: boxes, arrows and frames as values.

A chart is made from a graph and read by every form of output.  It keeps for each box the graph
nodes it stands for, and for each arrow the ways of the graph it goes along, so that coverage, a
play or a difference can be laid over it, and so that a lost way can be counted.
"""

from enum import Enum
from typing import Final

from attrs import field, frozen

from compiler.graph.core import Clauses
from compiler.source import Span

PAGE_SIGN: Final = "-"
"""What stands between a phase and the number of one of its pages: no phase has it in its name."""


class Kind(Enum):
    """What a box is; it decides shape and colour."""

    START = "start"  # a phase begins
    TRIGGER = "trigger"  # so does the block of a `whenever`
    STEP = "step"  # automatic work
    QUESTION = "question"  # a test
    DECISION = "decision"  # one player picks
    JOINT = "joint"  # several pick, sealed
    WINDOW = "window"  # a decision that players pass to and fro
    CHANCE = "chance"  # dice, a shuffle, a random pick
    CALL = "call"  # another phase runs, then this one goes on
    EXIT = "exit"  # this phase is left for another one
    ENTRY = "entry"  # where one phase is drawn: another one leads here
    RETURN = "return"  # back to where the phase was called
    END = "end"  # the game is over


class EdgeKind(Enum):
    """How an arrow leaves its box."""

    FLOW = "flow"  # nothing to decide
    ANSWER = "answer"  # a test came out so
    OPTION = "option"  # a player picked so
    SHUT = "shut"  # an option that this configuration never opens


class Level(Enum):
    """How much a chart tells."""

    OVERVIEW = "overview"  # phases, and how one leads to the next
    STEPS = "steps"  # named steps, decisions, tests, chance
    FULL = "full"  # every node of the graph


@frozen
class Way:
    """One way on from a graph node: the position in `Node.next`; 0 for the way of a jump."""

    node: int
    position: int


@frozen
class ChartNode:
    """One box.

    `id` is the phase and a slug of the title (`turn.keep_or_pass`) or the box's number in its
    phase (`turn.3`).  `nodes` are the graph nodes it stands for, the one where it is entered first.
    `target` is the phase that a call runs or an exit goes to, or the page of a phase (`turn-2`).
    `cluster` is the innermost frame.
    """

    id: str
    phase: str
    kind: Kind
    label: str
    actor: str = ""  # who decides
    sub: str = ""  # a small second line
    clauses: Clauses = ()
    span: Span | None = field(default=None, repr=False)
    hidden: bool = False  # somebody learns, or something goes where not everybody sees
    nodes: tuple[int, ...] = ()
    target: str | None = None
    cluster: str = ""

    @property
    def is_connector(self) -> bool:
        """Whether it stands for a box on another page of the same phase."""
        return self.target is not None and PAGE_SIGN in self.target


@frozen
class ChartEdge:
    """One arrow between boxes, by their ids; `ways` are those of the graph that it goes along."""

    source: str
    target: str
    kind: EdgeKind = EdgeKind.FLOW
    label: str = ""
    sub: str = ""  # what the phase that begins there is given
    clauses: Clauses = ()
    ways: tuple[Way, ...] = ()


@frozen
class Cluster:
    """A frame: a phase, or inside it a named step that holds several boxes.

    `parent` is the id of the frame around it, `None` for a phase that is not run inside another.
    `note` is a remark on all of it.
    """

    id: str
    title: str
    parent: str | None = None
    clauses: Clauses = ()
    span: Span | None = field(default=None, repr=False)
    note: str = ""

    @property
    def is_phase(self) -> bool:
        """Whether it is a phase, and no named step of one."""
        return "/" not in self.id


@frozen
class Meaning:
    """What a word or question on a chart means; `phase` is the first that uses it."""

    word: str
    means: str
    phase: str
    clauses: Clauses = ()


@frozen
class Chart:
    """A drawing as a value; every order in it is that of the rules, so that it is stable.

    `title` names the game, `subtitle` the part and the configuration.  `notes` are lines for the
    foot of the page.  `phase` is the one that is drawn, `None` for the whole game.  `meanings` are
    told where a page has room for them.  `page` is its name if it is one of several of a phase.
    """

    title: str
    subtitle: str
    nodes: tuple[ChartNode, ...]
    edges: tuple[ChartEdge, ...]
    clusters: tuple[Cluster, ...]
    notes: tuple[str, ...] = ()
    level: Level = Level.STEPS
    phase: str | None = None
    meanings: tuple[Meaning, ...] = ()
    page: str = ""

    def node(self, id_: str) -> ChartNode:
        """The box with that id; `KeyError` if there is none."""
        for node in self.nodes:
            if node.id == id_:
                return node
        raise KeyError(id_)

    def edge_ids(self) -> tuple[str, ...]:
        """A name for each arrow: the id of its box, and its number there."""
        counts: dict[str, int] = {}
        found: list[str] = []
        for edge in self.edges:
            counts[edge.source] = counts.get(edge.source, 0) + 1
            found.append(f"{edge.source}-{counts[edge.source]}")
        return tuple(found)
