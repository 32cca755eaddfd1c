#include "base/cookie.h"
#include "base/platform.h"
#include "mesh/mesh.h"
#include "mesh/normals.h"
#include "skin/cloud.h"
#include "skin/sheet.h"
#include "world/residency.h"
#include "world/tearing.h"
#include <math.h>
#include <string.h>

struct pliant_skin {
    pliant_world* world;
    pliant_body_id* bodies;
    sheet_source* source; // of each body
    int body_count;
    device_place* place; // of each body on the device
    device_skin* remote; // or NULL: not there yet
    binding* bindings;   // of each vertex to tets,
    sheet cloth;         // or to cloth,
    cloud particles;     // or to particles
    pliant_vec3 *positions, *normals;
    normal_plan plan;
    pliant_skin_info info;
};

pliant_skin_def pliant_skin_defaults(void)
{
    pliant_skin_def def = {.body_count = 1, .cookie = COOKIE_SKIN};
    return def;
}

// ---- creation -----------------------------------------------------------------------------------

static pliant_result check_def(const pliant_skin_def* def)
{
    const pliant_mesh* m = def->surface;
    if (m->triangle_count == 0)
        return fail(PLIANT_ERROR_ARGUMENT, "a skin needs a surface with triangles");
    if (!(def->reach >= 0) || !isfinite(def->reach))
        return fail(PLIANT_ERROR_ARGUMENT, "the reach of a skin is negative or not finite");
    for (int64_t i = 0; def->normals && i < 3 * (int64_t)m->triangle_count; ++i)
        if (def->normals[i] < 0 || def->normals[i] >= def->normal_count)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "triangle %d of a skin has normal %d, but there are %d normals",
                        (int)(i / 3), def->normals[i], def->normal_count);
    return PLIANT_OK;
}

static double diagonal(const pliant_mesh* m)
{
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < m->vertex_count; ++i) {
            low = fmin(low, m->vertices[3 * i + axis]);
            high = fmax(high, m->vertices[3 * i + axis]);
        }
        square += (high - low) * (high - low);
    }
    return sqrt(square);
}

static pliant_result check_reach(const pliant_skin_def* def, double mean_edge, int corners,
                                 const pliant_skin_info* info)
{
    const char* all = corners == 4 ? "all tets" : corners == 3 ? "the cloth" : "all particles";
    double reach = def->reach > 0 ? def->reach : 0.5 * diagonal(def->surface);
    if (info->farthest_vertex < 0) return PLIANT_OK;
    const double* x = def->surface->vertices + 3 * (size_t)info->farthest_vertex;
    if (info->farthest > reach)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "vertex %d of the skin, at (%g, %g, %g), is %g m away from %s, more than "
                    "the reach of %g m: is it another model, or in other units?",
                    info->farthest_vertex, x[0], x[1], x[2], info->farthest, all, reach);
    if (corners == 1 && info->farthest > 3 * mean_edge)
        warn("vertex %d of the skin, at (%g, %g, %g), is %g m away from all particles, whose "
             "diameter is %g m: what is thinner has none of them, smaller ones would reach it",
             info->farthest_vertex, x[0], x[1], x[2], info->farthest, mean_edge);
    else if (info->farthest > 3 * mean_edge && corners == 3)
        warn(
            "vertex %d of the skin, at (%g, %g, %g), is %g m away from the cloth, whose edges have "
            "%g m: it swings with the smallest bend",
            info->farthest_vertex, x[0], x[1], x[2], info->farthest, mean_edge);
    else if (info->farthest > 3 * mean_edge)
        warn("vertex %d of the skin, at (%g, %g, %g), is %g m away from all tets, whose edges have "
             "%g m: what is thinner than an edge has no tets, more of them would reach it",
             info->farthest_vertex, x[0], x[1], x[2], info->farthest, mean_edge);
    return PLIANT_OK;
}

static bool allocate(pliant_skin* s, const pliant_skin_def* def)
{
    const pliant_mesh* m = def->surface;
    int normals = def->normals ? def->normal_count : m->vertex_count;
    s->body_count = def->body_count;
    s->info.vertices = m->vertex_count;
    s->info.triangles = m->triangle_count;
    s->info.normals = normals;
    s->bodies = (pliant_body_id*)mem_array((size_t)def->body_count, sizeof *s->bodies);
    s->source = (sheet_source*)mem_array((size_t)def->body_count, sizeof *s->source);
    s->place = (device_place*)mem_array((size_t)def->body_count, sizeof *s->place);
    s->positions = (pliant_vec3*)mem_array((size_t)m->vertex_count, sizeof(pliant_vec3));
    s->normals = (pliant_vec3*)mem_array((size_t)normals, sizeof(pliant_vec3));
    return s->bodies && s->source && s->place && s->positions && s->normals &&
           normal_plan_create(m->triangles, def->normals ? def->normals : m->triangles,
                              m->triangle_count, normals, &s->plan);
}

static pliant_result bind(pliant_skin* s, const pliant_skin_def* def, body* const* bodies,
                          carrier_pose* pose)
{
    if (pose->corners == 1)
        return cloud_create(pose, &s->world->exec, bodies, def->in_world, def->surface,
                            &s->particles, &s->info)
                   ? PLIANT_OK
                   : PLIANT_ERROR_MEMORY;
    if (pose->corners == 3)
        return sheet_create(pose, &s->world->exec, def->surface, &s->cloth, &s->info)
                   ? PLIANT_OK
                   : PLIANT_ERROR_MEMORY;
    s->bindings = (binding*)mem_array((size_t)def->surface->vertex_count, sizeof(binding));
    if (!s->bindings) return PLIANT_ERROR_MEMORY;
    return pose_bind(pose, &s->world->exec, bodies, def->surface, s->bindings, &s->info);
}

static pliant_result find_carriers(pliant_skin* s, const pliant_skin_def* def, body* const* bodies)
{
    carrier_pose pose;
    double start = platform_seconds();
    pliant_result result = pose_create(s->world, bodies, def->body_count, def->in_world, &pose);
    if (result) return result;
    platform_float_mode mode = platform_standard_floats();
    result = bind(s, def, bodies, &pose);
    platform_restore_float_mode(mode);
    if (!result) result = check_reach(def, pose.mean_edge, pose.corners, &s->info);
    s->info.seconds = platform_seconds() - start;
    pose_destroy(&pose);
    return result;
}

// What a body carries would be drawn out across its tears.
static pliant_result check_whole(const pliant_skin* s, int number)
{
    const body* b = world_body(s->world, s->bodies[number]);
    if (b->asset == body_whole(b) && !asset_tears(b->asset)) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "body %d of a skin %s: only its own surface follows that (no skin, or \"visual\": "
                "\"none\" in a scene)",
                number, b->asset == body_whole(b) ? "may tear" : "has come apart");
}

static pliant_result build(pliant_skin* s, const pliant_skin_def* def, body** bodies)
{
    if (!allocate(s, def)) return PLIANT_ERROR_MEMORY;
    memcpy(s->bodies, def->bodies, (size_t)def->body_count * sizeof *s->bodies);
    for (int i = 0; i < s->info.normals; ++i) s->normals[i] = (pliant_vec3){0, 0, 1};
    for (int i = 0; i < def->body_count; ++i) {
        bodies[i] = world_body(s->world, def->bodies[i]);
        if (!bodies[i]) return PLIANT_ERROR_ARGUMENT;
        pliant_result result = check_whole(s, i);
        if (result) return result;
    }
    pliant_result result = find_carriers(s, def, bodies);
    return result ? result : pliant_skin_update(s);
}

pliant_result pliant_skin_create(pliant_world* world, const pliant_skin_def* def, pliant_skin** out)
{
    if (!REQUIRE(world && out) || !REQUIRE_DEF(def, COOKIE_SKIN) ||
        !REQUIRE(def->surface && def->bodies && def->body_count > 0))
        return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_def(def);
    if (result) return result;
    pliant_skin* s = (pliant_skin*)mem_alloc_zero(sizeof *s);
    body** bodies = (body**)mem_array((size_t)def->body_count, sizeof *bodies);
    result = s && bodies ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        s->world = world;
        result = build(s, def, bodies);
    }
    mem_free(bodies);
    if (result)
        pliant_skin_destroy(s);
    else
        *out = s;
    return result;
}

void pliant_skin_destroy(pliant_skin* s)
{
    if (!s) return;
    if (s->remote) device_remove_skin(*s->world->gpu, s->remote);
    normal_plan_destroy(&s->plan);
    mem_free(s->bodies);
    mem_free(s->source);
    mem_free(s->place);
    mem_free(s->bindings);
    sheet_destroy(&s->cloth);
    cloud_destroy(&s->particles);
    mem_free(s->positions);
    mem_free(s->normals);
    mem_free(s);
}

// ---- motion -------------------------------------------------------------------------------------

enum { PIECE = 4096 }; // vertices, triangles or normals of a task

static void run_pieces(pliant_skin* s, pliant_task_fn* task, int count)
{
    executor_run(&s->world->exec, task, s, (count + PIECE - 1) / PIECE);
}

static int piece_end(int number, int count)
{
    return count - number * PIECE < PIECE ? count : (number + 1) * PIECE;
}

static void place_piece(int number, void* argument)
{
    pliant_skin* s = (pliant_skin*)argument;
    for (int i = number * PIECE; i < piece_end(number, s->info.vertices); ++i) {
        const binding* b = &s->bindings[i];
        float x[3];
        binding_place(b, s->source[b->body].rows, s->source[b->body].scalar_bytes, x);
        s->positions[i] = (pliant_vec3){x[0], x[1], x[2]};
    }
}

static void measure_piece(int number, void* argument)
{
    pliant_skin* s = (pliant_skin*)argument;
    normal_plan_areas(&s->plan, s->positions, number * PIECE,
                      piece_end(number, s->plan.triangle_count));
}

static void mean_piece(int number, void* argument)
{
    pliant_skin* s = (pliant_skin*)argument;
    normal_plan_means(&s->plan, s->normals, number * PIECE,
                      piece_end(number, s->plan.normal_count));
}

static pliant_result find_bodies(pliant_skin* s, bool* out_there)
{
    bool all_there = true, newer_there = false;
    for (int i = 0; i < s->body_count; ++i) {
        pliant_body_id id = s->bodies[i];
        if (!pliant_body_is_valid(s->world, id))
            return fail(PLIANT_ERROR_ARGUMENT, "body %d of a skin is not in the world any more", i);
        const body* b = world_body(s->world, id);
        pliant_result result = check_whole(s, i);
        if (result) return result;
        s->source[i] = (sheet_source){b->s.row, b->asset->plan.copies.first, b->s.scalar_bytes,
                                      b->matched.turn};
        s->place[i] = (device_place){b->remote, b->s.scalar_bytes};
        all_there = all_there && b->remote;
        newer_there = newer_there || (b->newer_there & STATE_ROWS);
    }
    *out_there = all_there && newer_there && s->bindings;
    return PLIANT_OK;
}

// By the device, where all bodies are and have tets: their rows stay there.
static pliant_result place_there(pliant_skin* s)
{
    device* gpu = *s->world->gpu;
    pliant_result result = worlds_send_changes(&s->world, 1);
    if (!result && !s->remote)
        result = device_add_skin(gpu, s->bindings, s->info.vertices, &s->remote);
    if (!result)
        result = device_place_skin(gpu, s->remote, s->place, s->body_count, &s->positions->x);
    if (!result) world_note_failures(s->world);
    return result;
}

static pliant_result place_here(pliant_skin* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (!body_fetch(s->world, world_body(s->world, s->bodies[i]), STATE_ROWS | STATE_SHAPES))
            return PLIANT_ERROR_DEVICE;
    if (s->bindings)
        run_pieces(s, place_piece, s->info.vertices);
    else if (s->particles.near)
        cloud_place(&s->particles, &s->world->exec, s->source, s->positions);
    else
        sheet_place(&s->cloth, &s->world->exec, s->source, s->positions);
    return PLIANT_OK;
}

static pliant_result update(pliant_skin* s)
{
    bool there = false;
    pliant_result result = find_bodies(s, &there);
    if (!result) result = there ? place_there(s) : place_here(s);
    if (result) return result;
    s->info.on_device = there;
    run_pieces(s, measure_piece, s->plan.triangle_count);
    run_pieces(s, mean_piece, s->plan.normal_count);
    return PLIANT_OK;
}

// The calling thread takes part, and rounds as the others do.
pliant_result pliant_skin_update(pliant_skin* s)
{
    if (!REQUIRE(s)) return PLIANT_ERROR_ARGUMENT;
    platform_float_mode mode = platform_standard_floats();
    pliant_result result = update(s);
    platform_restore_float_mode(mode);
    return result;
}

pliant_skin_info pliant_skin_describe(const pliant_skin* s)
{
    pliant_skin_info none = {0};
    return REQUIRE(s) ? s->info : none;
}

const pliant_vec3* pliant_skin_positions(const pliant_skin* s)
{
    return REQUIRE(s) ? s->positions : NULL;
}

const pliant_vec3* pliant_skin_normals(const pliant_skin* s)
{
    return REQUIRE(s) ? s->normals : NULL;
}
