// The tables of keys of a scene file: everything that can be said, with its range, unit, default
// and a line of help.
#include "scene/region_keys.h"
#include "scene/words.h"
#include <float.h>
#include <math.h>

// Words in the order of the enumerations that they stand for.
static const char* const precisions[] = {"single", "double", NULL};
static const char* const parameters[] = {"engineering", "plain", NULL};
static const char* const shapes[] = {"plane", "box", "sphere", "capsule", "mesh", NULL};
static const char* const bendings[] = {"isometric", "angle", NULL};
static const char* const manners[] = {"compliant", "classic", NULL};
static const char* const ropes[] = {"elastic", "slack", NULL};
static const char* const choices[] = {"no", "yes", NULL};
static const char* const scrambles[] = {"random", "flat", NULL};
static const char* const axes[] = {"x", "y", "z", NULL};
static const char* const presets[] = {"rubber", "hard_rubber", "gel", "jelly",
                                      "foam",   "muscle",      NULL};

static const pliant_material preset_materials[] = {
    {.density = 1000, .young = 1e6, .poisson = 0.45, .damping = 0},
    {.density = 1200, .young = 1e7, .poisson = 0.48, .damping = 0},
    {.density = 1000, .young = 1e5, .poisson = 0.48, .damping = 0.001},
    {.density = 1000, .young = 2e4, .poisson = 0.48, .damping = 0.002},
    {.density = 100, .young = 5e4, .poisson = 0.1, .damping = 0.005},
    {.density = 1060, .young = 6e4, .poisson = 0.49, .damping = 0.003},
};

const char* scene_preset(int number, pliant_material* out)
{
    if (presets[number]) *out = preset_materials[number];
    return presets[number];
}

pliant_material scene_material_of(const scene_material* m)
{
    pliant_material out = preset_materials[m->preset];
    if (!isnan(m->density)) out.density = m->density;
    if (!isnan(m->young)) out.young = m->young;
    if (!isnan(m->poisson)) out.poisson = m->poisson;
    if (!isnan(m->damping)) out.damping = m->damping;
    out.lame_convention = (pliant_lame_convention)m->parameters;
    return out;
}

static const scene_motion motion_defaults = {.axis = {0, 1, 0}, .end = 1e9};
static const key motion_keys[] = {
    {"velocity", KEY_VECTOR, offsetof(scene_motion, velocity), -1e6, 1e6, "m/s", "steady velocity",
     NULL, NULL, false},
    {"axis", KEY_VECTOR, offsetof(scene_motion, axis), -1e6, 1e6, NULL,
     "axis of a steady rotation; of any length", NULL, NULL, false},
    {"center", KEY_VECTOR, offsetof(scene_motion, center), -1e9, 1e9, "m",
     "a point of the axis at the start", NULL, NULL, false},
    {"degrees_per_second", KEY_NUMBER, offsetof(scene_motion, degrees_per_second), -1e6, 1e6,
     "degrees/s", "speed of the rotation", NULL, NULL, false},
    {"start", KEY_NUMBER, offsetof(scene_motion, start), 0, 1e9, "s", "time when the motion begins",
     NULL, NULL, false},
    {"end", KEY_NUMBER, offsetof(scene_motion, end), 0, 1e9, "s",
     "time when it ends; the pins then stay", NULL, NULL, false},
};
static const key_table motion_table = {
    "motion",
    "How pins move. Directions and points are in the mesh's own coordinates.",
    motion_keys,
    sizeof motion_keys / sizeof motion_keys[0],
    sizeof(scene_motion),
    &motion_defaults,
    NULL};

static const scene_pin pin_defaults = {.release = NAN};
static const key pin_keys[] = {
    REGION_KEYS(scene_pin),
    {"axes", KEY_WORD, offsetof(scene_pin, axes), 0, 0, NULL,
     "axes of the world along which they are held: rollers, planes of symmetry", axes_words, NULL,
     false},
    {"motion", KEY_MAYBE, offsetof(scene_pin, motion), 0, 0, NULL,
     "how they move; absent: they stay", NULL, &motion_table, false},
    {"follow", KEY_MAYBE, offsetof(scene_pin, follow), 0, 0, NULL,
     "those near to another body go with it", NULL, &near_table, false},
    {"release", KEY_NUMBER, offsetof(scene_pin, release), 0, 1e9, "s",
     "time when they are let go; absent: never", NULL, NULL, false},
};
static const key_table pin_table = {
    "pin",
    "Particles that are held. Without a region all are; of several regions their common part.",
    pin_keys,
    sizeof pin_keys / sizeof pin_keys[0],
    sizeof(scene_pin),
    &pin_defaults,
    NULL};

static const scene_force force_defaults = {.end = 1e9};
static const key force_keys[] = {
    REGION_KEYS(scene_force),
    {"force", KEY_VECTOR, offsetof(scene_force, force), -1e15, 1e15, "N", "the whole force", NULL,
     NULL, true},
    {"start", KEY_NUMBER, offsetof(scene_force, start), 0, 1e9, "s", "time when it begins", NULL,
     NULL, false},
    {"end", KEY_NUMBER, offsetof(scene_force, end), 0, 1e9, "s", "time when it ends", NULL, NULL,
     false},
};
static const key_table force_table = {"force",
                                      "A force on a region, in world directions, in equal shares.",
                                      force_keys,
                                      sizeof force_keys / sizeof force_keys[0],
                                      sizeof(scene_force),
                                      &force_defaults,
                                      NULL};

static const scene_scramble scramble_defaults = {
    .axis = 1, .seed = 1, .min = {NAN, NAN, NAN}, .max = {NAN, NAN, NAN}};
static const key scramble_keys[] = {
    {"kind", KEY_WORD, offsetof(scene_scramble, kind), 0, 0, NULL,
     "random: anywhere in a box; flat: into the plane through the center", scrambles, NULL, false},
    {"axis", KEY_WORD, offsetof(scene_scramble, axis), 0, 0, NULL, "normal of the plane of flat",
     axes, NULL, false},
    {"seed", KEY_INT, offsetof(scene_scramble, seed), 0, 2147483647, NULL, "of the random places",
     NULL, NULL, false},
    {"min", KEY_VECTOR, offsetof(scene_scramble, min), -1e9, 1e9, "m",
     "smallest corner of the box in the world; absent: of the body", NULL, NULL, false},
    {"max", KEY_VECTOR, offsetof(scene_scramble, max), -1e9, 1e9, "m",
     "largest corner of the box in the world; absent: of the body", NULL, NULL, false},
};
static const key_table scramble_table = {
    "scramble",
    "A bad start: the particles that are not pinned are moved away from rest.",
    scramble_keys,
    sizeof scramble_keys / sizeof scramble_keys[0],
    sizeof(scene_scramble),
    &scramble_defaults,
    NULL};

static const scene_material material_defaults = {
    .density = NAN, .young = NAN, .poisson = NAN, .damping = NAN};
static const key material_keys[] = {
    {"preset", KEY_WORD, offsetof(scene_material, preset), 0, 0, NULL,
     "where the numbers that are not given come from", presets, NULL, false},
    {"density", KEY_NUMBER, offsetof(scene_material, density), DBL_MIN, 1e9, "kg/m^3",
     "mass per volume; absent: the preset's, here and below", NULL, NULL, false},
    {"young", KEY_NUMBER, offsetof(scene_material, young), DBL_MIN, 1e15, "Pa", "Young's modulus",
     NULL, NULL, false},
    {"poisson", KEY_NUMBER, offsetof(scene_material, poisson), 0, 0.5, NULL, "Poisson's ratio",
     NULL, NULL, false},
    {"damping", KEY_NUMBER, offsetof(scene_material, damping), 0, 1e6, "s",
     "time constant of the inner friction", NULL, NULL, false},
    {"parameters", KEY_WORD, offsetof(scene_material, parameters), 0, 0, NULL,
     "plain: Lame's parameters as the papers use them", parameters, NULL, false},
};
static const key_table material_table = {"material",
                                         "What a body is made of. A text stands for \"preset\".",
                                         material_keys,
                                         sizeof material_keys / sizeof material_keys[0],
                                         sizeof(scene_material),
                                         &material_defaults,
                                         "preset"};

static const scene_part part_defaults = {
    .material = {.density = NAN, .young = NAN, .poisson = NAN, .damping = NAN}};
static const key part_keys[] = {
    REGION_KEYS(scene_part),
    {"material", KEY_OBJECT, offsetof(scene_part, material), 0, 0, NULL, "of this part", NULL,
     &material_table, true},
};
static const key_table part_table = {
    "part",
    "Tets of a body with a material of their own: those with their middle in the region. Later "
    "parts go over earlier ones.",
    part_keys,
    sizeof part_keys / sizeof part_keys[0],
    sizeof(scene_part),
    &part_defaults,
    NULL};

static const scene_cloth cloth_defaults = {
    .density = 0.2, .stretch = 1000, .bending = 1e-5, .inflation = 1};
static const key cloth_keys[] = {
    {"density", KEY_NUMBER, offsetof(scene_cloth, density), DBL_MIN, 1e9, "kg/m^2", "mass per area",
     NULL, NULL, false},
    {"stretch", KEY_NUMBER, offsetof(scene_cloth, stretch), DBL_MIN, 1e15, "N/m",
     "tension per width and strain", NULL, NULL, false},
    {"bending", KEY_NUMBER, offsetof(scene_cloth, bending), 0, 1e15, "N m",
     "moment per width and curvature; 0: none", NULL, NULL, false},
    {"area", KEY_NUMBER, offsetof(scene_cloth, area), 0, 1e15, "N/m",
     "against changes of the triangles' areas; 0: none", NULL, NULL, false},
    {"damping", KEY_NUMBER, offsetof(scene_cloth, damping), 0, 1e6, "s",
     "time constant of the inner friction", NULL, NULL, false},
    {"bending_by", KEY_WORD, offsetof(scene_cloth, bending_by), 0, 0, NULL,
     "isometric: cheap, without sign; angle: with sign", bendings, NULL, false},
    {"air", KEY_NUMBER, offsetof(scene_cloth, air), 0, 1e15, "Pa",
     "pressure per share of volume that a closed surface lacks; 0: it holds nothing", NULL, NULL,
     false},
    {"inflation", KEY_NUMBER, offsetof(scene_cloth, inflation), 0, 1e6, NULL,
     "volume that it wants over its volume at rest", NULL, NULL, false},
};
static const key_table cloth_table = {"cloth",
                                      "What triangles are made of.",
                                      cloth_keys,
                                      sizeof cloth_keys / sizeof cloth_keys[0],
                                      sizeof(scene_cloth),
                                      &cloth_defaults,
                                      NULL};

static const scene_boundary boundary_defaults = {0};
static const key boundary_keys[] = {
    {"bending", KEY_NUMBER, offsetof(scene_boundary, bending), 0, 1e15, "N m",
     "moment per width and curvature; 0: none", NULL, NULL, false},
    {"bending_by", KEY_WORD, offsetof(scene_boundary, bending_by), 0, 0, NULL, "as of cloth",
     bendings, NULL, false},
};
static const key_table boundary_table = {
    "boundary",
    "What holds the surface of tets besides their edges, with the formulation edges_and_volume.",
    boundary_keys,
    sizeof boundary_keys / sizeof boundary_keys[0],
    sizeof(scene_boundary),
    &boundary_defaults,
    NULL};

static const scene_stiffness stiffness_defaults = {1, 1, 1, 1, 1};
static const key stiffness_keys[] = {
    {"stretch", KEY_NUMBER, offsetof(scene_stiffness, stretch), DBL_MIN, 1, NULL, "of edges", NULL,
     NULL, false},
    {"bending", KEY_NUMBER, offsetof(scene_stiffness, bending), DBL_MIN, 1, NULL, "of hinges", NULL,
     NULL, false},
    {"area", KEY_NUMBER, offsetof(scene_stiffness, area), DBL_MIN, 1, NULL, "of triangles", NULL,
     NULL, false},
    {"volume", KEY_NUMBER, offsetof(scene_stiffness, volume), DBL_MIN, 1, NULL, "of tets", NULL,
     NULL, false},
    {"tether", KEY_NUMBER, offsetof(scene_stiffness, tether), DBL_MIN, 1, NULL, "of tethers", NULL,
     NULL, false},
};
static const key_table stiffness_table = {
    "stiffness",
    "Of the classic manner: the share of an error that the iterations of a substep correct.",
    stiffness_keys,
    sizeof stiffness_keys / sizeof stiffness_keys[0],
    sizeof(scene_stiffness),
    &stiffness_defaults,
    NULL};

static const scene_body body_defaults = {.scale = 1,
                                         .rotation = {0, 0, 0, 1},
                                         .copies = {1, 1, 1},
                                         .spacing = {1, 1, 1},
                                         .relaxation = 1,
                                         .cluster_size = 5,
                                         .shear_relaxation = 1,
                                         .gravity_scale = 1,
                                         .friction = 1,
                                         .restitution = 1,
                                         .color = {NAN, NAN, NAN}};
static const key body_keys[] = {
    {"mesh", KEY_OBJECT, offsetof(scene_body, mesh), 0, 0, NULL,
     "what it is cut from: tets, triangles (cloth) or edges (ropes)", NULL, &mesh_table, true},
    {"visual", KEY_TEXT, offsetof(scene_body, visual), 0, 0, NULL,
     "a file beside the scene with the surface that tets or cloth carry and that is seen: .obj "
     ".glb "
     ".gltf "
     "...; \"none\": their own; absent: the mesh's \"surface\"",
     NULL, NULL, false},
    {"material", KEY_OBJECT, offsetof(scene_body, material), 0, 0, NULL, "a preset or numbers",
     NULL, &material_table, false},
    {"cloth", KEY_OBJECT, offsetof(scene_body, cloth), 0, 0, NULL, "of triangles", NULL,
     &cloth_table, false},
    {"boundary", KEY_OBJECT, offsetof(scene_body, boundary), 0, 0, NULL,
     "hinges on the surface of tets", NULL, &boundary_table, false},
    {"manner", KEY_WORD, offsetof(scene_body, manner), 0, 0, NULL,
     "how edges, hinges, areas and volumes are held: by the material, or by stiffness", manners,
     NULL, false},
    {"stiffness", KEY_OBJECT, offsetof(scene_body, stiffness), 0, 0, NULL, "of the classic manner",
     NULL, &stiffness_table, false},
    {"rope", KEY_WORD, offsetof(scene_body, rope), 0, 0, NULL,
     "whether the mesh's edges push when they are short", ropes, NULL, false},
    {"tethers", KEY_WORD, offsetof(scene_body, tethers), 0, 0, NULL,
     "no particle gets farther from the pins (those that stay) than edges lead", choices, NULL,
     false},
    {"tether_slack", KEY_NUMBER, offsetof(scene_body, tether_slack), 0, 1e6, NULL,
     "how much farther all the same, as a share", NULL, NULL, false},
    {"scale", KEY_NUMBER, offsetof(scene_body, scale), 1e-9, 1e9, NULL, "of the mesh", NULL, NULL,
     false},
    {"position", KEY_VECTOR, offsetof(scene_body, position), -1e9, 1e9, "m", "of the mesh's origin",
     NULL, NULL, false},
    {"rotation", KEY_ROTATION, offsetof(scene_body, rotation), 0, 0, NULL,
     "{\"axis\": [x, y, z], \"degrees\": n} or a quaternion [x, y, z, w]", NULL, NULL, false},
    {"velocity", KEY_VECTOR, offsetof(scene_body, velocity), -1e6, 1e6, "m/s", "at the start", NULL,
     NULL, false},
    {"angular_velocity", KEY_VECTOR, offsetof(scene_body, angular_velocity), -1e6, 1e6, "rad/s",
     "at the start, about the center of mass", NULL, NULL, false},
    {"copies", KEY_COUNTS, offsetof(scene_body, copies), 1, 1000, NULL,
     "how many along x, y and z, as an array of bodies", NULL, NULL, false},
    {"spacing", KEY_VECTOR, offsetof(scene_body, spacing), -1e9, 1e9, "m",
     "from one copy to the next", NULL, NULL, false},
    {"formulation", KEY_WORD, offsetof(scene_body, formulation), 0, 0, NULL,
     "how the energy of a tet becomes constraints", formulation_words, NULL, false},
    {"integrator", KEY_WORD, offsetof(scene_body, integrator), 0, 0, NULL,
     "how a substep is made: what constraints see of it, what is remembered", integrator_words,
     NULL, false},
    {"drag", KEY_NUMBER, offsetof(scene_body, drag), 0, 1, NULL,
     "verlet: part of the velocity that is lost in each substep", NULL, NULL, false},
    {"schedule", KEY_WORD, offsetof(scene_body, schedule), 0, 0, NULL,
     "the order in which constraints are solved", schedule_words, NULL, false},
    {"graphs", KEY_WORD, offsetof(scene_body, graphs), 0, 0, NULL,
     "patched, colored, phantom: which constraints get their colors together", graph_words, NULL,
     false},
    {"patch_interface", KEY_WORD, offsetof(scene_body, patch_interface), 0, 0, NULL,
     "how patches meet: all at once, or in turns", interface_words, NULL, false},
    {"patch_rows", KEY_INT, offsetof(scene_body, patch_rows), 0, 65535, NULL,
     "most particles of a patch, 16 or more; 0: 1536", NULL, NULL, false},
    {"patch_colors", KEY_INT, offsetof(scene_body, patch_colors), 0, 256, NULL,
     "most colors of a merged patch, 4 or more; 0: chosen", NULL, NULL, false},
    {"merge", KEY_WORD, offsetof(scene_body, merge), 0, 0, NULL,
     "what copies of a particle weigh: a share of its mass, or all of it", merge_words, NULL,
     false},
    {"angular_momentum", KEY_WORD, offsetof(scene_body, angular_momentum), 0, 0, NULL,
     "what sweeps turn by themselves is taken back, or stays as in the papers", rotation_words,
     NULL, false},
    {"most_colors", KEY_INT, offsetof(scene_body, most_colors), 0, 256, NULL,
     "of phantom and hybrid; 0: half of the most constraints that meet", NULL, NULL, false},
    {"phantoms", KEY_WORD, offsetof(scene_body, phantoms), 0, 0, NULL,
     "whose copies phantoms are: of several constraints, or of one each", phantoms_words, NULL,
     false},
    {"relaxation", KEY_NUMBER, offsetof(scene_body, relaxation), 0.001, 1.999, NULL,
     "of what jacobi and hybrid average, for several iterations", NULL, NULL, false},
    {"clustering", KEY_WORD, offsetof(scene_body, clustering), 0, 0, NULL, "how clusters are found",
     clustering_words, NULL, false},
    {"cluster_size", KEY_INT, offsetof(scene_body, cluster_size), 1, 64, NULL,
     "most constraints in a cluster", NULL, NULL, false},
    {"precision", KEY_WORD, offsetof(scene_body, precision), 0, 0, NULL,
     "double: the reference, slow", precisions, NULL, false},
    {"shear_relaxation", KEY_NUMBER, offsetof(scene_body, shear_relaxation), 1, 100, NULL,
     "of the ten rows: calmer, lags more", NULL, NULL, false},
    {"radius", KEY_NUMBER, offsetof(scene_body, radius), 0, 1e6, "m",
     "of the particles: contacts keep this distance", NULL, NULL, false},
    {"rope_radius", KEY_NUMBER, offsetof(scene_body, rope_radius), 0, 1e6, "m",
     "cross section of edges; 0: length / 100", NULL, NULL, false},
    {"gravity_scale", KEY_NUMBER, offsetof(scene_body, gravity_scale), -1e6, 1e6, NULL,
     "factor on gravity", NULL, NULL, false},
    {"friction", KEY_NUMBER, offsetof(scene_body, friction), 0, 1e6, NULL,
     "factor on the colliders' friction", NULL, NULL, false},
    {"restitution", KEY_NUMBER, offsetof(scene_body, restitution), 0, 1, NULL,
     "factor on the colliders' restitution", NULL, NULL, false},
    {"pins", KEY_LIST, offsetof(scene_body, pins), 0, 0, NULL, "what is held or moved", NULL,
     &pin_table, false},
    {"parts", KEY_LIST, offsetof(scene_body, parts), 0, 0, NULL,
     "regions with a material of their own", NULL, &part_table, false},
    {"forces", KEY_LIST, offsetof(scene_body, forces), 0, 0, NULL, "what pulls", NULL, &force_table,
     false},
    {"scramble", KEY_MAYBE, offsetof(scene_body, scramble), 0, 0, NULL,
     "a bad start, for tests of robustness", NULL, &scramble_table, false},
    {"color", KEY_VECTOR, offsetof(scene_body, color), 0, 1, NULL,
     "red, green, blue in the picture; absent: chosen", NULL, NULL, false},
};
static const key_table body_table = {"body",
                                     "A soft body, or an array of them.",
                                     body_keys,
                                     sizeof body_keys / sizeof body_keys[0],
                                     sizeof(scene_body),
                                     &body_defaults,
                                     NULL};

static const scene_stop stop_defaults = {0};
static const key stop_keys[] = {
    {"time", KEY_NUMBER, offsetof(scene_stop, time), 0, 1e9, "s", "when it is there", NULL, NULL,
     true},
    {"position", KEY_VECTOR, offsetof(scene_stop, position), -1e9, 1e9, "m", "where it is", NULL,
     NULL, true},
    {"rotation", KEY_ROTATION, offsetof(scene_stop, rotation), 0, 0, NULL,
     "as of a body; absent: as at the start", NULL, NULL, false},
};
static const key_table stop_table = {"stop",
                                     "Where a collider is at a time. Between two of them it moves "
                                     "and turns evenly, the shorter way around.",
                                     stop_keys,
                                     sizeof stop_keys / sizeof stop_keys[0],
                                     sizeof(scene_stop),
                                     &stop_defaults,
                                     NULL};

static const scene_drive drive_defaults = {
    .axis = {0, 1, 0}, .center = {NAN, NAN, NAN}, .end = 1e9};
static const key drive_keys[] = {
    {"velocity", KEY_VECTOR, offsetof(scene_drive, velocity), -1e6, 1e6, "m/s", "steady velocity",
     NULL, NULL, false},
    {"axis", KEY_VECTOR, offsetof(scene_drive, axis), -1e6, 1e6, NULL,
     "axis of a steady rotation, as of a turntable; of any length", NULL, NULL, false},
    {"degrees_per_second", KEY_NUMBER, offsetof(scene_drive, degrees_per_second), -1e6, 1e6,
     "degrees/s", "speed of the rotation", NULL, NULL, false},
    {"center", KEY_VECTOR, offsetof(scene_drive, center), -1e9, 1e9, "m",
     "a point of the axis; absent: the collider's position", NULL, NULL, false},
    {"stroke", KEY_VECTOR, offsetof(scene_drive, stroke), -1e9, 1e9, "m",
     "way of a piston or a press", NULL, NULL, false},
    {"frequency", KEY_NUMBER, offsetof(scene_drive, frequency), 0, 1e6, "1/s",
     "of the stroke, there and back like a pendulum; 0: see time", NULL, NULL, false},
    {"time", KEY_NUMBER, offsetof(scene_drive, time), 0, 1e9, "s",
     "that the stroke takes once, with a smooth start and end; 0: see frequency", NULL, NULL,
     false},
    {"path", KEY_LIST, offsetof(scene_drive, path), 0, 0, NULL,
     "places with their times, instead of all above; before the first it goes there from where it "
     "starts, after the last it stands",
     NULL, &stop_table, false},
    {"start", KEY_NUMBER, offsetof(scene_drive, start), 0, 1e9, "s", "time when the motion begins",
     NULL, NULL, false},
    {"end", KEY_NUMBER, offsetof(scene_drive, end), 0, 1e9, "s",
     "time when it ends; the collider then stands", NULL, NULL, false},
};
static const key_table drive_table = {
    "drive",
    "How a collider moves, in the axes of the world. Velocity, rotation and stroke add up.",
    drive_keys,
    sizeof drive_keys / sizeof drive_keys[0],
    sizeof(scene_drive),
    &drive_defaults,
    NULL};

static const scene_collider collider_defaults = {.rotation = {0, 0, 0, 1},
                                                 .half_extents = {0.5, 0.5, 0.5},
                                                 .radius = 0.5,
                                                 .half_height = 0.5,
                                                 .scale = 1,
                                                 .friction = 0.5,
                                                 .static_friction = NAN,
                                                 .dynamic_friction = NAN,
                                                 .color = {NAN, NAN, NAN}};
static const key collider_keys[] = {
    {"shape", KEY_WORD, offsetof(scene_collider, shape), 0, 0, NULL,
     "plane: everything below the local y = 0; capsule: along the local y", shapes, NULL, false},
    {"position", KEY_VECTOR, offsetof(scene_collider, position), -1e9, 1e9, "m",
     "of the shape's center", NULL, NULL, false},
    {"rotation", KEY_ROTATION, offsetof(scene_collider, rotation), 0, 0, NULL, "as of a body", NULL,
     NULL, false},
    {"half_extents", KEY_VECTOR, offsetof(scene_collider, half_extents), DBL_MIN, 1e9, "m",
     "of a box", NULL, NULL, false},
    {"radius", KEY_NUMBER, offsetof(scene_collider, radius), DBL_MIN, 1e9, "m",
     "of a sphere or capsule", NULL, NULL, false},
    {"half_height", KEY_NUMBER, offsetof(scene_collider, half_height), 0, 1e9, "m",
     "of a capsule, without its caps", NULL, NULL, false},
    {"mesh", KEY_OBJECT, offsetof(scene_collider, mesh), 0, 0, NULL,
     "of a mesh: a closed surface or tets", NULL, &mesh_table, false},
    {"scale", KEY_NUMBER, offsetof(scene_collider, scale), 1e-9, 1e9, NULL, "of the mesh", NULL,
     NULL, false},
    {"cell", KEY_NUMBER, offsetof(scene_collider, cell), 0, 1e9, "m",
     "of the mesh's distance field; 0: 1/64 of the longest side", NULL, NULL, false},
    {"friction", KEY_NUMBER, offsetof(scene_collider, friction), 0, 1e6, NULL,
     "both coefficients of friction", NULL, NULL, false},
    {"static_friction", KEY_NUMBER, offsetof(scene_collider, static_friction), 0, 1e6, NULL,
     "instead of friction, at rest", NULL, NULL, false},
    {"dynamic_friction", KEY_NUMBER, offsetof(scene_collider, dynamic_friction), 0, 1e6, NULL,
     "instead of friction, in motion", NULL, NULL, false},
    {"restitution", KEY_NUMBER, offsetof(scene_collider, restitution), 0, 1, NULL,
     "part of the normal velocity that single particles at the contact have after an impact; a "
     "soft "
     "body comes back by its own elasticity, whatever it is",
     NULL, NULL, false},
    {"motion", KEY_MAYBE, offsetof(scene_collider, motion), 0, 0, NULL,
     "how it moves; absent: it stands still", NULL, &drive_table, false},
    {"surface_velocity", KEY_VECTOR, offsetof(scene_collider, surface_velocity), -1e6, 1e6, "m/s",
     "of its surface alone, as of a belt, in the collider's own axes", NULL, NULL, false},
    {"surface_angular_velocity", KEY_VECTOR, offsetof(scene_collider, surface_angular_velocity),
     -1e6, 1e6, "rad/s", "the same about its position", NULL, NULL, false},
    {"color", KEY_VECTOR, offsetof(scene_collider, color), 0, 1, NULL,
     "red, green, blue in the picture; absent: gray", NULL, NULL, false},
};
static const key_table collider_table = {"collider",
                                         "A solid that nothing moves but its own motion.",
                                         collider_keys,
                                         sizeof collider_keys / sizeof collider_keys[0],
                                         sizeof(scene_collider),
                                         &collider_defaults,
                                         NULL};

static const scene_camera camera_defaults = {.eye = {NAN, NAN, NAN},
                                             .target = {NAN, NAN, NAN},
                                             .azimuth = 30,
                                             .elevation = 20,
                                             .field_of_view = 30,
                                             .width = 1280,
                                             .height = 720};
static const key camera_keys[] = {
    {"eye", KEY_VECTOR, offsetof(scene_camera, eye), -1e9, 1e9, "m",
     "where it stands; absent: so that the whole run fits", NULL, NULL, false},
    {"target", KEY_VECTOR, offsetof(scene_camera, target), -1e9, 1e9, "m",
     "what it looks at; absent: the middle of the run", NULL, NULL, false},
    {"azimuth", KEY_NUMBER, offsetof(scene_camera, azimuth), -360, 360, "degrees",
     "of the fitted view, from the z axis toward x", NULL, NULL, false},
    {"elevation", KEY_NUMBER, offsetof(scene_camera, elevation), -89, 89, "degrees",
     "of the fitted view, upward", NULL, NULL, false},
    {"field_of_view", KEY_NUMBER, offsetof(scene_camera, field_of_view), 1, 120, "degrees",
     "vertical", NULL, NULL, false},
    {"width", KEY_INT, offsetof(scene_camera, width), 16, 8192, "pixels", "of the picture", NULL,
     NULL, false},
    {"height", KEY_INT, offsetof(scene_camera, height), 16, 8192, "pixels", "of the picture", NULL,
     NULL, false},
    {"times", KEY_NUMBERS, offsetof(scene_camera, times), 0, 1e9, "s",
     "moments to draw, one beside the other; absent: the end", NULL, NULL, false},
};
static const key_table camera_table = {"camera",
                                       "The picture of the run.",
                                       camera_keys,
                                       sizeof camera_keys / sizeof camera_keys[0],
                                       sizeof(scene_camera),
                                       &camera_defaults,
                                       NULL};

static const char* const probed[] = {"all",      "position", "velocity", "contact_force",
                                     "reaction", "strain",   NULL};
static const scene_probe probe_defaults = {.particle = NAN};
static const key probe_keys[] = {
    {"name", KEY_TEXT, offsetof(scene_probe, name), 0, 0, NULL,
     "what its columns are called: letters, digits, _ and -", NULL, NULL, true},
    {"body", KEY_INT, offsetof(scene_probe, body), 0, 1000000, NULL,
     "number of the body in the scene, from 0; each of its copies is measured", NULL, NULL, false},
    {"particle", KEY_NUMBER, offsetof(scene_probe, particle), 0, 2147483647, NULL,
     "number of one particle, from 0, instead of a region", NULL, NULL, false},
    REGION_KEYS(scene_probe),
    {"what", KEY_WORD, offsetof(scene_probe, what), 0, 0, NULL, "what is measured", probed, NULL,
     false},
};
static const key_table probe_table = {
    "probe",
    "What is measured frame by frame (pliant run --probes FILE.csv, --json): position and velocity "
    "of the center of mass, contact forces and reactions of pins in sum, mean and largest strain. "
    "Without a region of the whole body.",
    probe_keys,
    sizeof probe_keys / sizeof probe_keys[0],
    sizeof(scene_probe),
    &probe_defaults,
    NULL};

static const scene scene_defaults = {
    .gravity = {0, -9.81, 0}, .dt = 1.0 / 60, .frames = 120, .iterations = 1};
static const key scene_keys[] = {
    {"description", KEY_TEXT, offsetof(scene, description), 0, 0, NULL, "one or two sentences",
     NULL, NULL, false},
    {"gravity", KEY_VECTOR, offsetof(scene, gravity), -1e6, 1e6, "m/s^2",
     "acceleration of everything", NULL, NULL, false},
    {"dt", KEY_NUMBER, offsetof(scene, dt), 1e-9, 10, "s", "time from frame to frame", NULL, NULL,
     false},
    {"frames", KEY_INT, offsetof(scene, frames), 0, 1000000, NULL, "how many", NULL, NULL, false},
    {"substeps", KEY_AUTO, offsetof(scene, substeps), 0, 1000000, NULL,
     "per frame; \"auto\": what the stiffest body needs", NULL, NULL, false},
    {"iterations", KEY_INT, offsetof(scene, iterations), 1, 10000, NULL, "sweeps per substep", NULL,
     NULL, false},
    {"backend", KEY_WORD, offsetof(scene, backend), 0, 0, NULL,
     "what steps the bodies; auto: a GPU, if there is one, from 20000 tets on", backend_words, NULL,
     false},
    {"arithmetic", KEY_WORD, offsetof(scene, arithmetic), 0, 0, NULL,
     "of a GPU; exact: the processor's bits, fast: shorter steps", arithmetic_words, NULL, false},
    {"bodies", KEY_LIST, offsetof(scene, bodies), 0, 0, NULL, "what moves", NULL, &body_table,
     false},
    {"colliders", KEY_LIST, offsetof(scene, colliders), 0, 0, NULL, "what bodies meet", NULL,
     &collider_table, false},
    {"probes", KEY_LIST, offsetof(scene, probes), 0, 0, NULL, "what is measured", NULL,
     &probe_table, false},
    {"camera", KEY_OBJECT, offsetof(scene, camera), 0, 0, NULL, "of the picture", NULL,
     &camera_table, false},
};
const key_table scene_table = {"scene",       "A scene: the whole file is one object.",
                               scene_keys,    sizeof scene_keys / sizeof scene_keys[0],
                               sizeof(scene), &scene_defaults,
                               NULL};
