"""Runs rulebooks: loads them, plays them, simulates and explores.

The names below are the public ones.  Each is fetched when it is first asked for, so that importing
the package costs nothing; `__init__.pyi` says where they come from.
"""

from importlib import import_module

_HOMES = {
    "load": "ruleengine.game",
    "Spec": "compiler.pipeline",
    "Configuration": "compiler.config",
    "Instance": "ruleengine.game",
    "State": "ruleengine.game",
    "Option": "ruleengine.game",
    "Record": "ruleengine.record",
    "Report": "compiler.diagnostic",
    "simulate": "ruleengine.simulation",
    "explore": "ruleengine.exploration",
}

__all__ = [
    "Configuration",
    "Instance",
    "Option",
    "Record",
    "Report",
    "Spec",
    "State",
    "explore",
    "load",
    "simulate",
]


def __getattr__(name: str) -> object:
    """A public name, from the room it lives in."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `{__name__}` has no `{name}`")
    found: object = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
