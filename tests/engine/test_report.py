"""The page about rulebooks: whole, closed in itself, and tight: a seat is told what it may know."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from html.parser import HTMLParser
from importlib.resources import files
from xml.etree import ElementTree

import pytest
from attrs import define, evolve, field

from compiler.diagnostic import Report
from compiler.flowchart.looks import LOOKS
from compiler.flowchart.model import Kind
from compiler.flowchart.night import GROUND, LEGIBLE, contrast, dark, ink
from compiler.markup import VOID
from compiler.pipeline import Spec, compile_sources
from compiler.source import SourceFile
from ruleengine.game import Instance, load
from ruleengine.knowledge.known import Card, Known, Teller
from ruleengine.knowledge.log import Log, Observers, information_state
from ruleengine.knowledge.tape import Drawn
from ruleengine.knowledge.view import View
from ruleengine.knowledge.world import Worlds
from ruleengine.match import Playing, random_players
from ruleengine.record import Play, replay
from ruleengine.report.page import report
from ruleengine.report.story import Story, play
from ruleengine.rng import CHANCE, stream
from ruleengine.showing import rows
from ruleengine.stops import Decision, Terminal
from tests.specs.shipped import spec

SEED = 7
GAMES = ("klink", "kuhn")
INKS = ("ink", "faint", "accent", "good", "bad", "keyword", "string", "number", "code", "comment")
GROUNDS = ("paper", "raised", "sunk")
SEEN_AGAIN = 40  # stops of a game at which worlds are dealt
SELF_CLOSED = frozenset({"path", "polygon", "ellipse", "polyline"})

HOSTILE = """rulebook tricky "<script>alert('1')</script> & more"
    clauses "clauses.md"
    seats 1..1                                                          @TR-1
card card "</style><b>"
    value: 1..2
    written value
zone deck: pile of card, face down
start
    "<img src=x onerror=alert(2)>"                                      @TR-1
        move all of card to deck
        shuffle deck
    first(players) chooses "<i>Which?</i>"
        go "</script><u>Go</u>"
            end draw
        stay "&amp;"
            end draw
"""
CLAUSES = """## <b>1</b>

| id | kind | text |
| --- | --- | --- |
| TR-1 | M | One & <script>alert(3)</script> plays `</pre>`. |

## Rulings

| id | clauses | question | readings |
| --- | --- | --- | --- |
| TR-R1 | TR-1 | <u>Why?</u> "Because" | <i>so</i> (default) |
"""


@define
class Element:
    """An element of a page: its attributes, its parts in order, the element around it."""

    name: str
    settings: dict[str, str | None]
    around: "Element | None" = field(repr=False)
    parts: list["Element | str"] = field(factory=list, repr=False)

    @property
    def text(self) -> str:
        """All words in it."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return (self.settings.get("class") or "").split()

    def all(self) -> Iterator["Element"]:
        """It and all below it."""
        yield self
        for part in self.parts:
            if isinstance(part, Element):
                yield from part.all()

    def shown(self, viewer: str) -> str:
        """The words that a viewer of a game is shown."""
        words = ""
        for part in self.parts:
            if isinstance(part, str):
                words += part
            elif "w" not in part.classes or f"w{viewer}" in part.classes:
                words += part.shown(viewer)
        return words


class Page(HTMLParser):
    """A page read strictly: every element is closed where it must be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Element("", {}, None)
        self._now = self.root
        self.feed(text)
        self.close()
        assert self._now is self.root, f"<{self._now.name}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        assert len(dict(attrs)) == len(attrs), f"<{tag}> says an attribute twice"
        element = Element(tag, dict(attrs), self._now)
        self._now.parts.append(element)
        if tag not in VOID:
            self._now = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only drawings have elements that close themselves."""
        assert tag in SELF_CLOSED
        self._now.parts.append(Element(tag, dict(attrs), self._now))

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        assert self._now.name == tag, f"</{tag}> closes <{self._now.name}>"
        assert self._now.around is not None
        self._now = self._now.around

    def handle_data(self, data: str) -> None:
        """Words."""
        self._now.parts.append(data)

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Every element, in order."""
        return tuple(self.root.all())

    def at(self, place: str) -> Element:
        """The element with that id."""
        return next(each for each in self.elements if each.settings.get("id") == place)


def untold(name: str) -> Spec:
    """A shipped spec without the scenarios in files of their own, which take their time."""
    return evolve(spec(name), sources=evolve(spec(name).sources, scenarios=()))


@cache
def text() -> str:
    """A page about a game with hidden cards and a table of clauses, and one with neither many."""
    return report([untold(name) for name in GAMES], seed=SEED)


@cache
def page() -> Page:
    """The same, read."""
    return Page(text())


@cache
def story(name: str) -> Story:
    """The game that the page tells."""
    return play(load(untold(name)), SEED)


@cache
def hostile() -> Spec:
    """A rulebook whose words look like markup."""
    sources = evolve(
        spec("kuhn").sources,
        base=SourceFile("tricky.rules", HOSTILE),
        catalogue=SourceFile("clauses.md", CLAUSES),
    )
    found = compile_sources(sources)
    assert not isinstance(found, Report), [each.message for each in found]
    return found


# ---- the page as a page


def test_page_is_well_formed() -> None:
    """Every element is closed, and a link leads to something on the page, which is there once."""
    places = [each.settings["id"] for each in page().elements if "id" in each.settings]
    links = {each.settings["href"] for each in page().elements if "href" in each.settings}

    assert len(places) == len(set(places))
    assert {f"#{place}" for place in places} >= links


def test_page_needs_no_network() -> None:
    """Nothing on it is fetched from anywhere: no address stands in it but the name of SVG."""
    loose = text().replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/", "")

    assert "://" not in loose
    assert "@import" not in loose
    assert "url(" not in loose
    assert not [each for each in page().elements if {"src", "srcset", "data"} & set(each.settings)]


def test_every_clause_has_its_place() -> None:
    """Whatever may be cited stands on the page under its own id, with its text."""
    catalogue = spec("klink").catalogue
    assert catalogue is not None
    for entry in catalogue:
        words = entry.text if hasattr(entry, "kind") else entry.id
        assert words.replace("`", "") in page().at(f"klink-{entry.id}").text


def test_clause_shows_its_lines() -> None:
    """Beside a clause stand the lines that cite it."""
    row = page().at("klink-KL-4.9").text
    assert "unless q in already_asked" in row


def test_chosen_reading_is_marked() -> None:
    """Of the readings of a ruling the default is marked, and the reason of the table is told."""
    card = page().at("klink-KL-R5")
    marked = [each.text for each in card.all() if "chosen" in each.classes]
    assert marked == ["Only by keeping them look_both_is_keep chosen"]
    assert "Keeping shows both anyway." in card.text


def test_charts_tell_their_clauses() -> None:
    """A box of a chart says the text of its clause when one points at it."""
    catalogue = spec("klink").catalogue
    assert catalogue is not None
    charts = page().at("klink-charts")
    told = " ".join(each.text for each in charts.all() if each.name == "title")
    assert f"KL-4.5: {catalogue.clauses['KL-4.5'].text}" in told


def test_same_seed_same_page() -> None:
    """The page is a function of rules and seed; another seed makes another game."""
    kuhn = [untold("kuhn")]
    assert report(kuhn, seed=1) == report(kuhn, seed=1)
    assert report(kuhn, seed=1) != report(kuhn, seed=2)


def test_failed_scenario_is_told() -> None:
    """A scenario that does not hold is marked as failed, with the line and what is wrong."""
    wrong = 'scenarios of kuhn\nscenario "A jack beats a king"\n    expect stake[A] is 2\n'
    sources = evolve(spec("kuhn").sources, scenarios=(SourceFile("wrong.rules", wrong),))
    found = compile_sources(sources)
    assert not isinstance(found, Report)
    item = Page(report([found])).at("kuhn-scenario-1")
    assert "failed" in item.text
    assert "Line 3:" in item.text


def test_words_of_a_spec_stay_words() -> None:
    """Titles and clauses that look like markup are shown as they are written."""
    read = Page(report([hostile()]))
    names = {each.name for each in read.elements}

    assert not names & {"img", "u"}
    assert [each for each in read.elements if each.name == "script"][1:] == []
    assert "<script>alert('1')</script> & more" in read.root.text
    assert "One & <script>alert(3)</script> plays </pre>." in read.at("tricky-TR-1").text


@pytest.mark.parametrize("kind", LOOKS, ids=str)
def test_charts_can_be_read_in_the_dark(kind: Kind) -> None:
    """Letters stand out from their box, and lines from the page, as the guidelines ask for."""
    look = LOOKS[kind]
    assert contrast(ink(look.ink), dark(look.fill)) >= LEGIBLE
    assert contrast(look.line, "#ffffff") < LEGIBLE or contrast(ink(look.line), GROUND) >= LEGIBLE


def test_contrast() -> None:
    """Black and white are as far apart as can be, a colour and itself not at all."""
    assert round(contrast("#000000", "#ffffff"), 6) == 21
    assert contrast("#0b5d63", "#0b5d63") == 1
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54


@pytest.mark.parametrize("dark_page", [False, True], ids=["light", "dark"])
def test_words_can_be_read(dark_page: bool) -> None:
    """All letters stand out from the grounds that the page has."""
    style = files("ruleengine.report").joinpath("page.css").read_text(encoding="utf-8")
    scheme = style.split("prefers-color-scheme: dark")[1 if dark_page else 0]
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", scheme))
    pairs = [(ink, ground) for ink in INKS for ground in GROUNDS]
    faint = [(i, g) for i, g in pairs if contrast(colours[i], colours[g]) < LEGIBLE]
    assert faint == []


# ---- who is told what


def _views(story_: Story) -> Iterator[tuple[View, ...]]:
    """The views of all seats at the first stops of a game."""
    game = story_.game
    for state in replay(game, story_.record).states[:SEEN_AGAIN]:
        yield tuple(game.hearing.viewer.view(game.table(state), s) for s in range(game.seats))


def _shown(known: Known) -> str:
    """The words of a table."""
    found = (Page(f"<p>{row.about}{row.content}</p>").root.text for row in rows(known))
    return "".join(found)


def _tables(name: str) -> Iterator[tuple[int, str, str]]:
    """What the page says each seat knew after each move: the move, the seat, the words."""
    told = story(name)
    for number in range(min(len(told.moments), SEEN_AGAIN // 4)):
        move = page().at(f"{name}-game-0-{number}")
        table = next(each for each in move.all() if "rows" in each.classes)
        for seat in range(told.game.seats):
            letter = chr(ord("A") + seat)
            yield number, letter, table.shown(letter)


@pytest.mark.parametrize("name", GAMES)
def test_seats_are_told_what_their_views_say(name: str) -> None:
    """Deal all that a seat cannot know anew: the page tells it the same as before."""
    game = story(name).game
    teller = Teller.of(game.hearing.viewer)
    worlds = Worlds.of(game.interpreter.terms, game.interpreter.sight, game.hearing.viewer)
    possible: dict[str, set[str]] = defaultdict(set)
    for number, views in enumerate(_views(story(name))):
        for seat, view in enumerate(views):
            world = worlds.world(view, Drawn(stream(SEED, number, seat)))
            again = game.hearing.viewer.view(world, seat)
            possible[chr(ord("A") + seat)].add(_shown(teller.seen(again)))

    told = list(_tables(name))
    assert told
    assert [(number, seat) for number, seat, words in told if words not in possible[seat]] == []


def _played(game: Instance, number: int) -> tuple[Story, Log]:
    """A game of a run, told, and the log of it."""
    log = Log.of(game.hearing, game.interpreter.start())
    Playing(
        game,
        random_players(game, SEED, number),
        stream(SEED, number, CHANCE),
        observer=Observers((game.knowledge, log)),
    ).to_the_end()
    return play(game, SEED, number), log


def test_games_that_a_seat_cannot_tell_apart_are_told_alike() -> None:
    """Two games of Kuhn poker that ended with a fold differ to a seat only in its own card."""
    game = load(untold("kuhn"))
    told: dict[tuple[int, str], set[tuple[str, ...]]] = defaultdict(set)
    games: dict[tuple[int, str], set[str]] = defaultdict(set)
    for number in range(60):
        found, log = _played(game, number)
        for seat in range(game.seats):
            key = seat, information_state(log, seat)
            told[key].add(_heard(found, seat))
            games[key].add(str(found.moments[0].settled) + str(found.record.steps))

    assert max(map(len, games.values())) > 1, "no two games that look alike to a seat"
    assert {len(words) for words in told.values()} == {1}


def _heard(found: Story, seat: int) -> tuple[str, ...]:
    """All that a seat is told of a game."""
    words = []
    for moment in found.moments:
        answers = moment.answers or ("",) * (seat + 1)
        words += [moment.words[seat], answers[seat], str(moment.tables[seat])]
        words += [line.words[seat] for line in moment.lines]
    return tuple(words)


def test_referee_knows_what_is_settled() -> None:
    """The referee sees both hands of Kuhn poker, and who knows which."""
    hands = {card.word: card.knowers for card in _hands(story("kuhn").moments[-1].tables[-1])}
    assert sorted(hands.values()) == [0b01, 0b10]
    assert set(hands) < {"J", "Q", "K"}


def _hands(known: Known) -> Iterator[Card]:
    """The cards in the hands."""
    for place in known.places:
        if place.zone == "hand":
            yield from place.cards


# ---- notebooks


def test_spec_shows_itself() -> None:
    """A rulebook says who plays it and how its questions are read."""
    shown = Page(spec("klink")._repr_html_()).root.text
    assert "3 to 5" in shown
    assert "Each pair is turned down" in shown


def test_game_shows_its_chart() -> None:
    """A game draws itself; the picture is well-formed."""
    game = load(spec("kuhn"))
    picture = game._repr_svg_()
    assert picture is not None
    assert ElementTree.fromstring(picture.encode()).tag.endswith("svg")
    assert "Bet or check?" in game._repr_html_()


def test_options_views_and_records_show_themselves() -> None:
    """An option tells its seat and words, a view what the seat knows, a record its steps."""
    game = load(spec("kuhn"))
    going = Play.begin(game, SEED)
    assert isinstance(going.stop, Decision)
    option = game.options(going.state)[0]
    view = game.view(going.state, 1)
    while not isinstance(going.stop, Terminal):
        going.choose(0)

    assert Page(option._repr_html_()).root.text.strip() == "A bet"
    shown = Page(view._repr_html_()).root.text
    assert "What B knows" in shown
    assert "B(" in shown
    assert "A: bet" in Page(going.record._repr_html_()).root.text
    assert bytes(view) == bytes(game.hearing.viewer.view(game.table(game.start(SEED)), 1))
