"""The command line: `rulewright COMMAND SPEC...`.

A command's module is imported when the command is run, so that `--help` answers at once.  Exit
codes: 0 fine, 1 something was found, 2 wrong use, 130 Ctrl-C, 141 nobody reads the output.
"""

import gc
import json
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Final

import click

from ruleengine.cli.writing import obstacle

COMMANDS: Final = {
    "demo": "Check, test, draw and play the shipped rulebooks.",
    "check": "Report what is wrong with specs, and which clauses they implement.",
    "fmt": "Lay out specs: indentation, spaces, columns of citations.",
    "test": "Run scenarios, and play games in which nothing may go wrong.",
    "coverage": "Say which clauses and rules games come to.",
    "simulate": "Play many games at random: lengths, winners, scores.",
    "report": "Write how balanced a game is, on one page.",
    "ladder": "Say whether skill matters: bots, each against a weaker one.",
    "explore": "Count every situation a game can come to.",
    "lint": "Ask about sentences, and about rules that do nothing.",
    "mutate": "Say which faults in a rulebook its tests would notice.",
    "leaks": "Look for anything that tells a seat what it cannot know.",
    "solve": "Solve a small game: random play and best play, exactly.",
    "sweep": "Play over a range of settings, numbers of players, readings.",
    "diff": "Say what differs between two specs, variants or revisions.",
    "rulings": "Say which ambiguities matter, and where readings part.",
    "flow": "Draw the flowchart of a spec.",
    "book": "Write a page for each rulebook: clauses, lines, charts.",
    "play": "Play in the terminal, people and bots in any seat.",
    "replay": "Tell a recorded game step by step, with clauses.",
    "why": "Say why an answer is legal or not at a point of a game.",
    "explain": "Explain a finding, with a wrong and a right example.",
    "new": "Write a rulebook to begin with.",
    "doctor": "Say what is installed, and what to do about what is missing.",
}
"""The commands, in the order of the help, and the first line of the help of each."""

WRONG_USE: Final = 2
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141
_NEW_OBJECTS: Final = 50_000  # between two looks for garbage: most that a command makes it keeps
_COMPLETING: Final = "_RULEWRIGHT_COMPLETE"  # set by shells that want a completion


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ruleengine.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; a name that is close to another is answered with it."""
        near = get_close_matches(args[0], COMMANDS, 1)
        if args[0] not in COMMANDS and near:
            raise click.UsageError(f"no such command `{args[0]}`; did you mean `{near[0]}`?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rulewright", prog_name="rulewright")
def group() -> None:
    """Write a board game's rulebook as a program: check it, draw it, play it, test it.

    A SPEC is the name of a shipped rulebook (`klink`) or a path, with variants stacked on it by `+`
    (`klink+blank_klink`).
    """


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and ends the process."""
    gc.set_threshold(_NEW_OBJECTS)
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Runs the command line; the exit code."""
    try:
        code = group.main(arguments, prog_name="rulewright", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        if _wants_json(arguments):
            click.echo(_as_json(error))
        else:
            error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        return _nobody_reads()
    except ChildProcessError as error:
        click.echo(f"Error: {error}", err=True)
        return WRONG_USE
    except OSError as error:
        return _cannot_write(error)
    except SystemExit:  # click's own way out when a pipe is closed, or a shell has its completion
        if _COMPLETING in os.environ:
            raise
        return _nobody_reads()
    return code if isinstance(code, int) else 0


def _wants_json(arguments: list[str] | None) -> bool:
    """Whether a program reads what comes; asked of the words, since they may be wrong."""
    words = sys.argv[1:] if arguments is None else arguments
    return "--json" in words or "--format=json" in words or ("--format", "json") in pairwise(words)


def _as_json(error: click.ClickException) -> str:
    """Wrong use as programs read it: no specs, and what was wrong."""
    said = {"schema_version": 1, "specs": [], "error": {"message": error.format_message()}}
    return json.dumps(said, indent=2, ensure_ascii=False)


def _cannot_write(error: OSError) -> int:
    """Says what stood in the way of a file or the output: a full disk, a folder that is gone."""
    _write_nowhere()
    about, why = "the output", error.strerror
    if error.filename is not None:
        about, why = f"`{error.filename}`", obstacle(Path(str(error.filename)), error)
    click.echo(f"Error: cannot go on with {about}: {why}", err=True)
    return WRONG_USE


def _nobody_reads() -> int:
    """The exit code when a pipe is closed at its other end."""
    _write_nowhere()
    return NOBODY_READS


def _write_nowhere() -> None:
    """Gives Python somewhere to flush to, so that it does not complain on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
