"""Everything that can be asked about a table on behalf of a seat."""

from collections.abc import Sequence
from typing import Final

from attrs import define, evolve

from compiler.check.disclosure import tellings
from compiler.graph.core import Branch, Choose, Shape
from compiler.types import has_tokens
from ruleengine.errors import RuleError
from ruleengine.game import Instance
from ruleengine.knowledge.hearing import Hearing
from ruleengine.knowledge.protocol import Event, Observer
from ruleengine.knowledge.view import View, Viewer
from ruleengine.knowledge.world import Worlds
from ruleengine.stops import Choice
from ruleengine.table import Table

FACE: Final = ("\x02", "\x03")
"""What faces stand between in logs, so that a log can be cut where one is seen."""


@define(eq=False)
class Onlooker:
    """One game, and what its seats see, hear and can imagine.

    The game has an interpreter of its own, since steps that tell something hidden are watched.
    """

    game: Instance
    hearing: Hearing
    worlds: Worlds
    told: list[int]  # nodes that have told something hidden, as their author confirms
    telling: frozenset[int]

    @classmethod
    def of(cls, game: Instance) -> "Onlooker":
        """That of a game."""
        own = Instance.of(game.compiled)
        machine = own.interpreter
        hearing = _marked(own.hearing)
        worlds = Worlds.of(machine.terms, machine.sight, hearing.viewer)
        telling = frozenset(
            found.node.id for found in tellings(own.graph, game.compiled.lying) if found.confirmed
        )
        onlooker = cls(own, hearing, worlds, [], telling)
        for node in telling:
            if isinstance(own.graph.nodes[node].step, Branch):
                machine.watch(node, lambda table: onlooker.told.append(table.node))
        return onlooker

    @property
    def viewer(self) -> Viewer:
        """Makes views."""
        return self.hearing.viewer

    @property
    def observers(self) -> range:
        """The seats, then the public."""
        return self.hearing.observers

    def view(self, table: Table, seat: int) -> View:
        """What a seat may know."""
        return self.viewer.view(table, seat)

    def options(self, table: Table, choices: Sequence[Choice]) -> tuple[str, ...]:
        """The answers of a seat in words."""
        return self.game.wording.choices(table, choices)

    def drawing(self, table: Table, seat: int) -> tuple[str, ...]:
        """The table as a seat sees it, a line for each place and variable."""
        places = range(len(table.cells))
        lines = [self.hearing.place(table, at, seat) for at in places if table.cells[at]]
        return (*lines, *self.hearing.variables(table, self.hearing.game_slots, seat).values())

    def reason(self, table: Table, choices: Sequence[Choice], seat: int, text: str) -> str:
        """Why an answer is legal or not, or what is said of it that goes wrong."""
        try:
            return str(self.game.answers.why(table, choices, seat, text))
        except RuleError as error:
            return f"error: {error}"

    def names(self, node: int) -> tuple[str, ...]:
        """The bare names of all options of a decision, and one that nobody offers."""
        step = self.game.graph.nodes[node].step
        offered = step.options if isinstance(step, Choose) else ()
        return (*(option.name for option in offered), "decline", "nonsense")

    def sides(self, here: Table, there: Table) -> tuple[tuple[str, str, str], ...]:
        """What is really different between two tables: the place, variable or die, and both."""
        words = self.hearing.words
        found = []
        for place in range(len(here.cells)):
            one, other = self._truth(here, place), self._truth(there, place)
            if one != other:
                found.append((words.place(place), one, other))
        for slot in self.viewer.references.live(here):
            values = here.values[slot], there.values[slot]
            plain_ = slot in self.hearing.game_slots and not has_tokens(words.type(slot))
            if plain_ and values[0] != values[1]:
                one, other = (words.value(words.type(slot), value) for value in values)
                found.append((words.slot(slot), one, other))
        return tuple(found)

    def _truth(self, table: Table, place: int) -> str:
        statics, words = self.game.interpreter.statics, self.hearing.words
        faces = [
            plain(words.sort(statics.token_class[token], statics.sort(table, token)))
            if table.kind[token] >= 0
            else "?"
            for token in table.cells[place]
        ]
        if statics.graph.places[place].shape is Shape.SET:
            faces.sort()
        return ", ".join(faces) or "empty"


def plain(text: str) -> str:
    """A text without the marks around faces."""
    return text.replace(FACE[0], "").replace(FACE[1], "")


def _marked(hearing: Hearing) -> Hearing:
    """The same words, but with marks around faces."""
    sorts = tuple(
        tuple(
            f"{FACE[0]}{hearing.words.sort(at, sort)}{FACE[1]}"
            for sort in range(hearing.statics.sorts(at))
        )
        for at in range(len(hearing.statics.graph.classes))
    )
    words = evolve(hearing.words, sorts=sorts)
    return evolve(hearing, words=words, viewer=evolve(hearing.viewer, words=words))


@define(eq=False)
class UntilTold:
    """Passes events on until a step tells something hidden, as its author confirms."""

    onlooker: Onlooker
    inner: Observer
    closed: bool = False

    def before(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event is about to happen."""
        self.closed = self.closed or bool(self.onlooker.told)
        self.closed = self.closed or event.node in self.onlooker.telling
        if not self.closed:
            self.inner.before(table, event, places)

    def after(self, table: Table, event: Event, places: tuple[int, ...]) -> None:
        """The event has happened."""
        if not self.closed:
            self.inner.after(table, event, places)
