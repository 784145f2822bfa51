"""Tests of sizes, inputs and command lines."""

import contextlib
import io
import tempfile
import tracemalloc
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from tflarena.stream import memory, profile, run
from tflarena.stream.data import TYPES, parse_size, random


class SizeTest(unittest.TestCase):
    def test_sizes(self) -> None:
        for text, want in {"7": 7, "64K": 65536, "1.5 MiB": 1572864, "2kb": 2048, "1g": 1 << 30, "8B": 8}.items():
            self.assertEqual(parse_size(text), want)
        for text in ["", "x", "-1", "1.M", "1P", "M"]:
            with self.assertRaises(ValueError):
                parse_size(text)

    def test_random(self) -> None:
        generator = np.random.default_rng(1)
        kinds: list[Any] = [*TYPES.values(), np.float32, np.dtype("int8")]
        for kind in kinds:
            for shape in [(3, 4), (), (0, 2), (1000,)]:
                value = random(generator, shape, kind)
                self.assertIsInstance(value, np.ndarray)
                self.assertEqual((value.shape, value.dtype), (shape, np.dtype(kind)))
                if np.dtype(kind).kind == "f" and value.size > 100:
                    self.assertTrue(-1 <= value.min() < -0.9 and 0.9 < value.max() <= 1)

    def test_random_memory(self) -> None:
        """Drawing takes no more memory than the elements do, so that it stays in the budget."""
        for kind in ["float32", "int8", "uint8", "int32", "int64", "bool"]:
            tracemalloc.start()
            size = random(np.random.default_rng(1), (1 << 18,), kind).nbytes
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(peak, size + (64 << 10), kind)


class CommandTest(unittest.TestCase):
    def fails(self, main: object, *argv: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stderr(out):
            assert callable(main)
            return main(list(argv)), out.getvalue()

    def test_errors(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            code, text = self.fails(run.main, str(Path(folder) / "manifest.json"))
            self.assertEqual(code, run.EXIT_SEGMENT)
            self.assertIn("manifest.json", text)
            code, text = self.fails(run.main, "x", "--runs", "0")
            self.assertEqual(code, run.EXIT_USAGE)
            code, text = self.fails(profile.main, str(Path(folder) / "model.tflite"))
            self.assertEqual(code, 1)
            self.assertIn("model.tflite", text)

    def test_bandwidth(self) -> None:
        with tempfile.NamedTemporaryFile() as f:
            f.write(bytes(1 << 20))
            f.flush()
            self.assertGreater(profile.read_bandwidth(f.name), 0)

    def test_memory(self) -> None:
        memory.give_back_at_once()
        memory.reset_peak()
        self.assertGreaterEqual(memory.peak_bytes(), memory.resident_bytes())


if __name__ == "__main__":
    unittest.main()
