// Particles that go with the surface of another body.
#define PRECISION_DOUBLE
#include "base/memory.h"
#include "geometry/locator.h"
#include "scene/stage.h"
#include <math.h>
#include <string.h>

// The frame of a triangle: its first corner, two edges and the normal of length 1.
typedef struct {
    vec3 origin, edge1, edge2, normal;
} frame;

static vec3 at(const double* x, int i)
{
    return v3(x[3 * (size_t)i], x[3 * (size_t)i + 1], x[3 * (size_t)i + 2]);
}

static frame frame_of(const double* x, const int corner[3])
{
    frame f = {.origin = at(x, corner[0])};
    f.edge1 = v3_sub(at(x, corner[1]), f.origin);
    f.edge2 = v3_sub(at(x, corner[2]), f.origin);
    vec3 n = v3_cross(f.edge1, f.edge2);
    double length = sqrt(v3_dot(n, n));
    f.normal = length > 0 ? v3_scale(1 / length, n) : v3_zero();
    return f;
}

static void to_local(const frame* f, vec3 point, double out[3])
{
    vec3 d = v3_sub(point, f->origin);
    double a = v3_dot(f->edge1, f->edge1), b = v3_dot(f->edge1, f->edge2),
           c = v3_dot(f->edge2, f->edge2), u = v3_dot(d, f->edge1), v = v3_dot(d, f->edge2);
    double det = a * c - b * b, inverse = det > 0 ? 1 / det : 0;
    out[0] = (c * u - b * v) * inverse;
    out[1] = (a * v - b * u) * inverse;
    out[2] = v3_dot(d, f->normal);
}

static void from_local(const frame* f, const double local[3], double out[3])
{
    vec3 p = v3_add_scaled(f->origin, local[0], f->edge1);
    p = v3_add_scaled(v3_add_scaled(p, local[1], f->edge2), local[2], f->normal);
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

// ---- binding ------------------------------------------------------------------------------------

static double* read_places(const stage* s, int body, int* out_count)
{
    pliant_body_id id = s->bodies[body].id;
    *out_count = pliant_body_particle_count(s->world, id);
    double* x = (double*)mem_array(3 * (size_t)*out_count, sizeof(double));
    if (x && pliant_body_read_positions_exact(s->world, id, x, *out_count) == PLIANT_OK) return x;
    mem_free(x);
    return NULL;
}

// The leader's surface where it is now, with the numbers of its particles.
static pliant_result pose_surface(const stage* s, int leader, pliant_mesh** out)
{
    int count = 0;
    pliant_mesh_arrays a = pliant_mesh_view(s->entries[s->bodies[leader].entry].mesh);
    double* x = read_places(s, leader, &count);
    if (!x) return PLIANT_ERROR_MEMORY;
    a.vertices = x;
    pliant_mesh* posed = NULL;
    pliant_result result = pliant_mesh_create(&a, &posed);
    mem_free(x);
    *out = posed;
    return result;
}

static pliant_result list_triangles(const pliant_mesh* posed, pliant_mesh** out, int* numbers)
{
    pliant_mesh_arrays a = pliant_mesh_view(posed);
    if (a.tet_count) return pliant_mesh_boundary(posed, out, numbers);
    for (int v = 0; v < a.vertex_count; ++v) numbers[v] = v;
    return pliant_mesh_create(&a, out);
}

static bool reserve(follower* f, int count)
{
    f->particles.particle = (int*)mem_array((size_t)count, sizeof(int));
    f->corner = (int*)mem_array(3 * (size_t)count, sizeof(int));
    f->local = (double*)mem_array(3 * (size_t)count, sizeof(double));
    return f->particles.particle && f->corner && f->local;
}

static void bind_one(follower* f, int particle, vec3 point, const pliant_mesh_arrays* surface,
                     const int* numbers, int triangle_number)
{
    const int* corner = surface->triangles + 3 * (size_t)triangle_number;
    frame here = frame_of(surface->vertices, corner);
    size_t i = (size_t)f->particles.count++;
    f->particles.particle[i] = particle;
    to_local(&here, point, f->local + 3 * i);
    for (size_t k = 0; k < 3; ++k) f->corner[3 * i + k] = numbers[corner[k]];
}

// Those of the selection that are nearer than the distance or inside.
static pliant_result bind_near(const stage* s, follower* f, const selection* of, double distance,
                               const pliant_mesh* surface, const int* numbers)
{
    locator where;
    int count = 0;
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    double* x = read_places(s, f->body, &count);
    pliant_result result = locator_open(surface, &where);
    if (!result && !(x && reserve(f, of->count))) result = PLIANT_ERROR_MEMORY;
    for (int i = 0; i < of->count && !result; ++i) {
        const double* p = x + 3 * (size_t)of->particle[i];
        int nearest = locator_nearest(&where, p, distance);
        if (nearest < 0 && locator_is_inside(&where, p))
            nearest = locator_nearest(&where, p, INFINITY);
        if (nearest < 0) continue;
        bind_one(f, of->particle[i], at(p, 0), &a, numbers, nearest);
        pliant_body_pin(s->world, s->bodies[f->body].id, of->particle[i]);
    }
    locator_close(&where);
    mem_free(x);
    return result;
}

static pliant_result bind(const stage* s, follower* f, const selection* of, double distance)
{
    pliant_mesh *posed = NULL, *surface = NULL;
    pliant_result result = pose_surface(s, f->leader, &posed);
    int* numbers =
        result ? NULL : (int*)mem_array((size_t)pliant_mesh_view(posed).vertex_count, sizeof(int));
    if (!result && !numbers) result = PLIANT_ERROR_MEMORY;
    if (!result) result = list_triangles(posed, &surface, numbers);
    if (!result) result = bind_near(s, f, of, distance, surface, numbers);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(posed);
    mem_free(numbers);
    return result;
}

// The only body of an entry.
static pliant_result find_leader(const stage* s, const scene_near* near, int entry,
                                 const place* where, int* out)
{
    if (near->body >= s->scene->bodies.count || near->body == entry)
        return fail_at(PLIANT_ERROR_ARGUMENT, where,
                       "body %d: give the number of another body, 0 to %d", near->body,
                       s->scene->bodies.count - 1);
    int found = 0;
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].entry == near->body) *out = i, found++;
    if (found == 1) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, where, "body %d has %d copies: only one can be followed",
                   near->body, found);
}

static pliant_result bind_pin(stage* s, int body, int number, const place* top)
{
    int entry = s->bodies[body].entry;
    const scene_pin* pin = (const scene_pin*)s->entries[entry].source->pins.item + number;
    const scene_near* near = (const scene_near*)pin->follow.item;
    if (!near) return PLIANT_OK;
    place bodies = place_key(top, "bodies"), item = place_item(&bodies, entry),
          pins = place_key(&item, "pins"), one = place_item(&pins, number),
          where = place_key(&one, "follow");
    follower* f = &s->followers[s->follower_count];
    *f = (follower){.body = body, .release = pin->release};
    pliant_result result = find_leader(s, near, entry, &where, &f->leader);
    if (result) return result;
    s->follower_count++;
    result = stage_at_place(bind(s, f, &s->entries[entry].pins[number], near->distance), &where);
    if (!result && f->particles.count == 0)
        result = fail_at(PLIANT_ERROR_ARGUMENT, &where,
                         "no particle of this pin is within %g m of body %d", near->distance,
                         near->body);
    return result;
}

pliant_result stage_bind_followers(stage* s, const place* top)
{
    size_t most = 1;
    for (int i = 0; i < s->body_count; ++i)
        most += (size_t)s->entries[s->bodies[i].entry].source->pins.count;
    s->followers = (follower*)mem_array_zero(most, sizeof *s->followers);
    pliant_result result = s->followers ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < s->body_count && !result; ++i)
        for (int p = 0; p < s->entries[s->bodies[i].entry].source->pins.count && !result; ++p)
            result = bind_pin(s, i, p, top);
    return result;
}

void stage_release_followers(stage* s)
{
    for (int i = 0; i < s->follower_count; ++i) {
        mem_free(s->followers[i].particles.particle);
        mem_free(s->followers[i].corner);
        mem_free(s->followers[i].local);
    }
    mem_free(s->followers);
}

// ---- driving ------------------------------------------------------------------------------------

// Where the leader's particles will be after the step if their velocities stay.
static double* foresee(const stage* s, int leader, double dt)
{
    int count = 0;
    double* x = read_places(s, leader, &count);
    pliant_vec3* v = (pliant_vec3*)mem_array((size_t)count, sizeof *v);
    if (x && v &&
        pliant_body_read_velocities(s->world, s->bodies[leader].id, v, count) == PLIANT_OK) {
        for (size_t i = 0; i < (size_t)count; ++i) {
            x[3 * i] += dt * (double)v[i].x;
            x[3 * i + 1] += dt * (double)v[i].y;
            x[3 * i + 2] += dt * (double)v[i].z;
        }
    }
    mem_free(v);
    return x;
}

static void follow(const stage* s, const follower* f, double dt)
{
    double* x = foresee(s, f->leader, dt);
    for (int i = 0; x && i < f->particles.count; ++i) {
        double target[3];
        frame now = frame_of(x, f->corner + 3 * (size_t)i);
        from_local(&now, f->local + 3 * (size_t)i, target);
        pliant_body_move_pin(s->world, s->bodies[f->body].id, f->particles.particle[i], target);
    }
    mem_free(x);
}

void stage_drive_followers(const stage* s, double time, double dt)
{
    for (int i = 0; i < s->follower_count; ++i) {
        const follower* f = &s->followers[i];
        bool released = f->release <= time; // never for NaN
        if (!released) follow(s, f, dt);
        if (released && f->release > time - dt) stage_let_go(s, f->body, &f->particles, time);
    }
}
