"""Many worlds that are stepped by one call."""

import ctypes
import threading

import numpy

from . import _methods, c
from ._call import Handle, Owner, attempt, choose, do, output, struct, vector_pointer, vectors
from ._kinds import register
from ._world import Facts, World


@register
class Batch(_methods.BatchMethods, Owner):
    """Many worlds, equal or different: `add` makes them, `step` steps them all.

        batch = pliant.Batch(substeps=20)
        for _ in range(1024):
            batch.add().add_body(asset, position=(0, 1, 0))
    """

    _destroy = c.pliant_batch_destroy

    def __init__(self, definition=None, **members):
        """`definition`: a WorldDef or a dict, for all its worlds; members by keyword."""
        made = struct(definition, c.WorldDef, "definition", members)
        out = ctypes.POINTER(c.Batch)()
        attempt(c.pliant_batch_create, ctypes.byref(made), ctypes.byref(out))
        self._handle = Handle(out, self._destroy)
        self._handle.definition = made
        self._lock = threading.RLock()
        self._facts = []

    def _do(self, function, *arguments):
        with self._lock:
            return do(function, *arguments)

    def _attempt(self, function, *arguments):
        with self._lock:
            attempt(function, *arguments)

    def add(self) -> World:
        """A new world, empty."""
        out = ctypes.POINTER(c.World)()
        with self._lock:
            self._attempt(c.pliant_batch_add, self._handle_, ctypes.byref(out))
            self._facts.append(Facts(self._lock))
            return World._borrow(out, self._handle_, self._facts[-1])

    def __len__(self):
        return self._do(c.pliant_batch_count, self._handle_)

    def __getitem__(self, number) -> World:
        count = len(self)
        at = number.__index__()
        if not -count <= at < count:
            raise IndexError(f"world {at} of {count}")
        found = self._do(c.pliant_batch_world, self._handle_, at % count)
        return World._borrow(found, self._handle_, self._facts[at % count])

    def __iter__(self):
        for number in range(len(self)):
            yield self[number]

    def read(self, what="position", out=None) -> numpy.ndarray:
        """All particles at once, n x 3: "position" [m], "velocity" [m/s] or "contact_force" [N], worlds in their order,
        bodies of a world in that of world.bodies. `out`: an array of float32 to fill."""
        what = choose(c.Quantity, what, "what")
        with self._lock:
            count = self.particle_count
            out = output(out, numpy.float32, (count, 3))
            self._attempt(c.pliant_batch_read, self._handle_, what, vector_pointer(out), count)
        return out

    def write(self, what, values) -> None:
        """All positions [m] or velocities [m/s] at once, n x 3."""
        what = choose(c.Quantity, what, "what")
        values = vectors(values, "values")
        if values is None:
            raise TypeError("values: an array is needed, not None")
        self._attempt(c.pliant_batch_write, self._handle_, what, vector_pointer(values), len(values))

    def close(self):
        """Ends the batch with its worlds. Memory that arrays still look at goes with the last of them."""
        with self._lock:
            self._handle = None

    def __repr__(self):
        return "Batch(closed)" if self.closed else f"Batch({len(self)} worlds, {self.particle_count} particles)"
