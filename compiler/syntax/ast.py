"""The syntax tree: one node per rule of `grammar.lark`, fields in reading order.

A node is an occurrence in a file: compared by identity, so that tables keyed by node are safe.

It is long because the grammar is: one file to be read beside it, rule by rule.
"""

from typing import TypeAlias

from attrs import field, frozen

from compiler.shown import Shown
from compiler.source import Span


@frozen(eq=False, repr=False)
class Node(Shown):
    """Anything that stands in a file."""

    span: Span = field(kw_only=True, repr=False)


@frozen(eq=False, repr=False)
class Word(Node):
    """A name, code, keyword or title as written (titles without their quotes)."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen(eq=False, repr=False)
class Tail(Node):
    """The end of a line: a title and citations, both optional."""

    title: Word | None
    cites: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The title, or nothing."""
        return self.title.text if self.title else ""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The cited ids, without `@`."""
        return tuple(cite.text for cite in self.cites)


# ---- terms


@frozen(eq=False, repr=False)
class Name(Node):
    """A name read as a value: `deck`."""

    name: Word


@frozen(eq=False, repr=False)
class Number(Node):
    """A whole number: `12`."""

    digits: Word


@frozen(eq=False, repr=False)
class Code(Node):
    """A written code, read by what its place asks for: `A`, `KH`, `10S`."""

    code: Word


@frozen(eq=False, repr=False)
class NoneLiteral(Node):
    """`none`."""


@frozen(eq=False, repr=False)
class EmptyLiteral(Node):
    """`empty`: the list and set of nothing."""


@frozen(eq=False, repr=False)
class TrueLiteral(Node):
    """`true`."""


@frozen(eq=False, repr=False)
class FalseLiteral(Node):
    """`false`."""


@frozen(eq=False, repr=False)
class Can(Node):
    """`can go`: some instance of a sibling option is legal."""

    option: Word


@frozen(eq=False, repr=False)
class Call(Node):
    """`count(deck)`: an operator or a define, applied."""

    name: Word
    args: tuple["Expr", ...]


@frozen(eq=False, repr=False)
class Bind(Node):
    """`x in S where P`."""

    name: Word
    domain: "Expr | Subsets"
    where: "Expr | None"


@frozen(eq=False, repr=False)
class Aggregate(Node):
    """`sum(c.value for c in hand[p] where P)`."""

    name: Word
    body: "Expr"
    bind: Bind


@frozen(eq=False, repr=False)
class ListOf(Node):
    """`[a, b]`."""

    items: tuple["Expr", ...]


@frozen(eq=False, repr=False)
class Paren(Node):
    """`(e)`."""

    inner: "Expr"


@frozen(eq=False, repr=False)
class Attr(Node):
    """`x.value`."""

    of: "Expr"
    name: Word


@frozen(eq=False, repr=False)
class Index(Node):
    """`hand[p]`, `grid[1, 2]`, `(all of hand)[1]`."""

    of: "Expr"
    keys: tuple["Expr", ...]


@frozen(eq=False, repr=False)
class Negative(Node):
    """`-e`."""

    inner: "Expr"


@frozen(eq=False, repr=False)
class Binary(Node):
    """`a + b`, `a div b`, `a..b`, `a < b`."""

    left: "Expr"
    op: Word
    right: "Expr"


@frozen(eq=False, repr=False)
class Is(Node):
    """`a is b`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class IsNot(Node):
    """`a is not b`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class In(Node):
    """`a in S`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class NotIn(Node):
    """`a not in S`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class Or(Node):
    """`a or b`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class And(Node):
    """`a and b`."""

    left: "Expr"
    right: "Expr"


@frozen(eq=False, repr=False)
class Not(Node):
    """`not a`."""

    inner: "Expr"


@frozen(eq=False, repr=False)
class Quantified(Node):
    """`some x in S: P`; `quantifier` is some, every or no."""

    quantifier: Word
    name: Word
    domain: "Expr"
    body: "Expr"


@frozen(eq=False, repr=False)
class Filtered(Node):
    """`all x in S where P`."""

    name: Word
    domain: "Expr"
    where: "Expr"


@frozen(eq=False, repr=False)
class IfThen(Node):
    """`if P then a else b`."""

    test: "Expr"
    then: "Expr"
    otherwise: "Expr"


@frozen(eq=False, repr=False)
class SomeOf(Node):
    """`2 of S`: any two tokens, or in a choice the subsets of that size."""

    count: "Expr"
    of: "Expr"


@frozen(eq=False, repr=False)
class EndOf(Node):
    """`top of z`, `top 3 of z`, `bottom 2 of z`."""

    end: Word
    count: "Expr | None"
    of: "Expr"


@frozen(eq=False, repr=False)
class AllOf(Node):
    """`all of z`."""

    of: "Expr"


@frozen(eq=False, repr=False)
class Subsets(Node):
    """`some of S` (one or more), `any of S` (also none)."""

    quantity: Word
    of: "Expr"


@frozen(eq=False, repr=False)
class OptionalType(Node):
    """`T or none`."""

    inner: "Expr"


@frozen(eq=False, repr=False)
class SetType(Node):
    """`set of T`."""

    inner: "Expr"


@frozen(eq=False, repr=False)
class ListType(Node):
    """`list of T`."""

    inner: "Expr"


Expr: TypeAlias = (
    Name
    | Number
    | Code
    | NoneLiteral
    | EmptyLiteral
    | TrueLiteral
    | FalseLiteral
    | Can
    | Call
    | Aggregate
    | ListOf
    | Paren
    | Attr
    | Index
    | Negative
    | Binary
    | Is
    | IsNot
    | In
    | NotIn
    | Or
    | And
    | Not
    | Quantified
    | Filtered
    | IfThen
    | SomeOf
    | EndOf
    | AllOf
)
TypeExpr: TypeAlias = Expr | OptionalType | SetType | ListType


# ---- steps


@frozen(eq=False, repr=False)
class Named(Node):
    """`"Draw 2 cards" @KL-4.1` and its block."""

    title: Word
    cites: tuple[Word, ...]
    block: "Block"


@frozen(eq=False, repr=False)
class Let(Node):
    """`let x = e`."""

    name: Word
    value: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Assign(Node):
    """`x = e`, `x += e`, `x[p] -= e`."""

    target: Expr
    how: Word
    value: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Do(Node):
    """`do P(e)`."""

    phase: Word
    args: tuple[Expr, ...] | None
    tail: Tail


@frozen(eq=False, repr=False)
class Goto(Node):
    """`-> P(e)`."""

    arrow: Word
    phase: Word
    args: tuple[Expr, ...] | None
    tail: Tail


@frozen(eq=False, repr=False)
class Elif(Node):
    """`elif P` and its block."""

    test: Expr
    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class OtherwiseBlock(Node):
    """`else` and its block."""

    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class Branch(Node):
    """`if P "…"`, `elif`, `else`."""

    test: Expr
    tail: Tail
    block: "Block"
    elifs: tuple[Elif, ...]
    otherwise: OtherwiseBlock | None


@frozen(eq=False, repr=False)
class Loop(Node):
    """`for x in S where P "…"`."""

    bind: Bind
    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class Until(Node):
    """`until P`."""

    test: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Repeat(Node):
    """`repeat` … `until P`."""

    tail: Tail
    block: "Block"
    until: Until | None


@frozen(eq=False, repr=False)
class Leave(Node):
    """`leave repeat`, `leave PHASE`."""

    what: Word
    tail: Tail


@frozen(eq=False, repr=False)
class EndStep(Node):
    """`end winners e`, `end scores e`, `end ranking e`."""

    result: Word
    value: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class EndDraw(Node):
    """`end draw`."""

    word: Word
    tail: Tail


@frozen(eq=False, repr=False)
class Eliminate(Node):
    """`eliminate p`."""

    player: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Move(Node):
    """`move e to place, face up, bottom, or fewer`."""

    tokens: Expr
    place: Expr
    mods: tuple["Mod", ...]
    tail: Tail


@frozen(eq=False, repr=False)
class Flip(Node):
    """`flip e face up`."""

    tokens: Expr
    side: Word
    tail: Tail


@frozen(eq=False, repr=False)
class Mark(Node):
    """`mark e f`, `unmark e f`."""

    how: Word
    tokens: Expr
    flag: Word
    tail: Tail


@frozen(eq=False, repr=False)
class Show(Node):
    """`show e to p`."""

    tokens: Expr
    to: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Reveal(Node):
    """`reveal e`."""

    tokens: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Shuffle(Node):
    """`shuffle z`."""

    place: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Roll(Node):
    """`roll d, d[p]`."""

    dice: tuple[Expr, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class Pick(Node):
    """`pick x in S at random`."""

    name: Word
    domain: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Slot(Node):
    """`to q in players where P`."""

    preposition: Word | None
    bind: Bind


@frozen(eq=False, repr=False)
class Guard(Node):
    """`when P`, `unless P`."""

    how: Word
    test: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Otherwise(Node):
    """`otherwise "…"` and its block."""

    tail: Tail
    block: "Block | None"


@frozen(eq=False, repr=False)
class Choice(Node):
    """`p chooses x in S "…"`, `p may choose …`: one unnamed option."""

    actor: Expr
    how: Word
    slots: tuple[Slot, ...]
    tail: Tail
    lines: tuple[Guard | Otherwise, ...] | None


@frozen(eq=False, repr=False)
class Option(Node):
    """`hand_on to q in players "Pass both"`, its guards and steps."""

    name: Word
    slots: tuple[Slot, ...] | None
    tail: Tail
    lines: tuple["Guard | Step", ...] | None


@frozen(eq=False, repr=False)
class Decision(Node):
    """`p chooses "…"` and its options."""

    actor: Expr
    how: Word
    tail: Tail
    options: tuple[Option, ...]
    otherwise: Otherwise | None


@frozen(eq=False, repr=False)
class Together(Node):
    """`together p in players` and its block, which begins with a choice."""

    bind: Bind
    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class Window(Node):
    """`window actor in [a, b] until E "…"` and its options."""

    name: Word
    domain: Expr
    until: Expr
    tail: Tail
    options: tuple[Option, ...]


# ---- declarations


@frozen(eq=False, repr=False)
class ClausesFile(Node):
    """`clauses "clauses.md"`."""

    path: Word


@frozen(eq=False, repr=False)
class Seats(Node):
    """`seats 2..4`."""

    count: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Rulebook(Node):
    """`rulebook klink "Klink"` and its lines."""

    name: Word
    tail: Tail
    lines: tuple[ClausesFile | Seats, ...]


@frozen(eq=False, repr=False)
class ScenariosOf(Node):
    """`scenarios of klink`."""

    name: Word
    tail: Tail


@frozen(eq=False, repr=False)
class Member(Node):
    """A member of an enum and its code."""

    name: Word
    code: Word | None


@frozen(eq=False, repr=False)
class EnumDecl(Node):
    """`enum suit: clubs C, hearts H`."""

    name: Word
    members: tuple[Member, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class Param(Node):
    """`param side: 5..12 = 6`."""

    name: Word
    type: TypeExpr
    default: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Given(Node):
    """`given dealer: player`."""

    name: Word
    per: tuple[TypeExpr, ...] | None
    type: TypeExpr
    default: Expr | None
    tail: Tail


@frozen(eq=False, repr=False)
class Reading(Node):
    """A reading of a ruling."""

    name: Word
    title: Word
    default: Word | None
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class Ruling(Node):
    """`ruling ties "Tied?"` and its readings."""

    name: Word
    tail: Tail
    readings: tuple[Reading, ...]


@frozen(eq=False, repr=False)
class Gap(Node):
    """`gap ability_texts "…"` and its readings."""

    name: Word
    tail: Tail
    readings: tuple[Reading, ...]


@frozen(eq=False, repr=False)
class Attribute(Node):
    """`value: 1..6`, `cost: 0..9 = price(name)`."""

    name: Word
    type: TypeExpr
    value: Expr | None
    tail: Tail


@frozen(eq=False, repr=False)
class Sticky(Node):
    """`flag f`: a mark that stays on when the token moves."""

    name: Word
    tail: Tail


@frozen(eq=False, repr=False)
class Copies(Node):
    """`copies n where P`."""

    count: Expr
    where: Expr | None
    tail: Tail


@frozen(eq=False, repr=False)
class Written(Node):
    """`written colour value`."""

    names: tuple[Word, ...]


@frozen(eq=False, repr=False)
class TokenDecl(Node):
    """`card N`, `piece N` and its lines."""

    what: Word
    name: Word
    tail: Tail
    lines: tuple[Attribute | Sticky | Copies | Written, ...]


@frozen(eq=False, repr=False)
class KindDecl(Node):
    """`kind spell = all c in game_card where …`."""

    name: Word
    value: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class Case(Node):
    """`e when P`."""

    value: Expr
    when: Expr | None
    tail: Tail


@frozen(eq=False, repr=False)
class Facing(Node):
    """`face up`, `face down`."""

    side: Word


@frozen(eq=False, repr=False)
class Seen(Node):
    """`seen by e`."""

    by: Expr


@frozen(eq=False, repr=False)
class Holds(Node):
    """`holds n`."""

    count: Expr


@frozen(eq=False, repr=False)
class FlagMod(Node):
    """`flag f`: a mark that is cleared when the token leaves."""

    name: Word


@frozen(eq=False, repr=False)
class AtBottom(Node):
    """`bottom`."""


@frozen(eq=False, repr=False)
class OrFewer(Node):
    """`or fewer`."""


Mod: TypeAlias = Facing | Seen | Holds | FlagMod | AtBottom | OrFewer


@frozen(eq=False, repr=False)
class FacesLine(Node):
    """`1..6, seen by holder`."""

    faces: Expr
    mods: tuple[Mod, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class FacesCases(Node):
    """Faces by cases."""

    cases: tuple[Case, ...]


@frozen(eq=False, repr=False)
class Die(Node):
    """`die black: 1..6`."""

    name: Word
    per: tuple[TypeExpr, ...] | None
    faces: FacesLine | FacesCases


@frozen(eq=False, repr=False)
class Shape(Node):
    """`pile of card`, `one stone`."""

    shape: Word
    holds: Word


@frozen(eq=False, repr=False)
class Zone(Node):
    """`zone hand per player: set of card, face down, seen by holder`."""

    name: Word
    per: tuple[TypeExpr, ...] | None
    shape: Shape
    mods: tuple[Mod, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class Board(Node):
    """`board grid: 3 by 3 of one stone`."""

    name: Word
    width: Expr
    height: Expr
    shape: Shape
    mods: tuple[Mod, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class Each(Node):
    """`each PHASE`."""

    phase: Word


@frozen(eq=False, repr=False)
class SeenBy(Node):
    """`seen by e`, of a variable."""

    by: Expr


@frozen(eq=False, repr=False)
class Var(Node):
    """`var score per player: 0..9 = 0 each turn`."""

    name: Word
    per: tuple[TypeExpr, ...] | None
    type: TypeExpr
    initial: Expr | None
    each: Each | None
    seen: SeenBy | None
    tail: Tail


@frozen(eq=False, repr=False)
class Typed(Node):
    """`x: T`."""

    name: Word
    type: TypeExpr


@frozen(eq=False, repr=False)
class Define(Node):
    """`define fits(x: T) = e`, or by cases."""

    name: Word
    params: tuple[Typed, ...] | None
    cases: tuple[Case, ...]


@frozen(eq=False, repr=False)
class Start(Node):
    """`start` and its block."""

    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class PhaseDecl(Node):
    """`phase turn(p: player) "Turn"` and its block."""

    name: Word
    params: tuple[Typed, ...] | None
    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class Whenever(Node):
    """`whenever P "…"` and its block."""

    test: Expr
    tail: Tail
    block: "Block"


@frozen(eq=False, repr=False)
class AtPhase(Node):
    """`at turn`, of an invariant."""

    phase: Word


@frozen(eq=False, repr=False)
class Fact(Node):
    """A line of an invariant."""

    test: Expr
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class InvariantDecl(Node):
    """`invariant "…" at PHASE` and its facts."""

    title: Word
    at: AtPhase | None
    cites: tuple[Word, ...]
    facts: tuple[Fact, ...]


@frozen(eq=False, repr=False)
class BesidePhase(Node):
    """`before turn` or `after turn`, of a claim."""

    side: Word
    phase: Word


@frozen(eq=False, repr=False)
class ClaimDecl(Node):
    """`claim "…" before PHASE` and what it says."""

    title: Word
    beside: BesidePhase | None
    cites: tuple[Word, ...]
    mode: Word
    test: Expr


@frozen(eq=False, repr=False)
class NoteDecl(Node):
    """`note "…" @…`: covers a clause that needs no code."""

    title: Word
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class Discloses(Node):
    """`discloses "Step" @…`: the author confirms what a step tells of hidden cards."""

    title: Word
    cites: tuple[Word, ...]


# ---- variants


@frozen(eq=False, repr=False)
class SetValue(Node):
    """`set N = e`."""

    name: Word
    value: Expr
    tail: Tail


@frozen(eq=False, repr=False)
class ReplaceDecl(Node):
    """`replace DECLARATION`."""

    declaration: "Declaration"


@frozen(eq=False, repr=False)
class RemoveDecl(Node):
    """`remove N`, `remove "Title"`."""

    what: Word
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class ExtendEnum(Node):
    """`extend enum N: a, b`."""

    name: Word
    members: tuple[Member, ...]
    tail: Tail


@frozen(eq=False, repr=False)
class EditStep(Node):
    """`before|after|replace "Step"` and a block."""

    where: Word
    title: Word
    cites: tuple[Word, ...]
    block: "Block"


@frozen(eq=False, repr=False)
class EditOption(Node):
    """`before|after OPTION` and a block: steps in front of or behind those of the option."""

    where: Word
    option: Word
    cites: tuple[Word, ...]
    block: "Block"


@frozen(eq=False, repr=False)
class ReplaceOption(Node):
    """`replace OPTION` and its new lines."""

    option: Option


@frozen(eq=False, repr=False)
class RemovePart(Node):
    """`remove "Step"`, `remove OPTION`."""

    what: Word
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class RemoveGuard(Node):
    """`remove guard of OPTION @CLAUSE`."""

    option: Word
    cites: tuple[Word, ...]


@frozen(eq=False, repr=False)
class AddOptions(Node):
    """`add to "Decision"` and options."""

    title: Word
    cites: tuple[Word, ...]
    options: tuple[Option, ...]


@frozen(eq=False, repr=False)
class Restrict(Node):
    """`restrict OPTION` and guards."""

    option: Word
    cites: tuple[Word, ...]
    guards: tuple[Guard, ...]


Edit: TypeAlias = (
    EditStep | EditOption | ReplaceOption | RemovePart | RemoveGuard | AddOptions | Restrict
)


@frozen(eq=False, repr=False)
class Within(Node):
    """`in PHASE` and edits."""

    phase: Word
    tail: Tail
    edits: tuple[Edit, ...]


Delta: TypeAlias = SetValue | ReplaceDecl | RemoveDecl | ExtendEnum | Within


@frozen(eq=False, repr=False)
class Variant(Node):
    """`variant N "…" of M` and its lines."""

    name: Word
    title: Word | None
    of: Word
    cites: tuple[Word, ...]
    lines: tuple["ClausesFile | Declaration | Delta", ...]


# ---- scenarios


@frozen(eq=False, repr=False)
class SetTo(Node):
    """`set N = e`, in a scenario."""

    name: Word
    value: Expr


@frozen(eq=False, repr=False)
class Unknown(Node):
    """`?`: a card that may not be known."""

    mark: Word


@frozen(eq=False, repr=False)
class Etc(Node):
    """`...`: the rest of the class, or more."""

    mark: Word


@frozen(eq=False, repr=False)
class Item(Node):
    """`KH tapped`, `5 down`, `32 of rest`, `?`."""

    value: Expr | Unknown
    flags: tuple[Word, ...]


Items: TypeAlias = tuple[Item | Etc, ...]


@frozen(eq=False, repr=False)
class Put(Node):
    """`place, place = items`."""

    places: tuple[Expr, ...]
    items: Items


@frozen(eq=False, repr=False)
class RestIn(Node):
    """`rest in place`."""

    places: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Knowing(Node):
    """`A knows deck = 5, ?`."""

    seat: Word
    place: Expr
    items: Items


@frozen(eq=False, repr=False)
class Setting(Node):
    """`given` and the position."""

    puts: tuple[Put | RestIn | Knowing, ...]


@frozen(eq=False, repr=False)
class AtPoint(Node):
    """`at PHASE(e) "Step"`."""

    phase: Word
    args: tuple[Expr, ...] | None
    title: Word | None


@frozen(eq=False, repr=False)
class ChanceLine(Node):
    """`chance items`."""

    items: Items


@frozen(eq=False, repr=False)
class Saying(Node):
    """A slot of an answer: `to grid[1, 1]`."""

    preposition: Word | None
    value: Expr


@frozen(eq=False, repr=False)
class Taken(Node):
    """`go AL, to grid[1, 1]`."""

    option: Word
    said: tuple[Saying, ...] | None


@frozen(eq=False, repr=False)
class Chosen(Node):
    """`choose e`."""

    said: tuple[Saying, ...]


Answer: TypeAlias = Taken | Chosen


@frozen(eq=False, repr=False)
class Made(Node):
    """`A: go AL, to grid[1, 1]`."""

    seat: Word
    answer: Answer


@frozen(eq=False, repr=False)
class OnlyOptions(Node):
    """`options X or Y`: exactly these."""

    answers: tuple[Answer, ...]


@frozen(eq=False, repr=False)
class Offered(Node):
    """`offered X`."""

    answer: Answer


@frozen(eq=False, repr=False)
class Refused(Node):
    """`refused X`."""

    answer: Answer


@frozen(eq=False, repr=False)
class Winners(Node):
    """`winners A, B`."""

    items: Items


@frozen(eq=False, repr=False)
class Score(Node):
    """`A = 3`."""

    seat: Word
    value: Expr


@frozen(eq=False, repr=False)
class Scores(Node):
    """`scores A = 3, B = -1`."""

    scores: tuple[Score, ...]


@frozen(eq=False, repr=False)
class Ranking(Node):
    """`ranking [[A], [B, C]]`."""

    value: Expr


@frozen(eq=False, repr=False)
class HoldsItems(Node):
    """`place = items`: exactly these tokens there."""

    places: tuple[Expr, ...]
    items: Items


@frozen(eq=False, repr=False)
class Sees(Node):
    """`A sees place = items`."""

    seat: Word
    place: Expr
    items: Items


@frozen(eq=False, repr=False)
class Knows(Node):
    """`A knows place = items`."""

    seat: Word
    place: Expr
    items: Items


@frozen(eq=False, repr=False)
class NextActor(Node):
    """`next A, B`."""

    items: Items


@frozen(eq=False, repr=False)
class ChanceIs(Node):
    """`chance x is 9 of 36`."""

    test: Expr


@frozen(eq=False, repr=False)
class Holding(Node):
    """A term that must be true."""

    test: Expr


Expected: TypeAlias = (
    OnlyOptions
    | Offered
    | Refused
    | Winners
    | Scores
    | Ranking
    | HoldsItems
    | Sees
    | Knows
    | NextActor
    | ChanceIs
    | Holding
)


@frozen(eq=False, repr=False)
class Expect(Node):
    """`expect …`, or `expect now …`: before anything goes on by itself."""

    now: Word | None
    expected: Expected
    cites: tuple[Word, ...]


Told: TypeAlias = Seats | SetTo | Setting | AtPoint | ChanceLine | Made | Expect


@frozen(eq=False, repr=False)
class Scenario(Node):
    """`scenario "…" @ID` and its lines."""

    tail: Tail
    lines: tuple[Told, ...]


Block: TypeAlias = tuple["Step", ...]
Step: TypeAlias = (
    Named
    | Let
    | Assign
    | Do
    | Goto
    | Branch
    | Loop
    | Repeat
    | Leave
    | EndStep
    | EndDraw
    | Eliminate
    | Var
    | Move
    | Flip
    | Mark
    | Show
    | Reveal
    | Shuffle
    | Roll
    | Pick
    | Choice
    | Decision
    | Together
    | Window
)
Declaration: TypeAlias = (
    EnumDecl
    | Param
    | Given
    | Ruling
    | Gap
    | TokenDecl
    | KindDecl
    | Die
    | Zone
    | Board
    | Var
    | Define
    | Start
    | PhaseDecl
    | Whenever
    | InvariantDecl
    | ClaimDecl
    | Scenario
    | NoteDecl
    | Discloses
)


@frozen(eq=False, repr=False)
class File(Node):
    """A whole file: a rulebook, scenarios of one, or a variant."""

    items: tuple[Rulebook | ScenariosOf | Variant | Declaration, ...]
