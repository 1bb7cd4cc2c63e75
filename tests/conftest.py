"""What tests share: files that hold what a person has read and approved."""

from pathlib import Path

import pytest
from attrs import frozen

FOLDER = Path(__file__).parent / "golden"

collect_ignore_glob = ["*.rules"]  # those here are examples for tests, many wrong on purpose


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes what is drawn now; a person reads the difference."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write approved files anew instead of comparing",
    )


@frozen
class Golden:
    """The approved files, in a folder for each game."""

    update: bool

    def check(self, name: str, text: str) -> None:
        """Compares a text with the approved one of that name."""
        path = FOLDER / name
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.is_file(), f"{name} is missing: write it with --update-golden, then read it"
        assert path.read_text(encoding="utf-8") == text


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Golden:
    """The approved files."""
    return Golden(bool(pytestconfig.getoption("--update-golden")))
