"""What pages name by the way is there: files, names in the code, commands with their options."""

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import click
import pytest

from ruleengine.cli import COMMANDS, group
from tests.docs.reading import ROOT, fenced

PAGES: Final = sorted(
    (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "rulebooks").glob("*.md"),
    )
)
FOREIGN: Final = {
    "--dist": "docs/testing.md",
    "--hypothesis-profile": "CONTRIBUTING.md",
    "--lf": "docs/testing.md",
    "--page": "tests/benchmarks/__main__.py",
    "--counts": "tests/benchmarks/__main__.py",
    "--rules-games": "ruleengine/pytest_plugin/collecting.py",
    "--rules-seed": "ruleengine/pytest_plugin/collecting.py",
    "--update-golden": "tests/conftest.py",
}
"""Options of pytest, its plugins and the project's own programs, each with a file that has it."""
_FENCE: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"`([^`\n]+)`")
_PATH: Final = re.compile(r"(compiler|ruleengine|tests|docs|specs|\.ci)/[\w/.*-]*")
_NAME: Final = re.compile(r"(compiler|ruleengine|tests)(\.\w+)+(\(.*\))?")
_CONTEXT: Final = click.Context(group)


def _ids(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _mentions(page: Path) -> Iterator[str]:
    """What stands in backticks in the sentences and tables of a page."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    yield from (found.replace("\\|", "|").strip() for found in _CODE.findall(text))


def _commands(page: Path) -> Iterator[str]:
    """The calls of `rulewright` in sentences, tables and blocks of a page."""
    shown = (
        line.removeprefix("$ ").rpartition(" | ")[2]
        for block in fenced(page.read_text(encoding="utf-8"))
        if block.language in ("", "sh", "text", "console")
        for line in block.text.splitlines()
    )
    for words in (*_mentions(page), *shown):
        if re.match(r"rulewright (?!record \d)[a-z]", words):
            yield words.partition("  #")[0]


def _is_there(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.partition("(")[0].split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def _refusal(call: str) -> str:
    """Why a command would not understand a call; nothing is run."""
    _, name, *words = shlex.split(call)
    command = group.get_command(_CONTEXT, name)
    if command is None:
        return "there is no such command"
    context = click.Context(command, info_name=name)
    try:
        values, left, _ = command.make_parser(context).parse_args(words)
        for each in command.params:
            if isinstance(each.type, click.Choice) and isinstance(values.get(each.name), str):
                each.type.convert(values[each.name], each, context)
    except click.ClickException as refused:
        return refused.format_message()
    return f"too much: {left}" if left else ""


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_files_and_names(page: Path) -> None:
    """Each path and each dotted name leads to something."""
    lost = [
        each
        for each in _mentions(page)
        if (_PATH.fullmatch(each) and not any(ROOT.glob(each.rstrip("/"))))
        or (_NAME.fullmatch(each) and not _is_there(each))
    ]

    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_calls(page: Path) -> None:
    """Each call of the tool is one that it understands."""
    refused = [f"{each}: {why}" for each in _commands(page) if (why := _refusal(each))]

    assert refused == []


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_options(page: Path) -> None:
    """An option that is named belongs to some command."""
    known = set(FOREIGN)
    for name in COMMANDS:
        command = group.get_command(_CONTEXT, name)
        assert command is not None
        known.update(*(each.opts + each.secondary_opts for each in command.params), {"--help"})
    named = {
        option for each in _mentions(page) for option in re.findall(r"(?<!\S)--[a-z][\w-]*", each)
    }

    assert sorted(named - known) == []


def test_options_of_others() -> None:
    """What is no option of the tool is one where it is said to be."""
    assert [
        option
        for option, name in FOREIGN.items()
        if option not in (ROOT / name).read_text(encoding="utf-8")
    ] == []


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    """A file, a name, a command, an option and a word that are not there are each found."""
    page = tmp_path / "page.md"
    page.write_text("`rulewright chekc klink` `rulewright test --slow`\n```sh\nrulewright x\n```\n")

    assert [bool(_refusal(each)) for each in _commands(page)] == [True, True, True]
    assert not _is_there("compiler.nowhere")
    assert not _is_there("ruleengine.game.lod")
    assert _is_there("ruleengine.game.load")
