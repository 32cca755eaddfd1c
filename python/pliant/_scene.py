"""Scenes: what `pliant run` runs, step by step."""

import ctypes
import json
import os
import threading

import numpy

from . import _methods, c
from ._call import Handle, Owner, attempt, do, struct, text
from ._kinds import register
from ._world import Facts, World, draw


@register
class Scene(_methods.SceneMethods, Owner):
    """A scene that runs: bodies, colliders, joints, and what moves them.

        scene = pliant.Scene("drop")                        # of the program, a .json, a model, or a dict
        for frame in scene.run():
            print(scene.world.energies().elastic)
    """

    _destroy = c.pliant_scene_destroy

    def __init__(self, source, definition=None, folder=".", **members):
        """`source`: the path of a scene file or a model, the name of a scene of the program, or a dict with the keys of
        a scene file (docs/scene-reference.md), whose meshes are looked for in `folder`. `changes`: a dict of keys and
        values, as of `pliant run --set`; `tets`, `threads`, `substeps` and so on as SceneDef has them."""
        if isinstance(members.get("changes"), dict):
            members["changes"] = "; ".join(f"{k}={json.dumps(v)}" for k, v in members["changes"].items())
        if isinstance(members.get("backend"), str):
            members["backend"] = c.Backend[members["backend"].upper()]
        made = struct(definition, c.SceneDef, "definition", members)
        out = ctypes.POINTER(c.Scene)()
        if isinstance(source, dict):
            data = json.dumps(source, default=_plain).encode()
            name = text(os.path.join(os.fspath(folder), "scene.json"), "folder")
            attempt(c.pliant_scene_parse, data, len(data), name, ctypes.byref(made), ctypes.byref(out))
        else:
            attempt(c.pliant_scene_open, text(source, "source"), ctypes.byref(made), ctypes.byref(out))
        self._handle = Handle(out, self._destroy)
        self._facts = Facts(threading.RLock())
        self._facts.of_scene = True

    def _do(self, function, *arguments):
        with self._facts.lock:
            return do(function, *arguments)

    def _attempt(self, function, *arguments):
        with self._facts.lock:
            attempt(function, *arguments)

    @property
    def world(self) -> World:
        """Its world. Everything may be read and written; what the scene made stays in it."""
        return World._borrow(self._do(c.pliant_scene_world, self._handle_), self._handle_, self._facts)

    def run(self, frames=None):
        """Steps the scene, and gives the number of each frame, from 1: as many as the scene has, or `frames`."""
        for frame in range(1, (self.frames if frames is None else frames) + 1):
            self.step()
            yield frame

    def picture(self, definition=None, **members) -> numpy.ndarray:
        """What is there now, drawn: height x width x 3 bytes of red, green, blue; by the scene's own camera where
        nothing is given. `width`, `height` [pixels], `by="stress"` and so on, as PictureDef has them."""
        if definition is None and not members:
            width, height = ctypes.c_int(), ctypes.c_int()
            self._do(c.pliant_scene_picture_size, self._handle_, ctypes.byref(width), ctypes.byref(height))
            made, size = None, (width.value, height.value)
        else:
            made = struct(definition, c.PictureDef, "definition", members)
            size = made.width, made.height
        return draw(lambda *to: self._attempt(c.pliant_scene_draw, self._handle_, *to), made, *size)

    def close(self):
        """Ends the scene with its world. Memory that arrays still look at goes with the last of them."""
        with self._facts.lock:
            self._handle = None

    def __repr__(self):
        return "Scene(closed)" if self.closed else f"Scene({self.description!r}, {self.world!r})"


def _plain(value):
    """Numbers and arrays of NumPy in a dict."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.tolist()
    raise TypeError(f"a scene has no place for a {type(value).__name__}")
