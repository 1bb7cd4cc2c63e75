"""What an observer is told, and when: every event once before and once after it happens."""

from attrs import define, field

from compiler.graph.core import (
    Assign,
    Bound,
    Chance,
    Choose,
    Cond,
    DomainMode,
    FaceTarget,
    FlagTarget,
    KnownTarget,
    Move,
    Roll,
    Shuffle,
    Step,
    Term,
    Variable,
)
from compiler.ops import lists
from compiler.types import BOOL, Int, ListOf, Optional
from ruleengine.interpreter import Interpreter
from ruleengine.knowledge.protocol import (
    Asked,
    Assigned,
    Chosen,
    Ended,
    Event,
    Flagged,
    Moved,
    Revealed,
    Rolled,
    Shown,
    Shuffled,
    Silent,
    Turned,
    Unsealed,
)
from ruleengine.stops import Decision, JointDecision, Terminal
from ruleengine.table import Table
from tests.unit import tabletop as t
from tests.unit.tabletop import DECK, HAND_A, OPEN, ROW, A, B

n = t.number("n", None)
order = Variable("order", ListOf(t.CARD), initial=())
LOCAL: dict[str, tuple[Variable, ...]] = {"start": (order,)}


@define
class Diary:
    """Writes down what it is told: events, places, and how many cards the row held around them."""

    events: list[Event] = field(factory=list)
    places: list[tuple[int, ...]] = field(factory=list)
    row: list[tuple[int, int]] = field(factory=list)
    _before: int = 0
    _told: Event | None = None

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Remembers how many cards the row holds."""
        self._before = len(table.cells[ROW])
        self._told = event
        self.places.append(places)

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """Writes the event down."""
        assert (event, places) == (self._told, self.places[-1])
        self.events.append(event)
        self.row.append((self._before, len(table.cells[ROW])))


def first(tokens: Term) -> Term:
    """The first of some tokens."""
    return t.apply(lists.FIRST, tokens, type_=Optional(t.CARD))


def watched(*steps: Step, deck: tuple[int, ...] = (1, 2, 3)) -> tuple[Interpreter, Table, Diary]:
    """A game with the cards in the deck, played to its end: always the first option and outcome."""
    graph = t.graph(*steps, deck=t.cards(*deck), variables=(n,), local=LOCAL)
    interpreter = Interpreter.of(graph)
    table = interpreter.start()
    t.put(interpreter, table, DECK, *map(str, deck))
    diary = Diary()
    return interpreter, finish(interpreter, table, diary), diary


def finish(interpreter: Interpreter, table: Table, diary: Diary) -> Table:
    """Plays on to the end."""
    while not isinstance(stop := interpreter.advance(table, diary), Terminal):
        if isinstance(stop, Decision):
            interpreter.choose(table, stop.choices[0], diary)
        elif isinstance(stop, JointDecision):
            interpreter.choose(table, stop.choices[-1][0], diary)
        else:
            interpreter.draw(table, stop.outcomes[0], diary)
    return table


def test_a_move_is_told_with_where_each_card_came_from() -> None:
    """Two cards go from the top of the deck to a row: places and positions are those before."""
    two = t.apply(lists.TAKE, t.const(2), t.all_of(DECK), type_=ListOf(t.CARD))

    _, table, diary = watched(Move(two, t.place(ROW)))

    cards = tuple(table.cells[ROW])
    assert diary.events == [Moved(0, cards, (DECK, DECK), (0, 1), ROW), Ended(1)]
    assert diary.row[0] == (0, 2)


def test_one_draw_of_several_cards_is_one_event() -> None:
    """However many chance stops it takes to know them, drawing two cards is told once."""
    two = t.apply(lists.TAKE, t.const(2), t.all_of(DECK), type_=ListOf(t.CARD))

    _, _, diary = watched(Chance(Shuffle(t.place(DECK))), Move(two, t.place(HAND_A)))

    assert [type(event) for event in diary.events] == [Shuffled, Moved, Ended]


def test_turning_marking_and_showing_are_told() -> None:
    """Only the cards that lay otherwise are turned; `reveal` is for everybody, `show` for some."""
    yes = t.const(True)
    look = t.const((B,), ListOf(t.PLAYER))
    _, table, diary = watched(
        Move(first(t.all_of(DECK)), t.place(ROW)),
        Move(first(t.all_of(DECK)), t.place(ROW), face_up=True),
        Assign(FaceTarget(), (t.all_of(ROW),), yes),
        Assign(KnownTarget(), (t.all_of(DECK),), look),
        Assign(KnownTarget(), (t.all_of(DECK),), t.const(None)),
        Move(t.all_of(ROW), t.place(OPEN)),
        Assign(FlagTarget("tapped"), (t.all_of(OPEN),), yes),
    )

    down, up = table.cells[OPEN]
    (left,) = table.cells[DECK]
    assert diary.events[2:5] == [
        Turned(2, (down,), True),
        Shown(3, (left,), 0b10, everybody=False),
        Shown(4, (left,), 0b11, everybody=True),
    ]
    assert diary.events[6] == Flagged(6, (down, up), 0, on=True)


def test_dice_and_variables_are_told_with_their_slots() -> None:
    """A roll tells the slots and the faces, an assignment the slot and the value."""
    interpreter, _, diary = watched(Chance(Roll(((n, (), (3, 4)),))), Assign(n, (), t.const(7)))

    slot = t.slot_of(interpreter, n)
    assert diary.events == [Rolled(0, (slot,), (3,)), Assigned(1, slot, 7), Ended(2)]


def test_a_shuffle_that_lies_open_is_told_card_by_card() -> None:
    """First the shuffle, then which card each turned out to be, then the rest."""
    up = Assign(FaceTarget(), (t.all_of(DECK),), t.const(True))

    _, table, diary = watched(up, Chance(Shuffle(t.place(DECK))))

    top, middle, low = table.cells[DECK]
    told = [Shuffled(1, DECK), Revealed(2, top), Revealed(2, middle), Revealed(2, low)]
    assert diary.events[1:5] == told


def test_a_decision_is_told_when_it_is_asked_and_when_it_is_made() -> None:
    """Who is asked is told before what he chose; declining is an option of no number."""
    _, _, diary = watched(t.choose(B, t.option("go"), optional=True))

    assert diary.events[:2] == [Asked(0, (B,)), Chosen(0, B, 0, (), sealed=False)]


def test_sealed_picks_are_told_as_sealed_until_the_last_is_in() -> None:
    """Both seats are asked at once; each pick is sealed; then all are open."""
    picked = Variable("picked", Int(0, 1), ((0, 1),), (t.PLAYER,), initial=0)
    choose = Choose(
        t.const((A, B), ListOf(t.PLAYER)),
        (t.option("go"),),
        joint=True,
        seat=Bound("p", 0, type=t.PLAYER),
        picked=picked,
    )
    graph = t.graph(choose, local={"start": (picked,)})
    interpreter = Interpreter.of(graph)
    diary = Diary()

    finish(interpreter, interpreter.start(), diary)

    assert diary.events == [
        Asked(0, (A, B)),
        Chosen(0, B, 0, (), sealed=True),
        Chosen(0, A, 0, (), sealed=True),
        Unsealed(0, (A, B)),
        Ended(1),
    ]


def test_an_order_chosen_unseen_is_told_as_arranged() -> None:
    """B lays two cards back in an order of his choice: the move says so, and that it was B."""
    two = t.apply(lists.TAKE, t.const(2), t.all_of(DECK), type_=ListOf(t.CARD))
    choose = t.choose(B, t.option("choose", t.slot(order, two, DomainMode.ORDERS)))

    _, _, diary = watched(choose, Move(t.read(order), t.place(DECK)))

    moved = diary.events[2]
    assert isinstance(moved, Moved)
    assert (moved.arranged, moved.arranger) == (True, B)
    plain = watched(Move(two, t.place(DECK)))[2].events[0]
    assert isinstance(plain, Moved)
    assert (plain.arranged, plain.arranger) == (False, None)


def test_an_effect_is_told_with_the_places_others_may_now_see() -> None:
    """A variable that says who sees a row is told with that row."""
    sees = Cond(
        t.apply(lists.IS, t.read(n), t.const(1), type_=BOOL),
        t.const((A,), ListOf(t.PLAYER)),
        t.const((), ListOf(t.PLAYER)),
    )
    graph = t.graph(
        Assign(n, (), t.const(1)),
        Move(t.all_of(DECK), t.place(OPEN)),
        variables=(n,),
        places=t.with_viewers(ROW, sees),
    )
    interpreter = Interpreter.of(graph)
    diary = Diary()

    finish(interpreter, interpreter.start(), diary)

    assert diary.places[:2] == [(ROW,), ()]


def test_nobody_needs_to_be_told() -> None:
    """A game plays the same with a silent observer and with none."""
    graph = t.graph(Chance(Shuffle(t.place(DECK))), Move(t.all_of(DECK), t.place(ROW)))
    tables = []
    for observer in (Silent(), None):
        interpreter = Interpreter.of(graph)
        table = interpreter.start()
        t.put(interpreter, table, DECK, "1", "2")
        interpreter.advance(table, observer)
        tables.append(table)

    assert tables[0] == tables[1]
