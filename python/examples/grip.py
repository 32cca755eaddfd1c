"""Tunes a grip: two plates close on a soft cube, lift it and hold it still. How far to close, and how long to take for
the lift, is found by a random search over many worlds at once: gentle and quick, without losing the cube.

    build/venv/bin/python python/examples/grip.py            # 1024 worlds, twice
    build/venv/bin/python python/examples/grip.py --worlds 64
"""

import argparse
import time

import numpy

import pliant

SIDE, CELLS, FRICTION, DT = 0.1, 4, 0.5, 1 / 60  # [m], -, -, [s]
PLATE = numpy.array([0.01, 0.09, 0.09])  # [m] half of its edges
CLOSE, LIFT, HOLD = 15, 60, 15  # frames; a lift may be shorter
HEIGHT = 0.12  # [m] of the lift
HURRY = 0.1  # [J/s] what a second is worth against the energy in the cube
LOW, HIGH = numpy.array([0.0, 0.15]), numpy.array([0.01, LIFT * DT])  # squeeze [m], duration [s]


class Grips:
    """Worlds with a cube on the floor and a plate at both sides of it."""

    def __init__(self, worlds, threads=0, backend="cpu"):
        cell = SIDE / CELLS
        cube = pliant.Asset(pliant.Mesh.box(cells=(CELLS,) * 3, cell_size=(cell,) * 3),
                            material=dict(young=2e4, poisson=0.4, density=1000, damping=0.01))
        self.batch = pliant.Batch(gravity=(0, -9.81, 0), substeps=20, threads=threads, backend=backend)
        cubes, plates = [], []
        for _ in range(worlds):
            world = self.batch.add()
            cubes.append(world.add_body(cube))
            world.add_collider(static_friction=FRICTION, dynamic_friction=FRICTION)
            plates += [world.add_collider(shape="box", half_extents=PLATE, position=(x, 0.5, 0),
                                          static_friction=FRICTION, dynamic_friction=FRICTION) for x in (-1, 1)]
        rest = cubes[0].read_positions()
        middle = (rest.min(axis=0) + rest.max(axis=0)) / 2
        self.middle, self.mass = middle, cubes[0].mass
        self.whole = self.batch.particles(cubes, numpy.arange(len(rest)))
        self.left = self.batch.particles(cubes, numpy.flatnonzero(rest[:, 0] < rest[:, 0].min() + 1e-4))
        self.plates = self.batch.colliders(plates).reshape(worlds, 2)
        self.worlds = worlds
        self.place(-0.005, 0)
        self.batch.step(DT)
        self.batch.keep()

    def place(self, squeeze, lift):
        """Tells the plates where to go: so far into the cube's sides [m], and so far up [m]."""
        at = numpy.empty((self.worlds, 2, 3))
        for plate, side in enumerate((-1, 1)):
            at[:, plate, 0] = self.middle[0] + side * (SIDE / 2 + PLATE[0] - squeeze)
            at[:, plate, 1] = self.middle[1] - SIDE / 2 + PLATE[1] + 0.005 + lift
            at[:, plate, 2] = self.middle[2]
        self.batch.move_colliders(self.plates, at)

    def run(self, squeeze, duration):
        """One try in each world. Returns whether the cube is held, its elastic energy [J], and how hard a plate presses
        it [N]."""
        self.batch.reset()
        open_by = 0.005  # [m] before they close
        for frame in range(CLOSE + LIFT + HOLD):
            closed = min((frame + 1) / CLOSE, 1)
            risen = numpy.clip((frame + 1 - CLOSE) * DT / duration, 0, 1)
            self.place(closed * (squeeze + open_by) - open_by, HEIGHT * risen * risen * (3 - 2 * risen))
            self.batch.step(DT)
        rise = self.batch.gather("position", self.whole)[:, :, 1].mean(axis=1) - self.middle[1]
        press = self.batch.gather("contact_force", self.left)[:, :, 0].sum(axis=1)
        return rise > 0.9 * HEIGHT, self.batch.read_energies()["elastic"], press


def search(grips, seed=1, rounds=2):
    """The best grip that was found: squeeze [m], duration [s], energy [J] and press [N]; None: none holds."""
    random, low, high, best = numpy.random.default_rng(seed), LOW, HIGH, None
    for _ in range(rounds):
        tries = random.uniform(low, high, (grips.worlds, 2))
        held, energy, press = grips.run(*tries.T)
        cost = numpy.where(held, energy + HURRY * tries[:, 1], numpy.inf)
        first = cost.argmin()
        if not held[first]:
            continue
        if best is None or cost[first] < best[0]:
            best = cost[first], (*tries[first], energy[first], press[first])
        good = tries[numpy.argsort(cost)[:max(4, grips.worlds // 50)]]  # the next round is around these
        spread = 0.05 * (HIGH - LOW)
        low, high = numpy.maximum(good.min(axis=0) - spread, LOW), numpy.minimum(good.max(axis=0) + spread, HIGH)
    return best and best[1]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--worlds", type=int, default=1024)
    options.add_argument("--threads", type=int, default=0)
    options.add_argument("--backend", default="cpu", choices=("cpu", "cuda", "auto"))
    given = options.parse_args()
    start = time.perf_counter()
    grips = Grips(given.worlds, given.threads, given.backend)
    made = time.perf_counter()
    found = search(grips)
    end = time.perf_counter()
    print(f"{given.worlds} worlds made in {made - start:.1f} s, 2 rounds of {CLOSE + LIFT + HOLD} frames in "
          f"{end - made:.1f} s")
    if found is None:
        print("no grip holds the cube")
        return
    squeeze, duration, energy, press = found
    print(f"close by {1000 * squeeze:.2f} mm and lift in {duration:.2f} s: {press:.1f} N, {1000 * energy:.1f} mJ")
    print(f"to hold the cube friction alone asks for {grips.mass * 9.81 / (2 * FRICTION):.1f} N")


if __name__ == "__main__":
    main()
