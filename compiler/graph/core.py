"""The phase/action graph: six steps, six terms, and the tables they refer to.  Knows no syntax.

A `Graph` is one game for one configuration: constants are folded, names are gone, sugar is gone.
Every back end reads this file and nothing above it.  Terms and steps are values: compared by
content, their spans and types left out.

Running is: from a node, advance through automatic nodes (`Assign`, `Move`, `Branch`, `Flow`) to a
stop (`Choose`, `Chance` with more than one outcome, the end).  All of it is one file, since every
back end has to know all of it.  `Node.next` holds node ids:

| step | `next` |
| --- | --- |
| `Assign`, `Move`, `Chance` | (then,) |
| `Branch` | (if true, if false) |
| `Choose` | one per option, then the decline if `optional`, then `otherwise` if `has_otherwise` |
| `Flow` `Call` | (after the return,); the callee begins at `Phase.entry` |
| `Flow` `Jump` | () the phase is replaced: its frame is left, the return address stays |
| `Flow` `Return`, `Leave`, `End` | () |
"""

from enum import Enum as PyEnum
from functools import cached_property
from typing import TypeAlias

from attrs import evolve, field, frozen

from compiler.ops.row import Op
from compiler.shown import Shown
from compiler.source import Span
from compiler.types import NOTHING, Type

Value: TypeAlias = int | tuple["Value", ...] | None
"""A number, ordinal, seat, place index or token; `none`; a list or set.  bool is an int."""

Clauses: TypeAlias = tuple[str, ...]
"""Clause ids as cited, without `@`."""


# ---- terms


@frozen(repr=False)
class _Term(Shown):
    type: Type = field(kw_only=True, eq=False, repr=False, default=NOTHING)
    span: Span | None = field(kw_only=True, eq=False, repr=False, default=None)


@frozen(repr=False)
class Const(_Term):
    """A value known before play."""

    value: Value


@frozen(repr=False)
class Bound(_Term):
    """A name bound inside a term: a fold's element, a function's parameter, an option's slot.

    `index` is the position in the environment of the enclosing function or node.
    """

    name: str = field(eq=False)
    index: int


@frozen(repr=False)
class Read(_Term):
    """What a source holds now.  Anything read of `none` is `none`."""

    source: "Source"
    args: tuple["Term", ...] = ()


@frozen(repr=False)
class Apply(_Term):
    """A strict, total operator, or a function of the spec, applied to arguments."""

    op: "Op | Function"
    args: tuple["Term", ...]


@frozen(repr=False)
class Cond(_Term):
    """`if test then a else b`; also `and`, `or`: only the branch taken is evaluated."""

    test: "Term"
    then: "Term"
    otherwise: "Term"


class FoldMode(PyEnum):
    """What a fold makes of its domain."""

    SOME = "some"  # bool: `body` holds for some element that passes `where`
    EVERY = "every"  # bool: for every such element
    FILTER = "filter"  # the elements that pass `where`, in order
    MAP = "map"  # the list of `body` for them, in order, duplicates kept


@frozen(repr=False)
class Fold(_Term):
    """A quantifier, filter or map over a finite domain."""

    mode: FoldMode
    bound: Bound
    domain: "Domain"
    where: "Term | None" = None
    body: "Term | None" = None


Term: TypeAlias = Const | Bound | Read | Apply | Cond | Fold


class DomainMode(PyEnum):
    """What is ranged over, given a list or set S of members."""

    MEMBERS = "members"  # each x of S
    SUBSETS = "subsets"  # each set of `low..high` members, by size, then in the order of S
    ORDERS = "orders"  # each permutation of S, in lexicographic order of positions


@frozen(repr=False)
class Domain(Shown):
    """A finite domain; `low`, `high` bound the size of subsets (`high` is `None`: all of S)."""

    mode: DomainMode
    members: Term
    low: Term | None = None
    high: Term | None = None


# ---- what can be read


@frozen(eq=False, repr=False)
class Variable(Shown):
    """A named slot or family of slots: a variable, die, given, local or parameter.

    A family has one slot per element of the product of `keys` (the values of its key types, in
    order, last key fastest).  `readers` has, per slot, who may read it (a term giving a list of
    seats), or `None`: everybody.  `phase` names the phase whose frame holds a local; `None` for the
    game's.  `initial` is the value before play.
    """

    name: str
    type: Type
    keys: tuple[tuple[Value, ...], ...] = ()
    key_types: tuple[Type, ...] = ()
    phase: str | None = None
    initial: Value = None
    readers: tuple[Term | None, ...] = ()
    span: Span | None = None
    clauses: Clauses = ()
    hidden_name: bool = False  # made by the compiler: not shown to people

    @property
    def size(self) -> int:
        """The number of slots."""
        total = 1
        for keys in self.keys:
            total *= len(keys)
        return total


@frozen(eq=False, repr=False)
class Die(Variable):
    """A die or family of dice: its value is the last roll, `none` before; faces equally likely."""

    faces: tuple[Value, ...] = ()


@frozen(repr=False)
class Contents(Shown):
    """The tokens of a place, or of each place in a list, in canonical order."""


@frozen(repr=False)
class AllTokens(Shown):
    """All tokens of a class (of a kind, if `kinds` is given), wherever they are, in place order."""

    token_class: str
    kinds: tuple[int, ...] | None = None


@frozen(repr=False)
class Attribute(Shown):
    """A printed attribute of a token: `name`, its position in `TokenClass.attributes`."""

    token_class: str
    name: str
    position: int


@frozen(repr=False)
class KindOf(Shown):
    """The index of a token's kind in `TokenClass.kinds`."""

    token_class: str


@frozen(repr=False)
class PlaceOfToken(Shown):
    """The place a token lies in."""


@frozen(repr=False)
class HolderOf(Shown):
    """The player a token's place, or a place, belongs to; `none` if to nobody."""


@frozen(repr=False)
class PositionOf(Shown):
    """A token's position in an ordered place, from 1 (top of a pile); `none` in a set."""


@frozen(repr=False)
class FaceUp(Shown):
    """Whether a token lies face up."""


@frozen(repr=False)
class FlagOf(Shown):
    """Whether a token carries a flag."""

    name: str


Source: TypeAlias = (
    Variable
    | Contents
    | AllTokens
    | Attribute
    | KindOf
    | PlaceOfToken
    | HolderOf
    | PositionOf
    | FaceUp
    | FlagOf
)


@frozen(repr=False)
class Case(Shown):
    """One line of a define: its value holds when `when` does; the last has no `when`."""

    when: Term | None
    value: Term
    clauses: Clauses = field(eq=False, default=())
    span: Span | None = field(eq=False, repr=False, default=None)


@frozen(eq=False, repr=False)
class Function(Shown):
    """A pure function of the spec; its parameters are `Bound` 0, 1, … of its own environment."""

    name: str
    params: tuple[Bound, ...]
    cases: tuple[Case, ...]
    type: Type
    span: Span | None = field(repr=False, default=None)
    clauses: Clauses = ()


# ---- steps


@frozen(repr=False)
class FaceTarget(Shown):
    """The face of tokens: `value` is true for up."""


@frozen(repr=False)
class FlagTarget(Shown):
    """A flag on tokens."""

    name: str


@frozen(repr=False)
class KnownTarget(Shown):
    """Who has seen tokens: `value` is the list of seats, `none` for everybody (`reveal`)."""


Target: TypeAlias = Variable | FaceTarget | FlagTarget | KnownTarget


@frozen(repr=False)
class Assign(Shown):
    """Sets a variable (`args` are its keys), or something about tokens (`args` is (tokens,))."""

    target: Target
    args: tuple[Term, ...]
    value: Term


@frozen(repr=False)
class Move(Shown):
    """Moves tokens (one, a list or a set) to a place as one block, in their order.

    `face_up` is `None` for the place's own rule; `at_bottom` for the bottom of a pile.  `count`
    is how many tokens must be there (a `top n of`), `None` if any number will do.
    """

    tokens: Term
    place: Term
    face_up: bool | None = None
    at_bottom: bool = False
    count: Term | None = None


@frozen(repr=False)
class Branch(Shown):
    """A test with two ways on."""

    test: Term


@frozen(repr=False)
class Guard(Shown):
    """A line that an option must pass: `holds` is the test with `unless` already negated."""

    holds: Term
    clauses: Clauses = field(eq=False, default=())
    span: Span | None = field(eq=False, repr=False, default=None)
    negated: bool = field(eq=False, default=False)  # written `unless`


@frozen(repr=False)
class Slot(Shown):
    """A parameter of an option: its values are the domain's members that pass `where`.

    `local` is the variable that keeps the choice; `seat_local` replaces it in a joint decision
    (a family by seat, sealed until all are in).
    """

    bound: Bound
    domain: Domain
    where: Term | None
    local: Variable
    preposition: str | None = field(eq=False, default=None)


@frozen(repr=False)
class Option(Shown):
    """One kind of answer to a decision; an answer is the option with a value for every slot.

    `name` is the word players type (`choose` for a decision without named options).
    """

    name: str
    slots: tuple[Slot, ...]
    guards: tuple[Guard, ...]
    title: str = field(eq=False, default="")
    clauses: Clauses = field(eq=False, default=())
    span: Span | None = field(eq=False, repr=False, default=None)


@frozen(repr=False)
class Choose(Shown):
    """A decision of `actor` (a seat), or a joint one of `actor` (a list of seats).

    Joint: every seat picks one option, sealed; `seat` is bound to the seat in guards and domains;
    `picked` is a family by seat holding 1 + the option's position, and every slot's local is a
    family by seat too.  When all are in, `next[0]` is taken.  `optional` adds a visible decline.
    `otherwise` is the title of what happens where nothing fits, with its clauses.
    """

    actor: Term
    options: tuple[Option, ...]
    optional: bool = False
    has_otherwise: bool = False
    joint: bool = False
    seat: Bound | None = None
    picked: Variable | None = None
    otherwise: str = ""
    otherwise_clauses: Clauses = ()


@frozen(repr=False)
class Roll(Shown):
    """Rolls dice together: each is a variable (with keys) and its equally likely faces."""

    dice: tuple[tuple[Variable, tuple[Term, ...], tuple[Value, ...]], ...]


@frozen(repr=False)
class Shuffle(Shown):
    """Shuffles a place: its order, and what was known of it, are gone."""

    place: Term


@frozen(repr=False)
class Pick(Shown):
    """Picks a value uniformly from a domain, into a variable (with keys)."""

    variable: Variable
    args: tuple[Term, ...]
    domain: Domain
    where: Term | None = None
    bound: Bound | None = None


@frozen(repr=False)
class Blind(Shown):
    """Settles which tokens an actor took who chose among cards he could not tell apart.

    Replaces each token in `variable` that looks to `actor` like others of its place by a uniformly
    random one of those; one outcome is no stop.
    """

    variable: Variable
    args: tuple[Term, ...]
    actor: Term


Distribution: TypeAlias = Roll | Shuffle | Pick | Blind


@frozen(repr=False)
class Chance(Shown):
    """Draws from a distribution with exact odds."""

    distribution: Distribution


@frozen(repr=False)
class Call(Shown):
    """Runs a phase, then goes on; the parameters have been assigned before."""

    phase: str


@frozen(repr=False)
class Jump(Shown):
    """Goes on as a phase: the running one is left and nothing after it runs."""

    phase: str


@frozen(repr=False)
class Return(Shown):
    """The end of a phase or trigger: back to where it was called."""


@frozen(repr=False)
class Leave(Shown):
    """Ends the running phase of that name and all above it, and returns from it."""

    phase: str


class Ending(PyEnum):
    """How an outcome is said."""

    WINNERS = "winners"  # a set of seats
    SCORES = "scores"  # a list with a number per seat
    RANKING = "ranking"  # a list of lists of seats, best first
    DRAW = "draw"


@frozen(repr=False)
class End(Shown):
    """The end of the game and its outcome, read where it ends."""

    ending: Ending
    value: Term | None


@frozen(repr=False)
class Flow(Shown):
    """A call, jump, return, leave or end."""

    way: Call | Jump | Return | Leave | End


Step: TypeAlias = Assign | Move | Branch | Choose | Chance | Flow


# ---- tables


@frozen(repr=False)
class TokenAttribute(Shown):
    """A printed attribute of a class."""

    name: str
    type: Type


@frozen(repr=False)
class Kind(Shown):
    """One printed face: `values` in the order of the class's attributes, and how many copies."""

    values: tuple[Value, ...]
    copies: int
    word: str  # how scenarios and people write it: `KH`, `5`, `AS`


@frozen(eq=False, repr=False)
class TokenClass(Shown):
    """A class of cards (a face that can be hidden) or pieces.  Kinds are in declaration order."""

    name: str
    title: str
    is_card: bool
    attributes: tuple[TokenAttribute, ...]
    kinds: tuple[Kind, ...]
    sticky_flags: tuple[str, ...] = ()
    named_kinds: tuple[tuple[str, tuple[int, ...]], ...] = ()
    span: Span | None = field(repr=False, default=None)


class Shape(PyEnum):
    """How a place keeps its tokens."""

    SET = "set"  # no order
    LIST = "list"  # arrivals last
    PILE = "pile"  # top first, arrivals on top
    ONE = "one"  # at most one token


@frozen(eq=False, repr=False)
class Place(Shown):
    """One place: a zone, a member of a family, or a square of a board.

    `index` is its value in terms.  `zone` and `keys` name it; `holder` is the seat it belongs to.
    `kinds` are those it admits, `None` for all.  `viewers` is who sees what lies face down there (a
    term giving a list of seats), `None` for nobody.  Index 0 is the box, a set with all tokens of
    all classes at first.
    """

    index: int
    zone: str
    keys: tuple[Value, ...]
    label: str  # `supply[A]`, `grid[3, 1]`
    shape: Shape
    token_class: str | None  # `None` for the box
    kinds: tuple[int, ...] | None = None
    face_up: bool = True
    viewers: Term | None = None
    capacity: int | None = None
    flags: tuple[str, ...] = ()
    holder: int | None = None
    square: tuple[int, int] | None = None  # (column, row), from 1
    span: Span | None = field(repr=False, default=None)


@frozen(eq=False, repr=False)
class Named(Shown):
    """A named step: a box of the chart, a place for variants; `parent` is the enclosing one."""

    title: str
    phase: str
    clauses: Clauses
    parent: int | None
    span: Span | None = field(repr=False, default=None)


@frozen(eq=False, repr=False)
class Node(Shown):
    """One step at its place: `title` is its question, `named` its innermost named step."""

    id: int
    step: Step
    next: tuple[int, ...]
    phase: str
    title: str = ""
    clauses: Clauses = ()
    span: Span | None = field(repr=False, default=None)
    named: int | None = None

    def to(self, *following: int) -> "Node":
        """The same node with other ways on."""
        return evolve(self, next=following)


@frozen(eq=False, repr=False)
class Phase(Shown):
    """A procedure: parameters, locals (parameters included) and where it begins."""

    name: str
    title: str
    params: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    entry: int
    span: Span | None = field(repr=False, default=None)
    clauses: Clauses = ()
    is_trigger: bool = False


@frozen(eq=False, repr=False)
class Trigger(Shown):
    """`whenever condition`: its block is the phase of that name."""

    condition: Term
    phase: str
    title: str
    span: Span | None = field(repr=False, default=None)
    clauses: Clauses = ()


@frozen(eq=False, repr=False)
class Fact(Shown):
    """One line of an invariant."""

    term: Term
    clauses: Clauses
    span: Span | None = field(repr=False, default=None)


@frozen(eq=False, repr=False)
class Invariant(Shown):
    """Facts that hold at every stop; or at every decision; or whenever a phase begins."""

    title: str
    at_phase: str | None
    at_decisions: bool
    facts: tuple[Fact, ...]
    clauses: Clauses
    span: Span | None = field(repr=False, default=None)


@frozen(eq=False, repr=False)
class Claim(Shown):
    """A statement about plays: `mode` is always, never, possible or surely.

    It is asked at every stop; with a `phase`, whenever that begins, or if not `before` has ended.
    """

    title: str
    mode: str
    term: Term
    clauses: Clauses
    span: Span | None = field(repr=False, default=None)
    phase: str | None = None
    before: bool = False


@frozen(eq=False, repr=False)
class Graph(Shown):
    """One game for one configuration."""

    name: str
    title: str
    seats: int
    classes: tuple[TokenClass, ...]
    places: tuple[Place, ...]
    variables: tuple[Variable, ...]  # the game's, dice and givens included; locals are in phases
    functions: tuple[Function, ...]
    phases: tuple[Phase, ...]
    nodes: tuple[Node, ...]
    named: tuple[Named, ...]
    triggers: tuple[Trigger, ...]
    invariants: tuple[Invariant, ...]
    claims: tuple[Claim, ...]
    start: int  # the node where a game begins: givens, initial values, then `start`
    players: Variable  # seats still in, a set
    ended: Variable  # true after `end`
    disclosures: tuple[str, ...] = ()  # titles of steps whose disclosure is confirmed

    @cached_property
    def _by_name(self) -> dict[str, Phase]:
        return {phase.name: phase for phase in self.phases}

    def phase(self, name: str) -> Phase:
        """The phase of that name; `KeyError` if there is none."""
        return self._by_name[name]

    def token_class(self, name: str) -> TokenClass:
        """The class of that name; `KeyError` if there is none."""
        for token_class in self.classes:
            if token_class.name == name:
                return token_class
        raise KeyError(name)
