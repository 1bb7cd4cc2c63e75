"""The course of a phase in lines: what follows, what instead of another, what again.

Steps that follow one another stand in one line.  Below a test or decision its ways stand further
in, each with what is only done there; a way back is told as such, and so is where the phase ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from compiler.flowchart.labels import NEXT
from compiler.flowchart.model import Chart, ChartEdge, ChartNode, EdgeKind, Kind
from compiler.graph.naming import answers

INSET: Final = "\N{EM SPACE}"
"""What a line begins with for each test or decision that it stands below."""

_DECISIONS: Final = (Kind.DECISION, Kind.WINDOW)
_BEGINNINGS: Final = (Kind.START, Kind.TRIGGER, Kind.EXIT)
_OUT: Final = ""  # where every way that leaves a phase ends
_NOTHING: Final = "nothing fits"
_FEW: Final = 3  # steps that are rather told twice than named

_Way: TypeAlias = tuple[str, str]
"""A way on from a box: what it is called, and where it leads."""


@frozen
class _Arm:
    """A way on from a test or decision, with what is only done there."""

    label: str
    does: "_Row"
    again: bool  # whether it leads back to where it began


@frozen
class _Fork:
    """A test or decision and its ways, but for one that is told as what follows."""

    head: str
    decides: bool
    arms: tuple[_Arm, ...]
    otherwise: str = ""  # the answer after which the rest of the row comes


_Row: TypeAlias = tuple[str | _Fork, ...]
"""What is done one after the other."""


def course(steps: Chart, start: ChartNode) -> tuple[str, ...]:
    """The lines of one phase of a chart of steps, from where it begins."""
    return tuple(_lines(_Course(steps, start).row(), 0))


def words(box: ChartNode) -> str:
    """What a box says, in one line; a title that was wrapped is one sentence."""
    sentences = [box.label] if is_titled(box) else box.label.splitlines()
    return "; ".join(" ".join(line.split()) for line in sentences).replace(":;", ":")


def is_titled(box: ChartNode) -> bool:
    """Whether a box has the author's own words: then it is named after them."""
    return not box.id.rpartition(".")[2].isdigit()


# ---- from boxes to rows


class _Course:
    """One phase that is told; what was told once is only named the second time."""

    def __init__(self, steps: Chart, start: ChartNode) -> None:
        self._start = start
        self._boxes = {box.id: box for box in steps.nodes}
        self._edges: dict[str, list[ChartEdge]] = {}
        for edge in steps.edges:
            if edge.source.startswith(f"{start.phase}.") and edge.kind is not EdgeKind.SHUT:
                self._edges.setdefault(edge.source, []).append(edge)
        inside = [box.id for box in steps.nodes if box.phase == start.phase]
        onwards = {id_: self._onwards(id_) for id_ in inside}
        others = {id_: [_OUT] for ids in onwards.values() for id_ in ids if id_ not in onwards}
        self._met = _meetings({**others, **onwards, _OUT: [_OUT]})
        self._told: set[str] = set()
        self._path: list[str] = []

    def row(self) -> _Row:
        """All of the phase."""
        self._told.add(self._start.id)
        first = self._ways(self._start.id)
        return self._follow(first[0][1], frozenset())[0] if first else ()

    def _onwards(self, id_: str) -> list[str]:
        """Where a box leads to; what begins anew, or is over, leads out."""
        targets = [edge.target for edge in self._edges.get(id_, [])]
        targets = [_OUT if target == self._start.id else target for target in targets]
        return list(dict.fromkeys(targets)) or [_OUT]

    def _leaves(self, id_: str) -> bool:
        return self._boxes[id_].kind in _BEGINNINGS

    def _ways(self, id_: str) -> list[_Way]:
        """The ways on from a box, with what they are called; those to the same place as one."""
        found: dict[str, list[str]] = {}
        for edge in self._edges.get(id_, []):
            found.setdefault(edge.target, []).append(" ".join(edge.label.split()))
        return [(_either(labels), target) for target, labels in found.items()]

    def _follow(self, at: str, stops: frozenset[str]) -> tuple[_Row, str]:
        """What is done from a box on, until one of some others; and which of them was come to."""
        row: list[str | _Fork] = []
        deep = len(self._path)
        while at not in stops:
            box, ways = self._boxes[at], self._ways(at)
            if at in self._told or self._leaves(at) or box.kind is Kind.RETURN:
                said, at = self._ending(box, stops)
                row += said
                break
            self._told.add(at)
            self._path.append(at)
            if box.kind is Kind.END or not ways:
                row.append(f"the game ends: {words(box)}" if box.kind is Kind.END else words(box))
                at = _OUT
            elif len(ways) == 1:
                label, following = ways[0]
                row.append(_with_answer(box, label))
                at = following
            else:
                fork, at = self._fork(box, ways, stops)
                row.append(fork)
            if at == _OUT:
                break
        del self._path[deep:]
        return tuple(row), at

    def _tail(self, at: str, stops: frozenset[str]) -> tuple[tuple[str, ...], str] | None:
        """The few steps from a box on that was told already, if nothing is asked on the way."""
        said: list[str] = []
        while at not in stops and len(said) < _FEW:
            box, ways = self._boxes[at], self._ways(at)
            if self._leaves(at) or box.kind is Kind.RETURN or len(ways) != 1 or ways[0][0]:
                return None
            said.append(words(box))
            at = ways[0][1]
        return (tuple(said), at) if at in stops else None

    def _ending(self, box: ChartNode, stops: frozenset[str]) -> tuple[tuple[str, ...], str]:
        """How a row ends: with another phase, or with something that was told already."""
        if box.kind is Kind.RETURN:
            return (("done",) if stops else ()), _OUT
        if box.id == self._start.id:
            return (f"on to {words(box)} again",), _OUT
        if self._leaves(box.id):
            return (f"on to {words(box)}",), _OUT
        tail = self._tail(box.id, stops)
        return ((self._elsewhere(box.id),), _OUT) if tail is None else tail

    def _elsewhere(self, id_: str) -> str:
        """That it goes on, or back, to something that is told elsewhere."""
        how = "again from" if id_ in self._path else "on with"
        return f'{how} "{words(self._boxes[id_])}"'

    def _fork(self, box: ChartNode, ways: list[_Way], stops: frozenset[str]) -> tuple[_Fork, str]:
        """A test or decision, and the box where its ways meet, or that comes after one of them."""
        met = self._met.get(box.id, _OUT)
        decides = box.kind in _DECISIONS
        rest, how = None, ""
        if met == _OUT and not decides and len(ways) == 2:
            rest, how = self._rest(ways, frozenset({*stops, box.id}))
            ways = [way for way in ways if way is not rest]
        after = met if rest is None else rest[1]
        arms: list[_Arm] = []
        for label, target in ways:
            row, end = self._follow(target, frozenset({*stops, box.id, after}) - {_OUT})
            if end not in (_OUT, after, box.id):
                row = (*row, self._elsewhere(end))
            arms.append(_Arm(label, row, end == box.id))
        return _Fork(words(box), decides, tuple(arms), how), after

    def _rest(self, ways: list[_Way], stops: frozenset[str]) -> tuple[_Way, str]:
        """Which of two ways is told as what follows, and after which word."""
        first, second = ways
        for one in ways:
            if one[1] in stops:
                return one, one[0]
        for one, other in ((first, second), (second, first)):
            if one[1] in self._from(other[1], stops):
                return one, "otherwise"
        rest = max(ways, key=lambda way: len(self._from(way[1], stops)))
        return rest, rest[0]

    def _from(self, id_: str, stops: frozenset[str]) -> set[str]:
        """The boxes of the phase that can come from one on, itself included."""
        found: set[str] = set()
        waiting = [id_]
        while waiting:
            at = waiting.pop()
            inside = at != _OUT and self._boxes[at].kind not in (*_BEGINNINGS, Kind.RETURN)
            if inside and at not in found and at not in stops:
                found.add(at)
                waiting += self._onwards(at)
        return found


def _with_answer(box: ChartNode, label: str) -> str:
    """A box with the only way on from it; whether something was done shows in what follows."""
    said = words(box)
    if not label or label == " or ".join(answers(said)):
        return said
    return f"{said}: {label}" if box.kind in _DECISIONS else f"{said} {label}"


def _either(labels: list[str]) -> str:
    """The words of ways to one place; what is done if nothing can be picked goes without saying."""
    open_ = [label for label in labels if label and label != _NOTHING]
    return " or ".join(open_ or list(filter(None, labels)))


def _meetings(onwards: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each box the first one that all ways from it come to."""
    every = set(onwards)
    after = {id_: set(every) for id_ in onwards}
    after[_OUT] = {_OUT}
    changed = True
    while changed:
        changed = False
        for id_ in reversed([id_ for id_ in onwards if id_ != _OUT]):
            common = {id_} | set.intersection(*(after[target] for target in onwards[id_]))
            changed = changed or common != after[id_]
            after[id_] = common
    inner = [id_ for id_ in onwards if id_ != _OUT]
    return {id_: max(after[id_] - {id_}, key=lambda one: (len(after[one]), one)) for id_ in inner}


# ---- from rows to lines


def _lines(row: _Row, depth: int, lead: str = "") -> Iterator[str]:
    """The lines of a row, the first with a word before it."""
    inset = INSET * depth
    steps: list[str] = []
    for part in row:
        if isinstance(part, str):
            steps.append(part)
            continue
        head, nested = _told(part)
        steps.append(head)
        yield f"{inset}{lead}{' > '.join(steps)}"
        for label, does in nested:
            yield from _arm(label, does, depth + 1)
        steps, lead = [], f"{part.otherwise}: " if part.otherwise else ""
    if steps:
        yield f"{inset}{lead}{' > '.join(steps)}"


def _arm(label: str, does: _Row, depth: int) -> Iterator[str]:
    """The lines of a way on: what comes after the first stands further in than other ways."""
    if not does:
        yield f"{INSET * depth}{label}"
        return
    first, *others = _lines(does, depth, f"{label}: " if label else "")
    yield first
    for line in others:
        yield f"{INSET}{line}" if label else line


def _told(fork: _Fork) -> tuple[str, list[tuple[str, _Row]]]:
    """What stands in the line of a test or decision, and what stands below it."""
    if any(arm.again and arm.label == NEXT for arm in fork.arms):
        return _loop(fork)
    if fork.decides:
        return _decision(fork)
    arms = [(arm.label, (*arm.does, "again") if arm.again else arm.does) for arm in fork.arms]
    arms = [(label, does) for label, does in arms if does]
    if len(arms) == 1 and _is_flat(arms[0][1]):
        label, does = arms[0]
        return f"{fork.head}{f' {label}:' if label else ' >'} {_flat(does)}", []
    return fork.head, arms


def _loop(fork: _Fork) -> tuple[str, list[tuple[str, _Row]]]:
    """What is done for each of several; what comes when all are done follows."""
    body = [arm.does for arm in fork.arms if arm.again and arm.does]
    others = [(arm.label, arm.does) for arm in fork.arms if not arm.again and arm.does]
    if len(body) == 1 and not others and _is_flat(body[0]):
        return f"{fork.head}: {_flat(body[0])}", []
    return f"{fork.head}:", [*(("", does) for does in body), *others]


def _decision(fork: _Fork) -> tuple[str, list[tuple[str, _Row]]]:
    """What may be picked, each with what it leads to; and whether it is asked again."""
    arms = [arm for arm in fork.arms if arm.does or arm.again or arm.label != _NOTHING]
    until = [arm.label for arm in arms if not arm.again]
    again = any(arm.again for arm in arms)
    how = f", again until {' or '.join(until)}" if again and until else ", again" if again else ""
    head = f"{fork.head}{'' if fork.head.endswith('?') else ','} one of"
    if not any(arm.does for arm in arms):
        return f"{head} {', '.join(arm.label for arm in arms)}{how}", []
    return f"{head}{how}:", [(arm.label, arm.does) for arm in arms]


def _is_flat(row: _Row) -> bool:
    return all(isinstance(part, str) for part in row)


def _flat(row: _Row) -> str:
    return " > ".join(part for part in row if isinstance(part, str))
