// Points by where they are: in a box, a ball, behind a plane, inside or near a surface, below a
// color.
#define PRECISION_DOUBLE
#include "geometry/select.h"
#include "base/cookie.h"
#include "geometry/palette.h"
#include "mesh/mesh.h"
#include <math.h>

pliant_region pliant_region_defaults(void)
{
    pliant_region r = {.min = {-INFINITY, -INFINITY, -INFINITY},
                       .max = {INFINITY, INFINITY, INFINITY},
                       .radius = INFINITY,
                       .tolerance = 0.1,
                       .cookie = COOKIE_REGION};
    return r;
}

static bool is_at_surface(const pliant_region* r, const locator* s, const double p[3])
{
    if (!r->hollow && locator_is_inside(s, p)) return true;
    return r->distance > 0 && locator_nearest(s, p, r->distance) >= 0;
}

// ---- shapes -------------------------------------------------------------------------------------

static bool is_in_shapes(const pliant_region* r, const double p[3])
{
    double square = 0, height = 0;
    for (int k = 0; k < 3; ++k) {
        if (p[k] < r->min[k] || p[k] > r->max[k]) return false;
        square += (p[k] - r->center[k]) * (p[k] - r->center[k]);
        height += (p[k] - r->point[k]) * r->normal[k];
    }
    return square <= r->radius * r->radius && height <= 0;
}

static pliant_result check_region(const pliant_region* r)
{
    for (int k = 0; k < 3; ++k)
        if (!(r->min[k] <= r->max[k]))
            return fail(PLIANT_ERROR_ARGUMENT, "the box of a region is empty: %g to %g", r->min[k],
                        r->max[k]);
    if (!(r->radius >= 0 && r->distance >= 0 && r->tolerance >= 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the radius %g, the distance %g and the tolerance %g of a region have to be 0 "
                    "or more",
                    r->radius, r->distance, r->tolerance);
    return PLIANT_OK;
}

static pliant_result fail_empty(const double* points, int count)
{
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = points[3 * (size_t)i + (size_t)k];
            low[k] = i ? fmin(low[k], x) : x;
            high[k] = i ? fmax(high[k], x) : x;
        }
    return fail(PLIANT_ERROR_ARGUMENT,
                "none of %d points is in the region: they lie between (%g, %g, %g) and (%g, %g, "
                "%g)",
                count, low[0], low[1], low[2], high[0], high[1], high[2]);
}

pliant_result region_find(const pliant_region* region, const double* points, int count,
                          int* out_index, int* out_count)
{
    locator surface = {.extent = 0};
    palette colors = {.surface = NULL};
    *out_count = 0;
    pliant_result result = check_region(region);
    if (!result && region->surface) result = locator_open(region->surface, &surface);
    if (!result && region->painted) result = palette_open(region, &colors);
    for (int i = 0; i < count && !result; ++i) {
        const double* p = points + 3 * (size_t)i;
        if (is_in_shapes(region, p) && (!region->surface || is_at_surface(region, &surface, p)) &&
            (!region->painted || palette_is_at(&colors, p)))
            out_index[(*out_count)++] = i;
    }
    locator_close(&surface);
    palette_close(&colors);
    return result;
}

pliant_result pliant_region_select(const pliant_region* region, const double* points, int count,
                                   int* out_index, int* out_count)
{
    if (!REQUIRE_DEF(region, COOKIE_REGION) ||
        !REQUIRE(count >= 0 && (points || !count) && (out_index || !count) && out_count))
        return PLIANT_ERROR_ARGUMENT;
    pliant_result result = region_find(region, points, count, out_index, out_count);
    return !result && *out_count == 0 ? fail_empty(points, count) : result;
}

// ---- tets ---------------------------------------------------------------------------------------

static void find_middles(const pliant_mesh* mesh, double* out)
{
    for (size_t t = 0; t < (size_t)mesh->tet_count; ++t)
        for (size_t k = 0; k < 3; ++k) {
            double sum = 0;
            for (size_t c = 0; c < 4; ++c)
                sum += mesh->vertices[3 * (size_t)mesh->tets[4 * t + c] + k];
            out[3 * t + k] = sum / 4;
        }
}

pliant_result pliant_mesh_paint(pliant_mesh* mesh, const pliant_region* region, int number)
{
    if (!REQUIRE(mesh)) return PLIANT_ERROR_ARGUMENT;
    size_t count = (size_t)mesh->tet_count;
    int found = 0, *index = (int*)mem_array(count, sizeof(int));
    int* numbers = mesh->tet_region ? mesh->tet_region : (int*)mem_array_zero(count, sizeof(int));
    double* middle = (double*)mem_array(3 * count, sizeof(double));
    pliant_result result = index && numbers && middle ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        find_middles(mesh, middle);
        result = pliant_region_select(region, middle, mesh->tet_count, index, &found);
    }
    for (int i = 0; i < found && !result; ++i) numbers[index[i]] = number;
    if (result && !mesh->tet_region) mem_free(numbers);
    if (!result) mesh->tet_region = numbers;
    mem_free(index);
    mem_free(middle);
    return result;
}
