"""The JSON Schema of what `flow --json` writes, made from the types of `json_form`."""

from types import NoneType, UnionType
from typing import Any, Final, TypedDict, get_args, get_origin, get_type_hints, is_typeddict

from compiler.flowchart import json_form
from compiler.flowchart.model import EdgeKind, Kind, Level
from compiler.flowchart.overlay import HEATS, Tone

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_CODES: Final = {
    ("NodeEntry", "kind"): [kind.value for kind in Kind],
    ("EdgeEntry", "kind"): [kind.value for kind in EdgeKind],
    ("ChartEntry", "level"): [level.value for level in Level],
    ("MarkEntry", "tone"): [tone.value for tone in Tone],
}


class Document(TypedDict):
    """What is written: one entry for each spec."""

    schema_version: int
    specs: list[json_form.NamedChartEntry]


def schema() -> dict[str, Any]:
    """The whole schema: every key is required, and there are no others."""
    defined: dict[str, Any] = {}
    root = _object(Document, defined)
    root["properties"]["schema_version"] = {"const": 1}
    defined["MarkEntry"]["properties"]["heat"] |= {"minimum": 0, "maximum": HEATS}
    return {"$schema": DRAFT, "title": "Flowcharts of rulewright", **root, "$defs": defined}


def _object(entry: Any, defined: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(entry)
    properties = {
        key: {"enum": _CODES[entry.__name__, key]}
        if (entry.__name__, key) in _CODES
        else _type(hint, defined)
        for key, hint in hints.items()
    }
    return {
        "description": " ".join((entry.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "required": list(hints),
        "additionalProperties": False,
    }


def _type(hint: Any, defined: dict[str, Any]) -> dict[str, Any]:
    if is_typeddict(hint):
        if hint.__name__ not in defined:
            defined[hint.__name__] = {}
            defined[hint.__name__] = _object(hint, defined)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if get_origin(hint) is list:
        return {"type": "array", "items": _type(get_args(hint)[0], defined)}
    if isinstance(hint, UnionType) or NoneType in get_args(hint):
        (other,) = [part for part in get_args(hint) if part is not NoneType]
        return {"anyOf": [_type(other, defined), {"type": "null"}]}
    return {"type": {str: "string", int: "integer", bool: "boolean"}[hint]}
