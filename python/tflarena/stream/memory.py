"""How much memory this process takes, and how it gives memory back."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from typing import Any


def give_back_at_once() -> None:
    """Makes the C library ask the system for each large block and give it back when it is freed.
    By default it raises the limit for that with every block that is freed, and keeps what is below."""
    mallopt = _of_linux("mallopt")
    if mallopt is not None:
        mmap_threshold, trim_threshold = -3, -1
        mallopt(mmap_threshold, 16 << 10)  # so that files of small segments leave no gaps that others do not fit into
        mallopt(trim_threshold, 64 << 10)


def give_back() -> None:
    """Gives the system all memory that is free now, also of small blocks, between which others are still used."""
    trim = _of_linux("malloc_trim")
    if trim is not None:
        trim(0)


def _of_linux(function: str) -> Any:
    """Returns a function of Linux's C library, or None elsewhere and where it has none of that name."""
    return getattr(ctypes.CDLL(None), function, None) if sys.platform.startswith("linux") else None


def reset_peak() -> None:
    """Makes the peak count from now on, where the system can do that."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as f:
            f.write("5")
    except OSError:
        pass


def resident_bytes() -> int:
    """Returns the memory that the process takes now, 0 where the system does not tell."""
    return _status("VmRSS")


def peak_bytes() -> int:
    """Returns the most memory that the process took."""
    peak = _status("VmHWM")
    if peak:
        return peak
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(field: str) -> int:
    try:
        with open("/proc/self/status", encoding="ascii") as f:
            for line in f:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
