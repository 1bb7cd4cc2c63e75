"""What every program promises to a printer; a lowering that breaks a promise is found here.

Types agree, a local has one type, calls fit what they call and never come back to it, loops that
are left are there, every way through a function with a result gives one, and fixed addresses lie
in memory, each at a multiple of its width.
"""

from typing import Final, NoReturn, assert_never

from attrs import define

from compiler.diagnostic import InternalError
from compiler.lir.core import (
    INT,
    MASK,
    WORD,
    Binary,
    Block,
    Break,
    Call,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Kind,
    Load,
    Local,
    Loop,
    Number,
    Op,
    Program,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
    Un,
    Unary,
)
from compiler.lir.text import statement_text
from compiler.lir.walk import facts, parts, statements, terms

_RANGE: Final[dict[Kind, range]] = {
    INT: range(-(2**31), 2**31),
    WORD: range(2**32),
    MASK: range(2**64),
}
_BITS: Final[dict[Kind, int]] = {INT: 31, WORD: 32, MASK: 64}

_TAKES: Final[dict[Un, tuple[Kind, ...]]] = {
    Un.NOT: (INT, WORD, MASK),
    Un.FLIP: (WORD, MASK),
    Un.BITS: (MASK,),
    Un.LOWEST: (MASK,),
    Un.HIGHEST: (MASK,),
    Un.INT_TO_MASK: (INT,),
    Un.MASK_TO_INT: (MASK,),
    Un.INT_TO_WORD: (INT,),
    Un.WORD_TO_INT: (WORD,),
    Un.WORD_TO_MASK: (WORD,),
    Un.MASK_TO_WORD: (MASK,),
}

_LOADS: Final[dict[int, tuple[Kind, ...]]] = {1: (INT,), 2: (INT,), 4: (INT, WORD), 8: (MASK,)}
_STORES: Final[dict[int, tuple[Kind, ...]]] = {
    1: (INT, WORD, MASK),
    2: (INT, WORD, MASK),
    4: (INT, WORD, MASK),
    8: (MASK,),
}

_LARGEST_MEMORY: Final = 2**32 - 2**16
"""The last page of what 32 bits can reach is left to the printers."""


def verify(program: Program) -> None:
    """Nothing, if the program keeps all promises; else `InternalError` with the statement."""
    functions: dict[str, Function] = {}
    if not 0 < program.memory <= _LARGEST_MEMORY:
        raise InternalError(f"{program.name}: a memory of {program.memory} bytes")
    for data in program.data:
        if not 0 <= data.address <= program.memory - len(data.content):
            raise InternalError(f"{program.name}: data at {data.address} lie outside memory")
    for function in program.functions:
        if function.name in functions:
            raise InternalError(f"{program.name}: two functions are called {function.name}")
        functions[function.name] = function
    for function in program.functions:
        _Verifier(function, functions, program.memory, {}).verify()
    _acyclic({name: list(facts(function).calls) for name, function in functions.items()})


def _acyclic(calls: dict[str, list[str]]) -> None:
    """No function calls itself, not even through others."""
    done: set[str] = set()
    for root in calls:
        path = {root: iter(calls[root])}
        while path:
            name, rest = next(reversed(path.items()))
            callee = next((other for other in rest if other not in done), None)
            if callee is None:
                done.add(name)
                del path[name]
            elif callee in path:
                raise InternalError(f"{name}: calls {callee}, which calls {name}")
            else:
                path[callee] = iter(calls[callee])


@define
class _Verifier:
    """Goes through one function."""

    function: Function
    functions: dict[str, Function]
    memory: int
    kinds: dict[str, Kind]
    stmt: Stmt | None = None

    def verify(self) -> None:
        function = self.function
        for local in function.params:
            if local.name in self.kinds:
                self._broken(f"two parameters are called {local.name}")
            self.kinds[local.name] = local.kind
        self._block(function.body, ())
        if function.result is not None and _goes_on(function.body):
            self.stmt = None
            self._broken("a way through it gives no result")

    def _broken(self, what: str) -> NoReturn:
        where = "" if self.stmt is None else f" at `{statement_text(self.stmt)}`"
        raise InternalError(f"{self.function.name}{where}: {what}")

    def _block(self, block: Block, loops: tuple[str, ...]) -> None:
        for stmt in block:
            self.stmt = stmt
            for expr in terms(stmt):
                for part in parts(expr):
                    self._expr(part)
            match stmt:
                case Set(local, value):
                    self._local(local)
                    self._same(local.kind, value.kind)
                case Store(width, base, address, value):
                    self._memory(width, base, address, value.kind, _STORES)
                case If(_, then, otherwise):
                    self._block(then, loops)
                    self._block(otherwise, loops)
                case Loop(name, body):
                    if name in loops:
                        self._broken("a loop around it has the same name")
                    self._block(body, (*loops, name))
                case Break(loop) | Continue(loop):
                    if loop not in loops:
                        self._broken("stands in no loop of that name")
                case Switch(number, cases, otherwise):
                    self._same(INT, number.kind)
                    for case in (*cases, otherwise):
                        self._block(case, loops)
                case Do():
                    pass
                case Return(value):
                    if (None if value is None else value.kind) is not self.function.result:
                        self._broken("the function gives another type")
                case Trap(code):
                    if not 0 <= code < 2**31:
                        self._broken("no such code")
                case _:
                    assert_never(stmt)

    def _expr(self, expr: Expr) -> None:
        """An expression whose parts are looked at by themselves."""
        match expr:
            case Number(value, kind):
                if value not in _RANGE[kind]:
                    self._broken(f"{value} is no {kind.value}")
            case Local():
                self._local(expr)
            case Load(width, base, address):
                self._memory(width, base, address, expr.kind, _LOADS)
            case Binary():
                self._binary(expr)
            case Unary(op, arg):
                if arg.kind not in _TAKES[op]:
                    self._broken(f"`{op.value}` takes no {arg.kind.value}")
            case Select(_, then, otherwise):
                self._same(then.kind, otherwise.kind)
            case Call():
                self._call(expr)
            case _:
                assert_never(expr)

    def _local(self, local: Local) -> None:
        if self.kinds.setdefault(local.name, local.kind) is not local.kind:
            self._broken(f"{local.name} has two types")

    def _same(self, expected: Kind, actual: Kind) -> None:
        if expected is not actual:
            self._broken(f"{actual.value} where {expected.value} is asked for")

    def _binary(self, expr: Binary) -> None:
        self._same(expr.left.kind, expr.right.kind)
        match expr.op, expr.right:
            case ((Op.SHL | Op.SHR), Number(count)) if not 0 <= count < _BITS[expr.kind]:
                self._broken(f"a shift by {count}")
            case ((Op.DIV | Op.MOD), Number(divisor)) if divisor <= 0:
                self._broken(f"a division by {divisor}")
            case _:
                pass

    def _call(self, call: Call) -> None:
        callee = self.functions.get(call.function)
        if callee is None:
            self._broken(f"there is no function {call.function}")
        if len(callee.params) != len(call.args):
            self._broken(f"{call.function} takes {len(callee.params)} numbers")
        for param, arg in zip(callee.params, call.args, strict=True):
            self._same(param.kind, arg.kind)
        wanted = not (isinstance(self.stmt, Do) and self.stmt.call is call)
        if wanted and callee.result is not call.kind:
            self._broken(f"{call.function} gives no {call.kind.value}")

    def _memory(
        self,
        width: int,
        base: int,
        address: Expr | None,
        kind: Kind,
        allowed: dict[int, tuple[Kind, ...]],
    ) -> None:
        if kind not in allowed.get(width, ()):
            self._broken(f"no {kind.value} is {width} bytes wide")
        if base < 0 or base % width:
            self._broken(f"{base} is no place for {width} bytes")
        if base + width > self.memory:
            self._broken(f"{base} lies outside memory")
        if address is not None:
            self._same(INT, address.kind)


def _goes_on(block: Block) -> bool:
    """Whether what comes after a block can be reached."""
    return all(_passes(stmt) for stmt in block)


def _passes(stmt: Stmt) -> bool:
    match stmt:
        case Return() | Trap() | Break() | Continue():
            return False
        case If(_, then, otherwise):
            return _goes_on(then) or _goes_on(otherwise)
        case Switch(_, cases, otherwise):
            return any(map(_goes_on, cases)) or _goes_on(otherwise)
        case Loop(name, body):
            return Break(name) in statements(body)
        case Set() | Store() | Do():
            return True
        case _:
            assert_never(stmt)
