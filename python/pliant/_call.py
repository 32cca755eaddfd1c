"""Calls of the library: results become exceptions, misuse never ends the process, and what is alive stays so."""

import ctypes
import logging
import os
import threading

import numpy

from . import c
from ._struct import Struct, callback, checked_array, choose, id_of, nearest, number, pending, truth, whole

log = logging.getLogger("pliant")


class Error(Exception):
    """What the library could not do, in its own sentence. `result` says of which kind it is."""

    result = c.Result.ERROR_ARGUMENT


class ArgumentError(Error, ValueError):
    """A definition or an array that cannot be used."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    result = c.Result.ERROR_FILE


class FormatError(Error, ValueError):
    """A file is not what it claims to be."""

    result = c.Result.ERROR_FORMAT


class OutOfMemory(Error, MemoryError):
    """The allocator has no more memory."""

    result = c.Result.ERROR_MEMORY


class Diverged(Error, ArithmeticError):
    """A body became NaN or infinite during a step. It is frozen, and the others have gone on."""

    result = c.Result.ERROR_DIVERGED


class Unsupported(Error, NotImplementedError):
    """Valid, but not something this build or machine can do."""

    result = c.Result.ERROR_UNSUPPORTED


class DeviceError(Error, RuntimeError):
    """The GPU or its driver failed."""

    result = c.Result.ERROR_DEVICE


class Canceled(Error):
    """The progress callback returned False."""

    result = c.Result.ERROR_CANCELED


class Misuse(Error, ValueError):
    """An argument that C does not allow: an index out of range, a number that is NaN or infinite."""


class Stale(Misuse, ReferenceError):
    """A body, collider, attachment or joint that its world no longer has."""


class Closed(Misuse, ReferenceError):
    """A world, a mesh and so on that has been closed."""


class InUse(Error, BufferError):
    """Arrays that are the memory of a body are alive, and the body would go."""


_kinds = {k.result: k for k in (ArgumentError, FileError, FormatError, OutOfMemory, Diverged, Unsupported, DeviceError,
                                Canceled)}

_misused = threading.local()


def _on_misuse(condition, file, line, context):
    _misused.text = f"{condition.decode(errors='replace')} does not hold ({file.decode(errors='replace')}:{line})"


def _on_warning(text, context):
    log.warning("%s", text.decode(errors="replace"))


# Kept for as long as the library may call them.
_assert_hook = c.AssertFn(_on_misuse)
_log_hook = c.LogFn(_on_warning)
c.pliant_set_assert(_assert_hook, None)
c.pliant_set_log(_log_hook, None)


def set_log(function):
    """Warnings go to function(text) instead of the logger "pliant"; None: nowhere."""
    global _log_hook
    if function is not None and not callable(function):
        raise TypeError(f"a function is needed, not {type(function).__name__}")
    hook = c.LogFn() if function is None else c.LogFn(lambda text, _: function(text.decode(errors="replace")))
    c.pliant_set_log(hook, None)
    _log_hook = hook


def look_for_misuse(function):
    text = getattr(_misused, "text", None)
    if text:
        _misused.text = None
        raise Misuse(f"{function.__name__}: {text}")
    problem = getattr(pending, "problem", None)
    if problem is not None:
        pending.problem = None
        raise problem


def do(function, *arguments):
    """Calls it and returns what it returns; misuse is an exception."""
    result = function(*arguments)
    look_for_misuse(function)
    return result


def attempt(function, *arguments):
    """Calls a function that returns a result, which becomes an exception."""
    result = function(*arguments)
    look_for_misuse(function)
    if result:
        text = c.pliant_error_text().decode(errors="replace")
        kind = _kinds.get(result, Error)
        raise kind(text or f"{function.__name__}: {c.pliant_result_name(result).decode()}")


# ---- what is alive ----------------------------------------------------------------------------------------------


class Token:
    """A thing of C and how it ends. What must end before it ends first, in whatever order Python lets go of them."""

    __slots__ = ("pointer", "destroy", "children")

    def __init__(self, pointer, destroy):
        self.pointer, self.destroy, self.children = pointer, destroy, set()

    def end(self):
        for child in list(self.children):
            child.end()
        self.children.clear()
        pointer, self.pointer = self.pointer, None
        if pointer is not None and self.destroy is not None:
            self.destroy(pointer)


class Handle:
    """Owns a thing of C, together with all others that use it; goes with the last of them. Without a `destroy` the
    thing belongs to its parent."""

    def __init__(self, pointer, destroy, parents=()):
        self.token = Token(pointer, destroy)
        self.parents = tuple(parents)
        for parent in self.parents:
            parent.token.children.add(self.token)

    @property
    def pointer(self):
        if self.token.pointer is None:
            raise Closed("what this belongs to has ended")
        return self.token.pointer

    @property
    def _as_parameter_(self):
        return self.pointer

    def __del__(self):
        for parent in self.parents:
            parent.token.children.discard(self.token)
        self.token.end()


class Owner:
    """An object of the package that stands for a thing of C."""

    _handle = None
    _kind = None  # of c
    _destroy = None

    @property
    def _handle_(self):
        handle = self._handle
        if handle is None:
            raise Closed(f"this {type(self).__name__} has been closed")
        return handle

    @classmethod
    def _own(cls, pointer, parents=(), owned=True):
        made = cls.__new__(cls)
        made._handle = Handle(pointer, cls._destroy if owned else None, parents)
        return made

    def _do(self, function, *arguments):
        return do(function, *arguments)

    def _attempt(self, function, *arguments):
        attempt(function, *arguments)

    def close(self):
        """Lets go of it now. Memory that arrays still look at goes with the last of them."""
        self._handle = None

    @property
    def closed(self):
        """Whether it has been closed: everything else is then an exception."""
        return self._handle is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def handle_of(value, kind, name):
    """What is handed to C for an object of the package."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: a {kind.__name__} is needed, not {type(value).__name__}")
    return value._handle_


# ---- arguments --------------------------------------------------------------------------------------------------


def text(value, name):
    """Words, or the path of a file."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: text is needed, not {type(value).__name__}")
    made = os.fsencode(value)
    if b"\0" in made:
        raise ValueError(f"{name}: a zero byte is in it")
    return made


def integer(value, kind, name):
    return whole(value, kind, name)


def fixed(value, dtype, shape, name):
    """A small array as C takes it: kept alive by the caller's frame."""
    return pointer_of(checked_array(value, dtype, shape, name), dtype)


_pointers = {numpy.dtype(k): ctypes.POINTER(v) for k, v in (
    ("f8", ctypes.c_double), ("f4", ctypes.c_float), ("i4", ctypes.c_int), ("u4", ctypes.c_uint32),
    ("u8", ctypes.c_uint64), ("?", ctypes.c_bool))}


def pointer_of(array, dtype=None):
    """To the memory of an array, which the pointer keeps alive."""
    return array.ctypes.data_as(_pointers[array.dtype])


def vec3(value, name):
    return c.Vec3(*checked_array(value, numpy.float32, (3,), name).tolist())


def quat(value, name):
    return c.Quat(*checked_array(value, numpy.float32, (4,), name).tolist())


def vectors(value, name, count=None):
    """Vectors of floats, one a row, for C; None is NULL."""
    return None if value is None else checked_array(value, numpy.float32, (count, 3), name)


def vector_pointer(array):
    if array is None:
        return None
    return ctypes.cast(pointer_of(array), ctypes.POINTER(c.Vec3))


def struct(value, kind, name, members=None):
    """A definition: itself, a dict, or its defaults, with more members by keyword."""
    if value is None:
        made = kind()
    elif isinstance(value, kind):
        made = value
        if members:
            made = kind.from_buffer_copy(value)
            made.__dict__["_kept"] = dict(value._keep)
    elif isinstance(value, dict):
        made = kind(**value)
    else:
        raise TypeError(f"{name}: a {kind.__name__} or a dict is needed, not {type(value).__name__}")
    if members:
        made.set(**members)
    return made


def structs(value, kind, name):
    """A list of structs, dicts or records as an array of C."""
    if isinstance(value, numpy.ndarray) and value.dtype == numpy.dtype(kind) and value.ndim == 1:
        return (kind * max(len(value), 1)).from_buffer_copy(value.tobytes() or bytes(ctypes.sizeof(kind))), len(value)
    items = [struct(v, kind, f"{name}[{i}]") for i, v in enumerate(value)]
    return (kind * max(len(items), 1))(*items), len(items)


def output(out, dtype, shape, name="out"):
    """Where an array is read into: a new one, or the caller's, if it fits."""
    if out is None:
        return numpy.empty(shape, dtype)
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"{name}: a NumPy array is needed, not {type(out).__name__}")
    if out.shape != tuple(shape) or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"{name}: a writable, contiguous array of {numpy.dtype(dtype).name} and the shape "
                         f"{tuple(shape)} is needed, not {out.dtype.name} and {out.shape}")
    return out


def records(call, kind, first=16):
    """All of a list that C writes: call(array, capacity) returns how many there are."""
    capacity = first
    while True:
        made = (kind * capacity)()
        count = call(made, capacity)
        if count < capacity:
            break
        capacity = max(2 * capacity, count + 1)
    array = numpy.frombuffer(bytes(made), numpy.dtype(kind))[:count].copy()
    return array.view(numpy.recarray)


def ids(call, kind):
    """Ids of a world, likewise."""
    capacity = 16
    while True:
        made = (kind * capacity)()
        count = call(made, capacity)
        if count < capacity:
            return [kind(made[i].index1, made[i].generation) for i in range(count)]
        capacity *= 4
