"""Choices to nodes: decisions, unnamed choices, sealed choices of several seats, windows.

A choice's slots are bound names while its options are listed, and locals of the frame afterwards.

It is one file, because every form of choice is made of the same parts: slots, guards, what stands
below an option, and the way on.
"""

from collections.abc import Callable
from typing import Protocol

from attrs import evolve, field, frozen

from compiler.graph.core import (
    Apply,
    Assign,
    Blind,
    Branch,
    Chance,
    Choose,
    Const,
    Domain,
    DomainMode,
    Guard,
    Option,
    Read,
    Slot,
    Step,
    Term,
    Variable,
)
from compiler.lower.builder import Builder, Way
from compiler.lower.context import Context
from compiler.lower.errors import EmptyChoice, NotTogether
from compiler.lower.make import EMPTY, FALSE, NONE
from compiler.lower.scope import Env, Scope
from compiler.lower.sees import surely_seen
from compiler.lower.terms import Terms
from compiler.ops.lists import AFTER, FIRST, IS, UNION, elements
from compiler.ops.numbers import ADD
from compiler.resolve.errors import TwoOptions
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import BOOL, Int, ListOf, SetOf, Token, Type, element, optional, present

MOST_PASSES = 255


class Target(Protocol):
    """Something that can be left."""

    ways: list[Way]


class Lowering(Protocol):
    """What a choice needs of the lowering of steps."""

    context: Context
    terms: Terms
    builder: Builder

    def emit(self, step: Step, tail: ast.Tail, span: Span, ways: int = 1) -> int:
        """A node with the title and clauses of its line."""

    def local(self, name: str, type_: Type, span: Span | None, hidden: bool = False) -> Variable:
        """A fresh local."""

    def seat_family(self, name: str, type_: Type, span: Span | None) -> Variable:
        """A fresh family of locals by seat."""

    def declare(self, name: ast.Word, variable_: Variable, scope: Scope) -> None:
        """Makes a local known."""

    def read(self, variable_: Variable, span: Span | None) -> Term:
        """What a local holds."""

    def assign(self, variable_: Variable, value: Term, span: Span | None) -> None:
        """A node that sets a local."""

    def is_settable(self, variable_: Variable) -> bool:
        """Whether a local was declared with `var`."""

    def block(self, steps: tuple[ast.Step, ...], scope: Scope) -> None:
        """Lowers a block."""

    def step(self, step: ast.Step, scope: Scope) -> None:
        """Lowers a step."""

    def open_target(self, kind: str) -> Target:
        """Opens something that can be left."""

    def close(self) -> None:
        """Closes it."""

    def each(
        self,
        name: ast.Word,
        type_: Type,
        source: Term,
        tail: ast.Tail,
        span: Span,
        scope: Scope,
        block: tuple[ast.Step, ...] | Callable[[Scope], None],
    ) -> None:
        """A loop over a list."""


@frozen(eq=False)
class Lowered:
    """An option of the graph, its slots' locals under their names, and its steps."""

    option: Option
    names: tuple[tuple[ast.Word, Variable], ...]
    blind: tuple[Variable, ...]
    steps: tuple[ast.Step, ...]
    tail: ast.Tail = field(repr=False)


def _lines(
    lines: tuple[ast.Guard | ast.Otherwise | ast.Step, ...] | None,
) -> tuple[tuple[ast.Guard, ...], tuple[ast.Step, ...], ast.Otherwise | None]:
    """The guards, the steps and the `otherwise` below a choice or option."""
    guards = tuple(line for line in lines or () if isinstance(line, ast.Guard))
    otherwise = [line for line in lines or () if isinstance(line, ast.Otherwise)]
    steps = tuple(line for line in lines or () if not isinstance(line, ast.Guard | ast.Otherwise))
    return guards, steps, otherwise[0] if otherwise else None


def _option(
    low: Lowering,
    name: str,
    slots: tuple[ast.Slot, ...],
    tail: ast.Tail,
    span: Span,
    guards: tuple[ast.Guard, ...],
    steps: tuple[ast.Step, ...],
    scope: Scope,
    actor: Term,
    family: bool,
    may: bool = False,
) -> Lowered:
    """An option: `family` makes its slots' locals families by seat, for a joint decision."""
    made: list[Slot] = []
    names: list[tuple[ast.Word, Variable]] = []
    blind: list[Variable] = []
    inner = scope.inner()
    for slot in slots:
        bound, domain, where, inner = low.terms.slot(slot.bind, inner)
        word = slot.bind.name
        type_ = optional(bound.type) if may else bound.type
        keep = low.seat_family if family else low.local
        local = keep(word.text, type_ if not family else optional(bound.type), word.span)
        preposition = slot.preposition.text if slot.preposition else None
        made.append(Slot(bound, domain, where, local, preposition))
        names.append((word, local))
        if (
            not family
            and _holds_tokens(bound.type)
            and not surely_seen(low.context, domain.members, actor)
        ):
            blind.append(local)
    inner.asking = (*scope.asking, name)
    lowered = tuple(_guard(low, guard, inner) for guard in guards)
    kept = tuple(g for g in lowered if not (isinstance(g.holds, Const) and g.holds.value))
    option = Option(name, tuple(made), kept, tail.text, tail.clauses, span)
    return Lowered(option, tuple(names), tuple(blind), steps, tail)


def _holds_tokens(type_: Type) -> bool:
    inner = present(type_)
    return isinstance(present(element(inner) or inner), Token)


def _never_legal(option: Option) -> bool:
    """Whether it is known before play that nothing ever fits an option."""
    return any(_is_empty(slot.domain) for slot in option.slots) or any(
        guard.holds == FALSE for guard in option.guards
    )


def _is_empty(domain: Domain) -> bool:
    if not isinstance(domain.members, Const) or domain.members is NONE:
        return False
    members = domain.mode is DomainMode.MEMBERS
    low = domain.low.value if isinstance(domain.low, Const) else int(members)
    return isinstance(low, int) and low > len(elements(domain.members.value))


def _check_options(
    low: Lowering, lowered: list[Lowered], may: bool, otherwise: ast.Otherwise | None, span: Span
) -> None:
    """A choice that nothing fits needs an `otherwise`."""
    empty = all(_never_legal(one.option) for one in lowered)
    if may or otherwise is not None or not empty:
        return
    if not any(_is_told(low, one.option) for one in lowered):
        low.context.add(EmptyChoice(span=span))


def _is_told(low: Lowering, option: Option) -> bool:
    """Whether something wrong in an option is reported, so that nothing could fit it."""
    span = option.span
    return span is not None and any(
        error.span.file == span.file and span.start <= error.span.start <= span.end
        for error in low.context.report.errors
    )


def _guard(low: Lowering, guard: ast.Guard, scope: Scope) -> Guard:
    holds = low.terms.guard(guard, scope)
    return Guard(holds, guard.tail.clauses, guard.span, guard.how.text == "unless")


def _actor(low: Lowering, node: ast.Expr, scope: Scope) -> Term:
    return low.terms.fit(node, scope, low.context.player)


def _after_option(low: Lowering, node: int, way: int, lowered: Lowered, actor: Term) -> None:
    """What follows once an option is taken, before its steps: which hidden card it was."""
    low.builder.open = [(node, way)]
    for local in lowered.blind:
        low.builder.emit(Chance(Blind(local, (), actor)), span=lowered.option.span)


# ---- one seat


def choice(low: Lowering, step: ast.Choice, scope: Scope) -> None:
    """`p chooses x in S`, `p may choose x in S`: its names are known to the end of the block."""
    guards, _, otherwise = _lines(step.lines)
    may = step.how.text == "may choose"
    actor = _actor(low, step.actor, scope)
    lowered = _option(
        low, "choose", step.slots, step.tail, step.span, guards, (), scope, actor, False,
        may or otherwise is not None,
    )  # fmt: skip
    _check_options(low, [lowered], may, otherwise, step.span)
    has_otherwise = otherwise is not None and not may
    choose = _told(Choose(actor, (lowered.option,), may, has_otherwise), otherwise)
    node = low.builder.emit(
        choose, 1 + may + has_otherwise, step.tail.text, step.tail.clauses, step.span
    )
    _after_option(low, node, 0, lowered, actor)
    taken = low.builder.open
    if may or has_otherwise:
        low.builder.open = [(node, 1)]
        for _, local in lowered.names:
            low.assign(local, NONE, step.span)
        if otherwise is not None:
            low.block(otherwise.block or (), scope)
        low.builder.open = taken + low.builder.open
    for name, local in lowered.names:
        low.declare(name, local, scope)
        if may or has_otherwise:
            continue
        scope.names[name.text] = Read(local, type=local.type, span=name.span)


def _told(choose: Choose, otherwise: ast.Otherwise | None) -> Choose:
    """A decision with what its `otherwise` is called."""
    if otherwise is None or not choose.has_otherwise:
        return choose
    tail = otherwise.tail
    return evolve(choose, otherwise=tail.text, otherwise_clauses=tail.clauses)


def _siblings(low: Lowering, options: tuple[ast.Option, ...], scope: Scope) -> Scope:
    """The scope in which the options of one decision see one another."""
    inner = scope.inner()
    inner.siblings = {}
    for option in options:
        if option.name.text in inner.siblings:
            low.context.add(TwoOptions(option.name.text, span=option.name.span))
        inner.siblings[option.name.text] = option
    return inner


def _lowered_options(
    low: Lowering, options: tuple[ast.Option, ...], scope: Scope, actor: Term, family: bool
) -> list[Lowered]:
    inner = _siblings(low, options, scope)
    out = []
    for option in options:
        guards, steps, _ = _lines(option.lines)
        out.append(
            _option(
                low,
                option.name.text,
                option.slots or (),
                option.tail,
                option.span,
                guards,
                steps,
                inner,
                actor,
                family,
            )
        )
    return out


def _steps_of(low: Lowering, lowered: Lowered, scope: Scope) -> None:
    """The steps of an option that was taken, with its slots' names."""
    inner = scope.inner(Env())
    for name, local in lowered.names:
        low.declare(name, local, inner)
    low.block(lowered.steps, inner)


def decision(low: Lowering, step: ast.Decision, scope: Scope) -> None:
    """`p chooses "…"` over named options."""
    may = step.how.text == "may choose"
    actor = _actor(low, step.actor, scope)
    lowered = _lowered_options(low, step.options, scope, actor, False)
    _check_options(low, lowered, may, step.otherwise, step.span)
    has_otherwise = step.otherwise is not None and not may
    choose = Choose(actor, tuple(x.option for x in lowered), may, has_otherwise)
    choose = _told(choose, step.otherwise)
    ways = len(lowered) + may + has_otherwise
    node = low.builder.emit(choose, ways, step.tail.text, step.tail.clauses, step.span)
    ends: list[Way] = []
    for way, one in enumerate(lowered):
        _after_option(low, node, way, one, actor)
        _steps_of(low, one, scope)
        ends += low.builder.open
    if may or has_otherwise:
        low.builder.open = [(node, len(lowered))]
        if step.otherwise is not None:
            low.block(step.otherwise.block or (), scope)
        ends += low.builder.open
    low.builder.open = ends


# ---- several seats


def together(low: Lowering, step: ast.Together, scope: Scope) -> None:
    """Sealed choices; when all are in, the rest of the block runs for each seat in order."""
    first = step.block[0]
    name = step.bind.name
    if not isinstance(first, ast.Choice | ast.Decision) or first.actor.span.text != name.text:
        low.context.add(NotTogether(name.text, span=first.span))
        return
    player = low.context.player
    seats = _seats(low, step, scope)
    asked = low.local(f"{name.text} asked", ListOf(player), step.span, hidden=True)
    low.assign(asked, seats, step.span)
    inner = scope.inner(Env())
    seat = inner.env.bound(name.text, player)
    inner.names[name.text] = seat
    may = first.how.text == "may choose"
    if isinstance(first, ast.Choice):
        guards, _, otherwise = _lines(first.lines)
        lowered = [
            _option(
                low, "choose", first.slots, first.tail, first.span, guards, (), inner, seat, True
            )
        ]
    else:
        otherwise = first.otherwise
        lowered = _lowered_options(low, first.options, inner, seat, True)
    _check_options(low, lowered, may, otherwise, first.span)
    picked = low.seat_family("picked", Int(0, len(lowered) + 1), first.span)
    for each in range(low.context.seats):
        key = Const(each, type=player)
        zero = Const(0, type=Int(0, 0))
        low.builder.emit(Assign(picked, (key,), zero), span=first.span)
        for one in lowered:
            for _, family in one.names:
                low.builder.emit(Assign(family, (key,), NONE), span=first.span)
    some = Apply(IS, (low.read(asked, step.span), EMPTY), type=BOOL)
    nobody = low.builder.emit(Branch(some), 2, span=step.span)
    low.builder.open = [(nobody, 1)]
    title = first.tail.text or step.tail.text
    low.builder.emit(
        Choose(
            low.read(asked, step.span),
            tuple(x.option for x in lowered),
            may,
            otherwise is not None and not may,
            True,
            seat,
            picked,
        ),
        1,
        title,
        (*step.tail.clauses, *first.tail.clauses),
        step.span,
    )

    def rest(body: Scope) -> None:
        mine = body.find(name.text) or NONE
        _sealed(low, first, lowered, picked, mine, body, otherwise)
        for following in step.block[1:]:
            if low.builder.goes_on:
                body.env = Env()
                low.step(following, body)

    tail = ast.Tail(None, (), span=step.span)
    low.each(name, player, low.read(asked, step.span), tail, step.span, scope, rest)
    low.builder.open = [*low.builder.open, (nobody, 0)]


def _seats(low: Lowering, step: ast.Together, scope: Scope) -> Term:
    """Who is asked, in order."""
    player = low.context.player
    if isinstance(step.bind.domain, ast.Subsets):
        return EMPTY
    listed = low.terms.fit(step.bind.domain, scope, ListOf(player))
    if step.bind.where is None:
        return listed
    where = ast.Filtered(step.bind.name, step.bind.domain, step.bind.where, span=step.bind.span)
    return low.terms.fit(where, scope, ListOf(player))


def _sealed(
    low: Lowering,
    first: ast.Choice | ast.Decision,
    lowered: list[Lowered],
    picked: Variable,
    seat: Term,
    scope: Scope,
    otherwise: ast.Otherwise | None,
) -> None:
    """Opens one seat's pick: its names, or the steps of the option it took."""
    if isinstance(first, ast.Choice):
        one = lowered[0]
        for name, family in one.names:
            may = first.how.text == "may choose" or otherwise is not None
            type_ = family.type if may else present(family.type)
            local = low.local(name.text, type_, name.span)
            opened = Read(family, (seat,), type=type_, span=name.span)
            low.assign(local, opened, name.span)
            low.declare(name, local, scope)
        return
    ends: list[Way] = []
    for number, one in enumerate(lowered):
        mine = Read(picked, (seat,), type=picked.type, span=first.span)
        this = Const(number + 1, type=Int(number + 1, number + 1))
        test = Apply(IS, (mine, this), type=BOOL, span=first.span)
        node = low.builder.emit(Branch(test), 2, one.option.title, one.option.clauses, first.span)
        low.builder.open = [(node, 0)]
        inner = scope.inner(Env())
        for name, family in one.names:
            local = low.local(name.text, present(family.type), name.span)
            low.assign(local, Read(family, (seat,), type=local.type), name.span)
            low.declare(name, local, inner)
        low.block(one.steps, inner)
        ends += low.builder.open
        low.builder.open = [(node, 1)]
    if otherwise is not None:
        low.block(otherwise.block or (), scope)
    low.builder.open = ends + low.builder.open


# ---- priority


def window(low: Lowering, step: ast.Window, scope: Scope) -> None:
    """A window: one seat picks options and keeps the turn until it passes to the next."""
    player = low.context.player
    inner = scope.inner(Env())
    order = low.local("window order", ListOf(player), step.span, hidden=True)
    low.assign(order, low.terms.fit(step.domain, scope, ListOf(player)), step.span)
    turn = low.local(step.name.text, player, step.name.span)
    passes = low.local("passes", Int(0, MOST_PASSES), step.span)
    passed = low.local("passed", SetOf(player), step.span)
    seats = low.read(order, step.span)
    low.assign(turn, Apply(FIRST, (seats,), type=player), step.span)
    low.assign(passes, Const(0, type=Int(0, 0)), step.span)
    low.assign(passed, Const((), type=passed.type), step.span)
    low.declare(step.name, turn, inner)
    inner.names["passes"] = low.read(passes, step.span)
    inner.names["passed"] = low.read(passed, step.span)
    options = step.options
    if not any(option.name.text == "pass" for option in options):
        options = (*options, _plain_pass(step))
    actor = low.read(turn, step.name.span)
    lowered = _lowered_options(low, options, inner, actor, False)
    choose = Choose(actor, tuple(x.option for x in lowered))
    node = low.builder.emit(choose, len(lowered), step.tail.text, step.tail.clauses, step.span)
    target = low.open_target("window")
    again: list[Way] = []
    done: list[Way] = []
    for way, one in enumerate(lowered):
        _after_option(low, node, way, one, actor)
        _steps_of(low, one, inner)
        if not low.builder.goes_on:
            continue
        _count_pass(low, one.option.name == "pass", turn, passes, passed, step.span)
        inner.env = Env()
        until = low.terms.test(step.until, inner)
        ended = low.builder.emit(Branch(until), 2, span=step.until.span)
        done.append((ended, 0))
        low.builder.open = [(ended, 1)]
        if one.option.name == "pass":
            following = Apply(AFTER, (seats, actor), type=ListOf(player))
            low.assign(turn, Apply(FIRST, (following,), type=player), step.span)
        again += low.builder.open
    low.close()
    low.builder.join(again, node)
    low.builder.open = [*done, *target.ways]


def _plain_pass(step: ast.Window) -> ast.Option:
    word = ast.Word("pass", span=step.span)
    tail = ast.Tail(ast.Word("Pass", span=step.span), (), span=step.span)
    return ast.Option(word, None, tail, None, span=step.span)


def _count_pass(
    low: Lowering, is_pass: bool, turn: Variable, passes: Variable, passed: Variable, span: Span
) -> None:
    """Keeps `passes` (in a row) and `passed` (who ever did)."""
    if not is_pass:
        low.assign(passes, Const(0, type=Int(0, 0)), span)
        return
    one = Const(1, type=Int(1, 1))
    more = Apply(ADD, (low.read(passes, span), one), type=Int(1, MOST_PASSES))
    low.assign(passes, more, span)
    mine = low.context.maker.just(low.read(turn, span))
    all_ = Apply(UNION, (low.read(passed, span), mine), type=passed.type)
    low.assign(passed, low.context.maker.fitted(all_, passed.type), span)
