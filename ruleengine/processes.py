"""Work spread over processes; what comes out does not depend on how many there are.

A task is a function at the top of a module and plain values.  With one process it is simply called.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, getsignal, signal
from threading import current_thread, main_thread
from typing import Self, TypeVar

from compiler.config import Configuration
from compiler.diagnostic import InternalError, Report
from compiler.pipeline import Spec, compile_rules
from compiler.source import SourceSet
from ruleengine.game import Instance

Task = TypeVar("Task")
Done = TypeVar("Done")


class Workers:
    """Processes that work while others wait; they are started when there is something to do.

    With several jobs a script must begin its work under `if __name__ == "__main__":`, as Python
    asks of everybody who starts processes.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    @property
    def several(self) -> bool:
        """Whether work is done elsewhere; else it is done here, when it is asked for."""
        return self._jobs > 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def begin(
        self, work: Callable[[Task], Done], tasks: Sequence[Task]
    ) -> Iterator[tuple[int, Done]]:
        """The position of each task and what came of it, in the order in which they are done.

        Several processes begin at once, whether or not somebody asks already.  Raises
        `ChildProcessError` where one of them is ended from outside.
        """
        if not self.several or not tasks:
            return ((position, work(task)) for position, task in enumerate(tasks))
        if self._pool is None:
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._jobs, context, initializer=_leave_interrupts)
        with _interrupts_left():
            waiting = {self._pool.submit(work, task): at for at, task in enumerate(tasks)}
        return _as_done(waiting)


def _as_done(positions: dict[Future[Done], int]) -> Iterator[tuple[int, Done]]:
    waiting = set(positions)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for finished in done:
            yield positions[finished], _result(finished)


def _result(finished: Future[Done]) -> Done:
    try:
        return finished.result()
    except BrokenProcessPool as broken:
        raise ChildProcessError(
            "a process that worked was ended from outside, perhaps for want of memory; "
            "say fewer with `-j`"
        ) from broken


def in_order(done: Iterator[tuple[int, Done]]) -> Iterator[Done]:
    """What came of the tasks in their order, each as soon as it and those before it are done."""
    early: dict[int, Done] = {}
    wanted = 0
    for position, one in done:
        early[position] = one
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def spread(
    work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[int, Done]]:
    """The position of each task and what came of it, in the order in which they are done."""
    with Workers(min(jobs, len(tasks))) as workers:
        yield from workers.begin(work, tasks)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that started the others answers it."""
    signal(SIGINT, SIG_IGN)


@contextmanager
def _interrupts_left() -> Iterator[None]:
    """Processes that are started meanwhile leave interrupts alone from their first moment on.

    Only the main thread of a program may say so; else they do from where they begin to work.
    """
    usual = getsignal(SIGINT)
    if usual is None or current_thread() is not main_thread():
        yield
        return
    signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, usual)


@lru_cache(maxsize=8)
def compiled_spec(sources: SourceSet) -> Spec:
    """A spec known to compile, compiled once in each process."""
    spec = compile_rules(sources)
    if isinstance(spec, Report):
        raise InternalError("a spec that was compiled does not compile again")
    return spec


@lru_cache(maxsize=4)
def compiled_game(sources: SourceSet, configuration: Configuration) -> Instance:
    """A game known to compile, compiled once in each process."""
    made = compiled_spec(sources).instantiate(configuration)
    if isinstance(made, Report):
        raise InternalError("a game that was compiled does not compile again")
    return Instance.of(made)
