"""Who sits where: people at some seats, bots at the others."""

from compiler.graph.values import seat_text
from ruleengine.play.names import listed


class WrongSeat(ValueError):
    """Seats that cannot be taken so, and why."""


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
