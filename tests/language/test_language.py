"""The language means what its reference says: small rulebooks that tell scenarios of themselves."""

from pathlib import Path

import pytest

from compiler.diagnostic import Report
from compiler.pipeline import Spec, compile_sources
from compiler.source import SourceFile
from ruleengine import library
from ruleengine.scenario.run import Ran
from ruleengine.scenario.suite import run_scenarios

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.rules"), key=lambda path: path.name)


def _spec(path: Path) -> Spec:
    sources = library.read(str(path))
    assert not isinstance(sources, Report | SourceFile)
    spec = compile_sources(sources)
    assert not isinstance(spec, Report), [f"{d.span}: {d.message}" for d in spec]
    return spec


CASES = [
    pytest.param(path, scenario.tail.text, id=f"{path.stem}: {scenario.tail.text}")
    for path in FILES
    for scenario in _spec(path).scenarios
]


@pytest.mark.parametrize(("path", "title"), CASES)
def test_scenario(path: Path, title: str) -> None:
    """A scenario of the language's own comes out."""
    (ran,) = run_scenarios(_spec(path), lambda other: other == title)

    assert isinstance(ran, Ran), [found.message for found in ran.report]
    assert ran.failure is None, f"{ran.failure.span}: {ran.failure.message}. {ran.failure.hint}"
    assert ran.expectations > 0
