"""Becomes the binary: the command tflarena, and python -m tflarena."""

from __future__ import annotations

import os
import sys

from .binary import Error, find


def main() -> int:
    """Runs the binary with the arguments of this process and returns its exit code."""
    try:
        binary = find()
        if os.path.realpath(binary) == os.path.realpath(sys.argv[0]):
            raise Error(f"$TFLARENA is {binary!r}, which starts the binary that $TFLARENA names: unset it", 127)
        argv = [binary, *sys.argv[1:]]
        if os.name == "nt":  # where exec starts a second process and ends this one at once
            import subprocess

            return subprocess.call(argv)
        os.execv(binary, argv)
    except (Error, OSError) as e:
        print(f"tflarena: {e}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main())
