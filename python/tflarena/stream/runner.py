"""Runs the segments of a model one after another."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from .loader import Loader
from .manifest import Manifest, Segment, SegmentError
from .reader import Reader

Array = np.ndarray[Any, Any]


@dataclass
class Report:
    """What one run took, in seconds: altogether, and for each segment how long it was waited for,
    how long it ran with its interpreter made and dropped, and how much of that the thread computed."""

    latency: float = 0
    waited: list[float] = field(default_factory=list)
    ran: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)


def interpreter_of(data: bytes, threads: int, default_delegate: bool) -> Any:
    """Returns an interpreter of a model whose tensors have memory."""
    kind = OpResolverType.AUTO if default_delegate else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=data, num_threads=threads, experimental_op_resolver_type=kind)
    interpreter.allocate_tensors()
    return interpreter


class Runner:
    """Runs a model in segments, with LiteRT's default delegate where the manifest counts it, by the fastest plan within a
    budget; without one, by the plan of the smallest budget. The resident segments are read when the runner is made."""

    def __init__(self, manifest: Manifest, *, threads: int = 1, bandwidth: float = 0, budget: float | None = None) -> None:
        self.manifest = manifest
        self.plan = manifest.plans[0] if budget is None else manifest.plan_within(budget)
        self._threads = threads
        self._loader = Loader(manifest, Reader(bandwidth))
        self._last = manifest.last_use()
        self._loader.follow(self.plan)

    def set_budget(self, budget: float) -> int:
        """Makes later runs follow the fastest plan that takes at most so many bytes, and returns how many bytes that read.
        Resident segments of both plans stay; others are dropped first. Not to be called during a run. Raises ValueError where
        no plan takes so few bytes, and SegmentError as a run does."""
        self.plan = self.manifest.plan_within(budget)
        return self._loader.follow(self.plan)

    def run(self, inputs: dict[str, Array]) -> tuple[dict[str, Array], Report]:
        """Returns the outputs of the model, by the IDs of their tensors, and what the run took.
        Raises SegmentError, which names the segment that is missing or changed, and ValueError where an
        input is missing or is none."""
        held = self._given(inputs)
        report = Report()
        begin = time.monotonic()
        self._loader.start()
        try:
            for segment in self.manifest.segments:
                self._step(segment, held, report)
        finally:
            self._loader.stop()
        report.latency = time.monotonic() - begin
        return {tensor: held[tensor] for tensor in self.manifest.outputs}, report

    def _given(self, inputs: dict[str, Array]) -> dict[str, Array]:
        for tensor in inputs:
            if tensor not in self.manifest.inputs:
                raise ValueError(f"the model has no input {tensor}")
        for tensor in self.manifest.inputs:
            if tensor not in inputs:
                raise ValueError(f"the model needs input {tensor}")
        return dict(inputs)

    def _step(self, segment: Segment, held: dict[str, Array], report: Report) -> None:
        begin = time.monotonic()
        data = self._loader.take(segment.number)
        ready, before = time.monotonic(), time.thread_time()
        self._compute(segment, data, held)
        del data
        self._loader.done(segment.number)
        report.waited.append(ready - begin)
        report.ran.append(time.monotonic() - ready)
        report.computed.append(time.thread_time() - before)

    def _compute(self, segment: Segment, data: bytes, held: dict[str, Array]) -> None:
        """Runs a segment. When it returns, nothing but data itself is left of it."""
        try:
            interpreter = interpreter_of(data, self._threads, self.manifest.default_delegate)
            for tensor, d in zip(segment.inputs, interpreter.get_input_details(), strict=True):
                interpreter.set_tensor(d["index"], held[tensor])
                if self._last[tensor] == segment.number:
                    del held[tensor]
            interpreter.invoke()
        except (RuntimeError, ValueError) as e:
            raise SegmentError(f"segment {segment.number}, {segment.path}: LiteRT does not run it: {e}") from e
        for tensor, d in zip(segment.outputs, interpreter.get_output_details(), strict=True):
            value = interpreter.get_tensor(d["index"])
            if tuple(value.shape) != self.manifest.tensors[tensor].shape:
                raise SegmentError(
                    f"segment {segment.number}, {segment.path}: tensor {tensor} has shape {tuple(value.shape)}, "
                    f"not {self.manifest.tensors[tensor].shape}"
                )
            if self._last[tensor] > segment.number:
                held[tensor] = value
