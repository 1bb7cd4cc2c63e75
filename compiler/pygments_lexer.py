"""The language for Pygments, and so for Sphinx, Jupyter, GitLab, `rich` and `pygmentize`.

It colours what `compiler.highlight` tells, which asks the language's own reader; a text with
mistakes is coloured too.
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, String, Text, _TokenType

from compiler.highlight import Look, pieces

_TOKENS: Final = {
    Look.PLAIN: Text,
    Look.KEYWORD: Keyword,
    Look.CODE: Name.Constant,
    Look.NUMBER: Number.Integer,
    Look.STRING: String.Double,
    Look.CITATION: Name.Decorator,
    Look.COMMENT: Comment.Single,
}


class RulesLexer(Lexer):  # type: ignore[misc]  # Pygments ships no types
    """Rulebooks: `*.rules`."""

    name = "Rulewright"
    aliases: ClassVar[list[str]] = ["rules", "rulewright"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    mimetypes: ClassVar[list[str]] = ["text/x-rulewright"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """The pieces of a text, each with its place."""
        at = 0
        ended = text if text.endswith("\n") else text + "\n"
        for piece in pieces(ended):
            said = piece.text[: len(text) - at]
            if said:
                yield at, _TOKENS[piece.look], said
            at += len(piece.text)
