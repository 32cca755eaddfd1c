"""The package has everything that the headers have, and lays it out as the C compiler does."""

import ctypes
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import pliant
from pliant import _methods, c

ROOT = Path(__file__).resolve().parents[2]
HEADERS = [ROOT / "include" / "pliant.h", ROOT / "python" / "native" / "pliant_scene.h"]


def text():
    """Without comments; not by the parser that wrote the package."""
    return re.sub(r"//.*", "", "\n".join(path.read_text() for path in HEADERS))


def camel(name):
    return "".join(w[:1].upper() + w[1:] for w in name[len("pliant_"):].split("_"))


class Header(unittest.TestCase):
    def test_every_function_is_callable(self):
        names = re.findall(r"^PLIANT_API[^;]*?\b(pliant_\w+)\(", text(), re.M)
        self.assertGreater(len(names), 190)
        for name in names:
            self.assertTrue(callable(getattr(c, name, None)), f"{name} is not in pliant.c")
            self.assertTrue(hasattr(getattr(c, name), "argtypes"), f"{name} is not in the library")

    def test_every_function_is_reached_by_the_package_or_left_to_c_by_name(self):
        names = set(re.findall(r"^PLIANT_API[^;]*?\b(pliant_\w+)\(", text(), re.M))
        reached = set(_methods.WHERE) | set(_methods.LEFT)
        self.assertEqual(names - reached, set())
        for name, where in _methods.WHERE.items():
            if name not in names:
                continue
            found = pliant
            for part in where.split("."):
                self.assertTrue(hasattr(found, part), f"{name}: there is no pliant.{where}")
                found = getattr(found, part)
        if _methods.LEFT:
            print(f"only in pliant.c: {', '.join(sorted(_methods.LEFT))}")
        # New functions of C may stand here for a while, but not many.
        self.assertLess(len(_methods.LEFT), 12)

    def test_every_value_of_an_enum_has_its_number(self):
        bodies = re.findall(r"typedef enum (\w+) \{(.*?)\}", text(), re.S)
        self.assertGreater(len(bodies), 20)
        for name, body in bodies:
            kind, number = getattr(c, camel(name)), 0
            for entry in filter(None, (e.strip() for e in body.split(","))):
                word, _, given = (e.strip() for e in entry.partition("="))
                number = int(given) if given else number
                self.assertEqual(getattr(c, word), number, word)
                self.assertIn(number, [int(v) for v in kind], word)
                number += 1

    def test_structs_are_laid_out_as_by_the_compiler(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            self.skipTest("no C compiler here")
        kinds = {n: k for n, k in vars(c).items() if isinstance(k, type) and issubclass(k, ctypes.Structure) and
                 hasattr(k, "_fields_")}
        self.assertGreater(len(kinds), 50)
        names = {camel(n): n for n in re.findall(r"\}\s*(pliant_\w+);", text())}
        lines = ['#include "pliant_scene.h"', "#include <stdio.h>", "int main(void) {"]
        for name in sorted(kinds):
            lines.append(f'printf("{name} %zu\\n", sizeof({names[name]}));')
            lines += [f'printf("{name}.{m[0]} %zu\\n", offsetof({names[name]}, {m[0]}));' for m in kinds[name]._fields_]
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "sizes.c"
            source.write_text("\n".join(lines + ["}"]))
            subprocess.check_call([compiler, f"-I{ROOT}/include", f"-I{ROOT}/python/native", str(source), "-o",
                                   str(source.with_suffix(""))])
            said = subprocess.check_output([str(source.with_suffix(""))], text=True)
        for line in said.splitlines():
            what, size = line.split()
            name, _, member = what.partition(".")
            kind = kinds[name]
            have = ctypes.sizeof(kind) if not member else offset_of(kind, member)
            self.assertEqual(have, int(size), what)

    def test_docstrings_carry_the_headers_words_with_units(self):
        self.assertIn("[m]", pliant.World.add_body.__doc__)
        self.assertIn("[N s]", pliant.Body.push.__doc__)
        self.assertIn("Advances time by dt [s]", pliant.World.step.__doc__)
        self.assertIn("frozen", c.pliant_world_step.__doc__)
        self.assertIn('"""[Pa] Young\'s modulus"""', Path(c.__file__).read_text())
        bare = [n for cls in (pliant.Body, pliant.World, pliant.Mesh, pliant.Asset) for n in vars(cls)
                if not n.startswith("_") and callable(getattr(cls, n)) and not getattr(cls, n).__doc__]
        self.assertEqual(bare, [])


def offset_of(kind, member):
    """Through a struct like it that has nothing but its fields."""
    plain = type("Plain", (ctypes.Structure,), {"_fields_": kind._fields_})
    return getattr(plain, member).offset


if __name__ == "__main__":
    unittest.main()
