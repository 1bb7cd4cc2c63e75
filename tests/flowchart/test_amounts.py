"""How much there is of something, and that there is none, in English."""

import pytest

from compiler.graph.amounts import Thing, is_plural, lying, plural, still_in


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("p's open cards", Thing("open cards", "p")),
        ("x's owner's tree 1", Thing("tree 1", "x's owner")),
        ("discards", Thing("discards")),
        ("stake of the player after p", Thing("stake of the player after p")),
    ],
)
def test_whose_it_is(words: str, thing: Thing) -> None:
    """What stands before the last apostrophe is whose it is."""
    assert Thing.called(words) == thing


@pytest.mark.parametrize(
    ("words", "missing", "present"),
    [
        ("p's open cards", "p has no open cards", "p has open cards"),
        ("p's duelist", "p has no duelist", "p has a duelist"),
        ("discards", "there are no discards", "there are discards"),
        ("owner", "there is no owner", "there is an owner"),
        ("b", "there is no b", "there is b"),
    ],
)
def test_nothing_and_something(words: str, missing: str, present: str) -> None:
    """Who has none, or what there is none of, is said as people say it."""
    thing = Thing.called(words)

    assert (thing.missing(), thing.present()) == (missing, present)


@pytest.mark.parametrize(
    ("how", "number", "said"),
    [
        ("is", 3, "p has 3 marks"),
        ("is", 1, "p has 1 mark"),
        ("is", 0, "p has no marks"),
        ("is not", 2, "p has not 2 marks"),
        ("is less than", 3, "p has fewer than 3 marks"),
        ("is more than", 0, "p has at least 1 mark"),
        ("is at least", 6, "p has at least 6 marks"),
    ],
)
def test_how_many(how: str, number: int, said: str) -> None:
    """What is counted is compared with a number."""
    assert Thing("marks", "p").compared(how, number) == said


def test_as_many_as() -> None:
    """What is counted is compared with something else."""
    assert Thing("rolls").against("is less than", "dice") == "there are fewer rolls than dice"
    assert Thing("rolls", "p").against("is", "dice") == "p has as many rolls as dice"


def test_what_lies_somewhere() -> None:
    """Cards in a pile, players who are left: verbs follow the number."""
    assert lying("is less than", 2, "deck") == "there are fewer than 2 in deck"
    assert lying("is", 1, "deck") == "there is 1 in deck"
    assert still_in("is", 1) == "1 player is left"
    assert still_in("is more than", 2) == "more than 2 players are left"


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("passes in a row", True),
        ("rolls allowed", True),
        ("luck cards with same colour", True),
        ("suit of cards", False),
        ("bonus", False),
        ("axis", False),
    ],
)
def test_names_of_several_things(name: str, several: bool) -> None:
    """The first or last word before "of", "in" and the like says whether it is several."""
    assert Thing(name).is_several == several


def test_plurals() -> None:
    """Nouns get the ending that English gives them."""
    assert [plural(noun) for noun in ("value", "colour", "suit", "story", "day", "box")] == [
        "values",
        "colours",
        "suits",
        "stories",
        "days",
        "boxes",
    ]
    assert not is_plural("class")
