"""Structs of C as Python sees them: keywords, arrays that are the struct's memory, enums by name, and no misspelled
members."""

import ctypes
import difflib
import operator
import os
import threading

import numpy

_numbers = {
    ctypes.c_double: numpy.float64, ctypes.c_float: numpy.float32, ctypes.c_int: numpy.int32,
    ctypes.c_uint: numpy.uint32, ctypes.c_bool: numpy.bool_, ctypes.c_uint8: numpy.uint8,
    ctypes.c_int64: numpy.int64, ctypes.c_uint64: numpy.uint64,
}


def whole(value, kind, name):
    """An integer that fits the type of C: ctypes itself would cut it off."""
    number = operator.index(value)
    if kind(number).value != number:
        raise OverflowError(f"{name}: {number} does not fit")
    return number


def choose(kind, value, name=""):
    """A value of an enum from itself, its number, or its name in any case."""
    if isinstance(value, str):
        found = kind.__members__.get(value.upper())
        if found is None:
            words = ", ".join(m.name.lower() for m in kind)
            raise ValueError(f"{name or kind.__name__}: '{value}' is none of {words}")
        return found
    return kind(operator.index(value))


def nearest(name, names):
    found = difflib.get_close_matches(name, names, 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def root_of(struct):
    """The struct that owns the memory: what pointers in it need is kept there."""
    while struct._b_base_ is not None:
        struct = struct._b_base_
    return struct


class _Base(ctypes.Structure):
    @property
    def _keep(self):
        root = root_of(self)
        if "_kept" not in root.__dict__:
            root.__dict__["_kept"] = {}
        return root.__dict__["_kept"]


class Vector(_Base):
    """A few numbers: an array wherever Python sees it."""

    def __iter__(self):
        return iter([getattr(self, name) for name, _ in self._fields_])

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{v:g}' for v in self)})"


class Id(_Base):
    """An index and a generation. The null id is false."""

    def __bool__(self):
        return self.index1 != 0

    def __eq__(self, other):
        return type(self) is type(other) and (self.index1, self.generation) == (other.index1, other.generation)

    def __hash__(self):
        return hash((type(self).__name__, self.index1, self.generation))

    def __repr__(self):
        return f"{type(self).__name__}({self.index1}, {self.generation})"


class Struct(_Base):
    """A struct with members by keyword. A definition has its defaults where nothing is given."""

    _enums_ = {}
    _defaults_ = ""

    def __init__(self, **members):
        super().__init__()
        if self._defaults_:
            from . import c
            function, *path = self._defaults_.split(".")
            made = getattr(c, function)()
            for name in path:
                made = getattr(made, name)
            ctypes.memmove(ctypes.byref(self), ctypes.byref(made), ctypes.sizeof(self))
        self.set(**members)

    def set(self, **members):
        """Several members at once; returns the struct."""
        for name, value in members.items():
            setattr(self, name, value)
        return self

    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            names = [n for n, _ in self._fields_]
            raise AttributeError(f"{type(self).__name__} has no member '{name}'{nearest(name, names)}")
        object.__setattr__(self, name, value)

    def to_dict(self):
        """All members but pointers, those of structs inside as dicts."""
        made = {}
        for name, kind in self._fields_:
            if name == "cookie" or _is_pointer(kind):
                continue
            value = getattr(self, name)
            made[name] = value.to_dict() if isinstance(value, Struct) else value
        return made

    def __repr__(self):
        parts = []
        for name, kind in self._fields_:
            if name != "cookie" and not _is_pointer(kind):
                value = getattr(self, name)
                parts.append(f"{name}={value.tolist() if isinstance(value, numpy.ndarray) else value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


def members(cls):
    """Of a struct that has its fields: properties in place of what ctypes has."""
    for name, kind in cls._fields_:
        setattr(cls, name, _member(cls, name, kind))
    return cls


def _is_pointer(kind):
    return kind in (ctypes.c_void_p, ctypes.c_char_p) or issubclass(kind, (ctypes._Pointer, ctypes._CFuncPtr))


def numbers_of(kind):
    """The NumPy type and the shape of an array of numbers, or of a vector; None for all else."""
    if issubclass(kind, Vector):
        return numpy.float32, (len(kind._fields_),)
    shape = []
    while issubclass(kind, ctypes.Array):
        shape.append(kind._length_)
        kind = kind._type_
    return (_numbers[kind], tuple(shape)) if shape and kind in _numbers else None


def checked_array(value, dtype, shape, name):
    """A copy of numbers of this shape, None standing for any length, or an exception that says what it has to be."""
    given = numpy.asarray(value)
    if given.dtype.kind not in "biuf" and given.size:
        raise TypeError(f"{name}: numbers are needed, not {given.dtype}")
    fits = given.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, given.shape))
    if not fits:
        wanted = " x ".join("n" if n is None else str(n) for n in shape)
        raise ValueError(f"{name}: an array of {wanted} numbers is needed, not of {' x '.join(map(str, given.shape))}")
    dtype = numpy.dtype(dtype)
    if dtype.kind in "iu" and given.size:
        if given.dtype.kind == "f":
            raise TypeError(f"{name}: whole numbers are needed, not {given.dtype}")
        info = numpy.iinfo(dtype)
        if given.min() < info.min or given.max() > info.max:
            raise OverflowError(f"{name}: a number does not fit {dtype}")
    with numpy.errstate(over="ignore"):
        return numpy.ascontiguousarray(given, dtype)


def _member(cls, name, kind):
    """A property over the member's memory."""
    raw = cls.__dict__[name]
    enum = cls._enums_.get(name)
    numbers = numbers_of(kind)

    def keep(self, value):
        # By place, since structs inside of others come and go as objects.
        self._keep[(ctypes.addressof(self) - ctypes.addressof(root_of(self)) + raw.offset)] = value

    if numbers:
        dtype, shape = numbers

        def get(self):
            memory = raw.__get__(self, type(self))
            flat = numpy.frombuffer(memory, dtype)
            return flat.reshape(shape)

        def set(self, value):
            get(self)[...] = checked_array(value, dtype, shape, name)
    elif enum:
        def get(self):
            value = raw.__get__(self, type(self))
            return enum(value) if value in enum._value2member_map_ else value

        def set(self, value):
            raw.__set__(self, int(choose(enum, value, name)))
    elif issubclass(kind, Struct):
        def get(self):
            return raw.__get__(self, type(self))

        def set(self, value):
            if isinstance(value, dict):
                raw.__get__(self, type(self)).set(**value)
            elif isinstance(value, kind):
                raw.__set__(self, value)
            else:
                raise TypeError(f"{name}: a {kind.__name__} or a dict is needed, not {type(value).__name__}")
    elif issubclass(kind, Id):
        def get(self):
            return kind(*(getattr(raw.__get__(self, type(self)), n) for n in ("index1", "generation")))

        def set(self, value):
            raw.__set__(self, id_of(value, kind, name))
    elif issubclass(kind, ctypes._CFuncPtr):
        def get(self):
            return self._keep.get((ctypes.addressof(self) - ctypes.addressof(root_of(self)) + raw.offset))

        def set(self, value):
            made = value if value is None or isinstance(value, kind) else callback(kind, value, name)
            raw.__set__(self, made if made is not None else kind())
            keep(self, made)
    elif kind is ctypes.c_char_p:
        def get(self):
            found = raw.__get__(self, type(self))
            return None if found is None else found.decode(errors="replace")

        def set(self, value):
            if value is not None and not isinstance(value, (str, os.PathLike)):
                raise TypeError(f"{name}: text is needed, not {type(value).__name__}")
            made = None if value is None else os.fsencode(value)
            if made is not None and b"\0" in made:
                raise ValueError(f"{name}: a zero byte is in it")
            raw.__set__(self, made)
            keep(self, made)
    elif _is_pointer(kind):
        get, set = _pointer(raw, kind, name, keep)
    elif issubclass(kind, ctypes.Array):
        if kind._type_ is ctypes.c_char:
            def get(self):
                return raw.__get__(self, type(self)).decode(errors="replace")
        else:
            def get(self):
                return list(raw.__get__(self, type(self)))

        def set(self, value):
            there = raw.__get__(self, type(self))
            if len(value) != len(there):
                raise ValueError(f"{name}: {len(there)} are needed, not {len(value)}")
            for i, item in enumerate(value):
                if isinstance(item, dict):
                    there[i].set(**item)
                elif isinstance(item, kind._type_):
                    there[i] = item
                else:
                    raise TypeError(f"{name}: {kind._type_.__name__}s are needed, not {type(item).__name__}")
    else:
        def get(self):
            return raw.__get__(self, type(self))

        def set(self, value):
            if kind is ctypes.c_bool:
                raw.__set__(self, truth(value, name))
            elif kind in (ctypes.c_double, ctypes.c_float):
                raw.__set__(self, number(value, name))
            else:
                raw.__set__(self, whole(value, kind, name))
    return property(get, set, doc=None)


def truth(value, name=""):
    if isinstance(value, (bool, numpy.bool_)) or value in (0, 1):
        return bool(value)
    raise TypeError(f"{name}: True or False is needed, not {value!r}")


def number(value, name=""):
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: a number is needed, not {value!r}")
    try:
        return float(value)
    except TypeError:
        raise TypeError(f"{name}: a number is needed, not {type(value).__name__}") from None


def id_of(value, kind, name=""):
    """An id from one, from what carries one (a Body), or from an entry of an array of records."""
    value = getattr(value, "id", value)
    if value is None:
        return kind()
    if isinstance(value, numpy.void) and value.dtype.names == ("index1", "generation"):
        return kind(int(value["index1"]), int(value["generation"]))
    if not isinstance(value, kind):
        raise TypeError(f"{name}: a {kind.__name__} is needed, not {type(value).__name__}")
    return value


def _pointer(raw, kind, name, keep):
    """Members that point elsewhere: objects of the package, arrays, or None."""
    def get(self):
        return raw.__get__(self, type(self))

    def set(self, value):
        if value is None:
            raw.__set__(self, None)
            keep(self, None)
            return
        handle = getattr(value, "_handle_", None)
        if handle is not None:  # a mesh and so on
            pointer = handle.pointer
            if not isinstance(pointer, kind):
                raise TypeError(f"{name}: a {type(value).__name__} does not go here")
            raw.__set__(self, pointer)
            keep(self, handle)
            return
        if kind is ctypes.c_void_p:
            raise TypeError(f"{name}: an address cannot be set here")
        item = kind._type_
        if isinstance(value, ctypes.Array) and value._type_ is item:
            made = value
        elif item in _numbers:
            made = checked_array(value, _numbers[item], (None,), name)
            if made is value:
                made = made.copy()  # a list of one's own: the caller may change his
            raw.__set__(self, made.ctypes.data_as(kind))
            keep(self, made)
            _count(self, name, made)
            return
        elif issubclass(item, Id):
            made = (item * max(len(value), 1))(*(id_of(v, item, name) for v in value))
        elif issubclass(item, Struct):
            made = (item * max(len(value), 1))(*(v if isinstance(v, item) else item(**v) for v in value))
        else:
            raise TypeError(f"{name}: {type(value).__name__} does not go here")
        raw.__set__(self, ctypes.cast(made, kind))
        keep(self, made)
        _count(self, name, value)

    return get, set


def _count(struct, name, value):
    counter = _counters.get(name)
    if counter and hasattr(type(struct), counter):
        setattr(struct, counter, len(value))


# Lists and the members that count them.
_counters = {"materials": "material_count", "anchors": "anchor_count", "bodies": "body_count", "normals": "normal_count"}

# An exception in a callback ends the call that it is in, where C asks for that, and comes out behind it.
pending = threading.local()


def callback(kind, function, name):
    """A Python function for C, without the last argument, the context. False from it, or an exception, ends the
    work."""
    if not callable(function):
        raise TypeError(f"{name}: a function is needed, not {type(function).__name__}")
    asked = kind._restype_ is ctypes.c_bool

    def call(*arguments):
        try:
            result = function(*arguments[:-1])
            return (result is None or bool(result)) if asked else None
        except BaseException as problem:
            pending.problem = problem
            return False if asked else None

    return kind(call)
