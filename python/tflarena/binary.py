"""The binary: in the wheel, or installed in another way."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

NAME = "tflarena.exe" if os.name == "nt" else "tflarena"


class Error(Exception):
    """Error of the command. The exit code is that of the command, or 1 if its output is not JSON of this release, 2 if a
    function does not suit the call, as for a wrong command line, and 127 if there is no command to run, as in a shell."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


Error.__module__ = "tflarena"  # where users import it from


def find() -> str:
    """Returns the path of the binary: $TFLARENA, the one in this package, or the first on PATH."""
    named = os.environ.get("TFLARENA")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(f"$TFLARENA is {named!r}, which is not a program: correct it, or unset it", 127)
        return found
    bundled = Path(__file__).parent / "bin" / NAME
    if bundled.exists():
        return str(bundled)
    for folder in os.get_exec_path():
        path = os.path.join(folder, NAME)
        if os.path.isfile(path) and os.access(path, os.X_OK) and not is_launcher(path):
            return path
    raise Error("this package has no binary, and there is none on PATH: install a wheel with one, or set TFLARENA to the path of one", 127)


def is_launcher(path: str) -> bool:
    """Reports whether a program is one that pip made to start this package: a script, or on Windows one with a ZIP archive."""
    with open(path, "rb") as f:
        return f.read(2) == b"#!" or zipfile.is_zipfile(f)
