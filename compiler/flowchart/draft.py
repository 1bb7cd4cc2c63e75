"""A procedure as a chart in the making: boxes that mean the same made one, names given for good."""

import re

from attrs import evolve, field, frozen

from compiler.flowchart.labels import Sign
from compiler.flowchart.model import ChartEdge, ChartNode, Cluster, EdgeKind, Kind, Way
from compiler.flowchart.routes import Landing, Procedure


@frozen
class Link:
    """An arrow while boxes still go by number: to a box, or to a phase by its name."""

    source: int
    target: Landing
    sign: Sign
    ways: tuple[Way, ...]


@frozen
class Draft:
    """A procedure as boxes by number, 0 being its beginning, with its arrows and frames."""

    procedure: Procedure
    boxes: dict[int, ChartNode] = field(repr=False)
    links: list[Link] = field(repr=False)
    frames: tuple[Cluster, ...] = ()


# ---- boxes that are the same end of the rules


def merged(draft: Draft) -> Draft:
    """The draft with boxes made one that say the same and go on the same way.

    No path is lost: whoever comes to either does the same from there on.
    """
    boxes, links = dict(draft.boxes), list(draft.links)
    while True:
        same = _twins(boxes, links)
        if not same:
            return evolve(draft, boxes=boxes, links=_either_way(links))
        for gone, kept in same.items():
            boxes[kept] = _union(boxes.pop(gone), boxes[kept])
        links = [
            evolve(
                link,
                source=same.get(link.source, link.source),
                target=same.get(link.target, link.target)
                if isinstance(link.target, int)
                else link.target,
            )
            for link in links
        ]
        links = _bundled(links)


def _twins(boxes: dict[int, ChartNode], links: list[Link]) -> dict[int, int]:
    """Each box that says what a later one says, with that one: the order stays one of the rules."""
    last: dict[tuple[object, ...], int] = {}
    found: dict[int, int] = {}
    for index in sorted(boxes, reverse=True):
        box = boxes[index]
        onwards = tuple((link.target, link.sign) for link in links if link.source == index)
        says = (box.kind, box.label, box.sub, box.actor, box.cluster, box.hidden, onwards)
        kept = last.setdefault(says, index)
        if kept != index:
            found[index] = kept
    return found


def _union(box: ChartNode, other: ChartNode) -> ChartNode:
    clauses = tuple(dict.fromkeys(box.clauses + other.clauses))
    return evolve(box, clauses=clauses, nodes=box.nodes + other.nodes)


def _bundled(links: list[Link]) -> list[Link]:
    """Arrows made one that leave a box with the same words for the same place."""
    found: dict[tuple[int, Landing, Sign], Link] = {}
    for link in links:
        says = (link.source, link.target, link.sign)
        known = found.get(says)
        found[says] = link if known is None else evolve(known, ways=known.ways + link.ways)
    return list(found.values())


def _either_way(links: list[Link]) -> list[Link]:
    """Arrows made one where a test that has its own question changes nothing here."""
    answers: dict[int, list[Link]] = {}
    for link in links:
        if link.sign.kind is EdgeKind.ANSWER and link.sign.label in ("yes", "no"):
            answers.setdefault(link.source, []).append(link)
    found = list(links)
    for both in answers.values():
        if len(both) == 2 and both[0].target == both[1].target and not both[0].sign.sub:
            first, second = both
            sign = evolve(first.sign, label="yes or no")
            found[found.index(first)] = evolve(first, sign=sign, ways=first.ways + second.ways)
            found.remove(second)
    return found


# ---- names for good


def finish(
    draft: Draft,
    here: frozenset[str],
    titles: dict[str, str],
    nodes: list[ChartNode],
    edges: list[ChartEdge],
) -> None:
    """Adds a draft's boxes and arrows, by their ids; phases not `here` get exits."""
    ids = _ids(draft)
    nodes += [evolve(box, id=ids[index]) for index, box in draft.boxes.items()]
    exits: dict[str, ChartNode] = {}
    for link in draft.links:
        source = draft.boxes[link.source]
        if isinstance(link.target, int):
            target = ids[link.target]
        elif link.target in here:
            target = f"{link.target}.start"
        else:
            target = f"{ids[link.source]}.to_{link.target}"
            exits[target] = ChartNode(
                target,
                draft.procedure.name,
                Kind.EXIT,
                titles[link.target],
                span=source.span,
                target=link.target,
                cluster=draft.procedure.name,
            )
        sign = link.sign
        edges.append(
            ChartEdge(
                ids[link.source], target, sign.kind, sign.label, sign.sub, sign.clauses, link.ways
            )
        )
    nodes += exits.values()


def _ids(draft: Draft) -> dict[int, str]:
    """An id per box: the slug of its title, numbered where several have it, or its number."""
    found: dict[int, str] = {}
    used: dict[str, int] = {}
    for index, box in draft.boxes.items():
        slug = "start" if index == 0 else _slug(box.id) or str(index)
        used[slug] = used.get(slug, 0) + 1
        again = f"_{used[slug]}" if used[slug] > 1 else ""
        found[index] = f"{draft.procedure.name}.{slug}{again}"
    return found


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")
