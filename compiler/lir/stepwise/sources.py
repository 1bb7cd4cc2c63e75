"""What can be read: variables, places, and everything about tokens."""

from typing import TypeAlias, assert_never

from attrs import define

from compiler.graph.core import (
    AllTokens,
    Attribute,
    Contents,
    FaceUp,
    FlagOf,
    HolderOf,
    KindOf,
    PlaceOfToken,
    PositionOf,
    Read,
    Term,
    Value,
    Variable,
)
from compiler.lir.build import add, binary, both, choice, negate, num
from compiler.lir.core import Expr, Number, Op
from compiler.lir.reps import NO_MEMBER, NONE, Unsupported
from compiler.lir.stepwise.asks import Asks
from compiler.lir.stepwise.code import (
    Code,
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
from compiler.lir.stepwise.levels import ends
from compiler.lir.stepwise.lists import elements, new, push, size
from compiler.lir.stepwise.plan import Plan, is_list, may_be_none
from compiler.lir.stepwise.references import bit
from compiler.lir.stepwise.tokens import SET
from compiler.types import PlaceOf, SetOf, Square, Type, has_tokens, present

_OfToken: TypeAlias = Attribute | KindOf | PlaceOfToken | HolderOf | PositionOf | FaceUp | FlagOf


@define(eq=False)
class Sources:
    """Reads sources where a reader reads."""

    reader: Asks

    @property
    def plan(self) -> Plan:
        """Where things are."""
        return self.reader.plan

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.reader.code

    def of(self, read: Read) -> Expr:
        """What a source holds."""
        source = read.source
        if isinstance(source, Variable):
            return self._variable(read, in_order=True)
        if isinstance(source, AllTokens):
            return self._all_tokens(source)
        arg = read.args[0]
        if isinstance(source, Contents):
            return self._contents(arg)
        value = self.code.keep(self.reader.term(arg))
        if not may_be_none(arg.type):
            return self._of(source, arg.type, value)
        found = self.code.local("read", NONE)
        with self.code.when(differ(value, NONE)) as there:
            there.set(found, Sources(self.reader.inside(there))._of(source, arg.type, value))
        return found

    def _of(self, source: _OfToken, type_: Type, value: Expr) -> Expr:
        """Something about a token or place that is there."""
        if isinstance(source, HolderOf) and isinstance(present(type_), PlaceOf | Square):
            return self._holder(value)
        return self._of_token(source, value)

    def _holder(self, place: Expr) -> Expr:
        holders = tuple(
            NONE if place.holder is None else place.holder for place in self.plan.graph.places
        )
        return word(self.plan.memory.constant(holders), place)

    def _of_token(self, source: _OfToken, token: Expr) -> Expr:
        tokens = self.reader.tokens
        match source:
            case Attribute(token_class, _, position):
                kinds = self.plan.graph.token_class(token_class).kinds
                column = tuple(self.plan.memory.listed(kind.values[position]) for kind in kinds)
                return word(self.plan.memory.constant(column), self.kind(token_class, token))
            case KindOf(token_class):
                return self.kind(token_class, token)
            case PlaceOfToken():
                return tokens.place(token)
            case HolderOf():
                return self._holder(tokens.place(token))
            case PositionOf():
                is_set = is_(tokens.shape(tokens.place(token)), SET)
                return self.code.keep(choice(is_set, num(NONE), call("position_of", token)))
            case FaceUp():
                return tokens.face(token)
            case FlagOf(name):
                return self._flag(name, token)
            case _:
                assert_never(source)

    def kind(self, token_class: str, token: Expr) -> Expr:
        """The kind of a token that is there and has one."""
        found = self.reader.tokens.kind(token)
        if not self.plan.may_hide(self.plan.class_index(token_class)):
            return found
        kept = self.code.keep(found)
        self.reader.unseen(self.code, less(kept, 0))
        if self.reader.unsure is None and self.reader.care.doubt is None:
            return kept
        return self.code.keep(choice(less(kept, 0), num(0), kept))

    def _flag(self, name: str, token: Expr) -> Expr:
        if name not in self.plan.flag_bits:
            raise Unsupported(f"the flag `{name}` that no token has")
        number = self.plan.flag_bits[name]
        if any(number in bits for bits in self.plan.sticky_bits):
            self.reader.unseen(self.code, less(self.reader.tokens.kind(token), 0))
        return bit(self.reader.tokens.flags(token), number)

    def _contents(self, where: Term) -> Expr:
        value = self.code.keep(self.reader.term(where))
        if is_list(where.type):
            return self.code.keep(call("contents_of", self.reader.arena.listed(value)))
        if not may_be_none(where.type):
            return self.code.keep(call("contents", value))
        found = self.code.local("contents", NONE)
        with self.code.when(differ(value, NONE)) as there:
            there.set(found, call("contents", value))
        return found

    def _all_tokens(self, source: AllTokens) -> Expr:
        plan, tokens = self.plan, self.reader.tokens
        handles = plan.class_tokens[plan.class_index(source.token_class)]
        places = plan.graph.places
        wanted = tuple(p.index for p in places if p.token_class in (None, source.token_class))
        chosen = tuple(
            int(source.kinds is None or kind in source.kinds)
            for kind in range(len(plan.graph.token_class(source.token_class).kinds))
        )
        listed = self.code.keep(call("contents_of", plan.memory.listed(wanted)))
        made = new(self.code, len(handles))
        with elements(self.code, listed) as (each, one):
            each.again_if(negate(both(at_least(one, handles.start), less(one, handles.stop))))
            if source.kinds is not None:
                kind = each.keep(tokens.kind(one))
                self.reader.unseen(each, less(kind, 0))
                each.again_if(less(kind, 0))
                each.again_if(negate(word(plan.memory.constant(chosen), kind)))
            push(each, made, one)
        return made

    # ---- variables

    def _variable(self, read: Read, *, in_order: bool) -> Expr:
        variable, args = read.source, read.args
        assert isinstance(variable, Variable)
        keys = [self.code.keep(self.reader.term(arg)) for arg in args]
        optional = [k for k, arg in zip(keys, args, strict=True) if may_be_none(arg.type)]
        if not optional:
            return self._held(read, keys, in_order)
        missing = is_(optional[0], NONE)
        for key in optional[1:]:
            missing = binary(Op.OR, missing, is_(key, NONE))
        found = self.code.local("held", NONE)
        with self.code.when(negate(missing)) as there:
            inside = Sources(self.reader.inside(there))
            there.set(found, inside._held(read, keys, in_order))
        return found

    def unsorted(self, read: Read) -> Expr:
        """A set of tokens that a variable holds, as it is kept; `NONE` for none."""
        return self._variable(read, in_order=False)

    def _held(self, read: Read, keys: list[Expr], in_order: bool) -> Expr:
        variable = read.source
        assert isinstance(variable, Variable)
        address = self.slot(variable, keys, tuple(present(arg.type) for arg in read.args))
        if not is_list(variable.type):
            return at(address)
        pointer = self.code.keep(address)
        found: Expr = pointer
        if may_be_none(variable.type):
            found = self.code.keep(choice(is_(size(pointer), NONE), num(NONE), pointer))
        if not in_order:
            return found
        is_set = isinstance(present(variable.type), SetOf)
        if not is_set or not has_tokens(variable.type):
            return found
        listed = call("in_order", self.reader.arena.listed(found))
        if not may_be_none(variable.type):
            return self.code.keep(listed)
        ordered = self.code.local("ordered", NONE)
        with self.code.when(differ(found, NONE)) as there:
            there.set(ordered, listed)
        return ordered

    def slot(self, variable: Variable, keys: list[Expr], types: tuple[Type, ...] = ()) -> Expr:
        """The address of the slot that keys name; it stops the machine if there is none.

        No key is looked at whose type shows that there is one.
        """
        home = self.plan.homes[variable]
        index: Expr = num(0)
        for at_, (values, key) in enumerate(zip(variable.keys, keys, strict=True)):
            known = types[at_] if types else None
            index = add(times(index, len(values)), self._position(values, key, known))
        address = plus(times(index, home.stride), home.address)
        if home.shift:
            return plus(address, times(word(self.plan.in_trigger), home.shift))
        return address

    def _position(self, values: tuple[Value, ...], key: Expr, type_: Type | None) -> Expr:
        listed = [value for value in values if isinstance(value, int)]
        if len(listed) < len(values) or not listed:
            raise Unsupported("a family whose keys are no numbers")
        low, high = min(listed), max(listed)
        if isinstance(key, Number):
            if key.value not in listed:
                self.code.trap_if(num(1), NO_MEMBER)
                return num(0)
            return num(listed.index(key.value))
        least, most = (None if type_ is None else ends(type_)) or (low - 1, high + 1)
        if least < low:
            self.code.trap_if(less(key, low), NO_MEMBER)
        if most > high:
            self.code.trap_if(less(high, key), NO_MEMBER)
        if listed == list(range(low, high + 1)):
            return plus(key, -low)
        table = tuple(listed.index(n) if n in listed else -1 for n in range(low, high + 1))
        found = self.code.keep(word(self.plan.memory.constant(table), plus(key, -low)))
        self.code.trap_if(less(found, 0), NO_MEMBER)
        return found
