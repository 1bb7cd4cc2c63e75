"""A program as C11 text, to be compiled for a library.

Each exported function takes the memory and its numbers as `uint64_t`, and gives one.  Memory is
what `struct memory` says: the bytes of the program, and behind them, at the next multiple of
eight, four bytes in which a trap leaves its code plus one.  Memory is little-endian where the
processor is.
"""

from collections.abc import Mapping
from typing import assert_never

from attrs import Factory, define, evolve

from compiler.emit.c_terms import TYPE, Terms
from compiler.emit.names import legal_names
from compiler.lir.core import (
    INT,
    Block,
    Break,
    Continue,
    Do,
    Function,
    If,
    Kind,
    Local,
    Loop,
    Program,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
    Trap,
)
from compiler.lir.walk import facts, order_matters

_HEAD = """\
#include <setjmp.h>
#include <stdint.h>

struct memory {{
    union {{
        uint8_t b[{size}];
        uint16_t h[{size} / 2];
        uint32_t w[{size} / 4];
        uint64_t q[{size} / 8];
    }};
    int32_t mailbox;
}};

#if defined(__GNUC__)
typedef uint16_t __attribute__((may_alias)) half_at;
typedef uint32_t __attribute__((may_alias)) word_at;
typedef uint64_t __attribute__((may_alias)) long_at;
#define H_AT(address) (*(half_at *)(m->b + (uint32_t)(address)))
#define W_AT(address) (*(word_at *)(m->b + (uint32_t)(address)))
#define Q_AT(address) (*(long_at *)(m->b + (uint32_t)(address)))
#else
#define H_AT(address) m->h[(uint32_t)(address) >> 1]
#define W_AT(address) m->w[(uint32_t)(address) >> 2]
#define Q_AT(address) m->q[(uint32_t)(address) >> 3]
#endif

static _Thread_local jmp_buf way_out;

static _Noreturn void trap(struct memory *m, int32_t code)
{{
    m->mailbox = code + 1;
    longjmp(way_out, 1);
}}

static inline int32_t floor_quotient(int32_t a, int32_t b)
{{
    return a / b - (a % b < 0);
}}

static inline int32_t floor_rest(int32_t a, int32_t b)
{{
    int32_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}}

#if defined(__GNUC__)
static inline int32_t bits(uint64_t x) {{ return __builtin_popcountll(x); }}
static inline int32_t lowest_bit(uint64_t x) {{ return __builtin_ctzll(x); }}
static inline int32_t highest_bit(uint64_t x) {{ return 63 - __builtin_clzll(x); }}
#else
static inline int32_t bits(uint64_t x)
{{
    int32_t count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}}
static inline int32_t lowest_bit(uint64_t x) {{ return bits((x & (0 - x)) - 1); }}
static inline int32_t highest_bit(uint64_t x)
{{
    int32_t number = -1;
    for (; x; x >>= 1) number++;
    return number;
}}
#endif
"""


def emit(program: Program) -> str:
    """The text of a program that `verify` accepts.  What memory has at first is not in it."""
    functions = legal_names((function.name for function in program.functions), "f_")
    writers = [_Writer.of(function, functions) for function in program.functions]
    heads = [f"{writer.head()};" for writer in writers]
    bodies = ["\n".join(writer.write()) for writer in writers]
    doors = [_door(f, functions[f.name]) for f in program.functions if f.exported]
    head = _HEAD.format(size=(program.memory + 7) // 8 * 8)
    return "\n\n".join((head, "\n".join(heads), *bodies, *doors)) + "\n"


def door_names(program: Program) -> dict[str, str]:
    """What the exported functions are called in the library."""
    functions = legal_names((function.name for function in program.functions), "f_")
    return {f.name: f"run_{functions[f.name]}" for f in program.functions if f.exported}


def _door(function: Function, name: str) -> str:
    """The way in from outside, to which a trap comes back."""
    numbers = [f"uint64_t a{at}" for at in range(len(function.params))]
    args = [f"({TYPE[local.kind]})a{at}" for at, local in enumerate(function.params)]
    call = f"{name}({', '.join(('m', *args))})"
    run = f"{call};\n    return 0;" if function.result is None else f"return (uint64_t){call};"
    return (
        f"uint64_t run_{name}({', '.join(('struct memory *m', *numbers))})\n{{\n"
        f"    if (setjmp(way_out)) return 0;\n    {run}\n}}"
    )


@define
class _Writer:
    """Writes one function."""

    function: Function
    name: str
    terms: Terms
    kinds: Mapping[str, Kind]
    lines: list[str] = Factory(list)
    loops: dict[str, int] = Factory(dict)  # the number of each loop, as it was begun last
    begun: int = 0
    indent: int = 1

    @classmethod
    def of(cls, function: Function, functions: Mapping[str, str]) -> "_Writer":
        """A writer with a name for each local."""
        kinds = facts(function).variables
        terms = Terms(legal_names(kinds, "v_"), functions)
        return cls(function, functions[function.name], terms, kinds)

    def head(self) -> str:
        """The declaration."""
        function, known = self.function, self.terms.locals
        params = [f"{TYPE[local.kind]} {known[local.name]}" for local in function.params]
        result = "void" if function.result is None else TYPE[function.result]
        kind = "static inline" if function.inline else "static"
        return f"{kind} {result} {self.name}({', '.join(('struct memory *m', *params))})"

    def write(self) -> list[str]:
        """The lines of the function."""
        self.block(self.function.body)
        kinds = list(self.kinds.items())[len(self.function.params) :]
        names = [(kind, self.terms.locals[name]) for name, kind in kinds]
        names += [(kind, f"t{number}") for number, kind in enumerate(self.terms.kept)]
        note = " ".join(self.function.note.split()).replace("*/", "* /")
        return [
            *([f"/* {note} */"] if note else []),
            self.head(),
            "{",
            "    (void)m;",
            *(f"    {TYPE[kind]} {name} = 0;" for kind, name in names),
            *self.lines,
            "}",
        ]

    def line(self, text: str) -> None:
        """One line."""
        self.lines.append("    " * self.indent + text)

    def inside(self, head: str, block: Block, tail: str = "}") -> None:
        """A block in braces, between two lines."""
        self.line(head)
        self.indent += 1
        self.block(block)
        self.indent -= 1
        self.line(tail)

    def block(self, block: Block) -> None:
        """Statements in turn."""
        for stmt in block:
            self.stmt(stmt)

    def stmt(self, stmt: Stmt) -> None:
        """One statement."""
        terms = self.terms
        match stmt:
            case Set(local, value):
                self.line(f"{terms.locals[local.name]} = {terms.text(value)};")
            case Store():
                self.store(stmt)
            case If(test, then, otherwise):
                self.inside(f"if ({terms.text(test)}) {{", then)
                if otherwise:
                    self.inside("else {", otherwise)
            case Loop(name, body):
                self.begun += 1
                self.loops[name] = self.begun
                self.inside("for (;;) {", body, f"continue_{self.begun}:; }}")
                self.line(f"break_{self.loops[name]}:;")
            case Break() | Continue():
                self.line(f"goto {self.label(stmt)};")
            case Switch():
                self.switch(stmt)
            case Do(call):
                self.line(f"{terms.text(call)};")
            case Return(value):
                self.line("return;" if value is None else f"return {terms.text(value)};")
            case Trap(code):
                self.line(f"trap(m, {code});")
            case _:
                assert_never(stmt)

    def store(self, stmt: Store) -> None:
        """C evaluates the two sides in any order, so the address may have to come before."""
        terms, value, address = self.terms, stmt.value, stmt.address
        text = terms.low(value, stmt.width)
        if address is not None and order_matters(address, value):
            before = terms.keep(INT)
            self.line(f"{before} = {terms.text(address)};")
            address = Local(before)
            terms = evolve(terms, locals={**terms.locals, before: before})
        self.line(f"{terms.place(stmt.width, stmt.base, address)} = {text};")

    def switch(self, stmt: Switch) -> None:
        """Cases that are the same object stand there once."""
        numbers: dict[int, list[int]] = {}
        for number, case in enumerate(stmt.cases):
            numbers.setdefault(id(case), []).append(number)
        self.line(f"switch ({self.terms.text(stmt.number)}) {{")
        for same in numbers.values():
            labels = " ".join(f"case {number}:" for number in same)
            self.inside(f"{labels} {{", stmt.cases[same[0]], "} break;")
        self.inside("default: {", stmt.otherwise, "}}")

    def label(self, leave: Break | Continue) -> str:
        """The name of the end of a loop, or of the end of its body."""
        word = "break" if isinstance(leave, Break) else "continue"
        return f"{word}_{self.loops[leave.loop]}"
