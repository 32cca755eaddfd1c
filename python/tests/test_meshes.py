"""Meshes: arrays in, arrays out, without copies where that is promised."""

import gc
import tempfile
import unittest
from pathlib import Path

import numpy
import pliant

TET = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


class Meshes(unittest.TestCase):
    def test_arrays_come_back(self):
        mesh = pliant.Mesh(TET, tets=[[0, 1, 2, 3]], tet_region=[7], vertex_color=numpy.eye(4, 3))
        numpy.testing.assert_array_equal(mesh.vertices, TET)
        numpy.testing.assert_array_equal(mesh.tets, [[0, 1, 2, 3]])
        self.assertEqual((mesh.tet_region.tolist(), mesh.tet_count, mesh.triangles.shape), ([7], 1, (0, 3)))
        self.assertAlmostEqual(mesh.measure().volume, 1 / 6)

    def test_arrays_are_the_meshs_memory_and_cannot_be_written(self):
        mesh = pliant.Mesh.generate("torus")
        view = pliant.c.pliant_mesh_view(mesh._handle_)
        address = pliant.c.C.cast(view.vertices, pliant.c.C.c_void_p).value
        self.assertEqual(mesh.vertices.__array_interface__["data"], (address, True))
        self.assertEqual(mesh.tets.__array_interface__["data"][0], pliant.c.C.cast(view.tets, pliant.c.C.c_void_p).value)
        with self.assertRaises(ValueError):
            mesh.vertices[0] = 0

    def test_arrays_outlive_changes_and_the_mesh(self):
        mesh = pliant.Mesh.generate("sphere:1:4")
        vertices = mesh.vertices
        before = vertices.copy()
        mesh.transform(scale=2, translation=(1, 0, 0))
        numpy.testing.assert_array_equal(vertices, before)
        numpy.testing.assert_allclose(mesh.vertices, 2 * before + (1, 0, 0))
        mesh.close()
        del mesh
        gc.collect()
        numpy.testing.assert_array_equal(vertices, before)

    def test_indices_and_shapes_that_do_not_fit_are_exceptions(self):
        for bad in (dict(tets=[[0, 1, 2, 9]]), dict(tets=[[0, 1, 2]]), dict(tets=[[0, 1, 2, 2.5]]), dict(tets="no"),
                    dict(tets=[[0, 1, 2, 2**40]]), dict(tets=[[0, 1, 2, 3]], tet_region=[1, 2])):
            with self.assertRaises((ValueError, TypeError, OverflowError), msg=str(bad)):
                pliant.Mesh(TET, **bad)
        with self.assertRaises(pliant.ArgumentError):
            pliant.Mesh([[0, 0, numpy.nan]])
        with self.assertRaisesRegex(ValueError, "n x 3"):
            pliant.Mesh([1.0, 2, 3])

    def test_files_and_bytes(self):
        mesh = pliant.Mesh.generate("sphere:1:3")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ball.msh"
            mesh.save(path)
            again = pliant.Mesh.load(path)
            numpy.testing.assert_array_equal(again.vertices, mesh.vertices)
            data = path.read_bytes()
            asked = []
            through = pliant.Mesh.load("ball.msh", read=lambda name: (asked.append(name), data)[1])
            self.assertEqual((asked, through.tet_count), (["ball.msh"], mesh.tet_count))
        self.assertEqual(pliant.Mesh.parse(data, "ball.msh").tet_count, mesh.tet_count)
        with self.assertRaisesRegex(pliant.FileError, "nowhere.obj"):
            pliant.Mesh.load("nowhere.obj")
        with self.assertRaisesRegex(KeyError, "of mine"):
            pliant.Mesh.load("a.msh", read=lambda name: {}["of mine"])
        with self.assertRaises(pliant.Error):
            pliant.Mesh.parse(b"nothing of a mesh", "a.msh")

    def test_meshio_and_back(self):
        try:
            import meshio
        except ImportError:
            self.skipTest("no meshio here")
        mesh = pliant.Mesh.generate("box6:2x2x2:0.5")
        mesh.paint(dict(max=(0.5, 9, 9)), 3)
        out = mesh.to_meshio()
        self.assertIsInstance(out, meshio.Mesh)
        back = pliant.Mesh.from_meshio(out)
        numpy.testing.assert_array_equal(back.tets, mesh.tets)
        numpy.testing.assert_array_equal(back.vertices, mesh.vertices)
        numpy.testing.assert_array_equal(back.tet_region, mesh.tet_region)
        flat = pliant.Mesh.from_meshio(meshio.Mesh([[0, 0], [1, 0], [0, 1]], [("triangle", [[0, 1, 2]])]))
        self.assertEqual((flat.triangle_count, flat.vertices.shape), (1, (3, 3)))

    def test_tools(self):
        ball = pliant.Mesh.sphere(1, 6)
        surface, vertex = ball.boundary()
        numpy.testing.assert_array_equal(surface.vertices, ball.vertices[vertex])
        filled, report = surface.tetrahedralize(tets=800)
        self.assertLess(abs(filled.tet_count - 800), 80)
        self.assertEqual(report.parts, 1)
        told = []
        surface.tetrahedralize(tets=800, progress=told.append)
        self.assertEqual((sorted(told) == told, len(told) > 0), (True, True))
        grains = surface.fill(spacing=0.4)
        self.assertGreater(grains.vertex_count, 20)
        self.assertAlmostEqual(grains.vertex_radius[0], 0.2)
        wrapped, normals, speeds = grains.surface(numpy.tile([1, 2, 3], (grains.vertex_count, 1)), smoothing=2)
        self.assertEqual((normals.shape, wrapped.measure().boundary_edges), ((wrapped.vertex_count, 3), 0))
        numpy.testing.assert_allclose(speeds, numpy.tile([1, 2, 3], (wrapped.vertex_count, 1)), rtol=1e-5)
        self.assertIsNone(grains.surface()[2])
        twice = pliant.Mesh(numpy.concatenate([TET, TET]), tets=[[0, 1, 2, 3], [4, 5, 6, 7]])
        self.assertEqual(twice.clean(weld=True, drop_duplicates=True).welded, 4)
        self.assertEqual((twice.vertex_count, twice.tet_count), (4, 1))
        inside = pliant.Region(center=(0, 0, 0), radius=0.5).select([[0, 0, 0], [2, 0, 0], [0.1, 0, 0]])
        self.assertEqual(inside.tolist(), [0, 2])
        box = pliant.Mesh.box(cells=(2, 1, 1), cell_size=(1, 1, 1))
        self.assertEqual(box.tet_cell.max(), 1)

    def test_assets_as_bytes_step_to_the_same_bits(self):
        asset = pliant.Asset(pliant.Mesh.generate("sphere:0.3:4"), material=dict(young=1e5, poisson=0.4))
        again = pliant.Asset.from_bytes(asset.to_bytes())
        digests = []
        for one in (asset, again):
            world = pliant.World(threads=1)
            world.add_body(one, position=(0, 1, 0))
            world.step(1 / 60)
            digests.append(world.digest())
        self.assertEqual(*digests)
        self.assertEqual(again.definition.material.young, 1e5)
        with self.assertRaises(pliant.FormatError):
            pliant.Asset.from_bytes(asset.to_bytes()[:-9])
        with self.assertRaises(TypeError):
            asset.mesh.transform(2)

    def test_an_exception_in_a_callback_comes_out(self):
        def progress(part):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            pliant.Asset(pliant.Mesh.generate("sphere:0.3:6"), progress=progress)
        with self.assertRaises(pliant.Canceled):
            pliant.Asset(pliant.Mesh.generate("sphere:0.3:6"), progress=lambda part: False)

    def test_definitions_tell_of_what_they_do_not_have(self):
        mesh = pliant.Mesh.generate("sphere:0.3:3")
        with self.assertRaisesRegex(AttributeError, "did you mean 'young'"):
            pliant.Asset(mesh, material=dict(yung=1))
        with self.assertRaisesRegex(pliant.ArgumentError, "young is -1"):
            pliant.Asset(mesh, material=dict(young=-1))
        with self.assertRaisesRegex(ValueError, "none of ten_rows"):
            pliant.Asset(mesh, solver=dict(formulation="nine_rows"))
        soft = pliant.SoftDef(solver=dict(schedule="colored"))
        soft.material.young = 3e4
        self.assertEqual((soft.solver.schedule, soft.material.young, soft.material.poisson),
                         (pliant.Schedule.COLORED, 3e4, 0.45))
        soft.materials = [dict(young=1e5), dict(young=2e5)]
        self.assertEqual((soft.material_count, soft.materials[1].young, soft.materials[1].density), (2, 2e5, 1000))


if __name__ == "__main__":
    unittest.main()
