"""Walks over terms and steps: what is inside them, what they read and what they write.

Children are found by the fields of the classes in `core`, so that a new form is walked without a
line here.  A function of the spec counts as part of every term that applies it.
"""

from collections.abc import Iterator
from enum import Enum

from attrs import fields, frozen, has

from compiler.graph.core import (
    AllTokens,
    Apply,
    Assign,
    Attribute,
    Blind,
    Bound,
    Chance,
    Choose,
    Cond,
    Const,
    Contents,
    FaceTarget,
    FaceUp,
    FlagOf,
    FlagTarget,
    Fold,
    Function,
    HolderOf,
    KindOf,
    KnownTarget,
    Move,
    Pick,
    PlaceOfToken,
    PositionOf,
    Read,
    Roll,
    Shuffle,
    Step,
    Term,
    Variable,
)
from compiler.ops.row import Op

TERMS = (Const, Bound, Read, Apply, Cond, Fold)
"""The six classes of terms, for `isinstance`."""

_BINDERS = frozenset({"bound", "seat", "params"})
"""Fields that introduce a name instead of using one."""

_OPAQUE = (Op, Function, Variable, Enum)
"""What stands for itself: a walk does not go inside."""


class Touch(Enum):
    """A part of the table, apart from variables, that a term can read and a step can write."""

    CONTENTS = "contents"
    FACES = "faces"
    FLAGS = "flags"
    KNOWLEDGE = "knowledge"


@frozen
class Access:
    """Variables, each once in the order they are met, and parts of the table."""

    variables: tuple[Variable, ...]
    table: frozenset[Touch]

    def meets(self, other: "Access") -> bool:
        """Whether the two have a variable or a part of the table in common."""
        return not self.table.isdisjoint(other.table) or any(
            variable in other.variables for variable in self.variables
        )


# ---- what is inside


_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(form: type) -> tuple[str, ...]:
    """The fields of a form in which terms can stand."""
    found = _NAMES.get(form)
    if found is None:
        slots = fields(form) if has(form) and not issubclass(form, _OPAQUE) else ()
        found = tuple(slot.name for slot in slots if slot.name not in _BINDERS and slot.eq)
        _NAMES[form] = found
    return found


def _terms_in(value: object) -> list[Term]:
    """The outermost terms in a value, in the order of its fields."""
    found: list[Term] = []
    _collect(value, found)
    return found


def _collect(value: object, found: list[Term]) -> None:
    if isinstance(value, TERMS):
        found.append(value)
    elif isinstance(value, tuple):
        for part in value:
            _collect(part, found)
    else:
        for name in _field_names(type(value)):
            _collect(getattr(value, name), found)


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly inside a term, in the order of its fields."""
    if isinstance(term, Const | Bound):
        return ()
    found: list[Term] = []
    for name in _field_names(type(term)):
        _collect(getattr(term, name), found)
    return tuple(found)


def terms_of(step: Step) -> tuple[Term, ...]:
    """The outermost terms of a step, in the order of its fields; guards and domains included.

    A blind take reads the variable that it settles.
    """
    found = tuple(_terms_in(step))
    match step:
        case Chance(Blind(variable, args)):
            return (Read(variable, args, type=variable.type), *found)
        case _:
            return found


def subterms(term: Term) -> Iterator[Term]:
    """A term and all terms inside it, outer ones first."""
    yield term
    for child in children(term):
        yield from subterms(child)


def whole(*roots: Term) -> Iterator[Term]:
    """Terms, all terms inside them, and once each those of the functions they apply."""
    seen: set[int] = set()
    waiting = list(reversed(roots))
    while waiting:
        for term in subterms(waiting.pop()):
            yield term
            function = term.op if isinstance(term, Apply) else None
            if isinstance(function, Function) and id(function) not in seen:
                seen.add(id(function))
                waiting += reversed(function_terms(function))


def function_terms(function: Function) -> tuple[Term, ...]:
    """The outermost terms of a function, case by case."""
    return tuple(_terms_in(function.cases))


# ---- what is read


def variable_reads(*roots: Term) -> Iterator[tuple[Variable, tuple[Term, ...]]]:
    """The variables that terms read, with the keys they are read at; functions included."""
    for term in whole(*roots):
        if isinstance(term, Read) and isinstance(term.source, Variable):
            yield term.source, term.args


def reads(*roots: Term) -> Access:
    """All that terms depend on.

    The order of a place depends on faces and flags, therefore whatever changes these writes its
    contents too, and only a term that asks for them reads them.
    """
    variables: dict[Variable, None] = {}
    table: set[Touch] = set()
    for term in whole(*roots):
        if not isinstance(term, Read):
            continue
        match term.source:
            case Variable() as variable:
                variables[variable] = None
            case Contents() | AllTokens() | PlaceOfToken() | HolderOf() | PositionOf():
                table.add(Touch.CONTENTS)
            case FaceUp():
                table.add(Touch.FACES)
            case FlagOf():
                table.add(Touch.FLAGS)
            case Attribute() | KindOf():
                pass
    return Access(tuple(variables), frozenset(table))


def step_reads(step: Step) -> Access:
    """All that the terms of a step depend on, its keys, guards, domains and value included."""
    return reads(*terms_of(step))


# ---- what is written


def written_slots(step: Step) -> tuple[tuple[Variable, tuple[Term, ...]], ...]:
    """The variables that a step gives a value, with their keys.

    A choice gives one to the slots of the option taken; in a joint decision, to the member of the
    seat that answers, so that no keys are named.
    """
    match step:
        case Assign(Variable() as variable, args, _):
            return ((variable, args),)
        case Chance(Roll(dice)):
            return tuple((variable, args) for variable, args, _ in dice)
        case Chance(Pick(variable, args) | Blind(variable, args)):
            return ((variable, args),)
        case Choose():
            slots = [slot.local for option in step.options for slot in option.slots]
            if step.picked is not None:
                slots.append(step.picked)
            return tuple((variable, ()) for variable in slots)
        case _:
            return ()


def _written_table(step: Step) -> frozenset[Touch]:
    match step:
        case Move():
            return frozenset(Touch)
        case Assign(FaceTarget()):
            return frozenset({Touch.CONTENTS, Touch.FACES, Touch.KNOWLEDGE})
        case Assign(FlagTarget()):
            return frozenset({Touch.CONTENTS, Touch.FLAGS})
        case Assign(KnownTarget()):
            return frozenset({Touch.KNOWLEDGE})
        case Chance(Shuffle()):
            return frozenset({Touch.CONTENTS, Touch.KNOWLEDGE})
        case _:
            return frozenset()


def step_writes(step: Step) -> Access:
    """All that a step can change."""
    variables = {variable: None for variable, _ in written_slots(step)}
    return Access(tuple(variables), _written_table(step))
