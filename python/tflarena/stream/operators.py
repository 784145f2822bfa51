"""Cuts a model into models of one operator each, with LiteRT's own reader of model files."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
from ai_edge_litert.tools import flatbuffer_utils


class ModelError(Exception):
    """The model has operators that cannot be measured one by one."""


def single_operators(path: str) -> Iterator[tuple[int, str, bytes]]:
    """Returns for each operator of the first subgraph its index, its name and a model of it alone."""
    model = flatbuffer_utils.read_model(path)
    subgraph = model.subgraphs[0]
    for index, operator in enumerate(subgraph.operators):
        name = flatbuffer_utils.opcode_to_name(model, operator.opcodeIndex) or "CUSTOM"
        yield index, name, _alone(model, subgraph, operator)


def _alone(model: Any, subgraph: Any, operator: Any) -> bytes:
    """Returns a model with one operator, whose inputs are those that are no constants."""
    alone = copy.copy(model)
    part, only = copy.copy(subgraph), copy.copy(operator)
    alone.subgraphs, alone.signatureDefs, alone.metadata = [part], None, None
    alone.operatorCodes, only.opcodeIndex = [model.operatorCodes[operator.opcodeIndex]], 0
    part.operators = [only]
    alone.buffers, part.tensors = [model.buffers[0]], []
    places: dict[int, int] = {-1: -1}
    for field in ("inputs", "intermediates", "outputs"):
        tensors = getattr(operator, field)
        if tensors is None:
            continue
        for t in tensors:
            if int(t) not in places:
                places[int(t)] = len(part.tensors)
                part.tensors.append(_tensor(model, subgraph.tensors[int(t)], alone.buffers))
        setattr(only, field, np.array([places[int(t)] for t in tensors], dtype=np.int32))
    part.inputs = np.array(_inputs(model, subgraph, operator, places), dtype=np.int32)
    part.outputs = np.array(only.outputs, dtype=np.int32)
    return bytes(flatbuffer_utils.convert_object_to_bytearray(alone))


def _tensor(model: Any, tensor: Any, buffers: list[Any]) -> Any:
    """Returns a tensor with its data in a list of buffers, to which that is added."""
    if tensor.isVariable:
        raise ModelError("an operator keeps a state from run to run")
    out = copy.copy(tensor)
    out.buffer = 0
    if _constant(model, tensor):
        out.buffer = len(buffers)
        buffers.append(model.buffers[tensor.buffer])
    return out


def _constant(model: Any, tensor: Any) -> bool:
    data = model.buffers[tensor.buffer].data
    return data is not None and len(data) > 0


def _inputs(model: Any, subgraph: Any, operator: Any, places: dict[int, int]) -> list[int]:
    found: list[int] = []
    for t in operator.inputs if operator.inputs is not None else []:
        if t >= 0 and not _constant(model, subgraph.tensors[t]) and places[int(t)] not in found:
            found.append(places[int(t)])
    return found
