"""Finds clauses that do not go together, by their words alone.

Words are compared, not meanings, so every finding is a question to the author of the rulebook.  It
is asked only where the words leave little else: two clauses that agree in nearly everything but a
number, the same verb and object once with `must` and once with `may`, a word written as a term and
explained nowhere, mechanical clauses that are always cited together.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import combinations
from typing import Final

from attrs import frozen

from compiler.clauses import Catalogue, Clause, Kind

_ALIKE: Final = 0.8  # the part of their words that two clauses share that say the same
_NEARLY: Final = 0.7  # and that speak of the same quantity
_FEW: Final = 4  # words below which a clause is too short to be compared
_TERM_TWICE: Final = 2  # clauses that must use a term before anybody asks what it is

_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_SMALL: Final = frozenset(
    "a an the of to in on at by for from with and or as is are be been his her its their he she it "
    "they this that these those who which then so if when where may must can not no all any each "
    "every one player players more than into out up down again also only".split()
)
_LIMITS: Final = re.compile(
    r"\b(at most|at least|exactly|maximum of|minimum of|limit of|no more than) (\w+) ([a-z]+)"
)
_DUTIES: Final = re.compile(r"\b(must|may)(?: (not))?(?: also| then| only)? ([a-z]+)((?: [\w-]+)*)")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z-]*|\d+")
_NAMED: Final = re.compile(r"`[^`]*`")
_SUCH: Final = re.compile(r"\b[Ss]uch\b")  # what the clause before speaks of
_ASIDE: Final = re.compile(r"\([^)]*\)|→ *\d+|\b[A-Z]{1,4}-\S+|'s\b")


class Sort(Enum):
    """What is the matter with a rulebook's sentences; the value is how it is told."""

    DUPLICATE = "two clauses say nearly the same"
    NUMBERS = "two numbers for one quantity"
    DUTIES = "`must` here and `may` there of one act"
    UNDEFINED = "a term that no clause explains"
    TOGETHER = "clauses that no rule tells apart"


@frozen
class Remark:
    """Something to ask the author of a rulebook, and the clauses it is about."""

    sort: Sort
    about: str
    clauses: tuple[Clause, ...]


def remarks(
    catalogue: Catalogue, cited: Mapping[str, Iterable[str]], known: Iterable[str]
) -> tuple[Remark, ...]:
    """Everything to ask about a table of clauses.

    `cited` has the places that cite each clause; `known` are words that the spec declares.
    """
    clauses = tuple(catalogue.clauses.values())
    found = [
        *_pairs(clauses),
        *_limits(clauses),
        *_duties(clauses),
        *_undefined(clauses, frozenset(word.lower() for word in known)),
        *_together(clauses, cited),
    ]
    return tuple(dict.fromkeys(found))


# ---- two clauses


def _pairs(clauses: Iterable[Clause]) -> Iterator[Remark]:
    """Clauses of the same words, with the same numbers or with others."""
    told = [(clause, _content(clause), _numbers(clause)) for clause in clauses]
    long = [each for each in told if len(each[1]) >= _FEW]
    for (one, words, numbers), (other, others, other_numbers) in combinations(long, 2):
        alike = len(words & others) / len(words | others)
        if _about(one) != _about(other) or _SUCH.search(f"{one.text} {other.text}"):
            continue  # each is about something of its own
        if alike >= _ALIKE and numbers == other_numbers:
            yield Remark(Sort.DUPLICATE, "", (one, other))
        elif alike >= _NEARLY and numbers != other_numbers and len(numbers) == len(other_numbers):
            about = f"{_listed(numbers)} and {_listed(other_numbers)}"
            yield Remark(Sort.NUMBERS, about, (one, other))


def _about(clause: Clause) -> list[str]:
    """The names that a clause is about."""
    return _NAMED.findall(clause.text)


def _limits(clauses: Iterable[Clause]) -> Iterator[Remark]:
    """The same limit of the same thing, once so much and once so much."""
    said: dict[tuple[str, str], dict[str, Clause]] = defaultdict(dict)
    for clause in clauses:
        for how, many, what in _LIMITS.findall(clause.text.lower()):
            number = str(_NUMBERS.get(many, many))
            if number.isdecimal():
                said[how, what].setdefault(number, clause)
    for (how, what), numbers in said.items():
        if len(numbers) > 1:
            about = f"{how} {' or '.join(sorted(numbers))} {what}"
            yield Remark(Sort.NUMBERS, about, tuple(numbers.values()))


def _duties(clauses: Iterable[Clause]) -> Iterator[Remark]:
    """The same verb and object, once as a duty and once as a right."""
    said: dict[tuple[str, str], dict[str, Clause]] = defaultdict(dict)
    for clause in clauses:
        for how, denied, verb, rest in _DUTIES.findall(clause.text.lower()):
            objects = [word for word in rest.split() if word not in _SMALL]
            if objects and not denied and verb != "be":
                said[verb, objects[0]].setdefault(how, clause)
    for (verb, what), duties in said.items():
        if len(set(duties.values())) > 1:
            yield Remark(Sort.DUTIES, f"{verb} {what}", tuple(duties.values()))


# ---- terms


def _undefined(clauses: Iterable[Clause], known: frozenset[str]) -> Iterator[Remark]:
    """Capital words inside sentences that no clause begins with and the spec does not declare."""
    used: dict[str, list[Clause]] = defaultdict(list)
    explained: set[str] = set()
    for clause in clauses:
        explained.update(_explained(clause.text))
        for term in dict.fromkeys(_terms(clause.text)):
            used[term].append(clause)
    for term, where in used.items():
        stems = {term.lower(), _singular(term.lower())}
        if len(where) >= _TERM_TWICE and not stems & (explained | known):
            yield Remark(Sort.UNDEFINED, term, tuple(where[:3]))


def _explained(text: str) -> Iterator[str]:
    """What a clause explains: words before a colon or dash, or before `is`, `are`, `means`."""
    head = re.match(r"(.{1,60}?)(?::| — | = | is | are | means )", text)
    for word in _WORD.findall(head[1]) if head else ():
        yield word.lower()
        yield _singular(word.lower())
    for quoted in re.findall(r"[\"“(]([^\"”)]{1,40})[\"”)]", text):
        for word in _WORD.findall(quoted):
            yield word.lower()


def _terms(text: str) -> Iterator[str]:
    """Words with a capital letter that do not begin a sentence."""
    for sentence in re.split(r"[.:;?!(]\s*|[\"“]", _ASIDE.sub("", text)):
        for word in _WORD.findall(sentence)[1:]:
            if word[0].isupper() and len(word) > 2 and not word.isupper():
                yield word


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


# ---- citations


def _together(clauses: Iterable[Clause], cited: Mapping[str, Iterable[str]]) -> Iterator[Remark]:
    """Mechanical clauses that stand on exactly the same lines.

    If that is one line alone, which may well do what two clauses say, only those that also speak of
    the same.
    """
    by_places: dict[tuple[str, ...], list[Clause]] = defaultdict(list)
    for clause in clauses:
        places = tuple(sorted(cited.get(clause.id, ())))
        if clause.kind is Kind.MECHANICAL and places:
            by_places[places].append(clause)
    for places, alike in by_places.items():
        if len(places) == 1:
            near = [pair for pair in combinations(alike, 2) if _speak_of_the_same(*pair)]
            alike = [clause for clause in alike if any(clause in pair for pair in near)]
        if len(alike) > 1:
            yield Remark(Sort.TOGETHER, ", ".join(places), tuple(alike))


def _speak_of_the_same(one: Clause, other: Clause) -> bool:
    """Whether two clauses share half of the words of the shorter."""
    words, others = _content(one), _content(other)
    return 2 * len(words & others) >= min(len(words), len(others)) > 0


def _plain(text: str) -> str:
    """A sentence without names in backticks, asides, and references to other clauses."""
    return _ASIDE.sub("", _NAMED.sub("", text))


def _content(clause: Clause) -> frozenset[str]:
    """The words of a clause that carry its meaning, without numbers."""
    words = (_singular(word.lower()) for word in _WORD.findall(_plain(clause.text)))
    return frozenset(w for w in words if w not in _SMALL and w not in _NUMBERS and w.isalpha())


def _numbers(clause: Clause) -> tuple[int, ...]:
    words = (word.lower() for word in _WORD.findall(_plain(clause.text)))
    found = (int(w) if w.isdecimal() else _NUMBERS.get(w) for w in words)
    return tuple(number for number in found if number is not None)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
