"""Chance as scenarios force it: which outcome is meant, and the next cards of a shuffled pile."""

from collections.abc import Iterator
from typing import Final

from attrs import define

from compiler.graph.core import Blind, Pick, Roll
from compiler.graph.core import Chance as ChanceStep
from compiler.lower.script import ChanceForced, Items, Said
from compiler.ops.lists import elements
from compiler.source import Span
from ruleengine.scenario.course import Course, only_answer
from ruleengine.scenario.errors import Broken
from ruleengine.scenario.tokens import Words
from ruleengine.stops import ChanceStop, Outcome
from ruleengine.table import UNRESOLVED

_FORCED_AT_MOST: Final = 1_000  # stops with one answer on the way to chance
_NAMED: Final = 8  # outcomes that a message lists


@define(eq=False)
class Forcing:
    """Forces the chance of one course."""

    course: Course
    words: Words

    def force(self, line: ChanceForced) -> None:
        """Lets the next chance stop come out as a line says."""
        self.course.forced.clear()
        for _ in range(_FORCED_AT_MOST):
            stop = self.course.arrive()
            if isinstance(stop, ChanceStop):
                self._give(stop, line.items, line.span)
                return
            only = only_answer(stop)
            if only is None:
                said = self.course.say(stop)
                raise Broken(f"no chance here: {said}", line.span, self.course.told())
            self.course.force(only)

    def is_said(self, outcome: Outcome, said: Said) -> bool:
        """Whether an outcome of the coming stop is what was said."""
        if outcome.settles is None:
            return self._is_outcome(outcome, [said])
        token_class = self.words.class_of(self.course.table.place[outcome.settles])
        return self.words.kind(said, token_class) == self._kind(outcome, token_class)

    def _give(self, stop: ChanceStop, items: Items, span: Span) -> None:
        settled = stop.outcomes[0].settles
        said = [item.said for item in items.items]
        if settled is not None:
            self._settle(settled, list(self._parts(items)))
            return
        found = [o for o in stop.outcomes if self._is_outcome(o, said)]
        if not found:
            text = ", ".join(one.text for one in said)
            can = " or ".join(outcome.label for outcome in stop.outcomes[:_NAMED])
            more = " or …" if len(stop.outcomes) > _NAMED else ""
            asked = self.course.drawn(stop)
            told = f"chance decides {asked}: {can}{more}"
            example = stop.outcomes[-1].label
            if stop.outcomes[0].label.count(",") != text.count(",") and "[" not in example:
                told += f"; write one of each, as `chance {example}`"
            raise Broken(f"`{text}` cannot come here", span, told)
        self.course.draw(found[0])

    def _parts(self, items: Items) -> Iterator[tuple[Said, tuple[str, ...]]]:
        """The cards of a scripted deal, each with its flags."""
        for item in items.items:
            for part in self.words.reader.words(item.said):
                yield part, item.flags

    def _settle(self, settled: int, parts: list[tuple[Said, tuple[str, ...]]]) -> None:
        """Gives a hidden card and those behind it in its place these faces: a scripted deal.

        Flags that stick are part of a face; where none are named, the card without any comes first.
        """
        table, interpreter = self.course.table, self.course.interpreter
        place = table.place[settled]
        token_class = self.words.class_of(place)
        cells = table.cells[place]
        hidden = [t for t in cells[cells.index(settled) :] if table.kind[t] == UNRESOLVED]
        if len(parts) > len(hidden):
            label = self.words.graph.places[place].label
            raise Broken(f"{label} has only {len(hidden)} unknown cards", parts[-1][0].span)
        for token, (part, flags) in zip(hidden, parts, strict=False):
            kind = self.words.kind(part, token_class)
            if kind is None:
                raise self.words.no_token(part, token_class)
            odds = interpreter.pools.odds(table, token)
            wanted = self._flags(flags, token_class, part.span)
            sorts = [
                o.value
                for o in odds
                if self._kind(o, token_class) == kind
                and isinstance(o.value, int)
                and o.value & wanted == wanted
            ]
            if not sorts:
                can = ", ".join(outcome.label for outcome in odds[:_NAMED])
                text = " ".join((part.text, *flags))
                raise Broken(f"`{text}` cannot come here", part.span, f"here come {can}")
            interpreter.pools.resolve(table, token, sorts[0])
        self.course.changed()

    def _flags(self, flags: tuple[str, ...], token_class: str, span: Span) -> int:
        """Sticky flags as bits of a sort."""
        names = self.words.graph.token_class(token_class).sticky_flags
        for flag in flags:
            if flag not in names:
                raise Broken(f"no {token_class} keeps a flag `{flag}`", span)
        return sum(1 << names.index(flag) for flag in flags)

    def _kind(self, outcome: Outcome, token_class: str) -> int | None:
        """The kind that an outcome gives a hidden card, whatever flags it carries."""
        statics = self.course.interpreter.statics
        bits = len(statics.sticky_bits[statics.class_index[token_class]])
        return outcome.value >> bits if isinstance(outcome.value, int) else None

    def _is_outcome(self, outcome: Outcome, said: list[Said]) -> bool:
        """Whether an outcome is what was said: one item per die, or a list for all of them."""
        table = self.course.table
        step = self.course.interpreter.graph.nodes[outcome.node].step
        match step:
            case ChanceStep(Roll(dice)):
                if len(said) != len(dice) and len(said) == 1:
                    said = list(self.words.reader.words(said[0]))
                if len(said) != len(dice):
                    return False
                thrown = elements(outcome.value)
                return all(
                    self.words.fits(table, value, one, variable.type)
                    for value, one, (variable, _, _) in zip(thrown, said, dice, strict=True)
                )
            case ChanceStep(Pick(variable=variable) | Blind(variable=variable)):
                return self.words.fits_together(table, outcome.value, said, variable.type)
            case _:
                return False
