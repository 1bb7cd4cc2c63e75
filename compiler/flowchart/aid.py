"""What a player wants beside the board: the course of a turn, what he may do, what counts.

All of it is read from the graph, so that an aid cannot say anything but the rules.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from compiler.flowchart.chart import chart, told
from compiler.flowchart.course import course, is_titled
from compiler.flowchart.glossary import meaning
from compiler.flowchart.model import Chart, ChartEdge, Kind, Level
from compiler.flowchart.offers import conditions
from compiler.flowchart.openings import can_open
from compiler.graph.core import (
    Apply,
    Assign,
    Choose,
    Clauses,
    Const,
    End,
    Flow,
    Function,
    Graph,
    Option,
    Term,
    Variable,
)
from compiler.graph.naming import spoken
from compiler.graph.sentences import Sentences, capital
from compiler.graph.walk import variable_reads, whole
from compiler.types import Player, present

_SMALL = 12  # boxes of an overview that is shown whole
_WORDS = 24  # words that are all explained
_BEGINNINGS = (Kind.START, Kind.TRIGGER)
_DECISIONS = (Kind.DECISION, Kind.JOINT, Kind.WINDOW)


@frozen
class Item:
    """One thing an aid says: in a few words, with what belongs to it, and the rules it is from."""

    head: str
    lines: tuple[str, ...] = ()
    clauses: Clauses = ()


@frozen
class Section:
    """Things of one kind."""

    title: str
    items: tuple[Item, ...]


@frozen
class Aid:
    """A page for the table: its texts, and the chart that goes with them.

    `words` are all that have a meaning; the last section has fewer if these are many.
    """

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    words: Section
    chart: Chart


def aid(graph: Graph) -> Aid:
    """The aid of a game, with the overview of the phases in which somebody decides."""
    steps = chart(graph)
    used = _reached(steps)
    rules = (
        Section("Course of the game", tuple(_course(used))),
        Section("What you may do", tuple(_options(graph, used))),
        Section("How it ends, and what counts", tuple(_scoring(graph, used))),
    )
    words = Section("Words", tuple(_meanings(graph, used, rules)))
    few = (
        words if len(words.items) <= _WORDS else evolve(words, items=_deciding(graph, used, rules))
    )
    seats = f"{graph.seats} player{'s' if graph.seats != 1 else ''}"
    shown = _decisive(used, chart(graph, Level.OVERVIEW))
    return Aid(graph.title or graph.name, seats, (*rules, few), words, shown)


def _reached(steps: Chart) -> Chart:
    """The chart without the phases that this configuration never comes to."""
    shut = {frame.id for frame in steps.clusters if frame.note}
    nodes = tuple(node for node in steps.nodes if node.phase not in shut)
    ids = {node.id for node in nodes}
    edges = tuple(edge for edge in steps.edges if edge.source in ids and edge.target in ids)
    return evolve(steps, nodes=nodes, edges=edges)


def _decisive(steps: Chart, overview: Chart) -> Chart:
    """An overview of the phases with decisions or ends, and of those that lead to them.

    Of a game in which nobody decides, and of a small one, all phases.
    """
    phases = {box.phase for box in steps.nodes}
    deciding = {box.phase for box in steps.nodes if box.kind in _DECISIONS}
    kept = {box.id for box in overview.nodes if box.phase in deciding or box.kind is Kind.END}
    if not deciding or len(overview.nodes) <= _SMALL:
        kept = {box.id for box in overview.nodes if box.phase in phases}
    grown = True
    while grown:
        leading = {edge.source for edge in overview.edges if edge.target in kept} - kept
        leading = {id_ for id_ in leading if overview.node(id_).phase in phases}
        kept |= leading
        grown = bool(leading)
    nodes = tuple(box for box in overview.nodes if box.id in kept)
    edges = tuple(edge for edge in overview.edges if edge.source in kept and edge.target in kept)
    return evolve(overview, nodes=nodes, edges=edges)


# ---- the course


def _course(steps: Chart) -> Iterator[Item]:
    """The phases, each with what is done there in order."""
    for start in steps.nodes:
        if start.kind in _BEGINNINGS:
            head = start.label if start.kind is Kind.START else f"{start.label} ({start.sub})"
            lines = course(steps, start)
            if lines:
                yield Item(head, lines, start.clauses)


# ---- words


def _meanings(graph: Graph, used: Chart, sections: tuple[Section, ...]) -> Iterator[Item]:
    """What words mean, each once, but for those that a section explains."""
    heads = {item.head for section in sections for item in section.items}
    all_ = told(graph, used).meanings
    found = {one.word: one for one in all_ if one.word not in heads}
    for word, one in found.items():
        yield Item("", (f"{word}{'' if word.endswith('?') else ':'} {one.means}",), one.clauses)


def _deciding(graph: Graph, used: Chart, sections: tuple[Section, ...]) -> tuple[Item, ...]:
    """What the words mean that decisions use."""
    boxes = tuple(box for box in used.nodes if box.kind in _DECISIONS)
    ids = {box.id for box in boxes}
    edges = tuple(edge for edge in used.edges if edge.source in ids)
    return tuple(_meanings(graph, evolve(used, nodes=boxes, edges=edges), sections))


# ---- options


def _options(graph: Graph, steps: Chart) -> Iterator[Item]:
    """Each decision with its options, and when they are open."""
    sentences = Sentences(graph)
    for box in steps.nodes:
        if box.kind not in _DECISIONS:
            continue
        choose = next(
            step for node in box.nodes if isinstance(step := graph.nodes[node].step, Choose)
        )
        asked = " ".join(box.label.split())
        open_ = [option for option in choose.options if can_open(option)]
        lines = tuple(_option(option, asked, sentences, choose.options) for option in open_)
        if choose.optional:
            lines = (*lines, "or nothing")
        yield Item(f"{box.actor}: {asked}", lines, box.clauses)


def _option(option: Option, asked: str, sentences: Sentences, siblings: tuple[Option, ...]) -> str:
    """An option: its title, what goes with it, and its conditions."""
    title = option.title or spoken(option.name)
    if title == asked or option.name == "choose":
        title = ""
    below = "; ".join(conditions(option, sentences, siblings))
    return f"{title}: {below}" if title and below else title or below


# ---- scoring


def _scoring(graph: Graph, steps: Chart) -> Iterator[Item]:
    """The ends of the game with what leads there, then the steps that change what they look at."""
    ends = [node for node in graph.nodes if isinstance(node.step, Flow)]
    values: list[Term] = []
    for box in steps.nodes:
        if box.kind is Kind.END:
            asked = [
                f"{' '.join(steps.node(edge.source).label.split())} {edge.label}"
                for edge in _leading(steps, box.id)
            ]
            who = [box.sub] if box.sub else []
            yield Item(box.label, tuple(dict.fromkeys([*who, *asked])), box.clauses)
    for node in ends:
        if isinstance(node.step, Flow) and isinstance(node.step.way, End):
            values += [node.step.way.value] if node.step.way.value is not None else []
    yield from _functions(values, Sentences(graph))
    yield from _changes(graph, steps, values)


def _leading(steps: Chart, end: str) -> Iterator[ChartEdge]:
    """The last answers and options on all ways to a box."""
    seen = {end}
    waiting = [end]
    while waiting:
        target = waiting.pop(0)
        for edge in steps.edges:
            if edge.target == target and edge.label:
                yield edge
            elif edge.target == target and edge.source not in seen:
                seen.add(edge.source)
                waiting.append(edge.source)


def _functions(values: Iterable[Term], sentences: Sentences) -> Iterator[Item]:
    """What the functions mean that an outcome applies."""
    applied = [
        term.op
        for term in whole(*values)
        if isinstance(term, Apply) and isinstance(term.op, Function)
    ]
    for function in dict.fromkeys(applied):
        head = capital(sentences.words.text(Apply(function, function.params, type=function.type)))
        yield Item(head, (meaning(function, sentences),), function.clauses)


def _changes(graph: Graph, steps: Chart, values: list[Term]) -> Iterator[Item]:
    """The steps that change what an outcome looks at, and those that change what these look at."""
    wanted: dict[Variable, None] = {}
    for variable, _ in variable_reads(*values):
        wanted[variable] = None
    writers = [
        node
        for node in graph.nodes
        if isinstance(node.step, Assign) and isinstance(node.step.target, Variable)
    ]
    for variable in list(wanted):
        for node in writers:
            if isinstance(node.step, Assign) and node.step.target is variable:
                read = [one for one, _ in variable_reads(node.step.value)]
                wanted |= {one: None for one in read if one.phase is None}
    wanted.pop(graph.players, None)
    wanted = {one: None for one in wanted if not isinstance(present(one.type), Player)}
    box_of = {node_id: box for box in steps.nodes for node_id in box.nodes}
    lines: dict[str, Item] = {}
    for node in writers:
        box = box_of.get(node.id)
        if not isinstance(node.step, Assign) or node.step.target not in wanted or box is None:
            continue
        line = Sentences(graph).step(node.step)
        if isinstance(node.step.value, Const) or line in lines:
            continue
        title = "" if not is_titled(box) else f"{' '.join(box.label.split())}: "
        lines[line] = Item(f"{title}{line}", (), node.clauses or box.clauses)
    yield from lines.values()
