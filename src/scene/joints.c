// Joints of a scene: points of two bodies that are nearest to a place, or the particles of a region
// that are sewn to another body.
#include "base/memory.h"
#include "scene/stage.h"
#include <math.h>
#include <string.h>

static const scene_joint* joint_at(const stage* s, int i)
{
    return (const scene_joint*)s->scene->joints.item + i;
}

static bool sews(const scene_joint* j) { return isnan(j->at[0]); }

pliant_result stage_select_joints(const stage* s, int number, const place* top)
{
    place list = place_key(top, "joints");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->joints.count && !result; ++i) {
        const scene_joint* j = joint_at(s, i);
        place item = place_item(&list, i);
        if (sews(j) && (int)j->bodies.value[0] == number)
            result = region_select(s, &j->region, &s->entries[number], &item, &s->joined[i].sewn);
    }
    return result;
}

// The only body of an entry.
static pliant_result find_body(const stage* s, int entry, const place* at, pliant_body_id* out)
{
    int found = 0;
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].entry == entry) *out = s->bodies[i].id, found++;
    if (found == 1) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, at, "body %d has %d copies: only one can be joined",
                   entry, found);
}

static pliant_result join_at(stage* s, const double at[3], pliant_joint_def* def,
                             pliant_joint_id* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 2 && !result; ++i)
        result = pliant_body_find_joint_point(s->world, def->point[i].body, at, &def->point[i]);
    return result ? result : pliant_world_add_joint(s->world, def, out);
}

static pliant_result sew(stage* s, const selection* of, pliant_joint_def* def, pliant_joint_id* out)
{
    pliant_body_id cloth = def->point[0].body, other = def->point[1].body;
    int count = pliant_body_particle_count(s->world, cloth);
    double* x = (double*)mem_array(3 * (size_t)count, sizeof(double));
    pliant_result result =
        x ? pliant_body_read_positions_exact(s->world, cloth, x, count) : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < of->count && !result; ++i) {
        def->point[0].particle[0] = of->particle[i];
        result = pliant_body_find_joint_point(s->world, other, x + 3 * (size_t)of->particle[i],
                                              &def->point[1]);
        if (!result) result = pliant_world_add_joint(s->world, def, &out[i]);
    }
    mem_free(x);
    return result;
}

static pliant_result make_joint(stage* s, int number, const place* at)
{
    const scene_joint* j = joint_at(s, number);
    stage_joint* out = &s->joined[number];
    pliant_joint_def def = pliant_joint_defaults();
    place bodies = place_key(at, "bodies");
    def.compliance = j->compliance;
    if (!isnan(j->breaking_force)) def.breaking_force = j->breaking_force;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 2 && !result; ++i)
        result = find_body(s, (int)j->bodies.value[i], &bodies, &def.point[i].body);
    if (result) return result;
    out->count = sews(j) ? out->sewn.count : 1;
    out->id = (pliant_joint_id*)mem_array_zero((size_t)out->count, sizeof *out->id);
    if (!out->id) return PLIANT_ERROR_MEMORY;
    result = sews(j) ? sew(s, &out->sewn, &def, out->id) : join_at(s, j->at, &def, out->id);
    return stage_at_place(result, at);
}

pliant_result stage_make_joints(stage* s, const place* top)
{
    place list = place_key(top, "joints");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->joints.count && !result; ++i) {
        place item = place_item(&list, i);
        result = make_joint(s, i, &item);
    }
    return result;
}

void stage_release_joints(stage* s)
{
    for (int i = 0; s->joined && i < s->scene->joints.count; ++i) {
        mem_free(s->joined[i].sewn.particle);
        mem_free(s->joined[i].id);
    }
    mem_free(s->joined);
}

stage_joint_state stage_read_joint(const stage* s, int number)
{
    const stage_joint* j = &s->joined[number];
    stage_joint_state out = {0};
    for (int i = 0; i < j->count; ++i) {
        pliant_joint_info info;
        if (pliant_joint_describe(s->world, j->id[i], &info)) continue;
        for (int k = 0; k < 3; ++k) out.force[k] += info.force[k];
        out.gap = fmax(out.gap, info.broken ? 0 : info.gap);
        out.broken += info.broken;
        out.count++;
    }
    return out;
}
