"""Builds the wheels and the source distribution, and is the build backend of pyproject.toml.

    python wheels.py -o dist --notices THIRD_PARTY_LICENSES BINARY...

makes a wheel with each binary, and the source distribution. The headers of a binary tell which platform it is for. The same
files give the same bytes: times are fixed and entries are sorted.

A wheel that pip builds from sources has no binary: the package then needs the command on PATH, or $TFLARENA."""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import struct
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that ZIP can express
EPOCH_SECONDS = 315532800

# The platforms, by what the headers of a binary say. The binaries are static, so any C library will do, and Go 1.26 needs
# macOS 12.
PLATFORMS = {
    ("ELF", 0x3E): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("ELF", 0xB7): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("Mach-O", 0x01000007): "macosx_12_0_x86_64",
    ("Mach-O", 0x0100000C): "macosx_12_0_arm64",
    ("PE", 0x8664): "win_amd64",
    ("PE", 0xAA64): "win_arm64",
}


class Project:
    """What pyproject.toml says."""

    def __init__(self) -> None:
        self.table: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        self.stem = f"{self.table['name']}-{self.table['version']}"

    def metadata(self, licenses: Iterable[str]) -> bytes:
        """Returns the core metadata. licenses are names of files."""
        t = self.table
        lines = ["Metadata-Version: 2.4", f"Name: {t['name']}", f"Version: {t['version']}", f"Summary: {t['description']}"]
        lines += [f"Project-URL: {label}, {url}" for label, url in t["urls"].items()]
        lines += [f"License-Expression: {t['license']}", *(f"License-File: {name}" for name in licenses), f"Requires-Python: {t['requires-python']}"]
        for extra, requirements in t["optional-dependencies"].items():
            lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {r}; extra == "{extra}"' for r in requirements)]
        readme = (HERE / t["readme"]).read_text(encoding="utf-8")
        return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme]).encode()

    def entry_points(self) -> bytes:
        """Returns the scripts that pip makes."""
        return "\n".join(["[console_scripts]", *(f"{name} = {target}" for name, target in self.table["scripts"].items()), ""]).encode()


def package() -> dict[str, bytes]:
    """Returns the files of the package by name."""
    found = [p for p in (HERE / "tflarena").rglob("*") if p.suffix == ".py" or p.name == "py.typed"]
    return {p.relative_to(HERE).as_posix(): p.read_bytes() for p in found}


def own_license() -> dict[str, bytes]:
    """Returns the licence, which is at the root of the repository, and of the source distribution."""
    path = next(p for p in (HERE / "LICENSE", HERE.parent / "LICENSE") if p.exists())
    return {"LICENSE": path.read_bytes()}


def wheel(folder: Path, platform: str = "any", binary: bytes | None = None, notices: dict[str, bytes] | None = None) -> Path:
    """Writes a wheel and returns its path. Notices are licences of what the binary contains, by name."""
    project = Project()
    licenses = {**own_license(), **(notices or {})}
    info = f"{project.stem}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    files = {
        **package(),
        f"{info}/METADATA": project.metadata(licenses),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: wheels.py\nRoot-Is-Purelib: {str(binary is None).lower()}\n{tags}".encode(),
        f"{info}/entry_points.txt": project.entry_points(),
        **{f"{info}/licenses/{name}": text for name, text in licenses.items()},
    }
    program = f"tflarena/bin/tflarena{'.exe' if platform.startswith('win') else ''}"
    if binary is not None:
        files[program] = binary
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in sorted(files.items()))
    path = folder / f"{project.stem}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in [*sorted(files.items()), (f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())]:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3  # Unix, whatever this system is
            entry.external_attr = (0o100755 if name == program else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return path


def digest(data: bytes) -> str:
    """Returns the hash of a file for RECORD."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def sdist(folder: Path) -> Path:
    """Writes the source distribution and returns its path."""
    project = Project()
    files = {**package(), **own_license(), "PKG-INFO": project.metadata(own_license())}
    for name in ("README.md", "pyproject.toml", "wheels.py"):
        files[name] = (HERE / name).read_bytes()
    path = folder / f"{project.stem}.tar.gz"
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as compressed, tarfile.open(fileobj=compressed, mode="w") as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{project.stem}/{name}")
            entry.size, entry.mtime = len(data), EPOCH_SECONDS
            archive.addfile(entry, io.BytesIO(data))
    return path


def platform_of(path: Path, data: bytes) -> str:
    """Returns the platform tags for a binary. Raises ValueError for what is no static binary of a known platform."""
    kind: tuple[str, int] | None = None
    try:
        if data[:6] == b"\x7fELF\x02\x01":
            kind = "ELF", struct.unpack_from("<H", data, 18)[0]
            (start,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
            if any(struct.unpack_from("<I", data, start + i * size)[0] == 3 for i in range(count)):  # PT_INTERP
                raise ValueError(f"{path} is linked dynamically: build it with CGO_ENABLED=0")
        elif data[:4] == b"\xcf\xfa\xed\xfe":
            kind = "Mach-O", struct.unpack_from("<I", data, 4)[0]
        elif data[:2] == b"MZ":
            (start,) = struct.unpack_from("<I", data, 60)
            if data[start : start + 4] == b"PE\0\0":
                kind = "PE", struct.unpack_from("<H", data, start + 4)[0]
    except (struct.error, OverflowError):
        kind = None  # cut off, or headers that point beyond any file
    if kind not in PLATFORMS:
        raise ValueError(f"{path} is no binary for Linux, macOS or Windows on x86-64 or ARM64")
    return PLATFORMS[kind]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """PEP 517: builds a wheel without a binary."""
    return wheel(Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """PEP 517: builds the source distribution."""
    return sdist(Path(sdist_directory)).name


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    p = argparse.ArgumentParser(description="Builds a wheel with each binary, and the source distribution.")
    p.add_argument("binaries", nargs="+", type=Path, metavar="BINARY", help="the command, built for a platform without cgo")
    p.add_argument("-o", "--output", type=Path, default=Path("dist"), metavar="DIR", help="where the files go; dist by default")
    p.add_argument("--notices", action="append", default=[], type=Path, metavar="FILE", help="a file with licences of what binaries contain")
    options = p.parse_args(argv)
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        notices = {path.name: path.read_bytes() for path in options.notices}
        for path in options.binaries:
            data = path.read_bytes()
            print(wheel(options.output, platform_of(path, data), data, notices))
        print(sdist(options.output))
    except (OSError, ValueError) as e:
        print(f"wheels.py: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
