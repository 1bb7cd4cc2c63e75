"""Chance: rolls, picks and blind takes, each drawn with its exact odds."""

from math import prod

from attrs import define

from compiler.graph.core import Blind, DomainMode, Node, Pick, Roll, Value, Variable
from compiler.lir.build import binary, both, negate, num
from compiler.lir.core import Expr, Local, Op
from compiler.lir.reps import NONE, UNDEFINED, Unsupported
from compiler.lir.stepwise.choosing import subsets
from compiler.lir.stepwise.code import (
    Code,
    at,
    at_least,
    call,
    is_,
    less,
    plus,
    put_at,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.knowing import Knowing
from compiler.lir.stepwise.lists import element, elements, new, push, size
from compiler.lir.stepwise.plan import Plan, is_list
from compiler.lir.stepwise.pools import SELDOM, below
from compiler.lir.stepwise.storing import Form, Storing
from compiler.lir.stepwise.terms import Terms
from compiler.lir.stepwise.tokens import SET, Tokens
from compiler.lir.stepwise.watching import Watching
from compiler.types import element as element_type
from compiler.types import has_tokens


@define(eq=False)
class Drawing:
    """The chance steps of one graph."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    storing: Storing
    watching: Watching
    knowing: Knowing | None
    draws: int

    def step(self, code: Code, node: Node, drawn: Roll | Pick | Blind) -> None:
        """Draws, and leaves the function for the node that comes next."""
        if self.watching.exposes(node):
            self._refuse_hidden(code)
        if self.knowing is not None:
            self.knowing.before(code, node)
        match drawn:
            case Roll():
                self._roll(code, drawn)
            case Pick():
                self._pick(code, drawn)
            case Blind():
                self._blind(code, drawn)
        if self.knowing is not None:
            self.knowing.after(code, node)
        self.watching.after(code, node, node.next[0])

    def _refuse_hidden(self, code: Code) -> None:
        """Each result may ask for other cards: the interpreter looks at all of them."""
        for place in range(len(self.plan.graph.places)):
            if self.plan.sorts[place]:
                code.trap_if(word(self.plan.pooled, place), SELDOM)

    def _one_of(self, code: Code, many: Expr, total: Expr) -> Expr:
        """A number below a total; nothing is drawn where there is one result."""
        number = code.local("number", 0)
        with code.when(less(1, many)) as several:
            several.put(put_word(self.draws, plus(word(self.draws), 1)))
            several.set(number, below(0, total))
        return number

    # ---- dice

    def _roll(self, code: Code, roll: Roll) -> None:
        sizes = [len(faces) for _, _, faces in roll.dice]
        total = prod(sizes)
        if total >= 1 << 31:
            raise Unsupported("so many dice")
        reader = self.terms.of(code)
        slots = [
            code.keep(reader.slot(variable, [code.keep(reader.term(arg)) for arg in args]))
            for variable, args, _ in roll.dice
        ]
        kinds = prod(len(set(faces)) for _, _, faces in roll.dice)
        number = code.local("rest", self._one_of(code, num(kinds), num(total)))
        behind = total
        for (variable, _, faces), slot in zip(roll.dice, slots, strict=True):
            behind //= len(faces)
            value = self._face(code, faces, number, behind)
            unique = all(not isinstance(f, tuple) or len(set(f)) == len(f) for f in faces)
            form = Form.UNIQUE if unique else Form.ANY
            self.storing.store(code, variable, slot, value, variable.type, form)

    def _face(self, code: Code, faces: tuple[Value, ...], number: Local, behind: int) -> Expr:
        """The face that a number means, which keeps what the dice behind it mean.

        The results of a die are its different faces; one that is there twice is twice as likely.
        """
        memory = self.plan.memory
        kept = tuple(dict.fromkeys(faces))
        weights = tuple(faces.count(face) for face in kept)
        spots = tuple(at_ for at_, weight in enumerate(weights) for _ in range(weight))
        spot = code.local("spot", binary(Op.DIV, number, num(behind)))
        if len(kept) == len(faces):
            code.set(number, plus(number, times(spot, -behind)))
        else:
            code.set(spot, word(memory.constant(spots), spot))
            before = tuple(sum(weights[:at_]) for at_ in range(len(kept)))
            first = word(memory.constant(before), spot)
            rest = plus(number, times(first, -behind))
            code.set(number, binary(Op.DIV, rest, word(memory.constant(weights), spot)))
        listed = tuple(memory.listed(face) for face in kept)
        return word(memory.constant(listed), spot)

    # ---- picks

    def _pick(self, code: Code, pick: Pick) -> None:
        reader = self.terms.of(code)
        keys = [code.keep(reader.term(arg)) for arg in pick.args]
        address = code.keep(reader.slot(pick.variable, keys))
        members = code.keep(reader.listed(pick.domain.members))
        if pick.domain.mode is DomainMode.SUBSETS:
            self._pick_subset(code, pick, members, address)
            return
        if pick.domain.mode is DomainMode.ORDERS:
            raise Unsupported("picking an order")
        groups, weights = new(code, size(members)), new(code, size(members))
        total = code.local("total", 0)
        with elements(code, members) as (each, one):
            if pick.where is not None:
                assert pick.bound is not None
                inner = reader.binding(each, pick.bound, one)
                each.again_if(negate(each.keep(inner.test(pick.where))))
            each.step(total)
            self._group(each, pick.variable, one, groups, weights)
        code.trap_if(is_(total, 0), UNDEFINED)
        number = self._one_of(code, size(groups), total)
        value = code.keep(element(groups, self._weighed(code, weights, number)))
        given = element_type(pick.domain.members.type) or pick.variable.type
        self.storing.store(code, pick.variable, address, value, given)

    def _group(
        self, code: Code, variable: Variable, one: Expr, groups: Expr, weights: Expr
    ) -> None:
        """Counts a candidate to the first that is the same."""
        same = code.local("same", -1)
        with code.up_to(size(groups)) as (each, j):
            other = each.keep(element(groups, j))
            alike = is_(one, other)
            if has_tokens(variable.type):
                alike = call("same_thing", one, other)
            with each.when(alike) as found:
                found.set(same, j)
                found.leave()
        with code.either(less(same, 0)) as (fresh, known):
            push(fresh, groups, one)
            push(fresh, weights, 1)
            known.put(put_at(weights, plus(element(weights, same), 1), plus(same, 1)))

    def _weighed(self, code: Code, weights: Expr, number: Expr) -> Expr:
        """The index of the weight that a number falls to."""
        index = code.local("index", 0)
        rest = code.local("rest", number)
        with code.loop() as search:
            search.leave_if(less(rest, element(weights, index)))
            search.step(rest, times(element(weights, index), -1))
            search.step(index)
        return index

    def _pick_subset(self, code: Code, pick: Pick, members: Expr, address: Expr) -> None:
        """Sets one by one, each as likely: of scalars, which are all different."""
        if has_tokens(pick.variable.type) or pick.where is not None:
            raise Unsupported("picking sets of tokens")
        reader = self.terms.of(code)
        low, high = reader.bounds(pick.domain.low, pick.domain.high, members)
        total = code.local("total", 0)
        with subsets(code, self.plan.memory, members, low, high) as (each, _):
            each.step(total)
        code.trap_if(is_(total, 0), UNDEFINED)
        number = code.local("left", self._one_of(code, total, total))
        with code.loop("picked") as once:
            with subsets(once, self.plan.memory, members, low, high) as (each, made):
                with each.when(is_(number, 0)) as chosen:
                    given = pick.variable.type
                    self.storing.store(chosen, pick.variable, address, made, given)
                    once.leave_from(chosen)
                each.step(number, -1)
            once.leave()

    # ---- blind takes

    def _blind(self, code: Code, blind: Blind) -> None:
        """One card taken unseen is one of those that look like it; of more the interpreter sees."""
        reader = self.terms.of(code)
        keys = [code.keep(reader.term(arg)) for arg in blind.args]
        address = code.keep(reader.slot(blind.variable, keys))
        seat = code.keep(reader.term(blind.actor))
        code.trap_if(is_(seat, NONE), UNDEFINED)
        spot = code.local("spot", -1)
        if is_list(blind.variable.type):
            with code.up_to(at(address)) as (each, i):
                hidden = self._is_blind(each, at(address, plus(i, 1)), seat)
                with each.when(hidden) as unseen:
                    unseen.trap_if(at_least(spot, 0), SELDOM)
                    unseen.set(spot, i)
        else:
            with code.when(self._is_blind(code, at(address), seat)) as unseen:
                unseen.set(spot, 0)
        with code.when(at_least(spot, 0)) as taking:
            cell = taking.keep(
                plus(address, times(plus(spot, int(is_list(blind.variable.type))), 4))
            )
            token = taking.keep(at(cell))
            taken = self._taken(taking, token, seat, cell)
            taking.put(put_at(cell, taken))
            if is_list(blind.variable.type):
                # A set is kept in ascending order.
                self.storing.store(taking, blind.variable, address, address, blind.variable.type)

    def _is_blind(self, code: Code, token: Expr, seat: Expr) -> Expr:
        token = code.keep(token)
        found = code.local("is_blind", 0)
        with code.when(at_least(token, 0)) as there:
            in_set = is_(self.tokens.shape(self.tokens.place(token)), SET)
            there.set(found, both(in_set, negate(call("sees", token, seat))))
        return found

    def _taken(self, code: Code, token: Expr, seat: Expr, cell: Expr) -> Expr:
        """One of the look-alikes, the variable that refers to it left out of account."""
        if self.plan.token_slots:
            code.do("find_live")
            for number, slot in enumerate(self.plan.token_slots):
                begin = slot.address
                inside = both(at_least(cell, begin), less(cell, begin + slot.home.stride))
                with code.when(inside) as mine:
                    self.tokens.references.overlook(mine, number)
        listed = code.keep(call("contents", self.tokens.place(token)))
        groups, weights = new(code, size(listed)), new(code, size(listed))
        total = code.local("total", 0)
        with elements(code, listed) as (each, other):
            each.again_if(negate(each.keep(call("same_look", token, other, seat))))
            each.step(total)
            last = each.local("last", plus(size(groups), -1))
            same = each.local("is_same", 0)
            with each.when(at_least(last, 0)) as some:
                before = some.keep(element(groups, last))
                some.set(same, self._same_content(before, other))
            with each.either(same) as (known, fresh):
                known.put(put_at(weights, plus(element(weights, last), 1), plus(last, 1)))
                push(fresh, groups, other)
                push(fresh, weights, 1)
        drawn = self._one_of(code, size(groups), total)
        return code.keep(element(groups, self._weighed(code, weights, drawn)))

    def _same_content(self, left: Expr, right: Expr) -> Expr:
        """Whether two cards are of one sort, or of one pool."""
        kinds = is_(self.tokens.kind(left), self.tokens.kind(right))
        pools = is_(self.tokens.pool(left), self.tokens.pool(right))
        sticky = num(self.tokens.sticky)
        flags = is_(both(self.tokens.flags(left), sticky), both(self.tokens.flags(right), sticky))
        return both(both(kinds, pools), flags)
