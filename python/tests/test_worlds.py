"""Worlds, bodies and their memory."""

import gc
import threading
import unittest

import numpy
import pliant


def ball(**soft):
    return pliant.Asset(pliant.Mesh.generate("sphere:0.3:4"), **soft)


class Worlds(unittest.TestCase):
    def test_a_body_falls_as_bodies_do(self):
        world = pliant.World(gravity=(0, -10, 0), substeps=50)
        body = world.add_body(ball(), position=(0, 5, 0), velocity=(1, 0, 0))
        start = body.read_positions_exact()
        for _ in range(30):
            world.step(1 / 60)
        way = (body.read_positions_exact() - start).mean(axis=0)
        # Symplectic steps of h: g t (t + h) / 2.
        fall = 10 * 0.5 * (0.5 + 1 / 3000) / 2
        numpy.testing.assert_allclose(way, (0.5, -fall, 0), atol=2e-5)
        self.assertAlmostEqual(body.mass, body.read_masses().sum(), 3)
        self.assertAlmostEqual(world.energies().kinetic, 0.5 * body.mass * (1 + 25), delta=0.02 * body.mass)

    def test_views_are_the_solvers_memory(self):
        for schedule in ("patched", "colored"):
            world = pliant.World(threads=1)
            body = world.add_body(ball(solver=dict(schedule=schedule)), position=(0, 5, 0))
            raw = pliant.c.View()
            self.assertEqual(0, pliant.c.pliant_body_view_positions(world._handle_, body.id, raw))
            view = body.view_positions()
            self.assertEqual(view.memory.__array_interface__["data"][0], raw.data)
            self.assertEqual(view.memory.strides, (raw.stride, 4))
            address = view.memory.__array_interface__["data"][0]
            world.step(1 / 60)
            # No second call: it is there what there is now.
            numpy.testing.assert_allclose(view.read(), body.read_positions(), atol=1e-6)
            self.assertEqual(body.view_positions().memory.__array_interface__["data"][0], address)
            with self.assertRaises(ValueError):
                view.memory[0] = 0
            speeds = numpy.asarray(body.view_velocities())
            numpy.testing.assert_allclose(speeds[:, 1], -9.81 / 60, rtol=1e-3)

    def test_rows_without_copies_can_be_written(self):
        world = pliant.World(threads=1, gravity=(0, 0, 0))
        body = world.add_body(ball(solver=dict(schedule="colored")))
        state = body.view_state()
        self.assertEqual((state.copies, state.on_device), (1, False))
        state.velocities[:body.particle_count, 0] = 2
        body.view_state()
        world.step(0.5)
        numpy.testing.assert_allclose(body.read_positions().mean(axis=0)[0], 1, atol=1e-3)

    def test_a_body_whose_memory_is_looked_at_stays(self):
        world = pliant.World(threads=1)
        body = world.add_body(ball())
        for look in (body.view_positions, body.view_velocities, body.view_state):
            view = look()
            with self.assertRaises(pliant.InUse):
                body.remove()
            with self.assertRaises(pliant.InUse):
                body.set_asset(ball())
            del view
        body.set_asset(ball(material=dict(young=3e6)))
        self.assertEqual(body.asset.definition.material.young, 3e6)
        body.remove()
        with self.assertRaises(pliant.Stale):
            body.read_positions()
        self.assertFalse(body.is_valid)

    def test_memory_outlives_its_world(self):
        world = pliant.World(threads=1)
        body = world.add_body(ball(), position=(0, 5, 0))
        memory, before = body.view_positions().memory, body.view_positions().memory.copy()
        world.close()
        for call in (lambda: world.step(1), lambda: body.mass, lambda: world.bodies, lambda: body.view_positions()):
            with self.assertRaises(pliant.Closed):
                call()
        del world, body
        gc.collect()
        numpy.testing.assert_array_equal(memory, before)

    def test_misuse_is_an_exception(self):
        world = pliant.World(threads=1)
        body = world.add_body(ball())
        for call in (lambda: world.step(float("nan")), lambda: world.step(-1), lambda: body.pin(10**6),
                     lambda: body.pin(-1), lambda: body.write_positions(numpy.full((1, 3), numpy.nan)),
                     lambda: body.write_positions(numpy.zeros((10**5, 3))),
                     lambda: body.set_forces(numpy.zeros((10**5, 3))), lambda: world.restore(b"no snapshot")):
            with self.assertRaises(pliant.Error):
                call()
        for call in (lambda: world.step("now"), lambda: body.write_positions([[1, 2]]), lambda: body.pin(0.5),
                     lambda: body.pin(2**40), lambda: world.set_gravity((1, 2)), lambda: body.push((0, 0), (0, 0, 0)),
                     lambda: body.read_positions(numpy.zeros((3, 3))), lambda: world.add_body(None),
                     lambda: world.add_collider(shape="cone"), lambda: world.add_collider(mesh=3)):
            with self.assertRaises((TypeError, ValueError, OverflowError)):
                call()
        other = pliant.World(threads=1)
        with self.assertRaises(pliant.Stale):
            pliant.Body(other, body.id).mass

    def test_forces_pins_attachments_joints(self):
        world = pliant.World(threads=1, gravity=(0, 0, 0), substeps=40)
        first, second = (world.add_body(ball(), position=(x, 0, 0)) for x in (0, 0.7))
        count = first.particle_count
        first.set_forces(numpy.tile([0, 1.0, 0], (count, 1)))
        world.step(0.1)
        momentum = first.read_masses() @ first.read_velocities()
        self.assertAlmostEqual(momentum[1], 0.1 * count, delta=2e-3 * count)
        first.set_forces(None)
        near = first.find_joint_point((0.5, 0, 0)), second.find_joint_point((0.2, 0, 0))
        joint = world.add_joint(point=near, compliance=1e-4)
        spring = second.attach(0, (0.7, 1, 0), 1e-2)
        world.step(0.1)
        self.assertEqual((world.joint_count, joint.describe().broken), (1, False))
        self.assertEqual(joint.describe().point[0].body, first.id)
        self.assertEqual(world.attachments, [spring])
        spring.remove()
        self.assertFalse(spring.is_valid)
        second.pin(0)
        before = second.read_velocities()
        world.step(0.01)
        self.assertEqual(second.read_pin_forces(0.01, before).shape, (count, 3))
        self.assertTrue(second.particle(0).pinned)
        second.remove()
        self.assertFalse(joint.is_valid)

    def test_contacts_and_queries(self):
        world = pliant.World(threads=1)
        lower = world.add_body(ball(), position=(0, 0.3, 0))
        world.add_body(ball(), position=(0, 0.91, 0))
        floor = world.add_collider(measure_force=True)

        def momentum():
            return sum(b.read_masses() @ b.read_velocities()[:, 1] for b in world.bodies)

        before, impulse = momentum(), 0
        for _ in range(60):
            world.step(1 / 60)
            impulse -= floor.force()[0][1] / 60
        # What the floor gave is what weight and the change of momentum took.
        weight = 9.81 * sum(b.mass for b in world.bodies)
        self.assertAlmostEqual(impulse, weight + momentum() - before, delta=2e-3 * weight)
        contacts = world.read_contacts()
        self.assertGreater(len(contacts), 0)
        self.assertEqual({world.body(b) for b in contacts[0].body}, set(world.bodies))
        hit = world.cast_ray(origin=(0, 5, 0), direction=(0, -1, 0))
        self.assertEqual(hit.body, world.bodies[1].id)
        low, high = lower.bounds()
        self.assertTrue((low < high).all())
        self.assertEqual(len(world.overlap_ball((0, 0, 0), 0.1)), 2)
        self.assertEqual(len(world.read_pair_forces()), 1)
        self.assertIsInstance(world.contact_stats.contacts, int)

    def test_snapshots(self):
        world = pliant.World(threads=1, history=4)
        world.add_body(ball(), position=(0, 0.4, 0))
        world.add_collider()
        world.step(1 / 60)
        kept, digest = world.snapshot(), world.digest()
        for _ in range(3):
            world.step(1 / 60)
        end = world.digest()
        world.restore(kept)
        self.assertEqual(world.digest(), digest)
        for _ in range(3):
            world.step(1 / 60)
        self.assertEqual(world.digest(), end)
        world.rewind(3)
        self.assertEqual(world.digest(), digest)

    def test_the_same_bits_from_threads_that_step_worlds_at_once(self):
        def run(found):
            world = pliant.World(threads=1)
            world.add_body(asset, position=(0, 0.5, 0))
            world.add_collider()
            for _ in range(20):
                world.step(1 / 60)
            found.append(world.digest())

        asset, found = ball(), []
        threads = [threading.Thread(target=run, args=(found,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(found), len(set(found))), (4, 1))

    def test_a_world_that_threads_share_is_used_by_one_at_a_time(self):
        world = pliant.World(threads=1)
        body = world.add_body(ball(), position=(0, 0.5, 0))
        problems = []

        def use(call):
            try:
                for _ in range(50):
                    call()
            except Exception as problem:
                problems.append(problem)

        threads = [threading.Thread(target=use, args=(call,)) for call in
                   (lambda: world.step(1e-3), body.read_positions, lambda: body.bounds(), world.energies)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((problems, world.step_count), ([], 50))

    def test_skins(self):
        mesh = pliant.Mesh.generate("sphere:0.3:4")
        world = pliant.World(threads=1, gravity=(0, 0, 0))
        body = world.add_soft(mesh, position=(1, 0, 0))
        surface = mesh.boundary()[0]
        skin = pliant.Skin(world, surface, body)
        skin.update()
        numpy.testing.assert_allclose(skin.positions, surface.vertices + (1, 0, 0), atol=1e-6)
        numpy.testing.assert_allclose(numpy.linalg.norm(skin.normals, axis=1), 1, atol=1e-5)
        body.remove()
        with self.assertRaises(pliant.Stale):
            skin.update()
        positions = skin.positions
        world.close()
        self.assertEqual(positions.shape, (surface.vertex_count, 3))
        with self.assertRaises(pliant.Closed):
            skin.update()

    def test_user_data_is_any_object(self):
        world = pliant.World(threads=1)
        body = world.add_body(ball())
        self.assertIsNone(body.user_data)
        body.user_data = {"name": "ball"}
        self.assertEqual(world.bodies[0].user_data["name"], "ball")

    def test_a_body_that_explodes_is_told(self):
        world = pliant.World(threads=1, substeps=1)
        body = world.add_body(ball(), position=(0, 1, 0))
        body.set_forces(numpy.full((body.particle_count, 3), 1e30))
        with self.assertRaises(pliant.Diverged):
            for _ in range(5):
                world.step(1e3)

    def test_warnings_go_to_the_log(self):
        told = []
        pliant.set_log(told.append)
        try:
            world = pliant.World(threads=1)
            world.add_body(ball(), position=(0, -0.2, 0))
            world.add_collider()
            world.step(1 / 60)
        finally:
            pliant.set_log(lambda text: pliant.log.warning("%s", text))
        self.assertTrue(any("collider" in text for text in told), told)


class DeviceMemory(unittest.TestCase):
    def test_dlpack_lends_memory_without_a_copy(self):
        if not hasattr(numpy, "from_dlpack"):
            self.skipTest("this NumPy has no from_dlpack")
        memory = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
        lent = pliant.DeviceArray(memory.ctypes.data, numpy.float32, (4, 3), memory.strides, memory)
        self.assertEqual(lent.__cuda_array_interface__["data"], (memory.ctypes.data, False))
        lent.device = pliant._memory.CPU  # as if this were a GPU that NumPy knows
        array = numpy.from_dlpack(lent)
        self.assertEqual(array.__array_interface__["data"][0], memory.ctypes.data)
        numpy.testing.assert_array_equal(array, memory[:, :3])
        self.assertEqual(len(pliant._memory._lent), 1)
        del array
        gc.collect()
        self.assertEqual(len(pliant._memory._lent), 0)
        unused = lent.__dlpack__()
        self.assertEqual(len(pliant._memory._lent), 1)
        del unused
        self.assertEqual(len(pliant._memory._lent), 0)


class Scenes(unittest.TestCase):
    def setUp(self):
        if not hasattr(pliant.c.pliant_scene_open, "argtypes"):
            self.skipTest("this library has no scenes: it was built without jansson")

    def test_a_dict_is_a_scene_and_a_picture_is_an_array(self):
        red_ball = {"mesh": "sphere:0.3:4", "position": numpy.array([0, 1, 0]), "color": [1, 0, 0]}
        scene = pliant.Scene({"dt": 1 / 60, "frames": 3, "bodies": [red_ball], "colliders": [{"shape": "plane"}]})
        self.assertEqual(list(scene.run()), [1, 2, 3])
        self.assertAlmostEqual(scene.world.time, 0.05, 6)
        picture = scene.picture(width=160, height=90)
        self.assertEqual((picture.shape, picture.dtype), ((90, 160, 3), numpy.uint8))
        red = (picture[..., 0] > 100) & (picture[..., 1] < 90)
        self.assertGreater(red.mean(), 0.02)  # the ball is seen
        self.assertLess(red.mean(), 0.9)
        world = pliant.World(threads=1)
        world.add_body(ball(), position=(0, 1, 0))
        self.assertEqual(world.picture(width=64, height=48, by="stress").shape, (48, 64, 3))
        with self.assertRaisesRegex(pliant.ArgumentError, "stress"):
            world.picture(by="mood")
        with self.assertRaises(pliant.ArgumentError):
            world.picture(width=0)

    def test_what_a_scene_made_stays_in_it(self):
        scene = pliant.Scene({"bodies": [{"mesh": "sphere:0.3:4"}], "colliders": [{"shape": "plane"}]})
        world = scene.world
        with self.assertRaises(pliant.InUse):
            world.bodies[0].remove()
        with self.assertRaises(pliant.InUse):
            world.colliders[0].remove()
        self.assertGreater(world.bodies[0].asset.mesh.tet_count, 0)
        scene.close()
        world.step(0.1)  # it has the scene in hand
        with self.assertRaises(pliant.Closed):
            scene.step()

    def test_what_is_wrong_with_a_scene_is_told(self):
        with self.assertRaisesRegex(pliant.Error, "did you mean 'bodies'"):
            pliant.Scene({"bodis": []})
        with self.assertRaisesRegex(pliant.FileError, "drop"):
            pliant.Scene("drp")
        with self.assertRaises(TypeError):
            pliant.Scene({"bodies": object()})


if __name__ == "__main__":
    unittest.main()
