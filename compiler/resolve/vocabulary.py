"""All names of a game: one vocabulary at the top, and what lives apart from it."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from compiler.diagnostic import Report
from compiler.resolve.errors import DuplicateName, ReservedName
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.declared import Item, NamedDecl, name_of, what
from compiler.syntax.walk import walk

# names that the language gives away in every game
RESERVED: Mapping[str, str] = {
    "players": "the seats still in",
    "everyone": "all seats",
    "box": "the place outside the game",
    "ended": "true after the end",
    "holder": "the player of a place, after `seen by`",
    "bool": "a type",
    "player": "a type",
    "square": "a type",
}
# operators a rule can write; a define of that name could never be called
OPERATORS: frozenset[str] = frozenset(
    (
        *(
            "abs",
            "after",
            "around",
            "between",
            "column",
            "count",
            "distinct",
            "consecutive",
            "first",
        ),
        *("last", "least", "lines", "linked", "max", "min", "most", "neighbours", "orders"),
        *("arrange", "ray", "row", "same", "squares", "sum"),
    )
)


@frozen
class Vocabulary:
    """What each name of a game means.

    `names` are the top-level names in file order, `members` the enums that have a member of that
    name, `readings` the rulings that have such a reading, `options` those of each decision.
    """

    items: tuple[Item, ...] = field(repr=False)
    prelude: tuple[Item, ...] = field(repr=False)
    names: Mapping[str, NamedDecl]
    members: Mapping[str, tuple[ast.EnumDecl, ...]]
    readings: Mapping[str, tuple[ast.Ruling | ast.Gap, ...]]
    phases: Mapping[str, ast.PhaseDecl]
    options: Mapping[ast.Decision | ast.Window, Mapping[str, ast.Option]]

    @property
    def start(self) -> ast.Start | None:
        """Where the game begins."""
        return next((item for item in self.items if isinstance(item, ast.Start)), None)

    @property
    def rulebook(self) -> ast.Rulebook | None:
        """The heading."""
        return next((item for item in self.items if isinstance(item, ast.Rulebook)), None)

    @property
    def triggers(self) -> tuple[ast.Whenever, ...]:
        """The triggers, in file order."""
        return tuple(item for item in self.items if isinstance(item, ast.Whenever))

    @property
    def settings(self) -> tuple[ast.Param | ast.Given | ast.Ruling | ast.Gap, ...]:
        """What a configuration may set, in file order."""
        kinds = (ast.Param, ast.Given, ast.Ruling, ast.Gap)
        return tuple(item for item in self.items if isinstance(item, kinds))


def read_vocabulary(
    items: Sequence[Item], prelude: Sequence[Item] = ()
) -> tuple[Vocabulary, Report]:
    """The vocabulary of a game and of what every game begins with; and names given twice."""
    collector = _Collector()
    for item in (*prelude, *items):
        collector.take(item)
    for item in items:
        collector.inside(item)
    options = {node: _options(node) for node in walk(*items) if _decides(node)}
    names = collector.names
    phases = {name: item for name, item in names.items() if isinstance(item, ast.PhaseDecl)}
    vocabulary = Vocabulary(
        tuple(items),
        tuple(prelude),
        names,
        {name: tuple(enums) for name, enums in collector.members.items()},
        {name: tuple(rulings) for name, rulings in collector.readings.items()},
        phases,
        {node: found for node, found in options.items() if isinstance(node, _DECIDING)},
    )
    return vocabulary, collector.report


def left_of(prelude: Sequence[Item], items: Sequence[Item]) -> tuple[Item, ...]:
    """What every game begins with, without what this one calls something else."""
    taken = set()
    for item in items:
        name = name_of(item)
        taken |= {name.text} if name is not None else set()
        if isinstance(item, ast.EnumDecl):
            taken |= {member.name.text for member in item.members}
    kept = ((item, name_of(item)) for item in prelude)
    return tuple(item for item, name in kept if name is None or name.text not in taken)


_DECIDING = (ast.Decision, ast.Window)


def _decides(node: ast.Node) -> bool:
    return isinstance(node, _DECIDING)


def _options(node: ast.Node) -> dict[str, ast.Option]:
    found: dict[str, ast.Option] = {}
    if isinstance(node, _DECIDING):
        for option in node.options:
            found.setdefault(option.name.text, option)
    return found


_WORDS = {"variable": "var"}  # the keyword of a kind that is called otherwise


@define
class _Collector:
    """Takes declarations in, and reports names that are taken."""

    names: dict[str, NamedDecl] = field(factory=dict)
    members: dict[str, list[ast.EnumDecl]] = field(factory=dict)
    readings: dict[str, list[ast.Ruling | ast.Gap]] = field(factory=dict)
    report: Report = field(factory=Report)
    _places: dict[str, Span] = field(factory=dict)

    def take(self, item: Item) -> None:
        """Take the name of a declaration in, and those of its members and readings."""
        name = name_of(item)
        if name is None or not isinstance(item, NamedDecl):
            return
        if self._is_free(name, what(item)):
            self.names[name.text] = item
            self._places[name.text] = name.span
        if isinstance(item, ast.EnumDecl):
            for member in item.members:
                self._member(member, item)
        elif isinstance(item, ast.Ruling | ast.Gap):
            for reading in item.readings:
                self.readings.setdefault(reading.name.text, []).append(item)

    def _member(self, member: ast.Member, item: ast.EnumDecl) -> None:
        name = member.name
        enums = self.members.setdefault(name.text, [])
        if item in enums:
            return  # told by `inside`
        if not enums and not self._is_free(name, what(member)):
            return
        enums.append(item)
        self._places.setdefault(name.text, name.span)

    def _is_free(self, name: Word, kind: str) -> bool:
        if name.text in RESERVED:
            self.report.add(ReservedName(name.text, RESERVED[name.text], span=name.span))
            return False
        if kind == "define" and name.text in OPERATORS:
            self.report.add(ReservedName(name.text, "an operator", span=name.span))
            return False
        if name.text in self._places:
            word = _WORDS.get(kind, kind)
            fix = f"write `replace {word} {name.text} …`" if self._other(name) else ""
            self._duplicate(name, kind, self._places[name.text], fix)
            return False
        return True

    def _other(self, name: Word) -> bool:
        """Whether the first of that name stands in another file."""
        return self._places[name.text].file != name.span.file

    def _duplicate(self, name: Word, kind: str, first: Span, fix: str = "") -> None:
        notes = ((first, "the first one"),)
        self.report.add(DuplicateName(name.text, kind, fix, span=name.span, notes=notes))

    def inside(self, item: Item) -> None:
        """Report names given twice within one declaration."""
        for kind, words in _lists_of(item):
            first: dict[str, Word] = {}
            for word in words:
                if word.text in first:
                    self._duplicate(word, kind, first[word.text].span)
                first.setdefault(word.text, word)


def _lists_of(item: Item) -> Iterator[tuple[str, list[Word]]]:
    """The lists of names in a declaration that must differ from each other."""
    match item:
        case ast.EnumDecl():
            yield "member", [member.name for member in item.members]
            yield "code", [member.code for member in item.members if member.code is not None]
        case ast.Ruling() | ast.Gap():
            yield "reading", [reading.name for reading in item.readings]
        case ast.TokenDecl():
            kinds = (ast.Attribute, ast.Sticky)
            yield "attribute", [line.name for line in item.lines if isinstance(line, kinds)]
        case _:
            return
