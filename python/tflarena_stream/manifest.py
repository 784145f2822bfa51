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
    is_resident: bool
    waits_for: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """How a model runs in segments."""

    path: Path
    budget_bytes: int
    default_delegate: bool
    latency_ms: float
    first_latency_ms: float
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: dict[str, Tensor]
    segments: tuple[Segment, ...]
    load_order: tuple[int, ...]

    def last_use(self) -> dict[str, int]:
        """Returns for each tensor the segment behind which nobody needs it; those of the model's
        outputs are needed behind the last one."""
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
        budget_bytes=int(d["budget_bytes"]),
        default_delegate=bool(d.get("default_delegate", False)),
        latency_ms=float(d["latency_ms"]),
        first_latency_ms=float(d["first_latency_ms"]),
        inputs=tuple(d["inputs"]),
        outputs=tuple(d["outputs"]),
        tensors={t.id: t for t in tensors},
        segments=tuple(_segment(path.parent, s) for s in d["segments"]),
        load_order=tuple(int(n) for n in d["load_order"]),
    )


def _segment(folder: Path, s: dict[str, Any]) -> Segment:
    if s["file"] in ("", "..") or Path(s["file"]).name != s["file"]:
        raise ValueError(f"segment {s['segment']} is not beside the manifest")
    return Segment(
        number=int(s["segment"]),
        path=folder / s["file"],
        file_bytes=int(s["file_bytes"]),
        sha256=str(s["sha256"]),
        is_resident=bool(s["is_resident"]),
        waits_for=int(s["waits_for"]),
        inputs=tuple(s["inputs"]),
        outputs=tuple(s["outputs"]),
    )


def _check(m: Manifest) -> None:
    """Refuses a manifest by which a run would not end, or would read what nobody makes."""

    def wrong(text: str) -> ManifestError:
        return ManifestError(f"{m.path}: {text}")

    if [s.number for s in m.segments] != list(range(1, len(m.segments) + 1)):
        raise wrong("the segments are not numbered from 1")
    if list(m.load_order) != [s.number for s in m.segments if not s.is_resident]:
        raise wrong("load_order does not have the streamed segments in their order")
    made = set(m.inputs)
    for s in m.segments:
        if not s.is_resident and not 0 <= s.waits_for < s.number:
            raise wrong(f"segment {s.number} waits for segment {s.waits_for}")
        for tensor in s.inputs:
            if tensor not in made:
                raise wrong(f"segment {s.number} reads tensor {tensor}, which no segment before it makes")
        made.update(s.outputs)
    for tensor in (*made, *m.outputs):
        if tensor not in made or tensor not in m.tensors:
            raise wrong(f"nothing is said of tensor {tensor}, or nobody makes it")
