"""The steps of a graph, a function for each node: does the step, gives the node that comes next.

A step that needs a hidden card's kind lets chance decide it and gives its own number: it is gone
through again.
"""

from typing import Final, assert_never

from attrs import define

from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Blind,
    Branch,
    Call,
    Chance,
    Choose,
    Distribution,
    End,
    FaceTarget,
    FlagTarget,
    Flow,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Node,
    Pick,
    Read,
    Return,
    Roll,
    Shape,
    Shuffle,
    Term,
    Variable,
)
from compiler.lir.build import both, choice, negate, num
from compiler.lir.core import Expr, Function
from compiler.lir.reps import FULL, NONE, NOWHERE, SHORT, UNFIT, Unsupported
from compiler.lir.stepwise.asking import Asking
from compiler.lir.stepwise.code import (
    Code,
    at,
    at_least,
    call,
    differ,
    function,
    is_,
    joined,
    less,
    plus,
    put_word,
    times,
    word,
)
from compiler.lir.stepwise.drawing import Drawing
from compiler.lir.stepwise.ending import EndSteps
from compiler.lir.stepwise.knowing import Knowing
from compiler.lir.stepwise.laws import Laws
from compiler.lir.stepwise.lists import elements, new, push, size
from compiler.lir.stepwise.plan import Plan, is_list, may_be_none
from compiler.lir.stepwise.pools import SELDOM
from compiler.lir.stepwise.settled import is_settled
from compiler.lir.stepwise.shuffling import Shuffling
from compiler.lir.stepwise.storing import Storing, form_of
from compiler.lir.stepwise.terms import Terms
from compiler.lir.stepwise.tokens import Tokens
from compiler.lir.stepwise.unique import is_unique
from compiler.lir.stepwise.watching import FINISHED, Watching
from compiler.ops import lists
from compiler.types import PlaceOf, SetOf, Token, present
from compiler.types import element as element_type


@define(eq=False)
class Steps:
    """The functions of one graph's nodes."""

    plan: Plan
    terms: Terms
    tokens: Tokens
    storing: Storing
    watching: Watching
    asking: Asking
    drawing: Drawing
    laws: Laws
    ending: EndSteps
    knowing: Knowing | None
    spare: int  # how many steps more may be taken at once

    def functions(self) -> tuple[Function, ...]:
        """One for each node, and what they share."""
        graph = self.plan.graph
        return (
            function("leave", (), self._leave),
            *(self._node(node) for node in graph.nodes),
        )

    def _node(self, node: Node) -> Function:
        def body(code: Code) -> None:
            code.put(self.terms.arena.clear())
            self.tokens.references.fresh(code)
            if _may_wait(node):
                self.laws.at_stop(code, node)
            self._step(code, node)

        return function(f"n{node.id}", (), body, note=f"{node.phase}: {node.title}")

    def _step(self, code: Code, node: Node) -> None:
        match node.step:
            case Branch(test):
                holds = self.terms.of(code).test(test)
                code.give(choice(holds, num(node.next[0]), num(node.next[1])))
            case Assign():
                self._assign(code, node, node.step)
                self.watching.after(code, node, node.next[0])
            case Move():
                self._move(code, node, node.step)
                self.watching.after(code, node, node.next[0])
            case Choose(joint=joint):
                (self.asking.ask_all if joint else self.asking.ask)(code, node, node.step)
            case Chance(distribution):
                self._chance(code, node, distribution)
            case Flow(way):
                self._flow(code, node, way)
            case _:
                assert_never(node.step)

    def _chance(self, code: Code, node: Node, distribution: Distribution) -> None:
        match distribution:
            case Shuffle(place):
                shuffling = Shuffling(
                    self.plan,
                    self.terms,
                    self.tokens,
                    self.watching,
                    self.knowing,
                    self.laws,
                    self.spare,
                )
                shuffling.step(code, node, place)
                self.watching.after(code, node, node.next[0])
            case Roll() | Pick() | Blind():
                self.drawing.step(code, node, distribution)
            case _:
                assert_never(distribution)

    # ---- ways on

    def _flow(self, code: Code, node: Node, way: Call | Jump | Return | Leave | End) -> None:
        match way:
            case Call(phase):
                self._push(code, node.id)
                self.laws.begun(code, node)
                code.give(self.plan.graph.phase(phase).entry)
            case Jump(phase):
                self.laws.begun(code, node)
                code.give(self.plan.graph.phase(phase).entry)
            case Return():
                code.give(call("leave"))
            case Leave(phase):
                self._leave_phase(code, node, phase)
            case End():
                self.ending.step(code, way)
                ended = self.plan.homes[self.plan.graph.ended].address
                code.put(put_word(ended, 1), put_word(self.plan.depth, 0))
                code.put(put_word(self.plan.fired, 0))
                self.laws.at_stop(code, node)
                code.give(FINISHED)
            case _:
                assert_never(way)

    def _push(self, code: Code, frame: int) -> None:
        depth = code.keep(word(self.plan.depth))
        code.trap_if(at_least(depth, _DEEPEST), SELDOM)
        code.put(put_word(self.plan.stack, frame, depth), put_word(self.plan.depth, plus(depth, 1)))

    def _leave(self, code: Code) -> None:
        """Leaves the innermost frame: where it goes on."""
        nodes = self.plan.graph.nodes
        behind = tuple(
            node.next[0] if isinstance(node.step, Flow) and node.next else 0 for node in nodes
        )
        depth = code.keep(plus(word(self.plan.depth), -1))
        code.trap_if(less(depth, 0), SELDOM)
        code.put(put_word(self.plan.depth, depth))
        frame = code.keep(word(self.plan.stack, depth))
        resumed = plus(times(frame, -1), -1)
        code.give_if(less(frame, 0), call("end_trigger", resumed))
        code.give(word(self.plan.memory.constant(behind), frame))

    def _leave_phase(self, code: Code, node: Node, phase: str) -> None:
        names = {one.name: at_ for at_, one in enumerate(self.plan.graph.phases)}
        table = tuple(names[one.phase] for one in self.plan.graph.nodes)
        running = code.local("running", names[node.phase])
        interrupted = code.local("is_interrupted", 0)
        with code.loop() as up:
            up.leave_if(is_(running, names[phase]))
            depth = up.keep(plus(word(self.plan.depth), -1))
            up.trap_if(less(depth, 0), SELDOM)
            up.put(put_word(self.plan.depth, depth))
            frame = up.local("frame", word(self.plan.stack, depth))
            with up.when(less(frame, 0)) as trigger:
                trigger.set(interrupted, 1)
                trigger.set(frame, plus(times(frame, -1), -1))
            up.set(running, word(self.plan.memory.constant(table), frame))
        with code.when(interrupted) as trigger:
            trigger.put(put_word(self.plan.in_trigger, 0))
        then = code.keep(call("leave"))
        code.give_if(interrupted, call("end_trigger", then))
        code.give(then)

    # ---- blocks of tokens

    def _block(self, code: Code, term: Term) -> Expr:
        """The tokens a term gives, as a list without repetition."""
        value = code.keep(self.terms.of(code).term(term))
        if not is_list(term.type):
            code.trap_if(is_(value, NONE), UNFIT)
            made = new(code, 1)
            push(code, made, value)
            return made
        if may_be_none(term.type):
            code.trap_if(is_(value, NONE), UNFIT)
        inner = element_type(term.type)
        if inner is not None and may_be_none(inner):
            code.trap_if(call("list_in", NONE, value), UNFIT)
        match term:
            case Apply(lists.JUST) | Apply(lists.LIST, (_,)):
                return value
            case _:
                pass
        # What lies in a place may move, so that the list is one of its own.
        return code.keep(call("list_copy" if is_unique(term) else "list_distinct_small", value))

    def _heap(self, code: Code, term: Term) -> Expr:
        """The tokens a term gives, in any order, for what leaves them where they are."""
        inner = element_type(term.type)
        if not is_list(term.type) or may_be_none(term.type) or inner is None or may_be_none(inner):
            return self._block(code, term)
        value = code.keep(self.terms.of(code).loose(term))
        return value if is_unique(term) else code.keep(call("list_distinct_small", value))

    def _classes(self, term: Term) -> list[str]:
        """The classes of the tokens a term gives."""
        inner = element_type(term.type) if is_list(term.type) else term.type
        match None if inner is None else present(inner):
            case Token(token_class):
                return [token_class]
            case _:
                return [class_.name for class_ in self.plan.graph.classes]

    def _may_hide(self, term: Term) -> bool:
        return any(self.plan.may_hide(self.plan.class_index(name)) for name in self._classes(term))

    def _uncover_if(self, code: Code, test: Expr, tokens: Expr, node: Node) -> None:
        """If one of these has no kind, chance gives it one and the step is taken again."""
        with code.when(both(test, call("hidden", tokens))) as unseen:
            self.laws.at_draw(unseen)
            unseen.do("resolve", call("first_hidden", tokens))
            unseen.give(node.id)

    def _uncover_all(self, code: Code, tokens: Expr, node: Node) -> None:
        """Gives all of these their kinds, in the order in which they lie.

        The step would be taken again after each, with the same tokens; so many steps are counted.
        """
        with elements(code, tokens) as (each, token):
            with each.when(less(self.tokens.kind(token), 0)) as unseen:
                self.laws.at_draw(unseen)
                unseen.do("resolve", token)
                spare = unseen.keep(word(self.spare))
                unseen.give_if(less(spare, 1), node.id)
                unseen.put(put_word(self.spare, plus(spare, -1)))

    # ---- moves

    def _move(self, code: Code, node: Node, move: Move) -> None:
        tokens = self._block(code, move.tokens)
        reader = self.terms.of(code)
        if move.count is not None:
            code.trap_if(less(size(tokens), code.keep(reader.number(move.count))), SHORT)
        place = code.keep(reader.term(move.place))
        code.trap_if(is_(place, NONE), NOWHERE)
        hides = self._may_hide(move.tokens)
        self._check_room(code, node, move, tokens, place)
        ups = tuple(int(p.face_up) for p in self.plan.graph.places)
        up: Expr = word(self.plan.memory.constant(ups), place)
        if move.face_up is not None:
            up = num(move.face_up)
        up = code.keep(up)
        if hides:
            seen = joined(up, differ(call("viewers", place), 0))
            if is_settled(self.plan, move):
                with code.when(seen) as open_:
                    self._uncover_all(open_, tokens, node)
            else:
                with code.when(call("hidden", tokens)) as unseen:
                    self._uncover_if(unseen, unseen.keep(seen), tokens, node)
        if self.knowing is None:
            code.do("carry", tokens, place, up, int(move.at_bottom))
            return
        orderly = self.knowing.order(code, node, tokens)
        self.knowing.before(code, node, tokens)
        code.do("carry", tokens, place, up, int(move.at_bottom))
        self.knowing.after(code, node, tokens, self.knowing.shown(code, node), orderly)

    def _check_room(self, code: Code, node: Node, move: Move, tokens: Expr, place: Expr) -> None:
        places, memory = self.plan.graph.places, self.plan.memory
        names = self._classes(move.tokens)
        target = present(move.place.type)
        if not isinstance(target, PlaceOf) or names != [target.token_class]:
            admitted = tuple(
                -1 if p.token_class is None else self.plan.class_index(p.token_class)
                for p in places
            )
            wanted = code.keep(word(memory.constant(admitted), place))
            with elements(code, tokens) as (each, token):
                theirs = word(memory.constant(self.plan.token_class), token)
                each.trap_if(both(at_least(wanted, 0), differ(wanted, theirs)), UNFIT)
        if any(p.kinds is not None for p in places):
            self._check_kinds(code, node, move, tokens, place)
        rooms = tuple(
            1 if p.shape is Shape.ONE else -1 if p.capacity is None else p.capacity for p in places
        )
        if any(room >= 0 for room in rooms):
            room = code.keep(word(memory.constant(rooms), place))
            with code.when(at_least(room, 0)) as bounded:
                arriving = bounded.local("arriving", self.tokens.count(place))
                with elements(bounded, tokens) as (each, token):
                    elsewhere = differ(self.tokens.place(token), place)
                    each.step(arriving, elsewhere)
                bounded.trap_if(less(room, arriving), FULL)

    def _check_kinds(self, code: Code, node: Node, move: Move, tokens: Expr, place: Expr) -> None:
        """Some places take only some kinds of their class."""
        memory = self.plan.memory
        rows = []
        for one in self.plan.graph.places:
            class_index = self.plan.class_of(one)
            if one.kinds is None or class_index is None:
                rows.append(0)
            else:
                kinds = range(len(self.plan.graph.classes[class_index].kinds))
                rows.append(memory.constant(tuple(int(kind in one.kinds) for kind in kinds)))
        admitted = code.keep(word(memory.constant(tuple(rows)), place))
        with code.when(differ(admitted, 0)) as choosy:
            if self._may_hide(move.tokens):
                self._uncover_if(choosy, num(1), tokens, node)
            with elements(choosy, tokens) as (each, token):
                kind = self.tokens.kind(token)
                each.trap_if(negate(at(plus(admitted, times(kind, 4)))), UNFIT)

    # ---- assignments

    def _assign(self, code: Code, node: Node, step: Assign) -> None:
        match step.target:
            case Variable() as variable:
                self._set(code, node, variable, step)
            case FaceTarget():
                self._turn(code, node, step)
            case FlagTarget(name):
                self._mark(code, node, step, name)
            case KnownTarget():
                self._show(code, node, step)
            case _:
                assert_never(step.target)

    def _set(self, code: Code, node: Node, variable: Variable, step: Assign) -> None:
        reader = self.terms.of(code)
        match step.value:
            case Apply(lists.REST, (Read(source, ()),)) if source is variable and not step.args:
                if not may_be_none(variable.type):
                    self.storing.drop_first(code, code.keep(reader.slot(variable, [])))
                    return
        is_set = isinstance(present(variable.type), SetOf)
        value = code.keep((reader.loose if is_set else reader.term)(step.value))
        keys = [code.keep(reader.term(arg)) for arg in step.args]
        address = reader.slot(variable, keys)
        given, form = step.value.type, form_of(step.value)
        if self.knowing is not None:
            self.knowing.before(code, node)
        self.storing.store(code, variable, address, value, given, form)
        if self.knowing is not None:
            self.knowing.after(code, node)

    def _turn(self, code: Code, node: Node, step: Assign) -> None:
        up = code.keep(self.terms.of(code).test(step.value))
        block = self._block(code, step.args[0])
        turned = new(code, size(block))
        cards = tuple(int(class_.is_card) for class_ in self.plan.graph.classes)
        by_token = self.plan.memory.constant(tuple(cards[c] for c in self.plan.token_class))
        with elements(code, block) as (each, token):
            with each.when(differ(self.tokens.face(token), choice(up, num(1), num(0)))) as other:
                other.trap_if(negate(word(by_token, token)), UNFIT)
                push(other, turned, token)
        if self._may_hide(step.args[0]):
            self._uncover_if(code, num(1), turned, node)
        if self.knowing is not None:
            self.knowing.before(code, node, turned)
        with elements(code, turned) as (each, token):
            each.put(put_word(self.plan.face, choice(up, num(1), num(0)), token))
            each.do("keep_look", token)
        if self.knowing is not None:
            self.knowing.after(code, node, turned)

    def _mark(self, code: Code, node: Node, step: Assign, name: str) -> None:
        on = code.keep(self.terms.of(code).test(step.value))
        block = self._heap(code, step.args[0])
        number = self.plan.flag_bits[name]
        sticky = {class_.name for class_ in self.plan.graph.classes if name in class_.sticky_flags}
        named = self._classes(step.args[0])
        if sticky and not sticky.issuperset(named):
            raise Unsupported("a flag that is sticky for some of the tokens it is put on")
        match step.args[0]:
            case Read(AllTokens(kinds=None)):
                pass  # pools have no other tokens
            case _ if sticky:
                self._uncover_parts(code, block, node)
        if self.knowing is not None:
            if sticky:
                code.do("know_flagged", block, number, choice(on, num(1), num(0)))
            self.knowing.before(code, node)
        flagged = tuple(int(name in place.flags) for place in self.plan.graph.places)
        last = code.local("last", -1)
        with elements(code, block) as (each, token):
            if not sticky:
                here = word(self.plan.memory.constant(flagged), self.tokens.place(token))
                each.trap_if(negate(here), UNFIT)
            else:
                with each.when(less(self.tokens.kind(token), 0)) as hidden:
                    pool = hidden.keep(self.tokens.pool(token))
                    with hidden.when(differ(pool, last)) as another:
                        another.set(last, pool)
                        another.do("flag_pool", pool, number, choice(on, num(1), num(0)))
                    hidden.again()
            flags = each.keep(self.tokens.flags(token))
            flag = choice(on, num(1 << number), num(0))
            marked = each.keep(joined(both(flags, num(~(1 << number))), flag))
            with each.when(differ(marked, flags)) as other:
                other.put(put_word(self.plan.flags, marked, token))
                other.do("keep_look", token)
        if self.knowing is not None:
            self.knowing.after(code, node)

    def _uncover_parts(self, code: Code, block: Expr, node: Node) -> None:
        """Whole pools are flagged without being settled; single cards of a pool are settled."""
        parts = new(code, size(block))
        inside = self.plan.memory.words(len(self.plan.graph.places))
        with code.up_to(len(self.plan.graph.places)) as (each, place):
            each.put(put_word(inside, 0, place))
        with elements(code, block) as (each, token):
            with each.when(less(self.tokens.kind(token), 0)) as hidden:
                pool = hidden.keep(self.tokens.pool(token))
                hidden.put(put_word(inside, plus(word(inside, pool), 1), pool))
        with elements(code, block) as (each, token):
            with each.when(less(self.tokens.kind(token), 0)) as hidden:
                pool = hidden.keep(self.tokens.pool(token))
                with hidden.when(differ(word(inside, pool), word(self.plan.pooled, pool))) as part:
                    push(part, parts, token)
        with code.when(size(parts)) as some:
            self.laws.at_draw(some)
            some.do("resolve", call("first_hidden", parts))
            some.give(node.id)

    def _show(self, code: Code, node: Node, step: Assign) -> None:
        """What is shown to somebody has a kind from then on."""
        audience = step.value
        seats: Expr = num(1)
        if is_list(audience.type):
            seats = size(code.keep(self.terms.of(code).listed(audience)))
        block = self._block(code, step.args[0])
        if self._may_hide(step.args[0]):
            self._uncover_if(code, differ(seats, 0), block, node)
        if self.knowing is not None:
            watchers = self.knowing.audience(code, audience)
            self.knowing.before(code, node)
            code.do("know_shown", block, watchers)
            self.knowing.after(code, node)


def _may_wait(node: Node) -> bool:
    """Whether a game may stop before the step of a node, and go on from there."""
    match node.step:
        case Choose():
            return True
        case Chance(drawn):
            return not isinstance(drawn, Shuffle)
        case _:
            return False


_DEEPEST: Final = 64
