"""Arrays that are memory of the library, here or on a GPU."""

import ctypes

import numpy


class Memory:
    """A place in memory that its owner keeps alive, in the words of NumPy."""

    def __init__(self, address, dtype, shape, owner, strides=None, writeable=False):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "typestr": numpy.dtype(dtype).str, "shape": tuple(shape), "strides": strides,
            "data": (address, not writeable),
        }


def array_at(address, dtype, shape, owner, strides=None, writeable=False):
    """An array over memory of C. It keeps the owner alive."""
    if 0 in shape or not address:
        return numpy.empty(shape, dtype)
    return numpy.asarray(Memory(address, dtype, shape, owner, strides, writeable))


# ---- DLPack: how libraries for GPUs hand memory to each other ---------------------------------------------------

CPU, CUDA = 1, 2


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]
_lent = {}  # what others hold, by address


@_Deleter
def _take_back(managed):
    _lent.pop(ctypes.addressof(managed.contents), None)


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


@_Destructor
def _drop_capsule(capsule):
    # Whoever takes the memory over renames the capsule.
    if _is_capsule(capsule, b"dltensor"):
        _lent.pop(_pointer_of(capsule, b"dltensor"), None)


def _lend(array):
    managed = _Managed()
    count = len(array.shape)
    shape = (ctypes.c_int64 * count)(*array.shape)
    strides = (ctypes.c_int64 * count)(*(s // array.dtype.itemsize for s in array.strides))
    managed.tensor = _Tensor(array.address, array.device, 0, count, 0 if array.dtype.kind == "i" else 2,
                             8 * array.dtype.itemsize, 1, shape, strides, 0)
    managed.deleter = _take_back
    _lent[ctypes.addressof(managed)] = (managed, shape, strides, array)
    return _new_capsule(ctypes.addressof(managed), b"dltensor", ctypes.cast(_drop_capsule, ctypes.c_void_p))


class DeviceArray:
    """Memory on a GPU, for CuPy, PyTorch, Warp, JAX and others:
    `cupy.asarray(a)`, `torch.from_dlpack(a)`, `warp.from_dlpack(a)`. Nothing is copied."""

    device = CUDA

    def __init__(self, address, dtype, shape, strides, owner, stream=None, wait=None):
        self.address, self.dtype, self.shape, self.strides = address, numpy.dtype(dtype), tuple(shape), tuple(strides)
        self.owner, self.stream, self._wait = owner, stream, wait

    @property
    def __cuda_array_interface__(self):
        if self.device != CUDA:
            raise AttributeError("__cuda_array_interface__: this memory is not on a GPU")
        return {"version": 3, "typestr": self.dtype.str, "shape": self.shape, "strides": self.strides,
                "data": (self.address, False), "stream": self.stream or 1}

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, stream=None, **_):
        """Waits for the steps before it, so that the stream of whoever asks need not."""
        if self._wait:
            self._wait()
        return _lend(self)

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, address={self.address:#x})"
