"""How much memory this process takes, and how it gives memory back."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys


def give_back_at_once() -> None:
    """Makes the C library ask the system for each large block and give it back when it is freed.
    By default it raises the limit for that with every block that is freed, and keeps what is below."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mmap_threshold, trim_threshold = -3, -1
        mallopt(mmap_threshold, 64 << 10)
        mallopt(trim_threshold, 64 << 10)


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
