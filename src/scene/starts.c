// Regions of a body that start with temperatures and velocities of their own.
#include "base/memory.h"
#include "scene/stage.h"
#include <math.h>

static const scene_start* start_at(const scene_body* b, int i)
{
    return (const scene_start*)b->starts.item + i;
}

static bool moves(const scene_start* start)
{
    return !isnan(start->velocity[0]) || start->vortex.count;
}

// Biot and Savart's law along a thin ring, G / (4 pi) dl x r / (r^2 + core^2)^(3/2): a circle of
// many short pieces.
void vortex_velocity(const scene_vortex* v, const double at[3], double out[3])
{
    enum { PIECES = 96 };
    const double pi = 3.14159265358979323846, piece = 2 * pi / PIECES;
    const double* a = v->axis;
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), along = 0, from = 0, aside[3];
    for (int k = 0; k < 3; ++k) along += (at[k] - v->center[k]) * a[k] / length;
    for (int k = 0; k < 3; ++k) {
        aside[k] = at[k] - v->center[k] - along * a[k] / length;
        from += aside[k] * aside[k];
        out[k] = 0;
    }
    from = sqrt(from);
    // Seen from above the place is at (from, 0): by symmetry it goes out and along the axis alone.
    double outward = 0, forward = 0;
    for (int i = 0; i < PIECES; ++i) {
        double turn = (i + 0.5) * piece, c = cos(turn), s = sin(turn);
        double x = from - v->radius * c, z = -v->radius * s;
        double square = x * x + z * z + along * along + v->core * v->core;
        double by = v->circulation / (4 * pi) * v->radius * piece / (square * sqrt(square));
        outward += by * along * c;
        forward += by * -(x * c + z * s);
    }
    for (int k = 0; k < 3; ++k)
        out[k] = forward * a[k] / length + (from > 0 ? outward * aside[k] / from : 0);
}

static pliant_result check(const scene_body* b, const scene_start* start, const place* at)
{
    if (!isnan(start->temperature) && !(b->soft.heat.temperature > 0))
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "it has a temperature, but the body knows no heat: give its \"heat\" one");
    const scene_vortex* v = (const scene_vortex*)start->vortex.item;
    if (v && v->axis[0] == 0 && v->axis[1] == 0 && v->axis[2] == 0)
        return fail_at(PLIANT_ERROR_ARGUMENT, at, "the axis of its vortex points nowhere");
    if (moves(start) && b->soft.rigid)
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "it has a velocity, but the body is rigid: give it to the whole body");
    return PLIANT_OK;
}

pliant_result stage_select_starts(const stage* s, stage_entry* entry, const place* at)
{
    const scene_body* b = entry->source;
    place starts = place_key(at, "starts");
    pliant_result result = PLIANT_OK;
    entry->starts = (selection*)mem_array_zero((size_t)b->starts.count + 1, sizeof(selection));
    if (!entry->starts) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < b->starts.count && !result; ++i) {
        place item = place_item(&starts, i);
        result = check(b, start_at(b, i), &item);
        if (!result)
            result = region_select(s, &start_at(b, i)->region, entry, &item, &entry->starts[i]);
    }
    return result;
}

static pliant_result set_temperatures(const stage* s, pliant_body_id id, const stage_entry* entry,
                                      float* scratch, int count)
{
    pliant_result result = pliant_body_read_temperatures(s->world, id, scratch, count);
    for (int i = 0; i < entry->source->starts.count; ++i) {
        const selection* of = &entry->starts[i];
        const double to = start_at(entry->source, i)->temperature;
        for (int k = 0; k < of->count && !isnan(to); ++k) scratch[of->particle[k]] = (float)to;
    }
    return result ? result : pliant_body_write_temperatures(s->world, id, scratch, count);
}

static void add_vortex(const scene_start* start, const stage_entry* entry, const selection* of,
                       pliant_vec3* velocities)
{
    const double *at = pliant_mesh_view(entry->mesh).vertices, scale = entry->source->scale;
    for (int i = 0; i < of->count; ++i) {
        double from[3], v[3];
        pliant_vec3* to = &velocities[of->particle[i]];
        for (int k = 0; k < 3; ++k) from[k] = at[3 * (size_t)of->particle[i] + (size_t)k] / scale;
        vortex_velocity((const scene_vortex*)start->vortex.item, from, v);
        to->x += (float)v[0], to->y += (float)v[1], to->z += (float)v[2];
    }
}

static pliant_result set_velocities(const stage* s, pliant_body_id id, const stage_entry* entry,
                                    pliant_vec3* scratch, int count)
{
    pliant_result result = pliant_body_read_velocities(s->world, id, scratch, count);
    for (int i = 0; i < entry->source->starts.count; ++i) {
        const selection* of = &entry->starts[i];
        const double* v = start_at(entry->source, i)->velocity;
        for (int k = 0; k < of->count && !isnan(v[0]); ++k)
            scratch[of->particle[k]] = (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
        if (start_at(entry->source, i)->vortex.count)
            add_vortex(start_at(entry->source, i), entry, of, scratch);
    }
    return result ? result : pliant_body_write_velocities(s->world, id, scratch, count);
}

pliant_result stage_start(const stage* s, const stage_body* body)
{
    const stage_entry* entry = &s->entries[body->entry];
    const scene_body* b = entry->source;
    int count = pliant_body_particle_count(s->world, body->id);
    bool warm = false, fast = false;
    for (int i = 0; i < b->starts.count; ++i) {
        warm = warm || !isnan(start_at(b, i)->temperature);
        fast = fast || moves(start_at(b, i));
    }
    if (!warm && !fast) return PLIANT_OK;
    pliant_vec3* scratch = (pliant_vec3*)mem_array((size_t)count, sizeof(pliant_vec3));
    if (!scratch) return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    if (warm) result = set_temperatures(s, body->id, entry, &scratch->x, count);
    if (fast && !result) result = set_velocities(s, body->id, entry, scratch, count);
    mem_free(scratch);
    return result;
}
