"""Position-based dynamics of soft bodies: the library of include/pliant.h in Python.

    import pliant

    world = pliant.World()
    torus = world.add_soft(pliant.Mesh.generate("torus"), material=dict(young=2e5), position=(0, 2, 0))
    world.add_collider()
    for frame in range(120):
        world.step(1 / 60)
    print(torus.read_positions()[0], world.energies())

Units are meters, kilograms, seconds, newtons, pascals and joules. What cannot be done is an exception with the
library's sentence. `pliant.c` is the C interface as it is.
"""

from . import _methods, c
from ._batch import Batch
from ._call import (ArgumentError, Canceled, Closed, DeviceError, Diverged, Error, FileError, FormatError, InUse, Misuse,
                    OutOfMemory, Stale, Unsupported, log, set_log)
from ._memory import DeviceArray
from ._mesh import Asset, Mesh
from ._scene import Scene
from ._world import Attachment, Body, Collider, Joint, Skin, StateView, View, World

# Enums, definitions and what functions return, under the names that they have in C.
_types = [name for name, kind in vars(c).items()
          if isinstance(kind, type) and kind.__module__ == c.__name__ and name not in globals()]
globals().update({name: getattr(c, name) for name in _types})
# Functions that belong to no object.
globals().update({name: getattr(_methods, name) for name in _methods.MODULE})

__version__ = c.pliant_version().decode()

__all__ = ["Asset", "Attachment", "Batch", "Body", "Collider", "DeviceArray", "Joint", "Mesh", "Scene", "Skin", "StateView",
           "View", "World", "ArgumentError", "Canceled", "Closed", "DeviceError", "Diverged", "Error", "FileError",
           "FormatError", "InUse", "Misuse", "OutOfMemory", "Stale", "Unsupported", "c", "log", "set_log",
           *_types, *_methods.MODULE]
