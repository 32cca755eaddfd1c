// Keys of meshes and of the regions in them.
#include "scene/region_keys.h"

static const scene_mesh mesh_defaults = {.tets = 0};
static const key mesh_keys[] = {
    {KEY(TEXT, scene_mesh, name),
     .help = "a file beside the scene or, if there is none, a generator's word"},
    {KEY(TEXT, scene_mesh, file),
     .help =
         "a file beside the scene: .msh .mesh .vtk .vtu .obj .ply .stl .off .node .glb, or .gz"},
    {KEY(TEXT, scene_mesh, generate),
     .help = "a generator's word: \"torus:1:0.3:8\" (pliant mesh --help lists them)"},
    {KEY(TEXT, scene_mesh, surface),
     .help = "a file beside the scene with a surface, which is filled with tets"},
    {KEY(INT, scene_mesh, tets), WITHIN(0, 1 << 27),
     .help = "about how many, for a surface; 0: 20000, or by the edge"},
    {KEY(NUMBER, scene_mesh, edge), WITHIN(0, 1e9), .unit = "m",
     .help = "length of their edges, instead of a number of tets"},
    {KEY(INT, scene_mesh, coarsening), WITHIN(0, 8),
     .help = "tets deep inside are up to 2^n times as long"},
    {KEY(FLAG, scene_mesh, close_holes),
     .help = "all holes of a surface are closed, not only those in a plane"},
    {KEY(FLAG, scene_mesh, separate_parts),
     .help = "every part of a surface is filled by itself, also where parts overlap"},
};
const key_table mesh_table = {
    TABLE(mesh_keys, scene_mesh), .name = "mesh",
    .help = "A mesh: one of these keys, or simply a text, which stands for \"name\".",
    .defaults = &mesh_defaults, .shorthand = "name"};

static const scene_box box_defaults = {{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};
static const key box_keys[] = {
    {KEY(VECTOR, scene_box, min), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "smallest corner; an open side keeps its default"},
    {KEY(VECTOR, scene_box, max), WITHIN(-1e9, 1e9), .unit = "m", .help = "largest corner"},
};
static const key_table box_table = {
    TABLE(box_keys, scene_box), .name = "box",
    .help =
        "A box in the mesh's own coordinates (before scale, rotation, position); of a drain, as "
        "all its shapes, in the world.",
    .defaults = &box_defaults};

static const scene_sphere sphere_defaults = {{0, 0, 0}, 1};
static const key sphere_keys[] = {
    {KEY(VECTOR, scene_sphere, center), WITHIN(-1e9, 1e9), .unit = "m", .help = "center"},
    {KEY(NUMBER, scene_sphere, radius), ABOVE(0, 1e9), .unit = "m", .help = "radius",
     .required = true},
};
static const key_table sphere_table = {TABLE(sphere_keys, scene_sphere), .name = "sphere",
                                       .help = "A ball in the mesh's own coordinates.",
                                       .defaults = &sphere_defaults};

static const scene_half_space half_space_defaults = {{0, 0, 0}, {0, 1, 0}};
static const key half_space_keys[] = {
    {KEY(VECTOR, scene_half_space, point), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "a point of the plane"},
    {KEY(VECTOR, scene_half_space, normal), WITHIN(-1e6, 1e6),
     .help = "direction out of the region; of any length", .required = true},
};
static const key_table half_space_table = {
    TABLE(half_space_keys, scene_half_space), .name = "half_space",
    .help = "What lies behind a plane, in the mesh's own coordinates.",
    .defaults = &half_space_defaults};

static const char* const surface_words[] = {"inside", "near", NULL};
static const scene_surface surface_defaults = {.distance = 0};
static const key surface_keys[] = {
    {KEY(OBJECT, scene_surface, mesh),
     .help = "triangles, or tets: their boundary; in the same coordinates", .inner = &mesh_table,
     .required = true},
    {KEY(NUMBER, scene_surface, distance), WITHIN(0, 1e9), .unit = "m",
     .help = "what is nearer than this counts too"},
    {KEY(WORD, scene_surface, what), .help = "near: not what is inside, only what is near",
     .words = surface_words},
};
static const key_table surface_table = {TABLE(surface_keys, scene_surface), .name = "surface",
                                        .help = "What a surface encloses, in the mesh's own "
                                                "coordinates; the surface may be open if only what "
                                                "is near counts.",
                                        .defaults = &surface_defaults};

static const scene_painted painted_defaults = {.color = {1, 0, 0}, .tolerance = 0.1};
static const key painted_keys[] = {
    {KEY(VECTOR, scene_painted, color), WITHIN(0, 65535),
     .help = "red, green, blue as the file has them; whole numbers of a .ply are shares of 255",
     .required = true},
    {KEY(NUMBER, scene_painted, tolerance), WITHIN(0, 65535),
     .help = "how far each of the three may be off"},
    {KEY(TEXT, scene_painted, file), .help = "a file beside the scene with the surface, in the "
                                             "same coordinates; absent: the body's own"},
};
static const key_table painted_table = {
    TABLE(painted_keys, scene_painted), .name = "painted",
    .help = "Where the nearest point of a surface has a color: of an .obj (v x y z red green "
            "blue), .ply "
            "(red, green, blue) or .glb (COLOR_0). What is inside goes with the skin above it.",
    .defaults = &painted_defaults};

// The shapes of a region, for everything that has one.
static const key region_keys[] = {
    {KEY(MAYBE, scene_region, box), .help = "what is inside of a box", .inner = &box_table},
    {KEY(MAYBE, scene_region, sphere), .help = "what is inside of a sphere",
     .inner = &sphere_table},
    {KEY(MAYBE, scene_region, half_space), .help = "what is behind a plane",
     .inner = &half_space_table},
    {KEY(MAYBE, scene_region, surface), .help = "what is inside of a surface, or near to it",
     .inner = &surface_table},
    {KEY(MAYBE, scene_region, painted), .help = "where the surface has a color",
     .inner = &painted_table},
};
const key_table region_table = {TABLE(region_keys, scene_region), .name = "region", .help = ""};

static const scene_near near_defaults = {.distance = 0};
static const key near_keys[] = {
    {KEY(INT, scene_near, body), WITHIN(0, 1000000),
     .help = "number of the other body in the scene, from 0; it has one copy", .required = true},
    {KEY(NUMBER, scene_near, distance), ABOVE(0, 1e9), .unit = "m",
     .help = "from its surface, where both start", .required = true},
};
const key_table near_table = {TABLE(near_keys, scene_near), .name = "follow",
                              .help = "Particles near to another body, or in it, go where that "
                                      "place of it goes. It does not feel "
                                      "them.",
                              .defaults = &near_defaults};
