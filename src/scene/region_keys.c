// Keys of meshes and of the regions in them.
#include "scene/region_keys.h"
#include <float.h>

static const scene_mesh mesh_defaults = {.tets = 0};
static const char* const hole_words[] = {"flat", "all", NULL};
static const key mesh_keys[] = {
    {"name", KEY_TEXT, offsetof(scene_mesh, name), 0, 0, NULL,
     "a file beside the scene or, if there is none, a generator's word", NULL, NULL, false},
    {"file", KEY_TEXT, offsetof(scene_mesh, file), 0, 0, NULL,
     "a file beside the scene: .msh .mesh .vtk .vtu .obj .ply .stl .off .node .glb, or .gz", NULL,
     NULL, false},
    {"generate", KEY_TEXT, offsetof(scene_mesh, generate), 0, 0, NULL,
     "a generator's word: \"torus:1:0.3:8\" (pliant mesh --help lists them)", NULL, NULL, false},
    {"surface", KEY_TEXT, offsetof(scene_mesh, surface), 0, 0, NULL,
     "a file beside the scene with a surface, which is filled with tets", NULL, NULL, false},
    {"tets", KEY_INT, offsetof(scene_mesh, tets), 0, 1 << 27, NULL,
     "about how many, for a surface; 0: 20000, or by the edge", NULL, NULL, false},
    {"edge", KEY_NUMBER, offsetof(scene_mesh, edge), 0, 1e9, "m",
     "length of their edges, instead of a number of tets", NULL, NULL, false},
    {"coarsen", KEY_INT, offsetof(scene_mesh, coarsen), 0, 8, NULL,
     "tets deep inside are up to 2^n times as long", NULL, NULL, false},
    {"close_holes", KEY_WORD, offsetof(scene_mesh, close_holes), 0, 0, NULL,
     "which holes of a surface are closed: those in a plane, or all", hole_words, NULL, false},
};
const key_table mesh_table = {
    "mesh",
    "A mesh: one of these keys, or simply a text, which stands for \"name\".",
    mesh_keys,
    sizeof mesh_keys / sizeof mesh_keys[0],
    sizeof(scene_mesh),
    &mesh_defaults,
    "name"};

static const scene_box box_defaults = {{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};
static const key box_keys[] = {
    {"min", KEY_VECTOR, offsetof(scene_box, min), -1e9, 1e9, "m",
     "smallest corner; an open side keeps its default", NULL, NULL, false},
    {"max", KEY_VECTOR, offsetof(scene_box, max), -1e9, 1e9, "m", "largest corner", NULL, NULL,
     false},
};
const key_table box_table = {
    "box",
    "A box in the mesh's own coordinates (before scale, rotation, position).",
    box_keys,
    sizeof box_keys / sizeof box_keys[0],
    sizeof(scene_box),
    &box_defaults,
    NULL};

static const scene_sphere sphere_defaults = {{0, 0, 0}, 1};
static const key sphere_keys[] = {
    {"center", KEY_VECTOR, offsetof(scene_sphere, center), -1e9, 1e9, "m", "center", NULL, NULL,
     false},
    {"radius", KEY_NUMBER, offsetof(scene_sphere, radius), DBL_MIN, 1e9, "m", "radius", NULL, NULL,
     true},
};
const key_table sphere_table = {"sphere",
                                "A ball in the mesh's own coordinates.",
                                sphere_keys,
                                sizeof sphere_keys / sizeof sphere_keys[0],
                                sizeof(scene_sphere),
                                &sphere_defaults,
                                NULL};

static const scene_half_space half_space_defaults = {{0, 0, 0}, {0, 1, 0}};
static const key half_space_keys[] = {
    {"point", KEY_VECTOR, offsetof(scene_half_space, point), -1e9, 1e9, "m", "a point of the plane",
     NULL, NULL, false},
    {"normal", KEY_VECTOR, offsetof(scene_half_space, normal), -1e6, 1e6, NULL,
     "direction out of the region; of any length", NULL, NULL, true},
};
const key_table half_space_table = {"half_space",
                                    "What lies behind a plane, in the mesh's own coordinates.",
                                    half_space_keys,
                                    sizeof half_space_keys / sizeof half_space_keys[0],
                                    sizeof(scene_half_space),
                                    &half_space_defaults,
                                    NULL};

static const char* const surface_only[] = {"inside", "near", NULL};
static const scene_surface surface_defaults = {.distance = 0};
static const key surface_keys[] = {
    {"mesh", KEY_OBJECT, offsetof(scene_surface, mesh), 0, 0, NULL,
     "triangles, or tets: their boundary; in the same coordinates", NULL, &mesh_table, true},
    {"distance", KEY_NUMBER, offsetof(scene_surface, distance), 0, 1e9, "m",
     "what is nearer than this counts too", NULL, NULL, false},
    {"what", KEY_WORD, offsetof(scene_surface, only), 0, 0, NULL,
     "near: not what is inside, only what is near", surface_only, NULL, false},
};
const key_table surface_table = {
    "surface",
    "What a surface encloses, in the mesh's own coordinates; the surface may be open if only what "
    "is near counts.",
    surface_keys,
    sizeof surface_keys / sizeof surface_keys[0],
    sizeof(scene_surface),
    &surface_defaults,
    NULL};

static const scene_painted painted_defaults = {.color = {1, 0, 0}, .tolerance = 0.1};
static const key painted_keys[] = {
    {"color", KEY_VECTOR, offsetof(scene_painted, color), 0, 65535, NULL,
     "red, green, blue as the file has them; whole numbers of a .ply are shares of 255", NULL, NULL,
     true},
    {"tolerance", KEY_NUMBER, offsetof(scene_painted, tolerance), 0, 65535, NULL,
     "how far each of the three may be off", NULL, NULL, false},
    {"file", KEY_TEXT, offsetof(scene_painted, file), 0, 0, NULL,
     "a file beside the scene with the surface, in the same coordinates; absent: the body's own",
     NULL, NULL, false},
};
const key_table painted_table = {
    "painted",
    "Where the nearest point of a surface has a color: of an .obj (v x y z red green blue), .ply "
    "(red, green, blue) or .glb (COLOR_0). What is inside goes with the skin above it.",
    painted_keys,
    sizeof painted_keys / sizeof painted_keys[0],
    sizeof(scene_painted),
    &painted_defaults,
    NULL};

static const scene_near near_defaults = {.distance = 0};
static const key near_keys[] = {
    {"body", KEY_INT, offsetof(scene_near, body), 0, 1000000, NULL,
     "number of the other body in the scene, from 0; it has one copy", NULL, NULL, true},
    {"distance", KEY_NUMBER, offsetof(scene_near, distance), DBL_MIN, 1e9, "m",
     "from its surface, where both start", NULL, NULL, true},
};
const key_table near_table = {
    "follow",
    "Particles near to another body, or in it, go where that place of it goes. It does not feel "
    "them.",
    near_keys,
    sizeof near_keys / sizeof near_keys[0],
    sizeof(scene_near),
    &near_defaults,
    NULL};
