"""Rulebooks as programs: from `.rules` text to checked graphs of phases and actions.

Games are data here. Nothing in this package runs one, and nothing in it knows the engine.
"""

from typing import Final

RULEWRIGHT: Final = "rulewright"
"""Marks this package as ours: a stranger on the index also installs a package named `compiler`."""
