"""Many worlds that are stepped by one call."""

import ctypes
import threading

import numpy

from . import _methods, c
from ._call import (Handle, Owner, attempt, checked_array, choose, do, output, pointer_of, struct, vector_pointer,
                    vectors)
from ._kinds import register
from ._world import Body, Collider, Facts, World

# As C has them: places of a batch, and what a world's energies are.
PARTICLE = numpy.dtype([("world", "i4"), ("index1", "u4"), ("generation", "u4"), ("particle", "i4")])
COLLIDER = numpy.dtype([("world", "i4"), ("index1", "u4"), ("generation", "u4")])
ENERGIES = numpy.dtype([(name, "f8") for name in ("kinetic", "elastic", "gravity", "unresolved")])


def items(array, kind):
    """A pointer to the items of an array, which the pointer keeps alive."""
    return array.ctypes.data_as(ctypes.POINTER(kind))


def listing(value, dtype, name):
    """A list that the batch has made."""
    made = "particles" if dtype is PARTICLE else "colliders"
    if not isinstance(value, numpy.ndarray) or value.dtype != dtype:
        raise TypeError(f"{name}: a list of Batch.{made} is needed")
    return numpy.ascontiguousarray(value)


def spread(values, dtype, listed, width, name):
    """Numbers for each item of a list; what has fewer dimensions is for all alike."""
    values = numpy.asarray(values)
    try:
        values = numpy.broadcast_to(values, (*listed.shape, width))
    except ValueError:
        raise ValueError(f"{name}: the shape {(*listed.shape, width)} is needed, not {values.shape}") from None
    return checked_array(values.reshape(-1, width), dtype, (listed.size, width), name)


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

    # ---- for learning

    def keep(self) -> None:
        """Keeps the state of all worlds, in the batch's memory: what `reset` goes back to."""
        self._attempt(c.pliant_batch_keep, self._handle_)

    def reset(self, which=None) -> None:
        """Takes worlds back to what was kept: all of them, or those whose entry of `which` is true."""
        with self._lock:
            count = len(self)
            if which is not None:
                which = checked_array(which, numpy.bool_, (count,), "which")
            at = None if which is None else which.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
            self._attempt(c.pliant_batch_reset, self._handle_, at, count)

    def _numbers(self, things, kind, name):
        """Of the worlds that things are in."""
        with self._lock:
            known = {id(facts): number for number, facts in enumerate(self._facts)}
        for i, thing in enumerate(things):
            if not isinstance(thing, kind):
                raise TypeError(f"{name}[{i}]: a {kind.__name__} is needed, not {type(thing).__name__}")
            if id(thing.world._facts) not in known:
                raise ValueError(f"{name}[{i}] is in no world of this batch")
        return [known[id(thing.world._facts)] for thing in things]

    def particles(self, bodies, numbers) -> numpy.ndarray:
        """A list for `gather`, `move_pins` and `set_forces`: these particles of each of these bodies, a row for each
        body. It is made once and used often."""
        bodies = list(bodies)
        numbers = checked_array(numbers, numpy.int32, (None,), "numbers")
        made = numpy.zeros((len(bodies), len(numbers)), PARTICLE)
        made["world"] = numpy.reshape(self._numbers(bodies, Body, "bodies"), (-1, 1))
        for row, body in zip(made, bodies):
            row["index1"], row["generation"] = body.id.index1, body.id.generation
        made["particle"] = numbers
        return made

    def colliders(self, colliders) -> numpy.ndarray:
        """A list for `move_colliders`."""
        colliders = list(colliders)
        made = numpy.zeros(len(colliders), COLLIDER)
        made["world"] = self._numbers(colliders, Collider, "colliders")
        for row, collider in zip(made, colliders):
            row["index1"], row["generation"] = collider.id.index1, collider.id.generation
        return made

    def gather(self, what, particles, out=None) -> numpy.ndarray:
        """"position" [m], "velocity" [m/s] or "contact_force" [N] of particles that `particles` has listed: an array of
        its shape, with 3 numbers for each."""
        what = choose(c.Quantity, what, "what")
        listed = listing(particles, PARTICLE, "particles")
        out = output(out, numpy.float32, (*listed.shape, 3))
        self._attempt(c.pliant_batch_gather, self._handle_, what, items(listed, c.BatchParticle), listed.size,
                      vector_pointer(out))
        return out

    def read_energies(self) -> numpy.ndarray:
        """[J] of each world: records with kinetic, elastic, gravity and unresolved."""
        with self._lock:
            out = numpy.empty(len(self), ENERGIES)
            self._attempt(c.pliant_batch_read_energies, self._handle_, items(out, c.Energies), len(out))
        return out

    def move_pins(self, particles, targets) -> None:
        """Pins these particles, and moves each to its target [m] during the next step."""
        listed = listing(particles, PARTICLE, "particles")
        targets = spread(targets, numpy.float64, listed, 3, "targets")
        self._attempt(c.pliant_batch_move_pins, self._handle_, items(listed, c.BatchParticle), listed.size,
                      pointer_of(targets))

    def set_forces(self, particles, forces) -> None:
        """The force [N] on each of these particles from now on, in place of the one that it had."""
        listed = listing(particles, PARTICLE, "particles")
        forces = spread(forces, numpy.float32, listed, 3, "forces")
        self._attempt(c.pliant_batch_set_forces, self._handle_, items(listed, c.BatchParticle), listed.size,
                      vector_pointer(forces))

    def move_colliders(self, colliders, positions, rotations=None) -> None:
        """Each goes to its position [m] and rotation (x y z w; None: none turns) during the next step."""
        listed = listing(colliders, COLLIDER, "colliders")
        positions = spread(positions, numpy.float64, listed, 3, "positions")
        turns = None
        if rotations is not None:
            rotations = spread(rotations, numpy.float32, listed, 4, "rotations")
            turns = items(rotations, c.Quat)
        self._attempt(c.pliant_batch_move_colliders, self._handle_, items(listed, c.BatchCollider), listed.size,
                      pointer_of(positions), turns)

    def close(self):
        """Ends the batch with its worlds. Memory that arrays still look at goes with the last of them."""
        with self._lock:
            self._handle = None

    def __repr__(self):
        return "Batch(closed)" if self.closed else f"Batch({len(self)} worlds, {self.particle_count} particles)"
