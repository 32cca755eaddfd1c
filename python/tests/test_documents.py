"""What the documents say of Python is run as it stands there, one block after the other."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(page):
    """(line, text) of each block of Python; text that a page shows as printed follows a block as "#> text"."""
    text = (ROOT / page).read_text()
    return [(text[:m.start()].count("\n") + 2, m.group(1)) for m in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]


class Documents(unittest.TestCase):
    def run_page(self, page, needs=()):
        for name in needs:
            try:
                __import__(name)
            except ImportError:
                self.skipTest(f"no {name} here: {page} needs it")
        os.environ["MPLBACKEND"] = "agg"
        found, names, before = blocks(page), {}, os.getcwd()
        self.assertGreater(len(found), 0)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for line, code in found:
                    said = io.StringIO()
                    with contextlib.redirect_stdout(said):
                        exec(compile("\n" * (line - 1) + code, str(ROOT / page), "exec"), names)
                    shown = re.findall(r"^#> (.*)$", code, re.M)
                    if shown:
                        self.assertEqual(said.getvalue().strip().splitlines(), shown, f"{page}:{line}")
                return names, {f.name: f.stat().st_size for f in Path(folder).iterdir()}
            finally:
                os.chdir(before)

    def test_the_readme_drops_a_torus_and_plots_its_energy(self):
        names, files = self.run_page("README.md", ["matplotlib"])
        energy = names["energy"]
        self.assertEqual(len(energy), 120)
        self.assertLess(max(energy[:30]), 1e-3 * max(energy))  # it flies, and then it hits the ground
        self.assertGreater(files["energy.png"], 5000)
        code = blocks("README.md")[0][1].strip().splitlines()
        self.assertLessEqual(len([line for line in code if line and "import" not in line]), 10)

    def test_the_tutorial(self):
        self.run_page("docs/python.md")


if __name__ == "__main__":
    unittest.main()
