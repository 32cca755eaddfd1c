"""Writes pliant/c.py: the header's enums, structs and functions for ctypes, with their comments."""

import re

PLAIN = {
    "double": "C.c_double", "float": "C.c_float", "int": "C.c_int", "unsigned": "C.c_uint", "bool": "C.c_bool",
    "size_t": "C.c_size_t", "char": "C.c_char", "uint8_t": "C.c_uint8", "uint32_t": "C.c_uint32",
    "uint64_t": "C.c_uint64", "int32_t": "C.c_int32", "int64_t": "C.c_int64", "void": "None",
}
HINTS = {"double": "float", "float": "float", "bool": "bool", "char": "str", "void": "None"}

START = '''"""The C interface as it is in {headers}, for ctypes. Written by python/generate; not to be changed.

Names, arguments and rules are those of C: arrays are as long as the header says, and what is destroyed is not used
again. Functions return numbers (`Result`), not exceptions. The package itself keeps these rules for its users.
"""

import ctypes as C
from enum import IntEnum

from ._library import function as _function
from ._struct import Id, Struct, Vector, members

'''


def camel(name):
    """pliant_soft_def: SoftDef."""
    return "".join(w[:1].upper() + w[1:] for w in re.sub("^pliant_", "", name).split("_"))


def indent(text, by):
    return "\n".join(" " * by + line if line else "" for line in text.split("\n"))


def quote(doc, by):
    """A docstring, or nothing."""
    if not doc:
        return ""
    text = doc.replace("\\", "\\\\").replace('"""', "'''")
    if text.endswith('"'):
        text += " "
    return " " * by + '"""' + indent(text, by).lstrip() + '"""\n'


class Writer:
    """Types of the header as expressions of Python."""

    def __init__(self, header):
        self.header = header
        self.enums = {e.name: e for e in header.enums}
        self.structs = {s.name: s for s in header.structs}
        self.functions = {f.name: f for f in header.function_types}

    def base(self, name):
        if name in PLAIN:
            return PLAIN[name]
        if name in self.enums:
            return "C.c_int"
        if name in self.structs or name in self.header.opaque:
            return camel(name)
        if name in self.functions:
            return camel(name)
        raise ValueError(f"a type that the header does not declare: {name}")

    def type(self, t):
        """As a member, an argument or a result."""
        if t.base == "fn":
            return self.callback(t.function)
        stars = t.stars
        if t.base in self.functions:
            stars -= 1  # a pointer to a function is the type itself
        if t.base == "void" and stars:
            made, stars = "C.c_void_p", stars - 1
        elif t.base == "char" and stars:
            made, stars = "C.c_char_p", stars - 1
        else:
            made = self.base(t.base)
        for _ in range(stars):
            made = f"C.POINTER({made})"
        for size in reversed(t.dims):
            made = f"{made} * {size}" if " * " not in made else f"({made}) * {size}"
        return made

    def argument(self, t):
        """Arrays are handed over as pointers."""
        if t.dims:
            return f"C.POINTER({self.base(t.base)})"
        return self.type(t)

    def callback(self, f):
        return f"C.CFUNCTYPE({', '.join([self.type(f.result)] + [self.argument(p.type) for p in f.params])})"

    def hint(self, t):
        if t.base in self.enums:
            return camel(t.base)
        if t.base == "char" and (t.stars or t.dims):
            return "str"
        if t.base == "void" and t.stars:
            return "int | None"
        if t.dims or t.base in ("pliant_vec3", "pliant_quat"):
            return "numpy.ndarray" if t.base not in self.structs or t.base in ("pliant_vec3", "pliant_quat") else "list"
        if t.stars or t.base == "fn" or t.base in self.functions:
            return "object"
        return HINTS.get(t.base, "int" if t.base in PLAIN else camel(t.base))


def common_prefix(names):
    """What all values of an enum begin with, up to an underscore."""
    first, last = min(names), max(names)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    return first[:first[:shared].rfind("_") + 1]


def write_enum(out, enum):
    prefix = common_prefix([name for name, _, _ in enum.values])
    out.append(f"class {camel(enum.name)}(IntEnum):\n{quote(enum.doc or 'Values of ' + enum.name + '.', 4)}\n")
    for name, number, doc in enum.values:
        out.append(f"    {name[len(prefix):]} = {number}\n{quote(doc, 4)}")
    out.append("\n\n")
    out.extend(f"{name} = {number}\n" for name, number, _ in enum.values)
    out.append("\n\n")


def write_struct(out, writer, struct):
    name = struct.name
    kind = "Id" if name.endswith("_id") else "Vector" if name in ("pliant_vec3", "pliant_quat") else "Struct"
    if kind == "Struct":
        out.append("@members\n")
    out.append(f"class {camel(name)}({kind}):\n{quote(struct.doc or 'As ' + name + ' in the header.', 4)}\n")
    for m in struct.members:
        if not hidden(m):
            out.append(f"    {m.name}: \"{writer.hint(m.type)}\"\n{quote(m.doc, 4)}")
    fields = "".join(f"\n        (\"{m.name}\", {writer.type(m.type)})," for m in struct.members)
    out.append(f"    _fields_ = [{fields}\n    ]\n")
    enums = {m.name: camel(m.type.base) for m in struct.members if m.type.base in writer.enums and not m.type.dims}
    if enums:
        out.append("    _enums_ = {" + ", ".join(f'"{k}": {v}' for k, v in enums.items()) + "}\n")
    out.append(f"    _defaults_ = \"{defaults_of(writer, name)}\"\n\n\n" if kind == "Struct" else "\n\n")


def hidden(member):
    return member.name in ("cookie", "context")


def defaults_of(writer, name):
    """The function that makes such a definition, or the way to it in one that has it as a part; "": zeros."""
    for f in writer.header.functions:
        if f.name.endswith("_defaults") and f.result.base == name and not f.params:
            return f.name
    for struct in writer.header.structs:
        for m in struct.members:
            if m.type.base == name and not m.type.stars and not m.type.dims:
                whole = defaults_of(writer, struct.name)
                if whole:
                    return f"{whole}.{m.name}"
    return ""


def write_function(out, writer, f):
    result = writer.type(f.result)
    arguments = ", ".join(writer.argument(p.type) for p in f.params)
    doc = f.doc.replace("\\", "\\\\").replace('"""', "'''")
    names = ", ".join(p.name for p in f.params)
    out.append(f"{f.name} = _function(\"{f.name}\", {result}, [{arguments}], \"{names}\",\n"
               f"    \"\"\"{doc} \"\"\")\n")


def order(header, writer):
    """Structs and function types, each behind what it is made of."""
    left = {s.name: s for s in header.structs}
    left.update({f.name: f for f in header.function_types})
    done = []

    def needs(item):
        members = item.params if hasattr(item, "params") else item.members
        return [m.type.base for m in members] + [p.type.base for m in members if m.type.function
                                                 for p in m.type.function.params]

    def add(name):
        item = left.pop(name, None)
        if item is None:
            return
        for other in needs(item):
            add(other)
        done.append(item)

    for name in list(left):
        add(name)
    return done


def write(header, names):
    writer = Writer(header)
    out = [START.format(headers=" and ".join(names))]
    out.extend(f"{name} = {value}\n" for name, value in header.constants.items())
    out.append("PLIANT_VERSION = 10000 * PLIANT_VERSION_MAJOR + 100 * PLIANT_VERSION_MINOR + PLIANT_VERSION_PATCH\n\n\n")
    for enum in header.enums:
        write_enum(out, enum)
    for name, doc in header.opaque.items():
        out.append(f"class {camel(name)}(C.Structure):\n{quote(doc or 'As ' + name + ' in the header.', 4)}\n\n")
    for item in order(header, writer):
        if hasattr(item, "params"):
            out.append(f"{camel(item.name)} = {writer.callback(item)}\n\n\n")
        else:
            write_struct(out, writer, item)
    for f in header.functions:
        write_function(out, writer, f)
    return "".join(out)
