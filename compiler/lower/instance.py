"""A rulebook under one configuration, as a graph: declarations, phases, the beginning of a game."""

from collections.abc import Mapping
from copy import copy
from itertools import product

from attrs import evolve, field, frozen

from compiler.diagnostic import Report
from compiler.graph.core import (
    Assign,
    Chance,
    Claim,
    Const,
    Domain,
    DomainMode,
    Fact,
    Flow,
    Graph,
    Invariant,
    Jump,
    Phase,
    Pick,
    Place,
    Return,
    Shape,
    Term,
    TokenClass,
    Trigger,
    Variable,
)
from compiler.graph.values import ValueWords
from compiler.lower.builder import Builder
from compiler.lower.context import Context, Setting
from compiler.lower.declarations import Declarations
from compiler.lower.denote import denote, setting, viewers
from compiler.lower.errors import BoardsDiffer
from compiler.lower.make import Maker
from compiler.lower.scope import (
    ClassName,
    Denoted,
    Env,
    FunctionName,
    PlaceName,
    Scope,
    VariableName,
)
from compiler.lower.steps import Frame, Steps
from compiler.lower.terms import Terms
from compiler.resolve.errors import ReservedName
from compiler.source import Span
from compiler.syntax import ast
from compiler.types import ListOf, values

START = "start"


@frozen(eq=False)
class Lowered:
    """A graph, and what lowering knows of names: scenarios and questions are lowered with it."""

    graph: Graph
    context: Context = field(repr=False)
    terms: Terms = field(repr=False)

    def for_questions(self) -> "Lowered":
        """The same, with a report of its own for what is asked later."""
        context = copy(self.context)
        context.report = Report()
        return Lowered(self.graph, context, Terms(context))


def lower(
    name: str,
    title: str,
    declared: Declarations,
    seats: int,
    settings: Mapping[str, Setting],
    *,
    whole: bool = False,
) -> tuple[Lowered | None, Report]:
    """The graph of a rulebook for a number of seats and settings, or what is wrong with it.

    A `whole` one keeps the branches that these make impossible: to be drawn, not to be played.
    """
    report = Report()
    context = Context(declared, seats, settings, report, Maker({}), whole=whole)
    terms = Terms(context)
    _declare(context, terms)
    builder = Builder()
    params = _params(context, terms)
    steps = Steps(context, terms, builder, params)
    entries = _phases(context, steps)
    start = _beginning(context, terms, steps)
    asked = _triggers(context, terms), _invariants(context, terms), _claims(context, terms)
    if report.has_errors:
        return None, report
    graph = _graph(name, title, context, terms, steps, entries, start, asked)
    return Lowered(graph, context, terms), report


def _declare(context: Context, terms: Terms) -> None:
    """Denotes every declaration in file order, so that places and classes have their order."""
    context.places.append(Place(0, "box", (), "box", Shape.SET, None))
    for declaration in context.declared.of(ast.TokenDecl):
        denote(context, terms, declaration.name.text)
    boards: list[PlaceName] = []
    for place in context.declared.items:
        if isinstance(place, ast.Zone | ast.Board):
            found = denote(context, terms, place.name.text)
            if isinstance(found, PlaceName) and found.board is not None:
                boards.append(found)
                first, held = boards[0].token_class, found.token_class
                if first != held:
                    context.add(BoardsDiffer(first, held, span=place.shape.span))
    classes = {board.token_class for board in boards}
    context.maker.board_class = classes.pop() if len(classes) == 1 else None
    for declared in context.declared.by_name:
        denote(context, terms, declared)
    _see(context, terms)


def _see(context: Context, terms: Terms) -> None:
    """Says of every place who sees what lies face down there."""
    for declaration in context.declared.items:
        if not isinstance(declaration, ast.Zone | ast.Board):
            continue
        seen = [mod.by for mod in declaration.mods if isinstance(mod, ast.Seen)]
        found = denote(context, terms, declaration.name.text)
        if not seen or not isinstance(found, PlaceName):
            continue
        for place in found.places:
            term = viewers(context, terms, seen[0], found.key_types, place.keys)
            context.places[place.index] = evolve(place, viewers=term)


def _params(context: Context, terms: Terms) -> dict[str, tuple[Variable, ...]]:
    """The parameters of every phase."""
    out: dict[str, tuple[Variable, ...]] = {}
    for phase in context.declared.of(ast.PhaseDecl):
        name = phase.name.text
        out[name] = tuple(
            Variable(
                typed.name.text,
                terms.type(typed.type, context.root()),
                phase=name,
                span=typed.name.span,
            )
            for typed in phase.params or ()
        )
    return out


def trigger_phase(number: int) -> str:
    """The name of the phase that a trigger runs, by its place among the triggers."""
    return f"whenever_{number + 1}"


@frozen(eq=False)
class Entered:
    """A lowered phase and its first node's draft."""

    phase: Phase
    entry: int


def _phases(context: Context, steps: Steps) -> list[Entered]:
    out = [
        _phase(context, steps, START, start.tail, (), start.block, start.span)
        for start in context.declared.of(ast.Start)[:1]
    ]
    taken = {
        trigger_phase(n): "a name for triggers"
        for n in range(len(context.declared.of(ast.Whenever)))
    }
    taken[START] = "the beginning"
    for declared in context.declared.of(ast.PhaseDecl):
        name = declared.name.text
        if name in taken:
            context.add(ReservedName(name, taken[name], span=declared.name.span))
            continue
        params = steps.params[name]
        out.append(
            _phase(context, steps, name, declared.tail, params, declared.block, declared.span)
        )
    for number, trigger in enumerate(context.declared.of(ast.Whenever)):
        name = trigger_phase(number)
        out.append(
            _phase(context, steps, name, trigger.tail, (), trigger.block, trigger.span, True)
        )
    return out


def _phase(
    context: Context,
    steps: Steps,
    name: str,
    tail: ast.Tail,
    params: tuple[Variable, ...],
    block: tuple[ast.Step, ...],
    span: Span,
    is_trigger: bool = False,
) -> Entered:
    """One phase: what is set anew when it begins, then its block, then the way back."""
    entry = steps.builder.begin(name)
    steps.frame = Frame(name)
    scope = Scope(Env(), phase=name)
    for param in params:
        scope.names[param.name] = steps.read(param, param.span)
    for declared in context.declared.of(ast.Var):
        if declared.each is not None and declared.each.phase.text == name:
            _anew(context, steps, declared)
    before = dict(context.denoted)
    steps.block(block, scope)
    for family in [key for key in context.denoted if key not in before]:
        if family not in context.declared.by_name:
            del context.denoted[family]
    if steps.builder.goes_on:
        steps.builder.emit(Flow(Return()), 0, span=span)
    made = Phase(
        name,
        tail.text,
        params,
        (*params, *steps.frame.locals),
        entry,
        span,
        tail.clauses,
        is_trigger,
    )
    return Entered(made, entry)


def _anew(context: Context, steps: Steps, declared: ast.Var) -> None:
    found = denote(context, steps.terms, declared.name.text)
    if not isinstance(found, VariableName):
        return
    made = found.variable
    value: Term = Const(made.initial, type=made.type)
    if declared.initial is not None:
        value = steps.terms.fit(declared.initial, context.root(), made.type)
    steps.reset(made, value, declared.tail, declared.span)


def _beginning(context: Context, terms: Terms, steps: Steps) -> int:
    """The nodes before `start`: open givens are drawn, variables get values that depend on them."""
    builder = steps.builder
    entry = builder.begin(START)
    steps.frame = Frame(START)
    for given in context.declared.of(ast.Given):
        found = denote(context, terms, given.name.text)
        if isinstance(found, VariableName):
            _draw(given, found.variable, steps, terms, context)
    for declared in context.declared.of(ast.Var):
        if declared.initial is None:
            continue
        found = denote(context, terms, declared.name.text)
        if isinstance(found, VariableName):
            value = terms.fit(declared.initial, context.root(), found.variable.type)
            if not isinstance(value, Const):
                steps.reset(found.variable, value, declared.tail, declared.span)
    builder.emit(Flow(Jump(START)), 0)
    return entry


def _draw(given: ast.Given, made: Variable, steps: Steps, terms: Terms, context: Context) -> None:
    everything = values(made.type) or ()
    domain = Domain(DomainMode.MEMBERS, Const(everything, type=ListOf(made.type)))
    for key in product(*made.keys):
        args = tuple(Const(v, type=t) for v, t in zip(key, made.key_types, strict=True))
        label = ", ".join(ValueWords().text(v, t) for v, t in zip(key, made.key_types, strict=True))
        member = f"{made.name}[{label}]"
        if member in context.settings:
            value = setting(context, member, made.type, given.span)
            steps.emit(Assign(made, args, Const(value, type=made.type)), given.tail, given.span)
        elif given.default is not None:
            fallback = terms.fit(given.default, context.root(), made.type)
            steps.emit(Assign(made, args, fallback), given.tail, given.span)
        else:
            steps.emit(Chance(Pick(made, args, domain)), given.tail, given.span)


def _graph(
    name: str,
    title: str,
    context: Context,
    terms: Terms,
    steps: Steps,
    entered: list[Entered],
    start: int,
    asked: tuple[tuple[Trigger, ...], tuple[Invariant, ...], tuple[Claim, ...]],
) -> Graph:
    nodes, number = steps.builder.nodes((start, *(e.entry for e in entered)))
    phases = tuple(evolve(e.phase, entry=number[e.entry]) for e in entered)
    variables = [d.variable for d in _denoted(context, terms) if isinstance(d, VariableName)]
    functions = tuple(d.function for d in _denoted(context, terms) if isinstance(d, FunctionName))
    players = denote(context, terms, "players")
    ended = denote(context, terms, "ended")
    if not isinstance(players, VariableName) or not isinstance(ended, VariableName):
        raise AssertionError("`players` and `ended` are built in")
    return Graph(
        name,
        title,
        context.seats,
        _classes(context, terms),
        tuple(context.places),
        tuple(variables),
        functions,
        phases,
        nodes,
        tuple(steps.builder.named),
        *asked,
        number[start],
        players.variable,
        ended.variable,
        tuple(d.title.text for d in context.declared.of(ast.Discloses)),
    )


def _classes(context: Context, terms: Terms) -> tuple[TokenClass, ...]:
    """The classes with their named kinds."""
    named = [
        d for d in _denoted(context, terms) if isinstance(d, ClassName) and d.kinds is not None
    ]
    return tuple(
        evolve(
            each,
            named_kinds=tuple((d.name, d.kinds or ()) for d in named if d.token_class == each.name),
        )
        for each in context.classes
    )


def _denoted(context: Context, terms: Terms) -> list[Denoted | None]:
    names = ["players", "ended", *context.declared.by_name]
    return [denote(context, terms, name) for name in names]


def _triggers(context: Context, terms: Terms) -> tuple[Trigger, ...]:
    return tuple(
        Trigger(
            terms.test(declared.test, context.root()),
            trigger_phase(number),
            declared.tail.text,
            declared.span,
            declared.tail.clauses,
        )
        for number, declared in enumerate(context.declared.of(ast.Whenever))
    )


def _invariants(context: Context, terms: Terms) -> tuple[Invariant, ...]:
    out = []
    for declared in context.declared.of(ast.InvariantDecl):
        at = declared.at.phase.text if declared.at is not None else None
        facts = tuple(
            Fact(
                terms.test(fact.test, context.root()),
                tuple(c.text for c in fact.cites),
                fact.span,
            )
            for fact in declared.facts
        )
        clauses = tuple(c.text for c in declared.cites)
        decisions = at == "decisions"
        out.append(
            Invariant(
                declared.title.text,
                None if decisions else at,
                decisions,
                facts,
                clauses,
                declared.span,
            )
        )
    return tuple(out)


def _claims(context: Context, terms: Terms) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            declared.title.text,
            declared.mode.text,
            terms.test(declared.test, context.root()),
            tuple(c.text for c in declared.cites),
            declared.span,
            None if declared.beside is None else declared.beside.phase.text,
            declared.beside is not None and declared.beside.side.text == "before",
        )
        for declared in context.declared.of(ast.ClaimDecl)
    )
