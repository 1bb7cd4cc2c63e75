"""Where else two rulebooks are compared: other players, other readings, other parameters.

What is proved of the usual readings is proved of no others.  So every number of players is looked
at, every other reading and every end of a parameter alone, and mixtures of those that stand around
what changed.  Where both graphs do the same step by step nothing has to be played; where they
differ in something that was not met yet, the two games are gone through there too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Final, TypeAlias

from attrs import define, field, frozen

from compiler.analysis.pairing import pairing
from compiler.config import Configuration, Value
from compiler.diagnostic import InternalError, Report
from compiler.graph.core import Graph
from compiler.graph.text import sayings, step_text
from compiler.pipeline import Compiled, Spec, named_around
from ruleengine.configurations import parameters, readings
from ruleengine.game import Instance
from ruleengine.measure.neutral import Verdict, compared

_MIXTURES: Final = 64  # mixtures of the settings around a change, up to which all are looked at
_PAIRS: Final = 128  # else each two of them, up to so many
_TRIED: Final = 6  # configurations in which the games are gone through

_Unlike: TypeAlias = frozenset[str]


@frozen
class Elsewhere:
    """Two games with other settings, and whether they are the same; `besides` is what is set."""

    besides: Configuration
    old: Instance = field(repr=False)
    new: Instance = field(repr=False)
    verdict: Verdict


@frozen
class Scope:
    """Where two rulebooks were compared besides the games that were chosen.

    In `same` both do the same step by step.  In `alike` nothing differs that does not differ in the
    chosen games, or where they were gone through.  `tried` were gone through; `left` were not,
    because they are too many.  `mixed` are settings of which mixtures were looked at: all, or, if
    `paired`, two at a time.
    """

    same: tuple[Configuration, ...] = ()
    alike: tuple[Configuration, ...] = ()
    tried: tuple[Elsewhere, ...] = ()
    left: tuple[Configuration, ...] = ()
    mixed: tuple[str, ...] = ()
    paired: bool = False

    @property
    def besides(self) -> tuple[Configuration, ...]:
        """All of them."""
        tried = (one.besides for one in self.tried)
        return (*self.same, *self.alike, *tried, *self.left)

    def neutral(self, verdict: Verdict) -> bool | None:
        """Whether the games are the same wherever they were compared, the chosen ones included;
        `None` if that was not decided."""
        found = {verdict.neutral, *(one.verdict.neutral for one in self.tried)}
        if False in found:
            return False
        return None if None in found or self.alike or self.left else True


def elsewhere(old: Instance, new: Instance, verdict: Verdict, states: int) -> Scope:
    """Compares the rulebooks of two games in other configurations; `verdict` is of these two."""
    around = named_around(old.compiled.spec.sources, new.compiled.spec.sources)
    if isinstance(around, Report):
        raise InternalError("rules that were compiled do not compile again")
    return _Search(old.compiled, new.compiled, verdict, states, around).run()


@define(eq=False)
class _Search:
    """Goes through the configurations of both."""

    old: Compiled
    new: Compiled
    verdict: Verdict
    states: int
    around: frozenset[str]
    _unlike: dict[Configuration, _Unlike] = field(factory=dict, init=False)
    _mixed: tuple[str, ...] = field(default=(), init=False)
    _paired: bool = field(default=False, init=False)

    def run(self) -> Scope:
        """All that was found."""
        same = [one for one in dict.fromkeys(self._besides()) if self._same(one)]
        tried, alike, left = self._tried()
        return Scope(
            tuple(same), tuple(alike), tuple(tried), tuple(left), self._mixed, self._paired
        )

    def _same(self, besides: Configuration) -> bool:
        """Whether both do the same there; if not, what differs is kept for later."""
        pair = self._pair(besides)
        if pair is None:
            return False
        unlike = _unlike(pair[0].graph, pair[1].graph)
        if unlike:
            self._unlike[besides] = unlike
        return not unlike

    def _tried(self) -> tuple[list[Elsewhere], list[Configuration], list[Configuration]]:
        """Those gone through, those in which nothing new differs, and those that are too many.

        Where the chosen games are not known to part, others may that differ in the same lines:
        first those with more players.
        """
        met = set(_unlike(self.old.graph, self.new.graph))
        waiting, tried = list(self._unlike), list[Elsewhere]()
        open_ = self.verdict.neutral is not False
        while waiting and len(tried) < _TRIED:
            fresh = [one for one in waiting if not self._unlike[one] <= met]
            seated = [one for one in waiting if open_ and not one.pairs]
            rest = waiting if self.verdict.neutral and open_ else []
            if not (fresh or seated or rest):
                break
            chosen = (*seated, *fresh, *rest)[0]
            tried.append(self._gone_through(chosen))
            open_ = open_ and tried[-1].verdict.witness is None
            met |= self._unlike[chosen]
            waiting.remove(chosen)
        left = [one for one in waiting if not self._unlike[one] <= met]
        return tried, [one for one in waiting if one not in left], left

    def _gone_through(self, besides: Configuration) -> Elsewhere:
        pair = self._pair(besides)
        if pair is None:
            raise InternalError("a configuration that was compiled does not compile again")
        old, new = (Instance.of(made) for made in pair)
        return Elsewhere(besides, old, new, compared(old, new, self.states))

    def _pair(self, besides: Configuration) -> tuple[Compiled, Compiled] | None:
        """Both games with something set besides; `None` if one of them cannot be had."""
        old, new = (
            side.spec.instantiate(_with(side.configuration, besides))
            for side in (self.old, self.new)
        )
        if isinstance(old, Report) or isinstance(new, Report) or old.seats != new.seats:
            return None
        return old, new

    # ---- which configurations

    def _besides(self) -> Iterator[Configuration]:
        """What may be set besides: players, then one setting, then several."""
        for players in self._seats({}):
            if players != self.old.seats:
                yield Configuration(players)
        values = self._values()
        for name, some in values.items():
            for value in some:
                yield from self._seated({name: value})
        for settings in self._mixtures(values):
            yield from self._seated(settings)

    def _values(self) -> dict[str, tuple[Value, ...]]:
        """Of each setting of both that is free, what else it can be."""
        chosen = {**self.old.configuration.values, **self.new.configuration.values}
        ones, others = (_values(side.spec) for side in (self.old, self.new))
        return {
            name: tuple(value for value in values if value in others[name])
            for name, values in ones.items()
            if name in others and name not in chosen
        }

    def _mixtures(self, values: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
        """Several of the settings around the change, at once."""
        near = {name: some for name, some in values.items() if name in self.around and some}
        everything = prod(1 + len(some) for some in near.values()) <= _MIXTURES
        found = list(_several(near, len(near) if everything else 2, _PAIRS + 1))
        if 0 < len(found) <= _PAIRS:
            self._mixed, self._paired = tuple(near), not everything
            yield from found

    def _seated(self, settings: Mapping[str, Value]) -> Iterator[Configuration]:
        """With as many players as usual; if these settings do not allow that, with the fewest; and
        with every number that only they allow."""
        allowed, usual = self._seats(settings), self._seats({})
        few = [self.old.seats] if self.old.seats in allowed else allowed[:1]
        for players in dict.fromkeys((*few, *(one for one in allowed if one not in usual))):
            yield Configuration(None if players == self.old.seats else players, settings)

    def _seats(self, settings: Mapping[str, Value]) -> list[int]:
        """The numbers of players that both allow; only the chosen one, if one was chosen."""
        ones, others = (
            side.spec.seats({**side.configuration.values, **settings})
            for side in (self.old, self.new)
        )
        chosen = self.old.configuration.players or self.new.configuration.players
        return [one for one in ones if one in others and chosen in (None, one)]


def _several(
    values: Mapping[str, Sequence[Value]], most: int, limit: int
) -> Iterator[dict[str, Value]]:
    """Two of some settings, then three, at most so many at once and so many in all."""
    count = 0
    for many in range(2, most + 1):
        for names in combinations(values, many):
            for chosen in product(*(values[name] for name in names)):
                if count == limit:
                    return
                count += 1
                yield dict(zip(names, chosen, strict=True))


def _values(spec: Spec) -> dict[str, tuple[Value, ...]]:
    """Of each setting, what it can be besides what it usually is."""
    found: dict[str, tuple[Value, ...]] = {}
    for setting in readings(spec):
        found[setting.name] = (*found.get(setting.name, ()), setting.reading)
    return {**found, **parameters(spec)}


def _with(configuration: Configuration, besides: Configuration) -> Configuration:
    return Configuration(
        besides.players or configuration.players, {**configuration.values, **besides.values}
    )


def _unlike(old: Graph, new: Graph) -> _Unlike:
    """What two graphs do not have in common; nothing if both do the same step by step."""
    found = pairing(old, new)
    if found.same:
        return frozenset()
    ones, others = sayings(old), sayings(new)
    return frozenset(_signed(old, found.partings, found.reason, (ones - others, others - ones)))


def _signed(
    graph: Graph, partings: Iterable[int], reason: str, apart: Sequence[Iterable[str]]
) -> Iterator[str]:
    """The same as lines: what makes them differ from the start, where ways part, what is said."""
    if reason:
        yield f"! {reason}"
    for node in partings:
        yield f"> {graph.nodes[node].phase}: {step_text(graph.nodes[node].step, graph)}"
    for sign, lines in zip("-+", apart, strict=True):
        yield from (f"{sign} {line}" for line in lines)
