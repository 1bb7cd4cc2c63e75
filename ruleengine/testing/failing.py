"""A test that failed, as people read it."""

from collections.abc import Iterator

from ruleengine.testing.plan import Tested


def failure(test: Tested) -> Iterator[str]:
    """A failed test: where it is broken, what it says, the shortest play found that breaks it."""
    yield f"{test.place}: {test.name}" if test.place else test.name
    if test.text:
        yield f"  | {test.text}"
    cited = "".join(f" @{clause}" for clause in test.clauses)
    yield f"  {test.message}{cited and ' '}{cited}"
    if test.hint:
        yield f"  {test.hint}"
    example = test.counterexample
    if example is not None:
        moves = len(example.finding.ranks)
        when = f"after {moves} move{'s' if moves != 1 else ''}" if moves else "before any move"
        yield f"  with {example.finding.configuration}, {when}:"
        yield from (f"    {line}" for line in example.story)
