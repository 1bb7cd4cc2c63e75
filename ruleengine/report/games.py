"""A game move by move, with a switch for whose eyes one looks through.

Of a short game the whole table is told after every move; of a long one what is new on it, and the
whole table at the beginning of each part.
What is the same to everybody is written once; what is not, once for each group of viewers that it
is the same to.  The switch is made of radio buttons and style sheets: it works without scripts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final

from attrs import frozen

from compiler.graph.core import Clauses
from compiler.graph.values import seat_text
from compiler.markup import Markup, classes, joined, tag
from compiler.pipeline import Spec
from ruleengine.game import load
from ruleengine.match import Ending
from ruleengine.report.chapter import Places, counted
from ruleengine.report.story import SET_UP, THE_END, Line, Moment, Story, play
from ruleengine.showing import Row, member, rows

REFEREE: Final = "R"
_PART: Final = 20  # moves that are folded up together
_LINES: Final = 8  # lines of one move that are shown at once
_LONG: Final = 200  # moves of a game of which the whole table is told only once in a part

_NOTHING: Final = "\N{EN DASH}"
_SIGNS: Final = (
    ("Q", "lies open"),
    ("(Q)", "lies face down, and this seat sees it"),
    ("[Q]", "lies face down; the seat does not see it, but knows it"),
    ("?", "is unknown"),
)


@frozen(eq=False)
class _Telling:
    """One game being told: whose eyes there are, and the signs on what only some see."""

    places: Places
    story: Story

    @property
    def viewers(self) -> tuple[str, ...]:
        """A letter for each seat, then the referee's."""
        return (*(seat_text(seat) for seat in range(self.story.game.seats)), REFEREE)

    @property
    def is_short(self) -> bool:
        """Whether the whole table is told after every move."""
        return len(self.story.moments) <= _LONG

    def only(self, who: Sequence[int]) -> str | None:
        """The classes of what these viewers are shown; none if it is all of them."""
        names = self.viewers
        if len(who) == len(names):
            return None
        return classes("w", *(f"w{names[at]}" for at in who))

    def each(self, contents: Sequence[Markup]) -> Iterator[tuple[str | None, Markup]]:
        """The contents for every viewer, equal ones once with the classes of who is shown them."""
        groups: dict[Markup, list[int]] = {}
        for at, content in enumerate(contents):
            groups.setdefault(content, []).append(at)
        for content, who in groups.items():
            if content:
                yield self.only(who), content


@frozen
class Games:
    """The games of a rulebook as they will stand on a page, and how many moves they have."""

    markup: Markup
    moves: int


def retold(spec: Spec, seed: int, numbers: Sequence[int]) -> Games:
    """Games of a run, each played again and told; `RefusedSpec` if none can be played."""
    places, game = Places.of(spec), load(spec)
    stories = [play(game, seed, number) for number in numbers]
    return Games(
        joined(_game(_Telling(places, story)) for story in stories),
        sum(len(story.record.steps) for story in stories),
    )


def eyes(seats: int) -> str:
    """CSS by which a game shows what the chosen viewer is shown."""
    names = (*(seat_text(seat) for seat in range(seats)), REFEREE)
    return "".join(
        f"div.game:has(input[value={name}]:checked) .w:not(.w{name}){{display:none}}"
        for name in names
    )


def _game(telling: _Telling) -> Markup:
    story = telling.story
    parts = _parts(telling)
    return tag(
        "div",
        _intro(story),
        None if story.open else _switch(telling),
        parts,
        tag(
            "details",
            tag("summary", "The record of this game, to replay it"),
            tag("pre", str(story.record), tabindex=0),
        ),
        class_="game rw",
        id=telling.places.place(f"game-{story.number}"),
    )


def _intro(story: Story) -> Markup:
    match = story.match
    ended = {
        Ending.FINISHED: f"{story.record.result}.",
        Ending.NODE_LIMIT: "It was broken off at the limit of steps.",
        Ending.RULE_ERROR: f"A rule broke: {match.error}",
    }[match.ending]
    words = (
        f"{counted(story.game.seats, 'player')} at random, seed {story.seed}, game {story.number}: "
        f"{counted(match.decisions, 'decision')}, {counted(match.draws, 'draw')} of chance. "
    )
    hidden = " Nothing is hidden in this game: every seat knew the whole table at every move."
    return tag("p", words, tag("strong", ended), hidden if story.open else None)


def _switch(telling: _Telling) -> Markup:
    """Whose eyes one looks through."""
    group = telling.places.place(f"eyes-{telling.story.number}")
    names = telling.viewers

    def button(name: str) -> Markup:
        label = "Referee" if name == REFEREE else name
        field = tag("input", type="radio", name=group, value=name, checked=name == REFEREE)
        return tag("label", field, tag("span", label))

    return joined(
        tag(
            "fieldset",
            tag("legend", "Seen by"),
            tag("div", map(button, (REFEREE, *names[:-1])), class_="eyes"),
            class_="eyes-of",
        ),
        tag(
            "p",
            "A seat’s side is made from its own view and from what it heard, never from the "
            "referee’s table. ",
            [joined(tag("b", sign), f" {means}; ") for sign, means in _SIGNS],
            "small letters name the seats that know a hidden card, for the referee only.",
            class_="told",
        ),
    )


# ---- moves


def _parts(telling: _Telling) -> Iterator[Markup]:
    """The moves, folded up in parts; the first part is open."""
    items = list(_moves(telling))
    for first in range(0, len(items), _PART):
        part = items[first : first + _PART]
        last = first + len(part) - 1
        yield tag(
            "details",
            tag("summary", f"Moves {first} to {last}" if last > first else f"Move {first}"),
            tag("ol", part, class_="moves", start=first),
            open=first == 0,
        )


def _moves(telling: _Telling) -> Iterator[Markup]:
    moments = telling.story.moments
    tables = [_contents(moment) for moment in moments]
    for number, (before, now) in enumerate(pairwise([tables[0], *tables])):
        yield _move(telling, number, before, now)


_Contents = tuple[Mapping[str, Row], ...]
"""For each viewer the rows of his table by what they are about."""
_NO_ROW: Final = Row("", {})


def _contents(moment: Moment) -> _Contents:
    return tuple({row.about: row for row in rows(known)} for known in moment.tables)


def _move(telling: _Telling, number: int, before: _Contents, now: _Contents) -> Markup:
    """A move with what followed; hidden from those who notice nothing of it."""
    moment = telling.story.moments[number]
    lines = _together(moment.lines)
    noticed = [
        at
        for at in range(len(now))
        if moment.words[at] or now[at] != before[at] or any(line.words[at] for line, _ in lines)
    ]
    everybody = not noticed or number == 0
    return tag(
        "li",
        _head(telling, moment),
        _lines(telling, lines),
        _settled(telling, moment),
        _table(telling, before, now, telling.is_short or number % _PART == 0),
        id=telling.places.place(f"game-{telling.story.number}-{number}"),
        data_n=number,
        class_=None if everybody else telling.only(noticed),
    )


def _head(telling: _Telling, moment: Moment) -> Markup:
    """Who moved, and how."""
    who, look = "chance", "chance"
    if moment.seat is not None:
        who, look = seat_text(moment.seat), f"p{moment.seat % 6}"
    if moment.title in (SET_UP, THE_END):
        who = ""
    look_of = "code" if moment.title else "strong"
    words = [tag(look_of, words) if words else Markup() for words in moment.words]
    answers = [tag("code", answer) if answer else Markup() for answer in moment.answers]
    return tag(
        "div",
        tag("span", who, class_=f"who {look}") if who else None,
        tag("strong", moment.title) if moment.title else None,
        (tag("span", content, class_=only) for only, content in telling.each(words)),
        (tag("span", content, class_=only) for only, content in telling.each(answers)),
        _cites(telling, moment.clauses) if moment.clauses else None,
        class_="head",
    )


def _together(lines: Iterable[Line]) -> list[tuple[Line, int]]:
    """Lines with how often they follow each other."""
    return [(line, len(list(run))) for line, run in groupby(lines)]


def _lines(telling: _Telling, lines: list[tuple[Line, int]]) -> Markup | None:
    """What followed a move; of many lines the last are folded up."""
    if not lines:
        return None
    items = [_line(telling, line, times) for line, times in lines]
    shown, rest = items[:_LINES], items[_LINES:]
    if len(rest) < 3:
        return tag("ul", items, class_="then")
    more = tag("details", tag("summary", f"and {len(rest)} more"), tag("ul", rest, class_="then"))
    return joined(tag("ul", shown, class_="then"), more)


def _line(telling: _Telling, line: Line, times: int) -> Markup:
    often = f" (×{times})" if times > 1 else ""
    words = [joined(said + often) if said else Markup() for said in line.words]
    heard = [at for at, said in enumerate(line.words) if said]
    return tag(
        "li",
        tag("span", f"{line.title}: ", class_="step") if line.title else None,
        (
            tag("span", content, class_=only) if only else content
            for only, content in telling.each(words)
        ),
        (" ", _cites(telling, line.clauses)) if line.clauses else None,
        class_=classes(telling.only(heard), "minor" if line.minor else ""),
    )


def _cites(telling: _Telling, ids: Clauses) -> Markup:
    return tag("span", telling.places.chips(ids), class_="at")


def _settled(telling: _Telling, moment: Moment) -> Markup | None:
    """What chance settled unseen, for the referee."""
    if not moment.settled:
        return None
    referee = telling.only([len(telling.viewers) - 1])
    words = f"Chance settled: {', '.join(moment.settled)}."
    return tag("p", words, class_=classes("settled", referee))


# ---- the table


def _table(telling: _Telling, before: _Contents, now: _Contents, whole: bool) -> Markup | None:
    """The table after a move, folded up, or only what differs from before; that is marked."""
    abouts = dict.fromkeys(about for contents in (*now, *before) for about in contents)
    body = [row for about in abouts for row in _row(telling, about, before, now, whole)]
    if not body:
        return None
    return tag(
        "details",
        tag("summary", _title(telling, whole)),
        tag("table", tag("tbody", body), class_="rows"),
        class_="table",
    )


def _title(telling: _Telling, whole: bool) -> Markup:
    """What the rows below are, for each viewer."""
    if not whole:
        return joined("What is new on the table")
    if telling.story.open:
        return joined("The table now")
    names = telling.viewers
    titles = [
        joined("The table as the referee has it" if name == REFEREE else f"What {name} knows now")
        for name in names
    ]
    return joined(tag("span", title, class_=only) for only, title in telling.each(titles))


def _row(
    telling: _Telling, about: str, before: _Contents, now: _Contents, whole: bool
) -> Iterator[Markup]:
    """One row for each group of viewers it is the same to.

    Where only what is new is shown, variables are not: what followed the move tells them.
    """

    def content(at: int) -> Markup:
        was, there = before[at].get(about, _NO_ROW), now[at].get(about, _NO_ROW)
        if not whole and (was.variable or there.variable):
            return Markup()
        shown = there.members if whole else dict(_news(was.members, there.members))
        if not shown:
            return Markup()
        new = whole and there.members != was.members
        head = tag("th", about, scope="row", class_="new" if new else None)
        return joined(head, tag("td", shown.values()))

    for only, cells in telling.each([content(at) for at in range(len(now))]):
        yield tag("tr", cells, class_=only)


def _news(was: Mapping[str, Markup], there: Mapping[str, Markup]) -> Iterator[tuple[str, Markup]]:
    """The members that differ from before; a dash where nothing is any more."""
    for keys, content in there.items():
        if was.get(keys) != content:
            yield keys, content
    for keys in was:
        if keys not in there:
            yield keys, member([keys] if keys else [], _NOTHING)
