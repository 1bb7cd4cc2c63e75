"""What games came to, added up: of one configuration or many, in this run or an earlier one."""

import json
from collections.abc import Mapping
from typing import Final, Self

from attrs import frozen

from ruleengine.coverage.points import CHOSEN, Meaning, Point, Sort

VERSION: Final = 1
_TITLE: Final = "rulewright coverage"


class UnreadableLedger(ValueError):
    """A text that is no ledger, or one of other rules."""


@frozen
class Share:
    """How many of some things were come to."""

    reached: int
    total: int

    @property
    def part(self) -> float:
        """From 0 to 1; 1 if there are none."""
        return self.reached / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.reached} of {self.total}"


@frozen
class Coverage:
    """The points of a spec, and how often those that were come to were."""

    meanings: Mapping[Point, Meaning]
    counts: Mapping[Point, int]

    @classmethod
    def nothing(cls) -> Self:
        """No points at all."""
        return cls({}, {})

    def __add__(self, other: "Coverage") -> "Coverage":
        counts = dict(self.counts)
        for point, count in other.counts.items():
            counts[point] = counts.get(point, 0) + count
        meanings = dict(self.meanings)
        for point, meaning in other.meanings.items():
            known = meanings.get(point)
            if known is not None and known.clauses != meaning.clauses:
                cited = tuple(dict.fromkeys((*known.clauses, *meaning.clauses)))
                meaning = Meaning(known.words, known.phase, cited)
            meanings[point] = meaning
        return Coverage(meanings, counts)

    def times(self, point: Point) -> int:
        """How often a point was come to."""
        return self.counts.get(point, 0)

    @property
    def unreached(self) -> tuple[Point, ...]:
        """The points that were never come to, in the order of the text."""
        return tuple(sorted(point for point in self.meanings if not self.counts.get(point)))

    def share(self, sort: Sort) -> Share:
        """How many points of a sort were come to; of options, how many were chosen."""
        points = [
            point
            for point in self.meanings
            if point.sort is sort and (sort is not Sort.OPTION or point.how == CHOSEN)
        ]
        return Share(sum(1 for point in points if self.counts.get(point)), len(points))

    @property
    def clauses(self) -> Mapping[str, int]:
        """How often each clause was made to happen, by any of the rules that cite it."""
        found: dict[str, int] = {}
        for point, meaning in self.meanings.items():
            for clause in meaning.clauses:
                found[clause] = found.get(clause, 0) + self.counts.get(point, 0)
        return found


# ---- kept in files


def ledger_text(coverage: Coverage, spec: str, digest: str) -> str:
    """A coverage as a file holds it; `digest` names the text of the rules."""
    points = [
        {
            "file": point.file,
            "line": point.line,
            "column": point.column,
            "sort": point.sort.value,
            "name": point.name,
            "how": point.how,
            "count": coverage.times(point),
            "words": meaning.words,
            "phase": meaning.phase,
            "clauses": list(meaning.clauses),
        }
        for point, meaning in sorted(coverage.meanings.items(), key=lambda item: item[0])
    ]
    document = {"title": _TITLE, "version": VERSION, "spec": spec, "hash": digest, "points": points}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def read_ledger(text: str, digest: str) -> Coverage:
    """The coverage that a text holds; `UnreadableLedger` if none, or of rules with another text."""
    try:
        document = json.loads(text)
        if document["title"] != _TITLE or document["version"] != VERSION:
            raise UnreadableLedger(f"this is no {_TITLE} of version {VERSION}")
        points = document["points"]
        said = document["hash"]
        meanings, counts = {}, {}
        for entry in points:
            where = entry["file"], entry["line"], entry["column"]
            point = Point(*where, Sort(entry["sort"]), entry["name"], entry["how"])
            cited = tuple(entry["clauses"])
            meanings[point] = Meaning(entry["words"], entry["phase"], cited)
            if entry["count"]:
                counts[point] = int(entry["count"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, UnreadableLedger):
            raise
        raise UnreadableLedger(f"this is no {_TITLE}") from error
    if said != digest:
        raise UnreadableLedger("it was written for rules with another text")
    return Coverage(meanings, counts)
