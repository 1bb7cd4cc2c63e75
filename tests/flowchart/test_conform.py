"""Whether charts are as somebody expects: reference flows of the catalogues, and what is wrong."""

from pathlib import Path

import pytest

from compiler.config import Configuration
from compiler.diagnostic import Report
from compiler.flowchart.chart import chart
from compiler.flowchart.conform import Conformance, conformance, mismatch
from compiler.flowchart.overlay import Tone
from compiler.flowchart.reference import Misread, Reference, read
from compiler.pipeline import Compiled, Spec, compile_sources
from ruleengine import library
from tests.flowchart.written import written

SPECS = Path(__file__).parents[2] / "specs"
FLOWS = sorted(path.parent.name for path in SPECS.glob("*/flow.txt"))

RULES = """
    start
        -> turn
    phase turn "Turn" @SM-1
        do deal
        active chooses "Keep or pass?" @SM-2
            keep "Keep" @SM-3
                score = 1
            hand_on "Hand on"
                active = next(active)
        if score >= 5 "Five points?" @SM-4
            end winners [active] @SM-5
        -> turn
    phase deal "Deal"
        shuffle deck
        "Give a card" @SM-6
            move top of deck to open
"""

EXPECTED = """\
flow small "A turn"
give step "Give a card" @SM-6
    -> choose
choose decision "Keep or pass" @SM-2
    "Keep" -> five
    "Hand on" -> five
five test "Five points?" @SM-4
    "yes" -> over       -- a remark
    "no" -> give
over end "The winner" @SM-5
"""


def reference(text: str) -> Reference:
    """The flow in a text that has nothing wrong."""
    found = read(text)
    assert isinstance(found, Reference), str(found)
    return found


def compared(text: str) -> Conformance:
    """The rules above, compared with an expected flow."""
    graph = written(RULES)
    return conformance(graph, chart(graph), reference(text))


@pytest.mark.parametrize("game", FLOWS)
def test_reference_flows_hold(game: str) -> None:
    """The flow of a rulebook's catalogue is that of its chart: all of it, and nothing else."""
    sources = library.read(game)
    assert not isinstance(sources, Report)
    spec = compile_sources(sources)
    assert isinstance(spec, Spec)
    compiled = spec.instantiate(Configuration())
    assert isinstance(compiled, Compiled)
    flow = reference((SPECS / game / "flow.txt").read_text("utf-8"))

    assert flow.spec == game
    assert conformance(compiled.graph, chart(compiled.graph), flow).lines == ()


def test_every_rulebook_has_a_reference_flow() -> None:
    """There is one for each of the five catalogues, Klink's with the nine steps it prints."""
    klink = reference((SPECS / "klink" / "flow.txt").read_text("utf-8"))

    assert FLOWS == ["highjinks", "jinks", "jinx", "jinxx", "klink"]
    assert [name for name in "123456789" if name not in {n.name for n in klink.nodes}] == []


def test_a_flow_goes_into_phases_and_back() -> None:
    """A step of a phase that is run comes before what follows the run."""
    assert compared(EXPECTED).holds


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"yes" -> over', '"no" -> over', 'five "no" -> over: no path in the chart'),
        (
            '"no" -> give',
            "",
            'five "no" -> give: not expected, through turn.start > turn.deal > deal.start > deal.1',
        ),
        ("@SM-5", "@SM-9", "over: no end box cites SM-9"),
        ("over end", "over chance", "over: no chance box cites SM-5"),
        ("@SM-5", "@SM-5 is turn.over", "over: there is no box `turn.over`"),
        ("@SM-5", '@SM-5 is turn.five_points "maybe"', "with an arrow"),
        ("@SM-5", "is turn.keep_or_pass @SM-5", "there is no box `@SM-5`"),
        ("-> choose", "-> five", "give -> choose: not expected"),
    ],
)
def test_what_is_not_as_expected(old: str, new: str, told: str) -> None:
    """A swapped answer, a way nobody named, a lost rule and a wrong place are each found."""
    found = compared(EXPECTED.replace(old, new))

    assert not found.holds
    assert any(told in line for line in found.lines), found.lines


def test_a_way_may_be_right_though_not_needed() -> None:
    """What stands behind `may` is neither missed nor held against the chart."""
    may = EXPECTED.replace('"no" -> give', "may -> give\n    may -> choose")

    assert compared(may).holds


def test_an_arrow_can_be_a_node() -> None:
    """An option that has no box of its own is a node by its arrow."""
    picked = EXPECTED.replace('"Keep" -> five', '"Keep" -> kept')
    text = f'{picked}kept "He keeps" is turn.keep_or_pass "Keep"\n    -> five\n'

    assert compared(text).holds


def test_one_box_can_be_several_nodes() -> None:
    """Nodes that share a box follow one another inside it."""
    text = EXPECTED.replace(
        "-> choose\nchoose", "-> think\nthink decision @SM-2\n    -> choose\nchoose"
    )

    assert compared(text).holds


def test_the_mismatch_is_drawn() -> None:
    """Expected nodes bear their names; what is missing is drawn, what is extra is marked."""
    found = compared(EXPECTED.replace('"yes" -> over', '"no" -> over'))
    laid = mismatch(chart(written(RULES)), found)
    assert laid.overlay is not None
    tones = {mark.tone for mark in laid.overlay.arrows.values()}

    assert laid.overlay.boxes["turn.five_points"].badge == "five"
    assert tones == {Tone.MISSING, Tone.WRONG}
    assert len(laid.chart.edges) == len(chart(written(RULES)).edges) + 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a stap", "line 1: `stap` is no kind"),
        ("    -> a", "line 1: what comes next stands below a node"),
        ("a @X\n    b", "line 2: what comes next is written"),
        ("a @X\n    -> b", "line 1: `a` leads to `b`: no such node"),
        ("a @X\na @Y", "line 2: `a` stands already in line 1"),
    ],
)
def test_misread(text: str, told: str) -> None:
    """What is no flow is said with its line."""
    found = read(text)

    assert isinstance(found, Misread)
    assert str(found).startswith(told)
