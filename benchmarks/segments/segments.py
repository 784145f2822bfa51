"""Runs networks in segments with LiteRT and compares memory, outputs and latency with the plans.

    segments.py TFLARENA [NETWORK ...] > ../segments.md

TFLARENA is the command. The Python that runs this has ai-edge-litert, and python/ of this repository in
PYTHONPATH. Networks are built with random weights in a temporary folder."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BANDWIDTH = "100M"  # bytes a second, counted by 1024
BYTES_A_SECOND = 100 * 1024 * 1024
RUNS = 3
NETWORKS = ["mobilenet-v2", "resnet50", "vit-b16"]

HEAD = """# Networks that LiteRT runs in segments

`tflarena stream --segments` cuts a network for a budget, and `tflarena_stream.run` runs it: ai-edge-litert 2.3.0, one thread, no
delegate, float32, random weights, reads slowed down to {bandwidth}iB/s, {runs} runs. The budgets are the least one, the middle, and one for
all weights. Taken is the most memory that the process took besides what it took before it first ran a model; LiteRT's
own 4 MiB are in the budget. Outputs are compared with those of the whole model, bit for bit. Latency is planned from times that
`tflarena_stream.profile` measured on the same machine. The measured one is that of the longest chain of loads and computes with the times
that the thread of each segment computed in the run, since other programs ran on the machine; error is how far the plan
is from it. The last column is what the clock on the wall said, in parts of the plan.

Repeat with `benchmarks/segments/segments.py`; the figures depend on the machine.

| network | weights, MB | budget, MB | segments | taken, MB | of the budget | outputs equal | planned / measured | error | clock / planned |
|---|---:|---:|---:|---:|---:|---|---:|---:|---:|"""

WHOLE = """
import sys
from pathlib import Path
import numpy as np
from tflarena_stream import load
from tflarena_stream.data import random_inputs
from tflarena_stream.runner import interpreter_of
manifest = load(sys.argv[2])
interpreter = interpreter_of(Path(sys.argv[1]).read_bytes(), 1, False)
inputs = random_inputs(manifest, {}, 1)
for tensor, d in zip(manifest.inputs, interpreter.get_input_details()):
    interpreter.set_tensor(d["index"], inputs[tensor])
interpreter.invoke()
import hashlib, json
print(json.dumps({t: hashlib.sha256(np.ascontiguousarray(interpreter.get_tensor(d["index"])).tobytes()).hexdigest()
                  for t, d in zip(manifest.outputs, interpreter.get_output_details())}))
"""


def call(*command: object) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def plan(tflarena: str, model: Path, times: Path, budget: int, folder: Path) -> dict:
    out = call(tflarena, "stream", model, "--times", times, "--bandwidth", BANDWIDTH, "--budget", budget, "--segments", folder, "--json")
    return json.loads(out)["models"][0]


def chain(manifest: dict, computed: list[float]) -> float:
    """Returns the latency in milliseconds of segments that compute so long, and load as fast as they may."""
    ends, loader = [0.0], 0.0
    for segment, compute in zip(manifest["segments"], computed):
        ready = 0.0
        if not segment["is_resident"]:
            loader = max(loader, ends[segment["waits_for"]]) + 1000 * segment["file_bytes"] / BYTES_A_SECOND
            ready = loader
        ends.append(max(ends[-1], ready) + compute)
    return ends[-1]


def measure(tflarena: str, name: str, model: Path, times: Path, budget: int, folder: Path) -> str:
    made = plan(tflarena, model, times, budget, folder)
    path = folder / "manifest.json"
    run = json.loads(call(sys.executable, "-m", "tflarena_stream.run", path, "--runs", RUNS, "--bandwidth", BANDWIDTH, "--json"))
    same = json.loads(call(sys.executable, "-c", WHOLE, model, path)) == run["outputs"]
    measured = chain(json.loads(path.read_text()), run["computed_ms"])
    planned, taken = made["latency_ms"], run["taken_bytes"]
    return (
        f"| {name} | {made['weight_bytes'] / 1e6:.1f} | {budget / 1e6:.1f} | {run['segments']} | {taken / 1e6:.1f} | {100 * taken / budget:.0f} % "
        f"| {'yes' if same else 'no'} | {planned / measured:.3f} | {100 * (planned / measured - 1):+.1f} % | {run['median_latency_ms'] / planned:.2f} |"
    )


def main() -> None:
    tflarena, names = sys.argv[1], sys.argv[2:] or NETWORKS
    print(HEAD.format(bandwidth=BANDWIDTH, runs=RUNS), flush=True)
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            model, times = Path(folder, "model.tflite"), Path(folder, "times.csv")
            call(tflarena, "models", "build", name, "--weights", "random", "-o", model)
            call(sys.executable, "-m", "tflarena_stream.profile", model, "-o", times)
            least = plan(tflarena, model, times, 1, Path(folder, "none"))["least_budget_bytes"]
            plan(tflarena, model, times, 1 << 32, Path(folder, "whole"))
            whole = json.loads(Path(folder, "whole", "manifest.json").read_text())["peak_bytes"]
            for i, budget in enumerate([least, (least + whole) // 2, whole]):
                print(measure(tflarena, name, model, times, budget, Path(folder, str(i))), flush=True)


if __name__ == "__main__":
    main()
