"""Builds the package with what is not in its folder: results.py, the licence and, in a wheel for a platform, the command.

Variables of the environment name them: TFLARENA_BINARY the command, TFLARENA_NOTICES the licences of what it contains, and
TFLARENA_PLATFORM the platform tags of the wheel (by default this machine's). pyproject.toml has everything else."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import OptionError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # which pip leaves out

from generate import SCHEMAS, generate  # noqa: E402

BINARY = os.environ.get("TFLARENA_BINARY", "")
PROGRAM = "tflarena.exe" if BINARY.endswith(".exe") else "tflarena"


class Build(build_py):
    def run(self) -> None:
        super().run()
        package = Path(self.build_lib, "tflarena")
        (package / "results.py").write_text(generate(SCHEMAS), encoding="utf-8", newline="\n")
        shutil.copyfile(HERE.parent / "LICENSE", package / "LICENSE")
        shutil.rmtree(package / "bin", ignore_errors=True)  # of an earlier build, perhaps for another platform
        for variable, name in ("TFLARENA_BINARY", PROGRAM), ("TFLARENA_NOTICES", "THIRD_PARTY_LICENSES"):
            if path := os.environ.get(variable):
                if not os.path.isfile(path):
                    raise OptionError(f"{variable} is {path!r}, which is not a file: give its absolute path")
                (package / "bin").mkdir(exist_ok=True)
                shutil.copyfile(path, package / "bin" / name)


class Wheel(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        """Returns the tags of any Python 3, because the module only runs the command."""
        platform = os.environ.get("TFLARENA_PLATFORM") if BINARY else "any"
        return "py3", "none", platform or super().get_tag()[2]

    def write_wheelfile(self, *args: Any) -> None:
        """Completes the folder that becomes the wheel, with modes that do not depend on the umask."""
        super().write_wheelfile(*args)
        for path in Path(str(self.bdist_dir)).rglob("*"):
            if path.is_file():
                path.chmod(0o755 if path.name == PROGRAM else 0o644)


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, has_ext_modules=lambda: bool(BINARY))
