"""The body of one function as WebAssembly: structured control, locals, and calls written out.

A call of a function that is to be inlined becomes a block: its arguments are put into locals, and
its `Return` branches to the end of the block.  The bytes of such a block depend only on which
locals it uses, so they are made once for each function that calls it.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Final, Self, assert_never

from attrs import Factory, define, frozen

from compiler.emit.bounds import largest
from compiler.emit.wasm_format import (
    BINARY,
    BLOCK,
    BR,
    BR_IF,
    BR_TABLE,
    CALL,
    DROP,
    ELSE,
    END,
    EQZ,
    GET,
    I32_ADD,
    I32_AND,
    I32_CONST,
    I32_SHR_S,
    I32_STORE,
    I32_WRAP,
    I64_CLZ,
    I64_SUB,
    IF,
    LOAD,
    LOOP,
    NOTHING,
    RETURN,
    SELECT,
    SET,
    STORE,
    TEE,
    TYPE,
    UNARY,
    UNREACHABLE,
    constant,
    signed,
    unsigned,
    vector,
)
from compiler.lir.core import (
    COMPARISONS,
    INT,
    MASK,
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
from compiler.lir.walk import Facts, parts

_CONTRARY: Final[dict[Op, Op]] = {
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.GT: Op.LE,
    Op.LE: Op.GT,
}

_LEAVING: Final = (Return, Trap, Break, Continue)
"""Nothing that stands behind one of these is reached."""

_EAGER: Final = 6
"""An arm of a `Select` with no more expressions than this is evaluated before it is chosen."""


@frozen
class Unit:
    """What the functions of a module know of each other."""

    functions: Mapping[str, Function]
    facts: Mapping[str, Facts]
    numbers: Mapping[str, int]  # of those that are not always inlined
    inlined: frozenset[str]
    unset: Mapping[str, frozenset[str]]  # what those that are inlined may read before it is set
    mailbox: int  # where a trap leaves its code, plus one


@define
class _Frame:
    """The locals of one function of the module, and the bytes of what is inlined into it."""

    params: int
    types: list[int] = Factory(list)
    inlined: dict[str, "_Coder"] = Factory(dict)

    def new(self, kind: Kind) -> int:
        """One more local."""
        self.types.append(TYPE[kind])
        return self.params + len(self.types) - 1


def code(function: Function, unit: Unit) -> bytes:
    """The locals and the instructions of a function."""
    frame = _Frame(len(function.params))
    coder = _Coder.of(function, unit, frame, inlined=False)
    coder.write()
    runs = [(kind, len(list(run))) for kind, run in groupby(frame.types)]
    local_types = vector(unsigned(count) + bytes((kind,)) for kind, count in runs)
    return local_types + bytes(coder.out)


@define
class _Coder:
    """Writes one function, or one inlined call of it."""

    function: Function
    unit: Unit
    frame: _Frame
    inlined: bool
    slots: dict[str, bytes]  # the number of each local, as it is written
    zeroed: bytes  # makes those zero that may be read before they are set
    out: bytearray = Factory(bytearray)
    depth: int = 0
    breaks: dict[str, int] = Factory(dict)  # the depth inside the block that ends a loop
    continues: dict[str, int] = Factory(dict)

    @classmethod
    def of(cls, function: Function, unit: Unit, frame: _Frame, inlined: bool) -> Self:
        """A writer whose locals have their places; parameters come first if not inlined."""
        kinds = unit.facts[function.name].variables
        slots = {
            name: unsigned(frame.new(kind) if inlined or index >= frame.params else index)
            for index, (name, kind) in enumerate(kinds.items())
        }
        zeroed = b"".join(
            constant(kinds[name], 0) + bytes((SET,)) + slots[name]
            for name in sorted(unit.unset[function.name] if inlined else ())
        )
        return cls(function, unit, frame, inlined, slots, zeroed)

    def write(self) -> None:
        """The whole body, with what ends it."""
        body = self.function.body
        last = body[-1] if body else None
        if isinstance(last, Return):
            self.block(body[:-1])
            if last.value is not None:
                self.expr(last.value)
        else:
            self.block(body)
            if self.function.result is not None and not isinstance(last, Trap):
                self.out.append(UNREACHABLE)
        self.out.append(END)

    # ---- statements

    def block(self, block: Block) -> None:
        """Statements in turn, as far as they can be reached."""
        for stmt in block:
            self.stmt(stmt)
            if isinstance(stmt, _LEAVING):
                break

    def stmt(self, stmt: Stmt) -> None:
        """One statement."""
        out = self.out
        match stmt:
            case Set(local, value):
                self.expr(value)
                out.append(SET)
                out += self.slots[local.name]
            case Store(width, base, address, value):
                offset = self.address(base, address)
                self.expr(value)
                out += STORE[TYPE[value.kind]][width]
                out += offset
            case If():
                self.if_(stmt)
            case Loop():
                self.loop(stmt)
            case Break() | Continue():
                out.append(BR)
                out += self.label(stmt)
            case Switch():
                self.switch(stmt)
            case Do(call):
                self.expr(call)
                if self.unit.functions[call.function].result is not None:
                    out.append(DROP)
            case Return(value):
                if value is not None:
                    self.expr(value)
                out += bytes((BR,)) + unsigned(self.depth) if self.inlined else bytes((RETURN,))
            case Trap(number):
                out += constant(INT, self.unit.mailbox) + constant(INT, number + 1)
                out += bytes((I32_STORE, 2, 0, UNREACHABLE))
            case _:
                assert_never(stmt)

    def if_(self, stmt: If) -> None:
        """One of two blocks; one that only leaves a loop becomes a conditional branch."""
        match stmt.then, stmt.otherwise:
            case ((Break() | Continue()) as leave,), rest:
                self.condition(stmt.test)
                self.branch_if(leave, rest)
            case rest, ((Break() | Continue()) as leave,):
                self.condition(stmt.test, contrary=True)
                self.branch_if(leave, rest)
            case (), otherwise:
                self.condition(stmt.test, contrary=True)
                self.arms(NOTHING, otherwise, ())
            case then, otherwise:
                self.condition(stmt.test)
                self.arms(NOTHING, then, otherwise)

    def branch_if(self, leave: Break | Continue, rest: Block) -> None:
        """Leaves, if what was just found is not zero; else goes on with the rest."""
        self.out.append(BR_IF)
        self.out += self.label(leave)
        self.block(rest)

    def label(self, leave: Break | Continue) -> bytes:
        """How many blocks out the end or the beginning of a loop is."""
        at = self.breaks if isinstance(leave, Break) else self.continues
        return unsigned(self.depth - at[leave.loop])

    def arms(self, kind: int, then: Block, otherwise: Block) -> None:
        """The blocks of an `if` whose test was just written."""
        self.open(IF, kind)
        self.block(then)
        if otherwise:
            self.out.append(ELSE)
            self.block(otherwise)
        self.close()

    def open(self, instruction: int, kind: int) -> None:
        """Begins a block."""
        self.out += bytes((instruction, kind))
        self.depth += 1

    def close(self) -> None:
        """Ends a block."""
        self.out.append(END)
        self.depth -= 1

    def loop(self, stmt: Loop) -> None:
        """A block to break out of, around a loop to go back to the beginning of."""
        self.open(BLOCK, NOTHING)
        self.breaks[stmt.name] = self.depth
        self.open(LOOP, NOTHING)
        self.continues[stmt.name] = self.depth
        self.block(stmt.body)
        if not stmt.body or not isinstance(stmt.body[-1], _LEAVING):
            self.out += bytes((BR, 0))
        self.close()
        self.close()

    def switch(self, stmt: Switch) -> None:
        """A table of branches out of nested blocks, one behind which each case stands.

        Cases that are the same object stand there once.
        """
        bodies = list({id(case): case for case in stmt.cases if case}.values())
        position = {id(case): index for index, case in enumerate(bodies)}
        default = len(bodies)
        if stmt.otherwise:
            bodies.append(stmt.otherwise)
        outermost = self.depth + 1
        for _ in range(len(bodies) + 1):
            self.open(BLOCK, NOTHING)
        self.expr(stmt.number)
        self.out.append(BR_TABLE)
        self.out += vector(unsigned(position.get(id(c), len(bodies))) for c in stmt.cases)
        self.out += unsigned(default)
        for body in bodies:
            self.close()
            self.block(body)
            if self.depth > outermost and not isinstance(body[-1], _LEAVING):
                self.out += bytes((BR,)) + unsigned(self.depth - outermost)
        self.close()

    # ---- expressions

    def expr(self, expr: Expr) -> None:
        """What leaves the value of an expression on the stack."""
        out = self.out
        match expr:
            case Local(name):
                out.append(GET)
                out += self.slots[name]
            case Number(value, kind):
                out += constant(kind, value)
            case Binary():
                self.binary(expr)
            case Load(width, base, address):
                offset = self.address(base, address)
                out += LOAD[width]
                out += offset
            case Unary(op, arg):
                self.unary(op, arg)
            case Select(test, then, otherwise):
                self.select(test, then, otherwise)
            case Call():
                self.call(expr)
            case _:
                assert_never(expr)

    def address(self, base: int, address: Expr | None) -> bytes:
        """Leaves what is added to an offset, and gives the offset, as it is written."""
        if address is None:
            self.out += bytes((I32_CONST, 0))
        else:
            self.expr(address)
        return unsigned(base)

    def unary(self, op: Un, arg: Expr) -> None:
        """An operator on one number."""
        if op is Un.NOT:
            self.condition(arg, contrary=True, exact=True)
        elif op is Un.HIGHEST:
            self.out += constant(MASK, 63)
            self.expr(arg)
            self.out += bytes((I64_CLZ, I64_SUB, I32_WRAP))
        elif op is Un.FLIP:
            self.expr(arg)
            self.out += constant(arg.kind, -1)
            self.out.append(BINARY[arg.kind][Op.XOR])
        else:
            self.expr(arg)
            self.out += UNARY[op]

    def binary(self, expr: Binary) -> None:
        """An operator on two numbers; dividing what may be negative rounds down."""
        op, left, right = expr.op, expr.left, expr.right
        zero = isinstance(right, Number) and right.value == 0
        if zero and op in (Op.EQ, Op.NE) and not (op is Op.NE and left.kind is not MASK):
            self.condition(left, contrary=op is Op.EQ, exact=True)
            return
        if op in (Op.DIV, Op.MOD) and left.kind is INT and largest(left) is None:
            self.floor(op, left, right)
            return
        self.expr(left)
        self.expr(right)
        self.out.append(BINARY[left.kind][op])

    def floor(self, op: Op, left: Expr, right: Expr) -> None:
        """The quotient or the rest, rounded down, of a number that may be negative."""
        out = self.out
        self.expr(left)
        if isinstance(right, Number) and right.value & (right.value - 1) == 0:
            power = right.value.bit_length() - 1
            out += constant(INT, power if op is Op.DIV else right.value - 1)
            out.append(I32_SHR_S if op is Op.DIV else I32_AND)
            return
        divisor, rest = unsigned(self.frame.new(INT)), unsigned(self.frame.new(INT))
        dividend = unsigned(self.frame.new(INT))
        out += bytes((TEE, *dividend))
        self.expr(right)
        out += bytes((TEE, *divisor))
        # The rest has the sign of the dividend: where it is negative, one divisor is missing.
        out += bytes((BINARY[INT][Op.MOD], TEE, *rest, I32_CONST, *signed(31), I32_SHR_S))
        if op is Op.MOD:
            out += bytes((GET, *divisor, I32_AND, GET, *rest, I32_ADD))
        else:
            quotient = bytes((GET, *dividend, GET, *divisor, BINARY[INT][Op.DIV]))
            out += quotient + bytes((I32_ADD,))

    def condition(self, expr: Expr, contrary: bool = False, exact: bool = False) -> None:
        """Leaves a number that is zero where the truth is 0; where `exact`, it is 0 or 1."""
        match expr:
            case Unary(Un.NOT, arg):
                self.condition(arg, not contrary, exact)
            case Binary(op, left, right) if op in COMPARISONS and contrary:
                self.binary(Binary(_CONTRARY[op], left, right))
            case _:
                self.expr(expr)
                if contrary:
                    self.out.append(EQZ[expr.kind])
                elif expr.kind is MASK:
                    self.out += constant(MASK, 0)
                    self.out.append(BINARY[MASK][Op.NE])
                elif exact and (largest(expr) or 2) > 1:
                    self.out += bytes((EQZ[INT], EQZ[INT]))

    def select(self, test: Expr, then: Expr, otherwise: Expr) -> None:
        """One of two values: without a branch where both are cheap and do nothing else."""
        if _is_harmless(then) and _is_harmless(otherwise):
            self.expr(then)
            self.expr(otherwise)
            self.condition(test)
            self.out.append(SELECT)
            return
        self.condition(test)
        self.open(IF, TYPE[then.kind])
        self.expr(then)
        self.out.append(ELSE)
        self.expr(otherwise)
        self.close()

    def call(self, call: Call) -> None:
        """Calls a function, or does here what it does."""
        for arg in call.args:
            self.expr(arg)
        if call.function not in self.unit.inlined:
            self.out.append(CALL)
            self.out += unsigned(self.unit.numbers[call.function])
            return
        callee = self.inlining(call.function)
        function = callee.function
        for param in reversed(function.params):
            self.out.append(SET)
            self.out += callee.slots[param.name]
        self.out += callee.zeroed
        self.out.append(BLOCK)
        self.out.append(NOTHING if function.result is None else TYPE[function.result])
        self.out += callee.out

    def inlining(self, name: str) -> "_Coder":
        """The writer of a function that is inlined here, its work done."""
        callee = self.frame.inlined.get(name)
        if callee is None:
            function = self.unit.functions[name]
            callee = _Coder.of(function, self.unit, self.frame, inlined=True)
            callee.write()
            self.frame.inlined[name] = callee
        return callee


def _is_harmless(expr: Expr) -> bool:
    """Whether evaluating it takes little time and does nothing else: no memory, calls or traps."""
    for number, part in enumerate(parts(expr)):
        if number == _EAGER or isinstance(part, Load | Call | Select):
            return False
        if isinstance(part, Binary) and part.op in (Op.DIV, Op.MOD):
            return False
    return True
