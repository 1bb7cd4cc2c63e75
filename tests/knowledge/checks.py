"""The properties of hidden information, as functions that look for a counterexample.

Each returns a list of what contradicts it, in words; an empty list is a proof by cases for the
histories given.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from attrs import define, field, frozen

from compiler.graph.core import Shape
from ruleengine.knowledge.tape import every
from ruleengine.knowledge.view import View
from ruleengine.table import UNRESOLVED, Table
from tests.knowledge.games import Game
from tests.knowledge.histories import Moment, likely, nexts

Content: TypeAlias = tuple[object, ...]
Odds: TypeAlias = dict[Content, Fraction]


def law_of_logs(game: Game, moments: Iterable[Moment]) -> dict[tuple[str, ...], Fraction]:
    """How likely each combination of what all have heard is at the end."""
    law: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for moment in moments:
        if moment.seat is None:
            law[tuple(moment.heard(observer) for observer in game.observers)] += moment.law
    return dict(law)


def differing_views(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P2: equal logs, but different views."""
    known: dict[tuple[int, str], View] = {}
    found = []
    for moment in moments:
        for observer in game.observers:
            heard, view = moment.heard(observer), game.view(moment.table, observer)
            if known.setdefault((observer, heard), view) != view:
                found.append(f"{observer} heard\n{heard}\n{known[observer, heard]}\n{view}")
    return found


def differing_options(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P3: equal views of the seat that is asked, but different options."""
    known: dict[View, list[str]] = {}
    found = []
    for moment in moments:
        if moment.seat is not None:
            view = game.view(moment.table, moment.seat)
            options = [game.option(moment.table, choice) for choice in moment.choices]
            if known.setdefault(view, options) != options:
                found.append(f"{view}\n{known[view]}\n{options}")
    return found


def false_knowledge(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P4: facts that the table contradicts; with P2 no history with that log contradicts one."""
    found = []
    for moment in moments:
        table = moment.table
        for (observer, place), fact in table.facts.items():
            unnamed = [
                token
                for token in table.cells[place]
                if not (game.machine.sight.sees(table, token) | table.knows[token]) >> observer & 1
            ]
            there = Counter(
                game.machine.statics.sort(table, token)
                for token in unnamed
                if table.kind[token] != UNRESOLVED
            )
            if any(count > there[sort] for sort, count in enumerate(fact)):
                found.append(f"{observer} thinks {fact} of place {place}, there is {there}")
    return found


def known_without_kind(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P6: tokens without a kind that somebody sees or knows, and pools of the wrong size."""
    found = []
    for moment in moments:
        table = moment.table
        hidden = Counter(table.pool[t] for t, kind in enumerate(table.kind) if kind == UNRESOLVED)
        sizes = {pool: sum(counts) for pool, counts in table.pools.items()}
        if hidden != sizes:
            found.append(f"pools {sizes} for {hidden}")
        for token, kind in enumerate(table.kind):
            sees = game.machine.sight.sees(table, token)
            if kind == UNRESOLVED and (sees or table.knows[token] or table.looked[token]):
                found.append(f"token {token} has no kind and is known")
            if table.looked[token] & ~table.knows[token] or table.knows[token] & sees:
                found.append(f"token {token} is known to {table.knows[token]}, seen by {sees}")
    return found


# ---- worlds


def content(game: Game, table: Table, like: Table) -> Content:
    """What lies where, as far as kinds are settled in `like`: the rest of a place as a heap."""
    statics = game.machine.statics
    found: list[object] = []
    for place in game.graph.places:
        row: list[int] = []
        heap: list[int] = []
        for token, other in zip(table.cells[place.index], like.cells[place.index], strict=True):
            settled = place.shape is not Shape.PILE or like.kind[other] != UNRESOLVED
            if table.kind[token] != UNRESOLVED:
                (row if settled else heap).append(statics.sort(table, token))
        if len(row) + len(heap) < len(table.cells[place.index]):
            pool = table.pools[place.index]
            heap += [sort for sort, count in enumerate(pool) for _ in range(count)]
        if place.shape is Shape.SET:
            row.sort()
        found.append((tuple(row), tuple(sorted(heap))))
    return tuple(found)


@frozen(eq=False)
class Imagined:
    """All worlds of a view, and how likely each content is among them."""

    made: tuple[tuple[Table, Fraction], ...]
    law: Odds

    @property
    def like(self) -> Table:
        """One of the worlds; what is settled in it is settled in all."""
        return self.made[0][0]


@define(eq=False)
class Imagination:
    """The worlds of views, each made once."""

    game: Game
    _known: dict[View, Imagined] = field(factory=dict)

    def of(self, view: View) -> Imagined:
        """Those of one view."""
        if view not in self._known:
            made = tuple(every(lambda tape: self.game.worlds.world(view, tape)))
            law: Odds = defaultdict(Fraction)
            for table, probability in made:
                law[content(self.game, table, made[0][0])] += probability
            self._known[view] = Imagined(made, dict(law))
        return self._known[view]


def brute_odds(game: Game, view: View, like: Table) -> Odds:
    """The same by laying single cards in every way; only for games with one class of cards.

    Facts are laid first; then every order of the cards that are left is tried on the free places.
    """
    laid = like.copy()
    laid.pools.clear()
    unnamed: dict[int, list[int]] = {}
    used: Counter[int] = Counter()
    for place, seen in enumerate(view.places):
        looks = [cell.sort for cell in seen.cells]
        looks += [heap.sort for heap in seen.heaps for _ in range(heap.count)]
        for token, sort in zip(laid.cells[place], looks, strict=True):
            if sort is None:
                unnamed.setdefault(place, []).append(token)
            else:
                used[sort] += 1
    facts = {
        place: [sort for sort, count in enumerate(view.places[place].fact) for _ in range(count)]
        for place in unnamed
    }
    for sorts in facts.values():
        used.update(sorts)
    totals = view.totals[0] or [kind.copies for kind in game.graph.classes[0].kinds]
    cards = [sort for sort, count in enumerate(totals) for _ in range(count - used[sort])]
    free = [place for place, tokens in unnamed.items() for _ in tokens[len(facts[place]) :]]
    law: Odds = defaultdict(Fraction)
    for dealt in sorted(set(permutations(cards))):  # each stands for as many orders of cards
        if all(_admits(game, place, sort) for place, sort in zip(free, dealt, strict=True)):
            there = {place: facts[place][:] for place in unnamed}
            for place, sort in zip(free, dealt, strict=True):
                there[place].append(sort)
            for way, share in _orders(game, like, unnamed, there):
                for token, sort in way.items():
                    game.machine.statics.give_sort(laid, token, sort)
                law[content(game, laid, like)] += share
    total = sum(law.values())
    return {key: share / total for key, share in law.items()}


def _admits(game: Game, place: int, sort: int) -> bool:
    kinds = game.graph.places[place].kinds
    stains = len(game.machine.statics.sticky_bits[0])
    return kinds is None or sort >> stains in kinds


def _orders(
    game: Game, like: Table, unnamed: dict[int, list[int]], there: dict[int, list[int]]
) -> Iterable[tuple[dict[int, int], Fraction]]:
    """All ways of laying what came to each place on its unnamed cells, where it matters which."""
    ways: list[tuple[dict[int, int], Fraction]] = [({}, Fraction(1))]
    for place, tokens in unnamed.items():
        in_order = game.graph.places[place].shape is not Shape.SET
        if in_order and any(like.kind[token] != UNRESOLVED for token in tokens):
            orders = Counter(permutations(there[place]))
        else:
            orders = Counter([tuple(there[place])])
        total = sum(orders.values())
        ways = [
            (way | dict(zip(tokens, order, strict=True)), share * Fraction(count, total))
            for way, share in ways
            for order, count in orders.items()
        ]
    return ways


def wrong_worlds(game: Game, moments: Iterable[Moment], observers: Iterable[int]) -> list[str]:
    """P5: worlds with wrong odds, that change the view, or that leave out what is the case.

    `moments` are of eager histories: there everything is settled.
    """
    found = []
    imagination, checked = Imagination(game), set[View]()
    watching = tuple(observers)
    for moment in moments:
        for observer in watching:
            view = game.view(moment.table, observer)
            imagined = imagination.of(view)
            if view not in checked:
                checked.add(view)
                brute = brute_odds(game, view, imagined.like)
                if imagined.law != brute:
                    found.append(f"odds of {view}\n{imagined.law}\n{brute}")
                for table, _ in imagined.made:
                    if game.view(table, observer) != view:
                        found.append(f"{view}\nbecomes\n{game.view(table, observer)}")
            if content(game, moment.table, imagined.like) not in imagined.law:
                found.append(f"{view}\nleaves out {content(game, moment.table, imagined.like)}")
    return found


def surplus(game: Game, moments: Iterable[Moment], observer: int) -> tuple[int, int]:
    """How many contents the worlds of all logs of an observer have, and how many really occur."""
    imagination = Imagination(game)
    real: dict[str, set[Content]] = defaultdict(set)
    imagined: dict[str, int] = {}
    for moment in moments:
        heard = moment.heard(observer)
        worlds = imagination.of(game.view(moment.table, observer))
        imagined[heard] = len(worlds.law)
        real[heard].add(content(game, moment.table, worlds.like))
    return sum(imagined.values()), sum(map(len, real.values()))


def leaking_options(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P7: options that are others in a world than on the table."""
    found = []
    imagination, checked = Imagination(game), set[View]()
    for moment in moments:
        if moment.seat is None:
            continue
        view = game.view(moment.table, moment.seat)
        if view in checked:
            continue
        checked.add(view)
        options = [game.option(moment.table, choice) for choice in moment.choices]
        for table, _ in imagination.of(view).made:
            offered = game.machine.options(table, moment.seat)
            if [game.option(table, choice) for choice in offered] != options:
                found.append(f"{view}\n{options}")
    return found


# ---- entries


def unforeseen_views(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P10: equal views and equal entries since, but different views after."""
    known: dict[tuple[View, tuple[str, ...]], View] = {}
    found = []
    for moment in moments:
        before = {observer: game.view(moment.table, observer) for observer in game.observers}
        told = {observer: len(moment.log.entries[observer]) for observer in game.observers}
        for choice in moment.choices:
            for after in nexts(game, moment, choice):
                for observer in game.observers:
                    entries = tuple(after.log.entries[observer][told[observer] :])
                    view = game.view(after.table, observer)
                    key = before[observer], entries
                    if known.setdefault(key, view) != view:
                        found.append(f"{key}\n{known[key]}\n{view}")
    return found


def until_sight(entries: Sequence[str]) -> tuple[str, ...]:
    """Entries up to the first face that is seen; faces are written `<K>` in these games."""
    heard = []
    for entry in entries:
        heard.append(entry.partition("<")[0])
        if "<" in entry:
            break
    return tuple(heard)


def differing_futures(game: Game, moments: Iterable[Moment], observer: int) -> list[str]:
    """P8: equal views of an observer and the same choice, but different things to hear next.

    Compared is what he may hear up to the next stop, or until he sees a face.
    """
    known: dict[tuple[View, str], set[tuple[str, ...]]] = {}
    found = []
    for moment in moments:
        view, told = game.view(moment.table, observer), len(moment.log.entries[observer])
        for choice in moment.choices:
            heard = {
                until_sight(after.log.entries[observer][told:])
                for after in nexts(game, moment, choice)
            }
            key = view, game.hearing.choice(moment.table, choice, observer)
            if known.setdefault(key, heard) != heard:
                found.append(f"{key}\n{known[key]}\n{heard}")
    return found


# ---- states


def imperfect_recall(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P13: equal logs of the seat that is asked, but other options or another past of its own."""
    known: dict[tuple[int, str], object] = {}
    found = []
    for moment in moments:
        if moment.seat is not None:
            options = [game.option(moment.table, choice) for choice in moment.choices]
            past = options, moment.own[moment.seat]
            key = moment.seat, moment.heard(moment.seat)
            if known.setdefault(key, past) != past:
                found.append(f"{key[1]}\n{known[key]}\n{past}")
    return found


def unlike_without_knowledge(game: Game, moments: Iterable[Moment]) -> list[str]:
    """P12: equal cores of states, but other options or other cores to follow."""
    size = game.packing.layout.core_size
    known: dict[bytes, object] = {}
    found = []
    for moment in moments:
        core = game.packing.pack(moment.table)[:size]
        options = tuple(game.option(moment.table, choice) for choice in moment.choices)
        following = []
        for choice in moment.choices:
            so_far = moment.law * likely(moment, choice)
            reached = [
                (game.packing.pack(after.table)[:size], after.law / so_far)
                for after in nexts(game, moment, choice)
            ]
            following.append(sorted(reached))
        if known.setdefault(core, (options, following)) != (options, following):
            found.append(f"{core!r}\n{known[core]}\n{options, following}")
    return found


def unpackable(game: Game, moments: Iterable[Moment]) -> list[str]:
    """States whose packed form does not keep the views."""
    found = []
    for moment in moments:
        again = game.packing.unpack(game.packing.pack(moment.table))
        for observer in game.observers:
            view = game.view(moment.table, observer)
            if game.view(again, observer) != view:
                found.append(f"{view}\n{game.view(again, observer)}")
    return found
