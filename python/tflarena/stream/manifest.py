"""The manifest that `tflarena stream --segments` writes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1


class ManifestError(Exception):
    """The manifest cannot be read, or is none."""


class SegmentError(Exception):
    """A segment is missing, or is not what the manifest says."""


@dataclass(frozen=True)
class Tensor:
    """A tensor of the model that lies outside of segments at some time."""

    id: str
    name: str
    dtype: str
    shape: tuple[int, ...]
    size_bytes: int


@dataclass(frozen=True)
class Segment:
    """A file with some operators of the model. Segments count from 1."""

    number: int
    path: Path
    file_bytes: int
    sha256: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """How the segments run in one budget. A run takes at most peak_bytes."""

    budget_bytes: int
    peak_bytes: int
    latency_ms: float
    first_latency_ms: float
    loads: dict[int, int]
    """The segments that every run loads, in their order, and the one that each waits for. All others are resident."""


@dataclass(frozen=True)
class Manifest:
    """How a model runs in segments. The plan of the smallest budget is the first."""

    path: Path
    default_delegate: bool
    plans: tuple[Plan, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: dict[str, Tensor]
    segments: tuple[Segment, ...]

    def plan_within(self, budget_bytes: float) -> Plan:
        """Returns the fastest plan that takes at most so many bytes. Raises ValueError where none does."""
        within = [p for p in self.plans if p.peak_bytes <= budget_bytes]
        if not within:
            least = min(p.peak_bytes for p in self.plans)
            raise ValueError(f"{self.path}: no plan takes at most {budget_bytes:.0f} bytes: the least takes {least}")
        return min(within, key=lambda p: p.latency_ms)

    def last_use(self) -> dict[str, int]:
        """Returns for each tensor the last segment that needs it; the model's outputs are needed
        after the last segment."""
        last: dict[str, int] = {}
        for segment in self.segments:
            for tensor in (*segment.inputs, *segment.outputs):
                last[tensor] = segment.number
        last.update({tensor: len(self.segments) + 1 for tensor in self.outputs})
        return last


def load(path: str | Path) -> Manifest:
    """Reads a manifest. Raises ManifestError where it is none, or newer than this program."""
    path = Path(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, RecursionError, ValueError) as e:
        raise ManifestError(f"{path}: {e}") from e
    if not isinstance(document, dict) or "manifest_version" not in document:
        raise ManifestError(f"{path}: this is no manifest of segments")
    if document["manifest_version"] != VERSION:
        raise ManifestError(f"{path}: the manifest has version {document['manifest_version']}; this program reads version {VERSION}")
    try:
        manifest = _manifest(path, document)
        _check(manifest)
    except (KeyError, OverflowError, TypeError, ValueError) as e:
        raise ManifestError(f"{path}: a field of the manifest is missing or wrong: {e}") from e
    return manifest


def _manifest(path: Path, d: dict[str, Any]) -> Manifest:
    tensors = [
        Tensor(t["id"], t["name"], t["dtype"], tuple(int(n) for n in t["shape"]), int(t["size_bytes"])) for t in d["tensors"]
    ]
    return Manifest(
        path=path,
        default_delegate=bool(d.get("default_delegate", False)),
        plans=tuple(_plan(p, p["loads"]) for p in d["plans"]) if "plans" in d else (_plan(d, _only_loads(d)),),
        inputs=tuple(d["inputs"]),
        outputs=tuple(d["outputs"]),
        tensors={t.id: t for t in tensors},
        segments=tuple(_segment(path.parent, s) for s in d["segments"]),
    )


def _plan(p: dict[str, Any], loads: list[dict[str, Any]]) -> Plan:
    return Plan(
        budget_bytes=int(p["budget_bytes"]),
        peak_bytes=int(p.get("peak_bytes", p["budget_bytes"])),
        latency_ms=float(p["latency_ms"]),
        first_latency_ms=float(p["first_latency_ms"]),
        loads={int(x["segment"]): int(x["waits_for"]) for x in loads},
    )


def _only_loads(d: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the loads of a manifest that has no plans, because an early version wrote it."""
    if list(d["load_order"]) != [s["segment"] for s in d["segments"] if not s["is_resident"]]:
        raise ValueError("load_order does not have the streamed segments in their order")
    return [s for s in d["segments"] if not s["is_resident"]]


def _segment(folder: Path, s: dict[str, Any]) -> Segment:
    if s["file"] in ("", "..") or Path(s["file"]).name != s["file"]:
        raise ValueError(f"segment {s['segment']} is not beside the manifest")
    return Segment(
        number=int(s["segment"]),
        path=folder / s["file"],
        file_bytes=int(s["file_bytes"]),
        sha256=str(s["sha256"]),
        inputs=tuple(s["inputs"]),
        outputs=tuple(s["outputs"]),
    )


def _check(m: Manifest) -> None:
    """Refuses a manifest by which a run would not end, or would read what nobody makes."""

    def wrong(text: str) -> ManifestError:
        return ManifestError(f"{m.path}: {text}")

    if [s.number for s in m.segments] != list(range(1, len(m.segments) + 1)):
        raise wrong("the segments are not numbered from 1")
    if not m.plans:
        raise wrong("there is no plan")
    for p in m.plans:
        if list(p.loads) != sorted(n for n in p.loads if 1 <= n <= len(m.segments)):
            raise wrong("the loads of a plan are not of segments in their order")
        for number, waits_for in p.loads.items():
            if not 0 <= waits_for < number:
                raise wrong(f"segment {number} waits for segment {waits_for}")
    made = set(m.inputs)
    for s in m.segments:
        for tensor in s.inputs:
            if tensor not in made:
                raise wrong(f"segment {s.number} reads tensor {tensor}, which no segment before it makes")
        made.update(s.outputs)
    for tensor in (*made, *m.outputs):
        if tensor not in made or tensor not in m.tensors:
            raise wrong(f"nothing is said of tensor {tensor}, or nobody makes it")
