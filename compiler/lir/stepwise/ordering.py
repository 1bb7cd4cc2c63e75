"""Orders of a list, one after the other, each of those that only twins tell apart once."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from compiler.lir.build import negate
from compiler.lir.core import Continue, Expr, Local
from compiler.lir.stepwise.code import Code, Loops, at_least, is_, plus, put_at
from compiler.lir.stepwise.lists import element, new, push, size


@contextmanager
def orders(code: Code, members: Expr, twins: Expr | None = None) -> Iterator[tuple[Code, Local]]:
    """What is done for each order of the members, in a list that is another one each time."""
    members = code.keep(members)
    walk = _Walk.room(code, members)
    with code.loop("walk") as each:
        with each.when(is_(walk.depth, size(members))) as whole:
            yield whole, walk.made
            walk.back(whole, each)
        with each.when(at_least(walk.following, size(members))) as stuck:
            walk.back(stuck, each)
        walk.skip_if(each, element(walk.used, walk.following))
        if twins is not None:
            walk.skip_if(each, walk.lacks_twin(each, twins))
        walk.take(each)


@frozen(eq=False)
class _Walk:
    """Goes through choices of members: positions so far, and which may come next."""

    members: Expr
    made: Local  # those that are chosen, as a list whose length is that of a whole choice
    positions: Local
    used: Local
    depth: Local
    following: Local

    @classmethod
    def room(cls, code: Code, members: Expr) -> "_Walk":
        """Room for choices of members; nothing is chosen yet."""
        made, positions, used = (new(code, size(members)) for _ in range(3))
        with code.up_to(size(members)) as (each, _):
            push(each, used, 0)
        code.put(put_at(made, size(members)))
        depth, following = code.local("depth", 0), code.local("following", 0)
        return cls(members, made, positions, used, depth, following)

    def take(self, code: Code) -> None:
        """Chooses the member that may come next."""
        code.put(put_at(self.positions, self.following, plus(self.depth, 1)))
        code.put(put_at(self.made, element(self.members, self.following), plus(self.depth, 1)))
        code.put(put_at(self.used, 1, plus(self.following, 1)))
        code.step(self.depth)
        code.set(self.following, 0)

    def back(self, code: Code, loop: Loops) -> None:
        """Takes the last choice back and goes on with what is behind; ends where there is none."""
        with code.when(is_(self.depth, 0)) as done:
            loop.leave_from(done)
        code.step(self.depth, -1)
        last = code.keep(element(self.positions, self.depth))
        code.put(put_at(self.used, 0, plus(last, 1)))
        code.set(self.following, plus(last, 1))
        code.put(Continue(loop.name))

    def skip_if(self, code: Loops, test: Expr) -> None:
        """Passes over the member that may come next."""
        with code.when(test) as skipped:
            skipped.step(self.following)
            skipped.again()

    def lacks_twin(self, code: Code, twins: Expr) -> Expr:
        """Whether an equal member before the next one is not chosen."""
        before = code.keep(element(twins, self.following))
        missing = code.local("is_missing", 0)
        with code.when(at_least(before, 0)) as has_one:
            has_one.set(missing, negate(element(self.used, before)))
        return missing
