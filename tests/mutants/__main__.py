"""`python -m tests.mutants FILE…`: the tables of `docs/mutants.md`, from what was found.

A file is what `rulewright mutate SPEC… --json` writes.
"""

import argparse
from pathlib import Path

from tests.mutants.page import ROOT, found_in, rewritten


def main() -> None:
    """Writes both tables anew, and leaves the rest of the page as it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "mutants.md")
    asked = parser.parse_args()
    found = [entry for file in asked.files for entry in found_in(file)]
    text = asked.page.read_text(encoding="utf-8")
    asked.page.write_text(rewritten(text, found), encoding="utf-8")


if __name__ == "__main__":
    main()
