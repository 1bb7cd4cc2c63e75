"""The table of clauses: what a rulebook says, by id, and which of it was confirmed.

`clauses.md` is read as tables; everything else in it is for people.  `clauses.lock` keeps a hash of
each text as it was when somebody last looked at the rules that cite it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.diagnostic import Error, Report
from compiler.source import SourceFile, Span

ID = re.compile(r"[A-Z]+-[A-Z]*[0-9]+(\.[0-9]+)?")
_LONGEST = 60  # characters of an id that somebody may have misspelt
_CLOSE = 0.7  # share of them in common from which on another section is worth a question
HASH_LENGTH = 16  # hexadecimal digits kept of a hash: enough to notice a changed text


# ---- what can be wrong with the table


@frozen
class WrongClauseId(Error):
    """The first cell of a row is no id."""

    title = "not an id of a clause"
    label = "`{text}` is not written like `KL-4.1` or `KL-R11`"
    text: str


@frozen
class TwoClauses(Error):
    """An id that stands in two rows."""

    title = "two rows of one id"
    label = "`{id}` stands above already"
    id: str


@frozen
class UnknownKind(Error):
    """A clause that is neither mechanical, informative nor physical."""

    title = "unknown kind of clause"
    label = "`{kind}` is none of M (mechanical), I (informative), P (physical)"
    kind: str


@frozen
class ShortRow(Error):
    """A row with fewer or more cells than the table has columns."""

    title = "this row does not fit its table"
    label = "it has {found} cells, the table has {wanted} columns"
    hint = "write a bar inside a text as `\\|`"
    found: int
    wanted: int


@frozen
class UnknownColumns(Error):
    """A table of ids whose columns are not those of clauses, rulings or others."""

    title = "no table of clauses has these columns"
    label = "`{columns}` is none of those that are read"
    hint = "write `| id | kind | text |`, or for rulings `| id | clauses | question | readings |`"
    columns: str


@frozen
class WrongLockLine(Error):
    """A line of the lock file that is no id with a hash."""

    title = "not a line of a lock file"
    label = "a line holds the id of a clause and the hash of its text"
    hint = "let the command that confirms clauses write this file"


# ---- what the table holds


class Kind(Enum):
    """What a clause is: only mechanical ones need a rule."""

    MECHANICAL = "M"
    INFORMATIVE = "I"
    PHYSICAL = "P"


def text_hash(text: str) -> str:
    """What is kept of a text to notice that it changed; spacing does not matter."""
    return sha256(" ".join(text.split()).encode()).hexdigest()[:HASH_LENGTH]


@frozen
class Clause:
    """A sentence of the rulebook, in words of our own."""

    id: str
    kind: Kind
    text: str
    span: Span = field(repr=False)

    @property
    def hash(self) -> str:
        """The hash of its text."""
        return text_hash(self.text)


@frozen
class CatalogueRuling:
    """A question that the rulebook leaves open, with the readings people know of.

    `clauses` are those it is about.  `defaults` are the readings marked so: one, unless the
    question has two parts.
    """

    id: str
    clauses: tuple[str, ...]
    question: str
    readings: tuple[str, ...]
    defaults: tuple[str, ...]
    span: Span = field(repr=False)

    @property
    def default(self) -> str | None:
        """The first reading marked as default."""
        return self.defaults[0] if self.defaults else None

    @property
    def text(self) -> str:
        """All that a citation stands for."""
        return f"{self.question} {', '.join(self.readings)}"

    @property
    def hash(self) -> str:
        """The hash of question and readings."""
        return text_hash(self.text)


@frozen
class Extra:
    """An invariant or a worked scenario of the catalogue: may be cited, need not be."""

    id: str
    text: str
    span: Span = field(repr=False)

    @property
    def hash(self) -> str:
        """The hash of its text."""
        return text_hash(self.text)


Entry: TypeAlias = Clause | CatalogueRuling | Extra


@frozen
class Catalogue:
    """All rows of a table of clauses, in order."""

    clauses: Mapping[str, Clause]
    rulings: Mapping[str, CatalogueRuling]
    extras: Mapping[str, Extra]

    def __contains__(self, cited: str) -> bool:
        return cited in self.clauses or cited in self.rulings or cited in self.extras

    def __iter__(self) -> Iterator[Entry]:
        yield from self.clauses.values()
        yield from self.rulings.values()
        yield from self.extras.values()

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that may be cited."""
        return (*self.clauses, *self.rulings, *self.extras)

    @property
    def mechanical(self) -> tuple[Clause, ...]:
        """The clauses that a rule must cite."""
        return tuple(c for c in self.clauses.values() if c.kind is Kind.MECHANICAL)


# ---- reading


@frozen
class _Cell:
    """A cell of a row, without the blanks around it."""

    text: str
    span: Span


HEADS: tuple[tuple[str, ...], ...] = (
    ("id", "kind", "text"),
    ("id", "clauses", "question", "readings"),
    ("id", "text"),
)
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")


def read_catalogue(*sources: SourceFile) -> tuple[Catalogue, Report]:
    """The catalogue that files hold together, and what was found wrong with their rows."""
    reader = _Reader()
    for source in sources:
        _read_table(reader, source)
    return Catalogue(reader.clauses, reader.rulings, reader.extras), reader.report


def _read_table(reader: "_Reader", source: SourceFile) -> None:
    head: tuple[_Cell, ...] = ()
    for cells in _rows(source):
        if not cells or not head:
            head = cells
            continue
        names = tuple(cell.text.lower() for cell in head)
        if names not in HEADS:
            reader.refuse(head, cells)
        elif not all(_RULE.fullmatch(cell.text) for cell in cells):
            reader.read(names, cells)


def _rows(source: SourceFile) -> Iterator[tuple[_Cell, ...]]:
    """The cells of each line; none for a line that is no row of a table."""
    start = 0
    for line in source.text.split("\n"):
        bars = [match.start() for match in _BAR.finditer(line)]
        is_row = line.lstrip().startswith("|") and len(bars) > 1
        yield tuple(_cell(source, start + a + 1, start + b) for a, b in pairwise(bars) if is_row)
        start += len(line) + 1


def _cell(source: SourceFile, start: int, end: int) -> _Cell:
    raw = source.text[start:end]
    first = start + len(raw) - len(raw.lstrip())
    text = raw.strip()
    return _Cell(text.replace("\\|", "|"), source.span(first, max(first, first + len(text))))


@define
class _Reader:
    """Takes rows in, and says what is wrong with them."""

    clauses: dict[str, Clause] = field(factory=dict)
    rulings: dict[str, CatalogueRuling] = field(factory=dict)
    extras: dict[str, Extra] = field(factory=dict)
    report: Report = field(factory=Report)
    _seen: dict[str, Span] = field(factory=dict)
    _refused: list[Span] = field(factory=list)  # heads of tables

    def refuse(self, head: tuple[_Cell, ...], cells: tuple[_Cell, ...]) -> None:
        """Report the head of a table whose row has an id in front, once; others are for people."""
        span = head[0].span.join(head[-1].span)
        if ID.fullmatch(cells[0].text) and span not in self._refused:
            self._refused.append(span)
            columns = " | ".join(cell.text for cell in head)
            self.report.add(UnknownColumns(columns, span=span))

    def read(self, head: tuple[str, ...], cells: tuple[_Cell, ...]) -> None:
        """Take one row in."""
        place = cells[0].span
        if len(cells) != len(head):
            whole = place.join(cells[-1].span)
            self.report.add(ShortRow(len(cells), len(head), span=whole))
        elif not ID.fullmatch(cells[0].text):
            self.report.add(WrongClauseId(cells[0].text, span=place))
        elif cells[0].text in self._seen:
            first = (self._seen[cells[0].text], "the first one")
            self.report.add(TwoClauses(cells[0].text, span=place, notes=(first,)))
        else:
            self._seen[cells[0].text] = place
            self._take(head, cells)

    def _take(self, head: tuple[str, ...], cells: tuple[_Cell, ...]) -> None:
        id_, place = cells[0].text, cells[0].span
        if "kind" in head:
            kind = next((k for k in Kind if k.value == cells[1].text), None)
            if kind is None:
                self.report.add(UnknownKind(cells[1].text, span=cells[1].span))
            self.clauses[id_] = Clause(id_, kind or Kind.INFORMATIVE, cells[2].text, place)
        elif "readings" in head:
            about = tuple(_listed(cells[1].text))
            names = tuple(_listed(cells[3].text))
            readings = tuple(name.removesuffix(_DEFAULT).strip() for name in names)
            defaults = tuple(
                r for r, n in zip(readings, names, strict=True) if n.endswith(_DEFAULT)
            )
            self.rulings[id_] = CatalogueRuling(
                id_, about, cells[2].text, readings, defaults, place
            )
        else:
            self.extras[id_] = Extra(id_, cells[1].text, place)


_DEFAULT = "(default)"


def _listed(text: str) -> Iterator[str]:
    return (part.strip() for part in text.split(",") if part.strip())


# ---- confirmed texts


def read_lock(source: SourceFile) -> tuple[Mapping[str, str], Report]:
    """The hash confirmed for each id, and which lines are none."""
    confirmed: dict[str, str] = {}
    report = Report()
    start = 0
    for line in source.text.split("\n"):
        words = line.split()
        if len(words) == 2 and ID.fullmatch(words[0]):
            confirmed[words[0]] = words[1]
        elif words and not words[0].startswith("#"):
            report.add(WrongLockLine(span=source.span(start, start + len(line))))
        start += len(line) + 1
    return confirmed, report


def lock_text(catalogue: Catalogue) -> str:
    """The lock file that confirms every text as it is now."""
    return "".join(f"{entry.id} {entry.hash}\n" for entry in catalogue)


def confirmed_text(catalogue: Catalogue, before: Mapping[str, str], ids: Iterable[str]) -> str:
    """The lock file that confirms some texts as they are now; of others it says what it said."""
    fresh = frozenset(ids)
    kept = {e.id: e.hash if e.id in fresh else before.get(e.id) for e in catalogue}
    return "".join(f"{id_} {hash_}\n" for id_, hash_ in kept.items() if hash_ is not None)


def changed(catalogue: Catalogue, confirmed: Mapping[str, str]) -> tuple[str, ...]:
    """The ids whose text differs from what was confirmed; new ids are not among them."""
    return tuple(e.id for e in catalogue if confirmed.get(e.id, e.hash) != e.hash)


def nearest_id(id_: str, known: Iterable[str]) -> str:
    """The clause that somebody may have meant: of the same section, if there is any like it."""
    candidates = sorted(set(known) - {id_})
    beside = [one for one in candidates if _section(one) == _section(id_)]
    near = get_close_matches(id_[:_LONGEST], beside, 1) or get_close_matches(
        id_[:_LONGEST], candidates, 1, _CLOSE
    )
    return near[0] if near else ""


def _section(id_: str) -> str:
    """A clause without its number within its section."""
    return id_.rstrip("0123456789")
