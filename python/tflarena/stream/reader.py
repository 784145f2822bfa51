"""Reads segments, and checks that they are those of the manifest."""

from __future__ import annotations

import hashlib
import os
import time

from .manifest import Segment, SegmentError

Stamp = tuple[int, int, int]


class Reader:
    """Reads the files of segments, at most bandwidth bytes a second unless that is 0.

    The digest of a file is compared when the file is read for the first time, and whenever its size, its
    time or its place on the disk are not what they were."""

    def __init__(self, bandwidth: float = 0) -> None:
        self._bandwidth = bandwidth
        self._known: dict[int, Stamp] = {}

    def read(self, segment: Segment) -> bytes:
        """Returns the file of a segment. Raises SegmentError where it is missing or changed."""
        begin = time.monotonic()
        try:
            with open(segment.path, "rb", buffering=0) as f:
                status = os.fstat(f.fileno())
                stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
                if status.st_size != segment.file_bytes:
                    raise _changed(segment, f"it has {status.st_size} bytes, not {segment.file_bytes}")
                # In one go: LiteRT takes bytes, and joining parts would need them twice.
                data = f.read(segment.file_bytes)
        except OSError as e:
            raise SegmentError(f"segment {segment.number}, {segment.path}: {e.strerror or e}") from e
        if data is None or len(data) != segment.file_bytes:
            raise _changed(segment, "it is shorter than it was")
        if self._known.get(segment.number) != stamp:
            if hashlib.sha256(data).hexdigest() != segment.sha256:
                raise _changed(segment, "its SHA-256 is another one")
            self._known[segment.number] = stamp
        if self._bandwidth:
            left = begin + len(data) / self._bandwidth - time.monotonic()
            time.sleep(max(left, 0))
        return data


def _changed(segment: Segment, why: str) -> SegmentError:
    return SegmentError(f"segment {segment.number}, {segment.path}: it is not the file of the manifest: {why}")
