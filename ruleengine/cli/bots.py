"""Bots on the command line: `--bots`, `--rotate`, `--score`, and what is wrong with them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from ruleengine.casting import Cast
from ruleengine.game import Instance
from ruleengine.players.naming import UnknownBot
from ruleengine.players.standing import NoStanding, standing

Command = TypeVar("Command", bound=Callable[..., Any])


def scored(command: Command) -> Command:
    """`--score`."""
    return click.option(
        "--score",
        metavar="TERM",
        help="What bots that judge by a score count for a player p, as `0 - score[p]`.",
    )(command)


def cast_options(command: Command) -> Command:
    """`--bots`, `--rotate` and `--score`."""
    named = click.option(
        "--bots",
        metavar="BOT,...",
        help="Who plays, seat by seat: random, greedy, flat:200, mcts:1000, ismcts:2s …  "
        "[default: random]",
    )
    rotated = click.option(
        "--rotate", is_flag=True, help="Bots sit one seat further in every game."
    )
    return named(rotated(scored(command)))


def cast_of(bots: str | None, rotate: bool, score: str | None) -> Cast | None:
    """Who plays; `None` if nobody is said.  `UsageError` for what is no bot."""
    if bots is None:
        if rotate or score is not None:
            raise click.UsageError("--rotate and --score are for --bots")
        return None
    try:
        return Cast.of(bots, rotates=rotate, score=score)
    except UnknownBot as unknown:
        raise click.UsageError(str(unknown)) from unknown


def has_room(game: Instance, cast: Cast | None) -> None:
    """`UsageError` if more bots are named than there are seats."""
    left = () if cast is None else cast.bots[game.seats :]
    if left:
        seats = "1 seat" if game.seats == 1 else f"{game.seats} seats"
        named = ", ".join(one.said for one in left)
        raise click.UsageError(
            f"{game.name} has {seats}: nobody sits as {named}. Leave it out, or say --players"
        )


def check_score(game: Instance, score: str | None) -> None:
    """`UsageError` for a score that means nothing in a game, whether or not a bot asks for it."""
    if score is not None:
        with judged():
            standing(game, score)


@contextmanager
def judged() -> Iterator[None]:
    """Turns a score that is missing or wrong into a `UsageError`."""
    try:
        yield
    except NoStanding as missing:
        raise click.UsageError(str(missing)) from missing
