#include "fluid/bodies.h"
#include "base/memory.h"
#include "contact/list.h"
#include "fluid/system.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

// ---- what bodies keep ---------------------------------------------------------------------------

fluid_hull* fluid_hull_create(const state* s, bool rigid, fluid_beads* beads)
{
    size_t count = rigid ? 1 : (size_t)s->particle_count;
    fluid_hull* h = (fluid_hull*)mem_alloc_zero(sizeof *h);
    if (!h) return NULL;
    h->push = (double*)mem_array_zero(3 * count, sizeof(double));
    h->press = (double*)mem_array_zero(count, sizeof(double));
    if (!h->push || !h->press) {
        fluid_hull_destroy(h);
        return NULL;
    }
    h->beads = *beads;
    memset(beads, 0, sizeof *beads);
    return h;
}

void fluid_hull_destroy(fluid_hull* h)
{
    if (!h) return;
    fluid_beads_destroy(&h->beads);
    mem_free(h->push);
    mem_free(h->press);
    mem_free(h);
}

bool fluid_bodies_start(fluid_bodies* b, int count)
{
    b->count = b->bead_count = 0;
    b->good = false;
    return mem_reserve((void**)&b->body, &b->body_capacity, count, sizeof *b->body);
}

bool fluid_bodies_add(fluid_bodies* b, wet_body one)
{
    one.first = b->bead_count;
    int64_t beads = (int64_t)b->bead_count + one.hull->beads.count;
    if (!mem_reserve((void**)&b->place, &b->place_capacity, beads, 4 * sizeof(double)) ||
        !mem_reserve((void**)&b->motion, &b->motion_capacity, beads, 3 * sizeof(double)) ||
        !mem_reserve((void**)&b->push, &b->push_capacity, beads, 3 * sizeof(double)) ||
        !mem_reserve((void**)&b->listed, &b->listed_capacity, beads, 3 * sizeof(double)) ||
        !mem_reserve((void**)&b->light, &b->light_capacity, beads, sizeof(double)) ||
        !mem_reserve((void**)&b->owner, &b->owner_capacity, beads, sizeof(int)))
        return false;
    for (int i = b->bead_count; i < (int)beads; ++i) b->owner[i] = b->count;
    b->bead_count = (int)beads;
    b->body[b->count++] = one;
    return true;
}

void fluid_bodies_destroy(fluid_bodies* b)
{
    void* const owned[] = {b->body,  b->place, b->motion, b->push,    b->light, b->listed,
                           b->owner, b->from,  b->ball,   b->start,   b->bead,  b->bead_start,
                           b->near,  b->next,  b->pair,   b->place_of};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    for (int i = 0; i < b->ranges_capacity; ++i) mem_free(b->ranges[i].range);
    mem_free(b->ranges);
    cells_destroy(&b->cells);
    memset(b, 0, sizeof *b);
}

// ---- where beads are ----------------------------------------------------------------------------

static void place_rigid(fluid_system* s, const wet_body* w, int i)
{
    const rigid_state* r = w->run->rigid;
    double *x = s->bodies.place + 4 * (size_t)i, *d = s->bodies.motion + 3 * (size_t)i, arm[3];
    rigid_outward(&r->axis, fluid_bead_of(w, i)->at, arm);
    rigid_motion_at(r, arm, d);
    for (int k = 0; k < 3; ++k) x[k] = (r->center[k] - s->origin[k]) + arm[k] + d[k];
}

// Of a particle.
static void read_row(const fluid_system* s, const state* of, int particle, double x[3], double d[3])
{
    size_t row = (size_t)plan_row(of->plan, particle, 0) * ROW;
    for (size_t k = 0; k < 3; ++k) {
        d[k] = state_get(of->row, row + ROW_D + k, of->scalar_bytes);
        x[k] = state_get(of->row, row + k, of->scalar_bytes) - s->origin[k] + d[k];
    }
}

static void place_soft(fluid_system* s, const wet_body* w, int i)
{
    const fluid_bead* b = fluid_bead_of(w, i);
    const state* of = w->run->s;
    double *x = s->bodies.place + 4 * (size_t)i, *d = s->bodies.motion + 3 * (size_t)i;
    for (int k = 0; k < 3; ++k) x[k] = d[k] = 0;
    for (int n = 0; n < b->corners; ++n) {
        double at[3], go[3];
        read_row(s, of, b->corner[n], at, go);
        for (int k = 0; k < 3; ++k) {
            x[k] += b->weight[n] * at[k];
            d[k] += b->weight[n] * go[k];
        }
    }
    if (!w->hull->beads.balls) return;
    double radius = state_read(of, of->row, ROW, b->corner[0], ROW_RADIUS);
    for (int k = 0; k < 3; ++k) x[k] += radius * b->at[k];
    x[3] *= radius > 0 ? radius * radius * radius : 0;
}

// Its place at the end of the substep, as it is so far, and what of a particle's volume it has.
static void place_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int i = first; i < last; ++i) {
        const wet_body* w = &s->bodies.body[s->bodies.owner[i]];
        double* x = s->bodies.place + 4 * (size_t)i;
        x[3] = *w->run->failed ? 0 : fluid_bead_of(w, i)->volume / s->set.kernel.volume;
        if (w->run->rigid)
            place_rigid(s, w, i);
        else
            place_soft(s, w, i);
    }
}

// ---- a pass -------------------------------------------------------------------------------------

static bool is_viscous(const fluid_system* s)
{
    bool any = false;
    for (int m = 0; m < s->member_count; ++m) any = any || s->member[m].viscosity > 0;
    return any;
}

static bool place_and_list(fluid_system* s)
{
    enum { GRAIN = 256 };
    split_run(s->exec, place_beads, s, s->bodies.bead_count, GRAIN);
    return fluid_list_bodies(s);
}

bool fluid_find_bodies(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    int64_t padded = (int64_t)fluid_blocks(&s->set) * FLUID_BLOCK;
    s->set.give = NULL;
    if (b->count == 0 || s->set.count == 0) return true;
    if (!mem_reserve(&s->give, &s->give_capacity, padded, (size_t)s->scalar_bytes)) return false;
    memset(s->give, 0, (size_t)padded * (size_t)s->scalar_bytes);
    s->set.give = s->give;
    if (!place_and_list(s)) return false;
    if (s->pass->first && is_viscous(s)) {
        fluid_drag_bodies(s);
        if (!place_and_list(s)) return false;
    }
    fluid_fill_bodies(s);
    return true;
}
