"""Thousands of random calls, with arguments that fit and arguments that do not: exceptions, never a crash. The stage
`python` of the tests runs it under the address sanitizer."""

import gc
import inspect
import os
import random
import unittest

import numpy
import pliant

CALLS = int(os.environ.get("PLIANT_CALLS", "2000"))
WORLDS = int(os.environ.get("PLIANT_WORLDS", "1000"))
SEED = int(os.environ.get("PLIANT_SEED", "1"))
KINDS = (pliant.Mesh, pliant.Asset, pliant.World, pliant.Body, pliant.Collider, pliant.Attachment, pliant.Joint,
         pliant.Skin, pliant.Batch, pliant.View, pliant.StateView)
# Not called: they write files, end the test's own objects too often, or take minutes for good reasons.
LEFT_OUT = {"save", "load", "from_meshio", "to_meshio", "register", "picture"}


class Caller:
    def __init__(self, seed):
        self.random = random.Random(seed)
        mesh = pliant.Mesh.generate("sphere:0.3:2")
        self.meshes = [mesh, pliant.Mesh.generate("cloth:3x3:1x1"), pliant.Mesh.generate("rope:1:4")]
        self.assets = [pliant.Asset(m) for m in self.meshes] + [pliant.Asset(mesh, rigid=True)]
        self.pool = []
        self.begin()

    def begin(self):
        """A world, a batch and what is in them."""
        world = pliant.World(threads=1, substeps=2, history=2)
        bodies = [world.add_body(a, position=(i, 1, 0)) for i, a in enumerate(self.assets)]
        floor = world.add_collider(measure_force=True)
        box = world.add_collider(shape="box", half_extents=(1, 0.1, 1), position=(0, 0.2, 0))
        spring = bodies[0].attach(0, (0, 2, 0), 1e-3)
        joint = world.add_joint(point=[dict(body=bodies[0], count=1, particle=[1, 0, 0, 0], share=[1, 0, 0, 0]),
                                       dict(body=bodies[1], count=1, particle=[0] * 4, share=[1, 0, 0, 0])],
                                compliance=1e-3)
        skin = pliant.Skin(world, self.meshes[0].boundary()[0], bodies[0])
        batch = pliant.Batch(threads=1, substeps=2)
        for _ in range(3):
            batch.add().add_body(self.assets[0])
        self.pool += [world, *bodies, floor, box, spring, joint, skin, batch, batch[0], *self.meshes[:2],
                      self.assets[0], bodies[0].view_positions(), bodies[1].view_state()]

    # ---- arguments

    def number(self):
        return self.random.choice([0, 1, -1, 2, 3, 7, 0.5, 1e-3, -0.25, 1e9, -1e30, 3e38, 1e300, float("nan"),
                                   float("inf"), 2**31 - 1, 2**31, -2**31, 2**63, True])

    def array(self):
        shape = self.random.choice([(3,), (4,), (2,), (0,), (1, 3), (5, 3), (14, 3), (0, 3), (3, 3), (5, 4), ()])
        dtype = self.random.choice([numpy.float32, numpy.float64, numpy.int32, numpy.int64, numpy.bool_, numpy.complex64])
        made = numpy.asarray(numpy.random.RandomState(self.random.randrange(2**31)).randn(*shape)).astype(dtype)
        if made.size and self.random.random() < 0.1 and made.dtype.kind == "f":
            made.flat[0] = self.random.choice([numpy.nan, numpy.inf, 1e38])
        return made

    def garbage(self):
        return self.random.choice([None, "", "text", b"bytes", b"\0" * 100, [], {}, {"young": 1}, object(), (1, 2, 3), [[]],
                                   {"position": (0, 1, 0)}, pliant.BodyId(3, 9), pliant.SoftDef(), pliant.Region(),
                                   lambda *_: None])

    def fitting(self, name):
        """Something that may be meant by an argument of this name."""
        by_name = {
            "dt": lambda: self.random.choice([0, 1e-3, 1 / 60, 0.1]), "steps": lambda: self.random.randrange(4),
            "particle": lambda: self.random.randrange(-1, 16), "mesh": lambda: self.random.choice(self.meshes),
            "asset": lambda: self.random.choice(self.assets), "what": lambda: self.random.choice(["position", "velocity"]),
            "rotation": lambda: (0, 0, 0, 1), "snapshot": lambda: self.snapshot(), "data": lambda: self.snapshot(),
            "compliance": lambda: 1e-3, "axes": lambda: self.random.randrange(9), "words": lambda: "sphere:0.2:2",
            "region": lambda: dict(max=(9, 9, 9)), "threads": lambda: 1, "out": lambda: None,
        }
        if name in by_name:
            return by_name[name]()
        if name in ("other", "body", "id"):
            return self.random.choice(self.of(pliant.Body) or [None])
        return self.random.choice([(0.1, 0.2, 0.3), 1, 0.5, True, numpy.zeros((14, 3))])

    def snapshot(self):
        for world in self.of(pliant.World):
            if not world.closed:
                made = bytearray(world.snapshot())
                if self.random.random() < 0.5:
                    made[self.random.randrange(len(made))] ^= 1 << self.random.randrange(8)
                return bytes(made)
        return b""

    def of(self, kind):
        return [o for o in self.pool if isinstance(o, kind)]

    def argument(self, name):
        return self.random.choice([self.fitting] * 4 + [lambda _: self.number(), lambda _: self.array(),
                                                        lambda _: self.garbage(),
                                                        lambda _: self.random.choice(self.pool)])(name)

    # ---- calls

    def call(self):
        thing = self.random.choice(self.pool)
        kind = type(thing)
        names = [n for n in dir(kind) if not n.startswith("_") and n not in LEFT_OUT]
        if self.random.random() < 0.02:
            return self.make(self.random.choice(KINDS[:5]))
        name = self.random.choice(names)
        if self.random.random() < {"close": 0.8, "remove": 0.5}.get(name, 0):
            return None
        found = getattr(thing, name)
        if not callable(found):
            return found
        signature = inspect.signature(found)
        arguments = [self.argument(p.name) for p in signature.parameters.values()
                     if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and
                     (p.default is p.empty or self.random.random() < 0.3)]
        if kind is pliant.Mesh and any(isinstance(a, (int, float)) and abs(a) > 100 for a in arguments):
            return None  # millions of tets take minutes, and are none of the package's business
        if name == "tetrahedralize":
            return found(tets=50, threads=1)
        if name == "fill":
            return found(spacing=0.2, threads=1)
        return found(*arguments)

    def make(self, kind):
        if kind is pliant.World:
            return kind(threads=1, substeps=2)
        return kind(*[self.argument(n) for n in ("mesh", "asset")][:self.random.randrange(3)])

    def keep(self, made):
        """What came of it may be used by later calls."""
        made = made[0] if isinstance(made, (list, tuple)) and len(made) else made
        if isinstance(made, KINDS) and len(self.pool) < 120:
            self.pool.append(made)
        if len(self.pool) > 100 or self.random.random() < 0.003:
            self.random.shuffle(self.pool)
            del self.pool[self.random.randrange(len(self.pool)):]
            gc.collect()
            self.begin()


class Calls(unittest.TestCase):
    def test_random_calls_return_or_raise(self):
        pliant.set_log(None)
        caller = Caller(SEED)
        good, refused = 0, {}
        for _ in range(CALLS):
            try:
                caller.keep(caller.call())
                good += 1
            except (pliant.Error, TypeError, ValueError, OverflowError, AttributeError, IndexError, MemoryError) as problem:
                refused[type(problem).__name__] = refused.get(type(problem).__name__, 0) + 1
        print(f"{CALLS} random calls: {good} good, refused {refused}")
        # Most of both kinds, else the calls were no good.
        self.assertGreater(good, CALLS // 4)
        self.assertGreater(sum(refused.values()), CALLS // 8)
        for name in ("TypeError", "Misuse", "Stale", "Closed", "InUse"):
            self.assertIn(name, refused)


class Leaks(unittest.TestCase):
    def test_worlds_that_are_made_and_dropped_leave_nothing(self):
        asset = pliant.Asset(pliant.Mesh.generate("sphere:0.3:2"))

        def live():
            world = pliant.World(threads=1, substeps=1)
            body = world.add_body(asset)
            body.user_data = body  # a circle of references
            view = body.view_positions()
            world.add_collider(shape="convex", mesh=asset.mesh)
            world.step(1e-3)
            return view

        live()
        gc.collect()
        before = pliant.allocated_bytes()
        for i in range(WORLDS):
            live()
            if i % 2:
                pliant.Batch(threads=1).add().add_body(asset)
        gc.collect()
        self.assertEqual(pliant.allocated_bytes(), before)

    def test_what_goes_in_any_order_leaves_nothing(self):
        gc.collect()
        before = pliant.allocated_bytes()
        chance = random.Random(2)
        for _ in range(min(100, WORLDS)):
            mesh = pliant.Mesh.generate("sphere:0.3:2")
            world = pliant.World(threads=1)
            body = world.add_soft(mesh)
            skin = pliant.Skin(world, mesh.boundary()[0], body)
            batch = pliant.Batch(threads=1)
            things = [mesh, world, body, skin, batch, batch.add(), body.view_positions().memory, skin.positions,
                      mesh.vertices, body.asset, body.asset.mesh]
            things.append(things)  # the collector of circles has to find them
            chance.shuffle(things)
            del mesh, world, body, skin, batch
            while len(things) > chance.randrange(8):
                things.pop()
                if not things:
                    break
            del things
            gc.collect()
        self.assertEqual(pliant.allocated_bytes(), before)


if __name__ == "__main__":
    unittest.main()
