"""`solve`: how a game goes at random and when everybody plays best, exactly."""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

import click

from compiler.graph.values import seat_text
from ruleengine.cli.options import FOUND, Whole, all_loaded, as_json, chosen, configured, specs
from ruleengine.cli.screen import JsonEntry, progress, say, say_json
from ruleengine.game import Instance
from ruleengine.play.course import Course
from ruleengine.play.retelling import Retelling
from ruleengine.solve.best import Best
from ruleengine.solve.chain import Chances
from ruleengine.solve.histories import HISTORY_LIMIT, Moment
from ruleengine.solve.solving import SOLVED_STATES, Hidden, Solution, solve
from ruleengine.solve.worth import Number
from ruleengine.trail import record_of

_WIDTH: Final = 88
_DIGITS: Final = 12  # a fraction is shown if it is no longer than this; its decimals always
_ALIKE: Final = 4  # answers of one worth that are named


@click.command("solve", short_help="Solve a small game: random play and best play, exactly.")
@specs
@click.option(
    "--limit",
    type=Whole(1),
    default=SOLVED_STATES,
    show_default=True,
    metavar="N",
    help="Situations beyond which a game is not solved.",
)
@click.option(
    "--histories",
    type=Whole(1),
    default=HISTORY_LIMIT,
    show_default=True,
    metavar="N",
    help="The same for histories, where something is hidden.",
)
@click.option("--strategy", is_flag=True, help="Say how to play where something is hidden.")
@configured
@as_json
def command(
    specs: tuple[str, ...],
    limit: int,
    histories: int,
    strategy: bool,
    players: int | None,
    settings: tuple[str, ...],
    json_: bool,
) -> int:
    """Solve a small game.

    Played at random: the probability that it ends, that each seat wins, and how long it is. Played
    best: what each seat gets, and which first answers are best. Fractions are exact; decimals come
    from sparse linear equations. Where something is hidden, two players are solved by a linear
    program whose result is proved from both sides. The exit code is 1 if a game is too large or no
    method fits.
    """
    entries: list[JsonEntry] = []
    unsolved = False
    for one in all_loaded(specs, chosen(players, settings)):
        begun = perf_counter()
        with progress(one.game.name, None) as tell:
            found = solve(one.game, limit=limit, histories=histories, progress=tell)
        seconds = perf_counter() - begun
        unsolved |= not found.is_solved
        if json_:
            entries.append(solution_entry(found, seconds, one.seconds))
        else:
            show_solution(found, strategy)
    if json_:
        say_json(entries)
    return FOUND if unsolved else 0


# ---- for people


def show_solution(found: Solution, strategy: bool) -> None:
    """A solution in a few lines."""
    say(f"{found.name}, {found.seats} players: {found.states} situations")
    if found.random is not None:
        _show_random(found.random)
    elif found.why_not_random:
        say(f"  at random: not solved, {found.why_not_random}")
    if found.best is not None:
        _show_best(found.best, found.first_answers)
    elif found.hidden is not None:
        _show_hidden(found.hidden, strategy)
    elif found.why_not_best != found.why_not_random:
        say(f"  best play: {found.why_not_best}")


def _show_random(random: Chances) -> None:
    ends = "surely" if random.ends == 1 else f"with probability {number_text(random.ends)}"
    say(f"  at random: it ends {ends}")
    for seat, wins in enumerate(random.wins):
        say(f"    {seat_text(seat)} wins {number_text(wins)}, gets {_got(random.worths, seat)}")
    if random.draw:
        say(f"    draw {number_text(random.draw)}")
    if random.decisions is not None and random.moves is not None:
        lasting = f"{number_text(random.decisions)} decisions"
        say(f"    it lasts {lasting}, {number_text(random.moves)} moves with those of chance")


def _got(worths: Sequence[Number], seat: int) -> str:
    return number_text(worths[seat])


def _show_best(best: Best, answers: Sequence[str]) -> None:
    say(f"  best play, by {best.method}:")
    got = (f"{seat_text(seat)} gets {number_text(n)}" for seat, n in enumerate(best.worths))
    say(f"    {', '.join(got)}")
    by_worth: dict[Number, list[str]] = {}
    for words, worth in zip(answers, best.answers, strict=False):
        by_worth.setdefault(worth, []).append(f"`{words}`")
    for worth, alike in sorted(by_worth.items(), reverse=True):
        more = f" and {len(alike) - _ALIKE} more" if len(alike) > _ALIKE else ""
        say(f"    first answers worth {number_text(worth)}: {', '.join(alike[:_ALIKE])}{more}")


def _show_hidden(hidden: Hidden, strategy: bool) -> None:
    found = hidden.found
    sets = " + ".join(map(str, hidden.information_sets))
    say(
        f"  best play, by sequence form over {hidden.histories} histories, {sets} information sets:"
    )
    if found.is_exact:
        say(f"    A gets {number_text(found.low)}, B gets {number_text(-found.low)}: proved")
    else:
        say(
            f"    A gets between {float(found.low):.10f} and {float(found.high):.10f}, "
            "proved by best answers"
        )
    for line in _strategy_lines(hidden) if strategy else ():
        say(line)


def _strategy_lines(hidden: Hidden) -> list[str]:
    lines = []
    for moments, probabilities in zip(hidden.tree.moments, hidden.found.strategies, strict=True):
        for moment in moments:
            lines.append(f"  {seat_text(moment.seat)} has heard")
            lines += [f"    {line}" for line in _heard(hidden.tree.game, moment)]
            shares = (
                f"{words} {number_text(probabilities[sequence])}"
                for words, sequence in zip(moment.answers, moment.sequences, strict=True)
            )
            lines.append(f"    -> {', '.join(shares)}")
    return lines


def _heard(game: Instance, moment: Moment) -> list[str]:
    """What a seat has heard, as players are told it."""
    course = Course.begin(game, 0)
    course.follow(record_of(game, moment.ranks))
    told = Retelling(course, moment.seat, _WIDTH)
    *lines, _ = told.lines()  # the last one says that the record ends here
    return [line.text for line in lines]


def number_text(number: Number) -> str:
    """A number as people read it: the fraction if it is short, and its decimals."""
    short = not isinstance(number, float) and len(str(number)) <= _DIGITS
    if short and not isinstance(number, float) and number.denominator == 1:
        return str(number)
    decimals = f"{float(number):.6f}"
    return f"{number} ({decimals})" if short else decimals


# ---- for programs


def solution_entry(found: Solution, seconds: float, compile_seconds: float) -> JsonEntry:
    """A solution as programs read it; exact numbers are text, others numbers."""
    return {
        "name": found.name,
        "players": found.seats,
        "configuration": dict(found.configuration.pairs),
        "states": found.states,
        "random": None if found.random is None else _random_entry(found.random),
        "best": _best_entry(found),
        "why_not_random": found.why_not_random or None,
        "why_not_best": found.why_not_best or None,
        "seconds": round(seconds, 6),
        "compile_seconds": round(compile_seconds, 6),
        "machine": "interpreter",
    }


def _random_entry(random: Chances) -> JsonEntry:
    return {
        "exact": random.is_exact,
        "ends": _plain(random.ends),
        "wins": _by_seat(random.wins),
        "draw": _plain(random.draw),
        "worths": _by_seat(random.worths),
        "decisions": None if random.decisions is None else _plain(random.decisions),
        "moves": None if random.moves is None else _plain(random.moves),
    }


def _best_entry(found: Solution) -> JsonEntry | None:
    if found.best is not None:
        return {
            "method": found.best.method,
            "worths": _by_seat(found.best.worths),
            "answers": {
                words: _plain(worth)
                for words, worth in zip(found.first_answers, found.best.answers, strict=False)
            },
        }
    if found.hidden is None:
        return None
    value = found.hidden.found
    return {
        "method": "sequence form",
        "proved": value.is_exact,
        "low": _plain(value.low if value.is_exact else float(value.low)),
        "high": _plain(value.high if value.is_exact else float(value.high)),
        "histories": found.hidden.histories,
        "endings": found.hidden.endings,
        "information_sets": list(found.hidden.information_sets),
        "strategy": _strategy_entries(found.hidden),
    }


def _strategy_entries(hidden: Hidden) -> list[JsonEntry]:
    return [
        {
            "seat": seat_text(moment.seat),
            "heard": moment.heard.splitlines(),
            "answers": {
                words: float(probabilities[sequence])
                for words, sequence in zip(moment.answers, moment.sequences, strict=True)
            },
        }
        for moments, probabilities in zip(hidden.tree.moments, hidden.found.strategies, strict=True)
        for moment in moments
    ]


def _plain(number: Number) -> str | float:
    return number if isinstance(number, float) else str(number)


def _by_seat(numbers: Sequence[Number]) -> JsonEntry:
    return {seat_text(seat): _plain(number) for seat, number in enumerate(numbers)}
