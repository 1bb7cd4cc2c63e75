"""pytest runs `.rules` files: `pytest specs/`.

Every file is one test per scenario, law, invariant and claim; a rulebook that is named by itself
brings along the files of its scenarios.  What is behind it is imported when the first such file is
found, so that other tests are not kept waiting.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

SUFFIX = ".rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much is played of each spec."""
    group = parser.getgroup("rulewright", "rulebooks")
    group.addoption(
        "--rules-games",
        type=int,
        default=60,
        metavar="N",
        help="plays of each spec, at least one of every configuration unless 0 (default: 60)",
    )
    group.addoption(
        "--rules-seed", type=int, default=0, metavar="S", help="the seed of these plays"
    )
    group.addoption(
        "--rules-readings",
        action="store_true",
        help="play variants with every reading too, not only with the usual ones",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of rules, if it is one."""
    if file_path.suffix != SUFFIX:
        return None
    found: pytest.Collector = _collecting().RulesFile.from_parent(parent, path=file_path)
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Whoever names a rulebook means its scenarios too, which stand in files beside it."""
    asked = session.config.args
    if any(word.endswith(SUFFIX) for word in asked):
        folder = session.config.invocation_params.dir
        asked += map(str, _collecting().brought([folder / word for word in asked]))


def _collecting() -> ModuleType:
    """What collects; it imports the compiler."""
    return import_module("ruleengine.pytest_plugin.collecting")
