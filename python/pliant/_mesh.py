"""Meshes and assets."""

import ctypes

import numpy

from . import _methods, c
from ._call import Handle, Owner, attempt, checked_array, do, integer, number, pointer_of, quat, struct, text
from ._kinds import register
from ._memory import array_at

_ARRAYS = (("tets", numpy.int32, 4, "tet_count"), ("triangles", numpy.int32, 3, "triangle_count"),
           ("edges", numpy.int32, 2, "edge_count"))
_CELLS = {"tetra": "tets", "triangle": "triangles", "line": "edges"}  # in the words of meshio


def _bytes(data, name):
    try:
        return bytes(memoryview(data).cast("B"))
    except TypeError:
        raise TypeError(f"{name}: bytes are needed, not {type(data).__name__}") from None


def _taken(pointer, count):
    """A copy of vectors that the library has given away, which are released; None of NULL."""
    address = ctypes.cast(pointer, ctypes.c_void_p)
    if not address.value:
        return None
    found = numpy.ctypeslib.as_array((ctypes.c_float * (3 * count)).from_address(address.value)).copy()
    c.pliant_release(address)
    return found.reshape(count, 3)


@register
class Mesh(_methods.MeshMethods, Owner):
    """Vertices with tetrahedra (solids), triangles (surfaces) or edges (ropes), or vertices alone (particles).

    Made of arrays, which are copied; by `Mesh.generate("torus")` and the like; or of a file, by `Mesh.load`. Its
    arrays are the mesh's own memory and cannot be written. They stay what they were when the mesh is changed:
    a change makes new ones.
    """

    _destroy = c.pliant_mesh_destroy

    def __init__(self, vertices, tets=None, triangles=None, edges=None, *, tet_region=None, tet_cell=None,
                 vertex_color=None, vertex_radius=None):
        """`vertices` [m] n x 3; the others as `tets` n x 4, from 0. One number a tet, three a vertex for colors, one
        a vertex for radii [m]."""
        vertices = checked_array(vertices, numpy.float64, (None, 3), "vertices")
        given = c.MeshArrays(vertices=vertices.reshape(-1), vertex_count=len(vertices))
        for (name, dtype, size, counter), value in zip(_ARRAYS, (tets, triangles, edges)):
            if value is not None:
                array = checked_array(value, dtype, (None, size), name)
                given.set(**{name: array.reshape(-1), counter: len(array)})
        for name, value, dtype, shape in (
                ("tet_region", tet_region, numpy.int32, (given.tet_count,)),
                ("tet_cell", tet_cell, numpy.int32, (given.tet_count,)),
                ("vertex_color", vertex_color, numpy.float64, (len(vertices), 3)),
                ("vertex_radius", vertex_radius, numpy.float64, (len(vertices),))):
            if value is not None:
                given.set(**{name: checked_array(value, dtype, shape, name).reshape(-1)})
        self._handle = self._create(given)

    @classmethod
    def _create(cls, arrays):
        out = ctypes.POINTER(c.Mesh)()
        attempt(c.pliant_mesh_create, ctypes.byref(arrays), ctypes.byref(out))
        return Handle(out, cls._destroy)

    # ---- files

    @staticmethod
    def load(path, read=None):
        """Reads .msh, .mesh, .node + .ele, .vtk, .vtu, .t, .obj, .ply, .stl or .off. `read(path)` returns the bytes of
        a file instead of the file system."""
        out = ctypes.POINTER(c.Mesh)()
        if read is None:
            attempt(c.pliant_mesh_load, text(path, "path"), ctypes.byref(out))
        else:
            reader = _Reader(read)
            try:
                attempt(c.pliant_mesh_load_with, text(path, "path"), reader.hook, None, ctypes.byref(out))
            except Exception:
                reader.raise_problem()
                raise
        return Mesh._own(out)

    @staticmethod
    def parse(data, name="mesh"):
        """The same from bytes. `name` is used in messages and for the extension."""
        data = _bytes(data, "data")
        out = ctypes.POINTER(c.Mesh)()
        attempt(c.pliant_mesh_parse, data, len(data), text(name, "name"), ctypes.byref(out))
        return Mesh._own(out)

    @staticmethod
    def from_meshio(mesh):
        """Of a meshio.Mesh: its tets, or else its triangles, or else its lines; `region` of the cell data, or what Gmsh
        calls physical, as tet_region."""
        found = {}
        for i, block in enumerate(mesh.cells):
            name = _CELLS.get(block.type)
            if name:
                found.setdefault(name, []).append((i, block.data))
        for name in ("tets", "triangles", "edges"):
            if name in found:
                cells = numpy.concatenate([data for _, data in found[name]])
                region = None
                for key in ("region", "gmsh:physical", "medit:ref"):
                    if name == "tets" and key in mesh.cell_data:
                        region = numpy.concatenate([mesh.cell_data[key][i] for i, _ in found[name]])
                        break
                points = numpy.zeros((len(mesh.points), 3))
                points[:, :mesh.points.shape[1]] = mesh.points
                return Mesh(points, **{name: cells}, tet_region=region)
        raise ValueError("the mesh has neither tetra, triangle nor line cells")

    def to_meshio(self, points=None):
        """A meshio.Mesh, of other `points` [m] where they are given."""
        import meshio
        cells = [(kind, numpy.array(getattr(self, name))) for kind, name in _CELLS.items()
                 if len(getattr(self, name))]
        data = {}
        if self.tet_region is not None:
            data["region"] = [numpy.array(self.tet_region)] + [numpy.zeros(len(d), numpy.int32) for _, d in cells[1:]]
        return meshio.Mesh(numpy.array(self.vertices if points is None else points), cells, cell_data=data)

    # ---- arrays

    def _view(self):
        return do(c.pliant_mesh_view, self._handle_)

    def _array(self, name, dtype, count, size):
        view = self._view()
        pointer = getattr(view, name)
        if not pointer:
            return None
        rows = getattr(view, count)
        return array_at(ctypes.cast(pointer, ctypes.c_void_p).value, dtype, (rows, size) if size > 1 else (rows,),
                        self._handle_)

    @property
    def vertices(self) -> numpy.ndarray:
        """[m] n x 3, of the mesh's memory."""
        return self._array("vertices", numpy.float64, "vertex_count", 3)

    @property
    def tets(self) -> numpy.ndarray:
        """n x 4 vertices, of the mesh's memory."""
        return self._cells("tets", 4, "tet_count")

    @property
    def triangles(self) -> numpy.ndarray:
        """n x 3 vertices, counter-clockwise seen from outside, of the mesh's memory."""
        return self._cells("triangles", 3, "triangle_count")

    @property
    def edges(self) -> numpy.ndarray:
        """n x 2 vertices, of the mesh's memory."""
        return self._cells("edges", 2, "edge_count")

    def _cells(self, name, size, count):
        found = self._array(name, numpy.int32, count, size)
        return numpy.empty((0, size), numpy.int32) if found is None else found

    @property
    def tet_region(self):
        """A number for each tet, or None: of the mesh's memory."""
        return self._array("tet_region", numpy.int32, "tet_count", 1)

    @property
    def tet_cell(self):
        """The hexahedral cell that each tet was cut from, or None: of the mesh's memory."""
        return self._array("tet_cell", numpy.int32, "tet_count", 1)

    @property
    def vertex_color(self):
        """n x 3 red, green, blue, or None: of the mesh's memory."""
        return self._array("vertex_color", numpy.float64, "vertex_count", 3)

    @property
    def vertex_radius(self):
        """[m] of loose particles, or None: of the mesh's memory."""
        return self._array("vertex_radius", numpy.float64, "vertex_count", 1)

    @property
    def vertex_count(self) -> int:
        return self._view().vertex_count

    @property
    def tet_count(self) -> int:
        return self._view().tet_count

    @property
    def triangle_count(self) -> int:
        return self._view().triangle_count

    @property
    def edge_count(self) -> int:
        return self._view().edge_count

    # ---- changes: of a copy, which takes the place of what was there, so that arrays and other threads go on

    def _change(self, change):
        view = self._view()
        handle = self._create(view)
        result = change(handle)
        self._handle = handle
        return result

    def copy(self) -> "Mesh":
        """Another mesh of the same arrays."""
        made = Mesh.__new__(Mesh)
        made._handle = self._create(self._view())
        return made

    def transform(self, scale=1.0, rotation=(0, 0, 0, 1), translation=(0, 0, 0)) -> None:
        """x -> scale * x, then the rotation (x y z w), then the translation [m]. The scale is positive."""
        arguments = number(scale, "scale"), quat(rotation, "rotation"), \
            checked_array(translation, numpy.float64, (3,), "translation")
        self._change(lambda handle: do(c.pliant_mesh_transform, handle, *arguments[:2], pointer_of(arguments[2])))

    def clean(self, definition=None, **members) -> "c.CleanReport":
        """Welds, drops elements, orients, drops vertices, in this order; nothing that is not asked for."""
        made = struct(definition, c.CleanDef, "definition", members)
        report = c.CleanReport()
        self._change(lambda handle: attempt(c.pliant_mesh_clean, handle, ctypes.byref(made), ctypes.byref(report)))
        return report

    def repair(self, definition=None, **members) -> "c.RepairReport":
        """Better tets: see RepairDef. The mesh stays as it was where that fails."""
        made = struct(definition, c.RepairDef, "definition", members)
        report = c.RepairReport()
        self._change(lambda handle: attempt(c.pliant_mesh_repair, handle, ctypes.byref(made), ctypes.byref(report)))
        return report

    def paint(self, region, number) -> None:
        """Sets tet_region of the tets whose middle is in the region."""
        made = struct(region, c.Region, "region")
        value = integer(number, ctypes.c_int, "number")
        self._change(lambda handle: attempt(c.pliant_mesh_paint, handle, ctypes.byref(made), value))

    def surface(self, velocities=None, **members):
        """The surface of a liquid around these particles, with its normals and velocities [m/s] (n x 3; None without
        `velocities` of the particles): mesh, normals, velocities. `members` are those of SurfaceDef."""
        definition = struct(None, c.SurfaceDef, "definition", members)
        points = c.Points(positions=numpy.ascontiguousarray(self.vertices).reshape(-1), count=self.vertex_count)
        if self.vertex_radius is not None:
            points.set(radii=numpy.ascontiguousarray(self.vertex_radius))
        if velocities is not None:
            speed = checked_array(velocities, numpy.float32, (self.vertex_count, 3), "velocities")
            points.set(velocities=(c.Vec3 * self.vertex_count).from_buffer_copy(speed))
        out, report = ctypes.POINTER(c.Mesh)(), c.SurfaceReport()
        attempt(c.pliant_mesh_surface, ctypes.byref(points), ctypes.byref(definition), ctypes.byref(out),
                ctypes.byref(report))
        mesh = Mesh._own(out)
        return mesh, *(_taken(p, mesh.vertex_count) for p in (report.normals, report.velocities))

    def boundary(self):
        """The surface of a tet mesh, and the vertex of each of its vertices here."""
        out = ctypes.POINTER(c.Mesh)()
        vertex = numpy.empty(max(self.vertex_count, 1), numpy.int32)
        attempt(c.pliant_mesh_boundary, self._handle_, ctypes.byref(out), pointer_of(vertex))
        surface = Mesh._own(out)
        return surface, vertex[:surface.vertex_count].copy()

    def __repr__(self):
        if self.closed:
            return "Mesh(closed)"
        return (f"Mesh({self.vertex_count} vertices, {self.tet_count} tets, {self.triangle_count} triangles, "
                f"{self.edge_count} edges)")


class _Reader:
    """A function of Python that opens files for C."""

    def __init__(self, read):
        self.read, self.problem = read, None
        self.hook = c.ReadFn(self._call)

    def _call(self, path, out_data, out_bytes, context):
        try:
            data = _bytes(self.read(path.decode()), "read")
            memory = c.pliant_allocate(len(data) + 1)
            if not memory:
                return int(c.Result.ERROR_MEMORY)
            ctypes.memmove(memory, data + b"\0", len(data) + 1)
            out_data[0] = memory
            out_bytes[0] = len(data)
            return int(c.Result.OK)
        except Exception as problem:
            self.problem = problem
            return int(c.Result.ERROR_FILE)

    def raise_problem(self):
        if self.problem is not None:
            raise self.problem


def _select(region, points):
    """Which of the points (n x 3) [m] are in the region: their numbers."""
    points = checked_array(points, numpy.float64, (None, 3), "points")
    found = numpy.empty(max(len(points), 1), numpy.int32)
    count = ctypes.c_int()
    attempt(c.pliant_region_select, ctypes.byref(region), pointer_of(points), len(points), pointer_of(found),
            ctypes.byref(count))
    return found[:count.value].copy()


c.Region.select = _select


@register
class Asset(_methods.AssetMethods, Owner):
    """A mesh compiled with what it is made of. Bodies share it; it may be closed while they use it.

        rubber = pliant.Asset(mesh, material=dict(young=2e5, density=1000))
    """

    _destroy = c.pliant_asset_destroy

    def __init__(self, mesh, definition=None, **members):
        """`definition`: a SoftDef or a dict; its members by keyword."""
        if not isinstance(mesh, Mesh):
            raise TypeError(f"mesh: a Mesh is needed, not {type(mesh).__name__}")
        made = struct(definition, c.SoftDef, "definition", members)
        out = ctypes.POINTER(c.Asset)()
        attempt(c.pliant_asset_create, mesh._handle_, ctypes.byref(made), ctypes.byref(out))
        self._handle = Handle(out, self._destroy)

    @property
    def mesh(self) -> Mesh:
        """The mesh that it was compiled from. It cannot be changed, but a copy can."""
        found = do(c.pliant_asset_mesh, self._handle_)
        return _AssetMesh._own(ctypes.cast(found, ctypes.POINTER(c.Mesh)), (self._handle_,), owned=False)

    def to_bytes(self) -> bytes:
        """The asset as a file has it: Asset.from_bytes reads it in milliseconds."""
        size = do(c.pliant_asset_write_size, self._handle_)
        memory = ctypes.create_string_buffer(size)
        attempt(c.pliant_asset_write, self._handle_, memory, size)
        return memory.raw

    @staticmethod
    def from_bytes(data, name="asset") -> "Asset":
        """What to_bytes wrote; everything read is checked. `name` is used in messages."""
        data = _bytes(data, "data")
        out = ctypes.POINTER(c.Asset)()
        attempt(c.pliant_asset_parse, data, len(data), text(name, "name"), ctypes.byref(out))
        return Asset._own(out)

    def __repr__(self):
        return "Asset(closed)" if self.closed else f"Asset({self.mesh!r})"


class _AssetMesh(Mesh):
    """The mesh of an asset."""

    def _change(self, change):
        raise TypeError("the mesh of an asset cannot be changed: change mesh.copy(), and compile that")
