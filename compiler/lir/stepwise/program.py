"""The program of a game, node by node: many random games at once, or one step at a time."""

from typing import Final

from attrs import frozen

from compiler.analysis.liveness import Liveness
from compiler.graph.core import Graph
from compiler.graph.layout import Layout
from compiler.lir.build import add, choice, compare, equal, num, sub
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Block,
    Break,
    Call,
    Function,
    If,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Program,
    Return,
    Set,
    Store,
    Switch,
)
from compiler.lir.random import FUNCTIONS
from compiler.lir.stepwise.asking import Asking
from compiler.lir.stepwise.chaining import Kept, chained
from compiler.lir.stepwise.code import WIDTH, put_word, times, word
from compiler.lir.stepwise.drawing import Drawing
from compiler.lir.stepwise.ending import EndSteps, Outcome
from compiler.lir.stepwise.knowing import Knowing
from compiler.lir.stepwise.laws import Laws
from compiler.lir.stepwise.lists import ARENA, Arena
from compiler.lir.stepwise.plan import HEADER, Plan, plan_of, small_values
from compiler.lir.stepwise.pools import RUN, Pools, below
from compiler.lir.stepwise.steps import Steps
from compiler.lir.stepwise.storing import Storing
from compiler.lir.stepwise.terms import Terms
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.watching import Watching
from compiler.lir.streams import Streams
from compiler.lir.telling import ROWS, Addresses, Games, Told, row_bytes, seeding

_GAME_LOW, _GAME_HIGH = Local("game_low", WORD), Local("game_high", WORD)
_LEFT, _ROWS, _LIMIT = Local("left"), Local("rows"), Local("limit")
_NODE, _NODES, _WINNERS = Local("node"), Local("nodes"), Local("winners")
_COPIED: Final = Local("copied")
_BEHIND, _DRAWN, _DRAWS = Local("behind"), Local("drawn"), Local("draws")
_EIGHT: Final = 8


@frozen(eq=False)
class Stepwise:
    """A program, and where the table is that its games begin with.

    The host writes the table of a stop to `plan.image`; every game goes on from there.
    """

    games: Games
    plan: Plan
    openings: "Openings"


@frozen(eq=False)
class Openings:
    """Where tables are that games begin with behind their first draw, if the host writes some.

    At `count` is how many results the draw has, each as likely; or 0: then games begin at
    `plan.image`.  Each table takes `stride` bytes, and `steps` says how many steps lie before each.
    """

    count: int
    tables: int
    stride: int
    steps: int

    @classmethod
    def of(cls, plan: Plan, most: int) -> "Openings":
        """Room for so many."""
        count, steps = plan.memory.words(1), plan.memory.words(max(1, most))
        stride = _EIGHT * _eights(plan)
        return cls(count, plan.memory.eights(most * _eights(plan)), stride, steps)


@frozen(eq=False)
class Parts:
    """What a program is made of."""

    plan: Plan
    terms: Terms
    steps: Steps
    outcome: Outcome
    decisions: int
    draws: int
    spare: int  # where it is kept how many steps more may be taken at once
    top: int  # where lists are made next
    functions: tuple[Function, ...]


def stepwise(
    graph: Graph,
    alive: Liveness,
    *,
    lawful: bool = False,
    openings: int = 0,
    known: Layout | None = None,
) -> Stepwise:
    """The program of a graph; `Unsupported` if one cannot be made.

    `lawful`: it stops where an invariant is broken.  It has room for so many `openings`.  With a
    layout in `known` it keeps what everybody knows.
    """
    parts = parts_of(graph, alive, lawful, known)
    plan, memory = parts.plan, parts.plan.memory
    opened = Openings.of(plan, openings)
    rows = memory.words(ROWS * row_bytes(graph.seats) // WIDTH)
    kept = Kept(parts.spare, plan.node, frozenset((parts.top, parts.terms.tokens.references.stamp)))
    functions = (
        _playouts(parts, rows, opened),
        begin(parts),
        step(parts),
        seeding(RUN),
        *chained(parts.functions, kept),
        *FUNCTIONS,
    )
    program = Program(graph.name, functions, tuple(memory.data), -(-memory.end // 8) * 8)
    where = Addresses(HEADER, rows, row_bytes(graph.seats), program.memory)
    games = Games(
        program,
        where,
        graph.seats,
        parts.steps.ending.scored,
        len(graph.nodes),
        parts.steps.ending.low,
    )
    return Stepwise(games, plan, opened)


def parts_of(graph: Graph, alive: Liveness, lawful: bool, known: Layout | None = None) -> Parts:
    """The parts of the program of a graph; `Unsupported` if one cannot be made."""
    if known is not None and not (known.sights or known.facts):
        known = None  # nobody ever knows what he does not see
    plan = plan_of(graph, alive, known)
    memory = plan.memory
    decisions, draws = memory.words(1), memory.words(1)
    outcome = Outcome(*(memory.words(many) for many in (1, 1, graph.seats, 1)))
    top, spare, empty = memory.words(1), memory.words(1), memory.constant((0,))
    marks = memory.words(small_values(plan))
    arena = Arena(top, memory.words(ARENA // WIDTH), empty, marks)
    tokens = Tokens(plan)
    terms = Terms(plan, tokens, arena)
    careful = Terms(plan, tokens, arena, memory.words(1), "law_")
    laws = Laws(plan, careful, lawful)
    ending = EndSteps(plan, terms, outcome)
    storing = Storing(plan, tokens)
    watching = Watching(plan, terms, tokens)
    asking = Asking(plan, terms, tokens, storing, decisions)
    knowing = None if known is None else Knowing(plan, terms, tokens, watching)
    drawing = Drawing(plan, terms, tokens, storing, watching, knowing, draws)
    pools = Pools(plan, tokens, draws)
    steps = Steps(
        plan, terms, tokens, storing, watching, asking, drawing, laws, ending, knowing, spare
    )
    made = (
        *steps.functions(),
        *asking.functions(),
        *watching.functions(),
        *pools.functions(),
        *tokens.functions,
        *arena.functions(),
        *laws.functions(),
        *(() if knowing is None else knowing.functions()),
    )
    functions = (*made, *terms.made.values(), *careful.made.values())
    return Parts(plan, terms, steps, outcome, decisions, draws, spare, top, functions)


def _eights(plan: Plan) -> int:
    """How many times eight bytes a table takes."""
    return -(-(plan.table_end - HEADER) // _EIGHT)


def _copied(plan: Plan) -> Block:
    """The table as a game begins with it, so many bytes behind the image."""
    at = Binary(Op.MUL, _COPIED, num(_EIGHT))
    body: Block = (
        If(compare(Op.GE, _COPIED, num(_eights(plan))), (Break("copy"),)),
        Store(_EIGHT, HEADER, at, Load(_EIGHT, plan.image, add(at, _BEHIND), MASK)),
        Set(_COPIED, add(_COPIED, num(1))),
    )
    return (Set(_COPIED, num(0)), Loop("copy", body))


def _opened(plan: Plan, openings: Openings) -> Block:
    """The first draw, which says with which table a game begins."""
    behind = add(times(_DRAWN, openings.stride), num(openings.tables - plan.image))
    first: Block = (
        Set(_DRAWN, below(0, word(openings.count))),
        Set(_BEHIND, behind),
        Set(_NODES, word(openings.steps, _DRAWN)),
        Set(_DRAWS, num(1)),
    )
    return (If(word(openings.count), first),)


def _fresh(parts: Parts, openings: Openings | None = None) -> Block:
    """A game about to begin: its streams, its table, nothing counted but its opening."""
    streams = Streams(RUN)
    streams.used.update(dict.fromkeys(range(1 + parts.plan.graph.seats)))
    return (
        *streams.start(_GAME_LOW, _GAME_HIGH),
        *(Set(local, num(0)) for local in (_BEHIND, _NODES, _DRAWS)),
        *(() if openings is None else _opened(parts.plan, openings)),
        *_copied(parts.plan),
        put_word(parts.spare, 0),
        put_word(parts.decisions, 0),
        put_word(parts.draws, _DRAWS),
        Set(_NODE, word(parts.plan.node)),
    )


def begin(parts: Parts) -> Function:
    """Begins a game that is played step by step."""
    return Function("begin", (_GAME_LOW, _GAME_HIGH), None, _fresh(parts), exported=True)


def step(parts: Parts) -> Function:
    """Does the step of the node that the table stands at; -1 when the game is over."""
    body = (
        Set(_NODE, word(parts.plan.node)),
        _dispatch(parts),
        If(compare(Op.GE, _NODE, num(0)), (put_word(parts.plan.node, _NODE),)),
        Return(_NODE),
    )
    return Function("step", (), INT, body, exported=True)


def _dispatch(parts: Parts) -> Switch:
    nodes = parts.plan.graph.nodes
    cases = tuple((Set(_NODE, Call(f"n{node.id}", ())),) for node in nodes)
    return Switch(_NODE, cases[:-1], cases[-1])


def _playouts(parts: Parts, rows: int, openings: Openings) -> Function:
    """The loop in which whole games are played."""
    plan = parts.plan
    seats = plan.graph.seats
    over = compare(Op.GT, _NODES, _LIMIT)
    run = Loop(
        "run",
        (
            If(over, (Break("run"),)),
            Set(_NODES, add(_NODES, num(1))),
            put_word(parts.spare, sub(_LIMIT, _NODES)),
            _dispatch(parts),
            Set(_NODES, sub(_LIMIT, word(parts.spare))),
            If(compare(Op.LT, _NODE, num(0)), (Break("run"),)),
        ),
    )
    scores = (
        tuple(word(parts.outcome.scores, seat) for seat in range(seats))
        if parts.steps.ending.scored
        else ()
    )
    told = Told(
        _WINNERS,
        word(parts.outcome.draw),
        word(parts.decisions),
        word(parts.draws),
        _NODES,
        scores,
        parts.steps.ending.low,
        word(parts.outcome.unscored) if parts.steps.ending.mixed else num(0),
    )
    game: Block = (
        If(equal(_LEFT, num(0)), (Return(),)),
        *_fresh(parts, openings),
        run,
        Set(_WINNERS, choice(over, num(-1), word(parts.outcome.winners))),
        *told.told(seats, rows, _ROWS),
        Set(_LEFT, sub(_LEFT, num(1))),
        Set(_GAME_LOW, Binary(Op.ADD, _GAME_LOW, Number(1, WORD))),
        If(
            Binary(Op.EQ, _GAME_LOW, Number(0, WORD)),
            (Set(_GAME_HIGH, Binary(Op.ADD, _GAME_HIGH, Number(1, WORD))),),
        ),
    )
    params = (_GAME_LOW, _GAME_HIGH, _LEFT, _ROWS, _LIMIT)
    return Function("playouts", params, None, (Loop("games", game),), exported=True)
