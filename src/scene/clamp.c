// Segments of rods that a pin holds by both ends: they are clamped, turn with the pin, and are let
// go with it.
#include "base/memory.h"
#include "math/rotation.h"
#include "scene/stage.h"

static const int* edges_of(const stage* s, const stage_body* body)
{
    return pliant_mesh_view(s->entries[body->entry].mesh).edges;
}

static bool holds(const selection* of, const int* edge)
{
    return selection_has(of, edge[0]) && selection_has(of, edge[1]);
}

pliant_result stage_clamp(const stage* s, const stage_body* body, const selection* of)
{
    int count = pliant_body_segment_count(s->world, body->id);
    const int* edge = edges_of(s, body);
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i, edge += 2)
        if (holds(of, edge)) result = pliant_body_clamp(s->world, body->id, i);
    return result;
}

void stage_unclamp(const stage* s, const stage_body* body, const selection* of)
{
    int count = pliant_body_segment_count(s->world, body->id);
    const int* edge = edges_of(s, body);
    for (int i = 0; i < count; ++i, edge += 2)
        if (holds(of, edge)) pliant_body_unclamp(s->world, body->id, i);
}

// From where it is now.
static void turn_segment(const stage* s, const stage_body* body, int segment, pliant_quat from,
                         quaternion by)
{
    quaternion to = turn_after(by, rotation_turn(from));
    const pliant_quat goal = {(float)to.x, (float)to.y, (float)to.z, (float)to.w};
    pliant_body_turn_clamp(s->world, body->id, segment, goal);
}

pliant_result stage_turn_clamps(const stage* s, const stage_body* body, const selection* of,
                                const double angle[3])
{
    int count = pliant_body_segment_count(s->world, body->id);
    const int* edge = edges_of(s, body);
    const quaternion by = turn_by(angle);
    if (count == 0) return PLIANT_OK;
    pliant_rod_segment* now = (pliant_rod_segment*)mem_array((size_t)count, sizeof *now);
    pliant_result result =
        now ? pliant_body_read_segments(s->world, body->id, now, count) : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count && !result; ++i, edge += 2)
        if (holds(of, edge)) turn_segment(s, body, i, now[i].rotation, by);
    mem_free(now);
    return result;
}
