"""The shared library: found beside the package, or where PLIANT_LIBRARY says."""

import ctypes
import os
from pathlib import Path

NAME = "libpliant_python.so"


def find():
    given = os.environ.get("PLIANT_LIBRARY")
    return Path(given) if given else Path(__file__).with_name(NAME)


def load():
    path = find()
    if not path.exists():
        raise ImportError(f"{path} is missing: 'make python' builds and installs the package with its library, and "
                          "PLIANT_LIBRARY names one that is somewhere else")
    return ctypes.CDLL(str(path))


library = load()


def missing(name):
    def refuse(*_):
        raise NotImplementedError(f"{name} is not in this library: it was built without jansson, which scenes need")

    refuse.__name__ = name
    return refuse


def function(name, result, arguments, names, doc):
    """A function of the library; calling one that this build does not have is an exception."""
    try:
        made = getattr(library, name)
    except AttributeError:
        return missing(name)
    made.restype = result
    made.argtypes = arguments
    made.names = names
    made.__doc__ = f"{name}({names})\n\n{doc.strip()}"
    return made
