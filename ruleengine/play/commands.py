"""What can be typed at the prompt besides answers."""

from typing import Final

from attrs import frozen

from ruleengine.play.lines import paragraph


@frozen
class Command:
    """A word at the prompt that is no answer."""

    name: str
    shown: str
    help: str


COMMANDS: Final = (
    Command("why", "why ANSWER", "whether an answer is legal, and which rule says so"),
    Command("rules", "rules", "the clauses of this decision"),
    Command("log", "log [N]", "what you have seen and heard"),
    Command("table", "table", "the table and the answers once more"),
    Command("options", "options", "all answers, however many"),
    Command("flow", "flow [FILE]", "where the game stands on the chart"),
    Command("undo", "undo", "take the last answer back"),
    Command("save", "save FILE", "keep the game in a file"),
    Command("resume", "resume FILE", "go on with a game that was kept"),
    Command("help", "help", "this list"),
    Command("quit", "quit", "leave; the game is kept"),
)

MEANT: Final = {
    "board": "table",
    "show": "table",
    "state": "table",
    "look": "table",
    "moves": "options",
    "answers": "options",
    "history": "log",
    "exit": "quit",
    "commands": "help",
}
"""Other words for commands; an option of the game of such a name goes first."""

ASIDE: Final = {
    **dict.fromkeys(
        ("status", "hand", "hands", "score", "scores", "points", "cards", "who", "turn"), "table"
    ),
    **dict.fromkeys(("what", "actions", "choices", "legal", "hint"), "options"),
    **dict.fromkeys(("stop", "end", "bye", "leave"), "quit"),
    "back": "undo",
    "load": "resume",
    "chart": "flow",
    "info": "help",
}
"""Words that are taken for commands where they begin the name of no option of the game."""

_ANSWERS: Final = (
    "Answer by number, or in words as they are shown; the first letters of each word will do. "
    "Enter alone gives the only answer there is."
)


def help_text(width: int) -> list[str]:
    """How to answer, and all commands."""
    column = max(len(command.shown) for command in COMMANDS) + 4
    found = paragraph(_ANSWERS, width)
    for command in COMMANDS:
        label = f"  {command.shown}".ljust(column)
        found += paragraph(command.help, width, label, " " * column)
    return found
