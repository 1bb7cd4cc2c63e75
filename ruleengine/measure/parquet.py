"""Rows of a sweep as Parquet.  Needs the extra `parquet`; only this module imports it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ruleengine.measure.store import COLUMNS, Cell


def write_parquet(rows: Iterator[tuple[Cell, ...]], path: Path, about: Mapping[str, str]) -> None:
    """Writes rows, with what they are about in the file's schema."""
    columns = list(zip(*rows, strict=True)) or [() for _ in COLUMNS]
    table = pa.table(dict(zip(COLUMNS, map(list, columns), strict=True)))
    pq.write_table(table.replace_schema_metadata(dict(about)), path, compression="zstd")
