"""Goes through the members of lists without making the lists.

Who asks whether some member does something, or how many there are, needs neither a list nor its
order.  Sets are put into order only for those who want it, and where what is done with a member
heeds it (see `care`).
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from attrs import define, evolve, frozen

from compiler.graph.core import (
    AllTokens,
    Apply,
    Contents,
    DomainMode,
    Fold,
    FoldMode,
    Function,
    Read,
    Shape,
    Term,
    Variable,
)
from compiler.lir.build import both, choice, negate, num
from compiler.lir.core import Expr, Set
from compiler.lir.reps import NONE, UNDEFINED
from compiler.lir.stepwise.apart import joined_places
from compiler.lir.stepwise.asks import Asks, forgetting
from compiler.lir.stepwise.care import Care
from compiler.lir.stepwise.code import (
    WIDTH,
    Code,
    Loops,
    at,
    at_least,
    call,
    differ,
    is_,
    less,
    plus,
    times,
    word,
)
from compiler.lir.stepwise.lists import element, elements, new, push, size
from compiler.lir.stepwise.plan import Plan, is_list, may_be_none
from compiler.lir.stepwise.unique import is_unique, what_is_left
from compiler.ops import lists
from compiler.types import SetOf, has_tokens, present

_REPEATING: Final = frozenset({lists.DISTINCT, lists.UNORDERED, lists.AS_SET})


@frozen(eq=False)
class Member:
    """One of those that are gone through: where to say what is done with it, and its value."""

    code: Code
    value: Expr
    loop: Loops  # the outermost one
    around: tuple[Code, ...]  # all that is being written inside the loops

    def may_leave(self, care: Care) -> bool:
        """Whether those that follow need not be met: to find them out does not heed anything."""
        found = [stmt for block in self.around for stmt in block.out]
        return not care.orders(found) and not care.uncovers(found)

    def leave(self, code: Code) -> None:
        """Goes through no more of them."""
        self.loop.leave_from(code)

    def within(self, code: Code, value: Expr) -> "Member":
        """The same in a block inside, with another value."""
        return evolve(self, code=code, value=value, around=(*self.around, code))


@define(eq=False)
class Streams:
    """Goes through lists where a reader reads.

    `ordered`: in their order; `once`: a member that comes twice must be met once as long as the
    list has it once.
    """

    reader: Asks
    ordered: bool = False
    once: bool = True

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    @contextmanager
    def counting(self, fold: Fold) -> Iterator[Member]:
        """What is done for each member of the domain of a fold, without some that do not count."""
        members = fold.domain.members
        in_order = isinstance(members, Read) and self.ordered
        spared = None if in_order else self.reader.spared(fold)
        with ExitStack() as stack:
            if spared is None:
                way = self.each(members)
            elif isinstance(members, Read) and isinstance(members.source, AllTokens):
                way = self._all_tokens(members.source, spared)
            else:
                way = self._listed(spared)
            yield stack.enter_context(way)

    @contextmanager
    def each(self, term: Term) -> Iterator[Member]:
        """What is done for each member of a list; `none` has none."""
        term = what_is_left(term)
        with ExitStack() as stack:
            match term:
                case Read(Contents(), (where,)) if is_list(where.type):
                    way = self._places(where)
                case Apply(lists.UNION) if (joined := joined_places(term)) is not None:
                    way = self._joined(joined)
                case Read(Contents(), (where,)):
                    way = self._place(where)
                case Read(AllTokens() as source):
                    way = self._each_of_all(source) if self.ordered else self._all_tokens(source)
                case Read(Variable()) if not self.ordered and _is_token_set(term):
                    way = self._listed(self.reader.unsorted(term))
                case Fold() if _is_plain(term):
                    way = self._fold(term)
                case Apply(lists.RANGE, (low, high)):
                    way = self._range(low, high)
                case Apply(lists.LIST, (only,)) if not is_list(only.type):
                    way = self._only(only)
                case Apply(Function() as called, args) if len(called.cases) == 1:
                    inner = self.reader.called(args)
                    way = evolve(self, reader=inner).each(called.cases[0].value)
                case Apply(op, (listed,)) if op in _REPEATING and not (self.ordered or self.once):
                    way = self.each(listed)
                case _:
                    way = self._listed(self.code.keep(self.reader.listed(term)))
            yield stack.enter_context(way)

    @contextmanager
    def _listed(self, pointer: Expr) -> Iterator[Member]:
        with elements(self.code, pointer) as (loop, value):
            yield Member(loop, value, loop, (loop,))

    @contextmanager
    def _only(self, term: Term) -> Iterator[Member]:
        """The one member of a list."""
        value = self.code.keep(self.reader.term(term))
        with self.code.loop("once") as loop:
            yield Member(loop, value, loop, (loop,))
            loop.leave()

    @contextmanager
    def _range(self, low: Term, high: Term) -> Iterator[Member]:
        ends = [self.code.keep(self.reader.term(end)) for end in (low, high)]
        for end, term in zip(ends, (low, high), strict=True):
            if may_be_none(term.type):
                self.code.trap_if(is_(end, NONE), UNDEFINED)
        with self.code.up_to(plus(ends[1], 1), ends[0]) as (loop, number):
            yield Member(loop, loop.keep(number), loop, (loop,))

    @contextmanager
    def _fold(self, fold: Fold) -> Iterator[Member]:
        with self.counting(fold) as member:
            members = fold.domain.members
            inner = self.reader.binding(member.code, fold.bound, member.value, members)
            with ExitStack() as stack:
                code = member.code
                if fold.where is not None:
                    with forgetting(inner):
                        passes = code.keep(inner.test(fold.where))
                    code = stack.enter_context(code.when(passes))
                value = member.value
                if fold.mode is FoldMode.MAP and fold.body is not None:
                    asked = inner.inside(code)
                    with forgetting(asked):
                        value = code.keep(asked.term(fold.body))
                yield member.within(code, value)

    # ---- what lies on the table

    @contextmanager
    def _place(self, where: Term) -> Iterator[Member]:
        place = self.code.keep(self.reader.term(where))
        with ExitStack() as stack:
            code = self.code
            if may_be_none(where.type):
                code = stack.enter_context(code.when(differ(place, NONE)))
            yield stack.enter_context(self._lying(code, place, self.reader.plan.shape(where)))

    @contextmanager
    def _places(self, where: Term) -> Iterator[Member]:
        shape = self.reader.plan.shape(where)
        with Streams(self.reader, ordered=True).each(where) as place:
            with self._lying(place.code, place.value, shape) as member:
                yield evolve(member, loop=place.loop, around=(*place.around, *member.around))

    @contextmanager
    def _joined(self, places: tuple[Term, ...]) -> Iterator[Member]:
        """The tokens of one place after the other."""
        listed = new(self.code, len(places))
        for place in places:
            push(self.code, listed, self.reader.term(place))
        shapes = {self.reader.plan.shape(place) for place in places}
        shape = shapes.pop() if len(shapes) == 1 else None
        with self.code.up_to(len(places)) as (loop, i):
            with self._lying(loop, loop.keep(element(listed, i)), shape) as member:
                yield evolve(member, loop=loop, around=(loop, *member.around))

    @contextmanager
    def _each_of_all(self, source: AllTokens) -> Iterator[Member]:
        """In order: one place after the other."""
        memory = self.reader.plan.memory
        with self.code.up_to(len(_places_for(self.reader.plan, source))) as (loop, i):
            wanted = memory.constant(_places_for(self.reader.plan, source))
            with self._lying(loop, loop.keep(word(wanted, i))) as member:
                member = evolve(member, loop=loop, around=(loop, *member.around))
                with self._of_kinds(source, member) as chosen:
                    yield chosen

    @contextmanager
    def _all_tokens(self, source: AllTokens, some: Expr | None = None) -> Iterator[Member]:
        """In any order; if some are known to be enough, only those.  In order, if that matters."""
        plan = self.reader.plan
        handles = plan.class_tokens[plan.class_index(source.token_class)]
        spot = len(self.code.out)
        listed = self.code.local("all", some or plan.memory.listed(tuple(handles)))
        with elements(self.code, listed) as (loop, one):
            member = Member(loop, loop.keep(one), loop, (loop,))
            with self._of_kinds(source, member) as chosen:
                yield chosen
        if self.reader.care.orders(loop.out):
            places = plan.memory.listed(_places_for(plan, source))
            self.code.out[spot] = Set(listed, call("contents_of", places))

    @contextmanager
    def _of_kinds(self, source: AllTokens, member: Member) -> Iterator[Member]:
        """Only those of a class, and of some kinds of it."""
        plan, token = self.reader.plan, member.value
        with ExitStack() as stack:
            if len(plan.class_tokens) > 1:
                handles = plan.class_tokens[plan.class_index(source.token_class)]
                mine = both(at_least(token, handles.start), less(token, handles.stop))
                member = member.within(stack.enter_context(member.code.when(mine)), token)
            if source.kinds is not None:
                kind = member.code.keep(self.reader.tokens.kind(token))
                self.reader.unseen(member.code, less(kind, 0))
                many = len(plan.graph.token_class(source.token_class).kinds)
                chosen = plan.memory.constant(tuple(int(k in source.kinds) for k in range(many)))
                seen = stack.enter_context(member.code.when(negate(less(kind, 0))))
                member = member.within(seen, token)
                passing = stack.enter_context(seen.when(word(chosen, kind)))
                member = member.within(passing, token)
            yield member

    @contextmanager
    def _lying(self, code: Code, place: Expr, shape: Shape | None = None) -> Iterator[Member]:
        """The tokens of one place; whether they must be in order is known when all is said."""
        tokens = self.reader.tokens
        lying = code.keep(tokens.list_of(place))
        spot = len(code.out)
        if shape not in (None, Shape.PILE):
            with elements(code, lying) as (loop, token):
                yield Member(loop, token, loop, (loop,))
            if shape is Shape.SET and (self.ordered or self.reader.care.orders(loop.out)):
                ordered = code.inner()
                tokens.sort(ordered, place, num(1))
                code.out[spot:spot] = ordered.out
            return
        cursor, stride = code.local("cursor", plus(lying, WIDTH)), code.local("stride", WIDTH)
        with code.up_to(size(lying)) as (loop, _):
            token = loop.keep(at(cursor))
            loop.step(cursor, stride)
            yield Member(loop, token, loop, (loop,))
        if self.ordered or self.reader.care.orders(loop.out):
            ordered = code.inner()
            is_pile = num(1) if shape is Shape.PILE else tokens.ordered(ordered, place, shape)
            last = plus(lying, times(size(lying), WIDTH))
            ordered.set(cursor, choice(is_pile, last, plus(lying, WIDTH)))
            ordered.set(stride, choice(is_pile, num(-WIDTH), num(WIDTH)))
            code.out[spot : spot + 2] = ordered.out


def _places_for(plan: Plan, source: AllTokens) -> tuple[int, ...]:
    """The places where tokens of a class can be."""
    admitted = (None, source.token_class)
    return tuple(place.index for place in plan.graph.places if place.token_class in admitted)


def _is_token_set(term: Term) -> bool:
    return isinstance(present(term.type), SetOf) and has_tokens(term.type)


def _is_plain(fold: Fold) -> bool:
    """Whether a fold goes through members, and gives numbers."""
    collects = fold.mode in (FoldMode.FILTER, FoldMode.MAP)
    is_deep = fold.mode is FoldMode.MAP and fold.body is not None and is_list(fold.body.type)
    return collects and fold.domain.mode is DomainMode.MEMBERS and not is_deep


def is_streamed(term: Term) -> bool:
    """Whether going through a list spares making it."""
    match term:
        case Read(Contents() | AllTokens()) | Apply(lists.RANGE):
            return True
        case Read(Variable()):
            return _is_token_set(term)
        case Apply(lists.UNION):
            return joined_places(term) is not None
        case Apply(lists.LIST, (only,)):
            return not is_list(only.type)
        case Fold():
            return _is_plain(term)
        case Apply(Function() as called):
            return len(called.cases) == 1 and is_streamed(called.cases[0].value)
        case _:
            return False


def is_scattered(term: Term) -> bool:
    """Whether the members of a list that need not be made may lie in any place."""
    match term:
        case Read(AllTokens()):
            return True
        case Fold(mode=FoldMode.FILTER):
            return _is_plain(term) and is_scattered(term.domain.members)
        case Apply(Function() as called):
            return len(called.cases) == 1 and is_scattered(called.cases[0].value)
        case _:
            return False


def most_members(plan: Plan, term: Term) -> int | None:
    """A bound for the members of a list that is gone through without being made."""
    match term:
        case Read(Contents(), (where,)) if is_list(where.type) and not is_unique(where):
            return None
        case Read(Contents() | AllTokens()):
            return plan.tokens
        case Apply(lists.UNION) if joined_places(term) is not None:
            return plan.tokens
        case Apply(lists.LIST, (only,)) if not is_list(only.type):
            return 1
        case Fold() if _is_plain(term):
            return most_members(plan, term.domain.members)
        case Apply(Function() as called) if len(called.cases) == 1:
            return most_members(plan, called.cases[0].value)
        case _:
            return None
