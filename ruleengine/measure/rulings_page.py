"""The table of rulings as people and programs read it: Markdown, rows of text, JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from compiler.graph.values import seat_text
from ruleengine.measure.effects import Effect
from ruleengine.measure.intervals import ALPHA, Interval
from ruleengine.measure.lockstep import Parting
from ruleengine.measure.rulings import Answer, Rulings, with_play

HEADERS: Final = ("ruling", "reading", "games part", "end otherwise", "length", "score", "chance")
FIRST: Final = 3
"""How many rulings are named as those to decide first."""

_CUT: Final = 160  # characters of a witness in a table


def rows(found: Rulings) -> list[tuple[str, ...]]:
    """A row for each reading, under `HEADERS`."""
    return [_row(answer) for answer in found.answers]


def _row(answer: Answer) -> tuple[str, ...]:
    asked, effect = answer.asked, answer.effect
    under = "".join(f" (with {name}={value})" for name, value in answer.under)
    name = f"{asked.ruling}"
    if effect is None:
        return name, asked.reading + under, "not run", "-", "-", "-", "-"
    return (
        name,
        asked.reading + under,
        _parted(answer, effect),
        _share(effect.changed),
        _signed(effect.length),
        _signed(effect.score),
        _chances(effect),
    )


def first(*tables: Rulings) -> tuple[Answer, ...]:
    """The rulings to decide first, each by the reading and the table in which it changes most."""
    best: dict[str, Answer] = {}
    everything = [answer for found in tables for answer in found.answers]
    for answer in sorted(everything, key=lambda answer: answer.rank):
        if answer.effect is not None and answer.effect.changed.value and not answer.under:
            best.setdefault(answer.asked.ruling, answer)
    return tuple(best.values())[:FIRST]


def _parted(answer: Answer, effect: Effect) -> str:
    knowing = answer.knowing
    if not effect.parted.value and knowing is not None and knowing.parted:
        return f"in knowledge, {knowing.parted} of {knowing.games}"
    return _share(effect.parted)


def _share(interval: Interval) -> str:
    """A share and its interval; of one that was never seen, how large it may be all the same."""
    if not interval.value:
        return f"0 (< {_percent(interval.high)}) %"
    low, high = _percent(interval.low), _percent(interval.high)
    return f"{_percent(interval.value)} ({low} to {high}) %"


def _percent(value: float) -> str:
    """In hundredths; small ones with a digit behind the point."""
    return f"{100 * value:.1f}" if 0 < value < 0.0995 else f"{100 * value:.0f}"


def _signed(interval: Interval | None) -> str:
    """A difference with half its interval; a star where it is told apart from none."""
    if interval is None:
        return "-"
    half = (interval.high - interval.low) / 2
    if not interval.value and not half:
        return "0"
    star = " *" if interval.excludes_zero else ""
    return f"{_short_number(interval.value, '+')} ± {_short_number(half)}{star}"


def _short_number(value: float, sign: str = "") -> str:
    """Two digits of a number, or all before the point."""
    return f"{value:{sign}.0f}" if abs(value) >= 10 else f"{value:{sign}.2g}"


def _chances(effect: Effect) -> str:
    """The seats whose chance is sure to move; else the largest change."""
    moved = [(at, one) for at, one in enumerate(effect.wins) if one.excludes_zero]
    if moved:
        return ", ".join(f"{seat_text(at)} {_points(one)} *" for at, one in moved)
    return _points(max(effect.wins, key=lambda one: abs(one.value)))


def _points(interval: Interval) -> str:
    half = 100 * (interval.high - interval.low) / 2
    digits = 0 if half >= 2 else 1
    return f"{100 * interval.value:+.{digits}f} ± {half:.{digits}f}"


# ---- what it means


def method(*tables: Rulings) -> str:
    """How the figures were found, in a paragraph."""
    found = tables[0]
    counts = _listed([str(table.seats) for table in tables])
    fewer = any(answer.under for table in tables for answer in table.answers)
    under = " (what matters only *with* another reading: a quarter as many)" if fewer else ""
    each = " of each" if len(tables) > 1 else ""
    return (
        f"{found.games} random games{each} of {counts} players (seed {found.seed}) were played "
        f"with the usual readings, and again with each other reading{under}: the same chance and "
        "the same choices by rank, until the two part. *Games part* is the share in which somebody "
        "else decides, chance or a player has another number of ways, something lies elsewhere or "
        "is counted otherwise, or the end is another; *end otherwise* the share with other winners "
        "or scores. *In knowledge* says that only what somebody knows is another, in some games. "
        "Length is in steps (answers and outcomes), score in points (mean over the seats), chance "
        "in hundredths of a seat's chance to win; all three are differences of paired games. "
        f"Intervals hold together: the chance that any of the {found.comparisons} misses is at "
        f"most {100 * ALPHA:.0f} % (Bonferroni; Wilson for shares, Student's t for means, Agresti "
        "and Min for paired shares). A star marks what is told apart from no change. What is sure "
        "to move a chance, the length or the score furthest comes first, then what ends otherwise "
        "most often."
    )


def _listed(words_: Sequence[str]) -> str:
    return words_[0] if len(words_) == 1 else f"{', '.join(words_[:-1])} and {words_[-1]}"


def words(answer: Answer) -> str:
    """What a reading comes to, in a sentence."""
    asked, effect = answer.asked, answer.effect
    told = f"`{asked.ruling}={asked.reading}` ({asked.title}) instead of `{asked.usual}`"
    if effect is None:
        return f"{told} was not run: {answer.why}."
    games = "1 game" if effect.games == 1 else f"{effect.games} games"
    if not effect.parted.value:
        most = _percent(effect.parted.high)
        return f"{told} changed nothing in {games}; at most {most} % may part."
    return (
        f"{told} parts {_percent(effect.parted.value)} % of {games} and ends "
        f"{_percent(effect.changed.value)} % otherwise; {_moved(effect)}."
    )


def _moved(effect: Effect) -> str:
    """What is sure to move, by how much."""
    found = []
    if effect.length is not None and effect.length.excludes_zero:
        found.append(f"length {_signed(effect.length)} (of {effect.before.length:.3g})")
    if effect.score is not None and effect.score.excludes_zero:
        found.append(f"score {_signed(effect.score)} (of {effect.before.score:.3g})")
    found += [
        f"{seat_text(at)}'s chance {_points(one)} (of {100 * usual:.0f} %)"
        for at, (one, usual) in enumerate(zip(effect.wins, effect.before.wins, strict=True))
        if one.excludes_zero
    ]
    return ", ".join(found).replace(" *", "") if found else "no figure is sure to move"


def parting_words(parting: Parting, usual: str, reading: str) -> str:
    """Where two readings part, in a sentence."""
    count = len(parting.play)
    stops = f"after {count} step{'s' if count != 1 else ''}" if count else "from the start"
    return (
        f"{stops}: {parting.matter}. "
        f"{usual}: {_short(parting.old)}. {reading}: {_short(parting.new)}."
    )


def _short(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[:_CUT].rsplit(' ', 1)[0]} …"


# ---- Markdown


def markdown(
    tables: Sequence[Rulings], stories: Mapping[Answer, Sequence[str]] | None = None
) -> str:
    """The tables as a page; `stories` are plays to be told whole."""
    return "\n".join(_page(tables, stories or {})) + "\n"


def _page(tables: Sequence[Rulings], stories: Mapping[Answer, Sequence[str]]) -> Iterator[str]:
    spec = tables[0].spec
    yield f"# Which rulings of {spec.title} matter"
    yield ""
    wide = " --all-players" if len(tables) > 1 else ""
    command = f"rulewright rulings {spec.name} -n {tables[0].games}{wide}"
    again = f"`{command}`: run it again, do not change this page."
    yield f"<!-- Written by {again} -->"
    yield ""
    leading = first(*tables)
    if leading:
        yield "Decide these first:"
        yield ""
        for at, answer in enumerate(leading, 1):
            yield f"{at}. {answer.asked.question} {words(answer)}{_with(tables, answer)}"
        yield ""
    yield method(*tables)
    yield ""
    for found in tables:
        if len(tables) > 1:
            yield f"## {found.seats} players"
            yield ""
        yield from _table(found)
    for answer, lines in stories.items():
        yield f"## {answer.asked.ruling}: {answer.asked.usual} or {answer.asked.reading}"
        yield ""
        yield f"{answer.asked.question} {' '.join('@' + c for c in answer.asked.clauses)}"
        yield ""
        if lines:  # none where they part from the start
            yield "```text"
            yield from lines
            yield "```"
            yield ""
        yield _sentence(with_play(tables, answer))
        yield ""


def _with(tables: Sequence[Rulings], answer: Answer) -> str:
    if len(tables) == 1:
        return ""
    seats = next(found.seats for found in tables if answer in found.answers)
    return f" With {seats} players."


def _table(found: Rulings) -> Iterator[str]:
    yield f"| {' | '.join(HEADERS)} | they part |"
    yield f"| --- | --- |{' ---: |' * (len(HEADERS) - 2)} --- |"
    for answer in found.answers:
        parting = where(answer).replace("|", "\\|")
        yield f"| {' | '.join((*_cells(answer), parting))} |"
    yield ""


def _sentence(answer: Answer) -> str:
    if answer.witness is None:
        return "No play was found after which they part."
    asked = answer.asked
    said = parting_words(answer.witness, f"`{asked.usual}`", f"`{asked.reading}`")
    return said[0].upper() + said[1:]


def _cells(answer: Answer) -> tuple[str, ...]:
    ruling, reading, *rest = _row(answer)
    cited = " ".join(answer.asked.clauses)
    return f"{ruling} {cited}".strip(), reading, *(cell.replace("*", "\\*") for cell in rest)


def where(answer: Answer) -> str:
    """Where two readings part, in a few words for a table."""
    if answer.witness is None:
        parted = answer.effect is not None and answer.effect.parted.value
        return answer.why or ("yes" if parted else "never")
    count = len(answer.witness.play)
    stops = f"step {count}" if count else "from the start"
    return f"{stops}: {answer.witness.matter}"


# ---- JSON


def entry(found: Rulings) -> dict[str, object]:
    """A table as programs read it."""
    return {
        "name": found.spec.name,
        "players": found.seats,
        "seed": found.seed,
        "games": found.games,
        "comparisons": found.comparisons,
        "alpha": found.alpha,
        "rulings": [_answer_entry(answer) for answer in found.answers],
    }


def _answer_entry(answer: Answer) -> dict[str, object]:
    asked, witness, knowing = answer.asked, answer.witness, answer.knowing
    return {
        "ruling": asked.ruling,
        "question": asked.question,
        "clauses": list(asked.clauses),
        "usual": asked.usual,
        "reading": asked.reading,
        "under": dict(answer.under),
        "why_not_run": answer.why or None,
        "effect": None if answer.effect is None else effect_entry(answer.effect),
        "knowing": None if knowing is None else {"games": knowing.games, "parted": knowing.parted},
        "parting": None
        if witness is None
        else {
            "steps": len(witness.play),
            "play": list(witness.play),
            "what": witness.what.name.lower(),
            "about": witness.about or None,
            "usual": witness.old,
            "reading": witness.new,
        },
    }


def effect_entry(effect: Effect) -> dict[str, object]:
    """What a change does, as programs read it."""
    return {
        "games": effect.games,
        "parted": _interval(effect.parted),
        "changed": _interval(effect.changed),
        "unfinished": list(effect.unfinished),
        "length": _interval(effect.length),
        "score": _interval(effect.score),
        "wins": {seat_text(at): _interval(one) for at, one in enumerate(effect.wins)},
    }


def _interval(interval: Interval | None) -> dict[str, float] | None:
    if interval is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high}
