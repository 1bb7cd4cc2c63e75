"""Commands with lines piped in, and a record to ask them about."""

from pathlib import Path

from click.testing import CliRunner, Result

from ruleengine.cli import group
from ruleengine.game import load
from ruleengine.record import Play

ROOT = str(Path(__file__).parents[2])
ESCAPE = "\x1b"


def run(*arguments: str, typed: str | None = None) -> Result:
    """What a command does, with lines piped in."""
    return CliRunner().invoke(group, arguments, input=typed)


def kuhn(*answers: str, path: str = "a.record") -> str:
    """A record of Kuhn poker; its path."""
    play = Play.begin(load("kuhn"), seed=2)
    for answer in answers:
        play.choose(answer)
    Path(path).write_text(str(play.record))
    return path
