"""What lies in a place, as far as it is known while a graph is lowered."""

from attrs import define, evolve, field

from compiler.graph.core import Graph, Shape, Value
from compiler.graph.parts import Board
from compiler.lir.build import (
    YES,
    both,
    choice,
    flip,
    has_bit,
    mask,
    negate,
    num,
    sub,
    union,
)
from compiler.lir.core import Expr
from compiler.lir.image import Image
from compiler.lir.reps import (
    Group,
    Heap,
    InBag,
    Item,
    Items,
    Known,
    Num,
    OnBoard,
    Rep,
    Run,
    Spread,
    Token,
    Unsupported,
    is_none,
)
from compiler.lir.rows import RowImage


class NeedCell(Exception):
    """What lies on this square of a board decides; asked while a set of squares is made a mask."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


@define(eq=False)
class Contents:
    """Reads places.

    `assumed` says for squares what lies there: a kind, or `None` for nothing.  When `probing`, any
    other square is asked for by `NeedCell`.
    """

    image: Image
    assumed: dict[int, int | None] = field(factory=dict)
    probing: bool = False

    @property
    def graph(self) -> Graph:
        """The graph whose places these are."""
        return self.image.layout.graph

    def of(self, where: Rep) -> Rep:
        """The tokens of a place, or of several."""
        match where:
            case Known(None):
                return Known(None)
            case Known(tuple() as places) if len(places) > 1 and self._board(places) is not None:
                return self._spread(places)
            case Known(tuple() as places):
                return self._together([self.of(Known(place)) for place in places])
            case Known(int() as place):
                return self._place(place)
            case Num() as square:
                return self._square(square)
            case _:
                raise Unsupported("tokens of places that depend on the play")

    def _together(self, parts: list[Rep]) -> Rep:
        if all(isinstance(part, Heap) for part in parts):
            return Heap(tuple(g for part in parts if isinstance(part, Heap) for g in part.groups))
        found: list[Item] = []
        for part in parts:
            match part:
                case Items(items):
                    found += items
                case Known(()):
                    pass
                case _:
                    raise Unsupported("tokens of sets and rows together")
        return Items(tuple(found))

    def _board(self, places: tuple[Value, ...]) -> Board | None:
        """The board whose squares these are, in their order."""
        first = places[0]
        board = self.image.boards.get(first) if isinstance(first, int) else None
        if board is None or self.probing or list(places) != sorted(set(map(_number, places))):
            return None
        return board if all(place in board.places for place in places) else None

    def _spread(self, places: tuple[Value, ...]) -> Spread:
        board = self._board(places)
        assert board is not None
        inside = mask(sum(1 << board.places.index(_number(place)) for place in places))
        planes = [self.plane(board, kind) for kind in range(len(board.fields))]
        return Spread(board, tuple(both(plane, inside) for plane in planes))

    def _place(self, place: int) -> Rep:
        board = self.image.boards.get(place)
        if board is not None:
            return self._cell(board, place)
        if self.graph.places[place].shape is Shape.SET:
            return self._heap(place)
        rows = RowImage(self.image)
        row = rows.row(place)
        if row.place.shape is Shape.ONE:
            first = rows.first(row)
            return Items((Item(evolve(first, there=YES), first.there),))
        return Run(rows.first(row), rows.length(row))

    def _cell(self, board: Board, place: int) -> Rep:
        bit = board.places.index(place)
        if place in self.assumed:
            kind = self.assumed[place]
            if kind is None:
                return Known(())
            source = OnBoard(board, num(bit))
            return Items((Item(Token(board.token_class, Known(kind), Known(place), source)),))
        if self.probing:
            raise NeedCell(place)
        return self._dynamic(board, num(bit), Known(place))

    def _square(self, square: Num) -> Rep:
        """A square that depends on the play; it must be one of a single board."""
        board = self.image.boards.get(square.low)
        if board is None or self.image.boards.get(square.high) is not board:
            raise Unsupported("tokens of a place that depends on the play")
        bit = sub(square.expr, num(board.places[0]))
        if not square.none:
            return self._dynamic(board, bit, square)
        gone = is_none(square.expr)
        found = self._dynamic(board, choice(gone, num(0), bit), square)
        return Items(tuple(evolve(i, when=both(negate(gone), i.when)) for i in found.items))

    def _dynamic(self, board: Board, bit: Expr, place: Known | Num) -> Items:
        planes = [self.plane(board, kind) for kind in range(len(board.fields))]
        kind: Expr = num(0)
        for at, plane in enumerate(planes[1:], start=1):
            kind = choice(has_bit(plane, bit), num(at), kind)
        many = len(planes) > 1
        token = Token(
            board.token_class,
            Num(kind, 0, len(planes) - 1) if many else Known(0),
            place,
            OnBoard(board, bit),
        )
        return Items((Item(token, has_bit(self.occupied(board), bit)),))

    def plane(self, board: Board, kind: int) -> Expr:
        """The squares with tokens of a kind."""
        return self.image.load(board.fields[kind], as_mask=True)

    def occupied(self, board: Board) -> Expr:
        """The squares with a token."""
        return union([self.plane(board, kind) for kind in range(len(board.fields))])

    def holding(self, board: Board, kind: int | None) -> Expr:
        """The squares with a token of a kind, or the empty ones."""
        if kind is not None:
            return self.plane(board, kind)
        whole = (1 << len(board.places)) - 1
        return both(flip(self.occupied(board)), mask(whole))

    def _heap(self, place: int) -> Heap:
        if any(part.place == place for part in self.image.layout.unresolved):
            raise Unsupported("sets with cards that nobody has seen")
        groups: list[tuple[int, int, Group]] = []
        for order, bag in enumerate(self.image.bags.get(place, ())):
            for kind, counted in self.image.counts(bag.contents).items():
                token = Token(bag.token_class, Known(kind), Known(place), InBag(bag, kind))
                groups.append((kind, order, Group(token, counted)))
        classes = {bag.token_class for bag in self.image.bags.get(place, ())}
        if len(classes) > 1:
            return Heap(tuple(group for _, _, group in groups))
        return Heap(tuple(group for _, _, group in sorted(groups, key=lambda row: row[:2])))
