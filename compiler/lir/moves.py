"""Moves of tokens between sets and squares of boards, as changes of counts and bits."""

from attrs import define

from compiler.graph.core import Graph, Shape
from compiler.graph.parts import Bag
from compiler.lir.build import (
    EMPTY,
    YES,
    add,
    binary,
    bit_count,
    both,
    choice,
    compare,
    either,
    equal,
    flip,
    negate,
    num,
    single,
    sub,
    total,
    without,
)
from compiler.lir.core import Expr, If, Number, Op, Trap
from compiler.lir.image import Image
from compiler.lir.reps import (
    FULL,
    NOWHERE,
    SHORT,
    Fails,
    Group,
    Heap,
    InBag,
    InRow,
    Item,
    Items,
    Known,
    Num,
    OnBoard,
    Parts,
    Rep,
    Spread,
    Token,
    Unsupported,
    is_none,
)
from compiler.lir.rows import RowImage
from compiler.lir.writer import Writer


@define(eq=False)
class Mover:
    """Writes the moves of one way through a graph."""

    image: Image
    writer: Writer

    @property
    def graph(self) -> Graph:
        """The graph whose tokens are moved."""
        return self.image.layout.graph

    def move(self, tokens: Rep, place: Rep, face_up: bool | None, count: int | None) -> None:
        """Moves a block of tokens to a place."""
        if place == Known(None):
            raise Fails(NOWHERE)
        if isinstance(place, Num) and not place.none and place.high not in self.image.boards:
            self._to_one_of(tokens, place, face_up, count)
            return
        match tokens:
            case Heap(groups):
                self._heap(groups, place, face_up, count)
            case Spread():
                self._gather(tokens, place, face_up, count)
            case Parts(parts) if count is None:
                for part in parts:
                    self.move(part, place, face_up, None)
            case Items(items) if len(items) == 1:
                self._single(items[0], place, face_up, count)
            case Token():
                self._single(Item(tokens), place, face_up, 1)
            case Items(()) | Known(()):
                if count:
                    self.writer.put(Trap(SHORT))
            case _:
                raise Unsupported("moving several tokens of rows or boards")

    def _to_one_of(self, tokens: Rep, place: Num, face_up: bool | None, count: int | None) -> None:
        """To one of a few sets."""
        if place.high - place.low > 8:
            raise Unsupported("moving to one of many places")
        kept = self.writer.keep(place.expr)
        for index in range(place.low, place.high + 1):
            inner = Mover(self.image, self.writer.inner())
            inner.move(tokens, Known(index), face_up, count)
            self.writer.put(If(equal(kept, num(index)), inner.writer.block))

    def _heap(
        self, groups: tuple[Group, ...], place: Rep, face_up: bool | None, count: int | None
    ) -> None:
        if len(groups) == 1 and count == 1:
            group = groups[0]
            there = compare(Op.GT, group.count, num(0))
            self._single(Item(group.token, there), place, face_up, 1)
            return
        kept = [Group(group.token, self.writer.keep(group.count)) for group in groups]
        whole = total([group.count for group in kept])
        if count:
            self.writer.put(If(compare(Op.LT, whole, num(count)), (Trap(SHORT),)))
        if isinstance(place, Known) and place.value not in self.image.boards:
            for group in kept:
                self._pour(group, place)
            return
        self.writer.put(If(compare(Op.GT, whole, num(1)), (Trap(FULL),)))
        for group in kept:
            inner = self.writer.inner()
            self._carry(inner, group.token, place, face_up)
            self.writer.put(If(compare(Op.GT, group.count, num(0)), inner.block))

    def _gather(self, tokens: Spread, place: Rep, face_up: bool | None, count: int | None) -> None:
        """All of these tokens of a board into a set."""
        if count is not None or not isinstance(place, Known):
            raise Unsupported("moving several tokens of a board")
        board = tokens.board
        kept = [self.writer.keep(squares, "m") for squares in tokens.squares]
        for kind, squares in enumerate(kept):
            if squares == EMPTY:
                continue
            source = OnBoard(board, num(0))
            like = Token(board.token_class, Known(kind), Known(board.places[0]), source)
            bag = self._bag(place, like, face_up)
            if bag.contents.counts is None:
                raise Unsupported("gathering pieces that are kept as planes")
            here = self.image.counts(bag.contents)[kind]
            plane = self.image.load(board.fields[kind], as_mask=True)
            self.writer.put(
                *self.image.change(bag.contents, kind, add(here, bit_count(squares)), 0),
                self.image.store(board.fields[kind], without(plane, squares)),
            )

    def _pour(self, group: Group, place: Known) -> None:
        """All tokens of a group into a set."""
        target = self._bag(place, group.token)
        source = group.token.source
        if not isinstance(source, InBag) or source.bag.contents.counts is None:
            raise Unsupported("pouring cards from one set into another")
        if target.contents.counts is None:
            raise Unsupported("pouring cards from one set into another")
        moved = self.writer.keep(group.count)
        kind = source.kind
        here = self.image.counts(source.bag.contents)[kind]
        there = self.image.counts(target.contents)[kind]
        self.writer.put(
            *self.image.change(source.bag.contents, kind, sub(here, moved), 0),
            *self.image.change(target.contents, kind, binary(Op.ADD, there, moved), 0),
        )

    # ---- one token

    def _single(self, item: Item, place: Rep, face_up: bool | None, count: int | None) -> None:
        if not isinstance(item.value, Token):
            raise Unsupported("moving what is no token that can be seen")
        there = both(item.when, item.value.there)
        token = self._settled(item.value)
        there = self.writer.keep(there, "is_")
        if there == YES:
            self._carry(self.writer, token, place, face_up)
        elif count is not None:
            self.writer.put(If(negate(there), (Trap(SHORT),)))
            self._carry(self.writer, token, place, face_up)
        else:
            inner = self.writer.inner()
            self._carry(inner, token, place, face_up)
            self.writer.put(If(there, inner.block))

    def _settled(self, token: Token) -> Token:
        """A token that is still that one when memory has changed."""
        kind = token.kind
        if isinstance(kind, Num):
            kind = Num(self.writer.keep(kind.expr), kind.low, kind.high)
        source = token.source
        if isinstance(source, OnBoard):
            source = OnBoard(source.board, self.writer.keep(source.bit))
        return Token(token.token_class, kind, token.place, source, YES)

    def _carry(self, writer: Writer, token: Token, place: Rep, face_up: bool | None) -> None:
        self._take(writer, token)
        match place:
            case Known(int() as index) if index in self.image.boards:
                self._put_on_board(writer, token, Num(num(index), index, index))
            case Known(int() as index) if self.graph.places[index].shape is not Shape.SET:
                self._put_in_row(writer, token, index)
            case Known(int()):
                self._put_in_bag(writer, token, place, face_up)
            case Num():
                self._put_on_board(writer, token, place)
            case _:
                raise Unsupported("moving to a place that depends on the play")

    def _kinds(self, token: Token) -> list[int]:
        match token.kind:
            case Known(int() as kind):
                return [kind]
            case Num(_, low, high):
                return list(range(low, high + 1))
            case _:
                raise Unsupported("moving a token of no kind")

    def _is_kind(self, token: Token, kind: int) -> Expr:
        return equal(token.kind.expr, num(kind)) if isinstance(token.kind, Num) else YES

    def _take(self, writer: Writer, token: Token) -> None:
        match token.source:
            case OnBoard(board, bit):
                gone = flip(writer.keep(single(bit)))
                for kind in self._kinds(token):
                    number = board.fields[kind]
                    plane = self.image.load(number, as_mask=True)
                    writer.put(self.image.store(number, both(plane, gone)))
            case InBag(bag, kind):
                here = self.image.counts(bag.contents)[kind]
                writer.put(*self.image.change(bag.contents, kind, here, -1))
            case InRow(rows):
                image = RowImage(self.image)
                image.take_first(writer, image.row(rows.places[0]))

    def _put_on_board(self, writer: Writer, token: Token, place: Num) -> None:
        low = place.low if place.low in self.image.boards else place.low + 1
        board = self.image.boards.get(place.high)
        if board is None or self.image.boards.get(low) is not board:
            raise Unsupported("moving to a square of one of several boards")
        square = writer.keep(place.expr)
        if place.none:
            writer.put(If(is_none(square), (Trap(NOWHERE),)))
        bit = writer.keep(single(sub(square, num(board.places[0]))))
        planes = [self.image.load(number, as_mask=True) for number in board.fields]
        occupied = planes[0]
        for plane in planes[1:]:
            occupied = either(occupied, plane)
        writer.put(If(binary(Op.NE, both(occupied, bit), EMPTY), (Trap(FULL),)))
        kinds = self._kinds(token)
        for kind in kinds:
            plane = self.image.load(board.fields[kind], as_mask=True)
            added = bit if len(kinds) == 1 else choice(self._is_kind(token, kind), bit, EMPTY)
            writer.put(self.image.store(board.fields[kind], either(plane, added)))

    def _put_in_row(self, writer: Writer, token: Token, place: int) -> None:
        image = RowImage(self.image)
        row = image.row(place)
        if row.place.kinds is not None:
            raise Unsupported("rows that take only some kinds")
        taken = image.put_single(writer, row, token.kind)
        writer.put(If(taken, (Trap(FULL),)))

    def _put_in_bag(self, writer: Writer, token: Token, place: Known, face_up: bool | None) -> None:
        bag = self._bag(place, token, face_up)
        kinds = self._kinds(token)
        for kind in kinds:
            here = self.image.counts(bag.contents).get(kind)
            if here is None:
                raise Unsupported("a token of a kind that its place does not take")
            changed = tuple(self.image.change(bag.contents, kind, here, 1))
            test = self._is_kind(token, kind)
            if isinstance(test, Number):
                writer.put(*changed)
            else:
                writer.put(If(test, changed))

    def _bag(self, place: Known, token: Token, face_up: bool | None = None) -> Bag:
        index = place.value
        if not isinstance(index, int) or self.graph.places[index].shape is not Shape.SET:
            raise Unsupported("moving tokens into rows")
        if self.graph.places[index].capacity is not None:
            raise Unsupported("sets that hold only so many")
        class_ = self.graph.token_class(token.token_class)
        up = self.graph.places[index].face_up if face_up is None else face_up
        face = up or not class_.is_card
        for bag in self.image.bags.get(index, ()):
            if (bag.token_class, bag.face, bag.flags) == (token.token_class, face, ()):
                return bag
        raise Unsupported("a token that lies in a way it cannot lie there")
