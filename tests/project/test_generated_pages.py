"""Pages of the documentation that are written from the code: they say what it says now."""

import pytest

from compiler.explained.pages import diagnostics_page, words_page
from tests.conftest import Golden

PAGES = {"diagnostics": diagnostics_page, "words": words_page}


@pytest.mark.parametrize("name", PAGES)
def test_current(name: str, golden: Golden) -> None:
    """The page is what would be written; `--update-golden` writes it."""
    golden.check(f"../../docs/{name}.md", PAGES[name]())
