"""Pages of the documentation as their readers use them: write a file, type a command, run Python.

Fenced blocks are what is done, in the order of the page.  A block with `title="NAME"` is a file of
that name, a `diff` a change to it; `console` has commands behind `$` with what they write below;
`python` is run, all blocks of a page as one program, and a `text` block right behind it is what it
prints.
"""

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

from attrs import frozen
from click.testing import CliRunner

from ruleengine.cli import group

ROOT: Final = Path(__file__).parents[2]
ANYTHING: Final = "..."
_FENCE: Final = re.compile(
    r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$(?P<after>\n*)",
    re.MULTILINE | re.DOTALL,
)


@frozen
class Block:
    """A fenced block: its language, the file it stands for if any, its text.

    `follows`: it stands right behind another block, with nothing said between them.
    """

    language: str
    title: str | None
    text: str
    follows: bool


def fenced(page: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    end = -1
    for found in _FENCE.finditer(page):
        yield Block(found["language"], found["title"], found["text"], found.start() == end)
        end = found.end()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what is shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def blocks(page: str) -> list[tuple[str, str]]:
    """The commands of all console blocks of a page, each with what is shown below it."""
    return [
        shown
        for block in fenced(page)
        if block.language == "console"
        for shown in commands(block.text)
    ]


def written(command: str) -> str:
    """What a command writes: `rulewright …`, perhaps with lines piped in; `cat`, `cp -r`.

    What it says of what it is doing, on stderr with dots at the end, is left out.
    """
    words = shlex.split(command)
    typed = None
    if words[0] == "cat":
        return "".join(Path(name).read_text(encoding="utf-8") for name in words[1:])
    if words[:2] == ["cp", "-r"]:
        shutil.copytree(words[2], words[3])
        return ""
    if words[0] == "printf":
        typed = words[1].replace("\\n", "\n")
        words = words[words.index("|") + 1 :]
    assert words[0] == "rulewright"
    done = CliRunner().invoke(group, words[1:], input=typed, prog_name="rulewright")
    unseen = {line for line in done.stderr.splitlines() if line.endswith(" ...")}  # on terminals
    lines = done.output.splitlines(keepends=True)
    return "".join(line for line in lines if line.rstrip("\n") not in unseen)


def agrees(shown: str, output: str) -> bool:
    """Whether output is what is shown.

    `...` stands for any lines, at the end of a line for any words; numbers of lines of specs move.
    """
    pattern = ""
    for line in _unnumbered(shown).splitlines():
        if line == ANYTHING:
            pattern += r"(?:.*\n)*?"
        elif line.endswith(ANYTHING):
            pattern += re.escape(line.removesuffix(ANYTHING)) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, _unnumbered(output)) is not None


def _unnumbered(text: str) -> str:
    return re.sub(r"(\.rules):\d+", r"\1:N", text)


def changed(text: str, difference: str) -> str:
    """A text with lines taken out (`-`) and put in (`+`) where they stand, once, in that order."""
    lines = difference.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, before
    return text.replace(before, after)


def disagreements(page: Path, folder: Path, without: Sequence[str] = ()) -> list[str]:
    """What comes out otherwise than a page says, when all it says is done in the current folder.

    Commands that begin with words of `without` are left out.  An assertion of a Python block that
    fails is raised.
    """
    wrong: list[str] = []
    names: dict[str, object] = {"__name__": page.stem}
    printed = ""
    for block in fenced(page.read_text(encoding="utf-8")):
        before, printed = printed, ""
        if block.title is not None:
            _put(folder / block.title, block)
        elif block.language == "console":
            wrong += _typed(block, tuple(without))
        elif block.language == "python":
            printed = _printed(block, page, names)
        elif block.language == "text" and block.follows and not agrees(block.text, before):
            wrong.append(f"prints\n{before}")
    return wrong


def _put(path: Path, block: Block) -> None:
    """Writes the file that a block stands for, or changes it."""
    text = block.text
    if block.language == "diff":
        text = changed(path.read_text(encoding="utf-8"), text)
    path.write_text(text, encoding="utf-8")


def _typed(block: Block, without: tuple[str, ...]) -> list[str]:
    """Types the commands of a block; those with another answer, and what it is."""
    return [
        f"$ {command}\n{output}"
        for command, shown in commands(block.text)
        if not command.startswith(without) and not agrees(shown, output := written(command))
    ]


def _printed(block: Block, page: Path, names: dict[str, object]) -> str:
    """What a block of Python prints; it shares its names with the others of the page."""
    heard = StringIO()
    with redirect_stdout(heard):
        exec(compile(block.text, str(page), "exec"), names)
    return heard.getvalue()
