"""The commands as functions."""

from __future__ import annotations

import json
import types
import typing
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union

from . import results
from .binary import Error, find
from .call import Call, Flag, Input, failure
from .result import Result
from .results import Analysis, Check, Failed, Fit, Frontier, Plan, Replay

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Document:
    """Everything that a command printed."""

    command: str
    """Command that printed it, such as `fit frontier`."""
    exit_code: int
    """Exit code: 0, or that of the worst input."""
    results: list[Result]
    """Result of each input, `Failed` for those without one."""
    json: dict[str, Any]
    """The JSON itself."""


def run(command: str, *inputs: Input, **flags: Flag) -> Document:
    """Runs any command that prints JSON, with any number of inputs. Keyword arguments are the flags of the command.

    Inputs that failed are results of type `Failed`. Raises `Error` if the command printed no JSON. With json_lines=True,
    results that analyze printed before it died are returned."""
    call = Call(command, inputs, flags)
    lines = bool(flags.get("json_lines"))
    done = call.run() if lines else call.run(json=True)
    try:
        document = joined(done.stdout) if lines else json.loads(done.stdout)
        version = document["schema_version"]
    except (ValueError, TypeError, KeyError, IndexError):
        raise failure(done, f"{find()} printed no JSON of tflarena") from None
    want = results.SCHEMA_VERSION
    if version != want:
        raise Error(f"{find()} prints JSON of version {version}, and this package reads version {want}: install the same release of both", 1)
    command = document.get("command", command)
    elements = document.get("models", document.get("traces", []))
    return Document(command, done.returncode, [element(command, d, call) for d in elements], document)


def joined(stdout: bytes) -> dict[str, Any]:
    """Returns the documents of complete lines as one."""
    documents = [json.loads(line) for line in stdout.split(b"\n")[:-1]]
    models = [m for d in documents for m in d["models"]]
    return {**documents[0], "ok": all(d["ok"] for d in documents), "models": models}


def element(command: str, d: dict[str, Any], call: Call) -> Result:
    """Returns an element of a document."""
    made: Result = build(Failed if "error" in d else results.RESULTS[command], d)
    object.__setattr__(made, "_call", call)  # instances are frozen
    return made


def analyze(path: Input, **flags: Flag) -> Analysis:
    """Returns the arena of a model, the best plan for it, and what fills it."""
    return only(Analysis, run("analyze", path, **flags))


def check(path: Input, **flags: Flag) -> Check:
    """Compares a model with its budgets: max_arena="128K", max_head=..., target=... An exceeded budget is a result."""
    return only(Check, run("check", path, **flags))


def fit(path: Input, **flags: Flag) -> Fit:
    """Makes a model fit a budget: arena="128K" or head=..., and output="small.tflite". A missed budget is a result."""
    return only(Fit, run("fit", path, **flags))


def frontier(path: Input, **flags: Flag) -> Frontier:
    """Returns the achievable arenas of a model with their costs: fit without a budget."""
    return only(Frontier, run("fit", path, **flags))


def plan(path: Input, **flags: Flag) -> Plan:
    """Returns a plan for a model, a CSV problem or a problem of tiles."""
    return only(Plan, run("plan", path, **flags))


def replay(path: Input, **flags: Flag) -> Replay:
    """Returns the least memory that a recorded program could run in."""
    return only(Replay, run("replay", path, **flags))


def only(kind: type[R], document: Document) -> R:
    """Returns the only result of a document."""
    if len(document.results) != 1:
        n = len(document.results)
        raise Error(f"{document.command} has {n} results: use tflarena.run, which returns all of them", 2)
    result = document.results[0]
    if isinstance(result, Failed):
        raise Error(f"{result.input}: {result.error.message}", document.exit_code)
    if not isinstance(result, kind):  # fit without a budget, or frontier with one
        raise Error(f"the result is a {type(result).__name__}: call {type(result).__name__.lower()}", 2)
    return result


def build(kind: Any, d: dict[str, Any]) -> Any:
    """Returns an object of a dataclass. Fields that the class lacks are newer than it, and ignored."""
    values = {}
    for field, name, hint in layout(kind):
        if name in d:
            values[field.name] = read(hint, d[name])
        elif field.default is MISSING:
            raise Error(f"{find()} printed no {name} of {kind.__name__}: install the same release of it and of this package", 1)
    return kind(**values)


@cache
def layout(kind: Any) -> list[tuple[Field[Any], str, Any]]:
    """Returns the fields of a dataclass, their names in JSON, and their types."""
    hints = typing.get_type_hints(kind)
    return [(f, f.name.removesuffix("_"), hints[f.name]) for f in fields(kind)]


def read(hint: Any, value: Any) -> Any:
    """Returns a JSON value as a value of a type."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return read(args[0], value)
    if origin is list:
        return [read(args[0], v) for v in value]
    if origin is dict:
        return {k: read(args[1], v) for k, v in value.items()}
    return build(hint, value) if is_dataclass(hint) and isinstance(hint, type) else value
