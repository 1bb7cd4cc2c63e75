"""Terms, evaluated as far as they are known; what is left is low-level expressions.

Functions of the spec are put in place of their applications, folds over known lists are written
out, conditions on the members of a list become one mask.  What cannot be lowered yet raises
`Unsupported`, and the reference interpreter plays that game.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import define, evolve

from compiler.graph.core import (
    AllTokens,
    Apply,
    Attribute,
    Bound,
    Case,
    Cond,
    Const,
    Contents,
    Domain,
    DomainMode,
    FaceUp,
    FlagOf,
    Fold,
    FoldMode,
    Function,
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.graph.parts import Board
from compiler.graph.walk import subterms
from compiler.lir import contents as places
from compiler.lir import scalars, sequences
from compiler.lir.build import (
    YES,
    add,
    all_of,
    any_of,
    binary,
    both,
    choice,
    either,
    flip,
    has_locals,
    mask,
    negate,
    num,
    shifted,
    single,
    some_bit,
    sub,
    without,
)
from compiler.lir.core import Expr, If, Local, Number, Op, Set, Trap
from compiler.lir.image import Image
from compiler.lir.lines import Family, Lines
from compiler.lir.reps import (
    NONE,
    UNDEFINED,
    Bits,
    Group,
    Heap,
    InRow,
    Item,
    Items,
    Known,
    Num,
    OnBoard,
    Parts,
    Rep,
    Run,
    Spread,
    Token,
    Universe,
    Unsupported,
    exists,
    is_none,
    present,
)
from compiler.lir.scalars import as_truth, merged, tabulated, truth
from compiler.lir.values import Values
from compiler.lir.writer import Writer
from compiler.ops import lists, numbers
from compiler.ops.row import Op as Operator
from compiler.ops.row import Undefined
from compiler.types import Enum, Int, Player, Square, Type, element
from compiler.types import present as without_none

Env: TypeAlias = dict[int, Rep]

_MOST_ELEMENTS = 256  # of a list that is written out


@define(eq=False)
class Reader:
    """Evaluates the terms of one node in one environment."""

    image: Image
    writer: Writer
    values: Values
    contents: places.Contents
    env: Env

    def inner(self) -> "Reader":
        """For an arm that may not be taken: statements of its own."""
        return evolve(self, writer=self.writer.inner())

    def within(self, env: Env) -> "Reader":
        """In another environment."""
        return evolve(self, env=env)

    def at(self, writer: Writer, env: Env) -> "Reader":
        """In another environment, writing elsewhere."""
        return evolve(self, writer=writer, env=env)

    # ---- terms

    def term(self, term: Term) -> Rep:
        """The value of a term."""
        match term:
            case Const(value):
                return Known(value)
            case Bound(index=index):
                return self.env[index]
            case Read():
                return self._read(term)
            case Apply(Function() as function, args):
                return self._call(function, [self._kept(self.term(arg)) for arg in args])
            case Apply(op):
                assert isinstance(op, Operator)
                return self._apply(op, term)
            case Cond(test, then, otherwise):
                return self._cond(test, then, otherwise)
            case Fold():
                return self._fold(term)
            case _:
                assert_never(term)

    def test(self, term: Term) -> Expr:
        """A condition."""
        return truth(self.term(term))

    def _kept(self, rep: Rep) -> Rep:
        """A number or mask in a local, since it may be said more than once."""
        match rep:
            case Num(expr):
                return evolve(rep, expr=self.writer.keep(expr, "n"))
            case Bits(expr):
                return evolve(rep, expr=self.writer.keep(expr, "m"))
            case _:
                return rep

    def _cond(self, test: Term, then: Term, otherwise: Term) -> Rep:
        held = self.test(test)
        if isinstance(held, Number):
            return self.term(then if held.value else otherwise)
        yes, no = self.inner(), self.inner()
        a, b = yes.term(then), no.term(otherwise)
        if not yes.writer.out and not no.writer.out:
            if b == Known(False):
                return as_truth(both(held, truth(a)))
            if a == Known(True):
                return as_truth(either(held, truth(b)))
            found = merged(held, a, b)
            if found is None:
                raise Unsupported("one of two different things")
            return found
        return self._branches(held, (yes, a), (no, b))

    def _branches(self, held: Expr, yes: "tuple[Reader, Rep]", no: "tuple[Reader, Rep]") -> Rep:
        """One of two values that need statements: written to a local in either branch."""
        shape = merged(held, yes[1], no[1])
        match shape:
            case Num(expr) | Bits(expr):
                local = Local(self.writer.names.fresh("c"), expr.kind)
            case _:
                raise Unsupported("one of two different things")
        for reader, rep in (yes, no):
            value = scalars.scalar(rep).expr if isinstance(shape, Num) else _mask_of(rep, shape)
            reader.writer.put(Set(local, value))
        self.writer.put(If(held, yes[0].writer.block, no[0].writer.block))
        return evolve(shape, expr=local)

    # ---- functions and operators

    def _call(self, function: Function, args: list[Rep]) -> Rep:
        if any(isinstance(arg, Num) for arg in args) and all(map(_is_scalar, args)):
            try:
                return self._tabulate(
                    lambda keys: self._known_call(function, keys), args, function.type
                )
            except Unsupported:
                pass  # it reads what lies on the table, or has too many values
        return self.within(dict(enumerate(args))).cases(function.cases)

    def _known_call(self, function: Function, keys: tuple[Value, ...]) -> Value:
        found = self.within({at: Known(key) for at, key in enumerate(keys)}).cases(function.cases)
        if not isinstance(found, Known):
            raise Unsupported(f"`{function.name}` depends on the play")
        return found.value

    def cases(self, cases: tuple[Case, ...]) -> Rep:
        """The value of the first case that holds."""
        for at, case in enumerate(cases):
            if case.when is None or at == len(cases) - 1:
                return self.term(case.value)
            held = self.test(case.when)
            if isinstance(held, Number):
                if held.value:
                    return self.term(case.value)
                continue
            yes, no = self.inner(), self.inner()
            a, b = yes.term(case.value), no.cases(cases[at + 1 :])
            return self._either_arm(held, (yes, a), (no, b))
        return Known(None)

    def _either_arm(self, held: Expr, yes: "tuple[Reader, Rep]", no: "tuple[Reader, Rep]") -> Rep:
        if yes[0].writer.out or no[0].writer.out:
            return self._branches(held, yes, no)
        found = merged(held, yes[1], no[1])
        if found is None:
            raise Unsupported("one of two different things")
        return found

    def _tabulate(
        self,
        evaluate: Callable[[tuple[Value, ...]], Value],
        args: list[Rep],
        type_: Type,
    ) -> Rep:
        return tabulated(self.image.tables, args, evaluate, self._universe_of(type_))

    def _universe_of(self, type_: Type) -> Universe | None:
        """What a list of this type can have as elements, where that is a mask's worth."""
        inner = element(type_)
        match None if inner is None else without_none(inner):
            case Square() if len(self.image.layout.boards) == 1:
                return Universe.of(self.image.layout.boards[0].places)
            case Int(low, high) if high - low < 64:
                return Universe.of(tuple(range(low, high + 1)))
            case Player(count):
                return Universe.of(tuple(range(count)))
            case Enum(members=members) if len(members) <= 64:
                return Universe.of(tuple(range(len(members))))
            case _:
                return None

    def _apply(self, op: Operator, term: Apply) -> Rep:
        args = [self.term(arg) for arg in term.args]
        if all(isinstance(arg, Known) for arg in args):
            return self._known(op, [arg.value for arg in args if isinstance(arg, Known)])
        if op in scalars.IDENTITY and not any(map(_is_list, args)):
            return scalars.identical(args[0], args[1])
        if op in scalars.IDENTITY:
            return sequences.same_list(args[0], args[1])
        if op in scalars.ORDER:
            return scalars.ordered(op, args[0], args[1])
        if op in scalars.ARITHMETIC and all(map(scalars.sure, args)):
            return self._kept(scalars.arithmetic(op, args[0], args[1]))
        if op is numbers.NEGATE:
            return scalars.arithmetic(numbers.SUBTRACT, Known(0), args[0])
        if op is numbers.NOT:
            return scalars.negated(args[0])
        if all(map(_is_scalar, args)) and op not in (lists.LIST, lists.JUST, lists.RANGE):
            return self._tabulate(lambda keys: self._evaluated(op, keys), args, term.type)
        return self._listing(op, args, term)

    def _listing(self, op: Operator, args: list[Rep], term: Apply) -> Rep:
        """Operators on lists."""
        match op:
            case lists.COUNT:
                return sequences.count(args[0])
            case lists.FIRST:
                return sequences.first(self._masked(args[0], term.args[0].type), self.image.tables)
            case lists.REST:
                return sequences.rest(self._masked(args[0], term.args[0].type))
            case lists.IN:
                return sequences.contains(args[0], args[1])
            case lists.UNION:
                return sequences.union(self._masked(args[0], term.args[0].type), args[1])
            case lists.MINUS:
                return sequences.minus(args[0], args[1])
            case lists.SUM:
                return self._kept(sequences.summed(args[0]))
            case lists.MAX | lists.MIN:
                return self._kept(sequences.extreme(args[0], op is lists.MAX))
            case lists.MOST | lists.LEAST:
                return sequences.best_of(args[0], args[1], op is lists.MOST)
            case lists.SAME:
                return sequences.all_same(args[0])
            case lists.TAKE if isinstance(args[0], Known) and isinstance(args[0].value, int):
                return sequences.taken(args[0].value, args[1])
            case lists.LIST:
                return Items(tuple(Item(arg) for arg in args))
            case lists.JUST if isinstance(args[0], Token):
                return Items((Item(evolve(args[0], there=YES), args[0].there),))
            case lists.JUST:
                return Items((Item(args[0], present(args[0])),))
            case lists.AS_SET | lists.UNORDERED if isinstance(args[0], Bits | Heap):
                return args[0]
            case lists.AS_SET:
                return self._masked(args[0], term.type, as_set=True)
            case _:
                raise Unsupported(f"`{op.name}` of a list that depends on the play")

    def _masked(self, rep: Rep, type_: Type, *, as_set: bool = False) -> Rep:
        """A list of known elements that ascend, as a mask; any other as it is."""
        universe = self._universe_of(type_)
        if universe is None or not isinstance(rep, Items | Known):
            return rep
        if isinstance(rep, Known):
            members = rep.value if isinstance(rep.value, tuple) else ()
            return Bits(mask(universe.mask(members)), universe) if universe.holds(members) else rep
        values = [item.value.value for item in rep.items if isinstance(item.value, Known)]
        ascending = len(values) == len(rep.items) and universe.holds(tuple(values))
        if not ascending and not as_set:
            return rep
        empty = Bits(mask(0), universe)
        return sequences.union(empty, rep)

    def _known(self, op: Operator, args: list[Value]) -> Rep:
        try:
            return Known(op.evaluate(*args))
        except Undefined:
            if self.contents.probing:
                raise Unsupported("an operator without a value in a condition") from None
            self.writer.put(Trap(UNDEFINED))
            return Known(None)

    def _evaluated(self, op: Operator, keys: tuple[Value, ...]) -> Value:
        try:
            return op.evaluate(*keys)
        except Undefined as undefined:
            raise Unsupported(f"`{op.name}`: {undefined}") from undefined

    # ---- reading

    def _read(self, read: Read) -> Rep:
        args = [self.term(arg) for arg in read.args]
        match read.source:
            case Variable() as variable:
                return self.values.read(variable, args)
            case Contents():
                return self.contents.of(args[0])
            case Attribute(token_class, _, position):
                kinds = self.image.layout.graph.token_class(token_class).kinds
                return self._printed(args[0], tuple(kind.values[position] for kind in kinds))
            case KindOf(token_class):
                kinds = self.image.layout.graph.token_class(token_class).kinds
                return self._printed(args[0], tuple(range(len(kinds))))
            case PlaceOfToken():
                return self._where(args[0])
            case HolderOf():
                return self._holder(args[0])
            case AllTokens() | PositionOf() | FaceUp() | FlagOf():
                raise Unsupported(f"reading {type(read.source).__name__}")
            case _:
                assert_never(read.source)

    def _printed(self, token: Rep, values: tuple[Value, ...]) -> Rep:
        """What is printed on a token."""
        match token:
            case Known(None):
                return Known(None)
            case Token(kind=kind, there=there, source=source):
                if isinstance(source, InRow) and source.rows.code.pools:
                    raise Unsupported("reading cards that nobody may have seen")
                found = self._tabulate(lambda keys: values[_at(keys[0])], [kind], Int(0, 0))
                if there == YES:
                    return found
                gone = merged(there, found, Known(None))
                if gone is None:
                    raise Unsupported("printed lists")
                return gone
            case _:
                raise Unsupported("what is printed on a token of a variable")

    def _where(self, token: Rep) -> Rep:
        match token:
            case Token(source=OnBoard(_, bit)) if bit == num(NONE):
                raise Unsupported("where each token of a board is")
            case Token(place=place, there=there) if there == YES:
                return place
            case _:
                raise Unsupported("where a token of a variable is")

    def _holder(self, rep: Rep) -> Rep:
        place = self._where(rep) if isinstance(rep, Token) else rep
        holders = [place.holder for place in self.image.layout.graph.places]
        if not isinstance(place, Known | Num):
            raise Unsupported("who holds a list")
        return self._tabulate(
            lambda keys: None if keys[0] is None else holders[_at(keys[0])], [place], Int(0, 0)
        )

    # ---- folds

    def _fold(self, fold: Fold) -> Rep:
        line = self._lines(fold)
        if line is not None:
            return line
        listed = self._members(fold.domain)
        match listed:
            case Heap(groups):
                return self._over_heap(fold, groups)
            case Spread():
                return self._over_board(fold, listed)
            case Bits(expr, universe):
                return self._over_mask(fold, expr, universe)
            case Known(tuple() as values) if fold.mode is FoldMode.FILTER and len(values) > 1:
                found = self._filtered(fold, values)
                if found is not None:
                    return found
            case _:
                pass
        return self._over_items(fold, sequences.items(listed).items)

    def _members(self, domain: Domain) -> Rep:
        if domain.mode is not DomainMode.MEMBERS:
            raise Unsupported(f"{domain.mode.value} inside terms")
        return self.term(domain.members)

    def _bound(self, fold: Fold, value: Rep) -> "Reader":
        return self.within({**self.env, fold.bound.index: value})

    def _over_items(self, fold: Fold, found: tuple[Item, ...]) -> Rep:
        if len(found) > _MOST_ELEMENTS:
            raise Unsupported(f"a list of {len(found)} elements")
        kept: list[Item] = []
        for item in found:
            if not exists(item.when):
                continue
            inside = self._bound(fold, self._kept(item.value))
            when = item.when if fold.where is None else both(item.when, inside.test(fold.where))
            if not exists(when):
                continue
            match fold.mode:
                case FoldMode.FILTER:
                    kept.append(Item(item.value, when))
                case FoldMode.MAP:
                    body = fold.bound if fold.body is None else fold.body
                    kept.append(Item(inside.term(body), when))
                case FoldMode.SOME | FoldMode.EVERY:
                    holds = YES if fold.body is None else inside.test(fold.body)
                    kept.append(Item(as_truth(holds), when))
                case _:
                    assert_never(fold.mode)
        return _gathered(fold.mode, kept)

    def _over_mask(self, fold: Fold, expr: Expr, universe: Universe) -> Rep:
        if fold.mode is FoldMode.MAP:
            return self._over_items(fold, sequences.items(Bits(expr, universe)).items)
        chosen = expr
        if fold.where is not None:
            chosen = both(chosen, self.where_mask(universe, fold.bound, fold.where))
        match fold.mode:
            case FoldMode.FILTER:
                return Bits(chosen, universe)
            case FoldMode.SOME:
                body = self._body_mask(fold, universe)
                return as_truth(some_bit(both(chosen, body)))
            case FoldMode.EVERY:
                body = self._body_mask(fold, universe)
                return as_truth(negate(some_bit(without(chosen, body))))
            case _:
                raise Unsupported("a fold over a mask")

    def _body_mask(self, fold: Fold, universe: Universe) -> Expr:
        if fold.body is None:
            return mask(universe.full)
        return self.where_mask(universe, fold.bound, fold.body)

    def _filtered(self, fold: Fold, values: tuple[Value, ...]) -> Rep | None:
        """Those of a known list that pass, as a mask, if one word has room for them."""
        if len(values) > 64 or not all(isinstance(value, int) for value in values):
            return None
        tests = (fold.where,) if fold.where else ()
        type_ = element(fold.domain.members.type) or fold.bound.type
        universe = self.universe(values, type_, fold.bound, tests)
        found = self._over_mask(fold, mask(universe.full), universe)
        if isinstance(found, Bits) and isinstance(found.expr, Number):
            return Known(tuple(v for v in values if found.expr.value >> _bit(universe, v) & 1))
        return found

    def _over_heap(self, fold: Fold, groups: tuple[Group, ...]) -> Rep:
        kept: list[Group] = []
        tests: list[Item] = []
        for group in groups:
            inside = self._bound(fold, group.token)
            passes = YES if fold.where is None else inside.test(fold.where)
            if not exists(passes):
                continue
            count = choice(passes, group.count, num(0))
            kept.append(Group(group.token, count))
            if fold.mode in (FoldMode.SOME, FoldMode.EVERY):
                holds = YES if fold.body is None else inside.test(fold.body)
                tests.append(Item(as_truth(holds), binary(Op.GT, count, num(0))))
        match fold.mode:
            case FoldMode.FILTER:
                return Heap(tuple(kept))
            case FoldMode.SOME | FoldMode.EVERY:
                return _gathered(fold.mode, tests)
            case _:
                raise Unsupported("what is told of each token of a set")

    def _over_board(self, fold: Fold, tokens: Spread) -> Rep:
        """Tokens of a board kind by kind; where they lie makes no difference here."""
        kept: list[Expr] = []
        tests: list[Item] = []
        for kind, squares in enumerate(tokens.squares):
            place = Num(num(NONE), tokens.board.places[0], tokens.board.places[-1], True)
            source = OnBoard(tokens.board, num(NONE))
            token = Token(tokens.board.token_class, Known(kind), place, source)
            inside = self._bound(fold, token)
            passes = YES if fold.where is None else inside.test(fold.where)
            chosen = choice(passes, squares, mask(0))
            kept.append(chosen)
            if fold.mode in (FoldMode.SOME, FoldMode.EVERY) and exists(passes):
                holds = YES if fold.body is None else inside.test(fold.body)
                tests.append(Item(as_truth(holds), some_bit(chosen)))
        match fold.mode:
            case FoldMode.FILTER:
                return Spread(tokens.board, tuple(kept))
            case FoldMode.SOME | FoldMode.EVERY:
                return _gathered(fold.mode, tests)
            case _:
                raise Unsupported("what is told of each token of a board")

    # ---- masks

    def universe(
        self, values: tuple[Value, ...], type_: Type, bound: Bound, tests: tuple[Term, ...]
    ) -> Universe:
        """Bits for known values of a type: their squares, or those that a test asks for first."""
        if isinstance(without_none(type_), Square):
            for board in self.image.layout.boards:
                if all(value in board.places for value in values):
                    return Universe(values, tuple(board.places.index(_at(v)) for v in values))
        for test in tests:
            squares = [self._asked(bound, value, test) for value in values]
            first = squares[0]
            held = None if first is None else self.image.boards.get(first)
            if held is None or any(square not in held.places for square in squares):
                continue
            bits = [held.places.index(square) for square in squares if square is not None]
            if bits == sorted(set(bits)):
                return Universe(values, tuple(bits))
        return Universe.of(values)

    def _asked(self, bound: Bound, value: Value, test: Term) -> int | None:
        """The square that a test looks at for a value."""
        try:
            self._probe(bound, value, {}).term(test)
        except places.NeedCell as need:
            return need.place
        except Unsupported:
            return None
        return None

    def _probe(self, bound: Bound, value: Value, assumed: dict[int, int | None]) -> "Reader":
        looking = places.Contents(self.image, assumed, probing=True)
        env = {**self.env, bound.index: Known(value)}
        return evolve(self, writer=self.writer.inner(), contents=looking, env=env)

    def where_mask(self, universe: Universe, bound: Bound, term: Term) -> Expr:
        """The members of a universe for which a condition holds."""
        full = mask(universe.full)
        if not _mentions(term, bound):
            return choice(self.test(term), full, mask(0))
        match term:
            case Cond(test, then, Const(False)):
                return both(
                    self.where_mask(universe, bound, test), self.where_mask(universe, bound, then)
                )
            case Cond(test, Const(True), otherwise):
                return either(
                    self.where_mask(universe, bound, test),
                    self.where_mask(universe, bound, otherwise),
                )
            case Apply(op, (inner,)) if op is numbers.NOT:
                return without(full, self.where_mask(universe, bound, inner))
            case Apply(op, (Bound(index=index), other)) if (
                op is lists.IN and index == bound.index and not _mentions(other, bound)
            ):
                listed = self.term(other)
                if isinstance(listed, Bits) and listed.universe == universe:
                    return both(listed.expr, full)
            case Apply(op, (Bound(index=index), other)) if (
                op is lists.IS and index == bound.index and not _mentions(other, bound)
            ):
                one = self._one_bit(universe, self.term(other))
                if one is not None:
                    return one
            case Apply(Operator() as op, (left, right)) if _mentions(left, bound) != _mentions(
                right, bound
            ):
                found = self._by_value(universe, bound, op, (left, right))
                if found is not None:
                    return found
            case _:
                pass
        return self._asked_once(universe, bound, term)

    def _asked_once(self, universe: Universe, bound: Bound, term: Term) -> Expr:
        """The members for which a condition holds, which is the same wherever as much is known."""
        key = None
        if all(isinstance(rep, Known) for rep in self.env.values()):
            values = frozenset(
                (member, rep.value)
                for member, rep in self.values.known.items()
                if isinstance(rep, Known)
            )
            env = tuple((at, rep.value) for at, rep in self.env.items() if isinstance(rep, Known))
            key = (id(term), universe, env, values)
            known = self.image.masks.get(key)
            if known is not None:
                return known
        elements: list[tuple[Value, int, dict[int, int | None]]] = [
            (value, bit, {}) for value, bit in zip(universe.values, universe.bits, strict=True)
        ]
        found = self._tree(elements, bound, term)
        if key is not None and not has_locals(found):
            self.image.masks[key] = found
        return found

    def _one_bit(self, universe: Universe, value: Rep) -> Expr | None:
        """The mask of one number, if it is a bit by adding a constant."""
        if not isinstance(value, Num):
            return None
        offsets = {bit - _at(v) for v, bit in zip(universe.values, universe.bits, strict=True)}
        if (
            len(offsets) != 1
            or value.low not in universe.values
            or value.high not in universe.values
        ):
            return None
        one = single(add(value.expr, num(offsets.pop())))
        return choice(is_none(value.expr), mask(0), one) if value.none else one

    def _by_value(
        self, universe: Universe, bound: Bound, op: Operator, sides: tuple[Term, Term]
    ) -> Expr | None:
        """A comparison of something known of each member with one number: a table of masks."""
        at = 0 if _mentions(sides[0], bound) else 1
        number = self.term(sides[1 - at])
        if not isinstance(number, Num) or number.none or number.high - number.low > 255:
            return None
        known: list[Value] = []
        for value in universe.values:
            try:
                found = self._probe(bound, value, {}).term(sides[at])
            except (places.NeedCell, Unsupported):
                return None
            if not isinstance(found, Known):
                return None
            known.append(found.value)
        masks = []
        for other in range(number.low, number.high + 1):
            pairs = [(one, other) if at == 0 else (other, one) for one in known]
            holds = [bool(self._evaluated(op, pair)) for pair in pairs]
            masks.append(sum(yes << bit for yes, bit in zip(holds, universe.bits, strict=True)))
        return self.image.tables.masks(tuple(masks), sub(number.expr, num(number.low)))

    def _tree(
        self,
        elements: list[tuple[Value, int, dict[int, int | None]]],
        bound: Bound,
        term: Term,
    ) -> Expr:
        """Asks a condition for each element; where a square decides, for all it may hold.

        Elements whose squares lie equally far from their bits are asked for together, by a shift.
        """
        sure, parts = 0, []
        waiting: dict[tuple[int, int], list[tuple[Value, int, dict[int, int | None], int]]] = {}
        for value, bit, assumed in elements:
            probe = self._probe(bound, value, assumed)
            try:
                holds = probe.test(term)
            except places.NeedCell as need:
                board = self.image.boards[need.place]
                delta = board.places.index(need.place) - bit
                key = (self.image.layout.boards.index(board), delta)
                waiting.setdefault(key, []).append((value, bit, assumed, need.place))
                continue
            if probe.writer.out:
                raise Unsupported("a condition that needs more than an expression")
            if isinstance(holds, Number):
                sure |= bool(holds.value) << bit
            else:
                parts.append(choice(holds, mask(1 << bit), mask(0)))
        found: Expr = mask(sure)
        for part in parts:
            found = either(found, part)
        for (number, delta), group in waiting.items():
            found = either(found, self._by_cell(number, delta, group, bound, term))
        return found

    def _by_cell(
        self,
        number: int,
        delta: int,
        group: list[tuple[Value, int, dict[int, int | None], int]],
        bound: Bound,
        term: Term,
    ) -> Expr:
        """A condition that a square decides, `delta` bits from each element's own."""
        board = self.image.layout.boards[number]
        answers = {
            kind: self._tree(
                [(value, bit, {**assumed, place: kind}) for value, bit, assumed, place in group],
                bound,
                term,
            )
            for kind in (*range(len(board.fields)), None)
        }
        return self._held(board, delta, answers)

    def _held(self, board: Board, delta: int, answers: dict[int | None, Expr]) -> Expr:
        """The squares whose contents give a true answer; occupied ones as those not empty."""
        found: Expr = mask(0)
        by_answer: dict[Expr, list[int | None]] = {}
        for kind, answer in answers.items():
            by_answer.setdefault(answer, []).append(kind)
        for answer, kinds in by_answer.items():
            if answer == mask(0):
                continue
            if len(kinds) == len(answers):
                found = either(found, answer)
                continue
            if None in kinds and len(kinds) > 1:
                others = [kind for kind in answers if kind not in kinds]
                planes: Expr = mask(0)
                for kind in others:
                    planes = either(planes, self.contents.holding(board, kind))
                held = flip(planes)
            else:
                held = mask(0)
                for kind in kinds:
                    plane = (
                        flip(self.contents.occupied(board))
                        if kind is None
                        else self.contents.holding(board, kind)
                    )
                    held = either(held, plane)
            found = either(found, both(shifted(held, -delta), answer))
        return found

    # ---- lines

    def _lines(self, fold: Fold) -> Rep | None:
        """`some line: …`: whether a family of known lines has one for which conditions hold."""
        if fold.mode is not FoldMode.SOME or fold.domain.mode is not DomainMode.MEMBERS:
            return None
        listed = self.term(fold.domain.members)
        if not isinstance(listed, Known) or not isinstance(listed.value, tuple):
            return None
        found = tuple(each for each in listed.value if isinstance(each, tuple) and each)
        board = self._board_of(found)
        if board is None or len(found) < len(listed.value) or len(found) < 2:
            return None
        universe = Universe.of(board.places)
        family = Family.of(universe.mask(line) for line in found)
        held = family.all()
        for condition in (fold.where, fold.body):
            if condition is not None:
                one = self._line_set(family, universe, fold.bound, condition)
                if one is None:
                    return None
                held = held.both(one)
        return as_truth(held.some())

    def _line_set(
        self, family: Family, universe: Universe, line: Bound, term: Term
    ) -> Lines | None:
        """The lines for which a condition holds; `None` if it asks what is not foreseen here."""
        if not _mentions(term, line):
            held = self.test(term)
            if isinstance(held, Number):
                return family.all() if held.value else family.none()
            return Lines(
                {
                    shape: choice(held, mask(begins), mask(0))
                    for shape, begins in family.shapes.items()
                }
            )
        match term:
            case Cond(test, then, Const(False)):
                return self._two_line_sets(family, universe, line, (test, then), Lines.both)
            case Cond(test, Const(True), otherwise):
                return self._two_line_sets(family, universe, line, (test, otherwise), Lines.either)
            case Apply(op, (inner,)) if op is numbers.NOT:
                found = self._line_set(family, universe, line, inner)
                return None if found is None else found.others(family)
            case Apply(op, (what, Bound(index=index))) if (
                op is lists.IN and index == line.index and not _mentions(what, line)
            ):
                one = self._one_bit(universe, self.term(what))
                return None if one is None else family.touching(self.writer.keep(one, "m"))
            case Fold(
                FoldMode.EVERY,
                square,
                Domain(DomainMode.MEMBERS, Bound(index=index)),
                None,
                body,
            ) if index == line.index and body is not None and not _mentions(body, line):
                squares = self.writer.keep(self.where_mask(universe, square, body), "m")
                return family.inside(squares)
            case Apply(Function() as function, args) if len(function.cases) == 1:
                return self._line_set_of(family, universe, line, function, args)
            case _:
                return None

    def _two_line_sets(
        self,
        family: Family,
        universe: Universe,
        line: Bound,
        terms: tuple[Term, Term],
        join: Callable[[Lines, Lines], Lines],
    ) -> Lines | None:
        one, other = (self._line_set(family, universe, line, term) for term in terms)
        return None if one is None or other is None else join(one, other)

    def _line_set_of(
        self,
        family: Family,
        universe: Universe,
        line: Bound,
        function: Function,
        args: tuple[Term, ...],
    ) -> Lines | None:
        """A function of the line and of what does not depend on it."""
        env: Env = {}
        parameter = None
        for at, arg in enumerate(args):
            if isinstance(arg, Bound) and arg.index == line.index:
                parameter = function.params[at]
            elif _mentions(arg, line):
                return None
            else:
                env[at] = self._kept(self.term(arg))
        if parameter is None:
            return None
        return self.within(env)._line_set(family, universe, parameter, function.cases[0].value)

    def _board_of(self, lines: tuple[tuple[Value, ...], ...]) -> Board | None:
        for board in self.image.layout.boards:
            if all(square in board.places for line in lines for square in line):
                return board
        return None


def _gathered(mode: FoldMode, kept: list[Item]) -> Rep:
    match mode:
        case FoldMode.SOME:
            return as_truth(any_of([both(item.when, truth(item.value)) for item in kept]))
        case FoldMode.EVERY:
            return as_truth(all_of([either(negate(item.when), truth(item.value)) for item in kept]))
        case _:
            if all(item.when == YES and isinstance(item.value, Known) for item in kept):
                return Known(tuple(i.value.value for i in kept if isinstance(i.value, Known)))
            return Items(tuple(kept))


def _mentions(term: Term, bound: Bound) -> bool:
    return any(isinstance(part, Bound) and part.index == bound.index for part in subterms(term))


def _bit(universe: Universe, value: Value) -> int:
    bit = universe.bit(value)
    assert bit is not None
    return bit


def _is_scalar(rep: Rep) -> bool:
    return isinstance(rep, Num) or (isinstance(rep, Known) and not isinstance(rep.value, tuple))


def _is_list(rep: Rep) -> bool:
    match rep:
        case Known(value):
            return isinstance(value, tuple)
        case Bits() | Items() | Heap() | Run() | Spread() | Parts():
            return True
        case _:
            return False


def _at(value: Value) -> int:
    if not isinstance(value, int):
        raise Unsupported("what is no number")
    return value


def _mask_of(rep: Rep, like: Rep) -> Expr:
    match rep, like:
        case (Bits(expr), _):
            return expr
        case (Known(tuple() as members), Bits(_, universe)):
            return mask(universe.mask(members))
        case _:
            raise Unsupported("one of two different lists")
