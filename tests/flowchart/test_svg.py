"""Pictures: which program draws them, and what happens when there is none or it fails."""

import re
import sys
from pathlib import Path

import pytest

from compiler.flowchart import dot, svg
from compiler.flowchart.chart import chart
from compiler.flowchart.svg import Choice, Format, RendererMissing, RenderFailed
from tests.flowchart.written import written

RULES = """
    start
        "Deal"
            shuffle deck
        active chooses "Keep or pass?"
            keep "Keep"
                score = 1
            hand_on "Hand on"
                active = next(active)
        end winners [active]
"""

DRAWN = chart(written(RULES))
TEXTS = dot.ladder(DRAWN)


def program(folder: Path, name: str, body: str) -> Path:
    """A program that stands in for a renderer: `body` is Python, `text` what it is given."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys\ntext = sys.stdin.read()\n{body}\n")
    path.chmod(0o755)
    return path


def alone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Leaves no other renderer to be found than those in a folder."""
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(folder))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv(svg.DOT_VARIABLE, raising=False)


needs_renderer = pytest.mark.skipif(
    not svg.renderers(Format.SVG), reason="no renderer is installed here"
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="stand-ins are scripts")


@needs_renderer
def test_a_picture_has_every_arrow_and_box() -> None:
    """The SVG of a chart has a group for each box, by its id, and one for each arrow."""
    picture = svg.render([dot.draw(DRAWN, legend=False)], len(DRAWN.edges))

    assert isinstance(picture, bytes)
    assert picture.count(b'class="edge"') == len(DRAWN.edges)
    ids = re.findall(rb'<g id="([^"]+)" class="node"', picture)
    assert sorted(ids) == sorted(node.id.encode() for node in DRAWN.nodes)


@needs_renderer
def test_a_png_is_drawn() -> None:
    """A picture for print comes from the same text."""
    picture = svg.render(TEXTS, len(DRAWN.edges), Format.PNG)

    assert isinstance(picture, bytes)
    assert picture.startswith(b"\x89PNG")


def test_without_a_renderer_the_answer_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A missing renderer is an answer, not a crash, and names the cure."""
    alone(monkeypatch, tmp_path)
    missing = svg.render(TEXTS, len(DRAWN.edges))

    assert missing == RendererMissing(Format.SVG)
    assert "pip install graphviz-pure" in str(missing)


def test_pdf_needs_graphviz_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What draws without set-up cannot write PDF, and the answer says so."""
    alone(monkeypatch, tmp_path)
    program(tmp_path, "graphviz-pure", "print('never run')")

    assert str(svg.render(TEXTS, 0, Format.PDF)).startswith("PDF needs Graphviz itself")


@posix
def test_the_packaged_renderer_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One picture everywhere: Graphviz's own program is asked only if the other is not there."""
    alone(monkeypatch, tmp_path)
    program(tmp_path, "dot", "print('<svg>dot</svg>')")
    program(tmp_path, "graphviz-pure", "print('<svg>pure</svg>')")

    assert svg.render(["digraph {}"], 0) == b"<svg>pure</svg>\n"
    assert svg.render(["digraph {}"], 0, choice=Choice.DOT) == b"<svg>dot</svg>\n"


@posix
def test_lost_arrows_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A renderer that drops arrows is given the next text; at last its picture is refused."""
    alone(monkeypatch, tmp_path)
    arrows = "'<g class=\"edge\"/>' * text.count('->')"
    program(tmp_path, "graphviz-pure", f"print('<svg>' + {arrows} + '</svg>')")
    whole, broken = "digraph { a -> b -> c }", "digraph { a -> b }"

    two = b'<svg><g class="edge"/><g class="edge"/></svg>\n'
    assert svg.render([broken, whole], 2) == two
    assert svg.render([broken], 2) == RenderFailed("graphviz-pure", "1 of 2 arrows were drawn")


@posix
def test_a_crash_is_an_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A renderer that breaks off gives its last words."""
    alone(monkeypatch, tmp_path)
    program(tmp_path, "graphviz-pure", "sys.exit('first line\\nout of ideas')")

    assert svg.render(["digraph {}"], 0) == RenderFailed("graphviz-pure", "out of ideas")


@posix
def test_the_environment_may_name_graphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where Graphviz is not on the PATH, a variable says where it is."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    alone(monkeypatch, tmp_path)
    monkeypatch.setenv(
        svg.DOT_VARIABLE, str(program(elsewhere, "my-dot", "print('<svg>mine</svg>')"))
    )

    assert svg.render(["digraph {}"], 0, Format.PDF) == b"<svg>mine</svg>\n"


@posix
def test_what_is_no_picture_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A renderer that writes anything but SVG is not believed."""
    alone(monkeypatch, tmp_path)
    program(tmp_path, "graphviz-pure", "print('<svg>')")

    assert svg.render(["digraph {}"], 0) == RenderFailed("graphviz-pure", "what it wrote is no SVG")
