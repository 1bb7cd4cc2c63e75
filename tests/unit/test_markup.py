"""HTML as values: text is escaped, what is opened is closed."""

import pytest

from compiler.markup import Markup, classes, joined, tag, text


def test_text_stays_text() -> None:
    """Signs of markup in a text are shown, not obeyed."""
    assert text('<b> & "Q"') == '&lt;b&gt; &amp; "Q"'


def test_markup_is_taken_as_it_is() -> None:
    """An element among children is an element; a string beside it is text."""
    assert tag("p", tag("b", "5 < 7"), "<i>") == "<p><b>5 &lt; 7</b>&lt;i&gt;</p>"


def test_what_html_cannot_hold() -> None:
    """A control character is replaced by a sign that can be seen; a line feed is kept."""
    assert text("a\x00b\nc") == "a\N{REPLACEMENT CHARACTER}b\nc"


def test_attributes() -> None:
    """Names lose their last underscore, others become dashes; values are escaped.

    Quotes stand only where HTML needs them.
    """
    made = tag("a", "x", class_='"cite"', aria_label="to", hidden=True, id=None, open=False)
    assert made == '<a class="&quot;cite&quot;" aria-label=to hidden>x</a>'


def test_elements_that_hold_nothing() -> None:
    """`meta` is not closed, and can have no children."""
    assert tag("meta", charset="utf-8") == "<meta charset=utf-8>"
    with pytest.raises(ValueError, match="holds nothing"):
        tag("br", "x")


def test_children_may_be_nested_or_missing() -> None:
    """Rows of children count like their members, `None` like nothing."""
    assert joined("a", None, ["b", (Markup("<br>"), "c")]) == "ab<br>c"


def test_classes() -> None:
    """Only names that there are make a class; without any there is no attribute."""
    assert classes("a", None, False, "", "b") == "a b"
    assert classes(None) is None
