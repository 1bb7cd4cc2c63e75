"""Specs that nobody would write: random sentences of the grammar.

Names come from a small stock, so that many of them are declared, and as the wrong thing.
"""

from functools import cache
from typing import Final

from lark.grammar import NonTerminal, Rule, Symbol

from compiler.syntax.parse import parser
from ruleengine.rng import Stream

_NAMES: Final = (
    *("n", "m", "p", "c", "deck", "hand", "num", "stone", "grid", "cube", "turn", "suit", "hearts"),
    *("players", "count", "value", "first", "next", "score", "go", "stay", "ties", "shared", "max"),
)
_CODES: Final = ("A", "B", "KH", "10S")
_STRINGS: Final = ('"Deal"', '"Over?"', '""')
_WRITTEN: Final = {
    "INT": "3",
    "CITE": "@EX-1.1",
    "COMPARE": "<",
    "_COMMA": ",",
    "ARROW": "->",
    "BECOMES": "=",
    "PLUS_IS": "+=",
    "MINUS_IS": "-=",
    "ETC": "...",
    "UNKNOWN": "?",
    "DOTS": "..",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "COLON": ":",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
}
_HEAD: Final = 'rulebook example "Example"\n    seats 2\n'
_STEPS: Final = (25, 50, 100, 200, 400, 1500)  # terminals of a declaration, about


@cache
def _rules() -> dict[str, tuple[Rule, ...]]:
    found: dict[str, list[Rule]] = {}
    for rule in parser().rules:
        found.setdefault(str(rule.origin.name), []).append(rule)
    return {name: tuple(rules) for name, rules in found.items()}


@cache
def _heights() -> dict[str, int]:
    """The fewest levels below each rule."""
    heights: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for name, rules in _rules().items():
            known = [_height(rule, heights) for rule in rules]
            least = min((h for h in known if h is not None), default=None)
            if least is not None and heights.get(name) != least:
                heights[name] = least
                changed = True
    return heights


def _height(rule: Rule, heights: dict[str, int]) -> int | None:
    levels = [heights.get(str(s.name)) for s in rule.expansion if isinstance(s, NonTerminal)]
    known = [level for level in levels if level is not None]
    return None if len(known) < len(levels) else 1 + max(known, default=0)


def sentence(random: Stream, depth: int = 30) -> str:
    """A rulebook with some random declarations."""
    said = _HEAD
    steps = _STEPS[random.below(len(_STEPS))]
    for _ in range(1 + random.below(6)):
        said += _text("_decl", random, depth, steps) + "\n"
    return said + "start\n    end draw\n"


def _text(origin: str, random: Stream, depth: int, steps: int) -> str:
    """Random text of a rule; from a depth on, and behind so many terminals, the shortest."""
    said: list[str] = []
    level = 0
    waiting: list[tuple[Symbol, int]] = [(NonTerminal(origin), depth)]
    while waiting:
        symbol, left = waiting.pop()
        if isinstance(symbol, NonTerminal):
            rule = _chosen(str(symbol.name), random, left if len(said) < steps else 0)
            waiting.extend((part, left - 1) for part in reversed(rule.expansion))
            continue
        name = str(symbol.name)
        if name == "_INDENT":
            level += 1
            said.append("    ")
        elif name == "_DEDENT":
            level -= 1
            said = _shallower(said)
        elif name == "_NL":
            said.append("\n" + "    " * level)
        else:
            said.append(_terminal(name, random) + " ")
    return "".join(said)


def _shallower(said: list[str]) -> list[str]:
    """The text, its last line one block less deep."""
    text = "".join(said)
    return [text.removesuffix("    ")]


def _chosen(name: str, random: Stream, left: int) -> Rule:
    rules = _rules()[name]
    if left > 0:
        return rules[random.below(len(rules))]
    heights = _heights()
    return min(rules, key=lambda rule: _height(rule, heights) or 0)


def _terminal(name: str, random: Stream) -> str:
    match name:
        case "NAME":
            return _NAMES[random.below(len(_NAMES))]
        case "CODE":
            return _CODES[random.below(len(_CODES))]
        case "STRING":
            return _STRINGS[random.below(len(_STRINGS))]
        case _:
            return _WRITTEN.get(name, name.lower().strip("_"))
