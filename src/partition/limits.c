#include "partition/limits.h"
#include <limits.h>

enum { SINGLE_PERCENT = 4, GROUP_PERCENT = 2 };

static bool is_single(const struct patch_info* info)
{
    return info->component >= 0 && info->parts == 1;
}

static int64_t mean_particles(const patch_set* set, const rows* r)
{
    int64_t total = 0, count = 0;
    for (int i = 0; i < set->count; ++i) {
        if (!is_single(&set->patch[i])) continue;
        total += r->particle_count[i];
        count++;
    }
    return count > 0 ? total / count : 0;
}

static patch_limit limit_of(const struct patch_info* info, const components* c)
{
    if (info->component < 0) return (patch_limit){0, INT_MAX, INT_MAX};
    int64_t total = (int64_t)c->weight[info->component] * info->parts;
    int patches = c->patches[info->component], share = (int)(total / patches);
    int slack = (int)((int64_t)share * (info->parts > 1 ? GROUP_PERCENT : SINGLE_PERCENT) / 100);
    return (patch_limit){share - slack, share + (total % patches > 0) + slack, INT_MAX};
}

// Hardly any node takes a particle with it when it leaves a patch, so a patch with too many
// particles has to lose nodes until it has room. Returns how many.
static int shrink(patch_limit* l, int nodes, int particles)
{
    if (particles <= l->most_particles) return 0;
    int fit = (int)((int64_t)nodes * l->most_particles / particles);
    fit -= fit / 200;
    if (fit >= l->most) return 0;
    int lost = l->most - fit;
    l->least -= lost;
    l->most = fit;
    return lost;
}

// What full patches lose the others take.
static void make_room(const patch_set* set, const rows* r, patch_limit* limit)
{
    int64_t lost = 0, takers = 0;
    for (int i = 0; i < set->count; ++i) {
        if (!is_single(&set->patch[i])) continue;
        int own = shrink(&limit[i], r->node_count[i], r->particle_count[i]);
        lost += own;
        takers += own == 0;
    }
    for (int i = 0; i < set->count && lost > 0 && takers > 0; ++i)
        if (is_single(&set->patch[i]) && r->particle_count[i] <= limit[i].most_particles)
            limit[i].most += (int)((lost + takers - 1) / takers);
}

int limits_particles(const patch_set* set, const rows* r, patch_bounds bounds)
{
    int64_t most = allot_with_room(mean_particles(set, r));
    return most > bounds.most_particles ? (int)most : bounds.most_particles;
}

patch_limit* limits_create(const patch_set* set, const components* c, const rows* r,
                           int most_particles)
{
    patch_limit* out = mem_array((size_t)set->count, sizeof *out);
    for (int i = 0; out && i < set->count; ++i) {
        out[i] = limit_of(&set->patch[i], c);
        if (is_single(&set->patch[i])) out[i].most_particles = most_particles;
    }
    if (out) make_room(set, r, out);
    return out;
}
