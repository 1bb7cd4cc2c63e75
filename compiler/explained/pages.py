"""Pages of the documentation that say what the code says: findings, words, operators."""

from collections.abc import Iterable, Iterator, Sequence

from compiler.diagnostic import Diagnostic
from compiler.explained.examples import Example, explanations
from compiler.explained.kinds import STAGES, of
from compiler.resolve.vocabulary import OPERATORS, RESERVED
from compiler.syntax.words import ALWAYS_WORDS, LINE_WORDS, PAIRS


def diagnostics_page() -> str:
    """Every kind of finding with its two examples, by the stage that finds it."""
    return "\n".join(_diagnostics()) + "\n"


def words_page() -> str:
    """The keywords, by where they are keywords, and the operators."""
    return "\n".join(_words()) + "\n"


def _diagnostics() -> Iterator[str]:
    yield "# What can be wrong\n"
    yield "Written from the code, and every example is run by the tests.  In the terminal:"
    yield "`rulewright explain CODE`.  An error leaves no game to play, a warning does.\n"
    for words, stage in STAGES:
        yield f"## {words}\n"
        for kind in of(stage):
            yield from _kind(kind)


def _kind(kind: type[Diagnostic]) -> Iterator[str]:
    explanation = explanations()[kind.code]
    yield f"### {kind.code}\n"
    yield f"{kind.severity.value.capitalize()}. {meaning(kind)}\n"
    if explanation.prose:
        yield f"{explanation.prose}\n"
    yield f"Not so:\n\n{_fenced(explanation.wrong)}\n"
    yield f"But so:\n\n{_fenced(explanation.right)}\n"


def meaning(kind: type[Diagnostic]) -> str:
    """What a kind says of itself: its first paragraph."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def _fenced(example: Example) -> str:
    form = "console" if example.command is not None else "rules"
    return f"```{form}\n{example.text.rstrip()}\n```"


def _words() -> Iterator[str]:
    yield "# Words\n"
    yield "Written from the code.\n"
    yield "## Keywords at the beginning of a line\n"
    yield "Elsewhere they are good names, but no variable is called so.\n"
    yield _listed(sorted(LINE_WORDS))
    yield "## Keywords behind another word\n"
    rows = [
        (f"`{word}`", ", ".join(sorted(_shown(b) for b in before)))
        for word, before in PAIRS.items()
    ]
    yield from _table(("word", "behind"), rows)
    yield "\n## Keywords anywhere\n"
    yield _listed(sorted(ALWAYS_WORDS))
    yield "## Names that every game has\n"
    yield from _table(("name", "what it is"), [(f"`{n}`", said) for n, said in RESERVED.items()])
    yield "\n## Operators that are called by name\n"
    yield _listed(sorted(OPERATORS))


def _shown(token: str) -> str:
    return {"CODE": "a seat", "STRING": "a title"}.get(token, f"`{token.lower()}`")


def _listed(words: Iterable[str]) -> str:
    return " ".join(f"`{word}`" for word in words) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
