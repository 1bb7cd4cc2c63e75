"""Drawings are written shorter, and show the same."""

from xml.etree import ElementTree

import pytest

from ruleengine.report.slim import slim


def slimmed(text: str) -> str:
    """A drawing, rewritten."""
    root = ElementTree.fromstring(text)
    slim(root)
    return ElementTree.tostring(root, encoding="unicode")


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("M1,2C1,2 5,2 5,2", "M1 2h4"),
        ("M1,2C1,2 1,-2.04 1,-2.04", "M1 2v-4"),
        ("M0,0C0,0 3,4 3,4", "M0 0l3 4"),
        ("M-1.5,0.04C0,1 2,3 4.26,5Z", "M-1.5 0c1.5 1 3.5 3 5.8 5z"),
        ("M0,0C0,0 0,0 0,0", "M0 0"),
        ("M0,0C1,1 2,2 3,0 4,1 5,2 6,0", "M0 0c1 1 2 2 3 0c1 1 2 2 3 0"),
        ("M0,0L5,5", "M0,0L5,5"),
    ],
)
def test_paths(path: str, short: str) -> None:
    """Curves that are straight become lines; other paths than curves stay as they are."""
    assert slimmed(f'<svg><path d="{path}" /></svg>') == f'<svg><path d="{short}" /></svg>'


def test_ground_and_edge_are_one_shape() -> None:
    """A shape that is drawn once filled and once as a line is drawn once with both."""
    ground = '<polygon fill="#fff" stroke="none" points="0,0 1,1" />'
    edge = '<polygon fill="none" stroke="#000" points="0,0 1,1" />'
    other = '<polygon fill="none" stroke="#000" points="0,0 2,1" />'

    both = '<svg><polygon fill="#fff" stroke="#000" points="0,0 1,1" /></svg>'
    assert slimmed(f"<svg>{ground}{edge}</svg>") == both
    assert slimmed(f"<svg>{ground}{other}</svg>") == f"<svg>{ground}{other}</svg>"


def test_words_keep_their_spaces() -> None:
    """A text of spaces is an indent."""
    assert slimmed("<svg>\n <text> </text>\n</svg>") == "<svg><text> </text></svg>"
