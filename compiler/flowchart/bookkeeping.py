"""What the compiler keeps for itself, in words: who is asked, what a loop still has to go through.

Only the full charts have boxes for it.
"""

from compiler.graph.core import Apply, Assign, Const, Read, Step, Term, Variable
from compiler.graph.naming import spoken
from compiler.graph.sentences import Sentences, capital
from compiler.ops.lists import FIRST, REST

_LEFT, _ASKED, _PICKED, _ORDER = " left", " asked", "picked", "window order"
"""What lowering calls what is left of a loop, who is asked, who has picked, whose turn it is."""


def kept(step: Step, sentences: Sentences) -> str | None:
    """A step that only keeps something, in words; `None` for all others."""
    match step:
        case Assign(Variable(hidden_name=True) as variable, args, value):
            return _hidden(variable, args, value, sentences)
        case Assign(Variable() as one, (), Apply(op, (Read(Variable(hidden_name=True) as left),))):
            taken = op is FIRST and left.name.endswith(_LEFT)
            return f"{capital(spoken(one.name))} is the next of them" if taken else None
        case Assign(Variable() as variable, args, Const(None)):
            return _without(variable, args, sentences)
        case Assign(Variable() as variable, (), Const(bool() as agreed)):
            return f"{capital(spoken(variable.name))}: {'yes' if agreed else 'no'}"
        case Assign(Variable() as variable, (_,) as args, Const(bool() as agreed)):
            return f"{capital(sentences.words.name(variable, args))}: {'yes' if agreed else 'no'}"
        case _:
            return None


def _hidden(
    variable: Variable, args: tuple[Term, ...], value: Term, sentences: Sentences
) -> str | None:
    said = sentences.words.text(value)
    name = variable.name
    match value:
        case Apply(op, (Read(source),)) if op is REST and source is variable:
            return "The others come later"
        case Const(0) if name == _PICKED and args:
            return f"{sentences.words.text(args[0])} has not picked yet"
        case Read(Variable(hidden_name=True) as asked) if name.endswith(_LEFT):
            who = "all who were asked" if asked.name.endswith(_ASKED) else said
            return f"Go through {who}"
        case _ if name.endswith(_LEFT):
            return f"Go through {said}"
        case _ if name.endswith(_ASKED):
            return f"Asked: {said}"
        case _ if name == _ORDER:
            return f"In turn: {said}"
        case Const(None):
            return _without(variable, args, sentences)
        case _:
            return None


def _without(variable: Variable, args: tuple[Term, ...], sentences: Sentences) -> str:
    """That there is nothing where something can be: "A has no duelist"."""
    name = spoken(variable.name)
    if len(args) == 1:
        return f"{sentences.words.text(args[0])} has no {name}"
    return f"There is no {name}"
