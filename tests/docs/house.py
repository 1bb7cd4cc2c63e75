"""The house as it is drawn in the documentation: floors and rooms, from the contract on layers.

`lint-imports` holds the code to the contract; what is drawn from it is therefore so.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from attrs import frozen

from tests.docs.reading import ROOT

PACKAGES: Final = {
    "compiler": "The compiler: to it games are data",
    "ruleengine": "The engine: runs what the compiler made",
}
_CONTRACT: Final = ROOT / "pyproject.toml"
_WIDTH: Final = 780
_LETTER: Final = 7.4
_BOX: Final = 26
_GAP: Final = 8
_STYLE: Final = (
    "text{font:13px ui-monospace,monospace;fill:#222}"
    ".floor{fill:#f4f4f0;stroke:#bbb}.room{fill:#fff;stroke:#567}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}"
    ".floor{fill:#24272b;stroke:#555}.room{fill:#30353b;stroke:#9ab}}"
)


@frozen
class Room:
    """A module or package on a floor, and the first sentence that it says of itself."""

    name: str
    says: str


@frozen
class Floor:
    """Rooms side by side; `open` if they may look into one another."""

    rooms: tuple[Room, ...]
    open: bool


def floors(package: str) -> tuple[Floor, ...]:
    """The floors of a package from the roof down, without rooms that are not built."""
    contracts = tomllib.loads(_CONTRACT.read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (
        contract["layers"]
        for contract in contracts["contracts"]
        if contract.get("containers") == [package]
    )
    found = []
    for layer in layers:
        names = re.findall(r"\w+", layer)
        rooms = tuple(room for name in names if (room := _room(package, name)) is not None)
        if rooms:
            found.append(Floor(rooms, ":" in layer))
    return tuple(found)


def _room(package: str, name: str) -> Room | None:
    folder, module = ROOT / package / name / "__init__.py", ROOT / package / f"{name}.py"
    path = folder if folder.is_file() else module
    if not path.is_file():
        return None
    says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = " ".join(says.split("\n\n")[0].split())
    return Room(name, re.split(r"(?<=[.!?])\s", first)[0])


# ---- the page


def page() -> str:
    """The page of all rooms."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Rooms\n"
    yield "Written from the contract in `pyproject.toml` that `lint-imports` proves, and from what"
    yield "each room says of itself.  A room imports only from floors below its own.\n"
    for package, title in PACKAGES.items():
        yield f"## {title}\n"
        yield f"![The floors of `{package}`](pictures/house-{package}.svg)\n"
        yield "| room | what it is |"
        yield "| --- | --- |"
        for floor in floors(package):
            for room in floor.rooms:
                yield f"| `{room.name}` | {room.says.replace('|', chr(92) + '|')} |"
        yield ""


# ---- the picture


def picture(package: str) -> str:
    """The floors of a package, drawn: the roof on top."""
    top, body = _GAP, []
    for floor in floors(package):
        rows = _rows(floor.rooms)
        height = len(rows) * (_BOX + _GAP) + _GAP
        body.append(
            f'<rect class="floor" x="1" y="{top}" width="{_WIDTH - 2}" height="{height}" rx="5"/>'
        )
        for at, row in enumerate(rows):
            body += _drawn(row, top + _GAP + at * (_BOX + _GAP), floor.open)
        top += height + 4
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top + _GAP}" role="img">'
    )
    title = f"<title>The floors of {package}: a room imports only from floors below</title>"
    return "\n".join((head, title, f"<style>{_STYLE}</style>", *body, "</svg>", ""))


def _wide(room: Room) -> int:
    return round(len(room.name) * _LETTER) + 20


def _rows(rooms: Sequence[Room]) -> list[list[Room]]:
    """The rooms of a floor in as many rows as they need."""
    rows: list[list[Room]] = [[]]
    used = 0
    for room in rooms:
        if rows[-1] and used + _wide(room) + _GAP > _WIDTH - 4 * _GAP:
            rows.append([])
            used = 0
        rows[-1].append(room)
        used += _wide(room) + _GAP
    return rows


def _drawn(rooms: Sequence[Room], top: int, opened: bool) -> Iterator[str]:
    """A row of rooms, in the middle; doors between those that may look into one another."""
    left = (_WIDTH - sum(map(_wide, rooms)) - _GAP * (len(rooms) - 1)) // 2
    for at, room in enumerate(rooms):
        wide = _wide(room)
        if opened and at:
            yield f'<path class="room" d="M{left - _GAP} {top + _BOX // 2}h{_GAP}"/>'
        yield (
            f'<g><title>{escape(room.says)}</title><rect class="room" x="{left}" y="{top}" '
            f'width="{wide}" height="{_BOX}" rx="4"/><text x="{left + wide // 2}" y="{top + 17}" '
            f'text-anchor="middle">{escape(room.name)}</text></g>'
        )
        left += wide + _GAP
