"""Who sits where: people at some seats, bots at the others."""

from attrs import frozen

from compiler.graph.naming import listed
from compiler.graph.values import seat_text
from ruleengine.players.naming import NAMES, RANDOM, Bot, bot


class WrongSeat(ValueError):
    """Seats that cannot be taken so, and why."""


@frozen
class Seated:
    """The seats of the people, and the bot of every seat, also of theirs: it is not asked."""

    people: tuple[int, ...]
    bots: tuple[Bot, ...]


def seated(seats: int, people: str | None, bots: str | None) -> Seated:
    """Who sits where, from what was said: seats as for `seating`, and which bots they are.

    `B=mcts:500` is a bot at seat B; `mcts:500` alone is what bots are that are not said otherwise.
    Raises `WrongSeat` and `UnknownBot`.
    """
    usual, where, what = bot(RANDOM), [], {}
    for part in [] if bots is None else bots.split(","):
        place, is_named, name = part.strip().partition("=")
        if is_named:
            what[place.strip().upper()] = bot(name)
            where.append(place)
        elif place.partition(":")[0].lower() in NAMES:
            usual = bot(place)
        else:
            where.append(place)
    usual = what.get("ALL", usual)
    chosen = None if bots is not None and not where else bots and ",".join(where)
    named = tuple(what.get(seat_text(seat), usual) for seat in range(seats))
    return Seated(seating(seats, people, chosen), named)


def seating(seats: int, people: str | None, bots: str | None) -> tuple[int, ...]:
    """The seats of the people, from what was said of people and bots: `A`, `B,C`, `all`, `none`.

    Nothing said: one person at seat A.  Who is not said to be a bot is a person, if bots are said.
    """
    everyone = tuple(range(seats))
    if bots is None:
        return (0,) if people is None else _seats(people, seats)
    told = bots.strip().lower()
    if told == "all":
        return () if people is None else _seats(people, seats)
    machines = () if told == "none" else _seats(bots, seats)
    rest = tuple(seat for seat in everyone if seat not in machines)
    if people is None:
        return rest
    wanted = _seats(people, seats)
    both = [seat_text(seat) for seat in wanted if seat in machines]
    if both:
        raise WrongSeat(f"{listed(both)} cannot be a person and a bot")
    return rest


def _seats(said: str, seats: int) -> tuple[int, ...]:
    """Seats by their letters, with commas between them."""
    known = {seat_text(seat): seat for seat in range(seats)}
    letters = [letter.strip().upper() for letter in said.split(",") if letter.strip()]
    if [letter.lower() for letter in letters] == ["all"]:
        return tuple(known.values())
    for letter in letters:
        if letter not in known:
            raise WrongSeat(f"there is no seat `{letter}`: the seats are {listed(list(known))}")
    return tuple(sorted({known[letter] for letter in letters}))
