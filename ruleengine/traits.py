"""What can be told of the functions of a spec without playing."""

from attrs import frozen

from compiler.graph.core import Function, Read
from compiler.graph.walk import function_terms, whole

_SHORT = 24  # most terms in a function that is written out where it is called


@frozen
class Traits:
    """How a function may be called: `fixed`, it reads nothing that play changes; `short`, it is
    better written out where it is called."""

    fixed: bool
    short: bool

    @classmethod
    def of(cls, function: Function) -> "Traits":
        """Those of a function."""
        parts = list(whole(*function_terms(function)))
        return cls(not any(isinstance(part, Read) for part in parts), len(parts) <= _SHORT)
