"""Writes pliant/_methods.py: a method for each function of the header whose arguments follow its conventions.

    pliant_body_push(world, body, ...)      Body.push(...)
    a result                                an exception
    T* out, double out_force[3]             what is returned
    T* out, int capacity, int* out_count    a list or an array that is returned
    const T* in, int count                  an array, a list of structs
    pliant_x_def* def                       keywords, a dict or the definition

What follows none of them is done by hand in the package, or left to `pliant.c`: LEFT in the written file has its
names, and a test looks at them.
"""

from raw import Writer, camel, indent

OBJECTS = {"pliant_world": "World", "pliant_mesh": "Mesh", "pliant_asset": "Asset", "pliant_batch": "Batch",
           "pliant_skin": "Skin", "pliant_scene": "Scene"}
IDS = {"pliant_body_id": "Body", "pliant_collider_id": "Collider", "pliant_attachment_id": "Attachment",
       "pliant_joint_id": "Joint"}
FIXED = {"double": "numpy.float64", "float": "numpy.float32", "int": "numpy.int32", "bool": "numpy.bool_",
         "uint32_t": "numpy.uint32"}

# Numbers that are read into `out, capacity`: how many there are, and numbers for each. And those of arrays that are
# given with their count, where they are no vectors.
SIZES = {
    "pliant_asset_read_colors": ("self.mesh.tet_count", 1),
    "pliant_asset_read_patches": ("self.mesh.tet_count", 1),
    "pliant_asset_read_shear_moduli": ("self.mesh.tet_count", 1),
    "pliant_body_read_positions": ("self.particle_count", 3),
    "pliant_body_read_velocities": ("self.particle_count", 3),
    "pliant_body_read_contact_forces": ("self.particle_count", 3),
    "pliant_body_read_positions_exact": ("self.particle_count", 3),
    "pliant_body_read_masses": ("self.particle_count", 1),
    "pliant_body_read_pressures": ("self.particle_count", 1),
    "pliant_body_read_temperatures": ("self.particle_count", 1),
    "pliant_body_read_swirls": ("self.particle_count", 3),
    "pliant_body_write_temperatures": (None, 1),
    "pliant_body_read_plastic_strains": ("self.asset.mesh.tet_count", 1),
    "pliant_body_read_plastic_shapes": ("self.asset.mesh.tet_count", 9),
    "pliant_body_read_clusters": ("self.cluster_count", 1),
    "pliant_body_read_segments": ("self.segment_count", 1),
    "pliant_body_write_positions_exact": (None, 3),
}
# Arrays that C goes through to the end without being told how long they are, or that it takes in part: checked by
# the number of rows.
WHOLE = {"pliant_body_set_forces": "self.particle_count", "pliant_body_set_torques": "self.segment_count"}

# Done by hand in the package, and where.
HAND = {
    "pliant_error_text": "Error", "pliant_result_name": "Error", "pliant_check_version": "World",
    "pliant_set_log": "set_log", "pliant_set_assert": "Misuse",
    "pliant_set_allocator": "c.pliant_set_allocator",
    "pliant_allocate": "Mesh.load", "pliant_release": "Mesh.load",
    "pliant_mesh_create": "Mesh", "pliant_mesh_destroy": "Mesh.close", "pliant_mesh_view": "Mesh.vertices",
    "pliant_mesh_load": "Mesh.load", "pliant_mesh_load_with": "Mesh.load", "pliant_mesh_parse": "Mesh.parse",
    "pliant_mesh_boundary": "Mesh.boundary", "pliant_mesh_surface": "Mesh.surface",
    "pliant_mesh_transform": "Mesh.transform",
    "pliant_mesh_clean": "Mesh.clean", "pliant_mesh_repair": "Mesh.repair", "pliant_mesh_paint": "Mesh.paint",
    "pliant_region_select": "Region.select",
    "pliant_asset_create": "Asset", "pliant_asset_destroy": "Asset.close", "pliant_asset_mesh": "Asset.mesh",
    "pliant_asset_write_size": "Asset.to_bytes", "pliant_asset_write": "Asset.to_bytes",
    "pliant_asset_parse": "Asset.from_bytes",
    "pliant_world_create_for": "World", "pliant_world_destroy": "World.close",
    "pliant_world_add_body": "World.add_body", "pliant_world_add_soft": "World.add_soft",
    "pliant_world_add_collider": "World.add_collider",
    "pliant_world_snapshot_size": "World.snapshot", "pliant_world_snapshot_save": "World.snapshot",
    "pliant_world_snapshot_restore": "World.restore",
    "pliant_batch_create": "Batch", "pliant_batch_destroy": "Batch.close", "pliant_batch_add": "Batch.add",
    "pliant_batch_count": "Batch.__len__", "pliant_batch_world": "Batch.__getitem__",
    "pliant_batch_read": "Batch.read", "pliant_batch_write": "Batch.write",
    "pliant_batch_keep": "Batch.keep", "pliant_batch_reset": "Batch.reset", "pliant_batch_gather": "Batch.gather",
    "pliant_batch_read_energies": "Batch.read_energies", "pliant_batch_move_pins": "Batch.move_pins",
    "pliant_batch_set_forces": "Batch.set_forces", "pliant_batch_move_colliders": "Batch.move_colliders",
    "pliant_body_remove": "Body.remove", "pliant_body_is_valid": "Body.is_valid",
    "pliant_body_asset": "Body.asset", "pliant_body_set_asset": "Body.set_asset",
    "pliant_body_user_data": "Body.user_data", "pliant_body_set_user_data": "Body.user_data",
    "pliant_body_read_pin_forces": "Body.read_pin_forces", "pliant_body_write_segments": "Body.write_segments",
    "pliant_body_view_positions": "Body.view_positions", "pliant_body_view_velocities": "Body.view_velocities",
    "pliant_body_view_state": "Body.view_state",
    "pliant_collider_remove": "Collider.remove", "pliant_collider_is_valid": "Collider.is_valid",
    "pliant_attachment_is_valid": "Attachment.is_valid", "pliant_joint_is_valid": "Joint.is_valid",
    "pliant_skin_create": "Skin", "pliant_skin_destroy": "Skin.close",
    "pliant_scene_open": "Scene", "pliant_scene_parse": "Scene", "pliant_scene_destroy": "Scene.close",
    "pliant_scene_world": "Scene.world", "pliant_scene_draw": "Scene.picture",
    "pliant_scene_picture_size": "Scene.picture", "pliant_world_draw": "World.picture",
    "pliant_skin_positions": "Skin.positions", "pliant_skin_normals": "Skin.normals",
}

START = '''"""A method for each function of C. Written by python/generate; not to be changed."""

import ctypes as C

import numpy

from . import c
from ._call import (attempt, do, fixed, handle_of, id_of, ids, integer, number, output, pointer_of, quat, records,
                    struct, structs, text, truth, vec3, vector_pointer, vectors, checked_array, choose)
from ._kinds import kind, wrap

'''


class Unknown(Exception):
    """An argument that follows no convention."""


class Method:
    """One function on its way to a method."""

    def __init__(self, writer, f, owner):
        self.writer, self.f, self.owner = writer, f, owner
        self.signature, self.lines, self.arguments, self.returns, self.hints = [], [], [], [], []
        self.keywords = False
        self.receiver = None  # "object", "id" or None: a class method or a function of the module

    # ---- the object that it is called on

    def take_receiver(self, params):
        types = [(p.type.base, p.type.stars) for p in params[:2]]
        if self.owner in IDS.values() and len(types) == 2 and types[0] == ("pliant_world", 1) and \
                IDS.get(types[1][0]) == self.owner:
            self.receiver = "id"
            self.arguments += ["self.world._handle_", "self._live()"]
            return params[2:]
        if self.owner and types and types[0][1] == 1 and OBJECTS.get(types[0][0]) == self.owner:
            self.receiver = "object"
            self.arguments.append("self._handle_")
            return params[1:]
        return params

    # ---- arguments, one kind after the other

    def take(self, params):
        while params:
            params = self.take_one(params)

    def take_one(self, params):
        p, more = params[0], params[1:]
        t, name = p.type, p.name
        is_out = name == "out" or name.startswith("out_")
        counted = bool(more) and more[0].type.base in ("int", "size_t") and more[0].name in ("count", "capacity")
        if t.base == "fn" or t.base in self.writer.functions or t.base == "void" and t.stars:
            raise Unknown(name)
        if t.stars == 2:
            return self.out_object(t, name, more) if is_out else self.unknown(name)
        if t.stars == 1 and is_out:
            return self.out_list(t, name, more) if counted and more[0].name == "capacity" else self.out_one(t, name, more)
        if t.dims:
            return self.array(t, name, more, is_out)
        if t.stars == 1 and counted:
            return self.list(t, name, more)
        if t.stars == 1:
            return self.pointer(t, name, more)
        return self.value(t, name, more)

    def unknown(self, name):
        raise Unknown(name)

    def local(self, name):
        return {"in": "values", "from": "start", "def": "definition"}.get(name, name)

    def out_object(self, t, name, more):
        made = OBJECTS.get(t.base) or self.unknown(name)
        self.lines.append(f"{name}_ = C.POINTER(c.{camel(t.base)})()")
        self.arguments.append(f"C.byref({name}_)")
        self.returns.append(f"wrap(\"{made}\", {name}_)")
        self.hints.append(f"\"{made}\"")
        return more

    def out_one(self, t, name, more):
        kind = "C.c_int" if t.base in self.writer.enums else self.writer.base(t.base)
        plain = kind.startswith("C.")
        self.lines.append(f"{name}_ = {kind if plain else 'c.' + kind}()")
        self.arguments.append(f"C.byref({name}_)")
        if t.base in IDS:
            self.returns.append(f"kind(\"{IDS[t.base]}\")({self.world()}, {name}_)")
            self.hints.append(f"\"{IDS[t.base]}\"")
        else:
            self.returns.append(f"{name}_.value" if plain else f"{name}_")
            self.hints.append(self.writer.hint(t).replace("pliant_", "") if plain else f"\"c.{kind}\"")
            self.hints[-1] = {"uint64_t": "int"}.get(self.hints[-1], self.hints[-1])
            if plain:
                self.hints[-1] = "float" if t.base in ("double", "float") else "bool" if t.base == "bool" else "int"
        return more

    def world(self):
        return "self.world" if self.receiver == "id" else "self"

    def out_list(self, t, name, more):
        """T* out, int capacity[, int* out_count]."""
        f, size = self.f, SIZES.get(self.f.name)
        more = more[1:]
        if size and t.base not in ("pliant_cluster_pose",):
            dtype = "numpy.float32" if t.base == "pliant_vec3" else FIXED.get(t.base) or self.unknown(name)
            shape = f"({size[0]}, {size[1]})" if size[1] > 1 else f"({size[0]},)"
            self.signature.append(f"{name}: \"numpy.ndarray | None\" = None")
            self.lines.append(f"{name} = output({name}, {dtype}, {shape}, \"{name}\")")
            self.arguments.append(f"vector_pointer({name})" if t.base == "pliant_vec3" else f"pointer_of({name})")
            self.arguments.append(f"len({name})")
            self.returns.append(name)
            self.hints.append("numpy.ndarray")
            return more
        if t.base not in self.writer.structs:
            self.unknown(name)
        counted = bool(more) and more[0].name == "out_count"
        if t.base in IDS and f.result.base == "int" and not more:
            self.lists = (f"[kind(\"{IDS[t.base]}\")({self.world()}, i) for i in ids(lambda out, capacity: "
                          f"self._do(c.{f.name}, {', '.join(self.arguments)}, out, capacity), c.{camel(t.base)})]",
                          f"\"list[{IDS[t.base]}]\"")
            return []
        if counted and len(more) == 1:
            self.lines.append("def ask(out, capacity):")
            self.lines.append("    count = C.c_int()")
            self.lines.append(f"    self._attempt(c.{f.name}, {', '.join(self.arguments)}, out, capacity, C.byref(count))")
            self.lines.append("    return count.value")
            self.lists = (f"records(ask, c.{camel(t.base)})", "numpy.recarray")
            return []
        if size:  # structs of a number that is known
            self.lines.append(f"{name}_ = (c.{camel(t.base)} * max({size[0]}, 1))()")
            self.arguments += [f"{name}_", f"{size[0]}"]
            self.returns.append(f"numpy.frombuffer(bytes({name}_), numpy.dtype(c.{camel(t.base)}))[:{size[0]}]"
                                ".copy().view(numpy.recarray)")
            self.hints.append("numpy.recarray")
            return more
        return self.unknown(name)

    def array(self, t, name, more, is_out):
        """double point[3], double out_force[3]."""
        dtype = FIXED.get(t.base) or self.unknown(name)
        shape = f"({', '.join(t.dims)},)"
        if is_out:
            self.lines.append(f"{name}_ = numpy.zeros({shape}, {dtype})")
            self.arguments.append(f"pointer_of({name}_)")
            self.returns.append(f"{name}_")
            self.hints.append("numpy.ndarray")
        else:
            name = self.local(name)
            self.signature.append(f"{name}: ArrayLike")
            self.arguments.append(f"fixed({name}, {dtype}, {shape}, \"{name}\")")
        return more

    def list(self, t, name, more):
        """const T* in, int count."""
        name = self.local(name)
        size = SIZES.get(self.f.name)
        if t.base == "pliant_vec3":
            whole = WHOLE.get(self.f.name)
            self.signature.append(f"{name}: \"ArrayLike | None\"" if whole else f"{name}: ArrayLike")
            self.lines.append(f"{name} = vectors({name}, \"{name}\")")
            if not whole:
                self.lines.append(f"if {name} is None:")
                self.lines.append(f"    raise TypeError(\"{name}: an array is needed, not None\")")
            self.arguments += [f"vector_pointer({name})", f"0 if {name} is None else len({name})"]
        elif t.base in FIXED and size:
            self.signature.append(f"{name}: ArrayLike")
            shape = "(None,)" if size[1] == 1 else f"(None, {size[1]})"
            self.lines.append(f"{name} = checked_array({name}, {FIXED[t.base]}, {shape}, \"{name}\")")
            self.arguments += [f"pointer_of({name})", f"len({name})"]
        elif t.base in self.writer.structs and t.base not in IDS:
            self.signature.append(f"{name}: list")
            self.lines.append(f"{name}_, {name}_count = structs({name}, c.{camel(t.base)}, \"{name}\")")
            self.arguments += [f"{name}_", f"{name}_count"]
        else:
            self.unknown(name)
        return more[1:]

    def pointer(self, t, name, more):
        """A definition, another struct, or an object of the package."""
        given, name = name, self.local(name)
        if t.base in OBJECTS:
            self.signature.append(f"{name}: \"{OBJECTS[t.base]}\"")
            self.arguments.append(f"handle_of({name}, kind(\"{OBJECTS[t.base]}\"), \"{name}\")")
        elif t.base in self.writer.structs and t.const:
            made = camel(t.base)
            others = [q for q in self.f.params if q.type.base in self.writer.structs and q.type.const and
                      q.type.stars == 1 and q.name != name]
            last = given == "def" or given in ("ray", "region") and not others
            self.signature.append(f"{name}: \"c.{made} | dict | None\" = None")
            self.keywords = self.keywords or last
            self.lines.append(f"{name} = struct({name}, c.{made}, \"{name}\"{', members' if last else ''})")
            self.arguments.append(f"C.byref({name})")
        else:
            self.unknown(name)
        return more

    def value(self, t, name, more):
        name = self.local(name)
        if t.base in IDS:
            self.signature.append(f"{name}: \"{IDS[t.base]}\"")
            self.arguments.append(f"id_of({name}, c.{camel(t.base)}, \"{name}\")")
        elif t.base in ("pliant_vec3", "pliant_quat"):
            self.signature.append(f"{name}: ArrayLike")
            self.arguments.append(f"{t.base[7:]}({name}, \"{name}\")")
        elif t.base in self.writer.enums:
            self.signature.append(f"{name}: \"c.{camel(t.base)} | str\"")
            self.arguments.append(f"choose(c.{camel(t.base)}, {name}, \"{name}\")")
        elif t.base in ("double", "float"):
            self.signature.append(f"{name}: float")
            self.arguments.append(f"number({name}, \"{name}\")")
        elif t.base == "bool":
            self.signature.append(f"{name}: bool")
            self.arguments.append(f"truth({name}, \"{name}\")")
        elif t.base in ("int", "unsigned", "size_t", "uint32_t", "uint64_t"):
            self.signature.append(f"{name}: int")
            self.arguments.append(f"integer({name}, {self.writer.base(t.base)}, \"{name}\")")
        else:
            self.unknown(name)
        return more

    # ---- the text

    def word(self, t, name, more):
        self.signature.append(f"{name}: \"str | os.PathLike\"")
        self.arguments.append(f"text({name}, \"{name}\")")
        return more

    def result(self, call):
        """Lines that call it and return what came of it."""
        f = self.f
        if getattr(self, "lists", None):
            return [f"return {self.lists[0]}"], self.lists[1]
        if f.result.base == "pliant_result" and not f.result.stars:
            lines = [call.replace("_do(", "_attempt(") if self.receiver else call.replace("do(", "attempt(")]
            if self.returns:
                lines.append(f"return {', '.join(self.returns)}")
            hint = "None" if not self.returns else self.hints[0] if len(self.hints) == 1 else "tuple"
            return lines, hint
        if f.result.base == "int" and f.name in SIZES and len(self.returns) == 1:
            return [f"count = {call}", f"return {self.returns[0]}[:count]"], "numpy.ndarray"
        if self.returns:
            raise Unknown("out")
        if f.result.base == "void" and not f.result.stars:
            return [call], "None"
        if f.result.base == "char":
            return [f"found = {call}", "return None if found is None else found.decode(errors=\"replace\")"], \
                "\"str | None\""
        if f.result.stars:
            raise Unknown("result")
        return [f"return {call}"], self.value_hint(f.result)

    def value_hint(self, t):
        hint = self.writer.hint(t)
        return f"\"c.{hint}\"" if t.base in self.writer.structs else hint

    def write(self):
        f = self.f
        params = self.take_receiver(f.params)
        self.take(params)
        name = f.name[len("pliant_"):]
        if self.owner:
            name = name.split("_", 1)[1]
        call = f"{'self._' if self.receiver else ''}do(c.{f.name}{''.join(', ' + a for a in self.arguments)})"
        lines, hint = self.result(call)
        is_property = self.receiver and not self.signature and not self.keywords and self.is_fact(name)
        signature = list(self.signature)
        # Definitions may be left out: they go last.
        signature.sort(key=lambda s: "= None" in s)
        if self.keywords:
            signature.append("**members")
        if self.receiver:
            signature.insert(0, "self")
        head = f"def {name}({', '.join(signature)}) -> {hint}:"
        if is_property:
            head = "@property\n" + head
        elif self.owner and not self.receiver:
            head = "@staticmethod\n" + head
        doc = quote_doc(f.doc)
        body = "\n".join(self.lines + lines)
        return f"{head}\n{indent(doc + body, 4)}\n", name

    def is_fact(self, name):
        """What is known without work and never fails: read like a member."""
        return self.f.params[0].type.const and name not in ("describe",) and \
            (self.f.result.base != "pliant_result" or getattr(self, "lists", None)) and \
            not name.startswith("read_")


def quote_doc(doc):
    text = (doc or "").replace("\\", "\\\\").replace('"""', "'''").strip()
    if not text:
        return ""
    return f'"""{text}{" " if text.endswith(chr(34)) else ""}"""\n'


def owner_of(f):
    first = f.name[len("pliant_"):].split("_")[0]
    for name in list(OBJECTS.values()) + list(IDS.values()):
        if name.lower() == first:
            return name
    return None


def takes_words(t):
    return t.base == "char" and t.stars == 1


def write_method(writer, f):
    method = Method(writer, f, owner_of(f))
    whole = method.take_one
    method.take_one = lambda params: method.word(params[0].type, params[0].name, params[1:]) \
        if takes_words(params[0].type) else whole(params)
    return method.write()


def write(header):
    writer = Writer(header)
    classes = {name: [] for name in list(OBJECTS.values()) + list(IDS.values())}
    module, left, where = [], [], {}
    for f in header.functions:
        owner = owner_of(f)
        if f.name in HAND or f.name.endswith("_defaults"):
            where[f.name] = HAND.get(f.name) or f"{camel(f.result.base)}"
            continue
        try:
            written, name = write_method(writer, f)
        except Unknown as argument:
            left.append((f.name, str(argument)))
            continue
        (classes[owner] if owner else module).append(written)
        where[f.name] = f"{owner}.{name}" if owner else name
    out = [START.replace("import numpy\n", "import os\n\nimport numpy\nfrom numpy.typing import ArrayLike\n")]
    for name, methods in classes.items():
        out.append(f"\nclass {name}Methods:\n" + indent("\n".join(methods) or "pass\n", 4) + "\n")
    out.append("\n" + "\n\n".join(module))
    out.append("\n\n# Where each function is, and those that follow no convention, with the argument that does not.\n")
    out.append("WHERE = {\n" + "".join(f"    \"{k}\": \"{v}\",\n" for k, v in where.items()) + "}\n")
    out.append("LEFT = {\n" + "".join(f"    \"{k}\": \"{v}\",\n" for k, v in left) + "}\n")
    names = [f.name[len("pliant_"):] for f in header.functions if f.name not in HAND and
             where.get(f.name) == f.name[len("pliant_"):]]
    out.append(f"MODULE = {names}\n")
    return "".join(out)
