"""Charts as DOT text: what it says, that it is plain, that it is always the same."""

import re

from attrs import evolve

from compiler.flowchart import dot
from compiler.flowchart.chart import chart
from compiler.flowchart.looks import LOOKS
from compiler.flowchart.model import Chart, ChartEdge, ChartNode, Cluster, Kind
from tests.flowchart.written import written

RULES = """
    start
        "Deal" @SM-1.1
            shuffle deck
        active chooses "Keep or pass?" @SM-2.1
            keep "Keep"
                score = 1
            hand_on "Hand on" @SM-2.2 @SM-R1
                active = next(active)
        end winners [active]
"""


def one_box(label: str, hidden: bool = False) -> Chart:
    """A chart with a single step."""
    node = ChartNode("a.1", "a", Kind.STEP, label, hidden=hidden, cluster="a")
    return Chart("Game", "steps", (node,), (), (Cluster("a", "A"),))


def attribute(text: str, box: str, name: str) -> str:
    """The value of an attribute of a box."""
    (line,) = re.findall(rf'^\s*"{re.escape(box)}" \[(.*)\]$', text, re.MULTILINE)
    found = re.search(rf'\b{name}=(<.*?>(?= \w+=|$)|"[^"]*"|\S+)', line)
    assert found is not None
    return found[1].strip('"')


def test_text_is_the_same_every_time() -> None:
    """Two drawings of one game are the same text."""
    assert dot.draw(chart(written(RULES))) == dot.draw(chart(written(RULES)))


def test_text_is_ascii() -> None:
    """Letters beyond ASCII are entities, those beyond Latin-1 come as near as they can."""
    text = dot.draw(one_box("Ärger → “Łódź” ≥ 3 \N{GREEK SMALL LETTER ALPHA}"))

    assert text.isascii()
    assert "&#196;rger -&gt; &quot;?&#243;dz&quot; &gt;= 3 ?" in text


def test_markup_and_escapes_are_text() -> None:
    """Nothing an author writes is read as markup or as an escape of Graphviz."""
    text = dot.draw(one_box(r'<b> & "quoted" \N \l'))

    assert r"&lt;b&gt; &amp; &quot;quoted&quot; \N \l" in text


def test_a_tooltip_is_the_text_of_the_clauses() -> None:
    """A box tells, on request, what the clauses it cites say."""
    links = dot.Links({"SM-1.1": "Shuffle first \\ then deal."})
    text = dot.draw(chart(written(RULES)), links)

    assert attribute(text, "start.deal", "tooltip") == r"SM-1.1: Shuffle first \\ then deal."


def test_a_box_links_to_its_line() -> None:
    """A box leads to the line of the spec where it is written."""
    graph = written(RULES)
    text = dot.draw(chart(graph))
    span = chart(graph).node("start.deal").span

    assert span is not None
    assert attribute(text, "start.deal", "URL") == f"small.rules#L{span.first.line}"
    assert attribute(text, "start.deal", "id") == "start.deal"


def test_clauses_lose_the_letters_of_the_game() -> None:
    """Clauses are told by their numbers; those from elsewhere keep the letters that say so."""
    text = dot.draw(chart(written(RULES.replace("@SM-1.1", "@HOUSE-1"))))

    assert ">2.2  R1<" in text
    assert ">HOUSE-1<" in text
    assert ">SM-" not in text


def test_hidden_boxes_are_dashed() -> None:
    """A box in which somebody learns what others do not has a dashed line."""
    text = dot.draw(one_box("Look", hidden=True))

    assert attribute(text, "a.1", "style") == "filled,rounded,dashed"
    assert "not seen by all" in text
    assert "not seen by all" not in dot.draw(one_box("Look"))


def test_the_legend_has_the_kinds_that_occur() -> None:
    """The legend explains what is there, and nothing else."""
    text = dot.draw(chart(written(RULES)))

    assert "a player decides" in text
    assert "sealed decisions" not in text
    assert "a player decides" not in dot.draw(chart(written(RULES)), legend=False)


def test_long_labels_are_wrapped_evenly() -> None:
    """A label takes as few lines as it needs, and they are about equally long."""
    text = dot.draw(one_box("Take all of your own pieces back from the board"))

    assert "Take all of your own<br/>pieces back from the board" in text


def test_colours_are_written_out() -> None:
    """Every colour has six digits: older renderers know no others."""
    text = dot.draw(chart(written(RULES)))
    colours = re.findall(r'(?:color|bgcolor)="?([^" \]]+)', text)

    assert [colour for colour in colours if not re.fullmatch(r"#[0-9a-f]{6}", colour)] == []
    assert len(colours) > 10


def test_many_options_are_a_list() -> None:
    """A phase whose decision has many options is laid out from left to right."""
    options = "\n".join(
        f'            take_{n} "Take {n}"\n                score = {n}' for n in range(7)
    )
    rules = (
        f'start\n    -> turn\nphase turn\n    active chooses "Which?"\n{options}\n    end draw\n'
    )
    drawn = chart(written(rules.replace("            ", "        ")), phase="turn")

    assert "rankdir=LR" in dot.draw(drawn)
    assert "rankdir=TB" in dot.draw(chart(written(RULES)))


def test_each_rung_has_its_settings() -> None:
    """What a renderer tries in turn: more time, more room, arrows elsewhere, then other lines."""
    first, patient, aside, wide, *_, straight, last = dot.ladder(chart(written(RULES)))

    assert first == patient.replace("mclimit=20", "mclimit=6")
    assert aside == wide.replace("nodesep=0.8", "nodesep=0.5")
    assert straight.replace(" splines=line", "") == first
    assert last == first.replace(" newrank=true", "")


def test_an_arrow_back_stands_beside_the_one_there() -> None:
    """Two boxes that lead to one another have arrows that do not cover each other."""
    boxes = tuple(
        ChartNode(f"a.{name}", "a", kind, name, cluster="a")
        for name, kind in (("start", Kind.START), ("roll", Kind.CHANCE), ("ask", Kind.DECISION))
    )
    edges = (
        ChartEdge("a.start", "a.roll"),
        ChartEdge("a.roll", "a.ask"),
        ChartEdge("a.ask", "a.roll", label="again"),
    )
    text = dot.draw(Chart("Game", "steps", boxes, edges, (Cluster("a", "A"),)))

    assert [line for line in text.splitlines() if "tailport" in line] == [
        line for line in text.splitlines() if '"a.ask" -> "a.roll"' in line
    ]


def test_many_arrows_back_are_written() -> None:
    """Where three arrows lead back to one box, each ends in a box that names it; two are drawn."""
    steps = [ChartNode(f"a.{number}", "a", Kind.STEP, f"Step {number}") for number in range(3)]
    ask = ChartNode("a.ask", "a", Kind.DECISION, "What now?", cluster="a")
    there = tuple(ChartEdge("a.ask", step.id, label=step.label) for step in steps)
    back = tuple(ChartEdge(step.id, "a.ask") for step in steps)
    many = Chart("Game", "steps", (ask, *steps), there + back, (Cluster("a", "A"),), phase="a")
    few = evolve(many, edges=there + back[:2])

    assert dot.draw(many).count("&#171; What now?") == 3
    assert not re.findall(r'"a\.\d" -> "a\.ask"', dot.draw(many))
    assert dot.draw(few).count("&#171; What now?") == 0
    assert len(re.findall(r'"a\.\d" -> "a\.ask"', dot.draw(few))) == 2
    assert "&#171; back to" in dot.draw(many)
    assert "&#171; back to" not in dot.draw(few)


def test_the_legend_has_the_shapes() -> None:
    """A kind's example in the legend has the shape of its boxes."""
    text = dot.draw(chart(written(RULES)))
    shapes = dict(re.findall(r"^\s*(legend_\w+) .*shape=(\w+)", text, re.MULTILINE))

    assert shapes["legend_decision"] == "box"
    assert set(shapes) == {
        f"legend_{kind.value}" for kind in {box.kind for box in chart(written(RULES)).nodes}
    }
    assert all(shape == LOOKS[Kind(name[7:])].shape for name, shape in shapes.items())
