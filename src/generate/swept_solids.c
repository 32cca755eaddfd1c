// Solids swept by a disk: cylinders and tori.
//
// The disk is a hexagon of six sectors bent round: ring k has 6 k vertices. Its vertices have three
// colors such that every triangle has one of each. A prism between two sections is cut into three
// tets along the way bottom 0, 1, 2, then top: ordering by color makes the cuts of neighbor
// prisms match, gives every inner vertex 24 tets and prefers no direction.
#include "math/circle.h"
#include "mesh/limit.h"
#include <math.h>

typedef struct {
    int rings;
    int layers;   // of prisms
    int sections; // of vertices: one more than layers, or as many when the last joins the first
} sweep;

static int disk_vertices(int rings) { return 1 + 3 * rings * (rings + 1); }
static int disk_triangles(int rings) { return 6 * rings * rings; }

// A place on the disk: `step` of 0 to `ring` along one of six sectors.
typedef struct {
    int ring, sector, step;
} disk_place;

static int disk_vertex(disk_place p)
{
    if (p.ring == 0) return 0;
    return 1 + 3 * p.ring * (p.ring - 1) + (p.sector * p.ring + p.step) % (6 * p.ring);
}

// Neighbor sectors mirror each other: the color falls along the one and rises along the other.
static int disk_color(disk_place p)
{
    int away = (p.ring + p.step) % 3;
    return p.sector & 1 ? (3 - away) % 3 : away;
}

// Colors 0, 1, 2 in the counter-clockwise sense.
static bool ascends_around(const int color[3]) { return (color[1] - color[0] + 3) % 3 == 1; }

// Three tets of the prism over a counter-clockwise triangle; `bottom` and `top` are the first
// vertices of its two sections.
static int* cut_prism(const disk_place triangle[3], int bottom, int top, int* tet)
{
    int color[3], low[3], high[3];
    for (int i = 0; i < 3; ++i) color[i] = disk_color(triangle[i]);
    for (int i = 0; i < 3; ++i) {
        low[color[i]] = bottom + disk_vertex(triangle[i]);
        high[color[i]] = top + disk_vertex(triangle[i]);
    }
    const int path[6] = {low[0], low[1], low[2], high[0], high[1], high[2]};
    // Tets leave out one color after the other: 0 1 2 2', 0 1 1' 2', 0 0' 1' 2'.
    static const int cut[3][4] = {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}};
    const bool positive = ascends_around(color);
    for (int t = 0; t < 3; ++t, tet += 4)
        for (int v = 0; v < 4; ++v) tet[v] = path[cut[t][v < 2 || positive ? v : 5 - v]];
    return tet;
}

static int* cut_layer(int rings, int bottom, int top, int* tet)
{
    for (int ring = 1; ring <= rings; ++ring)
        for (int sector = 0; sector < 6; ++sector)
            for (int step = 0; step < ring; ++step) {
                disk_place inner = {ring - 1, sector, step}, outer = {ring, sector, step};
                disk_place next = {ring, sector, step + 1};
                disk_place inner_next = {ring - 1, sector, step + 1};
                tet = cut_prism((disk_place[3]){inner, outer, next}, bottom, top, tet);
                if (step + 1 < ring)
                    tet = cut_prism((disk_place[3]){inner, next, inner_next}, bottom, top, tet);
            }
    return tet;
}

// Vertex `index` of a disk of radius 1.
static circle_point place_on_disk(int rings, int ring, int index)
{
    circle_point p = {0, 0};
    if (ring == 0) return p;
    p = circle_at(index, 6 * ring);
    p.cosine *= (double)ring / rings;
    p.sine *= (double)ring / rings;
    return p;
}

// Counts as whole numbers, when they are not too large for that.
static pliant_result plan_sweep(const char* what, double rings, double layers, bool closed,
                                sweep* out)
{
    double sections = closed ? layers : layers + 1;
    pliant_result result =
        check_size(what, (3 * rings * (rings + 1) + 1) * sections, 18 * rings * rings * layers);
    if (result) return result;
    sweep s = {(int)rings, (int)layers, (int)sections};
    *out = s;
    return PLIANT_OK;
}

// Maps a disk point of section `section` to space.
typedef void place_fn(const void* solid, circle_point p, int section, double* out_vertex);

// Vertices are numbered section by section, in each the center first and then ring by ring.
static void place_sections(const sweep* s, place_fn* place, const void* solid, double* vertex)
{
    for (int section = 0; section < s->sections; ++section)
        for (int ring = 0; ring <= s->rings; ++ring)
            for (int index = 0; index < (ring ? 6 * ring : 1); ++index, vertex += 3)
                place(solid, place_on_disk(s->rings, ring, index), section, vertex);
}

static pliant_result sweep_disk(const sweep* s, place_fn* place, const void* solid,
                                pliant_mesh** out)
{
    int section = disk_vertices(s->rings), prisms = disk_triangles(s->rings) * s->layers;
    pliant_mesh* mesh = mesh_allocate(section * s->sections, 3 * prisms, 0, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    int* tet = mesh->tets;
    for (int layer = 0; layer < s->layers; ++layer)
        tet = cut_layer(s->rings, section * layer, section * ((layer + 1) % s->sections), tet);
    place_sections(s, place, solid, mesh->vertices);
    *out = mesh;
    return PLIANT_OK;
}

// cells = length / cell, rounded up; a hair below a whole number counts as one.
static double cells_along(double ratio, int resolution)
{
    double cells = ceil(ratio * resolution * (1 - 1e-9));
    return cells < 1 ? 1 : cells;
}

typedef struct {
    double radius, height;
    int layers;
} cylinder;

static void place_in_cylinder(const void* solid, circle_point p, int section, double* out_vertex)
{
    const cylinder* c = (const cylinder*)solid;
    out_vertex[0] = c->radius * p.sine;
    out_vertex[1] = c->height * ((double)section / c->layers - 0.5);
    out_vertex[2] = c->radius * p.cosine;
}

pliant_result pliant_mesh_cylinder(double radius, double height, int resolution, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the radius of a cylinder", radius);
    if (!result) result = check_positive("the height of a cylinder", height);
    if (!result) result = check_resolution("a cylinder", resolution);
    if (result) return result;
    double smallest = fmin(2 * radius, height);
    sweep along;
    result = plan_sweep("the cylinder", cells_along(radius / smallest, resolution),
                        cells_along(height / smallest, resolution), false, &along);
    if (result) return result;
    cylinder solid = {radius, height, along.layers};
    return sweep_disk(&along, place_in_cylinder, &solid, out);
}

typedef struct {
    double ring, tube;
    int sections;
} torus;

static void place_in_torus(const void* solid, circle_point p, int section, double* out_vertex)
{
    const torus* t = (const torus*)solid;
    circle_point around = circle_at(section, t->sections);
    double distance = t->ring + t->tube * p.cosine;
    out_vertex[0] = distance * around.cosine;
    out_vertex[1] = t->tube * p.sine;
    out_vertex[2] = distance * around.sine;
}

pliant_result pliant_mesh_torus(double ring, double tube, int resolution, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the ring radius of a torus", ring);
    if (!result) result = check_positive("the tube radius of a torus", tube);
    if (!result) result = check_resolution("a torus", resolution);
    if (result) return result;
    if (!(tube < ring))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a torus with ring radius %g and tube radius %g: the tube has to be thinner",
                    ring, tube);
    const double pi = 3.14159265358979323846;
    sweep around;
    result = plan_sweep("the torus", cells_along(0.5, resolution),
                        cells_along(pi * ring / tube, resolution), true, &around);
    if (result) return result;
    torus solid = {ring, tube, around.sections};
    return sweep_disk(&around, place_in_torus, &solid, out);
}
