"""More lines that read as English: of turns, of what a variable is, of cards and of comparing."""

from typing import Final

from compiler.syntax.saying import Saying, saying

SPOKEN: Final[dict[str, Saying]] = {
    "family without var": saying(
        r"^([a-z_]\w*)(?: per ([a-z_]\w*))?:? *= *(-?\w+)$",
        "what changes while one plays is declared",
        "write `var {0} per player: 0..9 = {2}`; one for all, `var {0}: 0..9 = {2}`; with what it "
        "can be for `0..9`",
        needs="ENUM",
    ),
    "die with a range": saying(
        r"^die ([a-z_]\w*)(?P<wrong>, *(\w+\.\.\w+): *(.+))$",
        "several dice of a kind are a family",
        "write `die {0} per {2}: {3}`: `{0}[1]` is the first of them",
        " per {2}: {3}",
    ),
    "die with a number": saying(
        r"^die ([a-z_]\w*)(?P<wrong>,? +(\w+): *(.+))$",
        "several dice of a kind are a family",
        "write `die {0} per 1..{2}: {3}`: `{0}[1]` is the first of them",
    ),
    "dice": saying(
        r"^(?P<wrong>(?:dice|die) ([a-z_]\w*):? *(?:= *)?(\d+)d(\d+))$",
        "several dice of a kind are a family",
        "write `die {1} per 1..{2}: 1..{3}`: `{1}[1]` is the first of them",
    ),
    "one die": saying(
        r"^(?P<wrong>(?:dice|die) ([a-z_]\w*):? *(?:= *)?[dD](\d+))$",
        "a die has faces",
        "write `die {1}: 1..{2}`",
    ),
    "then in one line": saying(
        r"^ *(?:if|elif) (?!.*\belse\b).*?(?P<wrong>\bthen (\S.*))$",
        "what is done stands in the lines below, further in",
        "end the line before `then`, and write `{1}` below it, indented",
    ),
}
