"""Variants laid over a rulebook: each form of edit does what it says, and nothing besides."""

import pytest

from compiler.clauses import read_catalogue
from compiler.pipeline import compile_sources
from compiler.resolve.citations import check_citations
from compiler.source import SourceFile, SourceSet
from compiler.syntax import ast
from compiler.syntax.declared import Item
from compiler.syntax.parse import parse
from compiler.syntax.walk import alike, cited
from compiler.variant.merge import merge
from ruleengine.checking import check as checked
from tests.errors.test_stages import PRELUDE

HEAD = """\
rulebook base "Base"
    seats 2..4
enum suit: hearts H, spades S @BA-1
param limit: 1..9 = 3
given first: player
ruling ties "Tied?"
    shared "All win" default
    nobody "None wins"
"""
REST = """\
start
    "Deal" @BA-2
        score = 1
    -> turn
phase turn "Turn"
    if score > 8 "Over?"
        end winners players
    elif score > 7 "Nearly?"
        score = 0
    else "Not yet?"
        score = 1
    do turn "Again"
    for p in players "Everybody"
        p chooses "Which?"
            go "Go"
                when score > 0 @BA-3
                unless score > 8 @BA-4
                score += 1
            stay "Stay"
            otherwise "Stuck"
                score = 5
    -> turn
invariant "Small"
    score <= 9
"""
SCORE = "var score: 0..9 = 0\n"
BASE = HEAD + SCORE + REST


def items(*texts: str) -> tuple[Item, ...]:
    """The declarations of a rulebook with variants laid over it, none of which fails."""
    trees = []
    for number, text in enumerate(texts):
        tree, problems = parse(SourceFile(f"{number}.rules", text))
        assert tree is not None
        assert [finding.message for finding in problems] == []
        trees.append(tree)
    merged, report = merge(trees[0], trees[1:])
    assert [finding.message for finding in report] == []
    return tuple(item for item in merged if not isinstance(item, ast.NoteDecl))


def variant(*lines: str, name: str = "wild", of: str = "base") -> str:
    """A variant of some lines."""
    return "\n".join((f"variant {name} of {of}", *(f"    {line}" for line in lines), ""))


def in_turn(*lines: str) -> str:
    """A variant that edits the turn."""
    return variant("in turn", *(f"    {line}" for line in lines))


def check(changed: str, *variants: str) -> None:
    """The base with variants laid over says the same as the changed text, citations apart."""
    for wanted, found in zip(items(changed), items(BASE, *variants), strict=True):
        assert alike(wanted, found), f"{wanted} is not {found}"


def turned(old: str, new: str) -> str:
    """The base with other words somewhere."""
    assert BASE.count(old) == 1
    return BASE.replace(old, new)


def test_set_changes_defaults() -> None:
    """A param, a given and a ruling that are set have another default."""
    changed = turned("= 3", "= 4").replace("first: player", "first: player = next_one")
    changed = changed.replace('All win" default', 'All win"').replace('wins"', 'wins" default')

    check(changed, variant("set limit = 4", "set first = next_one", "set ties = nobody"))


def test_declarations_are_added_replaced_and_removed() -> None:
    """A plain declaration comes last; a replaced one stays in its place."""
    changed = turned(SCORE, "var score: 0..99 = 5\n").replace("param limit: 1..9 = 3\n", "")
    changed = changed.replace('invariant "Small"\n    score <= 9\n', "") + "var luck: 0..3 = 0\n"

    check(
        changed,
        variant(
            "replace var score: 0..99 = 5",
            "remove limit",
            'remove "Small"',
            "var luck: 0..3 = 0",
        ),
    )


def test_enums_are_extended() -> None:
    """New members come after the old ones."""
    check(turned("spades S", "spades S, stars T"), variant("extend enum suit: stars T"))


def test_start_is_edited_like_a_phase() -> None:
    """A named step keeps its name and takes the new steps."""
    changed = turned('"Deal" @BA-2\n        score = 1', '"Deal"\n        score = 2')

    check(changed, variant("in start", '    replace "Deal"', "        score = 2"))


def test_steps_come_before_and_after_a_whole_if() -> None:
    """Whichever question of an `if` is named, steps go around all of it."""
    whole = BASE[BASE.index("    if score > 8") : BASE.index("    do turn")]
    changed = turned(whole, f"    score = 6\n{whole}    score = 7\n")

    check(changed, in_turn('before "Over?"', "    score = 6", 'after "Nearly?"', "    score = 7"))


def test_titled_things_are_replaced() -> None:
    """A plain step gives way; a later branch and an `otherwise` take other steps."""
    changed = turned('do turn "Again"', "score = 6").replace("score = 0", "score = 2")
    changed = changed.replace("score = 5", "score = 7")

    check(
        changed,
        in_turn(
            'replace "Again"',
            "    score = 6",
            'replace "Nearly?"',
            "    score = 2",
            'replace "Stuck"',
            "    score = 7",
        ),
    )


def test_titled_things_are_removed() -> None:
    """A branch may go without the others, and a step with all that belongs to it."""
    changed = turned('    else "Not yet?"\n        score = 1\n', "").replace(
        '    do turn "Again"\n', ""
    )

    check(changed, in_turn('remove "Not yet?"', 'remove "Again"'))


def test_options_are_added_replaced_and_removed() -> None:
    """New options come last; a replaced one stays in its place, with other lines."""
    old = BASE[BASE.index("                when score > 0 @BA-3") : BASE.index("            stay")]
    changed = turned(old, "                score = 2\n").replace('go "Go"', 'go "Walk"')
    changed = changed.replace('            stay "Stay"\n', '            hop "Hop"\n')

    check(
        changed,
        in_turn('replace go "Walk"', "    score = 2", "remove stay", 'add to "Which?"',
                '    hop "Hop"'),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("edit", "head"),
    [
        (('replace go "Walk"',), 'go "Walk"'),
        (("replace go to q in players",), 'go to q in players "Go"'),
        (('replace go to q in players "Walk"',), 'go to q in players "Walk"'),
    ],
)
def test_what_is_left_out_of_an_option_stays(edit: tuple[str, ...], head: str) -> None:
    """A new title, or something to choose, leaves the guards and steps as they are."""
    check(turned('go "Go"', head), in_turn(*edit))


def test_the_line_of_an_option_and_its_guards_are_two_things() -> None:
    """One edit may give it another title, another one more guards; two titles are one too many."""
    more = "@BA-4\n                when score > 2\n"
    changed = turned("@BA-4\n", more).replace('go "Go"', 'go "Walk"')
    walk = in_turn('replace go "Walk"')

    check(changed, in_turn('replace go "Walk"', "restrict go", "    when score > 2"))
    for other, clashes in (
        (("restrict go", "    when score > 2"), False),
        (('replace go "Run"',), True),
        (("replace go", "    score = 2"), True),
        (("remove go",), True),
    ):
        trees = [parse(SourceFile("a.rules", text))[0] for text in (BASE, walk, _second(*other))]
        base, *over = [tree for tree in trees if tree is not None]
        found = [finding.code for finding in merge(base, over)[1]]
        assert found == (["edited-twice"] if clashes else [])


def _second(*lines: str) -> str:
    """Another variant of the turn, which knows nothing of the first."""
    return variant("in turn", *(f"    {line}" for line in lines), name="wilder")


def test_an_option_with_other_lines_keeps_its_title_and_choice() -> None:
    """Only what stands below it is another."""
    base = turned('go "Go"', 'go to q in players "Go"')
    old = base[base.index("                when score > 0 @BA-3") : base.index("            stay")]

    check(
        base.replace(old, "                score = 2\n"),
        in_turn('replace go to q in players'),
        variant("in turn", "    replace go", "        score = 2", name="wilder", of="wild"),
    )  # fmt: skip


def test_a_named_step_may_be_called_otherwise() -> None:
    """One named step in the place of another brings its own name."""
    check(
        BASE.replace('    "Deal" @BA-2\n        score = 1', '    "Deal two"\n        score = 2'),
        variant("in start", '    replace "Deal"', '        "Deal two"', "            score = 2"),
    )


def test_guards_are_added_after_the_old_and_removed_by_clause() -> None:
    """A restricted option asks more; without a guard it asks less."""
    changed = turned("                when score > 0 @BA-3\n", "")
    changed = changed.replace("@BA-4\n", "@BA-4\n                when score > 2\n")

    check(changed, in_turn("restrict go", "    when score > 2", "remove guard of go @BA-3"))


def test_a_variant_of_a_variant_edits_what_that_edited() -> None:
    """Only variants that know nothing of each other conflict."""
    check(
        turned("= 3", "= 5"),
        variant("set limit = 4"),
        variant("set limit = 5", name="wilder", of="wild"),
    )


def test_places_and_what_is_not_edited_are_kept() -> None:
    """What is edited says in which file it was written; the rest is the very same."""
    base, _ = parse(SourceFile("0.rules", BASE))
    over, _ = parse(SourceFile("1.rules", in_turn('after "Again"', "    score = 6")))
    assert base is not None
    assert over is not None
    merged, _ = merge(base, [over])
    turn = next(item for item in merged if isinstance(item, ast.PhaseDecl))

    assert [item for item in merged if item is not turn] == [
        item for item in base.items if not isinstance(item, ast.PhaseDecl)
    ]
    assert [step.span.file.name for step in turn.block] == [
        *("0.rules", "0.rules", "1.rules", "0.rules", "0.rules")
    ]


def test_what_a_variant_takes_away_it_answers_for() -> None:
    """That no rule carries a sentence out any more is what the house rule is about."""
    table = "| id | kind | text |\n| --- | --- | --- |\n| BA-2 | M | One point. |\n"
    catalogue, _ = read_catalogue(SourceFile("clauses.md", table))
    over = variant("in start", '    replace "Deal"', '        "Deal two"', "            score = 2")
    for note, codes in (("", []), ('note "It is so" @BA-2\n', ["only-noted"])):
        trees = [parse(SourceFile("a.rules", text))[0] for text in (BASE + note, over)]
        base, house = [tree for tree in trees if tree is not None]
        report = check_citations(merge(base, [house])[0], catalogue)
        assert [f.code for f in report if f.code in ("only-noted", "uncited-clause")] == codes


def test_citations_are_not_lost() -> None:
    """A variant answers for the clauses whose rules it takes away, and cites its own."""
    base, _ = parse(SourceFile("0.rules", BASE))
    text = (
        "variant wild of base @WI-1\n    remove suit @WI-2\n    set limit = 4 @WI-3\n"
        "    in turn @WI-4\n        remove guard of go @BA-3\n"
        '        before "Over?" @WI-5\n            score = 2\n'
    )
    over, _ = parse(SourceFile("1.rules", text))
    assert base is not None
    assert over is not None
    merged, report = merge(base, [over])

    assert list(report) == []
    wanted = {"BA-1", "BA-2", "BA-3", "BA-4", "WI-1", "WI-2", "WI-3", "WI-4", "WI-5"}
    assert wanted == {word.text for word in cited(*merged)}


def test_steps_go_around_those_of_an_option() -> None:
    """In front of them they stand behind the guards; an option without steps takes them too."""
    check(
        turned(
            "score += 1\n            stay",
            "score = 0\n                score += 1\n                score = 3\n            stay",
        ),
        in_turn(
            "before go",
            "    score = 0",
            "after go",
            "    score = 3",
        ),
    )
    check(
        turned('stay "Stay"', 'stay "Stay"\n                score = 4'),
        in_turn("after stay", "    score = 4"),
    )


def fixes(*lines: str) -> list[str]:
    """What is to be typed instead, for every edit of a variant that meets nothing."""
    trees = [parse(SourceFile(name, text))[0] for name, text in _texts(*lines)]
    base, over = trees
    assert base is not None
    assert over is not None
    return [finding.help for finding in merge(base, [over])[1]]


def _texts(*lines: str) -> tuple[tuple[str, str], ...]:
    other = (
        "phase rest\n    score = 1\n"
        '    A chooses n in 1..2 "How long?"\n    score = n\n    -> turn\n'
    )
    return ("0.rules", BASE + other), ("1.rules", variant(*lines))


def test_an_edit_that_meets_nothing_is_told_what_there_is() -> None:
    """A title that says less, or another phase's; else what there is, where that is little."""
    assert fixes(*("in turn", '    remove "ever"', '    remove "Any"', "    remove hop")) == [
        "did you mean `Everybody`?",
        "it has `Over?`, `Nearly?`, `Not yet?`, `Again`, `Everybody`, `Which?`, `Stuck`",
        "it has `go`, `stay`",
    ]
    assert fixes("in rest", '    remove "Over?"', "    remove go", "    remove hop") == [
        "it stands in another one: write `in turn`",
        "it stands in another one: write `in turn`",
        "no choice in it has options with names: `replace` one as a whole, by its title",
    ]
    assert fixes("set score = 3", "set limits = 3", "set tempo = 3")[1:] == [
        "did you mean `limit`?",
        "it has `limit`, `first`, `ties`",
    ]


def test_an_edit_is_told_how_things_are_named() -> None:
    """Steps by their titles alone; guards by clauses, which not all of them cite."""
    assert fixes("in turn", '    replace step "Again"', "        score = 1") == [
        'a step is named by its title alone: `"Again"`'
    ]
    assert fixes("in turn", "    remove guard of go @BA-33") == ["did you mean `BA-3`?"]
    assert fixes("in turn", "    remove guard of stay @BA-3") == [""]


TIED = """\
rulebook base "Base"
    seats 2
ruling ties "Tied?"
    shared "All win" default
    nobody "None wins"
start
    A chooses "Which?"
        go "Go"
            end draw
        stay "Stay"
            end winners tied
define tied = if ties is shared then players else empty
"""


@pytest.mark.parametrize(
    ("lines", "told", "edit"),
    [
        (("in start", "    remove stay"), "nothing uses `tied`", "remove stay"),
        (
            ("replace define tied = players",),
            "no rule reads `ties`",
            "replace define tied = players",
        ),
        (("remove ties",), "unknown name: nothing is called `ties`", "remove ties"),
    ],
)
def test_what_a_variant_takes_away_is_blamed_on_it(
    lines: tuple[str, ...], told: str, edit: str
) -> None:
    """Where the rulebook is found wrong because of an edit, the edit is shown beside it."""
    over = SourceFile("1.rules", variant(*lines))
    spec = compile_sources(SourceSet(SourceFile("0.rules", TIED), PRELUDE, variants=(over,)))
    (found,) = (one for one in checked(spec).report if one.message.startswith(told))

    assert [span.text for span, said in found.notes if said.startswith("this edit")] == [edit]
