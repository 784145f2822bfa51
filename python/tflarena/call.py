"""Command lines."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Union

from .binary import Error, find

Input = Union[str, "os.PathLike[str]", bytes]
"""A path, builtin:NAME, or the contents of a file."""

Scalar = Union[str, int, float, "os.PathLike[str]", None]
Flag = Union[Scalar, Sequence[Scalar]]
"""The value of a flag: True for one without a value, a list for one that is repeated, None for none."""


@dataclass(frozen=True)
class Call:
    """A command line."""

    command: str
    inputs: tuple[Input, ...]
    flags: Mapping[str, Flag]

    def run(self, **more: Flag) -> subprocess.CompletedProcess[bytes]:
        """Runs the command with these flags and more."""
        contents = [i for i in self.inputs if isinstance(i, bytes)]
        if len(contents) > 1:
            raise ValueError("only one input can be bytes")
        argv = [find(), *self.command.split(), *arguments({**self.flags, **more})]
        if self.inputs:
            argv += ["--", *("-" if isinstance(i, bytes) else os.fspath(i) for i in self.inputs)]
        try:
            return subprocess.run(argv, input=b"".join(contents), capture_output=True)
        except OSError as e:
            raise Error(f"{argv[0]}: {e.strerror}", 127) from e


def failure(done: subprocess.CompletedProcess[bytes], reason: str) -> Error:
    """Returns the error of a command that printed nothing to read."""
    message = done.stderr.decode(errors="replace").strip().removeprefix("tflarena: ")
    return Error(message or reason, done.returncode or 1)


def arguments(flags: Mapping[str, Flag]) -> list[str]:
    """Returns the flags of a command line."""
    words = []
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        for v in value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [value]:
            if isinstance(v, bool):
                words.append(flag if v else f"{flag}=false")
            elif v is not None:
                words.append(f"{flag}={os.fspath(v) if isinstance(v, os.PathLike) else str(v)}")
    return words
