"""Worlds and what is in them."""

import ctypes
import threading
import weakref

import numpy

from . import _methods, c
from ._call import (Handle, InUse, Owner, Stale, attempt, checked_array, do, id_of, number, output, pointer_of,
                    struct, vector_pointer, vectors)
from ._kinds import register
from ._memory import DeviceArray, array_at
from ._mesh import Asset, Mesh, _bytes


class Facts:
    """What Python knows of a world, however many World objects there are of it."""

    def __init__(self, lock):
        self.lock = lock
        self.assets = {}  # of each body: kept alive by it
        self.data = {}  # of each body: the caller's own
        self.views = {}  # of each body: weak references to arrays of its memory
        self.shapes = {}  # of each collider: its definition
        self.of_scene = False  # which knows bodies and so on by their ids

    def refuse_removal(self, what):
        if self.of_scene:
            raise InUse(f"a {what} of a scene stays: the scene moves it (build the world in Python to remove some)")


class Inhabitant:
    """A body, a collider and so on: a world and an id. Equal ones are the same thing."""

    _id_kind = None
    _is_valid = None

    def __init__(self, world, id):
        if not isinstance(world, World):
            raise TypeError(f"world: a World is needed, not {type(world).__name__}")
        self.world = world
        self.id = id_of(id, self._id_kind, "id")

    @property
    def is_valid(self) -> bool:
        """Whether its world still has it. All else of what is no longer there is an exception (Stale)."""
        return bool(self.world._do(self._is_valid, self.world._handle_, self.id))

    def _live(self):
        if not self._is_valid(self.world._handle_, self.id):
            raise Stale(f"this {type(self).__name__} is no longer in its world")
        return self.id

    def _do(self, function, *arguments):
        return self.world._do(function, *arguments)

    def _attempt(self, function, *arguments):
        self.world._attempt(function, *arguments)

    def __eq__(self, other):
        return type(self) is type(other) and self.id == other.id and self.world._facts is other.world._facts

    def __hash__(self):
        return hash((id(self.world._facts), self.id))

    def __repr__(self):
        return f"{type(self).__name__}({self.id.index1}, {self.id.generation})"


class View:
    """Memory of a body without a copy: particle i is `memory[row[i]]`, or `memory[i]` where row is None. It shows what
    is there now, after every step. Particles in their order, as a copy: `read()`, or numpy.asarray."""

    def __init__(self, memory, row):
        self.memory, self.row = memory, row

    def read(self):
        return self.memory.copy() if self.row is None else self.memory[self.row]

    def __array__(self, dtype=None, copy=None):
        made = self.read()
        return made if dtype is None else made.astype(dtype)

    def __len__(self):
        return len(self.memory) if self.row is None else len(self.row)


class StateView:
    """The rows of a body where it is stepped: arrays of NumPy on the CPU, a DeviceArray each on a GPU.

    rows         x y z [m], inverse mass [1/kg], 4 numbers of the step
    velocities   vx vy vz [m/s], inverse mass
    row          of each particle; None: particle i is row i
    copies       rows per particle: where it is 1, rows can be written between steps
    """

    def __init__(self, rows, velocities, row, copies, on_device, stream):
        self.rows, self.velocities, self.row, self.copies = rows, velocities, row, copies
        self.on_device, self.stream = on_device, stream


class _Lease:
    """Keeps the memory of a body from going while arrays look at it."""

    def __init__(self, handle):
        self.handle = handle


@register
class Body(_methods.BodyMethods, Inhabitant):
    """An instance of an asset in a world."""

    _id_kind = c.BodyId
    _is_valid = staticmethod(c.pliant_body_is_valid)

    def remove(self) -> None:
        """Takes it out of the world, with its attachments and joints. An exception (InUse) while arrays of its memory
        are alive."""
        with self.world._facts.lock:
            key = self._live()
            self.world._facts.refuse_removal("body")
            self._refuse_views("be removed")
            self._do(c.pliant_body_remove, self.world._handle_, key)
            facts = self.world._facts
            for table in (facts.assets, facts.data, facts.views):
                table.pop(key, None)

    def _refuse_views(self, what):
        leases = self.world._facts.views.get(self.id, ())
        if any(lease() is not None for lease in leases):
            raise InUse(f"the body cannot {what} while arrays of its memory are alive (view_positions, view_velocities, "
                        "view_state): let go of them first")

    @property
    def asset(self) -> Asset:
        """What the body is made of."""
        with self.world._facts.lock:
            key = self._live()
            known = self.world._facts.assets.get(key)
            if known is None:  # of a scene, which keeps it
                found = self._do(c.pliant_body_asset, self.world._handle_, key)
                known = Asset._own(ctypes.cast(found, ctypes.POINTER(c.Asset)), (self.world._handle_,), owned=False)
                self.world._facts.assets[key] = known._handle_
                return known
        made = Asset.__new__(Asset)
        made._handle = known
        return made

    def set_asset(self, asset) -> None:
        """Makes it of something else from the next step on: see pliant_body_set_asset. An exception (InUse) while
        arrays of its memory are alive."""
        if not isinstance(asset, Asset):
            raise TypeError(f"asset: an Asset is needed, not {type(asset).__name__}")
        with self.world._facts.lock:
            key, handle = self._live(), asset._handle_
            self._refuse_views("get another asset")
            self._attempt(c.pliant_body_set_asset, self.world._handle_, key, handle)
            self.world._facts.assets[key] = handle

    @property
    def user_data(self):
        """The caller's own: any object."""
        return self.world._facts.data.get(self._live())

    @user_data.setter
    def user_data(self, value):
        self.world._facts.data[self._live()] = value

    def read_pin_forces(self, dt, before=None, out=None) -> numpy.ndarray:
        """[N] of the pins on each particle, mean over the last step of `dt` [s], n x 3. `before`: the velocities before
        that step, from which the sum is known exactly; None: the elements at the pins alone tell."""
        count = self.particle_count
        out = output(out, numpy.float64, (count, 3))
        before = vectors(before, "before", count)
        self._attempt(c.pliant_body_read_pin_forces, self.world._handle_, self._live(), vector_pointer(before),
                      number(dt, "dt"), pointer_of(out), count)
        return out

    def write_segments(self, rotations=None, spins=None) -> None:
        """Rotations (n x 4) and spins (n x 3) [rad/s] of the first n segments of a rod; None: those stay."""
        if rotations is None and spins is None:
            return
        count = len(spins if rotations is None else rotations)
        if rotations is not None:
            rotations = checked_array(rotations, numpy.float32, (count, 4), "rotations")
        spins = vectors(spins, "spins", count)
        turns = None if rotations is None else ctypes.cast(pointer_of(rotations), ctypes.POINTER(c.Quat))
        self._attempt(c.pliant_body_write_segments, self.world._handle_, self._live(), turns, vector_pointer(spins),
                      count)

    # ---- memory

    def _lease(self, key):
        lease = _Lease(self.world._handle_)
        leases = self.world._facts.views.setdefault(key, [])
        leases[:] = [other for other in leases if other() is not None]
        leases.append(weakref.ref(lease))
        return lease

    def _view(self, function):
        with self.world._facts.lock:
            key, view = self._live(), c.View()
            self._attempt(function, self.world._handle_, key, ctypes.byref(view))
            dtype = numpy.float64 if view.scalar_bytes == 8 else numpy.float32
            row = _rows(view.row, view.count)
            count = view.count if row is None else int(row.max()) + 1 if len(row) else 0
            memory = array_at(view.data, dtype, (count, 3), self._lease(key), (view.stride, view.scalar_bytes))
        return View(memory, row)

    def view_positions(self) -> View:
        """[m] where the particles are: the solver's own memory, not a copy. It cannot be written."""
        return self._view(c.pliant_body_view_positions)

    def view_velocities(self) -> View:
        """[m/s] likewise."""
        return self._view(c.pliant_body_view_velocities)

    def view_state(self) -> StateView:
        """The solver's memory on the backend that steps the body: on a GPU for CuPy, PyTorch, Warp and so on. Ask for it
        again after rows were written."""
        with self.world._facts.lock:
            key, view = self._live(), c.StateView()
            self._attempt(c.pliant_body_view_state, self.world._handle_, key, ctypes.byref(view))
            size = view.scalar_bytes
            dtype = numpy.dtype(numpy.float64 if size == 8 else numpy.float32)
            lease = self._lease(key)
            world, writeable = self.world, view.copies == 1

            def array(address, width, stride):
                shape, strides = (view.row_count, width), (stride, size)
                if view.on_device:
                    return DeviceArray(address, dtype, shape, strides, lease, view.stream, world.wait)
                return array_at(address, dtype, shape, lease, strides, writeable)

            rows = array(view.rows, view.row_stride // size, view.row_stride)
            velocities = array(view.velocities, view.velocity_stride // size, view.velocity_stride)
            if view.on_device and view.row:
                row = DeviceArray(ctypes.cast(view.row, ctypes.c_void_p).value, numpy.int32, (view.count,), (4,), lease,
                                  view.stream, world.wait)
            else:
                row = _rows(view.row, view.count)
        return StateView(rows, velocities, row, view.copies, view.on_device, view.stream)


def _rows(pointer, count):
    """A copy: it belongs to the asset, which may go."""
    return numpy.ctypeslib.as_array(pointer, (count,)).copy() if pointer and count else None


@register
class Collider(_methods.ColliderMethods, Inhabitant):
    """An obstacle for bodies."""

    _id_kind = c.ColliderId
    _is_valid = staticmethod(c.pliant_collider_is_valid)

    def remove(self) -> None:
        """Takes it out of the world."""
        with self.world._facts.lock:
            self.world._facts.refuse_removal("collider")
            self._do(c.pliant_collider_remove, self.world._handle_, self._live())
            self.world._facts.shapes.pop(self.id, None)


@register
class Attachment(_methods.AttachmentMethods, Inhabitant):
    """A spring of rest length zero from a particle to a point."""

    _id_kind = c.AttachmentId
    _is_valid = staticmethod(c.pliant_attachment_is_valid)


@register
class Joint(_methods.JointMethods, Inhabitant):
    """A point of one body that is held to a point of another."""

    _id_kind = c.JointId
    _is_valid = staticmethod(c.pliant_joint_is_valid)


@register
class World(_methods.WorldMethods, Owner):
    """Bodies and colliders, and their time.

        with pliant.World(gravity=(0, -9.81, 0)) as world:
            body = world.add_soft(pliant.Mesh.generate("torus"), material=dict(young=2e5), position=(0, 2, 0))
            world.add_collider()              # the plane y = 0
            world.step(1 / 60)
    """

    _destroy = c.pliant_world_destroy

    def __init__(self, definition=None, **members):
        """`definition`: a WorldDef or a dict; its members by keyword."""
        made = struct(definition, c.WorldDef, "definition", members)
        out = ctypes.POINTER(c.World)()
        attempt(c.pliant_world_create_for, c.PLIANT_VERSION, ctypes.byref(made), ctypes.byref(out))
        self._handle = Handle(out, self._destroy)
        self._handle.definition = made  # with what it points to
        self._facts = Facts(threading.RLock())

    @classmethod
    def _borrow(cls, pointer, parent, facts):
        """A world of a batch, or of a scene."""
        made = cls._own(pointer, (parent,), owned=False)
        made._facts = facts
        return made

    def _do(self, function, *arguments):
        with self._facts.lock:
            return do(function, *arguments)

    def _attempt(self, function, *arguments):
        with self._facts.lock:
            attempt(function, *arguments)

    def add_body(self, asset, definition=None, **members) -> Body:
        """An instance of an asset: `position` [m], `rotation` (x y z w), `velocity` [m/s] and so on, as BodyDef has
        them."""
        if not isinstance(asset, Asset):
            raise TypeError(f"asset: an Asset is needed, not {type(asset).__name__} (add_soft takes a mesh)")
        made = struct(definition, c.BodyDef, "definition", members)
        out = c.BodyId()
        with self._facts.lock:
            handle = asset._handle_
            self._attempt(c.pliant_world_add_body, self._handle_, handle, ctypes.byref(made), ctypes.byref(out))
            self._facts.assets[out] = handle
        return Body(self, out)

    def add_soft(self, mesh, soft=None, definition=None, **members) -> Body:
        """A body of a mesh, with an asset for it alone: members of SoftDef (`material`, `cloth`, `solver`, ...) and of
        BodyDef (`position`, `velocity`, ...), by keyword, or in `soft` and `definition`. An exception where both have
        a member of that name: it goes into `soft` or `definition`."""
        both = set(dir(c.SoftDef)) & set(n for n, _ in c.BodyDef._fields_) - {"cookie"}
        for name in both & set(members):
            raise TypeError(f"{name}: SoftDef and BodyDef have a member of that name: say soft=dict({name}=...) or "
                            f"definition=dict({name}=...)")
        of_soft = {n for n, _ in c.SoftDef._fields_}
        softs = {k: members.pop(k) for k in list(members) if k in of_soft}
        return self.add_body(Asset(mesh, soft, **softs), definition, **members)

    def add_collider(self, definition=None, **members) -> Collider:
        """An obstacle, by default the plane y = 0: `shape` ("box", "sphere", ...), `position` [m], `half_extents` [m],
        `mesh` and so on, as ColliderDef has them."""
        made = struct(definition, c.ColliderDef, "definition", members)
        out = c.ColliderId()
        with self._facts.lock:
            self._attempt(c.pliant_world_add_collider, self._handle_, ctypes.byref(made), ctypes.byref(out))
            self._facts.shapes[out] = made
        return Collider(self, out)

    def body(self, id) -> Body:
        """The body of an id, as contacts, hits and so on have them."""
        return Body(self, id)

    def collider(self, id) -> Collider:
        """The collider of an id."""
        return Collider(self, id)

    def snapshot(self) -> bytes:
        """The whole state of the world, for `restore`."""
        with self._facts.lock:
            size = self._do(c.pliant_world_snapshot_size, self._handle_)
            memory = ctypes.create_string_buffer(size)
            self._attempt(c.pliant_world_snapshot_save, self._handle_, memory, size)
        return memory.raw

    def restore(self, snapshot) -> None:
        """Back to a snapshot of a world with the same bodies, attachments and joints in the same order."""
        data = _bytes(snapshot, "snapshot")
        self._attempt(c.pliant_world_snapshot_restore, self._handle_, data, len(data))

    def picture(self, definition=None, **members) -> numpy.ndarray:
        """What is there now, drawn: height x width x 3 bytes of red, green, blue. `width`, `height` [pixels], `azimuth`
        [degrees], `by="stress"` and so on, as PictureDef has them."""
        made = struct(definition, c.PictureDef, "definition", members)
        with self._facts.lock:
            # Those of a scene are unknown here: Scene.picture shows them.
            known = [(key, shape) for key, shape in self._facts.shapes.items()
                     if c.pliant_collider_is_valid(self._handle_, key)]
            keys = (c.ColliderId * max(len(known), 1))(*(key for key, _ in known))
            shapes = (c.ColliderDef * max(len(known), 1))(*(shape for _, shape in known))
            return draw(lambda *to: self._attempt(c.pliant_world_draw, self._handle_, keys, shapes, len(known), *to),
                        made, made.width, made.height)

    def close(self):
        """Ends the world. Memory that arrays still look at goes with the last of them."""
        with self._facts.lock:
            self._handle = None

    def __repr__(self):
        if self.closed:
            return "World(closed)"
        return f"World({self.body_count} bodies, {self.collider_count} colliders, {self.time:g} s)"


def draw(call, definition, width, height):
    """A picture as an array: call(definition, memory, bytes) draws it."""
    sizes = (height, width, 3) if 0 < width <= 8192 and 0 < height <= 8192 else (1, 1, 3)  # C refuses others
    made = numpy.empty(sizes, numpy.uint8)
    call(None if definition is None else ctypes.byref(definition),
         made.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)), made.nbytes)
    return made


@register
class Skin(_methods.SkinMethods, Owner):
    """A surface that bodies carry along: coarse tets are simulated, a fine surface is seen."""

    _destroy = c.pliant_skin_destroy

    def __init__(self, world, surface, bodies, definition=None, **members):
        """`surface`: a Mesh with triangles; `bodies`: one, or several that carry it together."""
        if isinstance(bodies, Body):
            bodies = [bodies]
        if not isinstance(world, World) or not isinstance(surface, Mesh):
            raise TypeError("a Skin needs a World and a Mesh")
        made = struct(definition, c.SkinDef, "definition", dict(members, surface=surface, bodies=list(bodies)))
        out = ctypes.POINTER(c.Skin)()
        self._world = world
        for body in bodies:
            if not isinstance(body, Body) or body.world._facts is not world._facts:
                raise TypeError("bodies: bodies of the skin's world are needed")
        with world._facts.lock:
            for body in bodies:
                body._live()
            world._attempt(c.pliant_skin_create, world._handle_, ctypes.byref(made), ctypes.byref(out))
            self._handle = Handle(out, self._destroy, (world._handle_,))
        self._bodies = [Body(world, body.id) for body in bodies]

    def _do(self, function, *arguments):
        return self._world._do(function, *arguments)

    def _attempt(self, function, *arguments):
        self._world._attempt(function, *arguments)

    def update(self) -> None:
        """Moves the surface to where the bodies are now, and finds its normals."""
        with self._world._facts.lock:
            for body in self._bodies:
                body._live()
            self._attempt(c.pliant_skin_update, self._handle_)

    def _array(self, function, count):
        found = ctypes.cast(self._do(function, self._handle_), ctypes.c_void_p).value
        return array_at(found, numpy.float32, (count, 3), self._handle_)

    @property
    def positions(self) -> numpy.ndarray:
        """[m] of each vertex, as the last update left them: the skin's own memory."""
        return self._array(c.pliant_skin_positions, self.describe().vertices)

    @property
    def normals(self) -> numpy.ndarray:
        """Of length 1, likewise."""
        return self._array(c.pliant_skin_normals, self.describe().normals)
