// The public call: checks, the stages, and a mesh of what was found.
#include "surfacing/surfacing.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "mesh/limit.h"
#include "surfacing/blocks.h"
#include "surfacing/members.h"
#include "surfacing/smooth.h"
#include <math.h>
#include <string.h>

// ---- checks -------------------------------------------------------------------------------------

static pliant_result check_places(const pliant_points* p)
{
    bool apart = false;
    for (ptrdiff_t i = 0; i < p->count; ++i)
        for (int k = 0; k < 3; ++k) {
            if (!isfinite(p->positions[3 * i + k]))
                return fail(PLIANT_ERROR_ARGUMENT, "surface: particle %td is at %g %g %g", i,
                            p->positions[3 * i], p->positions[3 * i + 1], p->positions[3 * i + 2]);
            apart = apart || p->positions[3 * i + k] != p->positions[k];
        }
    if (apart || p->count == 1) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "surface: all %d particles are at one place: %g %g %g m",
                p->count, p->positions[0], p->positions[1], p->positions[2]);
}

static pliant_result check_speeds(const pliant_points* p)
{
    for (int i = 0; p->velocities && i < p->count; ++i) {
        const pliant_vec3* v = &p->velocities[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "surface: the velocity of particle %d is %g %g %g m/s", i, v->x, v->y,
                        v->z);
    }
    return PLIANT_OK;
}

// The smallest and the largest radius.
static pliant_result find_radii(const pliant_points* p, double given, double* out_least,
                                double* out_most)
{
    *out_least = *out_most = given;
    if (given > 0) return PLIANT_OK;
    if (!p->radii)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "surface: the particles have no radii: give one, half of the way from a "
                    "particle to the next");
    *out_least = INFINITY;
    for (int i = 0; i < p->count; ++i) {
        if (!(p->radii[i] > 0 && isfinite(p->radii[i])))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "surface: particle %d has a radius of %g m: it must be above 0", i,
                        p->radii[i]);
        *out_least = fmin(*out_least, p->radii[i]);
        *out_most = fmax(*out_most, p->radii[i]);
    }
    return PLIANT_OK;
}

static pliant_result check_cell(double cell, double least, double most)
{
    const double LARGEST = 2, SMALLEST = 0.02; // in radii
    if (cell > LARGEST * least)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "surface: cells of %g m are too large for particles of a radius of %g m: use "
                    "%g m at most",
                    cell, least, LARGEST * least);
    if (cell < SMALLEST * most)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "surface: cells of %g m are too small for particles of a radius of %g m: use "
                    "%g m at least",
                    cell, most, SMALLEST * most);
    return PLIANT_OK;
}

static pliant_result check(surfacing* s)
{
    double least;
    pliant_result result = table_check(&surface_members, s->def, "surface");
    if (!result && s->in->count <= 0)
        result = fail(PLIANT_ERROR_ARGUMENT, "surface: there are no particles");
    if (!result) result = check_size("surface", s->in->count, s->in->count);
    if (!result) result = check_places(s->in);
    if (!result) result = check_speeds(s->in);
    if (!result) result = find_radii(s->in, s->def->radius, &least, &s->radius);
    if (result) return result;
    s->cell = s->def->cell > 0 ? s->def->cell : least;
    return check_cell(s->cell, least, s->radius);
}

// ---- stages -------------------------------------------------------------------------------------

static pliant_result stage(surfacing* s, double end)
{
    return watcher_stage(s->watch, end) ? PLIANT_OK : PLIANT_ERROR_CANCELED;
}

static pliant_result find_triangles(surfacing* s, block_list* b, pliant_mesh** out,
                                    pliant_surface_report* report)
{
    double start = platform_seconds();
    pliant_result result = stage(s, 0.2);
    if (!result) result = bins_fill(s);
    report->sort_seconds = platform_seconds() - start;
    if (!result) result = stage(s, 0.35);
    if (!result && !(field_share(s) && blocks_find(s, b))) result = PLIANT_ERROR_MEMORY;
    report->share_seconds = platform_seconds() - start - report->sort_seconds;
    if (!result) result = stage(s, 0.7);
    if (!result) result = blocks_sample(s, b);
    if (result) return result;
    *out = mesh_allocate(b->vertex_count, 0, b->triangle_count, 0);
    if (!*out) return PLIANT_ERROR_MEMORY;
    memcpy((*out)->vertices, b->vertex, 3 * (size_t)b->vertex_count * sizeof(double));
    blocks_connect(s, b, (*out)->triangles);
    report->sample_seconds =
        platform_seconds() - start - report->sort_seconds - report->share_seconds;
    report->blocks = b->surface_count;
    return PLIANT_OK;
}

static pliant_result polish(surfacing* s, pliant_mesh* mesh, pliant_surface_report* report)
{
    double start = platform_seconds();
    surface_sides sides;
    pliant_result result = stage(s, 1);
    bool good = !result && sides_create(s->threads, mesh->triangles, mesh->vertex_count,
                                        mesh->triangle_count, &sides);
    if (!result && !good) sides_release(&sides);
    if (!good) return result ? result : PLIANT_ERROR_MEMORY;
    good = sides_smooth(&sides, s->def->smoothing, s->watch, mesh->vertices);
    report->normals = (pliant_vec3*)mem_array((size_t)mesh->vertex_count, sizeof(pliant_vec3));
    good = good && report->normals;
    if (good) sides_normals(&sides, mesh->vertices, report->normals);
    sides_release(&sides);
    report->smooth_seconds = platform_seconds() - start;
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result make(surfacing* s, pliant_mesh** out, pliant_surface_report* report)
{
    block_list blocks = {.count = 0};
    pliant_result result = find_triangles(s, &blocks, out, report);
    bins_release(s);
    if (!result) result = polish(s, *out, report);
    report->velocities = blocks.speed;
    blocks.speed = NULL;
    blocks_release(&blocks);
    report->radius = s->radius;
    report->cell = s->cell;
    if (!result && !watcher_share(s->watch, 1)) result = PLIANT_ERROR_CANCELED;
    return result;
}

static void release_report(pliant_surface_report* r)
{
    mem_free(r->normals);
    mem_free(r->velocities);
    *r = (pliant_surface_report){.blocks = 0};
}

pliant_result pliant_mesh_surface(const pliant_points* points, const pliant_surface_def* def,
                                  pliant_mesh** out, pliant_surface_report* out_report)
{
    if (!REQUIRE(points && out) || !REQUIRE_DEF(def, COOKIE_SURFACE) ||
        !REQUIRE(points->positions || points->count == 0))
        return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_surface_report report = {.blocks = 0};
    if (out_report) *out_report = report;
    watcher watch = {.call = def->progress, .context = def->context};
    surfacing s = {.in = points, .def = def, .watch = &watch, .count = points->count};
    pliant_result result = check(&s);
    if (result) return result;
    s.threads = workers_create(def->threads ? def->threads : platform_core_count());
    if (!s.threads) return PLIANT_ERROR_MEMORY;
    platform_float_mode mode = platform_standard_floats();
    result = make(&s, out, &report);
    platform_restore_float_mode(mode);
    workers_destroy(s.threads);
    if (watch.canceled)
        result = fail(PLIANT_ERROR_CANCELED, "the surface was canceled by its progress callback");
    if (!result && out_report)
        *out_report = report;
    else
        release_report(&report);
    if (!result) return PLIANT_OK;
    pliant_mesh_destroy(*out);
    *out = NULL;
    return result;
}
