"""Runs the Python sessions of the documents. They need the command."""

import doctest
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class ExamplesTest(unittest.TestCase):
    def test_sessions(self) -> None:
        """Each block "pycon" prints what the document says. Blocks of one document run in one empty folder, in order."""
        count = 0
        for path in DOCUMENTS:
            text = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
            session = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
            count += len(session.examples)
            out: list[str] = []
            before = Path.cwd()
            with self.subTest(str(path.relative_to(ROOT))), tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=out.append).failed
                finally:
                    os.chdir(before)
                self.assertEqual(failed, 0, "".join(out))
        self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main()
