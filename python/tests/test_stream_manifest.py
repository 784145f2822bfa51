"""Tests of the manifest's reader."""

import copy
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tflarena.stream.manifest import ManifestError, Plan, load

# OLD is a manifest of an early version: without plans.
OLD: dict[str, Any] = {
    "manifest_version": 1,
    "budget_bytes": 100,
    "latency_ms": 1.5,
    "first_latency_ms": 2,
    "inputs": ["0:0"],
    "outputs": ["0:2"],
    "tensors": [{"id": f"0:{i}", "name": "", "dtype": "FLOAT32", "shape": [1, 2], "size_bytes": 8} for i in range(3)],
    "segments": [
        {"segment": 1, "file": "a", "file_bytes": 1, "sha256": "", "is_resident": True, "waits_for": 0, "inputs": ["0:0"], "outputs": ["0:1"]},
        {"segment": 2, "file": "b", "file_bytes": 1, "sha256": "", "is_resident": False, "waits_for": 1, "inputs": ["0:1"], "outputs": ["0:2"]},
    ],
    "load_order": [2],
}

# GOOD has plans in addition.
GOOD: dict[str, Any] = {
    **OLD,
    "plans": [
        {"budget_bytes": 100, "peak_bytes": 90, "latency_ms": 1.5, "first_latency_ms": 2, "loads": [{"segment": 2, "waits_for": 1}]},
        {"budget_bytes": 200, "peak_bytes": 150, "latency_ms": 1, "first_latency_ms": 3, "loads": []},
    ],
}


class ManifestTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "manifest.json"

    def write(self, document: Any) -> None:
        self.path.write_text(json.dumps(document), encoding="utf-8")

    def test_good(self) -> None:
        self.write(GOOD)
        m = load(self.path)
        self.assertEqual(m.segments[1].path, self.path.parent / "b")
        self.assertEqual(m.tensors["0:1"].shape, (1, 2))
        self.assertEqual(m.last_use(), {"0:0": 1, "0:1": 2, "0:2": 3})

    def test_plans(self) -> None:
        """The plan within a budget is the fastest that takes so little; a manifest without plans has one."""
        self.write(GOOD)
        m = load(self.path)
        self.assertEqual(m.plans, (Plan(100, 90, 1.5, 2, {2: 1}), Plan(200, 150, 1, 3, {})))
        for budget, want in [(90, 0), (149, 0), (150, 1), (1e12, 1)]:
            self.assertEqual(m.plan_within(budget), m.plans[want])
        with self.assertRaisesRegex(ValueError, "least takes 90"):
            m.plan_within(89)
        self.write(OLD)
        self.assertEqual(load(self.path).plans, (Plan(100, 100, 1.5, 2, {2: 1}),))

    def test_wrong(self) -> None:
        """Each change makes a manifest that is refused, with these words."""

        def changed(**fields: Any) -> dict[str, Any]:
            return {**copy.deepcopy(OLD), **fields}

        def loads(*pairs: tuple[int, int]) -> dict[str, Any]:
            document = copy.deepcopy(GOOD)
            document["plans"][1]["loads"] = [{"segment": number, "waits_for": waits} for number, waits in pairs]
            return document

        def segment(number: int, **fields: Any) -> dict[str, Any]:
            document = copy.deepcopy(OLD)
            document["segments"][number - 1].update(fields)
            return document

        for document, words in [
            ([], "no manifest"),
            (changed(manifest_version=2), "version 2"),
            (changed(load_order=[]), "load_order"),
            (changed(plans=[]), "no plan"),
            (changed(plans=[{}]), "missing or wrong"),
            (changed(plans={}), "no plan"),
            (changed(plans=3), "missing or wrong"),
            (loads((2, 0), (1, 0)), "loads of a plan"),
            (loads((3, 0)), "loads of a plan"),
            (loads((1, 1)), "waits for segment 1"),
            (changed(outputs=["0:7"]), "tensor 0:7"),
            (changed(tensors=[]), "nothing is said of tensor"),
            (segment(2, waits_for=2), "waits for segment 2"),
            (segment(2, waits_for=-1), "waits for segment -1"),
            (segment(1, inputs=["0:2"]), "reads tensor 0:2"),
            (segment(1, segment=3), "numbered"),
            (segment(1, file="../a"), "not beside"),
            (segment(1, file=".."), "not beside"),
            (segment(1, file=""), "not beside"),
            (segment(1, file=3), "missing or wrong"),
            (segment(1, inputs=[["0:0"]]), "missing or wrong"),
            (segment(1, file_bytes=float("inf")), "missing or wrong"),
            ({k: v for k, v in OLD.items() if k != "budget_bytes"}, "budget_bytes"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ManifestError, words):
                self.write(document)
                load(self.path)

    def test_no_file(self) -> None:
        with self.assertRaisesRegex(ManifestError, "manifest.json"):
            load(self.path)
        self.path.write_text("[" * 200_000, encoding="utf-8")
        with self.assertRaisesRegex(ManifestError, "manifest.json"):
            load(self.path)
        self.path.write_text("{", encoding="utf-8")
        with self.assertRaisesRegex(ManifestError, "manifest.json"):
            load(self.path)


if __name__ == "__main__":
    unittest.main()
