"""Tables laid by hand, and single events on them, without an interpreter."""

from collections.abc import Callable

from attrs import define

from compiler.graph.core import Shape, Value
from ruleengine.knowledge.protocol import Assigned, Event, Moved, Shown, Shuffled, Turned
from ruleengine.statics import BOX
from ruleengine.table import UNRESOLVED, Table
from tests.knowledge.games import Game

NOWHERE = -1
"""A node that no move of a graph has."""


@define(eq=False)
class Scene:
    """A table of a game with one class of cards, whose kinds are written as words."""

    game: Game
    table: Table

    @classmethod
    def of(cls, game: Game, **places: str) -> "Scene":
        """Cards laid face down; `hand_A="1 2"` lays two in `hand[A]`, the rest stays in the box."""
        scene = cls(game, game.machine.statics.new_table())
        for name, words in places.items():
            place = scene.place(name)
            for word in words.split():
                token = scene._free(word)
                scene.table.cells[BOX].remove(token)
                scene.table.cells[place].append(token)
                scene.table.place[token] = place
                scene.table.face[token] = game.graph.places[place].face_up
        return scene

    def place(self, name: str) -> int:
        """`hand_A` is the index of `hand[A]`."""
        zone, _, seat = name.partition("_")
        label = f"{zone}[{seat}]" if seat else zone
        return next(place.index for place in self.game.graph.places if place.label == label)

    def _free(self, word: str) -> int:
        kinds = self.game.graph.classes[0].kinds
        return next(t for t in self.table.cells[BOX] if kinds[self.table.kind[t]].word == word)

    def cards(self, name: str, words: str) -> tuple[int, ...]:
        """The cards of a place with these faces, in this order, twins from the first on."""
        kinds = self.game.graph.classes[0].kinds
        left = list(self.table.cells[self.place(name)])
        found = []
        for word in words.split():
            token = next(t for t in left if kinds[self.table.kind[t]].word == word)
            left.remove(token)
            found.append(token)
        return tuple(found)

    # ---- what can be asked

    def fact(self, observer: int, name: str) -> str:
        """What an observer knows to be among the cards of a place that he cannot name."""
        counts = self.table.facts.get((observer, self.place(name)), [])
        kinds = self.game.graph.classes[0].kinds
        return " ".join(kinds[sort].word for sort, count in enumerate(counts) for _ in range(count))

    def knows(self, name: str) -> list[int]:
        """Per cell of a row, the mask of the observers who can name it without seeing it."""
        return [self.table.knows[token] for token in self.table.cells[self.place(name)]]

    def looked(self, name: str) -> list[int]:
        """Per cell of a row, the mask of the seats that have publicly seen it."""
        return [self.table.looked[token] for token in self.table.cells[self.place(name)]]

    # ---- events

    def move(
        self,
        source: str,
        words: str,
        target: str,
        *,
        face_up: bool | None = None,
        node: int = NOWHERE,
        arranged: bool = False,
        arranger: int | None = None,
    ) -> None:
        """Cards of one place go to another as one block."""
        tokens, place = self.cards(source, words), self.place(target)
        before = self.place(source)
        where = self.game.graph.places[place]
        cells = self.table.cells[before]
        event = Moved(
            node,
            tokens,
            (before,) * len(tokens),
            tuple(cells.index(token) for token in tokens),
            place,
            arranged,
            arranger,
        )

        def carry() -> None:
            for token in tokens:
                self.table.cells[before].remove(token)
                self.table.place[token] = place
                self.table.face[token] = where.face_up if face_up is None else face_up
            reached = self.table.cells[place]
            at = 0 if where.shape is Shape.PILE else len(reached)
            reached[at:at] = tokens

        self.happen(event, carry)

    def turn(self, name: str, words: str, *, up: bool) -> None:
        """Cards are turned where they lie."""
        tokens = self.cards(name, words)

        def turn() -> None:
            for token in tokens:
                self.table.face[token] = up

        self.happen(Turned(NOWHERE, tokens, up), turn)

    def show(self, name: str, words: str, *seats: int) -> None:
        """Faces are shown to seats; to everybody if none is named."""
        mask = sum(1 << seat for seat in seats)
        event = Shown(NOWHERE, self.cards(name, words), mask, not seats)
        self.happen(event, lambda: None)

    def shuffle(self, name: str) -> None:
        """A place is shuffled, and no card of it is seen."""
        place = self.place(name)

        def pour() -> None:
            kinds = self.game.graph.classes[0].kinds
            counts = [0] * len(kinds)
            for token in self.table.cells[place]:
                counts[self.table.kind[token]] += 1
                self.table.kind[token] = UNRESOLVED
                self.table.pool[token] = place
            self.table.pools[place] = counts

        self.happen(Shuffled(NOWHERE, place), pour)

    def assign(self, name: str, value: Value, *places: str) -> None:
        """A variable of the game changes, and with it who sees what lies in places."""
        variables = self.game.graph.variables
        variable = next(variable for variable in variables if variable.name == name)
        slot = self.game.machine.statics.offset(variable)

        def give() -> None:
            self.table.values[slot] = value

        event = Assigned(NOWHERE, slot, value)
        self.happen(event, give, tuple(self.place(place) for place in places))

    def happen(self, event: Event, act: Callable[[], None], places: tuple[int, ...] = ()) -> None:
        """One event with what it does."""
        self.game.knowledge.before(self.table, event, places)
        act()
        self.game.knowledge.after(self.table, event, places)
