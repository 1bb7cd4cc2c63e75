"""Where numbers stand, for languages that see memory as rows of numbers of one width."""

from compiler.lir.core import Binary, Expr, Number, Op


def index(width: int, base: int, address: Expr | None) -> Expr:
    """The place at an address, counted in numbers of that width."""
    if address is None:
        return Number(base // width)
    scaled = _divided(address, width)
    if scaled is None:
        at = address if base == 0 else Binary(Op.ADD, address, Number(base))
        return Binary(Op.SHR, at, Number(width.bit_length() - 1))
    if base == 0:
        return scaled
    return Binary(Op.ADD, scaled, Number(base // width))


def is_divided(address: Expr, width: int) -> bool:
    """Whether the form of an address shows at which number it is."""
    return _divided(address, width) is not None


def _divided(address: Expr, width: int) -> Expr | None:
    """The address over the width, if its form shows that nothing is left over."""
    if width == 1:
        return address
    match address:
        case Number(value) if value % width == 0:
            return Number(value // width)
        case Binary(Op.MUL, left, Number(times)) if times % width == 0:
            return left if times == width else Binary(Op.MUL, left, Number(times // width))
        case Binary(Op.SHL, left, Number(count)) if 1 << count >= width:
            rest = count - (width.bit_length() - 1)
            return left if rest == 0 else Binary(Op.SHL, left, Number(rest))
        case Binary((Op.ADD | Op.SUB) as op, left, right):
            first, last = _divided(left, width), _divided(right, width)
            return None if first is None or last is None else Binary(op, first, last)
        case _:
            return None
