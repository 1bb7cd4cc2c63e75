"""Expressions as Python.

Python's numbers do not wrap, so a `WORD` or `MASK` is cut to its bits, as late as can be: sums,
products, shifts to the left and bitwise operators give the right low bits of numbers that are not
cut yet, and an `and` with a number that is cut is cut itself.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from attrs import evolve, frozen

from compiler.emit.bounds import LARGEST, largest, may_wrap
from compiler.emit.places import index
from compiler.lir.core import (
    COMPARISONS,
    INT,
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

VIEWS: Final[dict[tuple[int, bool], str]] = {
    (1, True): "_b",
    (1, False): "_b",
    (2, True): "_h",
    (2, False): "_h",
    (4, True): "_i",
    (4, False): "_w",
    (8, False): "_q",
}
"""By width, and whether the number is an `INT`: what memory is called when read that way."""

_SELECT, _NOT, _COMPARE, _OR, _XOR, _AND, _SHIFT, _SUM, _PRODUCT, _SIGN, _WRITTEN, _ATOM = range(12)
_LEVEL: Final[dict[Op, int]] = {
    **dict.fromkeys(COMPARISONS, _COMPARE),
    Op.OR: _OR,
    Op.XOR: _XOR,
    Op.AND: _AND,
    Op.SHL: _SHIFT,
    Op.SHR: _SHIFT,
    Op.ADD: _SUM,
    Op.SUB: _SUM,
    Op.MUL: _PRODUCT,
    Op.DIV: _PRODUCT,
    Op.MOD: _PRODUCT,
}


@frozen
class _Piece:
    """Text, how tightly its outermost operator binds, and whether its value is cut to its bits."""

    text: str
    level: int
    cut: bool = True

    def at(self, level: int) -> str:
        """The text where something of a level is asked for."""
        return self.text if self.level >= level else f"({self.text})"


@frozen
class Terms:
    """Writes expressions of one function."""

    locals: Mapping[str, str]
    functions: Mapping[str, str]

    def exact(self, expr: Expr) -> str:
        """The value, cut to its bits."""
        return self._cut(expr).text

    def condition(self, expr: Expr) -> str:
        """What is true where the value is not zero."""
        match expr:
            case Binary(Op.NE, inner, Number(0)):
                return self.condition(inner)
            case Binary(Op.EQ, inner, Number(0)) | Unary(Un.NOT, inner):
                return f"not {self._cut(inner).at(_NOT)}"
            case _:
                return self._cut(expr).at(_NOT)

    def low(self, expr: Expr, width: int) -> str:
        """The number in the low bytes of a value."""
        piece = self._piece(expr)
        bound = largest(expr)
        if piece.cut and bound is not None and bound < 256**width:
            return piece.text
        return f"{piece.at(_AND)} & {_number(256**width - 1)}"

    def place(self, width: int, base: int, address: Expr | None, kind: Kind) -> str:
        """Where a number stands in memory."""
        return f"{VIEWS[width, kind is INT]}[{self.exact(index(width, base, address))}]"

    # ---- pieces

    def _cut(self, expr: Expr) -> _Piece:
        piece = self._piece(expr)
        if piece.cut:
            return piece
        return _Piece(f"{piece.at(_AND)} & {_number(LARGEST[expr.kind])}", _AND)

    def _piece(self, expr: Expr) -> _Piece:
        match expr:
            case Local(name):
                return _Piece(self.locals[name], _ATOM)
            case Number(value):
                return _Piece(_number(value), _WRITTEN if value >= 0 else _SIGN)
            case Load(width, base, address):
                return _Piece(self.place(width, base, address, expr.kind), _ATOM)
            case Binary():
                return self._binary(expr)
            case Unary():
                return self._unary(expr)
            case Select(test, then, otherwise):
                ways = self._piece(then), self._piece(otherwise)
                first, last = ways[0].at(_NOT), ways[1].text
                text = f"{first} if {self.condition(test)} else {last}"
                return _Piece(text, _SELECT, ways[0].cut and ways[1].cut)
            case Call(function, args):
                inside = ", ".join(map(self.exact, args))
                return _Piece(f"{self.functions[function]}({inside})", _ATOM)
            case _:
                assert_never(expr)

    def _binary(self, expr: Binary) -> _Piece:
        op, level = expr.op, _LEVEL[expr.op]
        if op in COMPARISONS or op in (Op.DIV, Op.MOD):
            left, right = self._cut(expr.left), self._cut(expr.right)
            cut = True
        elif op in (Op.SHL, Op.SHR):
            left = self._cut(expr.left) if op is Op.SHR else self._piece(expr.left)
            right = self._cut(expr.right)
            cut = op is Op.SHR or (left.cut and not may_wrap(expr))
        else:
            left, right = self._piece(expr.left), self._piece(expr.right)
            both = left.cut and right.cut
            cut = left.cut or right.cut if op is Op.AND else both and not may_wrap(expr)
        # Comparisons would run on (`a < b < c`), so they do not stand beside each other.
        left_level = level + 1 if level == _COMPARE else level
        text = f"{left.at(left_level)} {op.value} {right.at(level + 1)}"
        return _Piece(text, level, cut or expr.kind is INT)

    def _unary(self, expr: Unary) -> _Piece:
        op, arg = expr.op, expr.arg
        match op:
            case Un.NOT:
                return _Piece(f"not {self._cut(arg).at(_NOT)}", _NOT)
            case Un.FLIP:
                # Not `~`: a truth may be a `bool`, which Python will not flip much longer.
                return _Piece(f"-1 - {self._piece(arg).at(_PRODUCT)}", _SUM, cut=False)
            case Un.BITS:
                return _Piece(f"{self._cut(arg).at(_ATOM)}.bit_count()", _ATOM)
            case Un.LOWEST:
                name, again = self._twice(arg)
                return _Piece(f"({name} & -{again}).bit_length() - 1", _SUM)
            case Un.HIGHEST:
                return _Piece(f"{self._cut(arg).at(_ATOM)}.bit_length() - 1", _SUM)
            case Un.MASK_TO_WORD:
                piece, bound = self._piece(arg), largest(arg)
                fits = piece.cut and bound is not None and bound <= LARGEST[expr.kind]
                return evolve(piece, cut=fits)
            case Un.INT_TO_MASK | Un.MASK_TO_INT | Un.INT_TO_WORD | Un.WORD_TO_INT:
                return self._cut(arg)
            case Un.WORD_TO_MASK:
                return self._cut(arg)
            case _:
                assert_never(op)

    def _twice(self, arg: Expr) -> tuple[str, str]:
        """The text of a value, and of the same value behind it."""
        if isinstance(arg, Local):
            return (self.locals[arg.name],) * 2
        return f"(_t := {self.exact(arg)})", "_t"


def _number(value: int) -> str:
    return str(value) if value < 1000 else hex(value)
