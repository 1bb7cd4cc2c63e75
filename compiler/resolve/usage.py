"""Names that are taken, and names that nothing needs."""

from collections.abc import Iterable

from compiler.diagnostic import Report
from compiler.resolve.errors import (
    NeverRolled,
    OutsideWindow,
    RulingNeverRead,
    ShadowedName,
    UnusedName,
)
from compiler.resolve.references import How, References, Role, Use
from compiler.resolve.vocabulary import RESERVED, Vocabulary
from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.declared import NamedDecl, article, name_of, what

STANDING = "standing"
"""The definition about one player by which those who think ahead judge: no rule has to read it."""

_VALUES = frozenset(word for word, meaning in RESERVED.items() if meaning != "a type")
_UNNAMED = frozenset({Role.GIVEN, Role.ATTRIBUTE})
_IDLE = frozenset({Role.GIVEN, Role.ATTRIBUTE, Role.COUNTER})  # a loop may only count
_IN_WINDOWS = {"passes": "0..9 = 0", "passed": "set of player = empty"}  # what they would be


def check_shadowing(vocabulary: Vocabulary, references: References) -> Report:
    """A local may not have a name that can be read there already."""
    report = Report()
    for local in references.locals:
        word = local.word
        if local.role in _UNNAMED:
            continue
        if local.outer is not None and local.outer.role not in _UNNAMED:
            notes = ((local.outer.word.span, "introduced here"),)
            role = local.outer.role.value
            report.add(ShadowedName(word.text, f"{role} here", span=word.span, notes=notes))
            continue
        taken = _taken(vocabulary, word)
        if taken is not None:
            report.add(taken)
    for word, outer in references.holders:
        notes = ((outer.word.span, "introduced here"),)
        meaning = f"{RESERVED['holder']}, and {outer.role.value} here"
        report.add(ShadowedName(word.text, meaning, span=word.span, notes=notes))
    return report


def _taken(vocabulary: Vocabulary, word: Word) -> ShadowedName | None:
    """What a local's name means at the top level, if it means something as a value."""
    name = word.text
    if name in _VALUES and name != "holder":
        return ShadowedName(name, RESERVED[name], span=word.span)
    item = vocabulary.names.get(name)
    if item is not None and item not in vocabulary.prelude:
        notes = ((item.name.span, "declared here"),)
        return ShadowedName(name, article(what(item)), span=word.span, notes=notes)
    for enum in vocabulary.members.get(name, ()):
        members = (member.name for member in enum.members if member.name.text == name)
        places = tuple((member.span, "declared here") for member in members)
        meaning = f"a member of `{enum.name.text}`"
        return ShadowedName(name, meaning, span=word.span, notes=places)
    return None


def check_windows(vocabulary: Vocabulary, references: References) -> Report:
    """`passes` and `passed` mean something in the lines of a window only."""
    report = Report()
    for use in references.uses:
        if use.word.text in _IN_WINDOWS and use.word.text not in vocabulary.names:
            type_ = _IN_WINDOWS[use.word.text]
            report.add(OutsideWindow(use.word.text, type_, span=use.word.span))
    return report


def check_usage(vocabulary: Vocabulary, references: References) -> Report:
    """Declarations that nothing reads, rulings that no rule asks for, locals without a reader."""
    report = Report()
    read = _names(vocabulary, references.uses, How.READ)
    written = _names(vocabulary, references.uses, How.WRITTEN)
    rolled = _names(vocabulary, references.uses, How.ROLLED)
    for item in vocabulary.items:
        name = name_of(item)
        if name is None or name.text.startswith("_") or not isinstance(item, NamedDecl):
            continue
        if isinstance(item, ast.Die) and name.text not in rolled:
            report.add(NeverRolled(name.text, span=name.span))
        elif isinstance(item, ast.Ruling | ast.Gap) and name.text not in read:
            reading = item.readings[-1].name.text
            report.add(RulingNeverRead(name.text, reading, span=name.span))
        elif not isinstance(item, ast.PhaseDecl) and not _is_read(item, read):
            report.add(UnusedName(name.text, _idle(item, name.text in written), span=name.span))
    for local in references.locals:
        word, role = local.word, local.role
        if not local.read and role not in _IDLE and not word.text.startswith("_"):
            report.add(UnusedName(word.text, f"{role.value}, never read", span=word.span))
    return report


def _names(vocabulary: Vocabulary, uses: Iterable[Use], how: How) -> frozenset[str]:
    """The names that are used so by some declaration other than their own."""
    own = vocabulary.names
    return frozenset(u.word.text for u in uses if u.how is how and own.get(u.word.text) is not u.by)


def _is_read(item: NamedDecl, read: frozenset[str]) -> bool:
    """Whether something reads a declaration; of an enum, one of its members will do."""
    if isinstance(item, ast.Define) and item.name.text == STANDING and len(item.params or ()) == 1:
        return True
    if isinstance(item, ast.EnumDecl) and any(m.name.text in read for m in item.members):
        return True
    return item.name.text in read


def _idle(item: NamedDecl, is_written: bool) -> str:
    kind = article(what(item))
    return f"{kind} that is given values and never read" if is_written else f"{kind}, never used"
