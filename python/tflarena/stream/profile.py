"""Measures a model and its storage for tflarena: python -m tflarena.stream.profile MODEL.

The CSV has a row for each operator of the first subgraph: how long it takes in an interpreter of its own
whose memory is there already. What reading takes is in comments."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator

import numpy as np

from . import memory
from .data import random
from .operators import ModelError, single_operators
from .runner import interpreter_of


def arguments() -> argparse.ArgumentParser:
    """Returns the command line."""
    p = argparse.ArgumentParser(prog="python -m tflarena.stream.profile", description="Measures how long each operator of a model takes.")
    p.add_argument("model", help="a .tflite file")
    p.add_argument("-o", "--output", default="-", metavar="FILE.csv", help="where the CSV goes; standard output by default")
    p.add_argument("--read", metavar="PATH", help="measure also how fast a large file is read, past the system's cache where that can be")
    p.add_argument("--runs", type=int, default=5, help="how often each operator runs; the median counts")
    p.add_argument("--threads", type=int, default=1, help="threads of LiteRT")
    p.add_argument("--default-delegate", action="store_true", help="use LiteRT's default delegate")
    return p


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    options = arguments().parse_args(argv)
    try:
        if options.runs < 1 or options.threads < 1:
            raise ValueError("--runs and --threads are at least 1")
        memory.give_back_at_once()
        lines = list(rows(options))
        if options.read:
            bandwidth = read_bandwidth(options.read)
            lines.insert(0, f"# {options.read} is read at {bandwidth / (1 << 20):.1f} MiB/s: --bandwidth {bandwidth / (1 << 20):.0f}M")
        write(options.output, "\n".join(lines) + "\n")
    except (ModelError, OSError, RuntimeError, ValueError) as e:
        print(f"tflarena.stream: {options.model}: {e}", file=sys.stderr)
        return 1
    return 0


def rows(options: argparse.Namespace) -> Iterator[str]:
    """Returns the lines of the CSV."""
    yield "operator,name,compute_ms"
    for index, name, data in single_operators(options.model):
        times = [invoke_time(data, options.threads, options.default_delegate, seed) for seed in range(options.runs)]
        yield f"{index},{name},{1000 * statistics.median(times):.6f}"


def invoke_time(data: bytes, threads: int, default_delegate: bool, seed: int) -> float:
    """Returns the seconds that a model takes the second time that it runs: in the first run the system
    gives it memory, of which a segment of many operators needs less than they do one by one."""
    interpreter = interpreter_of(data, threads, default_delegate)
    generator = np.random.default_rng(seed)
    for d in interpreter.get_input_details():
        interpreter.set_tensor(d["index"], random(generator, tuple(d["shape"]), d["dtype"]))
    interpreter.invoke()
    # What one thread computes does not depend on what else the machine does.
    clock = time.thread_time if threads == 1 else time.perf_counter
    begin = clock()
    interpreter.invoke()
    return clock() - begin


def read_bandwidth(path: str) -> float:
    """Returns the bytes a second at which a file is read."""
    with open(path, "rb", buffering=0) as f:
        size = os.fstat(f.fileno()).st_size
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        begin = time.perf_counter()
        while f.read(1 << 24):
            pass
        return size / max(time.perf_counter() - begin, 1e-9)


def write(path: str, text: str) -> None:
    """Writes the CSV, in one step where it goes to a file."""
    if path == "-":
        sys.stdout.write(text)
        return
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


if __name__ == "__main__":
    sys.exit(main())
