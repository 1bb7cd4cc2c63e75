"""What `explain` shows: each wrong text has its finding, each right one has none."""

import shlex
from functools import cache
from pathlib import Path

import pytest

from compiler import config, diagnostic
from compiler.analysis import errors as analysis
from compiler.check import errors as check_errors
from compiler.config import Configuration, validated
from compiler.diagnostic import Diagnostic, Report
from compiler.explained.examples import BASE, Example, explanations
from compiler.explained.kinds import KINDS, STAGES, of
from compiler.pipeline import Spec, compile_sources
from compiler.render import full
from ruleengine import library
from ruleengine.checking import check
from ruleengine.cli import run
from tests.conftest import Golden

BESIDE = {"unused-name", "never-filled"}  # what examples are too short to avoid
WITH = {"rest-unread": {"unexpected-word"}}  # what a kind never comes without


def codes_of(example: Example, folder: Path) -> list[str]:
    """The codes of everything that is found in an example."""
    return [finding.code for finding in found_in(example, folder)]


def found_in(example: Example, folder: Path) -> Report:
    """Everything that is found in an example, its files written to a folder."""
    if example.command is not None:
        return settings(shlex.split(example.command))
    for name, text in example.files.items():
        latin = text.startswith("-- saved as Latin-1")
        (folder / name).write_text(text, encoding="latin-1" if latin else "utf-8")
    others = [name for name in example.files if name.endswith(".rules") and "scen" not in name]
    sources = library.read("+".join(str(folder / name) for name in others))
    if isinstance(sources, Report):
        return sources
    spec = compile_sources(sources)
    report = Report()
    checked = check(spec)
    report.extend(checked.report)
    return report


@cache
def shipped(name: str) -> Spec:
    """A shipped spec."""
    sources = library.read(name)
    assert not isinstance(sources, Report)
    spec = compile_sources(sources)
    assert not isinstance(spec, Report)
    return spec


def settings(words: list[str]) -> Report:
    """What is found in the settings of a command."""
    told = dict(zip(words[3::2], words[4::2], strict=True))
    several = [
        value for name, value in zip(words[3::2], words[4::2], strict=True) if name == "--set"
    ]
    players = int(told["--players"]) if "--players" in told else None
    configuration, report = Configuration.parse(several, players)
    spec = shipped(words[2])
    if not report.has_errors:
        report.extend(validated(spec.vocabulary, configuration)[1])
    if not report.has_errors and players is not None:
        made = spec.instantiate(configuration)
        report.extend(made if isinstance(made, Report) else ())
    return report


@pytest.mark.parametrize("code", KINDS)
def test_examples(code: str, tmp_path: Path) -> None:
    """The wrong example is found wrong, for this reason alone; the right one is right."""
    explanation = explanations()[code]
    for name in ("wrong", "right"):
        (tmp_path / name).mkdir()

    wrong = set(codes_of(explanation.wrong, tmp_path / "wrong"))
    right = set(codes_of(explanation.right, tmp_path / "right"))

    assert wrong - (BESIDE - {code}) - WITH.get(code, set()) == {code}
    assert right - (BESIDE - {code}) == set()


@pytest.mark.parametrize(
    "kind", [*of(diagnostic), *of(config), *of(analysis)], ids=lambda kind: kind.code
)
def test_rendering(kind: type[Diagnostic], tmp_path: Path, golden: Golden) -> None:
    """What a person reads of a file, a setting or a graph is what a person approved."""
    report = found_in(explanations()[kind.code].wrong, tmp_path)
    told = full(report).replace(f"{tmp_path.as_posix()}/", "")

    golden.check(f"../errors/explained/{kind.code}.err", told)


def test_every_kind_is_explained() -> None:
    """No kind of finding goes without examples, and no example without a kind."""
    assert set(explanations()) == set(KINDS)


def test_every_kind_says_what_it_is() -> None:
    """Each kind has a title, and a sentence for `explain`."""
    assert [code for code, kind in KINDS.items() if not kind.title or not kind.__doc__] == []


def test_stages_are_all(capfd: pytest.CaptureFixture[str]) -> None:
    """The list of kinds, by stage, names each."""
    assert run(["explain"]) == 0
    out = capfd.readouterr().out

    assert [code for code in KINDS if code not in out.split()] == []
    assert [words for words, _ in STAGES if words not in out] == []


def test_explain(capfd: pytest.CaptureFixture[str]) -> None:
    """`explain CODE` says what is meant, and shows both examples."""
    assert run(["explain", "unknown-name"]) == 0
    out = capfd.readouterr().out

    assert out.startswith("unknown-name: a name that nothing declares.\n")
    assert "end scores scroe" in out
    assert out.rstrip().endswith("end scores score")


@pytest.mark.parametrize(
    "said",
    ["UNKNOWN-NAME", "error[unknown-name]:", "[unknown-name]", "Unknown_Name", "UnknownName"],
)
def test_explain_however_written(said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A code is known in capitals, in its brackets, and as its class is called."""
    assert run(["explain", said]) == 0
    assert capfd.readouterr().out.startswith("unknown-name: ")


def test_explain_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """A code that is none is answered with near ones."""
    assert run(["explain", "unknown-nmae"]) == 2
    assert "did you mean `unknown-name`" in capfd.readouterr().err


def test_base_is_a_rulebook() -> None:
    """An example that says little is made whole."""
    whole = Example("var n: 0..9 = 0\n").files[BASE]

    assert whole.splitlines() == [
        'rulebook example "Example"',
        "    seats 2",
        "var n: 0..9 = 0",
        "start",
        "    end draw",
    ]


def test_check_errors_are_hidden_information() -> None:
    """The stage of hidden information is that of `compiler.check`."""
    assert dict(STAGES)["Hidden information"] is check_errors
