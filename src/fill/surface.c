// Blue noise on triangles: darts are thrown at one part of their area after the other, in as many
// rounds as it takes to leave few gaps.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "fill/fill.h"
#include "mesh/limit.h"
#include <math.h>

enum { ROUNDS = 12, LEAST_DARTS = 100 };

typedef struct {
    const pliant_mesh* mesh;
    double* area; // [m^2] of all triangles up to each
    double all;
} target;

static bool measure(const pliant_mesh* mesh, target* out)
{
    *out = (target){.mesh = mesh};
    out->area = (double*)mem_array((size_t)mesh->triangle_count, sizeof(double));
    if (!out->area) return false;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        triangle shape = triangle_make(mesh->vertices, mesh->triangles + 3 * (ptrdiff_t)t);
        out->area[t] = out->all += triangle_area(&shape);
    }
    return true;
}

static int triangle_at(const target* t, double area)
{
    int low = 0, high = t->mesh->triangle_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (t->area[middle] > area)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static vec3 throw_dart(const target* t, double area, random_source* r)
{
    int number = triangle_at(t, area);
    triangle shape = triangle_make(t->mesh->vertices, t->mesh->triangles + 3 * (ptrdiff_t)number);
    double from = sqrt(random_unit(r)), along = random_unit(r);
    vec3 side = v3_add_scaled(shape.edge[0], along, shape.edge[1]);
    return v3_add_scaled(shape.corner[0], from, side);
}

static pliant_result check(const target* t, const pliant_fill_def* def)
{
    if (!(t->all > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the shape has no triangles with an area: there is no surface to put particles "
                    "on");
    double squares = t->all / (def->spacing * def->spacing);
    if (squares <= ELEMENT_LIMIT) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%.4g m^2 have %.4g particles at a spacing of %g m: too many, use a larger spacing",
                t->all, squares, def->spacing);
}

static bool scatter(const target* t, const pliant_fill_def* def, double radius, watcher* watch,
                    ball_list* out)
{
    random_source r = {(uint64_t)def->seed};
    double squares = t->all / (def->spacing * def->spacing);
    int darts = (int)fmax(ceil(squares), LEAST_DARTS);
    for (int round = 0; round < ROUNDS; ++round) {
        if (!watcher_share(watch, (double)round / ROUNDS)) return false;
        for (int i = 0; i < darts; ++i) {
            double area = t->all * (i + random_unit(&r)) / darts;
            vec3 place = throw_dart(t, area, &r);
            if (balls_room(out, place, radius, radius) < radius) continue;
            if (!balls_add(out, place, radius, 0)) return false;
        }
    }
    return true;
}

static pliant_result scatter_on(const pliant_mesh* mesh, const pliant_fill_def* def, watcher* watch,
                                ball_list* out)
{
    target t;
    double radius = def->radius > 0 ? def->radius : def->spacing / 2;
    balls_start(out, radius, radius, fmax(def->spacing - 2 * radius, 0));
    if (!measure(mesh, &t)) return PLIANT_ERROR_MEMORY;
    pliant_result result = check(&t, def);
    if (!result && !(scatter(&t, def, radius, watch, out) && balls_sort(out)))
        result = PLIANT_ERROR_MEMORY;
    mem_free(t.area);
    return result;
}

pliant_result surface_scatter(const pliant_mesh* shape, const pliant_fill_def* def, watcher* watch,
                              ball_list* out)
{
    pliant_mesh* boundary = NULL;
    if (shape->tet_count) {
        pliant_result result = pliant_mesh_boundary(shape, &boundary, NULL);
        if (result) return result;
    }
    pliant_result result = scatter_on(boundary ? boundary : shape, def, watch, out);
    pliant_mesh_destroy(boundary);
    return result;
}
