"""Makes tflarena/results.py, dataclasses for the JSON of the command, from docs/schema."""

from __future__ import annotations

import json
import keyword
import textwrap
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[1] / "docs" / "schema"

HEAD = '''"""Results of the command. python/generate.py makes this file from docs/schema.

Fields have the names of the JSON, with an underscore after Python's keywords. Fields that may be absent are None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .result import Result

'''

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def generate(folder: Path) -> str:
    """Returns the module for the schemas of a folder."""
    defs: dict[str, Any] = {}
    commands: dict[str, str] = {}
    version = 0
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        properties = schema["properties"]
        if "command" not in properties:
            continue  # not a document with results: version, and the manifest of segments
        version = properties["schema_version"]["const"]
        for name, definition in schema["$defs"].items():
            if defs.setdefault(name, definition) != definition:
                raise ValueError(f"{path}: {name} differs from that of another schema: give one of them its own name")
        results = properties.get("models") or properties["traces"]
        commands[properties["command"]["const"]] = reference(results["items"]["oneOf"][0])
    written: dict[str, str] = {}
    for name in ["Failed", *commands.values()]:
        add(name, defs, written, is_result=True)
    table = "".join(f'    "{command}": {name},\n' for command, name in commands.items())
    tail = f'SCHEMA_VERSION = {version}\n"""Version of the JSON that this module reads."""\n\nRESULTS: dict[str, type[Result]] = {{\n{table}}}\n'
    return HEAD + "\n" + "\n\n".join([*written.values(), tail + '"""Type of the results of each command."""\n'])


def add(name: str, defs: dict[str, Any], written: dict[str, str], is_result: bool = False) -> None:
    """Adds a class and, before it, the classes that its fields need."""
    if name in written:
        return
    written[name] = ""  # its place, in case it refers to itself
    lines = ["@dataclass(frozen=True, kw_only=True)", f"class {name}{'(Result)' if is_result else ''}:"]
    properties, required = fields(defs[name])
    for field, schema in properties.items():
        for needed in references(schema):
            add(needed, defs, written)
        optional = "" if field in required else " | None = None"
        lines.append(f"    {identifier(field)}: {annotation(schema)}{optional}")
        lines += docstring(schema["description"])
    if "FITS" in properties.get("verdict", {}).get("enum", []):
        lines += ["", "    @property", "    def fits(self) -> bool:"]
        lines += ['        """Whether the verdict is FITS. False without a budget, too."""', '        return self.verdict == "FITS"']
    del written[name]
    written[name] = "\n".join(lines) + "\n"


def fields(schema: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Returns the fields of a type, and those that every form of it has."""
    forms = schema.get("oneOf", [schema])
    properties = {field: s for form in forms for field, s in form["properties"].items()}
    return properties, set.intersection(*(set(form["required"]) for form in forms))


def references(schema: dict[str, Any]) -> list[str]:
    """Returns the types that a field refers to."""
    if "$ref" in schema:
        return [reference(schema)]
    return [r for key in ("items", "additionalProperties") if key in schema for r in references(schema[key])]


def reference(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).removeprefix("#/$defs/")


def annotation(schema: dict[str, Any]) -> str:
    """Returns the type of a field."""
    if "$ref" in schema:
        return reference(schema)
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    if schema["type"] == "array":
        return f"list[{annotation(schema['items'])}]"
    if schema["type"] == "object":
        return f"dict[str, {annotation(schema['additionalProperties'])}]"
    return SCALARS[schema["type"]]


def identifier(field: str) -> str:
    """Returns the name of a field in Python."""
    return f"{field}_" if keyword.iskeyword(field) else field


def docstring(text: str) -> list[str]:
    """Returns the lines that describe a field."""
    return textwrap.wrap(f'"""{text}"""', 120, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
