"""Mutants of what lies beside a rulebook: variants and files of scenarios."""

from collections.abc import Iterator
from typing import Final

from attrs import evolve

from compiler.config import Configuration
from compiler.diagnostic import Report, unreadable
from compiler.pipeline import compile_sources
from compiler.render import Format, render
from compiler.source import SourceFile, SourceSet, Unreadable
from ruleengine import library
from ruleengine.game import Instance
from ruleengine.match import random_match
from ruleengine.rehearsing import Rehearsals
from ruleengine.rng import CHANCE, stream
from tests.fuzz.mutants import KINDS
from tests.fuzz.trying import NODES

OF: Final = ("variants", "scenarios")

Beside = tuple[str, bytes, SourceSet]
"""A mutant by name, its bytes, and the files that it lies among in the place of an own one."""


def stacked() -> list[str]:
    """Every shipped variant on its rulebook, and every rulebook alone."""
    return [*library.names(), *(f"{one}+{variant}" for one, variant in _variants())]


def _variants() -> Iterator[tuple[str, str]]:
    for path in sorted(library.shipped().glob("*/variants/*.rules")):
        if not path.stem.endswith("-scenarios"):
            yield path.parent.parent.name, path.stem


def mutants(of: str, seed: int, count: int) -> Iterator[Beside]:
    """So many mutants of variants, or of files of scenarios."""
    known = [files for name in stacked() if isinstance(files := library.read(name), SourceSet)]
    places = [(files, at) for files in known for at in range(len(_of(files, of)))]
    for number in range(count):
        random = stream(seed, number, CHANCE)
        files, at = places[random.below(len(places))]
        kind = KINDS[random.below(len(KINDS))]
        file = _of(files, of)[at]
        name = f"{kind.__name__}-{file.name.rpartition('/')[2]}-{seed}-{number}"
        yield name, kind(file.text, random), _with(files, of, _put(files, of, at, file))


def _of(files: SourceSet, of: str) -> tuple[SourceFile, ...]:
    return files.variants if of == "variants" else files.scenarios


def _with(files: SourceSet, of: str, some: tuple[SourceFile, ...]) -> SourceSet:
    if of == "variants":
        return evolve(files, variants=some)
    return evolve(files, scenarios=some)


def _put(files: SourceSet, of: str, at: int, file: SourceFile) -> tuple[SourceFile, ...]:
    """The files with that one last: where the mutant is to lie."""
    every = _of(files, of)
    return (*every[:at], *every[at + 1 :], file)


def tried_beside(of: str, data: bytes, files: SourceSet) -> tuple[Report, bool]:
    """Compiles a mutant among its files: what is found, at places, and whether it plays."""
    source = SourceFile.decode("text.rules", data)
    if isinstance(source, Unreadable):
        return Report.of(unreadable(source)), False
    rest = _of(files, of)[:-1]
    report, plays = _found(_with(files, of, (*rest, source)))
    for form in Format:
        render({"text": report}, form)
    for finding in report:
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)
        assert finding.headline
    return report, plays


def _found(files: SourceSet) -> tuple[Report, bool]:
    spec = compile_sources(files)
    if isinstance(spec, Report):
        assert spec.has_errors
        return spec, False
    rehearsals = Rehearsals.of(spec)
    configuration = next(iter(rehearsals.left()), Configuration())
    made = spec.instantiate(configuration)
    rehearsals.look(configuration, made)
    report = Report.of(*spec.report, *spec.scenario_report, *rehearsals.report)
    if isinstance(made, Report):
        report.extend(made)
        return report, False
    match = random_match(Instance.of(made), 1, 1, node_limit=NODES)
    assert match.error is None or match.error.where is not None
    return report, True
