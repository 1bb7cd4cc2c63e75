"""All operators of the language, by name; built here, once."""

from compiler.diagnostic import InternalError
from compiler.ops.lists import LISTS
from compiler.ops.numbers import NUMBERS
from compiler.ops.row import Op

PRIMITIVES: tuple[Op, ...] = (*NUMBERS, *LISTS)

BY_NAME: dict[str, Op] = {op.name: op for op in PRIMITIVES}

if len(BY_NAME) != len(PRIMITIVES):
    raise InternalError("two operators of one name")
