"""Terms, evaluated as far as they are known; what is left is low-level expressions.

Functions of the spec are put in place of their applications, folds over known lists are written
out, conditions on the members of a list become one mask.  What cannot be lowered yet raises
`Unsupported`, and the reference interpreter plays that game.
"""

from collections.abc import Callable
from typing import assert_never

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
    FaceUp,
    FlagOf,
    Fold,
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
from compiler.lir import contents as places
from compiler.lir import scalars, sequences
from compiler.lir.asks import Env, evaluated, number_of
from compiler.lir.build import (
    YES,
    both,
    either,
    mask,
    num,
)
from compiler.lir.core import Expr, If, Local, Number, Set, Trap
from compiler.lir.folds import Folds
from compiler.lir.image import Image
from compiler.lir.reps import (
    NONE,
    UNDEFINED,
    Bits,
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

    def probe(self, bound: Bound, value: Value, assumed: dict[int, int | None]) -> "Reader":
        """For one value of a bound name, and assuming what lies on some squares."""
        looking = places.Contents(self.image, assumed, probing=True)
        env = {**self.env, bound.index: Known(value)}
        return evolve(self, writer=self.writer.inner(), contents=looking, env=env)

    # ---- terms

    def term(self, term: Term) -> Rep:
        """The value of a term."""
        self.image.spend()
        match term:
            case Const(value):
                return Known(value)
            case Bound(index=index):
                return self.env[index]
            case Read():
                return self._read(term)
            case Apply(Function() as function, args):
                return self._call(function, [self.kept(self.term(arg)) for arg in args])
            case Apply(op):
                assert isinstance(op, Operator)
                return self._apply(op, term)
            case Cond(test, then, otherwise):
                return self._cond(test, then, otherwise)
            case Fold():
                return Folds(self).of(term)
            case _:
                assert_never(term)

    def test(self, term: Term) -> Expr:
        """A condition."""
        return truth(self.term(term))

    def kept(self, rep: Rep) -> Rep:
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
            return self.kept(scalars.arithmetic(op, args[0], args[1]))
        if op is numbers.NEGATE:
            return scalars.arithmetic(numbers.SUBTRACT, Known(0), args[0])
        if op is numbers.NOT:
            return scalars.negated(args[0])
        if all(map(_is_scalar, args)) and op not in (lists.LIST, lists.JUST, lists.RANGE):
            return self._tabulate(lambda keys: evaluated(op, keys), args, term.type)
        return self._listing(op, args, term)

    def _listing(self, op: Operator, args: list[Rep], term: Apply) -> Rep:
        """Operators on lists."""
        match op:
            case lists.COUNT:
                return sequences.count(args[0])
            case lists.FIRST:
                listed = self._masked(args[0], term.args[0].type)
                kept = listed if self.contents.probing else self.kept(listed)
                return sequences.first(kept, self.image.tables)
            case lists.REST:
                return sequences.rest(self._masked(args[0], term.args[0].type))
            case lists.IN:
                return sequences.contains(args[0], args[1])
            case lists.UNION:
                return sequences.union(self._masked(args[0], term.args[0].type), args[1])
            case lists.MINUS:
                return sequences.minus(args[0], args[1])
            case lists.SUM:
                return self.kept(sequences.summed(args[0]))
            case lists.MAX | lists.MIN:
                return self.kept(sequences.extreme(args[0], op is lists.MAX))
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
                found = self._tabulate(lambda keys: values[number_of(keys[0])], [kind], Int(0, 0))
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
            lambda keys: None if keys[0] is None else holders[number_of(keys[0])],
            [place],
            Int(0, 0),
        )


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


def _mask_of(rep: Rep, like: Rep) -> Expr:
    match rep, like:
        case (Bits(expr), _):
            return expr
        case (Known(tuple() as members), Bits(_, universe)):
            return mask(universe.mask(members))
        case _:
            raise Unsupported("one of two different lists")
