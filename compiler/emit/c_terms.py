"""Expressions as C11 without undefined behaviour.

Signed numbers are added, multiplied and shifted as unsigned ones.  C does not say which operand it
evaluates first; where that could matter, the first one is put into a variable.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from attrs import Factory, define

from compiler.emit.bounds import largest
from compiler.emit.places import index, is_divided
from compiler.lir.core import (
    COMPARISONS,
    INT,
    MASK,
    WORD,
    Binary,
    Call,
    Expr,
    Kind,
    Load,
    Local,
    Number,
    Op,
    Select,
    Un,
    Unary,
)
from compiler.lir.walk import order_matters

TYPE: Final[dict[Kind, str]] = {INT: "int32_t", WORD: "uint32_t", MASK: "uint64_t"}

_ROW: Final[dict[int, str]] = {1: "b", 2: "h", 4: "w", 8: "q"}
_SUFFIX: Final[dict[Kind, str]] = {INT: "", WORD: "u", MASK: "ull"}
_CUT: Final[dict[int, str]] = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}
_FLOOR: Final[dict[Op, str]] = {Op.DIV: "floor_quotient", Op.MOD: "floor_rest"}
_SYMBOL: Final[dict[Op, str]] = {Op.DIV: "/"}
_WRAPPING: Final = (Op.ADD, Op.SUB, Op.MUL, Op.SHL, Op.SHR)


@define
class Terms:
    """Writes expressions of one function."""

    locals: Mapping[str, str]
    functions: Mapping[str, str]
    kept: list[Kind] = Factory(list)  # the types of the variables `t0`, `t1` …

    def text(self, expr: Expr) -> str:
        """The value; safe beside any operator."""
        match expr:
            case Local(name):
                return self.locals[name]
            case Number(value, kind):
                return _number(value, kind)
            case Load(width, base, address):
                place = self.place(width, base, address)
                return place if expr.kind in (WORD, MASK) else f"(int32_t){place}"
            case Binary():
                return self._binary(expr)
            case Unary(op, arg):
                return self._unary(op, arg)
            case Select(test, then, otherwise):
                return f"({self.text(test)} ? {self.text(then)} : {self.text(otherwise)})"
            case Call(function, args):
                before, inside = self._in_order(args)
                call = f"{self.functions[function]}({', '.join(('m', *inside))})"
                return f"({before}{call})" if before else call
            case _:
                assert_never(expr)

    def place(self, width: int, base: int, address: Expr | None) -> str:
        """Where a number stands in memory."""
        if address is not None and width > 1 and not is_divided(address, width):
            at = address if base == 0 else Binary(Op.ADD, address, Number(base))
            return f"{_ROW[width].upper()}_AT({self.text(at)})"
        return f"m->{_ROW[width]}[{self.text(index(width, base, address))}]"

    def low(self, expr: Expr, width: int) -> str:
        """The number in the low bytes of a value."""
        return f"({_CUT[width]}){self.text(expr)}"

    def keep(self, kind: Kind) -> str:
        """A variable of its own."""
        self.kept.append(kind)
        return f"t{len(self.kept) - 1}"

    def _in_order(self, exprs: tuple[Expr, ...]) -> tuple[str, list[str]]:
        """What is done before, and the values; without calls nothing has to be done before."""
        pairs = ((a, b) for at, b in enumerate(exprs) for a in exprs[:at])
        if not any(order_matters(first, last) for first, last in pairs):
            return "", [self.text(expr) for expr in exprs]
        texts = [self.text(expr) for expr in exprs]
        names = [self.keep(expr.kind) for expr in exprs]
        before = "".join(f"{name} = {text}, " for name, text in zip(names, texts, strict=True))
        return before, names

    def _binary(self, expr: Binary) -> str:
        op, kind = expr.op, expr.left.kind
        before, (left, right) = self._in_order((expr.left, expr.right))
        if op in _FLOOR and kind is INT and largest(expr.left) is None:
            return f"({before}{_FLOOR[op]}({left}, {right}))"
        symbol = _SYMBOL.get(op, op.value)
        if kind is INT and op in _WRAPPING:
            return f"({before}(int32_t)((uint32_t){left} {symbol} (uint32_t){right}))"
        text = f"({before}{left} {symbol} {right})"
        return f"(int32_t){text}" if op in COMPARISONS else text

    def _unary(self, op: Un, arg: Expr) -> str:
        text = self.text(arg)
        match op:
            case Un.NOT:
                return f"(int32_t)!{text}"
            case Un.FLIP:
                return f"~{text}"
            case Un.BITS | Un.LOWEST | Un.HIGHEST:
                return f"{op.value}_bit({text})" if op is not Un.BITS else f"bits({text})"
            case Un.INT_TO_MASK:
                return f"(uint64_t)(uint32_t){text}"
            case Un.WORD_TO_MASK:
                return f"(uint64_t){text}"
            case Un.MASK_TO_INT | Un.WORD_TO_INT:
                return f"(int32_t)(uint32_t){text}"
            case Un.MASK_TO_WORD | Un.INT_TO_WORD:
                return f"(uint32_t){text}"
            case _:
                assert_never(op)


def _number(value: int, kind: Kind) -> str:
    if kind is INT and value < 0:
        # There is no constant for the smallest number, only for the one next to it.
        return f"({value + 1} - 1)" if value == -(2**31) else f"({value})"
    return f"{value:#x}{_SUFFIX[kind]}" if value > 999 else f"{value}{_SUFFIX[kind]}"
