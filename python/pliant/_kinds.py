"""The classes of the package by name, for modules that come before them."""

_kinds = {}


def register(cls):
    _kinds[cls.__name__] = cls
    return cls


def kind(name):
    return _kinds[name]


def wrap(name, pointer):
    """An object that owns what C has made."""
    return _kinds[name]._own(pointer)
