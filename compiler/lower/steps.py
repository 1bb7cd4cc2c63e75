"""Steps to nodes: one case per form; all sugar of steps ends here.

Choices have a module of their own.  A local is a variable of its phase's frame; what is known
before play needs none.
"""

from collections.abc import Callable
from itertools import product
from typing import TypeAlias, assert_never

from attrs import define, field

from compiler.graph.core import (
    Apply,
    Assign,
    Branch,
    Call,
    Const,
    Domain,
    DomainMode,
    Flow,
    FoldMode,
    Jump,
    Leave,
    Read,
    Return,
    Step,
    Term,
    Variable,
)
from compiler.lower.assigning import assign_to
from compiler.lower.builder import Builder, Way
from compiler.lower.choices import choice, decision, together, window
from compiler.lower.context import Context
from compiler.lower.denote import denote, first_value, variable
from compiler.lower.ending import end
from compiler.lower.errors import (
    WrongArguments,
)
from compiler.lower.handling import about_tokens, chance, move
from compiler.lower.make import EMPTY, NONE
from compiler.lower.phrases import arguments
from compiler.lower.scope import Env, Scope, VariableName
from compiler.lower.terms import Terms
from compiler.lower.type_names import kept
from compiler.ops.lists import FIRST, IS, MINUS, REST
from compiler.resolve.errors import NothingToLeave, NoWayOut, ShadowedName, UnknownPhase
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import (
    BOOL,
    ListOf,
    Nothing,
    Type,
    present,
    values,
)

Action: TypeAlias = Callable[[], None]
BodyOf: TypeAlias = Callable[[Scope], None]


@define(eq=False)
class Target:
    """Something that can be left: the ways out of it, gathered while it is lowered."""

    kind: str  # repeat, for or window
    ways: list[Way] = field(factory=list)


@define(eq=False)
class Frame:
    """A phase being lowered."""

    name: str
    locals: list[Variable] = field(factory=list)
    settable: list[Variable] = field(factory=list)  # those declared with `var`
    targets: list[Target] = field(factory=list)


@define(eq=False)
class Steps:
    """Lowers blocks into a builder."""

    context: Context
    terms: Terms
    builder: Builder
    params: dict[str, tuple[Variable, ...]]
    frame: Frame = field(factory=lambda: Frame(""))

    # ---- blocks

    def block(self, steps: tuple[ast.Step, ...], scope: Scope) -> None:
        """A block in a scope of its own."""
        inner = scope.inner()
        for step in steps:
            if not self.builder.goes_on:
                return
            inner.env = Env()
            self.step(step, inner)

    def step(self, step: ast.Step, scope: Scope) -> None:
        """One step."""
        match step:
            case ast.Named():
                self._named(step, scope)
            case ast.Let():
                self._let(step, scope)
            case ast.Var():
                self._var(step, scope)
            case ast.Assign():
                assign_to(self, step, scope)
            case ast.Do() | ast.Goto():
                self._enter(step, scope)
            case ast.Branch():
                self._branch(step, scope)
            case ast.Loop():
                self._loop(step, scope)
            case ast.Repeat():
                self._repeat(step, scope)
            case ast.Leave():
                self._leave(step)
            case ast.EndStep() | ast.EndDraw():
                end(self, step, scope)
            case ast.Eliminate():
                self._eliminate(step, scope)
            case ast.Move():
                move(self, step, scope)
            case ast.Flip() | ast.Mark() | ast.Show() | ast.Reveal():
                about_tokens(self, step, scope)
            case ast.Shuffle() | ast.Roll() | ast.Pick():
                chance(self, step, scope)
            case ast.Choice():
                choice(self, step, scope)
            case ast.Decision():
                decision(self, step, scope)
            case ast.Together():
                together(self, step, scope)
            case ast.Window():
                window(self, step, scope)
            case _:
                assert_never(step)

    def emit(self, step: Step, tail: ast.Tail, span: Span, ways: int = 1) -> int:
        """A node with the title and clauses of its line."""
        return self.builder.emit(step, ways, tail.text, tail.clauses, span)

    # ---- locals

    def local(self, name: str, type_: Type, span: Span | None, hidden: bool = False) -> Variable:
        """A fresh variable of the running phase's frame."""
        made = Variable(
            name,
            type_,
            phase=self.frame.name,
            initial=first_value(type_),
            span=span,
            hidden_name=hidden,
        )
        self.frame.locals.append(made)
        return made

    def seat_family(self, name: str, type_: Type, span: Span | None) -> Variable:
        """A fresh family of locals, one per seat."""
        player = self.context.player
        made = Variable(
            name,
            type_,
            (values(player) or (),),
            (player,),
            self.frame.name,
            first_value(type_),
            span=span,
            hidden_name=True,
        )
        self.frame.locals.append(made)
        return made

    def declare(self, name: ast.Word, variable_: Variable, scope: Scope) -> None:
        """Makes a local known by its name, from here to the end of the block."""
        self.check_free(name, scope)
        scope.names[name.text] = self.read(variable_, name.span)

    def check_free(self, name: ast.Word, scope: Scope) -> None:
        """Reports a local with the name of another in sight."""
        if scope.find(name.text) is not None:
            self.context.add(ShadowedName(name.text, "a name in this block", span=name.span))

    def read(self, variable_: Variable, span: Span | None) -> Term:
        """What a variable holds now."""
        return Read(variable_, type=variable_.type, span=span)

    def assign(self, variable_: Variable, value: Term, span: Span | None) -> None:
        """A node that gives a variable a value, made by the compiler."""
        self.builder.emit(Assign(variable_, (), value), span=span)

    def is_settable(self, variable_: Variable) -> bool:
        """Whether a local was declared with `var`."""
        return any(variable_ is each for each in self.frame.settable)

    def _named(self, step: ast.Named, scope: Scope) -> None:
        around = self.builder.inside
        clauses = tuple(cite.text for cite in step.cites)
        self.builder.name(step.title.text, clauses, step.span)
        self.block(step.block, scope)
        self.builder.inside = around

    def _let(self, step: ast.Let, scope: Scope) -> None:
        value = self.terms.term(step.value, scope)
        if isinstance(value, Const) and not isinstance(value.type, Nothing):
            self.check_free(step.name, scope)
            scope.names[step.name.text] = value
            return
        if isinstance(present(value.type), ListOf) and self.context.maker.is_place(value.type):
            value = self.context.maker.tokens_in(value)
        type_ = kept(self.context, value.type, step.value.span)
        made = self.local(step.name.text, type_, step.name.span)
        self.emit(Assign(made, (), value), step.tail, step.span)
        self.declare(step.name, made, scope)

    def _var(self, step: ast.Var, scope: Scope) -> None:
        made = variable(self.context, self.terms, step, self.frame.name, scope)
        self.frame.locals.append(made)
        self.frame.settable.append(made)
        initial = step.initial
        value: Term = Const(made.initial, type=made.type)
        if initial is not None:
            value = self.terms.fit(initial, scope, made.type)
        self.reset(made, value, step.tail, step.span)
        self.check_free(step.name, scope)
        if made.keys:
            self.frame_families(step.name.text, made)
        else:
            self.declare(step.name, made, scope)

    def open_target(self, kind: str) -> Target:
        """Opens something that can be left."""
        made = Target(kind)
        self.frame.targets.append(made)
        return made

    def close(self) -> None:
        """Closes what was opened last."""
        self.frame.targets.pop()

    def frame_families(self, name: str, made: Variable) -> None:
        """Makes a local family known: it is found like a top-level one while the phase is read."""
        self.context.denoted[name] = VariableName(made)

    def reset(self, made: Variable, value: Term, tail: ast.Tail, span: Span) -> None:
        """Gives a variable, or every member of a family, its first value."""
        if not made.keys:
            self.emit(Assign(made, (), value), tail, span)
            return
        for key in product(*made.keys):
            args = tuple(Const(v, type=t) for v, t in zip(key, made.key_types, strict=True))
            self.emit(Assign(made, args, value), tail, span)

    # ---- flow

    def _enter(self, step: ast.Do | ast.Goto, scope: Scope) -> None:
        name = step.phase.text
        params = self.params.get(name)
        if params is None:
            self.context.add(UnknownPhase.near(name, self.params, step.phase.span))
            return
        args = step.args or ()
        if len(args) != len(params):
            wanted = arguments(len(params))
            self.context.add(WrongArguments(name, wanted, len(args), span=step.span))
            return
        given = [self.terms.fit(arg, scope, p.type) for arg, p in zip(args, params, strict=True)]
        if name == self.frame.name and len(params) > 1:
            given = [self._aside(term, step.span) for term in given]
        for param, term in zip(params, given, strict=True):
            self.assign(param, term, step.span)
        if isinstance(step, ast.Do):
            self.emit(Flow(Call(name)), step.tail, step.span)
        else:
            self.emit(Flow(Jump(name)), step.tail, step.span, ways=0)

    def _aside(self, term: Term, span: Span) -> Term:
        """A term kept in a local: a phase that goes on as itself reads all arguments first."""
        if isinstance(term, Const):
            return term
        kept = self.local("argument", term.type, span, hidden=True)
        self.assign(kept, term, span)
        return self.read(kept, span)

    def _branch(self, step: ast.Branch, scope: Scope) -> None:
        rest: tuple[ast.Elif, ...] = step.elifs
        self._if(step.test, step.tail, step.block, rest, step.otherwise, step.span, scope)

    def _if(
        self,
        test: ast.Expr,
        tail: ast.Tail,
        block: tuple[ast.Step, ...],
        elifs: tuple[ast.Elif, ...],
        otherwise: ast.OtherwiseBlock | None,
        span: Span,
        scope: Scope,
    ) -> None:
        term = self.terms.test(test, scope)

        def on_no() -> None:
            if elifs:
                first = elifs[0]
                inner = scope.inner(Env())
                self._if(
                    first.test, first.tail, first.block, elifs[1:], otherwise, first.span, inner
                )
            elif otherwise is not None:
                self.block(otherwise.block, scope)

        settled = isinstance(term, Const) and term is not NONE
        title = tail.text or (_asked(test.span) if settled else "")
        if isinstance(term, Const) and settled and not self.context.whole:
            self._known_branch(bool(term.value), lambda: self.block(block, scope), on_no)
            return
        node = self.builder.emit(Branch(term), 2, title, tail.clauses, span)
        self.builder.open = [(node, 0)]
        self.block(block, scope)
        after_yes = self.builder.open
        self.builder.open = [(node, 1)]
        on_no()
        self.builder.open = after_yes + self.builder.open

    def _known_branch(self, yes: bool, on_yes: Action, on_no: Action) -> None:
        """Only the branch this configuration takes; the other is read for its errors."""
        mark = self.builder.mark()
        locals_ = len(self.frame.locals)
        ways = [target.ways[:] for target in self.frame.targets]
        self.context.passing += 1
        (on_no if yes else on_yes)()
        self.context.passing -= 1
        self.builder.forget(mark)
        for target, before in zip(self.frame.targets, ways, strict=True):
            target.ways = before
        del self.frame.locals[locals_:]
        (on_yes if yes else on_no)()

    def _loop(self, step: ast.Loop, scope: Scope) -> None:
        domain, type_ = self.terms.domain(step.bind.domain, scope)
        source = domain.members
        if domain.mode is not DomainMode.MEMBERS:
            every = scope.env.bound("x", type_)
            source = self.context.maker.fold(
                FoldMode.MAP, every, domain, None, every, ListOf(type_), step.span
            )
        if step.bind.where is not None:
            bound, inner = self.terms.bound(step.bind.name, type_, scope)
            where = self.terms.test(step.bind.where, inner)
            members = Domain(DomainMode.MEMBERS, source)
            source = self.context.maker.fold(
                FoldMode.FILTER, bound, members, where, None, ListOf(type_), step.span
            )
        self.each(step.bind.name, type_, source, step.tail, step.span, scope, step.block)

    def each(
        self,
        name: ast.Word,
        type_: Type,
        source: Term,
        tail: ast.Tail,
        span: Span,
        scope: Scope,
        block: tuple[ast.Step, ...] | BodyOf,
    ) -> None:
        """A loop over a list taken once; what is left of it lives in the frame."""
        left = self.local(f"{name.text} left", ListOf(type_), span, hidden=True)
        one = self.local(name.text, type_, name.span)
        self.assign(left, source, span)
        reading = self.read(left, span)
        some_left = self.context.maker.negated(
            Apply(IS, (reading, EMPTY), type=BOOL, span=span), span
        )
        head = self.emit(Branch(some_left), tail, span, ways=2)
        self.builder.open = [(head, 0)]
        self.assign(one, Apply(FIRST, (reading,), type=type_, span=span), span)
        self.assign(left, Apply(REST, (reading,), type=left.type, span=span), span)
        inner = scope.inner(Env())
        self.declare(name, one, inner)
        target = self.open_target("for")
        if isinstance(block, tuple):
            self.block(block, inner)
        else:
            block(inner)
        self.close()
        self.builder.join(self.builder.open, head)
        self.builder.open = [(head, 1), *target.ways]

    def _repeat(self, step: ast.Repeat, scope: Scope) -> None:
        first = len(self.builder.drafts)
        target = self.open_target("repeat")
        self.block(step.block, scope)
        self.close()
        if step.until is not None and self.builder.goes_on:
            test = self.terms.test(step.until.test, scope.inner(Env()))
            node = self.builder.emit(
                Branch(test), 2, step.until.tail.text, step.until.tail.clauses, step.until.span
            )
            self.builder.join([(node, 1)], first)
            self.builder.open = [(node, 0), *target.ways]
            return
        if len(self.builder.drafts) > first:
            self.builder.join(self.builder.open, first)
        elif not target.ways:
            self.context.add(NoWayOut(span=step.span))
        self.builder.open = target.ways
        self.builder.entering = False

    def _leave(self, step: ast.Leave) -> None:
        what = step.what.text
        if what in ("repeat", "for", "window"):
            for target in reversed(self.frame.targets):
                if target.kind == what:
                    target.ways += self.builder.open
                    self.builder.open = []
                    return
            self.context.add(NothingToLeave(f"no `{what}` is around this line", span=step.span))
        elif what == self.frame.name:
            self.emit(Flow(Return()), step.tail, step.span, ways=0)
        elif what in self.params:
            self.emit(Flow(Leave(what)), step.tail, step.span, ways=0)
        else:
            self.context.add(NothingToLeave(f"no phase is called `{what}`", span=step.span))
        self.builder.open = []

    def _eliminate(self, step: ast.Eliminate, scope: Scope) -> None:
        gone = self.terms.fit(step.player, scope, self.context.player)
        found = denote(self.context, self.terms, "players")
        if isinstance(found, VariableName):
            players = found.variable
            left = self.terms.applied(
                MINUS,
                (self.read(players, step.span), self.context.maker.just(gone)),
                step.span,
            )
            self.emit(Assign(players, (), left), step.tail, step.span)


def _asked(span: Span) -> str:
    """A test that the configuration settles, as a question."""
    words = " ".join(span.text.replace("_", " ").split())
    return f"{words[:1].upper()}{words[1:]}?"
