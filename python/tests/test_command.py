"""Tests of the functions that run the command. They need the command on PATH, or $TFLARENA."""

import base64
import contextlib
import dataclasses
import io
import os
import re
import stat
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import Any
from unittest import mock

import tflarena
from tflarena import __main__, binary, results
from tflarena.call import arguments
from tflarena.command import build


class Folder(unittest.TestCase):
    """Tests that run in an empty folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def program(self, name: str, text: str) -> str:
        """Writes a program and returns its path."""
        path = Path(name).absolute()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def error(self, exit_code: int, words: str, function: Any, *args: Any, **flags: Any) -> None:
        """Checks that a function raises an error."""
        with self.assertRaisesRegex(tflarena.Error, words) as caught:
            function(*args, **flags)
        self.assertEqual(caught.exception.exit_code, exit_code)


class CommandTest(Folder):
    def test_check(self) -> None:
        arenas: list[tuple[str | int, bool]] = [("1M", True), (655360, False)]
        for arena, fits in arenas:
            got = tflarena.check("builtin:blazeface", max_arena=arena)
            self.assertEqual((got.fits, got.pass_, got.verdict), (fits, fits, "FITS" if fits else "DOES NOT FIT"))
            self.assertEqual((got.required_bytes, len(got.budgets)), (720544, 1))
        got = tflarena.check("builtin:blazeface")
        self.assertEqual((got.fits, got.pass_, got.verdict), (False, True, "REQUIRES"))

    def test_fit(self) -> None:
        got = tflarena.fit("builtin:blazeface", arena="640K", output="small.tflite")
        self.assertTrue(got.met and got.fits)
        self.assertEqual(tflarena.check("small.tflite").required_bytes, got.after.required_bytes)
        got = tflarena.fit("builtin:blazeface", head=2048, output=Path("none.tflite"), time_limit="2s")
        self.assertFalse(got.met or got.fits or Path("none.tflite").exists())
        self.error(2, "call frontier", tflarena.fit, "builtin:blazeface", time_limit="2s")
        self.error(2, "call fit", tflarena.frontier, "builtin:blazeface", arena="640K", output="small.tflite")

    def test_errors(self) -> None:
        self.error(1, "^no.tflite: no such file", tflarena.analyze, "no.tflite")
        self.error(2, "^unknown flag --max-arenas: did you mean --max-arena", tflarena.check, "builtin:blazeface", max_arenas=1)
        self.error(3, "^<stdin>: ", tflarena.analyze, b"TFL3")
        for name in ("blazeface", "mobilenet-v1"):
            subprocess.run([binary.find(), "models", "build", name, "-o", f"{name}.tflite", "-q"], check=True)
        self.error(2, "2 results: use tflarena.run", tflarena.analyze, ".")
        self.error(2, "unknown flag --csv", tflarena.run, "check", csv=True)
        self.error(2, "b'1K'", tflarena.check, "builtin:blazeface", max_arena=b"1K")
        with self.assertRaises(ValueError):
            tflarena.run("check", b"", b"")

    def test_bytes(self) -> None:
        """The contents of a file have the figures of the file."""
        subprocess.run([binary.find(), "models", "build", "blazeface-int8", "-o", "a.tflite", "-q"], check=True)
        got, want = tflarena.analyze(Path("a.tflite").read_bytes()), tflarena.analyze(Path("a.tflite"))
        self.assertEqual(*(dataclasses.replace(r, input="", next="") for r in (got, want)))
        self.assertEqual(got.svg().replace("&lt;stdin&gt;", "a.tflite"), want.svg())

    def test_lines(self) -> None:
        """A command that dies has results for the inputs before."""
        inputs = ("builtin:blazeface", "no.tflite", "builtin:mobilenet-v1")
        got = tflarena.run("analyze", *inputs, json_lines=True)
        self.assertEqual((got.results, got.exit_code), (tflarena.run("analyze", *inputs).results, 1))
        self.assertEqual((len(got.json["models"]), got.json["ok"]), (3, False))
        half = self.program("half", f"#!/bin/sh\n{binary.find()} \"$@\" | head -n 2\nprintf '{{\"schema'\nkill -9 $$\n")
        with mock.patch.dict(os.environ, TFLARENA=half):
            got = tflarena.run("analyze", *inputs, json_lines=True)
            self.assertEqual(([m["input"] for m in got.json["models"]], got.exit_code), ([*inputs[:2]], -9))
            self.assertEqual(len(got.results), 2)
        with mock.patch.dict(os.environ, TFLARENA=self.program("none", "#!/bin/sh\nkill -9 $$\n")):
            self.error(-9, "printed no JSON", tflarena.run, "analyze", *inputs, json_lines=True)

    def test_all_of_the_json(self) -> None:
        """Results have everything that the command printed, and nothing else."""
        subprocess.run([binary.find(), "models", "trace", "resnet50", "-o", "trace.jsonl", "-q"], check=True)
        model, time = "builtin:blazeface", {"macs_per_second": "1G", "bandwidth": "1M"}
        printed = [
            tflarena.run("analyze", model, "builtin:mobilenet-v1-int8", "no.tflite", target="esp32-s3"),
            tflarena.run("check", model, max_arena="1K", max_head="1M"),
            tflarena.run("fit", model, time_limit="2s"),
            tflarena.run("fit", model, arena="640K", output="small.tflite"),
            tflarena.run("rewrite", model, reorder=True, alias="diagonal", output="rewritten.tflite"),
            tflarena.run("verify", "rewritten.tflite"),
            tflarena.run("diff", model, "rewritten.tflite"),
            tflarena.run("plan", model, capacity="1K"),
            tflarena.run("compare", model),
            tflarena.run("replay", "trace.jsonl"),
            tflarena.run("stream", model, budget=["1M", "4M"], **time),
            tflarena.run("stream", model, sweep=True, points=2, **time),
            tflarena.run("targets"),
            tflarena.run("models list"),
            tflarena.run("report", model, output="page.html"),
        ]
        self.assertEqual({d.command for d in printed}, set(results.RESULTS))
        for document in printed:
            elements = document.json.get("models", document.json.get("traces"))
            self.assertEqual([json_of(r) for r in document.results], elements, document.command)
            self.assertEqual(document.exit_code == 0, document.json["ok"])
        self.assertIsInstance(printed[0].results[2], results.Failed)

    def test_notebook(self) -> None:
        name = "<b>.tflite"
        subprocess.run([binary.find(), "models", "build", "blazeface", "-o", name, "-q"], check=True)
        page = tflarena.analyze(name)._repr_html_()
        self.assertIn("&lt;b&gt;.tflite", page)
        self.assertNotIn("<b>", page)
        self.assertIn("<th>required</th><td>720,544 B</td>", page)
        picture = re.search('src="data:image/svg[+]xml;base64,([^"]*)"', page)
        assert picture is not None
        self.assertEqual(xml.etree.ElementTree.fromstring(base64.b64decode(picture[1])).tag, "{http://www.w3.org/2000/svg}svg")
        self.assertNotIn("<img", tflarena.check(name)._repr_html_())
        self.assertNotIn("<img", tflarena.plan(name, approach="textures")._repr_html_())

    def test_release(self) -> None:
        """JSON of another release is refused, unless it only has new fields."""
        for text, words in [
            ('{"schema_version": 1}', "prints JSON of version 1"),
            (f'{{"schema_version": {results.SCHEMA_VERSION}, "command": "check", "models": [{{}}]}}', "printed no input of Check"),
            ("text", "other printed no JSON"),
            ("[1]", "other printed no JSON"),
            ("{}", "other printed no JSON"),
        ]:
            with mock.patch.dict(os.environ, TFLARENA=self.program("other", f"#!/bin/sh\necho '{text}'\n")):
                self.error(1, words, tflarena.check, "a")
        d = json_of(tflarena.check("builtin:blazeface"))
        self.assertEqual(json_of(build(results.Check, {**d, "later": 1})), d)

    def test_flags(self) -> None:
        flags: dict[str, Any] = {"max_arena": "100K", "allow_faults": True, "waves": False, "budget": ["1M", 2], "abi": None, "o": Path("a")}
        want = ["--max-arena=100K", "--allow-faults", "--waves=false", "--budget=1M", "--budget=2", "--o=a"]
        self.assertEqual(arguments(flags), want)


class BinaryTest(Folder):
    def test_order(self) -> None:
        """$TFLARENA comes first, and then PATH, without what pip made to start this package."""
        launcher, other = self.program("first/tflarena", "#!/usr/bin/python\n"), self.program("second/tflarena", "\x7fELF")
        with mock.patch.dict(os.environ, PATH=f"first{os.pathsep}second", TFLARENA=""):
            self.assertEqual(Path(binary.find()).absolute(), Path(other))
            os.remove(other)
            self.error(127, "no binary, and there is none on PATH", binary.find)
            os.environ["TFLARENA"] = launcher
            self.assertEqual(binary.find(), launcher)
            with mock.patch("sys.argv", [launcher]), contextlib.redirect_stderr(io.StringIO()) as problems:
                self.assertEqual(__main__.main(), 127)
            self.assertIn("unset it", problems.getvalue())
            os.environ["TFLARENA"] = "gone"
            self.error(127, "TFLARENA is 'gone'", binary.find)
            os.environ["TFLARENA"] = self.program("none", "\x7fELF")
            self.error(127, "none: ", tflarena.check, "a")
            with contextlib.redirect_stderr(io.StringIO()) as problems:
                self.assertEqual(__main__.main(), 127)
            self.assertIn("tflarena: ", problems.getvalue())


def json_of(value: Any) -> Any:
    """Returns the JSON of a result."""
    if isinstance(value, list):
        return [json_of(v) for v in value]
    if isinstance(value, dict):
        return {k: json_of(v) for k, v in value.items()}
    if not dataclasses.is_dataclass(value):
        return value
    items = ((f.name.removesuffix("_"), getattr(value, f.name)) for f in dataclasses.fields(value))
    return {name: json_of(v) for name, v in items if v is not None}


if __name__ == "__main__":
    unittest.main()
