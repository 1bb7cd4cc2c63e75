"""Work spread over processes, when something happens to one of them."""

import os

import pytest

from ruleengine.processes import spread


def _vanish(code: int) -> None:
    os._exit(code)


def test_a_process_that_is_ended_is_told() -> None:
    """The system may take one, for want of memory: that is said, and what would do."""
    with pytest.raises(ChildProcessError, match=r"ended from outside.* `-j`"):
        list(spread(_vanish, [1, 1], 2))
