"""python3 generate FOLDER HEADER...: writes c.py and _methods.py of the package from the headers."""

import sys
from pathlib import Path

import header
import methods
import raw


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(folder, *paths):
    found = header.Header({}, {}, [], [], [], [])
    for path in paths:
        one = header.parse(Path(path).read_text())
        found.constants.update(one.constants)
        found.opaque.update(one.opaque)
        for name in ("enums", "structs", "function_types", "functions"):
            getattr(found, name).extend(getattr(one, name))
    write(Path(folder) / "c.py", raw.write(found, [Path(p).name for p in paths]))
    write(Path(folder) / "_methods.py", methods.write(found))


main(*sys.argv[1:])
