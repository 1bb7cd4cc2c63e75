"""Finds and reads the files of a spec: rulebook, clause table, scenarios, stacked variants.

A spec is named in one of three ways, each with variants stacked on it by `+`:

- `klink`: a shipped rulebook, or a rulebook of that name in the current folder;
- `games/klink.rules`, `games/klink`: a path to a file, or to a folder with a file of its name;
- a variant or a file of scenarios, by name or path: what it belongs to is found by itself.

What a file belongs to (`of N`) is looked for in the same folder, its parent, the current folder,
then among the shipped rulebooks; a stacked variant also in the folder `variants` of those.  Of a
file only the heading is read here; what it means is the compiler's business.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from enum import Enum
from importlib.resources import files
from pathlib import Path

from attrs import evolve, frozen

from compiler.diagnostic import Report, UnreadableFile, unreadable
from compiler.source import SourceFile, SourceSet, Unreadable

SUFFIX = ".rules"
_VARIANTS = "variants"
_ALIKE = 0.6  # share of letters in common from which on a variant may be meant
_HEADING = re.compile(
    r'^(?:(rulebook)\s+(\w+)|(scenarios)\s+of\s+(\w+)|(variant)\s+(\w+)\s+"[^"]*"\s+of\s+(\w+))',
    re.MULTILINE,
)
_CLAUSES = re.compile(r'^\s+clauses\s+"([^"]*)"', re.MULTILINE)


class UnknownSpec(LookupError):
    """No file answers to a name; `nearest` are names that do."""

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nearest = nearest
        hint = f"; did you mean {' or '.join(f'`{near}`' for near in nearest)}?" if nearest else ""
        looks_like_path = "/" in name or name.endswith(SUFFIX)
        what = "there is no file" if looks_like_path else "no rulebook or variant is called"
        if looks_like_path and Path(name).is_dir():
            what, hint = "a folder cannot be read, name a file in it:", ""
        spec, comma, setting = name.partition(",")
        if comma and "=" in setting:
            hint = f"; settings stand behind it: `{spec} --set {setting.replace(',', ' --set ')}`"
        super().__init__(f"{what} `{name}`{hint}")


class StandsOnItself(UnknownSpec):
    """A variant that is, perhaps by way of others, a variant of itself: no rulebook is below it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.args = (f"`{name}` stands on itself: what it is a variant of must be a rulebook",)


class NotStacked(UnknownSpec):
    """What stands behind a `+` and is no variant, or stands there twice; `reason` says which."""

    def __init__(self, name: str, reason: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(name, nearest)
        self.args = (reason,)


class Role(Enum):
    """What a file is."""

    RULEBOOK = "rulebook"
    SCENARIOS = "scenarios"
    VARIANT = "variant"


@frozen
class Heading:
    """What a file says it is: its own name (that of its game, for scenarios), and what it is of."""

    role: Role
    name: str
    of: str | None


@frozen
class Found:
    """A file of the language, and what it says it is; `None` if it does not say."""

    path: Path
    heading: Heading | None


def heading(text: str) -> Heading | None:
    """The heading of a text, `None` if it has none."""
    match = _HEADING.search(text)
    if match is None:
        return None
    rulebook, book, scenarios, game, _, variant, base = match.groups()
    if rulebook:
        return Heading(Role.RULEBOOK, book, None)
    if scenarios:
        return Heading(Role.SCENARIOS, game, game)
    return Heading(Role.VARIANT, variant, base)


# ---- what there is


def shipped() -> Path:
    """The folder of the shipped rulebooks: in the package, or in the checkout beside it."""
    package = Path(str(files("ruleengine")))
    inside = package / "_specs"
    return inside if inside.is_dir() else package.parent / "specs"


def names() -> tuple[str, ...]:
    """The shipped rulebooks, in alphabetical order."""
    return tuple(sorted(path.stem for path in _shipped_rulebooks()))


def variants(name: str) -> tuple[str, ...]:
    """Every variant found for a spec, stacked on it: `klink+blank_klink`; in order of their names.

    Variants of variants come with what they stand on.  A spec with variants has none of its own.
    """
    if "+" in name:
        return ()
    base = _find(name)
    if base.heading is None or base.heading.role is not Role.RULEBOOK:
        return ()
    shelf = [found for found in _around(base.path.parent) if _is(found, Role.VARIANT)]
    return tuple(sorted(_stacks(name, base.heading.name, shelf)))


def _stacks(spec: str, over: str, shelf: Sequence[Found]) -> Iterator[str]:
    for found in shelf:
        stands = found.heading is not None and found.heading.of == over
        if found.heading is not None and stands and found.heading.name not in spec.split("+"):
            stacked = f"{spec}+{found.heading.name}"
            yield stacked
            yield from _stacks(stacked, found.heading.name, shelf)


def file_of(name: str) -> Path:
    """The file that a name or path means; raises `UnknownSpec` if there is none."""
    return _find(name).path


def read(name: str, *, inherit: bool = False) -> SourceSet | Report:
    """Every file of a spec, or what stands in the way of reading them.

    Scenarios are those of the variant on top; with `inherit` also those of all it stands on.
    Raises `UnknownSpec` when a name or path leads nowhere.
    """
    first, *stacked = name.split("+")
    found = _find(first)
    told: list[Path] = []
    over: list[Found] = []
    while found.heading is not None and found.heading.role is not Role.RULEBOOK:
        if found.path.resolve() in {path.resolve() for path in (*told, *(f.path for f in over))}:
            raise StandsOnItself(found.heading.name)
        if found.heading.role is Role.SCENARIOS:
            told.append(found.path)
        else:
            over.insert(0, found)
        found = _owner(found.heading.of or "", found.path.parent)
    for variant in stacked:
        asked = _variant(variant, (found, *over))
        if asked.path.resolve() in {item.path.resolve() for item in over}:
            name = variant if asked.heading is None else asked.heading.name
            raise NotStacked(variant, f"`{name}` is taken twice: once is enough")
        over += _standing(asked, over)
    return _read_all(found, over, told, inherit=inherit)


def _standing(variant: Found, over: Sequence[Found]) -> list[Found]:
    """A variant with the variants it stands on, those left out that are there already."""
    stack = [variant]
    there = {found.path.resolve() for found in over}
    while stack[0].heading is not None and stack[0].heading.of is not None:
        below = _owner(stack[0].heading.of, stack[0].path.parent)
        if not _is(below, Role.VARIANT) or below.path.resolve() in there:
            break
        if below.path.resolve() in {item.path.resolve() for item in stack}:
            raise StandsOnItself(stack[0].heading.name)
        stack.insert(0, below)
    return stack


# ---- finding


def _find(name: str) -> Found:
    """The file that a name or path means."""
    path = Path(name)
    if path.suffix == SUFFIX and path.is_file():
        return _open(path)
    if path.is_dir() and (path / f"{path.resolve().name}{SUFFIX}").is_file():
        return _open(path / f"{path.resolve().name}{SUFFIX}")
    if path.name and (beside := path.with_name(f"{path.name}{SUFFIX}")).is_file():
        return _open(beside)
    if path.suffix != SUFFIX and len(path.parts) == 1:
        for candidate in (*_shipped_rulebooks(), *_shipped_variants()):
            if candidate.stem == name:
                return _open(candidate)
    raise UnknownSpec(name, _nearest(path.stem))


def _owner(name: str, folder: Path) -> Found:
    """What a file in a folder is `of`."""
    near = dict.fromkeys((*_in(folder), *_in(folder.parent), *_in(Path())))
    for path in (*near, *_shipped_rulebooks(), *_shipped_variants()):
        if path.stem == name or _names(path, name):
            return _open(path)
    raise UnknownSpec(name, _nearest(name))


def _variant(name: str, below: Sequence[Found]) -> Found:
    """A variant that is stacked by name or path on a rulebook and what is laid over it already."""
    path = Path(name)
    if path.suffix == SUFFIX and path.is_file():
        return _open(path)
    folders = dict.fromkeys(found.path.parent for found in below)
    beside = [found for folder in folders for found in _around(folder)]
    known: dict[str, Found] = {}
    for found in (*beside, *map(_open, _shipped_variants())):
        if found.heading is not None and found.heading.role is Role.VARIANT:
            known.setdefault(found.heading.name, found)
    if name not in known:
        raise _not_stacked(name, _fitting(known.values(), below))
    return known[name]


def _fitting(variants: Iterable[Found], below: Sequence[Found]) -> list[str]:
    """The names of the variants that are of a rulebook, or of one of its variants."""
    found: list[str] = []
    over = {item.heading.name for item in below if item.heading is not None}
    waiting = [one.heading for one in variants if one.heading is not None]
    while some := [one for one in waiting if one.of in over and one.name not in over]:
        found += [one.name for one in some]
        over |= {one.name for one in some}
    return sorted(found)


def _not_stacked(name: str, own: Sequence[str]) -> NotStacked:
    """Why a name cannot stand behind a `+`; `own` are the variants that can."""
    told = f"the variants of this rulebook are {', '.join(own)}"
    there = told if own else "this rulebook has none"
    if name in names():
        return NotStacked(name, f"`{name}` is a rulebook, and only variants are laid over: {there}")
    near = get_close_matches(name, own, 2, _ALIKE) or [one for one in own if name and name in one]
    hint = f"did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else there
    return NotStacked(name, f"no variant is called `{name}`; {hint}", tuple(near))


def _open(path: Path) -> Found:
    text = SourceFile.read(path)
    return Found(path, None if isinstance(text, Unreadable) else heading(text.text))


def _names(path: Path, name: str) -> bool:
    """Whether a file is the rulebook or variant of that name, whatever the file is called."""
    said = _open(path).heading
    return said is not None and said.role is not Role.SCENARIOS and said.name == name


def _is(found: Found, role: Role) -> bool:
    return found.heading is not None and found.heading.role is role


def _tells(path: Path) -> bool:
    """Whether a file is called as files of scenarios are."""
    return path.stem.endswith("-scenarios")


def _in(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob(f"*{SUFFIX}")))


def _around(folder: Path) -> tuple[Found, ...]:
    """The files in a folder, its folder of variants, and its parent if it is such a folder."""
    paths = [*_in(folder), *_in(folder / _VARIANTS)]
    if folder.name == _VARIANTS:
        paths += _in(folder.parent)
    return tuple(_open(path) for path in paths)


def _shipped_rulebooks() -> tuple[Path, ...]:
    """A folder's file of its own name, or every file of a folder that has none, scenarios apart."""
    found: list[Path] = []
    for folder in sorted(path for path in shipped().iterdir() if path.is_dir()):
        own = folder / f"{folder.name}{SUFFIX}"
        found += [own] if own.is_file() else [f for f in _in(folder) if not _tells(f)]
    return tuple(found)


def _shipped_variants() -> tuple[Path, ...]:
    return tuple(sorted(shipped().glob(f"*/{_VARIANTS}/*{SUFFIX}")))


def _nearest(name: str) -> tuple[str, ...]:
    known = [path.stem for path in (*_shipped_rulebooks(), *_shipped_variants(), *_in(Path()))]
    return tuple(get_close_matches(name, dict.fromkeys(known), 2))


# ---- reading


def _read_all(
    base: Found, over: Sequence[Found], told: Sequence[Path], *, inherit: bool
) -> SourceSet | Report:
    """The texts; what cannot be read is reported all at once."""
    report = Report()
    text = _text(base.path, report)
    prelude = _text(Path(str(files("compiler"))) / f"prelude{SUFFIX}", report, "prelude.rules")
    if text is None or prelude is None:
        return report
    laid_over = [(v.path, one) for v in over if (one := _text(v.path, report)) is not None]
    tables = _tables(base.path, text, report)
    lock = _lock(tables[0][0], report) if tables else None
    brought = [table for variant in laid_over for table in _tables(*variant, report)]
    top = (over[-1] if over else base).heading
    beside = [] if told or top is None else _told_beside(base, over)
    layers = [base, *over] if inherit else [base, *over][-1:]
    own = [path for one in layers if one.heading for path in _scenarios(beside, one.heading.name)]
    acted_out = tuple(_texts(told or own, report))
    astray = _astray(beside, over[-1] if over else base)
    if report.has_errors:
        return report
    return SourceSet(
        text,
        prelude,
        tables[0][1] if tables else None,
        lock,
        tuple(variant for _, variant in laid_over),
        acted_out,
        tuple(dict.fromkeys(table for _, table in (*tables[1:], *brought))),
        tuple(_texts(astray, report)),
    )


def _tables(path: Path, text: SourceFile, report: Report) -> list[tuple[Path, SourceFile]]:
    """The tables of clauses that a file names, the first one first."""
    found = []
    for named in _CLAUSES.finditer(text.text):
        table = path.parent / named[1]
        missing = Report()
        read = _text(table, missing)
        if read is not None:
            found.append((table, read))
        for finding in missing:  # a name that leads nowhere is wrong where it is written
            here = text.span(named.start(1) - 1, named.end(1) + 1)
            is_place = isinstance(finding, UnreadableFile)
            report.add(evolve(finding, span=here) if is_place else finding)
    return found


def _lock(table: Path, report: Report) -> SourceFile | None:
    """The hashes confirmed for a table, if they lie beside it."""
    lock = table.with_suffix(".lock")
    return _text(lock, report) if lock.is_file() else None


def _told_beside(base: Found, over: Sequence[Found]) -> list[Found]:
    """The files beside a rulebook and its variants."""
    folders = dict.fromkeys(found.path.parent for found in (base, *over))
    return [found for folder in folders for found in _around(folder)]


def _scenarios(beside: Sequence[Found], name: str) -> list[Path]:
    """Those that tell scenarios of a rulebook or variant."""
    wanted = Heading(Role.SCENARIOS, name, name)
    return [found.path for found in beside if found.heading == wanted]


def _astray(beside: Sequence[Found], top: Found) -> list[Path]:
    """Those that are called as the scenarios of a file are, or nearly name it, and name another."""
    if top.heading is None:
        return []
    told = [(one.path, one.heading.name) for one in beside if one.heading and _is_told(one)]
    known = {one.heading.name for one in beside if one.heading and not _is_told(one)}
    own = top.heading.name
    return [
        path
        for path, name in told
        if name != own and (_said_by(path) == top.path.stem or _misspelt(name, own, known))
    ]


def _is_told(found: Found) -> bool:
    return _is(found, Role.SCENARIOS)


def _misspelt(name: str, own: str, known: Collection[str]) -> bool:
    """Whether a name is close to one's own, and not that of something else."""
    return bool(get_close_matches(name, (own,))) and name not in (*known, *names())


def _said_by(path: Path) -> str:
    """Of which file a file of scenarios is, by how it is called."""
    return path.stem.removesuffix("s").removesuffix("-scenario")


def scenario_files(path: Path) -> tuple[Path, ...]:
    """The files beside that of a rulebook or variant which tell scenarios of it."""
    found = _open(path)
    if found.heading is None or found.heading.role is Role.SCENARIOS:
        return ()
    return tuple(_scenarios(_told_beside(found, ()), found.heading.name))


def _texts(paths: Sequence[Path], report: Report) -> Iterator[SourceFile]:
    for path in dict.fromkeys(paths):
        text = _text(path, report)
        if text is not None:
            yield text


def _text(path: Path, report: Report, name: str | None = None) -> SourceFile | None:
    text = SourceFile.read(path, name or _shown(path))
    if isinstance(text, Unreadable):
        report.add(unreadable(text))
        return None
    return text


def _shown(path: Path) -> str:
    """A path as people know it: from the current folder, if it lies below."""
    if "\0" in str(path):  # no file is called so
        return path.as_posix()
    whole = path.resolve()
    here = Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()
