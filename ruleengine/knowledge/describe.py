"""A view as text, for people and for bots that keep no history.

It says what is so at the moment, not how it came about: the log of what was observed says more.
Faces that lie open are plain; `(K)` lies face down and is seen, `[K]` is remembered, `?` unknown.
"""

from typing import cast

from compiler.graph.core import Value
from compiler.types import has_tokens
from ruleengine.knowledge.view import Cell, Heap, PlaceView, Seen, Spot, View
from ruleengine.knowledge.words import Words, counted, outcome, seat


def observation_string(words: Words, view: View) -> str:
    """A line for each place with tokens, for each variable that may be read, and for the stop."""
    public = words.statics.public
    who = "The public" if view.seat == public else f"Seat {seat(view.seat)}"
    lines = [who]
    for place, seen in enumerate(view.places):
        if seen.cells or seen.heaps:
            lines.append(f"{words.place(place)}: {_contents(words, seen)}")
            first: Cell | Heap = seen.cells[0] if seen.cells else seen.heaps[0]
            for facts, says in ((seen.fact, "it has"), (seen.public_fact, "all know it has")):
                if any(facts):
                    lines.append(f"    {says} {_fact(words, first.token_class, facts)}")
    lines += [f"{words.slot(slot)} = {spelled(words, slot, value)}" for slot, value in view.values]
    lines += [f"{words.slot(slot)} is hidden" for slot, _ in view.hidden]
    node = words.statics.graph.nodes[view.control.node]
    lines.append(outcome(*view.result) if view.result else f"{node.title or 'step'} at {node.id}")
    return "\n".join(lines)


def spelled(words: Words, slot: int, value: Seen) -> str:
    """A value of a view: tokens are where they lie."""
    match value:
        case Spot(place, index):
            return words.spot(place, index + 1)
        case tuple() if has_tokens(words.type(slot)):
            return f"[{', '.join(spelled(words, slot, part) for part in value)}]"
        case _:
            return words.value(words.type(slot), cast(Value, value))


def _contents(words: Words, seen: PlaceView) -> str:
    if seen.cells:
        return counted([_cell(words, cell) for cell in seen.cells])
    return ", ".join(_heap(words, heap) for heap in seen.heaps)


def _cell(words: Words, cell: Cell) -> str:
    face = words.sort(cell.token_class, cell.sort) + words.flags(cell.flags)
    if cell.sort is not None and not cell.face_up:
        face = f"({face})" if cell.seen else f"[{face}]"
    if cell.public:
        return f"{face} known to all"
    return f"{face} looked at by {words.observers(cell.looked)}" if cell.looked else face


def _heap(words: Words, heap: Heap) -> str:
    face = words.sort(heap.token_class, heap.sort) + words.flags(heap.flags)
    if heap.sort is not None and not heap.face_up:
        face = f"({face})"
    for slot, position in heap.references:
        face += f" = {words.slot(slot)}" + (f" {position}" if position else "")
    return face if heap.count == 1 else f"{face} ×{heap.count}"


def _fact(words: Words, class_index: int, fact: tuple[int, ...]) -> str:
    sorts = [words.sort(class_index, sort) for sort, count in enumerate(fact) for _ in range(count)]
    return counted(sorts)
