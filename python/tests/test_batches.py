"""Batches for learning: reset by mask, chosen particles, actions, and the example that tunes a grip."""

import sys
import time
import unittest
from pathlib import Path

import numpy
import pliant

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import grip  # noqa: E402

DT = 1 / 60


def falling(worlds, cells=2, **members):
    """A cube above the floor in each world, every one at another height."""
    asset = pliant.Asset(pliant.Mesh.box(cells=(cells,) * 3, cell_size=(0.1,) * 3), material=dict(young=1e5))
    batch = pliant.Batch(**dict(dict(substeps=4, threads=1), **members))
    bodies = []
    for number in range(worlds):
        world = batch.add()
        bodies.append(world.add_body(asset, position=(0, 0.3 + 0.01 * number, 0)))
        world.add_collider()
    return batch, bodies


def digests(batch):
    return [world.digest() for world in batch]


class Batches(unittest.TestCase):
    def test_some_worlds_go_back_and_the_others_go_on(self):
        batch, _ = falling(6)
        batch.step(DT)
        batch.keep()
        kept = digests(batch)
        for _ in range(5):
            batch.step(DT)
        later = digests(batch)
        which = numpy.array([True, False, False, True, False, True])
        batch.reset(which)
        self.assertEqual(digests(batch), [k if w else n for k, n, w in zip(kept, later, which)])
        batch.reset()
        self.assertEqual(digests(batch), kept)
        with self.assertRaisesRegex(ValueError, "array of 6"):
            batch.reset([True] * 5)
        batch.add()
        with self.assertRaisesRegex(pliant.ArgumentError, "world 6: nothing is kept"):
            batch.reset()

    def test_a_thousand_worlds_are_reset_and_read_much_faster_than_one_by_one(self):
        batch, bodies = falling(1000, cells=1)
        worlds, kept = list(batch), [world.snapshot() for world in batch]
        batch.keep()
        for _ in range(3):
            batch.step(DT)
        out = numpy.empty((batch.particle_count, 3), numpy.float32)

        def at_once():
            batch.reset()
            batch.read("position", out=out)
            return out

        def one_by_one():
            for world, state in zip(worlds, kept):
                world.restore(state)
            return numpy.concatenate([body.read_positions() for body in bodies])

        self.assertTrue(numpy.array_equal(at_once(), one_by_one()))
        took = [min(self.seconds(way) for _ in range(tries)) for way, tries in ((at_once, 50), (one_by_one, 5))]
        print(f"1000 worlds reset and read: {1000 * took[0]:.2f} ms at once, {1000 * took[1]:.1f} ms one by one, "
              f"{took[1] / took[0]:.0f} times faster")
        self.assertGreater(took[1] / took[0], 15)  # about 20 where nobody else uses the caches

    @staticmethod
    def seconds(way):
        start = time.thread_time()  # what others do on this machine does not count
        way()
        return time.thread_time() - start

    def test_chosen_particles_are_gathered(self):
        batch, bodies = falling(5)
        for _ in range(12):
            batch.step(DT)
        chosen = batch.particles(bodies[::-1], [7, 0])
        for what, read in (("position", "read_positions"), ("velocity", "read_velocities"),
                           ("contact_force", "read_contact_forces")):
            seen = batch.gather(what, chosen)
            self.assertEqual(seen.shape, (5, 2, 3))
            for row, body in zip(seen, bodies[::-1]):
                self.assertTrue(numpy.array_equal(row, getattr(body, read)()[[7, 0]]))
        energies = batch.read_energies()
        self.assertEqual([e["kinetic"] for e in energies], [world.energies().kinetic for world in batch])

    def test_pins_forces_and_colliders_are_moved_by_lists(self):
        batch, bodies = falling(4, gravity=(0, 0, 0))
        first = batch.particles(bodies, [0])
        start = batch.gather("position", first)
        batch.set_forces(batch.particles(bodies[:2], numpy.arange(bodies[0].particle_count)), (0.5, 0, 0))
        batch.move_pins(first[2:], start[2:] + [0, 0.01, 0])
        for _ in range(3):
            batch.step(DT)
        moved = batch.gather("position", first) - start
        self.assertGreater(moved[:2, 0, 0].min(), 0)
        numpy.testing.assert_allclose(moved[2:, 0, 1], 0.01, atol=1e-6)
        floors = batch.colliders([world.colliders[0] for world in batch])
        batch.move_colliders(floors, numpy.array([[0, 0.1 * i, 0] for i in range(4)]))
        batch.step(DT)
        places = [world.colliders[0].describe().position[1] for world in batch]
        numpy.testing.assert_allclose(places, [0, 0.1, 0.2, 0.3], atol=1e-6)

    def test_what_does_not_fit_is_an_exception(self):
        batch, bodies = falling(2)
        other, strangers = falling(1)
        listed = batch.particles(bodies, [0, 1])
        for wrong, kind in ((lambda: batch.particles(strangers, [0]), ValueError),
                            (lambda: batch.particles([1], [0]), TypeError),
                            (lambda: batch.gather("position", numpy.zeros(3)), TypeError),
                            (lambda: batch.gather("place", listed), ValueError),
                            (lambda: batch.set_forces(listed, numpy.zeros((3, 3))), ValueError),
                            (lambda: batch.set_forces(listed, (0, numpy.nan, 0)), pliant.Misuse),
                            (lambda: batch.gather("position", batch.particles(bodies, [10_000])), pliant.Misuse),
                            (lambda: other.gather("position", listed), pliant.Misuse)):
            self.assertRaises(kind, wrong)
        bodies[1].remove()
        with self.assertRaises((pliant.Misuse, pliant.Stale)):
            batch.gather("position", listed)

    def test_a_random_search_finds_a_gentle_grip(self):
        grips = grip.Grips(16, threads=2)
        squeeze, duration, energy, press = grip.search(grips, seed=3)
        weight = grips.mass * 9.81
        most = grips.mass * (9.81 + 6 * grip.HEIGHT / duration ** 2)  # [N] at the begin of the lift
        least = weight / (2 * grip.FRICTION)  # by Coulomb's law
        print(f"grip: {1000 * squeeze:.2f} mm, {duration:.2f} s, {press:.1f} N of at least {least:.1f} N, "
              f"{1000 * energy:.0f} mJ")
        self.assertGreater(press, 0.97 * least)
        self.assertLess(press, 1.5 * most / (2 * grip.FRICTION))
        ladder = numpy.linspace(0, 0.01, 16)
        held, energies, presses = grips.run(ladder, numpy.full(16, 1.0))
        self.assertFalse(held[0])
        self.assertTrue(held[-1])
        self.assertLess(energy + grip.HURRY * duration, energies[-1] + grip.HURRY)
        # What is lost is pressed too little, and a slow lift needs hardly more than the weight does.
        self.assertGreater(presses[held].min(), 0.97 * least)
        self.assertLess(presses[held].min(), 1.35 * least)


if __name__ == "__main__":
    unittest.main()
