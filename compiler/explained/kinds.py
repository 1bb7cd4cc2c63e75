"""Every kind of finding there is, by its code."""

from types import ModuleType
from typing import Final

from compiler import clauses, config, diagnostic
from compiler.analysis import errors as analysis_errors
from compiler.check import errors as check_errors
from compiler.diagnostic import Diagnostic, Error, Warning_
from compiler.lower import errors as lower_errors
from compiler.resolve import errors as resolve_errors
from compiler.syntax import errors as syntax_errors
from compiler.variant import errors as variant_errors

_ABSTRACT: Final = (Diagnostic, Error, Warning_)
STAGES: Final = (
    ("Files", diagnostic),
    ("Form", syntax_errors),
    ("Names, citations and flow", resolve_errors),
    ("Meaning", lower_errors),
    ("Hidden information", check_errors),
    ("What makes no difference", analysis_errors),
    ("Variants", variant_errors),
    ("Tables of clauses", clauses),
    ("Settings", config),
)
"""Where findings come from, in the order in which a text meets them."""


def of(stage: ModuleType) -> tuple[type[Diagnostic], ...]:
    """The kinds that a module declares, in its order."""
    found = [
        kind
        for kind in vars(stage).values()
        if isinstance(kind, type)
        and issubclass(kind, Diagnostic)
        and kind.__module__ == stage.__name__
    ]
    return tuple(kind for kind in found if kind not in _ABSTRACT)


KINDS: Final = {kind.code: kind for _, stage in STAGES for kind in of(stage)}
"""The kinds by code."""
