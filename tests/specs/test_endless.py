"""Games that may go on for ever are cut off and counted."""

from ruleengine.match import Ending
from ruleengine.simulation import simulate
from ruleengine.testing.plan import NODE_LIMIT


def test_spent_counters_that_do_not_count() -> None:
    """In High Jinks nobody loses by counters that were spent, if those do not count: no end."""
    usual, endless = (
        simulate("highjinks", 1, seed=1, node_limit=NODE_LIMIT, spent_counters=reading)
        for reading in ("yes", "face_up_only")
    )

    assert [row.ending for row in usual.rows] == [Ending.FINISHED]
    assert [row.ending for row in endless.rows] == [Ending.NODE_LIMIT]
    assert endless.errors == {}
