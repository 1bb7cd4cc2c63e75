"""Where the games of a sweep are kept: an SQLite file that many sweeps can go on with.

A row is one game: its settings, how it ended, how long it was, who won, the scores.  Rows are given
in the order of settings and numbers, so that equal games make equal files.
"""

import csv
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

from compiler.graph.values import seat_text
from ruleengine.match import Ending
from ruleengine.tally import Row

Cell: TypeAlias = str | int | None

COLUMNS: Final = (
    "settings",
    "game",
    "ending",
    "decisions",
    "draws",
    "nodes",
    "winners",
    "is_draw",
    "scores",
    "error",
)
_CREATE: Final = f"""
create table if not exists about (name text primary key, value text not null);
create table if not exists games ({", ".join(COLUMNS)}, primary key (settings, game));
"""
_INSERT: Final = f"insert or replace into games values ({', '.join('?' * len(COLUMNS))})"


class NoStore(ValueError):
    """A file that is no store, or cannot be one."""


class OtherSweep(ValueError):
    """A store that holds the games of other rules, or of another seed."""


class Store:
    """An open store; in memory if no file is named."""

    def __init__(self, path: Path | None = None) -> None:
        try:
            self._base = sqlite3.connect(":memory:" if path is None else path)
            self._base.executescript(_CREATE)
        except sqlite3.Error as error:
            raise NoStore(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._base.close()

    def claim(self, about: Mapping[str, str]) -> None:
        """Says whose games these are; `OtherSweep` if they are others'."""
        kept = dict(self._base.execute("select name, value from about"))
        for name, value in about.items():
            if kept.setdefault(name, value) != value:
                raise OtherSweep(f"{name} was {kept[name]}, and is {value} now")
        with self._base:
            self._base.executemany("insert or replace into about values (?, ?)", kept.items())

    def played(self, settings: str) -> frozenset[int]:
        """The numbers of the games that are there for some settings."""
        found = self._base.execute("select game from games where settings = ?", (settings,))
        return frozenset(number for (number,) in found)

    def add(self, settings: str, rows: Sequence[Row]) -> None:
        """Puts games in, all or none."""
        with self._base:
            self._base.executemany(_INSERT, (_cells(settings, row) for row in rows))

    def rows(self, settings: str, games: int) -> tuple[Row, ...]:
        """The first games of some settings, in the order of their numbers."""
        found = self._base.execute(
            "select * from games where settings = ? and game < ? order by game", (settings, games)
        )
        return tuple(map(_row, found))

    def table(self, settings: Sequence[str], games: int) -> Iterator[tuple[Cell, ...]]:
        """The same of several settings, cell by cell as `COLUMNS` says."""
        for one in settings:
            yield from (_cells(one, row) for row in self.rows(one, games))


def csv_text(rows: Iterator[tuple[Cell, ...]]) -> str:
    """Rows under a line of names."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows(rows)
    return text.getvalue()


def _cells(settings: str, row: Row) -> tuple[Cell, ...]:
    return (
        settings,
        row.game,
        row.ending.value,
        row.decisions,
        row.draws,
        row.nodes,
        "".join(map(seat_text, row.winners)),
        int(row.is_draw),
        None if row.scores is None else " ".join(map(str, row.scores)),
        row.error,
    )


def _row(cells: tuple[str, int, str, int, int, int, str, int, str | None, str | None]) -> Row:
    _, game, ending, decisions, draws, nodes, winners, is_draw, scores, error = cells
    return Row(
        game,
        Ending(ending),
        decisions,
        draws,
        nodes,
        tuple(ord(letter) - ord("A") for letter in winners),
        bool(is_draw),
        None if scores is None else tuple(map(int, scores.split())),
        error,
    )
