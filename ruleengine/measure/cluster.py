"""A Dask cluster that is there already: the same tasks on its workers, the same rows.

Needs the extra `dask`; only this module imports it.  Workers that lack this package are sent it, as
a file of Python sources; they must run the same version of Python.
"""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from distributed import Client

from ruleengine.measure.sweep import Spreading, Task
from ruleengine.tally import Row

_SENT: Final = ("compiler", "ruleengine", "attr", "attrs", "lark")
_KINDS: Final = {".py", ".lark", ".rules", ".css", ".js", ".json", ".typed", ".pyi"}
_PATIENCE: Final = 10  # seconds in which a scheduler must answer


class NoCluster(OSError):
    """No scheduler answers, or its workers cannot do the work."""


def there(address: str) -> Spreading:
    """On the workers of the scheduler at an address, once; `NoCluster` if that cannot be."""
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise NoCluster(f"no scheduler answers at {address}") from error
    _prepare(client)

    def spreading(
        work: Callable[[Task], tuple[Row, ...]], tasks: Sequence[Task]
    ) -> Iterator[tuple[int, tuple[Row, ...]]]:
        with client:
            executor = client.get_executor(pure=False)
            waiting = {executor.submit(work, task): at for at, task in enumerate(tasks)}
            for done in as_completed(waiting):
                yield waiting[done], done.result()

    return spreading


def _prepare(client: Client) -> None:
    """Sends the package to workers that lack it."""
    if not client.scheduler_info()["workers"]:
        raise NoCluster("the cluster has no workers")
    if all(client.run(_has_package).values()):
        return
    with TemporaryDirectory() as folder:
        bundle = Path(folder) / "rulewright_sources.zip"
        _bundle(bundle)
        client.upload_file(str(bundle))


def _has_package() -> bool:
    """Whether this package can be imported where this is run."""
    return all(find_spec(name) is not None for name in _SENT)


def _bundle(path: Path) -> None:
    """All that a worker needs, as one file that can be imported from."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in _SENT:
            found = find_spec(name)
            if found is None or found.origin is None:
                continue
            root = Path(found.origin).parent
            for file in sorted(root.rglob("*")):
                if file.suffix in _KINDS:
                    bundle.write(file, f"{name}/{file.relative_to(root).as_posix()}")
