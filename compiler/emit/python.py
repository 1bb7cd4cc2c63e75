"""A program as Python source: one function for each of its functions.

Whoever runs the source gives it `_b`, `_h`, `_w`, `_i` and `_q`, memory as numbers of 1, 2, 4, 4
(with a sign) and 8 bytes, and `_Trap`, an exception that is made from the code of a trap.  It finds
the functions under the names that `function_name` gives.
"""

from collections.abc import Mapping
from typing import assert_never

from attrs import Factory, define

from compiler.emit.bounds import largest
from compiler.emit.names import legal_names
from compiler.emit.python_terms import Terms
from compiler.lir.core import (
    INT,
    MASK,
    Block,
    Break,
    Continue,
    Do,
    Function,
    If,
    Loop,
    Program,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
    Un,
    Unary,
)
from compiler.lir.walk import facts, order_matters, read_unset


def emit(program: Program) -> str:
    """The source of a program that `verify` accepts."""
    functions = function_names(program)
    lines: list[str] = []
    for function in program.functions:
        lines += _Writer.of(function, functions).write()
    return "\n".join(lines) + "\n"


def function_names(program: Program) -> dict[str, str]:
    """What each function is called in the source."""
    return legal_names((function.name for function in program.functions), "f_")


@define
class _Writer:
    """Writes one function."""

    function: Function
    name: str
    terms: Terms
    lines: list[str] = Factory(list)
    indent: int = 1
    loops: list[str] = Factory(list)
    escapes: dict[str, list[Break | Continue]] = Factory(dict)
    exits: list[Break | Continue] = Factory(list)  # those that leave more than one loop

    @classmethod
    def of(cls, function: Function, functions: Mapping[str, str]) -> "_Writer":
        """A writer with a name for each local."""
        terms = Terms(legal_names(facts(function).variables, "v_"), functions)
        return cls(function, functions[function.name], terms)

    def write(self) -> list[str]:
        """The lines of the function."""
        self.block(self.function.body)
        known = self.terms.locals
        params = ", ".join(known[local.name] for local in self.function.params)
        zero = [known[name] for name in sorted(read_unset(self.function))]
        if self.exits:
            zero.append("_out")
        head = [f"def {self.name}({params}):"]
        if self.function.note:
            head.append(f"    # {' '.join(self.function.note.split())}")
        if zero:
            head.append(f"    {' = '.join(zero)} = 0")
        return head + self.lines

    def line(self, text: str) -> None:
        """One line."""
        self.lines.append("    " * self.indent + text)

    def inside(self, head: str, block: Block) -> None:
        """A line and the block that belongs to it."""
        self.line(head)
        self.indent += 1
        self.block(block)
        self.indent -= 1

    def block(self, block: Block) -> None:
        """Statements in turn, as far as they can be reached."""
        for stmt in block:
            self.stmt(stmt)
            if isinstance(stmt, Return | Trap | Break | Continue):
                return
        if not block:
            self.line("pass")

    def stmt(self, stmt: Stmt) -> None:
        """One statement."""
        terms = self.terms
        match stmt:
            case Set(local, value):
                self.line(f"{terms.locals[local.name]} = {terms.exact(value)}")
            case Store():
                self.store(stmt)
            case If():
                self.if_(stmt)
            case Loop():
                self.loop(stmt)
            case Break() | Continue():
                self.leave(stmt)
            case Switch():
                self.switch(stmt)
            case Do(call):
                self.line(terms.exact(call))
            case Return(value):
                self.line("return" if value is None else f"return {terms.exact(value)}")
            case Trap(code):
                self.line(f"raise _Trap({code})")
            case _:
                assert_never(stmt)

    def store(self, stmt: Store) -> None:
        """Python evaluates the value before the address, so the address may have to wait."""
        terms, value, address = self.terms, stmt.value, stmt.address
        whole = stmt.width == 8 or (stmt.width == 4 and value.kind is not MASK)
        text = terms.exact(value) if whole else terms.low(value, stmt.width)
        kind = INT if stmt.width == 4 and value.kind is INT else MASK
        place = terms.place(stmt.width, stmt.base, address, kind)
        if address is not None and order_matters(address, value):
            view, _, index = place.partition("[")
            self.line(f"_a = {index.removesuffix(']')}")
            place = f"{view}[_a]"
        self.line(f"{place} = {text}")

    def if_(self, stmt: If, word: str = "if") -> None:
        """One of two blocks; a second block that is an `If` itself goes on as `elif`."""
        if not stmt.then and stmt.otherwise:
            self.if_(If(Unary(Un.NOT, stmt.test), stmt.otherwise), word)
            return
        self.inside(f"{word} {self.terms.condition(stmt.test)}:", stmt.then)
        match stmt.otherwise:
            case ():
                pass
            case (If() as further,):
                self.if_(further, "elif")
            case otherwise:
                self.inside("else:", otherwise)

    def switch(self, stmt: Switch) -> None:
        """A few tests in turn, or halving: Python has no table to jump through."""
        self.line(f"_n = {self.terms.exact(stmt.number)}")
        if not stmt.cases:
            self.block(stmt.otherwise)
            return
        bound = largest(stmt.number)
        if bound is not None and bound < len(stmt.cases):
            self.halves(0, stmt.cases)
            return
        self.line(f"if 0 <= _n < {len(stmt.cases)}:")
        self.indent += 1
        self.halves(0, stmt.cases)
        self.indent -= 1
        if stmt.otherwise:
            self.inside("else:", stmt.otherwise)

    def halves(self, first: int, cases: tuple[Block, ...]) -> None:
        """The case of `_n`, which is one of these; the first of them belongs to `first`."""
        if all(case is cases[0] for case in cases):
            self.block(cases[0])
            return
        middle = len(cases) // 2
        self.line(f"if _n < {first + middle}:")
        self.indent += 1
        self.halves(first, cases[:middle])
        self.indent -= 1
        self.line("else:")
        self.indent += 1
        self.halves(first + middle, cases[middle:])
        self.indent -= 1

    # ---- loops

    def loop(self, stmt: Loop) -> None:
        """A loop, and behind it the way on of those that leave an outer loop from inside."""
        self.escapes[stmt.name] = []
        self.loops.append(stmt.name)
        self.inside("while True:", stmt.body)
        self.loops.pop()
        for leave in self.escapes[stmt.name]:
            self.line(f"if _out == {self.exits.index(leave) + 1}:")
            self.indent += 1
            if leave.loop == self.loops[-1]:
                self.line("_out = 0")
            self.leave(leave)
            self.indent -= 1

    def leave(self, leave: Break | Continue) -> None:
        """Ends a loop or begins it again; a loop around others is told of it through `_out`."""
        if leave.loop == self.loops[-1]:
            self.line("break" if isinstance(leave, Break) else "continue")
            return
        if leave not in self.exits:
            self.exits.append(leave)
        if leave not in self.escapes[self.loops[-1]]:
            self.escapes[self.loops[-1]].append(leave)
        self.line(f"_out = {self.exits.index(leave) + 1}")
        self.line("break")
