"""The legal answers of a seat as they are shown: numbered, in plain words, grouped by option."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from compiler.graph.core import Choose, DomainMode, Option
from compiler.graph.naming import spoken
from ruleengine.game import Instance
from ruleengine.play.lines import GAP, Line, Look, columns, paragraph
from ruleengine.play.matching import Answerable, Words, meant, words_of
from ruleengine.play.names import Names
from ruleengine.play.spoken import Spoken
from ruleengine.play.telling import ANONYMOUS
from ruleengine.stops import Choice
from ruleengine.table import Table
from ruleengine.wording import DECLINE

MOST_LINES: Final = 40
"""Lines of options that are shown unless all are asked for."""

_EASY: Final = 12  # sets among which one is found by looking


@frozen
class Offer:
    """A legal answer: what to type for it, and what it is called.

    `words` are those of a record, `said` is what people say behind the option's name.
    """

    number: str
    choice: Choice
    words: str
    said: str
    answerable: Answerable


@frozen
class Group:
    """The answers of one option, or the decline."""

    title: str
    name: str
    offers: tuple[Offer, ...]

    @property
    def unordered(self) -> bool:
        """Whether each answer is a set."""
        return all(offer.answerable.unordered for offer in self.offers)


@frozen
class Offers:
    """All answers of a seat, in canonical order, by option."""

    groups: tuple[Group, ...]

    @classmethod
    def of(cls, game: Instance, table: Table, choices: Sequence[Choice]) -> "Offers":
        """Those of a decision."""
        written = game.wording.choices(table, choices)
        options = [game.wording.option(choice) for choice in choices]
        behind = [_behind(option, words) for option, words in zip(options, written, strict=True)]
        said = _spoken(game, table, choices, behind)
        numbers = _numbers(options, said)
        groups: dict[int | None, list[Offer]] = {}
        for choice, option, words, as_written, told, number in zip(
            choices, options, written, behind, said, numbers, strict=True
        ):
            answer = answerable(option, words, as_written, told)
            offer = Offer(number, choice, words, told, answer)
            groups.setdefault(choice.option, []).append(offer)
        return cls(
            tuple(
                Group(*_head(game.wording.option(offers[0].choice)), tuple(offers))
                for offers in groups.values()
            )
        )

    def __iter__(self) -> Iterator[Offer]:
        for group in self.groups:
            yield from group.offers

    def meant(self, typed: str) -> tuple[Offer, ...]:
        """The answers that are meant by a number or by words: one, several, or none."""
        offers = tuple(self)
        numbered = [offer for offer in offers if offer.number == typed.strip()]
        if numbered:
            return (numbered[0],)
        found = meant(typed, [offer.answerable for offer in offers])
        return tuple(offers[at] for at in found)

    def lines(self, width: int, most: int | None = MOST_LINES) -> tuple[Line, ...]:
        """The answers as they are shown, at most so many lines of them."""
        wide = max((len(offer.number) for offer in self), default=1) + 2
        found: list[str] = []
        for group in self.groups:
            found += _group_lines(group, width, wide)
        shown = [Line(text, Look.OPTION) for text in found[:most]]
        blanks = " " * (wide + GAP)
        notes = [f"and more: `options` lists all {len(tuple(self))}"] * (len(shown) < len(found))
        notes += self._hints()
        told = (text for note in notes for text in paragraph(note, width, blanks, blanks))
        return (*shown, *(Line(text, Look.NOTE) for text in told))

    def _hints(self) -> Iterator[str]:
        """How to choose a set among many without looking for its number."""
        for group in self.groups:
            if len(group.offers) > _EASY and group.unordered:
                name = "" if group.name == ANONYMOUS else f"{group.name} "
                example = group.offers[0].said.replace(",", "")
                yield f"or type the names, in any order, as in `{name}{example}`"


def answerable(option: Option | None, words: str, *said: str) -> Answerable:
    """The ways to write an answer: as in a record, by its title, or by its values alone.

    `said` are the ways to say its values; a single word of them is not enough where options have
    names.
    """
    ways: list[Words] = [words_of(words)]
    for behind in map(words_of, dict.fromkeys(said) if option is not None else ()):
        heads = [words_of(option.title), words_of(option.name)] if option else []
        ways += [(*head, *behind) for head in heads if head]
        ways += [(head[0], *behind) for head in heads if head]
        if option and (len(behind) > 1 or (behind and option.name == ANONYMOUS)):
            ways.append(behind)
    slots = () if option is None else option.slots
    unordered = any(slot.domain.mode is DomainMode.SUBSETS for slot in slots)
    return Answerable(tuple(ways), unordered)


def option_named(step: Choose, typed: str) -> tuple[Option, ...]:
    """The options of a decision whose name or title begins as what was typed does."""
    wanted = words_of(typed)
    for fits in (_names_it, _begins_it):
        found = tuple(option for option in step.options if fits(wanted, option))
        if found:
            return found
    return tuple(option for option in step.options if mentions(typed, option))


def mentions(typed: str, option: Option) -> bool:
    """Whether a title has all the words that were typed."""
    wanted = words_of(typed)
    return bool(wanted) and set(wanted) <= set(words_of(option.title))


def _names_it(wanted: Words, option: Option) -> bool:
    name = words_of(option.name)
    return wanted[: len(name)] == name


def _begins_it(wanted: Words, option: Option) -> bool:
    names = (words_of(option.name), words_of(option.title))
    return bool(wanted) and any(name and name[0].startswith(wanted[0]) for name in names)


def _spoken(
    game: Instance, table: Table, choices: Sequence[Choice], behind: Sequence[str]
) -> list[str]:
    """What people say behind the options' names; what a record has where that is not enough."""
    statics = game.interpreter.statics
    spoken = Spoken.of(game.wording, Names.of(statics, game.hearing.words), table, choices)
    said = [spoken.behind(choice) for choice in choices]
    heard = Counter((choice.option, words) for choice, words in zip(choices, said, strict=True))
    return [
        words if heard[choice.option, words] == 1 else exact
        for choice, words, exact in zip(choices, said, behind, strict=True)
    ]


def _behind(option: Option | None, words: str) -> str:
    """What a record has behind an option's name; nothing for one without slots."""
    if option is None or not option.slots:
        return words.removeprefix(DECLINE if option is None else option.name).strip()
    return words.removeprefix(option.name).strip()


def _numbers(options: Sequence[Option | None], said: Sequence[str]) -> list[str]:
    """What to type for each answer: its place in the list, or the number that it is about.

    Where every answer is a number, counting them would give two meanings to what is typed.
    """
    anonymous = all(option is not None and option.name == ANONYMOUS for option in options)
    if anonymous and len(set(said)) == len(said) and all(map(_is_number, said)):
        return list(said)
    return [str(at) for at in range(1, len(said) + 1)]


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


def _head(option: Option | None) -> tuple[str, str]:
    if option is None:
        return "Decline", DECLINE
    if option.name == ANONYMOUS:
        return "", ANONYMOUS
    return option.title or spoken(option.name), option.name


def _group_lines(group: Group, width: int, wide: int) -> list[str]:
    """One line for a single answer, else the option and its answers below it."""
    title = _titled(group)
    if len(group.offers) == 1:
        offer = group.offers[0]
        label = _label(offer.number, wide)
        said = _titled(group, offer.said)
        return paragraph(said, width, label, " " * len(label))
    head = paragraph(title, width, " " * (wide + GAP), " " * (wide + GAP)) if title else []
    if group.name == ANONYMOUS and all(offer.number == offer.said for offer in group.offers):
        cells = [_label(offer.number, wide).rstrip() for offer in group.offers]
    else:
        cells = [
            f"{_label(offer.number, wide)}{_inset(group)}{offer.said}" for offer in group.offers
        ]
    return [*head, *_cells(cells, width)]


def _inset(group: Group) -> str:
    """What stands between an answer's number and what it is called.

    Numbers bear the option's name: `4  bid 7` cannot be taken for an answer called 4.
    """
    if group.name == ANONYMOUS:
        return ""
    plain_numbers = all(_is_number(offer.said) for offer in group.offers)
    return f"{group.name} " if plain_numbers else " " * GAP


def _titled(group: Group, said: str = "") -> str:
    """An option's title, an answer to it, and the word for it: `Pass both: to B (hand_on)`."""
    if group.name == ANONYMOUS:
        return said
    same = words_of(group.title) == words_of(group.name)
    word = "" if same else f" ({group.name})"
    title = group.name if same else group.title
    return f"{title}{f': {said}' if said else ''}{word}"


def _label(number: str, wide: int) -> str:
    return f"{number.rjust(wide)}{' ' * GAP}"


def _cells(cells: Sequence[str], width: int) -> list[str]:
    longest = max(map(len, cells))
    if longest > width:
        return [line for cell in cells for line in paragraph(cell.strip(), width, "  ", "    ")]
    if len(cells) <= 6:
        return list(cells)
    return columns(cells, width, 0)
