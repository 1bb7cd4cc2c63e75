"""The table of clauses and the hashes confirmed for it."""

from compiler.clauses import Kind, changed, lock_text, read_catalogue, read_lock
from compiler.source import SourceFile

TABLE = """\
# Small: clauses

| id | kind | text |
| --- | --- | --- |
| SM-1 | M | Deal a card \\| two. |
| SM-2 | I | Have fun. |

| id | clauses | question | readings |
| :--- | --- | --- | --- |
| SM-R1 | SM-1, SM-2 | One or two? | one (default), two |

| id | text |
| --- | --- |
| SM-I1 | All cards are somewhere. |
"""


def test_rows() -> None:
    """Clauses have kinds, rulings have readings, other ids have a text."""
    catalogue, report = read_catalogue(SourceFile("clauses.md", TABLE))
    ruling = catalogue.rulings["SM-R1"]

    assert list(report) == []
    assert catalogue.ids == ("SM-1", "SM-2", "SM-R1", "SM-I1")
    assert catalogue.clauses["SM-1"].text == "Deal a card | two."
    assert [clause.id for clause in catalogue.mechanical] == ["SM-1"]
    assert catalogue.clauses["SM-2"].kind is Kind.INFORMATIVE
    assert (ruling.clauses, ruling.readings) == (("SM-1", "SM-2"), ("one", "two"))
    assert ruling.default == "one"
    assert catalogue.clauses["SM-1"].span.text == "SM-1"


def test_lock_confirms_all_texts() -> None:
    """After a lock is written nothing has changed."""
    catalogue, _ = read_catalogue(SourceFile("clauses.md", TABLE))
    confirmed, report = read_lock(SourceFile("clauses.lock", lock_text(catalogue)))

    assert list(report) == []
    assert list(confirmed) == list(catalogue.ids)
    assert changed(catalogue, confirmed) == ()


def test_changed_text_is_told_and_new_text_is_not() -> None:
    """Other words make a text another one; other spacing and new rows do not."""
    catalogue, _ = read_catalogue(SourceFile("clauses.md", TABLE))
    confirmed, _ = read_lock(SourceFile("clauses.lock", lock_text(catalogue)))
    text = TABLE.replace("Have fun.", "Have  fun.").replace("One or two?", "One or three?")
    later, _ = read_catalogue(SourceFile("clauses.md", text + "| SM-I2 | None is lost. |\n"))

    assert changed(later, confirmed) == ("SM-R1",)
