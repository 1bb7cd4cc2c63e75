"""How values of many classes are shown to whoever looks for a fault: as a call that makes them.

attrs would write a `__repr__` for every class, which takes a fifth of the time that importing
hundreds of small classes takes.  One that walks the fields when it is asked does the same.
"""

from attrs import fields, has


class Shown:
    """A base of attrs classes that are made with `repr=False`."""

    __slots__ = ()

    def __repr__(self) -> str:
        kind = type(self)
        if not has(kind):
            return object.__repr__(self)
        parts = (f"{a.alias}={getattr(self, a.name)!r}" for a in fields(kind) if a.repr)
        return f"{kind.__qualname__}({', '.join(parts)})"
