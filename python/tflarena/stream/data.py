"""Types, random inputs and sizes."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np

from .manifest import Manifest, Tensor

Array = np.ndarray[Any, Any]

TYPES: dict[str, str] = {
    "FLOAT32": "float32", "FLOAT16": "float16", "FLOAT64": "float64", "INT64": "int64", "INT32": "int32", "INT16": "int16",
    "INT8": "int8", "UINT64": "uint64", "UINT32": "uint32", "UINT16": "uint16", "UINT8": "uint8", "BOOL": "bool",
    "COMPLEX64": "complex64", "COMPLEX128": "complex128",
}  # fmt: skip


def random(generator: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    """Returns random elements. Wide integers are 0, 1 or 2: they may be indexes.

    They are drawn in their own type where numpy can do that: what is drawn in another one and converted takes
    several times the memory of the tensor for a moment, which no budget has."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return generator.integers(0, 2, size=shape, dtype=kind)
    if kind.kind in "iu":
        low, high = (int(np.iinfo(kind).min), int(np.iinfo(kind).max)) if kind.itemsize == 1 else (0, 2)
        return generator.integers(low, high, size=shape, endpoint=True, dtype=kind)
    if kind in (np.dtype(np.float32), np.dtype(np.float64)):
        value: Array = np.asarray(generator.random(size=shape, dtype=kind))
        value *= 2
        value -= 1
        return value
    return np.asarray(generator.uniform(-1, 1, size=shape)).astype(kind)


def warm_up() -> None:
    """Loads what numpy and hashlib load when they are first used, which is no memory of a model."""
    generator = np.random.default_rng(0)
    for kind in ("float32", "int8", "int64", "bool"):
        hashlib.sha256(random(generator, (1,), kind).tobytes()).hexdigest()


def dtype_of(tensor: Tensor) -> str:
    """Returns numpy's name for the type of a tensor. Raises ValueError for types without one."""
    if tensor.dtype not in TYPES:
        raise ValueError(f"tensor {tensor.id} has type {tensor.dtype}, which numpy does not have: give it with --input")
    return TYPES[tensor.dtype]


def random_inputs(manifest: Manifest, given: dict[str, Array], seed: int) -> dict[str, Array]:
    """Returns an array for each input of the model, random ones where none is given."""
    generator = np.random.default_rng(seed)
    values: dict[str, Array] = {}
    for name in manifest.inputs:
        tensor = manifest.tensors[name]
        values[name] = given[name] if name in given else random(generator, tensor.shape, dtype_of(tensor))
    return values


def parse_size(text: str) -> float:
    """Returns a number of bytes, such as 200M. K, KB and KiB all mean 1024 bytes, as for tflarena."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:IB|B)?", text.strip().upper())
    if match is None:
        raise ValueError(f"{text!r} is no size: use one such as 200M")
    return float(match[1]) * 1024.0 ** " KMGT".index(match[2] or " ")
