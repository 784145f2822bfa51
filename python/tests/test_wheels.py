"""Tests of the wheels, with binaries that have only headers."""

import base64
import contextlib
import csv
import email
import hashlib
import io
import struct
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import wheels

ELF = b"\x7fELF\x02\x01" + bytes(58)
PE = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + bytes(8)


def elf(machine: int, segment: int = 1) -> bytes:
    """Returns a file for Linux with one segment of a type."""
    data = bytearray(ELF + struct.pack("<I", segment))
    struct.pack_into("<H", data, 18, machine)
    struct.pack_into("<Q", data, 32, 64)
    struct.pack_into("<HH", data, 54, 56, 1)
    return bytes(data)


def mach(processor: int) -> bytes:
    """Returns a file for macOS."""
    return b"\xcf\xfa\xed\xfe" + struct.pack("<I", processor)


def pe(machine: int) -> bytes:
    """Returns a file for Windows."""
    return PE[:68] + struct.pack("<H", machine) + PE[70:]


BINARIES = {
    "musllinux_1_1_x86_64": elf(0x3E),
    "musllinux_1_1_aarch64": elf(0xB7),
    "macosx_12_0_x86_64": mach(0x01000007),
    "macosx_12_0_arm64": mach(0x0100000C),
    "win_amd64": pe(0x8664),
    "win_arm64": pe(0xAA64),
}


class WheelTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def build(self, output: str, *args: str) -> list[Path]:
        """Builds wheels and returns what was written."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(wheels.main(["-o", str(self.folder / output), *args]), 0)
        written = sorted((self.folder / output).iterdir())
        self.assertEqual(sorted(out.getvalue().splitlines()), [str(path) for path in written])
        return written

    def test_platforms(self) -> None:
        names = [self.write(platform, data) for platform, data in BINARIES.items()]
        notices = self.write("NOTICES", b"thanks")
        first = self.build("first", "--notices", notices, *names)
        second = self.build("second", "--notices", notices, *reversed(names))
        self.assertEqual({p.name: p.read_bytes() for p in first}, {p.name: p.read_bytes() for p in second})
        self.assertEqual(len(first), len(BINARIES) + 1)
        for platform, data in BINARIES.items():
            (path,) = (p for p in first if p.name.endswith(f"{platform}.whl"))
            with self.subTest(platform), zipfile.ZipFile(path) as archive:
                self.check(archive, path.stem, data, ".exe" if "win_" in platform else "")

    def check(self, archive: zipfile.ZipFile, stem: str, binary: bytes, suffix: str) -> None:
        """Checks a wheel by the specification of binary distributions."""
        name, version, python, abi, platform = stem.split("-")
        info = f"{name}-{version}.dist-info/"
        self.assertEqual(archive.read(f"tflarena/bin/tflarena{suffix}"), binary)
        self.assertEqual(archive.getinfo(f"tflarena/bin/tflarena{suffix}").external_attr >> 16, 0o100755)
        self.assertEqual(archive.read(f"{info}licenses/NOTICES"), b"thanks")
        rows = {row[0]: row[1:] for row in csv.reader(io.TextIOWrapper(archive.open(f"{info}RECORD")))}
        self.assertEqual(list(rows), archive.namelist())
        for entry, (digest, size) in rows.items():
            data = archive.read(entry)
            want = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            self.assertEqual((digest, size), ("", "") if entry.endswith("/RECORD") else (want, str(len(data))))
        tags = email.message_from_bytes(archive.read(f"{info}WHEEL")).get_all("Tag") or []
        self.assertEqual(sorted(tags), sorted(f"{python}-{abi}-{tag}" for tag in platform.split(".")))
        metadata = email.message_from_bytes(archive.read(f"{info}METADATA"))
        project = wheels.Project().table
        self.assertEqual((metadata["Name"], metadata["Version"]), (project["name"], project["version"]))
        self.assertEqual((name, version), (metadata["Name"], metadata["Version"]))
        self.assertEqual(metadata.get_all("Requires-Dist"), [f'{r}; extra == "stream"' for r in project["optional-dependencies"]["stream"]])
        self.assertEqual(metadata.get_all("License-File"), ["LICENSE", "NOTICES"])

    def test_source(self) -> None:
        """The source distribution has what builds a wheel, which has no binary."""
        with tarfile.open(self.folder / wheels.build_sdist(str(self.folder))) as archive:
            sources = {name.partition("/")[2] for name in archive.getnames()}
        self.assertTrue({"pyproject.toml", "wheels.py", "README.md", "LICENSE", "PKG-INFO"} < sources)
        with zipfile.ZipFile(self.folder / wheels.build_wheel(str(self.folder))) as archive:
            installed = {name for name in archive.namelist() if name.startswith("tflarena/")}
        self.assertIn("tflarena/stream/run.py", installed)
        self.assertEqual(installed, {name for name in sources if name.startswith("tflarena/")})

    def test_other_files(self) -> None:
        far = ELF[:32] + b"\xff" * 8 + ELF[40:]
        others = [far[:18] + b"\x3e" + far[19:56] + b"\1" + far[57:], b"", b"#!/bin/sh\n", b"MZ", PE, ELF, elf(0x28), elf(0x3E, 3), elf(0x3E)[:60], mach(7), pe(0x14C)]
        for data in others:
            with self.assertRaises(ValueError):
                wheels.platform_of(Path("a"), data)
        with contextlib.redirect_stderr(io.StringIO()) as problems:
            self.assertEqual(wheels.main(["-o", str(self.folder), self.write("a", b"")]), 1)
        self.assertIn("a is no binary", problems.getvalue())


if __name__ == "__main__":
    unittest.main()
