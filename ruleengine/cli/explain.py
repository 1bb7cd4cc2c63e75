"""`explain`: a kind of finding with a wrong and a right example."""

import re
from difflib import get_close_matches
from typing import Final

import click

from compiler.diagnostic import Diagnostic
from compiler.excerpt import Paint, Role, plain
from compiler.explained.examples import Example, Explanation, explanations
from compiler.explained.kinds import KINDS, STAGES, of
from ruleengine.cli.options import as_json
from ruleengine.cli.screen import painter, say, say_json, say_table

_TAKES: Final = (
    ": it takes the word in brackets of what `check` found; `rulewright explain` lists them, and "
    "clauses are shown by `rulewright check SPEC --clauses`"
)


@click.command("explain", short_help="Explain a finding, with a wrong and a right example.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@as_json
def command(codes: tuple[str, ...], json_: bool) -> int:
    """Explain a kind of finding, with a wrong and a right example.

    CODE is the word in brackets: `unknown-name` of `error[unknown-name]`, which does as well.
    Without a code all are listed.
    """
    asked = codes
    codes = tuple(_code(said) for said in asked)
    for said, code in zip(asked, codes, strict=True):
        if code not in KINDS:
            near = get_close_matches(code, KINDS, 3, 0.5)
            hint = f"; did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else _TAKES
            raise click.UsageError(f"no finding has the code `{said}`{hint}")
    chosen = codes or tuple(KINDS)
    if json_:
        say_json([_entry(KINDS[code], explanations()[code]) for code in chosen])
    elif not codes:
        _list()
    else:
        say("\n\n".join(explained(code, painter()) for code in dict.fromkeys(codes)))
    return 0


def _code(said: str) -> str:
    """A code however it is written: in capitals, in its brackets, as the name of a class."""
    bare = said.strip().rstrip(":").removesuffix("]").rpartition("[")[2]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", bare) if bare[1:] != bare[1:].upper() else bare
    return re.sub(r"[_\s-]+", "-", words.lower())


def explained(code: str, paint: Paint = plain) -> str:
    """What is said of a kind: what it is, and its two examples."""
    kind, explanation = KINDS[code], explanations()[code]
    parts = [f"{code}: {_sentence(kind)}"]
    parts += [explanation.prose] if explanation.prose else []
    parts += ["Not so:", _indented(explanation.wrong, paint)]
    hint = kind.hint if "{" not in kind.hint else ""
    parts += [hint[:1].upper() + hint[1:] + "."] if hint else []
    parts += ["But so:", _indented(explanation.right, paint)]
    return "\n\n".join(parts)


def _sentence(kind: type[Diagnostic]) -> str:
    """The first paragraph of what a kind says of itself, as one sentence behind its code."""
    words = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    lower = words[:2].istitle() or words[:1] == "A"
    return words[:1].lower() + words[1:] if lower else words


def _indented(example: Example, paint: Paint) -> str:
    lines = paint(example.text.rstrip(), Role.SOURCE).splitlines()
    return "\n".join(f"    {line}".rstrip() for line in lines)


def _list() -> None:
    """All kinds, by the stage that finds them."""
    for words, stage in STAGES:
        say(f"{words}\n")
        say_table(("code", "what it is"), [(k.code, _plain(k)) for k in of(stage)], left=2)
        say()


def _plain(kind: type[Diagnostic]) -> str:
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def _entry(kind: type[Diagnostic], explanation: Explanation) -> dict[str, object]:
    return {
        "name": kind.code,
        "severity": kind.severity.value,
        "meaning": _plain(kind),
        "prose": explanation.prose or None,
        "wrong": explanation.wrong.text,
        "right": explanation.right.text,
    }
