"""Edits inside a phase: each takes the phase as it is and gives it back edited, or says why not."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, TypeVar

from attrs import evolve

from compiler.diagnostic import Error, InternalError
from compiler.source import Span
from compiler.syntax import ast
from compiler.syntax.ast import Word
from compiler.syntax.spelling import nearest
from compiler.syntax.walk import alike, replaced, walk
from compiler.variant.errors import MeetsTwice, NoChange, TargetNotFound
from compiler.variant.hooks import Hook, Host, hooks, options
from compiler.variant.ledger import Key

Cites: TypeAlias = tuple[Word, ...]
Edited: TypeAlias = Host | Error
Notes: TypeAlias = tuple[tuple[Span, str], ...]

_STEP: Final = "step, decision or question"
_TOLD: Final = 10  # names that a message lists; who has more looks into the file


def is_title(word: Word) -> bool:
    """Whether a word was written in quotes."""
    return word.span.text.startswith('"')


def name_of_host(host: Host) -> str:
    """What `in …` calls a phase."""
    return host.name.text if isinstance(host, ast.PhaseDecl) else "start"


def key_of(host: str, edit: ast.Edit) -> tuple[Key, bool]:
    """What an edit edits, and whether it leaves nothing of it for others to edit."""
    match edit:
        case ast.EditStep():
            return (host, edit.title.text), edit.where.text == "replace"
        case ast.EditOption():
            return (host, edit.option.text), False
        case ast.ReplaceOption(option=ast.Option(name=name, lines=None)):
            return (host, name.text, name.text), True  # its line, not what stands below
        case ast.ReplaceOption():
            return (host, edit.option.name.text), True
        case ast.RemovePart():
            return (host, edit.what.text), True
        case ast.RemoveGuard():
            return (host, edit.option.text, *(f"@{cite.text}" for cite in edit.cites)), True
        case ast.AddOptions():
            return (host, edit.title.text), False
        case ast.Restrict():
            return (host, edit.option.text), False


def edited(host: Host, edit: ast.Edit) -> Edited:
    """The phase after one edit."""
    match edit:
        case ast.EditStep():
            return _edit_step(host, edit)
        case ast.EditOption():
            return _edit_option(host, edit)
        case ast.ReplaceOption():
            return _replace_option(host, edit)
        case ast.RemovePart():
            return _remove_part(host, edit)
        case ast.RemoveGuard():
            return _remove_guard(host, edit)
        case ast.AddOptions():
            return _add_options(host, edit)
        case ast.Restrict():
            return _restrict(host, edit)


# ---- steps


def _edit_step(host: Host, edit: ast.EditStep) -> Edited:
    hook = _hook(host, edit.title)
    if isinstance(hook, Error):
        return hook
    block = citing(edit.block, edit.cites)
    match edit.where.text:
        case "before":
            return _with(host, hook.step, (*block, hook.step))
        case "after":
            return _with(host, hook.step, (hook.step, *block))
        case _:
            return _replace_step(host, hook, edit)


def _replace_step(host: Host, hook: Hook, edit: ast.EditStep) -> Edited:
    """A named step, a later branch and an `otherwise` keep their heads; other steps give way.

    A named step also gives way to one named step, which has another name then.
    """
    thing = hook.thing
    match thing, edit.block:
        case ast.Named(), (ast.Named(),):
            old: ast.Block | None = (thing,)
            new: tuple[ast.Node, ...] = citing(edit.block, edit.cites)
        case ast.Named(), _:
            old = thing.block
            new = (evolve(thing, cites=edit.cites, block=edit.block),)
        case ((ast.Elif() | ast.OtherwiseBlock() | ast.Otherwise()), _):
            old = thing.block
            tail = evolve(thing.tail, cites=edit.cites)
            new = (evolve(thing, tail=tail, block=edit.block),)
        case _:
            old = (thing,)
            new = citing(edit.block, edit.cites)
    if old is not None and alike(old, edit.block):
        return NoChange(edit.title.text, span=edit.span, notes=said_at(hook.title))
    return _with(host, thing, new)


def _remove_part(host: Host, edit: ast.RemovePart) -> Edited:
    if is_title(edit.what):
        hook = _hook(host, edit.what)
        return hook if isinstance(hook, Error) else _with(host, hook.thing, ())
    option = _option(host, edit.what)
    return option if isinstance(option, Error) else _with(host, option, ())


def _hook(host: Host, title: Word) -> Hook | Error:
    known = tuple(hooks(host))
    return _only((hook for hook in known if hook.title.text == title.text), title) or (
        _missing(host, _STEP, title, [hook.title.text for hook in known])
    )


# ---- options


def _edit_option(host: Host, edit: ast.EditOption) -> Edited:
    """Steps go in front of those of an option, behind its guards, or behind all of it."""
    option = _option(host, edit.option)
    if isinstance(option, Error):
        return option
    lines = option.lines or ()
    guards = tuple(line for line in lines if isinstance(line, ast.Guard))
    steps = tuple(line for line in lines if not isinstance(line, ast.Guard))
    block = citing(edit.block, edit.cites)
    within = (*block, *steps) if edit.where.text == "before" else (*steps, *block)
    return _with(host, option, (evolve(option, lines=(*guards, *within)),))


def _replace_option(host: Host, edit: ast.ReplaceOption) -> Edited:
    """What the edit leaves out stays: what is chosen, the title, all lines with what is cited."""
    option, said = _option(host, edit.option.name), edit.option
    if isinstance(option, Error):
        return option
    cites = said.tail.cites or (option.tail.cites if said.lines is None else ())
    new = evolve(
        said,
        slots=option.slots if said.slots is None else said.slots,
        tail=evolve(said.tail, title=said.tail.title or option.tail.title, cites=cites),
        lines=option.lines if said.lines is None else said.lines,
    )
    if alike(option, new):
        return NoChange(said.name.text, span=edit.span, notes=said_at(option.name))
    return _with(host, option, (new,))


def _remove_guard(host: Host, edit: ast.RemoveGuard) -> Edited:
    option = _option(host, edit.option)
    if isinstance(option, Error):
        return option
    wanted = {cite.text for cite in edit.cites}
    guards = [line for line in option.lines or () if isinstance(line, ast.Guard)]
    meant = [guard for guard in guards if wanted <= set(guard.tail.clauses)]
    if len(meant) > 1:
        notes = tuple((guard.span, "one of them") for guard in meant)
        return MeetsTwice(edit.option.text, len(meant), span=edit.span, notes=notes)
    if not meant:
        known = [clause for guard in guards for clause in guard.tail.clauses]
        name = edit.cites[0].text if edit.cites else edit.option.text
        where = f"the option `{edit.option.text}`"
        fix = _guards_there(edit.option.text, guards) or meant_one(name, tuple(known))
        notes = looked_in(option.name)
        return TargetNotFound("guard", name, where, fix, span=edit.span, notes=notes)
    return _with(host, meant[0], ())


def _restrict(host: Host, edit: ast.Restrict) -> Edited:
    option = _option(host, edit.option)
    if isinstance(option, Error):
        return option
    lines = option.lines or ()
    old = tuple(line for line in lines if isinstance(line, ast.Guard))
    for guard in edit.guards:
        for same in old:
            if guard.how.text == same.how.text and alike(guard.test, same.test):
                return NoChange(edit.option.text, span=guard.span, notes=said_at(same))
    steps = tuple(line for line in lines if not isinstance(line, ast.Guard))
    added = tuple(_citing(guard, edit.cites) for guard in edit.guards)
    return _with(host, option, (evolve(option, lines=(*old, *added, *steps)),))


def _add_options(host: Host, edit: ast.AddOptions) -> Edited:
    hook = _hook(host, edit.title)
    if isinstance(hook, Error):
        return hook
    decision = hook.thing
    if not isinstance(decision, ast.Decision | ast.Window):
        decisions = [h.title.text for h in hooks(host) if isinstance(h.thing, _DECIDING)]
        return _missing(host, "decision with options", edit.title, decisions)
    added = tuple(_citing(option, edit.cites) for option in edit.options)
    return _with(host, decision, (evolve(decision, options=(*decision.options, *added)),))


_DECIDING = (ast.Decision, ast.Window)


def _option(host: Host, name: Word) -> ast.Option | Error:
    known = tuple(options(host))
    return _only((option for option in known if option.name.text == name.text), name) or (
        _missing(host, "option", name, [option.name.text for option in known])
    )


# ---- what they share

Met = TypeVar("Met", Hook, ast.Option)


def _only(met: Iterable[Met], name: Word) -> Met | MeetsTwice | None:
    """The one thing that was met, if it is one."""
    found = tuple(met)
    if len(found) > 1:
        notes = tuple((_place(one).span, "one of them") for one in found)
        return MeetsTwice(name.text, len(found), span=name.span, notes=notes)
    return found[0] if found else None


def _place(met: Hook | ast.Option) -> Word:
    return met.title if isinstance(met, Hook) else met.name


def _missing(host: Host, what: str, name: Word, known: Sequence[str]) -> TargetNotFound:
    where = f"`{name_of_host(host)}`"
    fix = _instead(host, what, name) or meant_one(name.text, known)
    notes = looked_in(host.name if isinstance(host, ast.PhaseDecl) else host)
    return TargetNotFound(what, name.text, where, fix, span=name.span, notes=notes)


def _instead(host: Host, what: str, name: Word) -> str:
    """What to do in a phase that has little of the sort that an edit names."""
    titles = {hook.title.text for hook in hooks(host)}
    written = name.span.file.text[name.span.end :].lstrip(" ")
    title = written[1:].partition('"')[0] if written.startswith('"') else ""
    if title in titles:
        return f'a step is named by its title alone: `"{title}"`'
    if not titles:
        return f"nothing in it has a title: give the step one, or `replace` all of {_whole(host)}"
    asks = any(isinstance(node, ast.Choice) for node in walk(*host.block))
    if what == _STEP or not asks or any(options(host)):
        return ""
    return "no choice in it has options with names: `replace` one as a whole, by its title"


def _whole(host: Host) -> str:
    return f"`phase {host.name.text}`" if isinstance(host, ast.PhaseDecl) else "`start`"


def _guards_there(option: str, guards: Sequence[ast.Guard]) -> str:
    """What to do where guards cite nothing, so that an edit cannot name one."""
    if not guards or any(guard.tail.clauses for guard in guards):
        return ""
    return f"its guards cite no clause: write `replace {option}` and its new lines"


def meant_one(name: str, known: Sequence[str]) -> str:
    """The one that was meant, or else which there are; nothing if there are none."""
    part = [one for one in known if name.lower().strip("?!.") in one.lower()] if name else []
    near = nearest(name, known) or (part[0] if len(set(part)) == 1 else "")
    if near:
        return f"did you mean `{near}`?"
    several = list(dict.fromkeys(known))
    if not several or len(several) > _TOLD:
        return ""
    return f"it has {', '.join(f'`{one}`' for one in several)}"


def stands_in(host: Host, missing: TargetNotFound) -> bool:
    """Whether a phase has what was not found in another one."""
    if missing.what == "option":
        return missing.name in {option.name.text for option in options(host)}
    titles = {hook.title.text for hook in hooks(host)}
    return missing.what == _STEP and missing.name in titles


def looked_in(node: ast.Node) -> Notes:
    """A note on the place where an edit looked for what it edits, in whichever file that is."""
    return ((node.span, "looked for in here"),)


def said_at(node: ast.Node) -> Notes:
    """A note on the place that says something already."""
    return ((node.span, "it is said here"),)


def _with(host: Host, target: ast.Node, by: tuple[ast.Node, ...]) -> Host:
    """The phase with other nodes in place of one of its own."""
    made = replaced(host, target, by)
    if not isinstance(made, ast.PhaseDecl | ast.Start):
        raise InternalError("an edited phase is a phase")
    return made


Citing = TypeVar("Citing", ast.Guard, ast.Option)


def _citing(line: Citing, cites: Cites) -> Citing:
    return evolve(line, tail=evolve(line.tail, cites=(*line.tail.cites, *cites)))


def citing(block: ast.Block, cites: Cites) -> ast.Block:
    """The steps, each with more citations: those of the edit that brings them in."""
    if not cites:
        return block
    return tuple(
        evolve(step, cites=(*step.cites, *cites))
        if isinstance(step, ast.Named)
        else evolve(step, tail=evolve(step.tail, cites=(*step.tail.cites, *cites)))
        for step in block
    )
