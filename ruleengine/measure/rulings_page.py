"""The table of rulings as people and programs read it: Markdown, rows of text, JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from compiler.graph.values import seat_text
from ruleengine.measure.effects import Effect
from ruleengine.measure.intervals import ALPHA, Interval
from ruleengine.measure.lockstep import Parting
from ruleengine.measure.rulings import Answer, Rulings

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
        _seen(effect.parted),
        _percent(effect.changed.value),
        _signed(effect.length),
        _signed(effect.score),
        _chances(effect),
    )


def first(found: Rulings) -> tuple[Answer, ...]:
    """The rulings to decide first, each by the reading of it that changes most."""
    best: dict[str, Answer] = {}
    for answer in found.answers:
        if answer.effect is not None and answer.effect.parted.value and not answer.under:
            best.setdefault(answer.asked.ruling, answer)
    return tuple(best.values())[:FIRST]


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _seen(interval: Interval) -> str:
    """A share; of one that was never seen, how large it may be all the same."""
    if interval.value:
        return _percent(interval.value)
    return f"0 (< {100 * interval.high:.0f}) %"


def _signed(interval: Interval | None) -> str:
    """A difference with half its interval; a star where it is told apart from none."""
    if interval is None:
        return "-"
    half = (interval.high - interval.low) / 2
    if not interval.value and not half:
        return "0"
    star = " *" if interval.excludes_zero else ""
    return f"{interval.value:+.2g} ± {half:.2g}{star}"


def _chances(effect: Effect) -> str:
    """The seats whose chance is sure to move; else the largest change."""
    moved = [(at, one) for at, one in enumerate(effect.wins) if one.excludes_zero]
    if moved:
        return ", ".join(f"{seat_text(at)} {100 * one.value:+.0f} *" for at, one in moved)
    largest = max(effect.wins, key=lambda one: abs(one.value))
    half = (largest.high - largest.low) / 2
    return f"{100 * largest.value:+.0f} ± {100 * half:.0f}"


# ---- what it means


def method(found: Rulings) -> str:
    """How the figures were found, in a paragraph."""
    return (
        f"{found.games} random games of {found.seats} players (seed {found.seed}) were played with "
        "the usual readings, and again with each other reading: the same chance and the same "
        "choices by rank, until the two part. *Games part* is the share in which somebody else "
        "decides, other answers or odds are offered, something lies elsewhere or is counted "
        "otherwise, somebody knows something else, or the end is another; *end otherwise* the "
        "share with other winners or scores. Length is in steps (answers and outcomes), score in "
        "points (mean over the seats), chance in hundredths of a seat's chance to win; all three "
        "are differences of paired games. Intervals hold together: the chance that any of the "
        f"{found.comparisons} misses is at most {100 * ALPHA:.0f} % (Bonferroni; Student's t for "
        "means, Agresti and Min for paired shares). A star marks what is told apart from no "
        "change. What is sure to move comes first, then what ends otherwise most often."
    )


def words(answer: Answer) -> str:
    """What a reading comes to, in a sentence."""
    asked, effect = answer.asked, answer.effect
    told = f"`{asked.ruling}={asked.reading}` ({asked.title}) instead of `{asked.usual}`"
    if effect is None:
        return f"{told} was not run: {answer.why}."
    if not effect.parted.value:
        most = _percent(effect.parted.high)
        return f"{told} changed nothing in {effect.games} games; at most {most} may part."
    return (
        f"{told} parts {_percent(effect.parted.value)} of games and ends "
        f"{_percent(effect.changed.value)} otherwise."
    )


def parting_words(parting: Parting, usual: str, reading: str) -> str:
    """Where two readings part, in a sentence."""
    about = f" ({parting.about})" if parting.about else ""
    count = len(parting.play)
    stops = f"after {count} step{'s' if count != 1 else ''}" if count else "from the start"
    return (
        f"{stops}: {parting.what.value}{about}. "
        f"{usual}: {_short(parting.old)}. {reading}: {_short(parting.new)}."
    )


def _short(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[:_CUT].rsplit(' ', 1)[0]} …"


# ---- Markdown


def markdown(found: Rulings, stories: Mapping[Answer, Sequence[str]] | None = None) -> str:
    """The table as a page; `stories` are plays to be told whole."""
    return "\n".join(_page(found, stories or {})) + "\n"


def _page(found: Rulings, stories: Mapping[Answer, Sequence[str]]) -> Iterator[str]:
    name = found.spec.name
    yield f"# Which rulings of {found.spec.title} matter"
    yield ""
    yield f"<!-- Written by `rulewright rulings {name}`: run it again, do not change this page. -->"
    yield ""
    leading = first(found)
    if leading:
        yield "Decide these first:"
        yield ""
        for at, answer in enumerate(leading, 1):
            yield f"{at}. {answer.asked.question} {words(answer)}"
        yield ""
    yield f"| {' | '.join(HEADERS)} | they part |"
    yield f"| --- | --- |{' ---: |' * (len(HEADERS) - 2)} --- |"
    for answer in found.answers:
        yield f"| {' | '.join((*_cells(answer), _parting(answer)))} |"
    yield ""
    yield method(found)
    for answer, lines in stories.items():
        yield ""
        yield f"## {answer.asked.ruling}: {answer.asked.usual} or {answer.asked.reading}"
        yield ""
        yield f"{answer.asked.question} {' '.join('@' + c for c in answer.asked.clauses)}"
        yield ""
        yield "```text"
        yield from lines
        yield "```"
        yield ""
        yield _sentence(answer)


def _sentence(answer: Answer) -> str:
    if answer.witness is None:
        return ""
    asked = answer.asked
    said = parting_words(answer.witness, f"`{asked.usual}`", f"`{asked.reading}`")
    return said[0].upper() + said[1:]


def _cells(answer: Answer) -> tuple[str, ...]:
    ruling, reading, *rest = _row(answer)
    cited = " ".join(answer.asked.clauses)
    return f"{ruling} {cited}".strip(), reading, *(cell.replace("*", "\\*") for cell in rest)


def _parting(answer: Answer) -> str:
    if answer.witness is None:
        return answer.why or "never"
    count = len(answer.witness.play)
    stops = f"step {count}" if count else "from the start"
    about = f" ({answer.witness.about})" if answer.witness.about else ""
    return f"{stops}: {answer.witness.what.value}{about}".replace("|", "\\|")


# ---- JSON


def entry(found: Rulings) -> dict[str, object]:
    """The table as programs read it."""
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
    asked, witness = answer.asked, answer.witness
    return {
        "ruling": asked.ruling,
        "question": asked.question,
        "clauses": list(asked.clauses),
        "usual": asked.usual,
        "reading": asked.reading,
        "under": dict(answer.under),
        "why_not_run": answer.why or None,
        "effect": None if answer.effect is None else effect_entry(answer.effect),
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
