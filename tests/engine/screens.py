"""A game at one screen: sessions that are typed at, and what they show."""

import re
from functools import cache
from pathlib import Path

from attrs import define, field

from ruleengine.game import Instance, load
from ruleengine.play.course import Course
from ruleengine.play.session import Session
from ruleengine.play.shelf import ShelfError

TINY = Path(__file__).parents[1] / "knowledge" / "games"
WIDTH = 60

STUCK = """rulebook stuck "Stuck"
    seats 1..1
card number "Numbers"
    value: 1..3
    copies 1
    written value
zone deck: pile of number, face down
zone hand per player: set of number, face down, seen by holder
start
    move all of number to deck
    shuffle deck
    repeat
        for p in players
            p chooses "Take how many?"
                single "One"
                    move top of deck to hand[p]
                double "Two"
                    move top 2 of deck to hand[p]
    until deck is empty
    end draw
"""


@define
class Drawer:
    """A shelf that is a dictionary."""

    texts: dict[str, str] = field(factory=dict)

    def put(self, name: str, text: str) -> None:
        """Keeps a text, unless the name is no good."""
        if "/" in name:
            raise ShelfError(f"{name} cannot be written: there is no such folder")
        self.texts[name] = text

    def get(self, name: str) -> str:
        """A text that was kept."""
        if name not in self.texts:
            raise ShelfError(f"{name} cannot be read: there is no such file")
        return self.texts[name]


@cache
def game(name: str, players: int | None = None) -> Instance:
    """A game by name, compiled once."""
    path = TINY / f"{name}.rules"
    return load(path if path.is_file() else name, players)


def session(name: str, people: str = "A", seed: int = 7, width: int = WIDTH) -> Session:
    """A session at its first question."""
    course = Course.begin(game(name), seed)
    begun = Session.of(course, [ord(seat) - ord("A") for seat in people], Drawer(), width)
    shown(begun)
    return begun


def shown(at: Session) -> str:
    """What is shown until somebody has to type, or until the end."""
    text = ""
    while not at.waits and not at.over:
        text += at.go_on().text
    return text


def typed(at: Session, *lines: str) -> str:
    """What is shown after lines were typed."""
    text = ""
    for line in lines:
        text = at.feed(line).text + shown(at)
    return text


def unnumbered(text: str) -> str:
    """A text without the numbers of lines in specs, which move."""
    return re.sub(r"(\.rules):\d+", r"\1:N", text)
