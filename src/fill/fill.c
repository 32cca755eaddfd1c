// The public call: checks, the pattern, and a mesh of what was found.
#include "fill/fill.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "fill/members.h"
#include "geometry/box.h"
#include "mesh/limit.h"

// ---- checks -------------------------------------------------------------------------------------

// The largest radius with which no two particles overlap.
static double most_radius(const pliant_fill_def* def)
{
    double jitter = def->pattern == PLIANT_PATTERN_JITTERED ? def->jitter : 0;
    return (1 - jitter) * def->spacing / 2;
}

static pliant_result check_radii(const pliant_fill_def* def)
{
    double most = most_radius(def);
    if (def->radius > most * (1 + TOUCH))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "fill: particles of a radius of %g m overlap at a spacing of %g m: at most "
                    "%g m is possible with this pattern",
                    def->radius, def->spacing, most);
    if (!(def->radius > 0 || most > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "fill: a jitter of 1 leaves no room for particles: use less");
    if (def->pattern != PLIANT_PATTERN_NOISE || !(def->largest_radius > 0)) return PLIANT_OK;
    double least = def->radius > 0 ? def->radius : most;
    if (!(def->largest_radius >= least && def->largest_radius <= 1000 * least))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "fill: largest_radius is %g m: give 1 to 1000 times the radius, which is %g m",
                    def->largest_radius, least);
    return PLIANT_OK;
}

static pliant_result fail_small(const filling* f)
{
    vec3 side = v3_scale(f->solid.size, v3_sub(f->high, f->low));
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "no particle of a radius of %g m at a spacing of %g m is inside of the shape, which "
        "is %g x %g x %g m: use a smaller spacing",
        f->least * f->solid.size, f->def->spacing, side.x, side.y, side.z);
}

static pliant_result check_places(const filling* f, pliant_pattern pattern)
{
    double places = lattice_places(f, pattern);
    if (!(places > 0)) return fail_small(f);
    if (places <= ELEMENT_LIMIT) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the box of the shape has %.4g places at a spacing of %g m, and the limit is %d: "
                "use a larger spacing",
                places, f->def->spacing, (int)ELEMENT_LIMIT);
}

// ---- inside -------------------------------------------------------------------------------------

static void measure(filling* f)
{
    const pliant_fill_def* def = f->def;
    const pliant_mesh* m = f->solid.surface;
    f->low = f->high = v3(m->vertices[0], m->vertices[1], m->vertices[2]);
    for (ptrdiff_t i = 1; i < m->vertex_count; ++i) {
        vec3 p = v3(m->vertices[3 * i], m->vertices[3 * i + 1], m->vertices[3 * i + 2]);
        f->low = v3_low(f->low, p), f->high = v3_high(f->high, p);
    }
    double least = def->radius > 0 ? def->radius : most_radius(def);
    bool jittered = def->pattern == PLIANT_PATTERN_JITTERED;
    bool ranged = def->pattern == PLIANT_PATTERN_NOISE && def->largest_radius > 0;
    f->spacing = def->spacing / f->solid.size;
    f->least = least / f->solid.size;
    f->most = ranged ? def->largest_radius / f->solid.size : f->least;
    f->shift = jittered ? def->jitter * f->spacing / 2 : 0;
    balls_start(&f->balls, f->least, f->most, fmax(f->spacing - 2 * f->least, 0));
}

// Places and radii in units of `scale` around `center`; a radius of NULL: all have the least.
static pliant_mesh* mesh_of(const filling* f, const vec3* place, const double* radius, int count)
{
    bool in_solid = f->solid.surface != NULL; // else places are in meters
    double scale = in_solid ? f->solid.size : 1;
    pliant_mesh* mesh = mesh_allocate(count, 0, 0, 0);
    if (!mesh || !mesh_add_radii(mesh)) {
        pliant_mesh_destroy(mesh);
        return NULL;
    }
    for (ptrdiff_t i = 0; i < count; ++i) {
        const double at[3] = {place[i].x, place[i].y, place[i].z};
        for (int k = 0; k < 3; ++k) mesh->vertices[3 * i + k] = f->solid.center[k] + scale * at[k];
        mesh->vertex_radius[i] = scale * (radius ? radius[i] : f->least);
    }
    return mesh;
}

static pliant_result fill_with_noise(filling* f, pliant_mesh** out)
{
    if (!noise_fill(f)) return PLIANT_ERROR_MEMORY;
    if (f->balls.count == 0) return fail_small(f);
    if (!balls_sort(&f->balls)) return PLIANT_ERROR_MEMORY;
    *out = mesh_of(f, f->balls.place, f->balls.radius, f->balls.count);
    return *out ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result fill_with_lattice(filling* f, pliant_mesh** out)
{
    vec3* place = NULL;
    int count = 0;
    bool good = lattice_find(f, f->def->pattern, &place, &count);
    pliant_result result = good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (good && count == 0) result = fail_small(f);
    if (!result) *out = mesh_of(f, place, NULL, count);
    mem_free(place);
    return !result && !*out ? PLIANT_ERROR_MEMORY : result;
}

static pliant_result fill_inside(const pliant_mesh* shape, filling* f, pliant_mesh** out)
{
    bool noise = f->def->pattern == PLIANT_PATTERN_NOISE;
    pliant_result result = solid_create(shape, HOLES_FLAT, f->threads, &f->solid);
    if (!result) measure(f);
    if (!result) result = check_places(f, noise ? PLIANT_PATTERN_GRID : f->def->pattern);
    if (!result && !watcher_stage(f->watch, noise ? 0.3 : 1)) result = PLIANT_ERROR_CANCELED;
    if (!result) result = noise ? fill_with_noise(f, out) : fill_with_lattice(f, out);
    if (!f->solid.surface) return result;
    balls_release(&f->balls);
    solid_destroy(&f->solid);
    return result;
}

static pliant_result fill_surface(const pliant_mesh* shape, filling* f, pliant_mesh** out)
{
    ball_list* balls = &f->balls;
    pliant_result result = surface_scatter(shape, f->def, f->watch, balls);
    if (!result) *out = mesh_of(f, balls->place, balls->radius, balls->count);
    if (!result && !*out) result = PLIANT_ERROR_MEMORY;
    balls_release(balls);
    return result;
}

// ---- the call -----------------------------------------------------------------------------------

static pliant_result check_shape(const pliant_mesh* shape)
{
    if (shape->tet_count + shape->triangle_count > 0) return check_mesh_size(shape);
    return fail(PLIANT_ERROR_ARGUMENT,
                "the shape has %d vertices and neither tets nor triangles: it has no inside to be "
                "filled",
                shape->vertex_count);
}

static pliant_result fill(const pliant_mesh* shape, filling* f, pliant_mesh** out)
{
    bool surface = f->def->pattern == PLIANT_PATTERN_SURFACE;
    if (!watcher_stage(f->watch, surface ? 1 : 0.1)) return PLIANT_ERROR_CANCELED;
    pliant_result result = surface ? fill_surface(shape, f, out) : fill_inside(shape, f, out);
    return !result && !watcher_share(f->watch, 1) ? PLIANT_ERROR_CANCELED : result;
}

pliant_result pliant_mesh_fill(const pliant_mesh* shape, const pliant_fill_def* def,
                               pliant_mesh** out)
{
    if (!REQUIRE(shape && out) || !REQUIRE_DEF(def, COOKIE_FILL)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = table_check(&fill_members, def, "fill");
    if (!result) result = check_radii(def);
    if (!result) result = check_shape(shape);
    if (result) return result;
    watcher watch = {.call = def->progress, .context = def->context};
    filling f = {.def = def, .watch = &watch};
    f.threads = workers_create(def->threads ? def->threads : platform_core_count());
    if (!f.threads) return PLIANT_ERROR_MEMORY;
    platform_float_mode mode = platform_standard_floats();
    result = fill(shape, &f, out);
    platform_restore_float_mode(mode);
    workers_destroy(f.threads);
    if (watch.canceled)
        result = fail(PLIANT_ERROR_CANCELED, "the filling was canceled by its progress callback");
    if (!result) return PLIANT_OK;
    pliant_mesh_destroy(*out);
    *out = NULL;
    return result;
}
