"""Where statements go while a function is written, and names for its locals."""

from attrs import define, field

from compiler.lir.build import is_cheap
from compiler.lir.core import Block, Expr, Local, Set, Stmt


@define
class Names:
    """Fresh names of one function."""

    _next: int = field(default=0, init=False)

    def fresh(self, stem: str) -> str:
        """A name that nothing else has."""
        self._next += 1
        return f"{stem}{self._next}"


@define(eq=False)
class Writer:
    """Statements in the order in which they run."""

    names: Names
    out: list[Stmt] = field(factory=list)

    def inner(self) -> "Writer":
        """For a block inside: the same names, statements of its own."""
        return Writer(self.names)

    def put(self, *statements: Stmt) -> None:
        """Adds statements."""
        self.out.extend(statements)

    def keep(self, expr: Expr, stem: str = "t") -> Expr:
        """A local with the value of an expression as it is now; cheap ones stay."""
        if is_cheap(expr):
            return expr
        local = Local(self.names.fresh(stem), expr.kind)
        self.put(Set(local, expr))
        return local

    @property
    def block(self) -> Block:
        """What has been written."""
        return tuple(self.out)
