"""HTML as values: what is text stays text, and what is opened is closed.

`tag` makes an element of children and attributes.  A plain string among the children is text and
is escaped; only a `Markup` is taken as it is.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
"""Elements that hold nothing and are not closed."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


_BARE: Final = re.compile(r"[\w.#:%-]+")
"""Values of attributes that HTML takes without quotes."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"
"""Text, HTML, several of them in a row, or nothing."""

Setting: TypeAlias = str | int | bool | None
"""The value of an attribute; `True` sets it without one, `False` and `None` leave it out."""


def text(words: str) -> Markup:
    """Any text as HTML that shows it, with a sign for each character that HTML cannot hold."""
    return Markup(escape(_visible(words), quote=False))


def joined(*children: Child) -> Markup:
    """Children one behind the other."""
    return Markup("".join(map(_part, children)))


def tag(name: str, /, *children: Child, **settings: Setting) -> Markup:
    """An element.

    In the names of attributes `_` stands for `-`, and one at the end for nothing: `class_`,
    `aria_label`.
    """
    given = "".join(_attribute(key, value) for key, value in settings.items())
    if name in VOID:
        if children:
            raise ValueError(f"<{name}> holds nothing")
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>")


def classes(*names: str | bool | None) -> str | None:
    """The value of a `class` attribute: those names that there are."""
    return " ".join(name for name in names if isinstance(name, str) and name) or None


def _part(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return text(child)
    return joined(*child)


def _attribute(key: str, value: Setting) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    words = escape(_visible(str(value)))
    return f" {name}={words}" if _BARE.fullmatch(words) else f' {name}="{words}"'


def _visible(words: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", words)
