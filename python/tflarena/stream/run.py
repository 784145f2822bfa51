"""Runs a model in segments: python -m tflarena.stream.run MANIFEST."""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from . import memory
from .data import Array, parse_size, random_inputs, warm_up
from .manifest import Manifest, ManifestError, Plan, SegmentError, load
from .runner import Report, Runner

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_SEGMENT = 0, 1, 2, 3


def arguments() -> argparse.ArgumentParser:
    """Returns the command line."""
    p = argparse.ArgumentParser(prog="python -m tflarena.stream.run", description=__doc__)
    p.add_argument("manifest", help="manifest.json of 'tflarena stream --segments'")
    p.add_argument("--input", action="append", default=[], metavar="ID=FILE.npy", help="an input of the model; random numbers by default")
    p.add_argument("--seed", type=int, default=1, help="the seed of random inputs")
    p.add_argument("--output", metavar="DIR", help="write the outputs of the last run as ID.npy, with - for the colon")
    p.add_argument("--runs", type=int, default=1, help="how often the model runs, in each budget")
    p.add_argument(
        "--budget", action="append", default=[], metavar="SIZE",
        help="run by the fastest plan within SIZE, such as 32M; repeat it to change the budget; by default the smallest one",
    )  # fmt: skip
    p.add_argument("--bandwidth", default="0", metavar="SIZE", help="read at most SIZE a second, such as 200M")
    p.add_argument("--threads", type=int, default=1, help="threads of LiteRT; the budget is for one")
    p.add_argument("--json", action="store_true", help="print JSON")
    return p


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    options = arguments().parse_args(argv)
    try:
        document = run(options)
    except (SegmentError, ManifestError) as e:
        print(f"tflarena.stream: {e}", file=sys.stderr)
        return EXIT_SEGMENT
    except (OSError, ValueError) as e:
        print(f"tflarena.stream: {e}", file=sys.stderr)
        return EXIT_USAGE if isinstance(e, ValueError) else EXIT_FAILED
    print(json.dumps(document, indent=2) if options.json else text(document))
    return EXIT_OK


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Runs the model and returns what is to be said about it."""
    if options.runs < 1 or options.threads < 1:
        raise ValueError("--runs and --threads are at least 1")
    bandwidth = parse_size(options.bandwidth)
    manifest = load(options.manifest)
    plans = [manifest.plan_within(parse_size(b)) for b in options.budget] or [manifest.plans[0]]
    given = inputs_of(manifest, options.input)
    memory.give_back_at_once()
    warm_up()
    base = memory.resident_bytes()
    memory.reset_peak()
    runner = Runner(manifest, threads=options.threads, bandwidth=bandwidth, budget=plans[0].peak_bytes)
    inputs = random_inputs(manifest, given, options.seed)
    outputs: dict[str, Array] = {}
    phases = []
    for i, plan in enumerate(plans):
        change: dict[str, Any] = {}
        if i > 0:
            begin = time.monotonic()
            change = {"change_read_bytes": runner.set_budget(plan.peak_bytes), "change_ms": 1000 * (time.monotonic() - begin)}
            memory.reset_peak()
        reports = []
        for _ in range(options.runs):
            outputs = {}
            outputs, report = runner.run(inputs)
            reports.append(report)
        phases.append({**phase(plan, reports, outputs, base, memory.peak_bytes()), **change})
    if options.output:
        write(Path(options.output), outputs)
    document: dict[str, Any] = {"manifest": str(manifest.path), "segments": len(manifest.segments), "base_bytes": base}
    return {**document, **phases[0]} if len(phases) == 1 else {**document, "budgets": phases}


def inputs_of(manifest: Manifest, texts: list[str]) -> dict[str, Array]:
    """Reads the inputs of the command line."""
    given: dict[str, Array] = {}
    for text_ in texts:
        tensor, equals, path = text_.partition("=")
        if not equals or tensor not in manifest.inputs:
            raise ValueError(f"--input {text_}: use ID=FILE.npy, where ID is one of {', '.join(manifest.inputs)}")
        given[tensor] = np.load(path, allow_pickle=False)
    return given


def write(folder: Path, outputs: dict[str, Array]) -> None:
    """Writes each output into a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for tensor, value in outputs.items():
        np.save(folder / f"{tensor.replace(':', '-')}.npy", value)


def phase(plan: Plan, reports: list[Report], outputs: dict[str, Array], base: int, peak: int) -> dict[str, Any]:
    """Returns what is printed of the runs in one budget, in bytes and milliseconds."""
    n = len(reports[0].ran)
    return {
        "budget_bytes": plan.budget_bytes,
        "peak_bytes": peak,
        "taken_bytes": max(peak - base, 0),
        "latency_ms": [1000 * r.latency for r in reports],
        "median_latency_ms": 1000 * statistics.median(r.latency for r in reports),
        "planned_latency_ms": plan.latency_ms,
        "waited_ms": [1000 * statistics.median(r.waited[i] for r in reports) for i in range(n)],
        "ran_ms": [1000 * statistics.median(r.ran[i] for r in reports) for i in range(n)],
        "computed_ms": [1000 * statistics.median(r.computed[i] for r in reports) for i in range(n)],
        "outputs": {t: hashlib.sha256(np.ascontiguousarray(v).tobytes()).hexdigest() for t, v in outputs.items()},
    }


def text(d: dict[str, Any]) -> str:
    """Returns what people read."""
    return "\n\n".join(text_of(p, d["base_bytes"]) for p in d.get("budgets", [d]))


def text_of(d: dict[str, Any], base: int) -> str:
    """Returns what people read of the runs in one budget."""
    mib = 1 << 20
    lines = []
    if "change_ms" in d:
        lines.append(f"change:   {d['change_ms']:.1f} ms to read {d['change_read_bytes'] / mib:.1f} MiB that stay from now on")
    lines += [
        f"latency:  {d['median_latency_ms']:.1f} ms, the median of {len(d['latency_ms'])}; planned {d['planned_latency_ms']:.1f} ms",
        f"waiting:  {sum(d['waited_ms']):.1f} ms of a run for segments",
        f"memory:   {d['taken_bytes'] / mib:.1f} MiB taken of a budget of {d['budget_bytes'] / mib:.1f} MiB, "
        f"besides {base / mib:.1f} MiB before",
    ]
    lines += [f"output:   {tensor}, SHA-256 {digest}" for tensor, digest in d["outputs"].items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
