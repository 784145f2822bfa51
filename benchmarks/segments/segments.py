"""Runs networks in segments with LiteRT and compares memory, outputs and latency with the plans.

    .venv/bin/python benchmarks/segments/segments.py

That is all: it builds the command, networks with random weights in a temporary folder, plans, runs and compares them,
and writes benchmarks/segments.md when all is done. What it does goes to standard error. A network that fails has a row that
says why, the others are measured all the same, and the exit code is 1 then. The Python that runs it has
ai-edge-litert (.ci/oracles). It takes about 6 minutes on a fast machine that does nothing else, 5 GB of memory and
2 GB of disk, and the document says how loaded the machine was, as a mean over each row."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MIB = 1024 * 1024
NETWORKS = ["mobilenet-v2", "resnet50", "vit-b16"]
BUDGETS = ["least", "middle", "whole"]

HEAD = """# Networks that LiteRT runs in segments

`tflarena stream --segments` cuts a network for a budget, and `tflarena.stream.run` runs it: ai-edge-litert {litert}, one
thread, no delegate, float32, random weights, reads slowed down to {bandwidth} MiB/s, {runs} runs. The budgets are the least
one, the middle, and one for all weights. "Taken" is the most memory that the process took in addition to what it took before it
first ran a model; LiteRT's own 4 MiB are in the budget. Outputs are compared with those of the whole model, bit for bit.
Latency is planned from times that `tflarena.stream.profile` measured on the same machine just before each row. The measured
latency is the length of the longest chain of loads and computations, with the times that the thread of each segment computed in
the run, because other programs may run on the machine. "Error" is how far the plan is from it. "Clock / planned" is the time on the clock, divided by
the plan. The load is how many of the machine's {cores} processors ({machine}) other programs kept busy during the row, on
average: it is near 0 on a quiet machine, and otherwise the clock says nothing.

Repeat with `.venv/bin/python benchmarks/segments/segments.py`; the figures depend on the machine.

| network | weights, MB | budget, MB | segments | taken, MB | of the budget | outputs equal | planned / measured | error | clock / planned | load |
|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|"""

WHOLE = """
import hashlib, json, sys
from pathlib import Path
import numpy as np
from tflarena.stream import load
from tflarena.stream.data import random_inputs
from tflarena.stream.runner import interpreter_of
manifest = load(sys.argv[2])
interpreter = interpreter_of(Path(sys.argv[1]).read_bytes(), 1, False)
inputs = random_inputs(manifest, {}, 1)
for tensor, d in zip(manifest.inputs, interpreter.get_input_details()):
    interpreter.set_tensor(d["index"], inputs[tensor])
interpreter.invoke()
print(json.dumps({t: hashlib.sha256(np.ascontiguousarray(interpreter.get_tensor(d["index"])).tobytes()).hexdigest()
                  for t, d in zip(manifest.outputs, interpreter.get_output_details())}))
"""


class Failed(Exception):
    """A program that was called failed."""


class Load:
    """How many processors other programs keep busy: what all compute, less what this one and those that it started do."""

    def __init__(self) -> None:
        self.begin, self.own = time.monotonic(), self._own()
        self.busy = self._busy()

    def mean(self) -> str:
        """Returns the mean since the beginning, where the system tells."""
        busy = self._busy()
        if self.busy is None or busy is None:
            return "?"
        others = (busy - self.busy) - (self._own() - self.own)
        return f"{max(others, 0) / max(time.monotonic() - self.begin, 1e-9):.1f}"

    @staticmethod
    def _own() -> float:
        t = os.times()
        return t.user + t.system + t.children_user + t.children_system

    @staticmethod
    def _busy() -> float | None:
        """Returns the seconds for which all processors have computed."""
        try:
            fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
        except OSError:
            return None
        user, nice, system = (int(f) for f in fields[:3])
        return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def call(*command: object) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, cwd=ROOT)
    if done.returncode not in (0, 4):  # 4: no plan in the budget, which is an answer
        lines = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()
        raise Failed(f"{Path(str(command[0])).name} {' '.join(str(c) for c in command[1:3])}: {lines[-1]}")
    return done.stdout


class Bench:
    """One network with what is known of it."""

    def __init__(self, tflarena: Path, options: argparse.Namespace, name: str, folder: Path) -> None:
        self.tflarena, self.options, self.name, self.folder = tflarena, options, name, folder
        self.model, self.times = folder / "model.tflite", folder / "times.csv"
        say(f"{name}: building")
        call(tflarena, "models", "build", name, "--weights", "random", "-o", self.model)
        self.measure()
        none = self.plan(1, folder / "none")
        self.least = none["least_budget_bytes"]
        self.plan(1 << 32, folder / "largest")
        self.whole = json.loads((folder / "largest" / "manifest.json").read_text())["peak_bytes"]
        shutil.rmtree(folder / "largest")

    def measure(self) -> None:
        """Measures the operators. Each row does it anew, since a machine is not always equally fast."""
        say(f"{self.name}: measuring its operators")
        call(sys.executable, "-m", "tflarena.stream.profile", self.model, "-o", self.times, "--runs", self.options.runs)

    def plan(self, budget: int, folder: Path) -> dict:
        flags = ["--times", self.times, "--bandwidth", f"{self.options.bandwidth}M", "--budget", budget, "--segments", folder]
        return json.loads(call(self.tflarena, "stream", self.model, *flags, "--json"))["models"][0]

    def budget(self, which: str) -> int:
        return {"least": self.least, "middle": (self.least + self.whole) // 2, "whole": self.whole}[which]

    def row(self, which: str) -> str:
        """Plans and runs a budget, and returns the row of the table."""
        load, budget, folder = Load(), self.budget(which), self.folder / which
        self.measure()
        made, path = self.plan(budget, folder), folder / "manifest.json"
        say(f"{self.name}: {which} budget, {budget / 1e6:.1f} MB, {made['segment_files']} segments")
        flags = ["--runs", self.options.runs, "--bandwidth", f"{self.options.bandwidth}M", "--json"]
        run = json.loads(call(sys.executable, "-m", "tflarena.stream.run", path, *flags))
        same = json.loads(call(sys.executable, "-c", WHOLE, self.model, path)) == run["outputs"]
        measured = chain(json.loads(path.read_text()), run["computed_ms"], self.options.bandwidth * MIB)
        shutil.rmtree(folder)
        planned, taken = made["latency_ms"], run["taken_bytes"]
        return (
            f"| {self.name} | {made['weight_bytes'] / 1e6:.1f} | {budget / 1e6:.1f} | {run['segments']} | {taken / 1e6:.1f} | {100 * taken / budget:.0f} % "
            f"| {'yes' if same else 'no'} | {planned / measured:.3f} | {100 * (planned / measured - 1):+.1f} % | {run['median_latency_ms'] / planned:.2f} | {load.mean()} |"
        )


def chain(manifest: dict, computed: list[float], bytes_a_second: float) -> float:
    """Returns the latency in milliseconds of segments that compute so long, and load as fast as they may."""
    ends, loader = [0.0], 0.0
    for segment, compute in zip(manifest["segments"], computed):
        ready = 0.0
        if not segment["is_resident"]:
            loader = max(loader, ends[segment["waits_for"]]) + 1000 * segment["file_bytes"] / bytes_a_second
            ready = loader
        ends.append(max(ends[-1], ready) + compute)
    return ends[-1]


def rows(tflarena: Path, options: argparse.Namespace, folder: Path) -> tuple[list[str], bool]:
    """Returns the rows of the table, and whether all of them were measured."""
    lines, good = [], True
    for name in options.networks or NETWORKS:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            try:
                bench = Bench(tflarena, options, name, Path(own))
            except (Failed, OSError, ValueError, KeyError) as e:
                lines.append(failed(name, "all", e))
                good = False
                continue
            for which in BUDGETS:
                try:
                    lines.append(bench.row(which))
                except (Failed, OSError, ValueError, KeyError) as e:
                    lines.append(failed(name, which, e))
                    good = False
    return lines, good


def failed(name: str, which: str, e: Exception) -> str:
    say(f"{name}: {which}: {e}")
    text = str(e).replace("|", "/").replace("\n", " ")
    return f"| {name} | | {which} | | | | not measured: {text} | | | | |"


def arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("networks", nargs="*", metavar="NETWORK", help=f"built-in networks; by default {', '.join(NETWORKS)}")
    p.add_argument("--tflarena", type=Path, help="the command; by default it is built from this repository")
    p.add_argument("-o", "--output", type=Path, default=ROOT / "benchmarks" / "segments.md", help="where the document goes")
    p.add_argument("--runs", type=int, default=7, help="how often each operator and each plan runs; the median counts")
    p.add_argument("--bandwidth", type=int, default=100, help="reads are slowed down to so many MiB a second")
    return p.parse_args()


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        tflarena = options.tflarena and options.tflarena.resolve()
        if not tflarena:
            tflarena = Path(folder, "tflarena")
            say("building the command")
            call("go", "build", "-o", tflarena, "./cmd/tflarena")
        lines, good = rows(tflarena, options, Path(folder))
    head = HEAD.format(
        litert=importlib.metadata.version("ai-edge-litert"), bandwidth=options.bandwidth, runs=options.runs,
        cores=os.cpu_count(), machine=platform.machine(),
    )  # fmt: skip
    temporary = options.output.with_name(f"{options.output.name}.{os.getpid()}.tmp")
    temporary.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    os.replace(temporary, options.output)
    say(f"{options.output} is written")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
