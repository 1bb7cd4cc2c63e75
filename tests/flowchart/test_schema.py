"""The published schema of charts as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from compiler.flowchart import json_form, overlay
from compiler.flowchart.chart import chart
from compiler.flowchart.model import Level
from compiler.flowchart.schema import schema
from compiler.graph.core import Graph
from tests.flowchart.test_games import graph

__all__ = ["graph"]

PUBLISHED = Path(__file__).parents[2] / "docs" / "chart.schema.json"


def faults(value: Any, rule: dict[str, Any], root: dict[str, Any], at: str = "") -> list[str]:
    """What of a value does not fit a schema that uses the words which ours uses."""
    if "$ref" in rule:
        return faults(value, root["$defs"][rule["$ref"].rsplit("/", 1)[-1]], root, at)
    if "anyOf" in rule:
        tried = [faults(value, one, root, at) for one in rule["anyOf"]]
        return [] if [] in tried else tried[0]
    if "enum" in rule or "const" in rule:
        allowed = rule.get("enum", [rule.get("const")])
        return [] if value in allowed else [f"{at}: {value}"]
    sorts = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if rule["type"] == "null":
        return [] if value is None else [f"{at}: not null"]
    if type(value) is not sorts[rule["type"]]:
        return [f"{at}: no {rule['type']}"]
    if isinstance(value, list):
        return [
            f for n, one in enumerate(value) for f in faults(one, rule["items"], root, f"{at}/{n}")
        ]
    if isinstance(value, dict):
        odd = set(value) ^ set(rule["required"])
        inner = [
            fault
            for key, one in value.items()
            if key in rule["properties"]
            for fault in faults(one, rule["properties"][key], root, f"{at}/{key}")
        ]
        return [f"{at}: {key}" for key in sorted(odd)] + inner
    return []


def test_the_published_schema_is_current() -> None:
    """The file in the docs is the schema of the types."""
    assert json.loads(PUBLISHED.read_text("utf-8")) == schema()


@pytest.mark.parametrize("level", Level)
def test_charts_fit_the_schema(graph: Graph, level: Level) -> None:
    """Charts of all games on all levels are as the schema says."""
    drawn = chart(graph, level)
    laid = overlay.selection(drawn, ["JI-3"], "Placing")
    written = {
        "schema_version": 1,
        "specs": [
            {"name": "a", **json_form.entry(drawn)},
            {"name": "b", **json_form.entry(laid.chart, laid.overlay)},
        ],
    }

    assert faults(json.loads(json.dumps(written)), schema(), schema()) == []


def test_what_does_not_fit_is_found() -> None:
    """A wrong kind, a lost key and a wrong type are each refused."""
    root = schema()
    rule = root["$defs"]["WayEntry"]

    assert faults({"node": 1, "position": 0}, rule, root) == []
    assert faults({"node": "1", "position": 0}, rule, root) == ["/node: no integer"]
    assert faults({"node": 1}, rule, root) == [": position"]
    assert faults("bird", {"enum": ["fish"]}, root) == [": bird"]
