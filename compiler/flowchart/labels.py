"""What is written on boxes and arrows: the author's titles, else the text of the rule.

Texts here are plain and of any length; wrapping and escaping are the printer's.
"""

from collections.abc import Iterable
from typing import assert_never

from attrs import evolve, frozen

from compiler.flowchart.asking import odds
from compiler.flowchart.bookkeeping import kept
from compiler.flowchart.certain import asked_of
from compiler.flowchart.chances import told
from compiler.flowchart.handed import Handed, cut
from compiler.flowchart.loops import closes_window, each_of, finds_nobody, handed_on, meant
from compiler.flowchart.model import EdgeKind, Kind, Way
from compiler.flowchart.offers import conditions, typed
from compiler.flowchart.opened import opened
from compiler.flowchart.routes import Routes
from compiler.flowchart.units import Effects, Unit
from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Call,
    Chance,
    Choose,
    Clauses,
    Cond,
    Const,
    End,
    Flow,
    Jump,
    KnownTarget,
    Leave,
    Move,
    Node,
    Place,
    Read,
    Return,
    Shuffle,
    Step,
    Term,
    Variable,
)
from compiler.graph.naming import answers, player_called, spoken
from compiler.graph.occupancy import seen_by
from compiler.graph.sentences import Sentences, capital
from compiler.graph.walk import subterms
from compiler.graph.where import Where
from compiler.ops.lists import AFTER, FIRST, LIST

_LINES = 6  # effects named in one box, at most
_CONDITION = 120  # of a condition of an option
NEXT = "next one"
"""What an arrow says that leads to each that a loop goes through."""
DONE = "done"
"""What an arrow says behind the last of them."""

_OVER = "Over?"  # is asked where a window may end


@frozen
class Caption:
    """What one box says."""

    kind: Kind
    label: str
    actor: str = ""
    sub: str = ""
    slug: str = ""  # the author's title, if it has one: its name for other tools


@frozen
class Sign:
    """What one arrow says."""

    kind: EdgeKind
    label: str = ""
    clauses: Clauses = ()
    sub: str = ""


class Labels:
    """The texts of the boxes and arrows of one graph."""

    def __init__(self, routes: Routes, effects: Effects) -> None:
        self._routes = routes
        self._graph = routes.graph
        self._effects = effects
        self._where = Where(routes.graph)
        self._before = routes.predecessors(routes.nodes)
        self._titles = {procedure.name: procedure.title for procedure in routes.procedures}
        self._sentences = Sentences(routes.graph, lambda phase: self._titles[phase])
        self._words = self._sentences.words
        self.handed = Handed(routes.graph)

    # ---- boxes

    def caption(self, unit: Unit) -> Caption:
        """What a box says, and what kind it is."""
        caption = self._caption(unit)
        return evolve(caption, slug=self._slug(unit) or caption.slug)

    def alone(self, node: Node) -> Caption:
        """What a box says that is this node and nothing else."""
        match node.step:
            case Flow(Jump(phase)):
                return Caption(Kind.STEP, node.title or f"Go on as {self._titles[phase]}")
            case Assign() as step if not node.title and (said := kept(step, self._sentences)):
                return Caption(Kind.STEP, said)
            case _:
                return self._single(node, Unit((node.id,), lead=node.id))

    def _slug(self, unit: Unit) -> str:
        about = unit.loop if unit.lead is None else unit.lead
        if about is not None and self._node(about).title:
            return self._node(about).title
        if unit.named is not None:
            return self._graph.named[unit.named].title
        match None if about is None else self._node(about).step:
            case Flow(Call(phase)):
                return self._titles[phase]
            case _:
                return ""

    def _caption(self, unit: Unit) -> Caption:
        shown = [node for node in map(self._node, unit.nodes) if self._effects.visible(node)]
        if unit.lead is not None:
            return self._led(self._node(unit.lead), shown, unit)
        kind = _kind_of_many(shown)
        if unit.named is not None:
            title = self._graph.named[unit.named].title
            return Caption(kind, title, sub=self._calls(shown))
        if unit.loop is not None:
            return self._loop(self._node(unit.loop), shown, kind)
        return Caption(kind, self._lines(shown))

    def _led(self, lead: Node, shown: list[Node], unit: Unit) -> Caption:
        """A box about one node, with what only goes with it in the second line."""
        caption = self._single(lead, unit)
        others = [node for node in shown if node is not lead and not finds_nobody(node)]
        beside = "" if unit.cases else self._lines(others)
        if isinstance(lead.step, Flow) and isinstance(lead.step.way, Call):
            given, constant = self.handed.given(lead.step.way.phase, unit.nodes)
            says_so = self._is_named_after(lead.title, self._titles[lead.step.way.phase])
            beside = "" if constant or says_so else given
        return evolve(caption, sub="\n".join(filter(None, (caption.sub, beside))))

    def _node(self, node_id: int) -> Node:
        return self._routes.nodes[node_id]

    def _single(self, node: Node, unit: Unit) -> Caption:
        named = "" if unit.named is None else self._graph.named[unit.named].title
        title = node.title or named
        match node.step:
            case Choose() as choose:
                kind = self._decision(choose)
                return Caption(kind, title or "Choose", actor=self._actor(choose))
            case Branch(test) if closes_window(self._routes, node):
                return Caption(
                    Kind.QUESTION, _OVER, sub=f"if {self._asked(node, test)}", slug="over"
                )
            case Branch():
                each = self.question(node) if title and self.each(node) else ""
                return Caption(Kind.QUESTION, title or self.question(node), sub=_inner(each))
            case Chance(distribution):
                said = title or self._effect(node)
                return Caption(Kind.CHANCE, said, sub=told(distribution, self._graph))
            case Flow(Call(phase)):
                callee = self._titles[phase]
                below = "" if not title or self._is_named_after(title, callee) else callee
                return Caption(Kind.CALL, title or callee, sub=below)
            case Flow(End(ending, value)):
                outcome = cut(self._sentences.outcome(ending, value))
                return Caption(Kind.END, title or outcome, sub=outcome if title else "")
            case Flow(Return()):
                return Caption(Kind.RETURN, "")
            case Flow(Leave(phase)):
                return Caption(Kind.RETURN, f"leave {self._titles[phase]}")
            case Assign() | Move() | Flow():
                one_word = bool(named) and " " not in named and not node.title
                below = self._lines([node]) if one_word else ""
                return Caption(Kind.STEP, title or self._lines([node]), sub=below)
            case _:
                assert_never(node.step)

    def _is_named_after(self, title: str, callee: str) -> bool:
        """Whether the author's title for running a phase begins with its name: "Draw 2 cards"."""
        return title.lower().startswith(callee.lower())

    def _actor(self, choose: Choose) -> str:
        """Who decides; in a joint decision, each of those who are asked."""
        if choose.seat is None:
            return self._decider(choose.actor)
        return f"each {self._in(choose.seat.name, choose.actor)}"

    def _decider(self, actor: Term) -> str:
        """Who one player is who decides: "active player", "looker", "player p"."""
        said = self._words.text(actor)
        named = isinstance(actor, Read) and isinstance(actor.source, Variable) and not actor.args
        return player_called(said) if named else said

    def _in(self, name: str, domain: Term) -> str:
        """A name and what it goes through, with the filter of that as a condition on the name."""
        words = self._words.text(meant(self._routes, domain))
        return f"{spoken(name)} in {words.removeprefix(f'all {spoken(name)} in ')}"

    def _decision(self, choose: Choose) -> Kind:
        if choose.joint:
            return Kind.JOINT
        return Kind.WINDOW if self.is_window(choose) else Kind.DECISION

    def is_window(self, choose: Choose) -> bool:
        """A window is a decision whose actor, a variable, is handed on along a list."""
        for node in self._graph.nodes:
            match node.step:
                case Assign(Variable() as seat, (), Apply(op, (Apply(handing),))) if op is FIRST:
                    if handing is AFTER and choose.actor == Read(seat):
                        return True
                case _:
                    pass
        return False

    def _calls(self, shown: list[Node]) -> str:
        names = [
            self._titles[node.step.way.phase]
            for node in shown
            if isinstance(node.step, Flow) and isinstance(node.step.way, Call)
        ]
        counted = dict.fromkeys(names, 0)
        for name in names:
            counted[name] += 1
        return ", ".join(
            name if times == 1 else f"{name} ({times} times)" for name, times in counted.items()
        )

    def _loop(self, header: Node, shown: list[Node], kind: Kind) -> Caption:
        work = [node for node in shown if node.id != header.id]
        each = self.question(header)
        if header.title:
            return Caption(kind, header.title, sub=each)
        if kind is Kind.CALL:
            return Caption(kind, self._calls(work), sub=_inner(each))
        return Caption(kind, f"{each}:\n{self._lines(work)}")

    def _lines(self, shown: list[Node]) -> str:
        lines = [cut(self._effect(node)) for node in self._families(shown)]
        if len(lines) > _LINES:
            lines[_LINES - 1 :] = [f"and {len(lines) - _LINES + 1} more"]
        return "\n".join(lines)

    def _families(self, shown: list[Node]) -> list[Node]:
        """The nodes, with one for those that give all of a family the same known value."""
        found: list[Node] = []
        for node in shown:
            match node.step:
                case Assign(Variable() as variable, (_, *_), Const() as value):
                    same = Assign(variable, (), value)
                    alike = [one for one in shown if _whole_family(one, same)]
                    if len(alike) == variable.size > 1:
                        node = evolve(node, step=same)
                        if any(one.step == same for one in found):
                            continue
                case _:
                    pass
            found.append(node)
        return found

    def _effect(self, node: Node) -> str:
        """One step in words: the author's if it has a title."""
        if node.title:
            return node.title
        match node.step:
            case Assign(Variable() as variable, _, value):
                order = handed_on(node)
                if order is not None:
                    return self._hands_on(variable, order, value)
                chosen = any(isinstance(part, Cond) for part in subterms(value))
                said = self._routes.told(value, node) if chosen else value
                return self._sentences.step(evolve(node.step, value=said))
            case Branch(test):
                each = self.each(node)
                return (
                    f"If {self._words.text(self._routes.told(test, node))}:"
                    if each is None
                    else f"{self.question(node)}:"
                )
            case Flow(Call(phase) | Jump(phase)):
                return self._titles[phase]
            case _:
                return self._sentences.step(node.step)

    def _asked(self, node: Node, test: Term) -> str:
        """What a test asks, but for what is sure where it is asked."""
        return self._words.text(self._routes.told(opened(test), node))

    def _hands_on(self, seat: Variable, order: Variable, value: Term) -> str:
        """Who is asked first in a window, or next."""
        asked = meant(self._routes, Read(order))
        first = isinstance(value, Apply) and value.args == (Read(order),)
        match asked:
            case Apply(op, (one, *_)) if op is LIST and first:
                return f"{capital(self._words.text(one))} is asked first"
            case Apply(op, (_, _)) if op is LIST:
                return "The other one is asked"
            case _:
                said = self._words.text(asked)
                return (
                    f"{capital(spoken(seat.name))} is the {'first' if first else 'next'} of {said}"
                )

    def question(self, node: Node) -> str:
        """The text of a test without a title; of a loop over a domain, what it goes through."""
        if not isinstance(node.step, Branch):
            return ""
        each, left = self.each(node), asked_of(node)
        if each is not None and left is not None:
            return cut(f"For each {self._in(each, Read(left))}")
        if finds_nobody(node):
            return "Nobody to ask?"
        return f"{cut(capital(self._asked(node, node.step.test)))}?"

    def each(self, node: Node) -> str | None:
        """The name that a loop over a domain gives to each of it; `None` for other tests."""
        return each_of(self._routes, node)

    def hidden(self, unit: Unit) -> bool:
        """Whether in a box somebody learns what others do not, or cards go face down."""
        return self._hides(unit.nodes, frozenset())

    def _hides(self, node_ids: Iterable[int], calling: frozenset[str]) -> bool:
        """Shuffling in the open is no secret: nobody knows more than another."""
        steps = [self._node(node_id).step for node_id in node_ids]
        shuffled = any(
            isinstance(step, Chance) and isinstance(step.distribution, Shuffle) for step in steps
        )
        return any(
            self._shows_some(step)
            or (not shuffled and self._lays_down(step))
            or self._calls_hidden(step, calling)
            for step in steps
        )

    def _shows_some(self, step: Step) -> bool:
        return (
            isinstance(step, Assign) and step.target == KnownTarget() and not _is_none(step.value)
        )

    def _lays_down(self, step: Step) -> bool:
        if not isinstance(step, Move) or step.face_up:
            return False
        mask = self._where.places(step.place)
        places = [place for place in self._graph.places if mask >> place.index & 1]
        unseen = [place for place in places if self._is_secret(place)]
        return bool(unseen) and (step.face_up is False or not any(p.face_up for p in unseen))

    def _is_secret(self, place: Place) -> bool:
        """Whether somebody does not see what lies face down in a place."""
        return len(seen_by(self._graph, place)) < self._graph.seats

    def _calls_hidden(self, step: Step, calling: frozenset[str]) -> bool:
        """Whether a phase without decisions is run that hides something."""
        if (
            not isinstance(step, Flow)
            or not isinstance(step.way, Call)
            or step.way.phase in calling
        ):
            return False
        inside = self._routes.order(self._routes.entry(step.way.phase))
        if any(isinstance(self._node(node_id).step, Choose) for node_id in inside):
            return False
        return any(self._hides([node_id], calling | {step.way.phase}) for node_id in inside)

    # ---- arrows

    def case(self, way: Way) -> Sign:
        """What an arrow says of a question whose answers are tests one after the other."""
        node = self._node(way.node)
        if way.position == 1 or not isinstance(node.step, Branch):
            return Sign(EdgeKind.ANSWER, "otherwise")
        return Sign(EdgeKind.ANSWER, cut(self._words.text(self._routes.told(node.step.test, node))))

    def sign(self, way: Way) -> Sign:
        """What an arrow says that leaves its box on this way."""
        node = self._node(way.node)
        match node.step:
            case Branch() if finds_nobody(node) and self.each(node) is None:
                return Sign(EdgeKind.ANSWER, ("nobody to ask", "")[way.position])
            case Branch():
                each = self.each(node)
                words = ("yes", "no") if each is None else (NEXT, DONE)
                share = odds(self._routes, node, self._before)
                if share is not None and 0 < share < 1:
                    likely = share if way.position == 0 else 1 - share
                    return Sign(EdgeKind.ANSWER, words[way.position], sub=str(likely))
                return Sign(EdgeKind.ANSWER, words[way.position])
            case Choose() as choose if choose.joint:
                return Sign(EdgeKind.FLOW)
            case Choose() as choose:
                return self._option(node, choose, way.position)
            case _:
                return Sign(EdgeKind.FLOW)

    def _option(self, node: Node, choose: Choose, position: int) -> Sign:
        """The arrow of an option, with what goes with it and when it is open below.

        A choice without named options says only whether one was made.
        """
        if position < len(choose.options):
            option = choose.options[position]
            open_if = conditions(option, self._sentences, choose.options)
            below = "\n".join(cut(line, _CONDITION) for line in open_if)
            if option.title == node.title and option.clauses == node.clauses:
                made = answers(node.title)[0] if choose.optional else "chosen"
                return Sign(EdgeKind.OPTION, made if len(node.next) > 1 else "", sub=below)
            title = option.title or typed(option)
            return Sign(EdgeKind.OPTION, title, option.clauses, below)
        if choose.optional and position == len(choose.options):
            return Sign(EdgeKind.OPTION, answers(node.title)[1])
        cited = choose.otherwise_clauses
        return Sign(EdgeKind.ANSWER, "nothing fits", cited, choose.otherwise)


def _whole_family(node: Node, same: Assign) -> bool:
    """Whether a node gives one of a family the value that all of it gets."""
    step = node.step
    return isinstance(step, Assign) and step.target is same.target and step.value == same.value


def _inner(text: str) -> str:
    """A line of its own as a part of another: without the capital."""
    return text[:1].lower() + text[1:]


def _kind_of_many(shown: list[Node]) -> Kind:
    """Calls show before chance: what they do is drawn elsewhere."""
    if any(isinstance(node.step, Flow) for node in shown):
        return Kind.CALL
    return Kind.CHANCE if any(isinstance(node.step, Chance) for node in shown) else Kind.STEP


def _is_none(value: Term) -> bool:
    return isinstance(value, Const) and value.value is None
