"""Text as Graphviz takes it in labels, whatever is in it: ASCII with entities.

Letters beyond Latin-1 lose their marks, since renderers disagree on everything else.
"""

import html
from typing import Final

from compiler.flowchart.lettering import latin
from compiler.flowchart.looks import FAINT, SMALLEST

GAP: Final = '<font point-size="3"> </font>'
"""Keeps small lines off the letters above."""


def entities(text: str) -> str:
    """Any text as ASCII for a label: signs of markup and letters beyond ASCII are entities."""
    escaped = html.escape(latin(text))
    if escaped.isascii():
        return escaped
    return "".join(letter if letter.isascii() else f"&#{ord(letter)};" for letter in escaped)


def small(text: str, points: int = SMALLEST, colour: str = FAINT) -> str:
    """Words in other letters than a label's own."""
    words = entities(text)
    return f'<font point-size="{points}" color="{colour}">{words}</font>' if words else ""
