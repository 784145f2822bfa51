"""The thread that reads segments ahead."""

from __future__ import annotations

import threading

from . import memory
from .manifest import Manifest, Plan
from .reader import Reader


class Loader:
    """Reads segments ahead of one run after another, as a plan of the manifest says: the first one until follow names another."""

    def __init__(self, manifest: Manifest, reader: Reader) -> None:
        self._manifest = manifest
        self._reader = reader
        self._plan = manifest.plans[0]
        self._changed = threading.Condition()
        self._files: dict[int, bytes] = {}
        self._done = 0
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def follow(self, plan: Plan) -> int:
        """Makes the next run follow a plan: forgets the segments that do not stay, reads those that stay from now on, and
        returns how many bytes it read. Segments that stay in both plans are not read again."""
        self._plan = plan
        for number in plan.loads:
            self._files.pop(number, None)
        memory.give_back()
        return self._keep()

    def _keep(self) -> int:
        """Reads the resident segments that are not in memory, which stay."""
        missing = [s for s in self._manifest.segments if s.number not in self._plan.loads and s.number not in self._files]
        for segment in missing:
            self._files[segment.number] = self._reader.read(segment)
        return sum(s.file_bytes for s in missing)

    def start(self) -> None:
        """Begins to read the segments of a run, after resident ones that could not be read before."""
        self._keep()
        self._done, self._error = 0, None
        self._thread = threading.Thread(target=self._run, name="loader", daemon=True)
        self._thread.start()

    def take(self, number: int) -> bytes:
        """Returns the file of a segment as soon as it is read, and forgets it unless it is resident.
        Raises what went wrong with reading."""
        with self._changed:
            self._changed.wait_for(lambda: number in self._files or self._error is not None)
            if self._error is not None:
                raise self._error
            return self._files.pop(number) if number in self._plan.loads else self._files[number]

    def done(self, number: int) -> None:
        """Says that a segment has run and holds no memory any more."""
        with self._changed:
            self._done = number
            self._changed.notify_all()

    def stop(self) -> None:
        """Ends a run, also one that did not come to its end."""
        if self._thread is None:
            return
        with self._changed:
            self._error = self._error or RuntimeError("the run was stopped")
            self._changed.notify_all()
        self._thread.join()
        self._thread = None
        for number in self._plan.loads:
            self._files.pop(number, None)

    def _run(self) -> None:
        for number, waits_for in self._plan.loads.items():
            segment = self._manifest.segments[number - 1]
            with self._changed:
                self._changed.wait_for(lambda: self._done >= waits_for or self._error is not None)
                if self._error is not None:
                    return
            try:
                data = self._reader.read(segment)
            except BaseException as e:  # the thread that waits for the file raises it
                with self._changed:
                    self._error = e
                    self._changed.notify_all()
                return
            with self._changed:
                self._files[number] = data
                self._changed.notify_all()
            del data
