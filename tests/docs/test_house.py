"""The house in the documentation is the one that is built."""

import pytest

from tests.conftest import Golden
from tests.docs.house import PACKAGES, floors, page, picture
from tests.docs.reading import ROOT


def test_page(golden: Golden) -> None:
    """The page is what would be written; `--update-golden` writes it."""
    golden.check("../../docs/rooms.md", page())


@pytest.mark.parametrize("package", PACKAGES)
def test_picture(package: str, golden: Golden) -> None:
    """The picture is what would be drawn."""
    golden.check(f"../../docs/pictures/house-{package}.svg", picture(package))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_is_drawn(package: str) -> None:
    """No module is forgotten, and each says what it is."""
    inside = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
    inside |= {path.parent.name for path in (ROOT / package).glob("*/*.py")}
    rooms = [room for floor in floors(package) for room in floor.rooms]

    assert inside - {room.name for room in rooms} == set()
    assert [room.name for room in rooms if not room.says] == []
