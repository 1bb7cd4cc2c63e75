"""Every shipped game in every format, and in notebooks."""

import pytest

from compiler.flowchart import svg
from ruleengine.drawing import Form, aid_of, shown
from ruleengine.game import Instance
from tests.flowchart.shipped import GAMES, compiled

BEGINS = {
    Form.TEXT: b"",
    Form.JSON: b"{",
    Form.DOT: b"digraph chart {",
    Form.MERMAID: b"---\ntitle: ",
    Form.HTML: b"<!DOCTYPE html>",
    Form.SVG: b"<?xml",
    Form.PNG: b"\x89PNG",
}
needs_renderer = pytest.mark.skipif(
    not svg.renderers(svg.Format.SVG), reason="no renderer is installed here"
)


@needs_renderer
@pytest.mark.parametrize("game", GAMES)
def test_every_format_of_every_game(game: str) -> None:
    """A chart can be written whatever the game and the format."""
    for form, begins in BEGINS.items():
        written = shown(compiled(game), form)
        assert isinstance(written, bytes), f"{form}: {written}"
        assert written.startswith(begins)
        assert len(written) > 100


@needs_renderer
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_an_aid(game: str) -> None:
    """So can its player aid, as a page and as a sheet."""
    for form in (Form.HTML, Form.SVG):
        assert isinstance(aid_of(compiled(game), form), bytes)


@needs_renderer
def test_notebooks_show_charts() -> None:
    """A loaded game shows its chart, in both ways that notebooks ask."""
    game = Instance.of(compiled("kuhn"))
    picture = game._repr_svg_()

    assert picture is not None
    assert "<svg" in picture
    assert game._repr_mimebundle_()["image/svg+xml"] == picture
    assert game._repr_mimebundle_()["text/plain"].startswith("Kuhn poker: steps")
