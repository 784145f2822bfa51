"""Tests of sizes, inputs and command lines."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tflarena_stream import memory, profile, run
from tflarena_stream.data import parse_size, random


class SizeTest(unittest.TestCase):
    def test_sizes(self) -> None:
        for text, want in {"7": 7, "64K": 65536, "1.5 MiB": 1572864, "2kb": 2048, "1g": 1 << 30, "8B": 8}.items():
            self.assertEqual(parse_size(text), want)
        for text in ["", "x", "-1", "1.M", "1P", "M"]:
            with self.assertRaises(ValueError):
                parse_size(text)

    def test_random(self) -> None:
        generator = np.random.default_rng(1)
        for kind in ["float32", "int8", "uint8", "int64", "bool"]:
            value = random(generator, (3, 4), kind)
            self.assertEqual((value.shape, value.dtype), ((3, 4), np.dtype(kind)))


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
