"""Tests of the reader and of the thread that reads ahead."""

import hashlib
import random
import tempfile
import threading
import time
import unittest
from pathlib import Path

from tflarena.stream.loader import Loader
from tflarena.stream.manifest import Manifest, Plan, Segment, SegmentError
from tflarena.stream.reader import Reader


def segment(folder: Path, number: int) -> Segment:
    data = bytes([number]) * 100 * number
    path = folder / str(number)
    path.write_bytes(data)
    return Segment(number, path, len(data), hashlib.sha256(data).hexdigest(), (), ())


class Watched(Reader):
    """Writes down which segment is read when how many are done, and takes a random time."""

    def __init__(self) -> None:
        super().__init__()
        self.done = 0
        self.log: list[tuple[int, int]] = []

    def read(self, segment: Segment) -> bytes:
        self.log.append((segment.number, self.done))
        time.sleep(random.random() / 1000)
        return super().read(segment)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def manifest(self, segments: int, *loads: dict[int, int]) -> Manifest:
        """Returns a manifest with a plan for each of the loads."""
        plans = tuple(Plan(0, 0, 0, 0, x) for x in loads)
        files = tuple(segment(self.folder, k + 1) for k in range(segments))
        return Manifest(self.folder / "manifest.json", False, plans, (), (), {}, files)


class ReaderTest(Case):
    def test_changed(self) -> None:
        """A file that changes between two reads is seen, whatever is changed about it."""
        s, reader = segment(self.folder, 3), Reader()
        self.assertEqual(reader.read(s), s.path.read_bytes())
        self.assertEqual(reader.read(s), s.path.read_bytes())
        for data, words in [(b"x" * 300, "SHA-256"), (b"x" * 299, "299 bytes, not 300")]:
            s.path.write_bytes(data)
            with self.assertRaisesRegex(SegmentError, f"segment 3, .*{words}"):
                reader.read(s)
        s.path.unlink()
        with self.assertRaisesRegex(SegmentError, "segment 3, .*No such file"):
            reader.read(s)

    def test_bandwidth(self) -> None:
        s, begin = segment(self.folder, 5), time.monotonic()
        Reader(bandwidth=10_000).read(s)
        self.assertGreaterEqual(time.monotonic() - begin, 0.05)


class LoaderTest(Case):
    def test_waits(self) -> None:
        """No segment is read before the one that it waits for is done, in several runs."""
        n = 12
        rng = random.Random(1)
        waits = sorted(rng.randrange(k) for k in range(1, n + 1))
        waits = [min(w, k) for k, w in enumerate(waits)]
        m = self.manifest(n, {k + 1: waits[k] for k in range(n) if k % 5 != 4})
        reader = Watched()
        loader = Loader(m, reader)
        self.assertEqual(loader.follow(m.plans[0]), 1500)
        self.assertEqual([number for number, _ in reader.log], [5, 10])
        for _ in range(3):
            reader.log.clear()
            reader.done = 0
            loader.start()
            for s in m.segments:
                self.assertEqual(loader.take(s.number), s.path.read_bytes())
                time.sleep(rng.random() / 1000)
                reader.done = s.number
                loader.done(s.number)
            loader.stop()
            self.assertEqual([number for number, _ in reader.log], list(m.plans[0].loads))
            for number, done in reader.log:
                self.assertGreaterEqual(done, waits[number - 1])

    def test_error(self) -> None:
        """What goes wrong with reading is raised where the segment is wanted, and the next run works."""
        m = self.manifest(2, {1: 0, 2: 1})
        second = m.segments[1]
        data = second.path.read_bytes()
        loader = Loader(m, Reader())
        second.path.unlink()
        loader.start()
        loader.take(1)
        loader.done(1)
        with self.assertRaisesRegex(SegmentError, "segment 2"):
            loader.take(2)
        loader.stop()
        second.path.write_bytes(data)
        loader.start()
        loader.take(1)
        loader.done(1)
        self.assertEqual(loader.take(2), data)
        loader.stop()

    def run_once(self, m: Manifest, loader: Loader) -> None:
        loader.start()
        for s in m.segments:
            self.assertEqual(loader.take(s.number), s.path.read_bytes())
            loader.done(s.number)
        loader.stop()

    def test_follow(self) -> None:
        """After a change of the plan, only segments are read that stay from then on, and runs load what the new plan says."""
        rng = random.Random(2)
        n, kept_some = 9, 0
        for _ in range(20):
            m = self.manifest(n, *({k: 0 for k in range(1, n + 1) if rng.random() < 0.5} for _ in range(3)))
            reader = Watched()
            loader = Loader(m, reader)
            loader.follow(m.plans[0])
            resident = set(range(1, n + 1)) - set(m.plans[0].loads)
            for _ in range(4):
                plan = rng.choice(m.plans)
                now = set(range(1, n + 1)) - set(plan.loads)
                reader.log.clear()
                read = loader.follow(plan)
                self.assertEqual({number for number, _ in reader.log}, now - resident)
                self.assertEqual(read, sum(m.segments[k - 1].file_bytes for k in now - resident))
                kept_some += len(now & resident)
                resident = now
                reader.log.clear()
                self.run_once(m, loader)
                self.assertEqual([number for number, _ in reader.log], list(plan.loads))
        self.assertGreater(kept_some, 0)

    def test_follow_error(self) -> None:
        """If a segment that is to stay cannot be read, the next run tries again."""
        m = self.manifest(2, {1: 0, 2: 1}, {})
        loader, second = Loader(m, Reader()), m.segments[1]
        data = second.path.read_bytes()
        second.path.unlink()
        for attempt in (lambda: loader.follow(m.plans[1]), loader.start):
            with self.assertRaisesRegex(SegmentError, "segment 2"):
                attempt()
        second.path.write_bytes(data)
        self.run_once(m, loader)

    def test_stop(self) -> None:
        """A run that is given up leaves no thread behind."""
        before = threading.active_count()
        loader = Loader(self.manifest(2, {1: 0, 2: 1}), Reader())
        loader.stop()
        loader.start()
        loader.stop()
        self.assertEqual(threading.active_count(), before)


if __name__ == "__main__":
    unittest.main()
