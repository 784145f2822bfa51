"""Compares main.py with what the command says about each file alone. TFLARENA_SHARED names the folder with the models."""

from __future__ import annotations

import csv
import gzip
import json
import os
import resource
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import tflarena.binary

HERE = Path(__file__).resolve().parent
MODELS = Path(os.environ["TFLARENA_SHARED"], "models")
KERNELS = ["reference", "cmsis-nn-mve", "esp-nn-s3"]
WORKERS = 2


DYING = """#!{python}
import os, subprocess, sys
for n, argument in enumerate(sys.argv):
    if argument.endswith(".tflite") and b"deadly" in open(argument, "rb").read():
        subprocess.run(["{command}", *sys.argv[1:n]])
        os.kill(os.getpid(), 9)
os.execv("{command}", ["{command}", *sys.argv[1:]])
"""
"""A command that dies at a file."""


class Result:
    """The three files of a run on this computer, in a process for each worker."""

    def __init__(self, *arguments: str | Path, **env: str) -> None:
        with tempfile.TemporaryDirectory() as output:
            # This is DirectRunner without Prism, which it would download.
            local = ["--runner=FnApiRunner", "--direct_running_mode=multi_processing", f"--direct_num_workers={WORKERS}"]
            command = [sys.executable, HERE / "main.py", *local, "--output", output, *arguments]
            done = subprocess.run(command, env={**os.environ, **env}, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                raise AssertionError(done.stderr)
            self.rows = pq.read_table(Path(output, "models.parquet")).to_pylist()
            with Path(output, "failures.csv").open(encoding="utf-8", newline="") as f:
                self.failures = list(csv.DictReader(f))
            self.summary = Path(output, "summary.md").read_text(encoding="utf-8")

    def table(self, title: str) -> list[dict[str, str]]:
        """Returns the rows of a table of the summary, by column."""
        section = self.summary.split(f"\n## {title}\n")[1].split("\n## ")[0]
        header, _, *rows = [[c.strip() for c in line.strip("|").split(" | ")] for line in section.splitlines() if line.startswith("|")]
        return [dict(zip(header, r, strict=True)) for r in rows]


def alone(path: Path, kernels: str) -> dict[str, object]:
    """Returns what the command says about a file."""
    command = [tflarena.binary.find(), "analyze", "--json", "--quiet", "--kernels", kernels, "--time-limit", "60s", path]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["models"][0]


def smallest(model: dict[str, object]) -> int:
    return min(f["required_bytes"] for f in (model, *(model.get(k) for k in ("with_plan", "with_order", "tiled"))) if f)


def percentile(values: list[int], p: int) -> str:
    return f"{sorted(values)[p * (len(values) - 1) // 100]:,}"


class TestCorpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.files = [f for ending in ("tflite", "bin") for f in sorted(MODELS.rglob(f"*.{ending}"))]
        cls.result = Result("--input", f"{MODELS}/**.tflite", f"{MODELS}/**.bin", "--kernels", *KERNELS)
        cls.alone = {(str(f), k): alone(f, k) for f in cls.files for k in KERNELS}
        cls.models = {key: m for key, m in cls.alone.items() if "error" not in m}

    def test_rows(self) -> None:
        self.assertEqual(len(self.result.rows), len(self.alone))
        for row in self.result.rows:
            with self.subTest(row["path"], kernels=row["kernels"]):
                m = self.alone[row["path"], row["kernels"]]
                if "error" in m:
                    self.assertEqual((row["error_kind"], row["error"], row["verdict"]), (m["error"]["kind"], m["error"]["message"], None))
                    continue
                for name in ("verdict", "file_bytes", "macs", "required_bytes", "head_bytes", "tail_bytes", "interrupted"):
                    self.assertEqual(row[name], m.get(name), name)
                self.assertEqual(row["operator"], m["peak"]["name"] if "peak" in m else None)
                self.assertEqual(row["smallest_bytes"], smallest(m) if "required_bytes" in m else None)
                self.assertEqual(row["smallest_by"] is None, row["smallest_bytes"] == row["required_bytes"])
                self.assertEqual(row["fault"] is None, not m["faults"] and "arena_unknown" not in m)

    def test_failures(self) -> None:
        with (MODELS / "MANIFEST.tsv").open(encoding="utf-8") as f:
            bad = {str(MODELS / r["file"]) for r in csv.DictReader(f, delimiter="\t") if r["expect_exit"] == "3"}
        self.assertGreater(len(bad), 5)
        self.assertEqual([f["path"] for f in self.result.failures], sorted(bad))
        self.assertEqual({f["error_kind"] for f in self.result.failures}, {"invalid"})
        self.assertIn(f"{len(self.files) - len(bad)} are models. {len(bad)} failed", self.result.summary)

    def test_summary(self) -> None:
        self.assertEqual({m["verdict"] for m in self.models.values()}, {"REQUIRES", "WRONG RESULTS", "DOES NOT RUN", "NOT KNOWN"})
        limits, faults = Counter(), Counter()
        for i, k in enumerate(KERNELS):
            models = [m for (_, kernels), m in self.models.items() if kernels == k]
            verdicts = Counter(m["verdict"] for m in models)
            said = self.result.table("Verdicts")[i]
            self.assertEqual(said, {"kernels": k, "models": str(len(models)), **{v: str(n) for v, n in verdicts.items()}, "interrupted": "0"})
            run = [m for m in models if m["verdict"] == "REQUIRES"]
            arenas = {"required": [m["required_bytes"] for m in run], "smallest": [smallest(m) for m in run]}
            said = self.result.table("Arenas")[2 * i : 2 * i + 2]
            self.assertEqual(said, [{"kernels": k, "arena": a, **{f"{p} %": percentile(v, p) for p in (10, 25, 50, 75, 90)}} for a, v in arenas.items()])
            saved = [(r - s) * 100 // r for r, s in zip(*arenas.values()) if s < r]
            said = self.result.table("Gains")[i]
            self.assertEqual(int(said["models"]), len(saved))
            self.assertEqual(sum(int(said[by]) for by in ("plan", "order", "tiles")), len(saved))
            self.assertEqual([said[f"{p} %"] for p in (10, 25, 50, 75, 90)], [percentile(saved, p) for p in (10, 25, 50, 75, 90)])
            said = self.result.table("Fit")[i]
            for size in (64, 256, 1024):
                for name, a in (f"{size:,} KiB", "required"), (f"{size:,} KiB, smallest", "smallest"):
                    self.assertEqual(int(said[name]), sum(v <= size << 10 for v in arenas[a]), name)
            limits.update((k, m["peak"]["name"] if "peak" in m else "") for m in run)
            faults.update((k, m["verdict"]) for m in models if m["verdict"] != "REQUIRES")
        for r in self.result.table("Limits"):
            for k in KERNELS:
                self.assertLessEqual(int(r[k]), limits[k, r["operator"]], r)
        self.assertGreater(sum(int(r["reference"]) for r in self.result.table("Limits")), limits.total() / len(KERNELS) / 2)
        for r in self.result.table("Faults"):
            for k in KERNELS:
                self.assertLessEqual(int(r[k]), faults[k, r["verdict"]], r)


class TestBroken(unittest.TestCase):
    def test_all(self) -> None:
        """Files that cannot be read, and one at which the command dies, are listed, and the rest is done."""
        with tempfile.TemporaryDirectory() as folder:
            model = (MODELS / "micro" / "hello_world_int8.tflite").read_bytes()
            for n in range(10):
                Path(folder, f"{n}.tflite").write_bytes(model)
            Path(folder, "compressed.gz").write_bytes(gzip.compress(model))
            Path(folder, "damaged.gz").write_bytes(b"not compressed")
            Path(folder, "deadly.tflite").write_bytes(b"deadly")
            Path(folder, "empty.tflite").write_bytes(b"")
            dying = Path(folder, "dying")
            dying.write_text(DYING.format(python=sys.executable, command=tflarena.binary.find()))
            dying.chmod(dying.stat().st_mode | stat.S_IXUSR)
            result = Result("--input", f"{folder}/*.*", "--kernels", "reference", TFLARENA=str(dying))
            failures = {Path(f["path"]).name: f["error_kind"] for f in result.failures}
            self.assertEqual(failures, {"damaged.gz": "unreadable", "deadly.tflite": "failure", "empty.tflite": "invalid"})
            self.assertTrue(all(f["error"] for f in result.failures))
            models = [r for r in result.rows if not r["error"]]
            self.assertEqual(len(models), 11)
            self.assertEqual({(r["verdict"], r["required_bytes"]) for r in models}, {("REQUIRES", 1104)})


class TestCopies(unittest.TestCase):
    def test_hundred(self) -> None:
        """Of a hundred copies of the models, each has the row of the original. It prints the rate."""
        with tempfile.TemporaryDirectory() as folder:
            files = sorted(MODELS.rglob("*.tflite"))
            for n in range(100):
                for f in files:
                    link = Path(folder, str(n), f.relative_to(MODELS))
                    link.parent.mkdir(parents=True, exist_ok=True)
                    link.symlink_to(f)
            once = Result("--input", f"{folder}/0", "--kernels", "reference")
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            result = Result("--input", folder, "--kernels", "reference")
            after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            n = 100 * len(files)
            print(f"\n{n:,} models, {WORKERS} workers: {wall:.0f} s, {cpu:.0f} s of CPU time, {n / cpu:.1f} models per second of CPU time")
            self.assertEqual(len(result.rows), n)
            want = {r.pop("path").removeprefix(f"{folder}/0/"): r for r in once.rows}
            for row in result.rows:
                path = Path(row.pop("path")).relative_to(folder)
                self.assertEqual(row, want[str(Path(*path.parts[1:]))], path)
            self.assertEqual(len(result.failures), 100 * len(once.failures))


if __name__ == "__main__":
    unittest.main()
