"""What commands write as JSON is as `docs/commands.schema.json` says."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.docs.reading import ROOT, written

SCHEMA: Final[dict[str, Any]] = json.loads(
    (ROOT / "docs" / "commands.schema.json").read_text("utf-8")
)
_SORTS: Final = {"array": list, "boolean": bool, "object": dict, "string": str, "null": type(None)}


def faults(value: Any, rule: dict[str, Any], at: str = "") -> list[str]:
    """What of a value does not fit a rule; fields that are not described may be there."""
    if "$ref" in rule:
        return faults(value, SCHEMA["$defs"][rule["$ref"].rsplit("/", 1)[-1]], at)
    if "anyOf" in rule:
        tried = [faults(value, one, at) for one in rule["anyOf"]]
        return [] if [] in tried else tried[0]
    if "enum" in rule or "const" in rule:
        return [] if value in rule.get("enum", [rule.get("const")]) else [f"{at}: {value}"]
    if not _is_of(value, rule.get("type")):
        return [f"{at}: no {rule['type']}"]
    if isinstance(value, list):
        return [
            f
            for n, one in enumerate(value)
            for f in faults(one, rule.get("items", {}), f"{at}/{n}")
        ]
    if isinstance(value, dict):
        known = rule.get("properties", {})
        other = rule.get("additionalProperties", {})
        lacking = [f"{at}: {key}" for key in rule.get("required", ()) if key not in value]
        inner = (faults(one, known.get(key, other), f"{at}/{key}") for key, one in value.items())
        return [*lacking, *(fault for found in inner for fault in found)]
    return []


def _is_of(value: Any, sort: str | None) -> bool:
    if sort is None:
        return True
    if sort in ("integer", "number"):
        numbers = int if sort == "integer" else (int, float)
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, _SORTS[sort])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec that has errors, and a recorded game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.rules").write_text('rulebook a "A"\n    seats 2\nstart\n    endd\n', "utf-8")
    written("rulewright new race")
    written("rulewright play kuhn --bots all --seed 3 --record game.record")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "check kuhn bad.rules race",
        "simulate kuhn nim -n 3",
        "simulate kuhn -n 2 --bots mcts:2,random",
        "explore kuhn",
        "explore pig --limit 20",
        "explore nim --perft 3",
        "test kuhn --games 0",
        "leaks kuhn --stops 8",
        "replay kuhn game.record",
        "replay kuhn game.record --seat B",
    ],
)
def test_what_commands_write(command: str, folder: Path) -> None:
    """Each field that is described is there, and of the kind that is said."""
    assert folder.is_dir()
    output = written(f"rulewright {command} --json")
    document = json.loads(output[output.index("{") :])
    name = f"{'perft' if '--perft' in command else command.split()[0]}_document"

    assert faults(document, SCHEMA["$defs"][name]) == []


def test_what_does_not_fit_is_found() -> None:
    """A lost field, another kind and another word are each refused."""
    place = SCHEMA["$defs"]["place"]

    assert faults({"line": 1, "column": 2, "more": 3}, place) == []
    assert faults({"line": 1}, place) == [": column"]
    assert faults({"line": "1", "column": 2}, place) == ["/line: no integer"]
    assert faults("bird", {"enum": ["fish"]}) == [": bird"]


def test_everything_is_described() -> None:
    """No field of the schema is without a sentence on what it says."""

    def bare(rule: Any, at: str) -> list[str]:
        if not isinstance(rule, dict):
            return []
        here = (
            [at] if "type" in rule and rule["type"] != "null" and "description" not in rule else []
        )
        inner = [
            f for key, one in rule.get("properties", {}).items() for f in bare(one, f"{at}/{key}")
        ]
        return [*here, *inner]

    found = [fault for name, rule in SCHEMA["$defs"].items() for fault in bare(rule, name)]

    assert found == []
