"""Which names are read where: locals with their scopes, and everything else by declaration.

A local is visible from its line to the end of its block.  Types are not looked at, and whether a
name means anything is told elsewhere.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.declared import Item
from compiler.syntax.walk import children


class Role(Enum):
    """What a local is; the value says it to people."""

    PARAMETER = "a parameter"
    VALUE = "a local value"
    VARIABLE = "a local variable"
    COUNTER = "the name of a loop"
    CHOSEN = "what is chosen"
    ACTOR = "the player of a window"
    MEMBER = "the name of a member"
    ATTRIBUTE = "an attribute"
    GIVEN = "a word of the language"


@define(eq=False)
class Local:
    """A local name where it is introduced; `outer` is one of the same name around it."""

    word: Word
    role: Role
    outer: "Local | None"
    read: bool = False


@frozen(eq=False)
class Scope:
    """The names in sight: the newest, and those before it."""

    local: Local
    before: "Scope | None"


Sight: TypeAlias = Scope | None


def find(name: str, sight: Sight) -> Local | None:
    """The local of a name, if one is in sight."""
    while sight is not None:
        if sight.local.word.text == name:
            return sight.local
        sight = sight.before
    return None


class How(Enum):
    """What a term or step does with a name."""

    READ = "read"
    WRITTEN = "written"
    ROLLED = "rolled"


@frozen(eq=False)
class Use:
    """A name that is no local, used within a declaration."""

    word: Word
    how: How
    by: Item


@define(eq=False)
class References:
    """All locals of a game, and all uses of other names."""

    locals: list[Local] = field(factory=list)
    uses: list[Use] = field(factory=list)
    holders: list[tuple[Word, Local]] = field(factory=list)  # `seen by holder` beside a local


def read_references(items: Sequence[Item]) -> References:
    """The references of some declarations; scenarios read as outsiders and are left out."""
    found = References()
    for item in items:
        if not isinstance(item, ast.Scenario | ast.ScenariosOf | ast.Variant):
            _Reader(found, item).run()
    return found


Part: TypeAlias = ast.Node | tuple[ast.Step, ...]


@define(eq=False)
class _Reader:
    """Reads one declaration; what waits is read in any order, scopes are fixed when it is put."""

    found: References
    item: Item
    _waiting: list[tuple[Part, Sight]] = field(factory=list)

    def run(self) -> None:
        self._declaration()
        while self._waiting:
            part, sight = self._waiting.pop()
            if isinstance(part, tuple):
                self._block(part, sight)
            else:
                self._term(part, sight)

    # ---- names

    def _put(self, sight: Sight, *parts: Part | None) -> None:
        self._waiting.extend((part, sight) for part in parts if part is not None)

    def _bind(self, word: Word, role: Role, sight: Sight) -> Scope:
        local = Local(word, role, find(word.text, sight))
        self.found.locals.append(local)
        return Scope(local, sight)

    def _use(self, word: Word, how: How, sight: Sight) -> None:
        local = find(word.text, sight)
        if local is None:
            self.found.uses.append(Use(word, how, self.item))
        elif how is How.READ:
            local.read = True
            if local.role is Role.GIVEN and local.outer is not None and word.text == "holder":
                self.found.holders.append((word, local.outer))

    # ---- declarations

    def _declaration(self) -> None:
        match self.item:
            case ast.Define(params=params, cases=cases):
                self._put(self._parameters(params), *cases)
            case ast.PhaseDecl(params=params, block=block):
                self._put(self._parameters(params), block)
            case ast.Start(block=block):
                self._put(None, block)
            case ast.Whenever(test=test, block=block):
                self._put(None, test, block)
            case ast.TokenDecl(lines=lines):
                sight: Sight = None
                for line in lines:
                    if isinstance(line, ast.Attribute):
                        self._put(None, line.type)
                        sight = self._bind(line.name, Role.ATTRIBUTE, sight)
                self._put(sight, *(p for line in lines for p in _computed(line)))
            case _:
                self._put(None, *children(self.item))

    def _parameters(self, params: tuple[ast.Typed, ...] | None) -> Sight:
        sight: Sight = None
        for param in params or ():
            self._put(None, param.type)
            sight = self._bind(param.name, Role.PARAMETER, sight)
        return sight

    # ---- terms

    def _term(self, node: ast.Node, sight: Sight) -> None:
        match node:
            case ast.Name(name=name):
                self._use(name, How.READ, sight)
            case ast.Call(name=name, args=args):
                self._use(name, How.READ, None)
                self._put(sight, *args)
            case ast.Shape(holds=holds):
                self._use(holds, How.READ, None)
            case ast.Aggregate(body=body, bind=bind):
                self._put(self._bound(bind, Role.MEMBER, sight), body)
            case ast.Quantified(name=name, domain=domain, body=body):
                self._put(sight, domain)
                self._put(self._bind(name, Role.MEMBER, sight), body)
            case ast.Filtered(name=name, domain=domain, where=where):
                self._put(sight, domain)
                self._put(self._bind(name, Role.MEMBER, sight), where)
            case ast.Seen(by=by) | ast.SeenBy(by=by):
                self._put(Scope(_word("holder", by, sight), sight), by)
            case _:
                self._put(sight, *children(node))

    def _bound(self, bind: ast.Bind, role: Role, sight: Sight) -> Scope:
        self._put(sight, bind.domain)
        inner = self._bind(bind.name, role, sight)
        self._put(inner, bind.where)
        return inner

    # ---- steps

    def _block(self, block: ast.Block, sight: Sight) -> Sight:
        """Read the steps of a block; what is in sight at its end."""
        for step in block:
            sight = self._step(step, sight)
        return sight

    def _step(self, step: ast.Step, sight: Sight) -> Sight:
        match step:
            case ast.Let(name=name, value=value):
                self._put(sight, value)
                return self._bind(name, Role.VALUE, sight)
            case ast.Var(name=name):
                self._put(sight, *children(step))
                return self._bind(name, Role.VARIABLE, sight)
            case ast.Pick(name=name, domain=domain):
                self._put(sight, domain)
                return self._bind(name, Role.CHOSEN, sight)
            case ast.Assign(target=target, value=value):
                self._target(target, How.WRITTEN, sight)
                self._put(sight, value)
            case ast.Roll(dice=dice):
                for die in dice:
                    self._target(die, How.ROLLED, sight)
            case ast.Choice():
                return self._choice(step, sight)
            case _:
                self._compound(step, sight)
        return sight

    def _compound(self, step: ast.Step, sight: Sight) -> None:
        """Steps that bring no name into sight of the steps after them."""
        match step:
            case ast.Named(block=block):
                self._put(sight, block)
            case ast.Branch():
                self._put(sight, step.test, step.block)
                for part in step.elifs:
                    self._put(sight, part.test, part.block)
                self._put(sight, step.otherwise.block if step.otherwise else None)
            case ast.Loop(bind=bind, block=block) | ast.Together(bind=bind, block=block):
                self._put(self._bound(bind, Role.COUNTER, sight), block)
            case ast.Repeat(block=block, until=until):
                self._put(self._block(block, sight), until)
            case ast.Decision(actor=actor, options=options, otherwise=otherwise):
                self._put(sight, actor, otherwise.block if otherwise else None)
                for option in options:
                    self._option(option, sight)
            case ast.Window():
                self._window(step, sight)
            case _:
                self._put(sight, *children(step))

    def _target(self, target: ast.Expr, how: How, sight: Sight) -> None:
        match target:
            case ast.Name(name=name):
                self._use(name, how, sight)
            case ast.Index(of=ast.Name(name=name), keys=keys):
                self._use(name, how, sight)
                self._put(sight, *keys)
            case _:
                self._put(sight, target)

    # ---- choices

    def _slots(self, slots: tuple[ast.Slot, ...] | None, sight: Sight) -> Sight:
        for slot in slots or ():
            sight = self._bound(slot.bind, Role.CHOSEN, sight)
        return sight

    def _choice(self, step: ast.Choice, sight: Sight) -> Sight:
        self._put(sight, step.actor)
        inner = self._slots(step.slots, sight)
        for line in step.lines or ():
            if isinstance(line, ast.Guard):
                self._put(inner, line.test)
            else:
                self._put(sight, line.block)
        return inner

    def _option(self, option: ast.Option, sight: Sight) -> None:
        inner = self._slots(option.slots, sight)
        steps: list[ast.Step] = []
        for line in option.lines or ():
            if isinstance(line, ast.Guard):
                self._put(inner, line.test)
            else:
                steps.append(line)
        self._put(inner, tuple(steps))

    def _window(self, step: ast.Window, sight: Sight) -> None:
        self._put(sight, step.domain)
        inner: Sight = self._bind(step.name, Role.ACTOR, sight)
        for name in ("passes", "passed"):
            inner = Scope(_word(name, step, inner), inner)
        self._put(inner, step.until)
        for option in step.options:
            self._option(option, inner)


def _word(name: str, at: ast.Node, sight: Sight) -> Local:
    """A word that the language brings into sight."""
    return Local(Word(name, span=at.span), Role.GIVEN, find(name, sight))


def _computed(line: ast.Node) -> Iterator[ast.Node]:
    """The terms of a line of a class that may read its attributes."""
    match line:
        case ast.Attribute(value=value):
            if value is not None:
                yield value
        case _:
            yield from children(line)
