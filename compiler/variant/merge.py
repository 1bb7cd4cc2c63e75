"""A rulebook with variants laid over it: one list of declarations, as if written so at once.

Nodes keep the places where they were written, so that what is found later names the right file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, evolve, field

from compiler.diagnostic import Error, Report
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.declared import Item, article, name_of, title_of, what
from compiler.syntax.spelling import nearest
from compiler.syntax.walk import alike, cited, walk
from compiler.variant.edits import (
    edited,
    is_title,
    key_of,
    looked_in,
    meant_one,
    name_of_host,
    said_at,
    stands_in,
)
from compiler.variant.errors import (
    MeetsTwice,
    NoChange,
    NotSettable,
    NoVariant,
    TargetNotFound,
    UnknownReading,
    VariantOfAnother,
)
from compiler.variant.hooks import Host
from compiler.variant.ledger import Entry, Key, Ledger


def merge(base: ast.File, variants: Sequence[ast.File] = ()) -> tuple[tuple[Item, ...], Report]:
    """The effective declarations, the rulebook's heading among them, and what was found.

    Variants are laid over in order, each over all before it.  An edit that fails is left out.
    """
    merging = _merged(base, variants)
    return tuple(merging.items), merging.report


def taken_away(base: ast.File, variants: Sequence[ast.File]) -> Mapping[str, Span]:
    """The words that edits leave out of what they edit, and where the last of them stands."""
    found: dict[str, Span] = {}
    for old, new, span in _merged(base, variants).edits:
        kept = set() if new is None else {word.text for word in _words(new)}
        found.update((word.text, span) for word in _words(old) if word.text not in kept)
    return found


def _words(item: Item) -> Iterator[Word]:
    return (node for node in walk(item) if isinstance(node, Word))


def _merged(base: ast.File, variants: Sequence[ast.File]) -> "_Merging":
    merging = _Merging(list(base.items))
    rulebook = next((item for item in base.items if isinstance(item, ast.Rulebook)), None)
    for file in variants:
        headings = [item for item in file.items if isinstance(item, ast.Variant)]
        if not headings:
            merging.report.add(NoVariant(span=file.items[0].span if file.items else file.span))
        for variant in headings:
            merging.lay_over(variant, rulebook.name.text if rulebook else None)
    return merging


@define
class _Merging:
    """The declarations so far."""

    items: list[Item]
    report: Report = field(factory=Report)
    edits: list[tuple[Item, Item | None, Span]] = field(factory=list)  # before, after, and where
    _ledger: Ledger = field(factory=Ledger)
    _variant: str = ""
    # Citations of what the variant takes away, and of the edits that do: it answers for them.
    _spare: list[Word] = field(factory=list)

    def lay_over(self, variant: ast.Variant, base: str | None) -> None:
        """Apply one variant."""
        self._variant = variant.name.text
        self._spare = list(variant.cites)
        of = variant.of.text
        if base is not None and of != base and of not in self._ledger.variants:
            self.report.add(VariantOfAnother(of, base, span=variant.of.span))
            return
        self._ledger.open(self._variant, of)
        for line in variant.lines:
            self._line(line)
        if self._spare:
            title = variant.title or variant.name
            note = ast.NoteDecl(title, tuple(self._spare), span=variant.span)
            self.items.append(note)

    def _line(self, line: ast.ClausesFile | ast.Declaration | ast.Delta) -> None:
        match line:
            case ast.ClausesFile():
                self._bring(line)
            case ast.SetValue():
                self._set(line)
            case ast.ReplaceDecl():
                self._replace(line)
            case ast.RemoveDecl():
                self._remove(line)
            case ast.ExtendEnum():
                self._extend(line)
            case ast.Within():
                self._within(line)
            case _:
                self.items.append(line)

    def _bring(self, line: ast.ClausesFile) -> None:
        """A table of clauses of the variant's own, beside the rulebook's."""
        for at, item in enumerate(self.items):
            if isinstance(item, ast.Rulebook):
                self.items[at] = evolve(item, lines=(*item.lines, line))
                return

    # ---- whole declarations

    def _set(self, line: ast.SetValue) -> None:
        item = self._named(line.name, "setting")
        if item is None:
            return
        match item:
            case ast.Param() | ast.Given():
                same = item.default is not None and alike(item.default, line.value)
                tail = evolve(item.tail, cites=(*item.tail.cites, *line.tail.cites))
                new: Item | Error = (
                    NoChange(line.name.text, span=line.span, notes=said_at(item.name))
                    if same
                    else evolve(item, default=line.value, tail=tail)
                )
            case ast.Ruling() | ast.Gap():
                new = _with_default(item, line)
            case _:
                kind = article(what(item))
                at = name_of(item) or item
                notes = said_at(at)
                new = NotSettable(line.name.text, kind, span=line.name.span, notes=notes)
        self._put(item, new, (line.name.text,), line)

    def _replace(self, line: ast.ReplaceDecl) -> None:
        new = line.declaration
        name, title = name_of(new), title_of(new)
        old: Item | None = None
        if isinstance(new, ast.Start):
            old = self._host("start", line)
        elif name is not None:
            old = self._named(name, "declaration")
        elif title is not None:
            old = self._titled(title, (type(new),))
        else:
            missing = TargetNotFound(what(new), "", "this rulebook", "", span=line.span)
            self.report.add(missing)
        if old is None:
            return
        called = (name or title or ast.Word("start", span=line.span)).text
        at = name_of(old) or title_of(old) or old
        unchanged = NoChange(called, span=line.span, notes=said_at(at))
        same = unchanged if alike(old, new) else new
        self._put(old, same, (called,), line)

    def _remove(self, line: ast.RemoveDecl) -> None:
        if is_title(line.what):
            old = self._titled(line.what, _TITLED)
        else:
            old = self._named(line.what, "declaration")
        if old is not None and self._put(old, None, (line.what.text,), line):
            self._spare.extend(line.cites)

    def _extend(self, line: ast.ExtendEnum) -> None:
        item = self._named(line.name, "enum")
        if item is None:
            return
        if not isinstance(item, ast.EnumDecl):
            enums = (i.name.text for i in self.items if isinstance(i, ast.EnumDecl))
            self._not_found("enum", line.name, enums)
            return
        tail = evolve(item.tail, cites=(*item.tail.cites, *line.tail.cites))
        new = evolve(item, members=(*item.members, *line.members), tail=tail)
        self._put(item, new, (line.name.text,), line, exclusive=False)

    # ---- inside a phase

    def _within(self, line: ast.Within) -> None:
        self._spare.extend(line.tail.cites)
        for edit in line.edits:
            host = self._host(line.phase.text, line)
            if host is None:
                return
            key, exclusive = key_of(line.phase.text, edit)
            new = edited(host, edit)
            if isinstance(new, TargetNotFound):
                new = self._elsewhere(new)
            done = self._put(host, new, key, edit, exclusive)
            if done and isinstance(edit, ast.RemovePart | ast.RemoveGuard):
                self._spare.extend(edit.cites)

    def _elsewhere(self, missing: TargetNotFound) -> TargetNotFound:
        """The same, with the phase that has what another one has not."""
        for item in self.items:
            if isinstance(item, ast.PhaseDecl | ast.Start) and stands_in(item, missing):
                fix = f"it stands in another one: write `in {name_of_host(item)}`"
                return evolve(missing, fix=fix)
        return missing

    def _host(self, name: str, line: ast.Within | ast.ReplaceDecl) -> Host | None:
        for item in self.items:
            if isinstance(item, ast.Start) and name == "start":
                return item
            if isinstance(item, ast.PhaseDecl) and item.name.text == name:
                return item
        word = line.phase if isinstance(line, ast.Within) else ast.Word(name, span=line.span)
        phases = (item.name.text for item in self.items if isinstance(item, ast.PhaseDecl))
        self._not_found("phase", word, phases)
        return None

    # ---- finding and putting

    def _named(self, name: Word, kind: str) -> Item | None:
        """The declaration of a name; a second one of the same name is reported elsewhere."""
        for item in self.items:
            found = name_of(item)
            if found is not None and found.text == name.text:
                return item
        kinds = _SETTABLE if kind == "setting" else ()
        some = [item for item in self.items if not kinds or isinstance(item, kinds)]
        known = [found.text for item in some if (found := name_of(item)) is not None]
        self._not_found(kind, name, known)
        return None

    def _titled(self, title: Word, kinds: tuple[type[ast.Node], ...]) -> Item | None:
        titles = [(item, title_of(item)) for item in self.items if isinstance(item, kinds)]
        met = [item for item, found in titles if found is not None and found.text == title.text]
        if len(met) > 1:
            notes = tuple((item.span, "one of them") for item in met)
            self.report.add(MeetsTwice(title.text, len(met), span=title.span, notes=notes))
            return None
        if not met:
            known = [found.text for _, found in titles if found is not None]
            self._not_found("declaration", title, known)
            return None
        return met[0]

    def _not_found(self, kind: str, name: Word, known: Iterable[str]) -> None:
        fix = meant_one(name.text, tuple(known))
        heading = next((i for i in self.items if isinstance(i, ast.Rulebook)), None)
        notes = () if heading is None else looked_in(heading.name)
        missing = TargetNotFound(kind, name.text, "the rulebook", fix, span=name.span, notes=notes)
        self.report.add(missing)

    def _put(
        self,
        old: Item,
        new: Item | Error | None,
        key: Key,
        line: ast.Delta | ast.Edit,
        exclusive: bool = True,
    ) -> bool:
        """Put a declaration in place of another, or nothing; whether that was done."""
        entry = Entry(key, exclusive, self._variant, line.span)
        clash = self._ledger.clash(entry)
        if clash is not None:
            self.report.add(clash)
            return False
        if isinstance(new, Error):
            self.report.add(new)
            return False
        kept = frozenset(word.text for word in cited(*(() if new is None else (new,))))
        self._spare.extend(word for word in cited(old) if word.text not in kept)
        at = next(i for i, item in enumerate(self.items) if item is old)
        self.items[at : at + 1] = [] if new is None else [new]
        self.edits.append((old, new, line.span))
        self._ledger.add(entry)
        return True


_SETTABLE = (ast.Param, ast.Given, ast.Ruling, ast.Gap)
# what `remove "Title"` may mean
_TITLED: tuple[type[ast.Node], ...] = (
    ast.InvariantDecl,
    ast.ClaimDecl,
    ast.NoteDecl,
    ast.Discloses,
    ast.Whenever,
    ast.Scenario,
)


def _with_default(item: ast.Ruling | ast.Gap, line: ast.SetValue) -> Item | Error:
    """The ruling with its default moved to the reading that is set."""
    wanted = line.value.name.text if isinstance(line.value, ast.Name) else line.value.span.text
    names = [reading.name.text for reading in item.readings]
    if wanted not in names:
        near = nearest(wanted, names)
        notes = said_at(item.name)
        return UnknownReading(item.name.text, wanted, near, span=line.value.span, notes=notes)
    defaults = [reading.name.text for reading in item.readings if reading.default is not None]
    if defaults == [wanted]:
        return NoChange(item.name.text, span=line.span, notes=said_at(item.name))
    mark = ast.Word("default", span=line.value.span)
    readings = tuple(
        evolve(reading, default=mark if reading.name.text == wanted else None)
        for reading in item.readings
    )
    tail = evolve(item.tail, cites=(*item.tail.cites, *line.tail.cites))
    return evolve(item, readings=readings, tail=tail)
