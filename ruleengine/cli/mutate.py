"""`mutate`: which faults in a rulebook its tests would notice."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import click
from attrs import define

from compiler.mutation.mutation import Mutation
from compiler.pipeline import Spec
from ruleengine.cli.options import FOUND, Whole, as_json, seeded, sound, specs
from ruleengine.cli.screen import JsonEntry, announce, note, progress, say, say_json
from ruleengine.mutants.reach import Reach
from ruleengine.mutants.run import Plan, mutate, sampled
from ruleengine.mutants.trying import GAMES, mutations_of
from ruleengine.mutants.verdict import Fate, Tally, Verdict
from ruleengine.record import rules_digest

_BAR = 0.9  # the share of mutants that a rulebook's tests are to kill


@click.command("mutate", short_help="Say which faults in a rulebook its tests would notice.")
@specs
@click.option("--sample", type=Whole(1), metavar="N", help="Try so many; all, unless said.")
@seeded
@click.option(
    "--games",
    type=Whole(0),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Random games of each mutant in each configuration, on a compiled machine.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep verdicts in this file, and do not try again what it has.",
)
@as_json
def command(
    specs: tuple[str, ...],
    sample: int | None,
    seed: int,
    games: int,
    jobs: int,
    resume: Path | None,
    json_: bool,
) -> int:
    """Say which faults in a rulebook its tests would notice.

    A mutant is the rulebook with one small fault: a guard dropped, a comparison flipped, a constant
    changed by one. The scenarios that come to it, invariants and laws in random games are to fail.
    Mutants that are proved to be the same game are left out. Survivors are listed by clause, each
    with the play in which it differs and a scenario that would kill it, or with what is known of a
    place where nothing is seen to differ. The exit code is 1 if fewer than nine in
    ten are killed, or the rulebook's own scenarios fail.
    """
    few = False
    entries: list[JsonEntry] = []
    for name in dict.fromkeys(specs):
        spec = sound(name)
        announce(f"{spec.name}: running its scenarios, then its mutants ...")
        reach = _passing(spec, json_)
        known = None if resume is None else _Kept.of(resume, spec, f"{seed} {games}")
        count = len(sampled(tuple(mutations_of(spec.sources)), sample, seed))
        with progress(spec.name, count) as advance:

            def told(_: Mutation, verdict: Verdict, known: "_Kept | None" = known) -> None:
                advance(1)
                if known is not None:
                    known.add(verdict)

            before = () if known is None else tuple(known.verdicts)
            tally = mutate(spec, Plan(sample, seed, games, jobs, before, told), reach)
        few |= tally.share is not None and tally.share < _BAR
        if json_:
            entries.append(tally_entry(spec, tally))
        else:
            show_tally(spec, tally)
    if json_:
        say_json(entries)
    return FOUND if few else 0


def _passing(spec: Spec, json_: bool) -> Reach:
    """What the scenarios of a spec come to; if one fails that is said, and the command ends."""
    reach = Reach.of(spec)
    if reach.failing is not None:
        if json_:
            say_json([{"name": spec.name, "failing": reach.failing}])
        else:
            note(f'{spec.name}: its own scenario "{reach.failing}" fails; mend that first')
        raise click.exceptions.Exit(FOUND)
    return reach


@define(eq=False)
class _Kept:
    """A file of verdicts, one on a line, below what they are verdicts of.

    Who was killed by a scenario stays so while that scenario stands as it stood; who survived is
    tried again when scenarios have changed, or other games are to be played.  Whatever else was
    found is a matter of the rules.
    """

    path: Path
    verdicts: list[Verdict]
    _scenarios: Mapping[str, str]  # a name for the text of each, by how a verdict names it
    _tried: str  # a name for all of them, and for the games

    @classmethod
    def of(cls, path: Path, spec: Spec, games: str) -> "_Kept":
        """The file, begun anew if it is of other rules; `games` says which are played."""
        texts: dict[str, str] = defaultdict(str)
        for one in spec.scenarios:
            texts[f'scenario "{one.tail.text}"'] += repr(one)  # whatever its layout
        named = {name: _digest(text) for name, text in texts.items()}
        kept = cls(path, [], named, _digest("\0".join((games, *texts.values()))))
        try:
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        except UnicodeDecodeError as error:
            raise click.UsageError(f"`{path}` is no text; name another file") from error
        if lines and not lines[0].startswith("rulewright mutants"):
            raise click.UsageError(f"`{path}` holds something else; name another file")
        head = f"rulewright mutants {rules_digest(spec.sources)}"
        if not lines or lines[0] != head:
            path.write_text(f"{head}\n", encoding="utf-8")
            return kept
        try:
            kept.verdicts += [one for line in lines[1:] for one in kept._read(json.loads(line))]
        except (ValueError, KeyError, TypeError) as error:
            raise click.UsageError(f"`{path}` holds a line that is no verdict") from error
        return kept

    def _read(self, entry: Mapping[str, str]) -> Iterator[Verdict]:
        """The verdict of a line, if it still stands."""
        verdict = Verdict.read(entry)
        if entry["rests_on"] == self._rests_on(verdict):
            yield verdict

    def _rests_on(self, verdict: Verdict) -> str:
        if verdict.fate is Fate.SURVIVED:
            return self._tried
        return self._scenarios.get(verdict.by, "")

    def add(self, verdict: Verdict) -> None:
        """Keeps one more."""
        entry = {**verdict.entry(), "rests_on": self._rests_on(verdict)}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


# ---- what came of it


def show_tally(spec: Spec, tally: Tally) -> None:
    """Figures, then survivors by clause."""
    counts = {fate: len(tally.of(fate)) for fate in Fate}
    parts = [f"{count} {fate.value}" for fate, count in counts.items() if count]
    say(f"{spec.name}: {len(tally.verdicts)} mutants, {', '.join(parts) or 'nothing to try'}")
    if tally.share is not None:
        say(f"  killed {tally.share:.1%} of {tally.judged} that are not the same game")
    if tally.explained:
        left = len(tally.of(Fate.SURVIVED)) - tally.explained
        say(f"  survivors: {left} with a play that tells them, {tally.explained} explained")
    for clauses, pairs in tally.survivors.items():
        say()
        say(f"survivors at {clauses or 'lines that cite nothing'}")
        for mutation, verdict in pairs:
            say(f"  line {mutation.line}, {mutation.operator.value}: {mutation.words}")
            say(f"    {verdict.parts or verdict.why}")
            for line in verdict.scenario.splitlines():
                say(f"      {line}")


def tally_entry(spec: Spec, tally: Tally) -> JsonEntry:
    """A tally as programs read it."""
    return {
        "name": spec.name,
        "whole": len(mutations_of(spec.sources)),
        "mutants": len(tally.verdicts),
        **{fate.value: len(tally.of(fate)) for fate in Fate},
        "explained": tally.explained,
        "share": tally.share,
        "verdicts": [
            {
                **verdict.entry(),
                "line": mutation.line,
                "operator": mutation.operator.value,
                "change": mutation.words,
                "clauses": list(mutation.clauses),
            }
            for mutation, verdict in tally.verdicts
        ],
        "machine": "auto",
    }
