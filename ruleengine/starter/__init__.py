"""A small rulebook to begin with: files that check, play, draw and test, under a name of one's own.

It is kept as a real rulebook, `template/`, in which the name is the only thing that changes.
"""

import re
from importlib.resources import files
from typing import Final

_FILES: Final = (
    "starter.rules",
    "clauses.md",
    "starter-scenarios.rules",
    "variants/long_starter.rules",
)
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_PREFIX: Final = "ST-"


class WrongName(ValueError):
    """A name that no rulebook can have; `nearest` is one that it could."""

    def __init__(self, name: str, nearest: str) -> None:
        self.nearest = nearest
        hint = f"; how about `{nearest}`?" if nearest else ""
        takes = "it takes small letters, digits and `_`, a letter first"
        super().__init__(f"`{name}` cannot be a name: {takes}{hint}")


def starter(name: str) -> dict[str, str]:
    """The files of a rulebook of that name: their paths within its folder, and their texts.

    Raises `WrongName`.
    """
    if not _NAME.fullmatch(name):
        raise WrongName(name, _nearest(name))
    template = files("ruleengine.starter") / "template"
    found = {}
    for path in _FILES:
        text = template.joinpath(path).read_text(encoding="utf-8")
        found[path.replace("starter", name)] = _renamed(text, name)
    return found


def prefix(name: str) -> str:
    """The letters before the ids of its clauses: `MG-` for `my_game`, `RA-` for `race`."""
    words = [word for word in re.split(r"[_0-9]+", name) if word]
    letters = "".join(word[0] for word in words) if len(words) > 1 else "".join(words)[:2]
    return f"{letters.upper()}-"


def _renamed(text: str, name: str) -> str:
    title = name.replace("_", " ").capitalize()
    renamed = text.replace("Starter", title).replace("starter", name)
    return re.sub(rf"\b{_PREFIX}(?=[0-9R…])", prefix(name), renamed)


def _nearest(name: str) -> str:
    """A name like it that would do."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return plain if _NAME.fullmatch(plain) else ""
