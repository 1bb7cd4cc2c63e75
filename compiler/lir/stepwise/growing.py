"""Lists that are being made: where they end is kept in a local until they are done."""

from typing import Self

from attrs import frozen

from compiler.lir.build import num
from compiler.lir.core import Binary, Local, Op
from compiler.lir.stepwise.code import WIDTH, Code, Value, call, plus, put_at

_SHIFT = WIDTH.bit_length() - 1


@frozen(eq=False)
class Growing:
    """A list that is being made; nobody reads it, or how long it is, before it is done."""

    list: Local
    last: Local  # where its last element is

    @classmethod
    def of(cls, code: Code, room: Value) -> Self:
        """An empty one; at most as many elements are pushed as it has room for."""
        made = code.local("list", call("new", room))
        return cls(made, code.local("last", made))

    def push(self, code: Code, element: Value) -> None:
        """Adds an element."""
        code.step(self.last, WIDTH)
        code.put(put_at(self.last, element))

    def done(self, code: Code) -> Local:
        """The list."""
        many = Binary(Op.SHR, plus(self.last, Binary(Op.MUL, self.list, num(-1))), num(_SHIFT))
        code.put(put_at(self.list, many))
        return self.list
