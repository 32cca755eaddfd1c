#include "touch.h"
#include "base/memory.h"
#include <math.h>

static json_t* vector(const double v[3])
{
    json_t* out = json_array();
    for (int k = 0; k < 3; ++k)
        json_array_append_new(out, isfinite(v[k]) ? json_real(v[k]) : json_null());
    return out;
}

// Bodies have the slots of their numbers: a stage removes none.
static json_t* numbers_of(const pliant_body_id body[2])
{
    return json_pack("[ii]", (int)body[0].index1 - 1, (int)body[1].index1 - 1);
}

static json_t* pair_forces(const pliant_world* world)
{
    json_t* out = json_array();
    int count = 0;
    if (pliant_world_read_pair_forces(world, NULL, 0, &count)) return out;
    pliant_pair_force* pair = (pliant_pair_force*)mem_array((size_t)count + 1, sizeof *pair);
    if (!pair || pliant_world_read_pair_forces(world, pair, count, &count)) count = 0;
    for (int i = 0; i < count; ++i)
        json_array_append_new(out,
                              json_pack("{so si so so}", "bodies", numbers_of(pair[i].body),
                                        "contacts", pair[i].contacts, "force",
                                        vector(pair[i].force), "torque", vector(pair[i].torque)));
    mem_free(pair);
    return out;
}

// Adds the lists "began" and "ended".
static void add_events(const pliant_world* world, json_t* out)
{
    json_t* lists[2] = {json_array(), json_array()};
    int count = 0;
    if (pliant_world_read_touch_events(world, NULL, 0, &count)) count = 0;
    pliant_touch_event* event = (pliant_touch_event*)mem_array((size_t)count + 1, sizeof *event);
    if (!event || pliant_world_read_touch_events(world, event, count, &count)) count = 0;
    for (int i = 0; i < count; ++i)
        json_array_append_new(lists[event[i].kind == PLIANT_TOUCH_ENDED],
                              numbers_of(event[i].body));
    mem_free(event);
    json_object_set_new(out, "began", lists[0]);
    json_object_set_new(out, "ended", lists[1]);
}

json_t* touch_of_bodies(const stage* s)
{
    pliant_contact_stats c = pliant_world_contact_stats(s->world);
    json_t* out = json_pack("{si si sf si si si sf sf}", "contacts", c.contacts, "near_pairs",
                            c.near_pairs, "deepest", c.deepest, "guard_rounds", c.guard_rounds,
                            "stopped", c.stopped, "squeezed", c.squeezed, "guarded", c.guarded,
                            "guarded_angular", c.guarded_angular);
    if (!out) return NULL;
    json_object_set_new(out, "pairs", pair_forces(s->world));
    add_events(s->world, out);
    return out;
}

json_t* tears_of_bodies(const stage* s)
{
    json_t* out = json_array();
    int count = 0;
    pliant_world_read_tear_events(s->world, NULL, 0, &count);
    pliant_tear_event* event = (pliant_tear_event*)mem_array((size_t)count + 1, sizeof *event);
    if (!event || pliant_world_read_tear_events(s->world, event, count, &count)) count = 0;
    for (int i = 0; i < count; ++i)
        json_array_append_new(out, json_pack("{si si si so sf sf sf}", "body",
                                             (int)event[i].body.index1 - 1, "particle",
                                             event[i].particle, "twin", event[i].twin, "at",
                                             vector(event[i].place), "force", event[i].force,
                                             "size", event[i].size, "energy", event[i].energy));
    mem_free(event);
    return out;
}

json_t* touch_of_colliders(const stage* s)
{
    json_t* out = json_array();
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        double force[3] = {NAN, NAN, NAN}, torque[3] = {NAN, NAN, NAN};
        if (pliant_world_step_count(s->world))
            pliant_collider_force(s->world, s->colliders[i], force, torque);
        json_array_append_new(
            out, json_pack("{so so}", "force", vector(force), "torque", vector(torque)));
    }
    return out;
}

pliant_result touch_measure(const stage* s)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->colliders.count && !result; ++i)
        result = pliant_collider_measure_force(s->world, s->colliders[i], true);
    return result;
}
