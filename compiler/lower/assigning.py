"""Steps that give a variable a value: `=`, `+=`, `-=`, and what can stand to the left of them."""

from compiler.graph.core import Assign, Die, FlagOf, Read, Term, Variable
from compiler.lower.choices import Lowering
from compiler.lower.context import VALUES
from compiler.lower.english import is_bare_word
from compiler.lower.errors import NotAssignable, UnknownName
from compiler.lower.make import NONE
from compiler.lower.meant import meant
from compiler.lower.phrases import described, is_family
from compiler.lower.scope import Scope
from compiler.ops.lists import MINUS, UNION, set_of
from compiler.ops.numbers import ADD, SUBTRACT
from compiler.syntax import ast
from compiler.syntax.declared import article, what
from compiler.types import SetOf, Token, element

_NOT_TO_NAME = frozenset({"winner", "winners", "active", "turn"})  # what is never just a number


def assign_to(low: Lowering, step: ast.Assign, scope: Scope) -> None:
    """A step that gives a variable a value."""
    found = _target(low, step.target, scope)
    if found is None:
        low.terms.term(step.value, scope)
        return
    made, args = found
    if step.how.text == "=":
        value = low.terms.fit(step.value, scope, made.type)
    else:
        value = _changed(low, step, made, args, scope)
    low.emit(Assign(made, args, value), step.tail, step.span)


def _changed(
    low: Lowering, step: ast.Assign, made: Variable, args: tuple[Term, ...], scope: Scope
) -> Term:
    """`x += e`, `x -= e`: of numbers, or of sets."""
    old = Read(made, args, type=made.type, span=step.target.span)
    adding = step.how.text == "+="
    inner = element(made.type)
    maker = low.context.maker
    if inner is None:
        amount = low.terms.term(step.value, scope)
        changed = low.terms.applied(ADD if adding else SUBTRACT, (old, amount), step.span)
        return low.terms.fitted(changed, made.type, step.value.span)
    part = low.terms.term(step.value, scope, inner)
    listed = maker.listed(part)
    if listed is None:
        listed = maker.just(low.terms.fitted(part, inner, step.value.span))
    changed = low.terms.applied(UNION if adding else MINUS, (old, listed), step.span)
    if isinstance(made.type, SetOf) and not isinstance(inner, Token):
        changed = maker.apply(set_of(inner), (changed,), made.type, step.span)
    return changed


def _target(
    low: Lowering, node: ast.Expr, scope: Scope
) -> tuple[Variable, tuple[Term, ...]] | None:
    """The variable on the left of `=`, and its keys."""
    name = node.name.text if isinstance(node, ast.Name) else ""
    known = name in VALUES or name in low.context.declared.members
    if name and not known and is_bare_word(low.context, node, scope):
        near = low.context.nearest(name, scope)
        fix = meant(name) if name in _NOT_TO_NAME else ""
        fix = fix or f"name it here: `let {name} = …`; what changes is declared: `var {name}: …`"
        low.context.add(UnknownName.near(name, near, node.span, fix))
        low.context.missing.add(name)
        return None
    term = low.terms.term(node, scope)
    if term is NONE:
        return None
    if isinstance(term, Read) and isinstance(term.source, Variable):
        kept = _why_kept(low, term.source)
        if kept is None:
            return term.source, term.args
        low.context.add(NotAssignable(*kept, span=node.span))
    else:
        what_it_is, fix = _no_variable(low, node, term, scope)
        low.context.add(NotAssignable(what_it_is, fix, span=node.span))
    return None


def _why_kept(low: Lowering, variable_: Variable) -> tuple[str, str] | None:
    """What a variable is that no step may give a value, and what to do instead."""
    if isinstance(variable_, Die):
        return "a die", f"write `roll {variable_.name}`"
    if variable_.phase is not None:
        is_var = low.is_settable(variable_)
        fix = f"declare it above: `var {variable_.name}: …`"
        return None if is_var else ("the name of one value, which stays", fix)
    declared = low.context.declared.by_name.get(variable_.name)
    if isinstance(declared, ast.Var):
        return None
    if isinstance(declared, ast.Given):
        return "an outside fact, which stays", "declare it as `var`"
    if variable_.name == "players":
        return "the list of the seats still in", "write `eliminate p`"
    return "what the language knows itself", "write `end winners …`"


def _no_variable(low: Lowering, node: ast.Expr, term: Term, scope: Scope) -> tuple[str, str]:
    """What something is that is no variable, and what to do instead."""
    if isinstance(node, ast.Name) and scope.find(node.name.text) is not None:
        return "the name of one value, which stays", f"declare it above: `var {node.name}: …`"
    if isinstance(node, ast.Call):
        return "the value of a define", ""
    if isinstance(node, ast.Attr):
        name, of = node.name.text, node.of.span.text
        if isinstance(term, Read) and isinstance(term.source, FlagOf):
            return "a flag", f"write `mark {of} {name}` or `unmark {of} {name}`"
        if name == "face_up":
            return "the way a card lies", f"write `flip {of} face up`"
        fix = "what can change is another piece, which takes its place, or a `flag` of the class"
        return "an attribute, which stays as it is printed", fix
    if is_family(term):
        return described(term.type), f"say which one: `{node.span.text}[…]`"
    if low.context.maker.is_place(term.type):
        return described(term.type), "tokens change place with `move`"
    if isinstance(node, ast.Name) and node.name.text in low.context.declared.by_name:
        return article(what(low.context.declared.by_name[node.name.text])), ""
    return described(term.type), ""
