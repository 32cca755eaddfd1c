// Which colliders are beside a liquid, block by block. What they do is in walls.h.
#define PRECISION_DOUBLE
#include "fluid/walls.h"
#include "contact/list.h"
#include "fluid/system.h"
#include "solver/particles.h"

enum { MOST_WALLS = 64 }; // near a block; where there are more, each particle looks for itself

typedef struct {
    const fluid_system* s;
    const particle_work* work; // of the body whose colliders count
    double low[3], high[3];    // around places, in the world
    wall near[MOST_WALLS];
    int count;
} wall_look;

// ---- which colliders ----------------------------------------------------------------------------

static void look_around(wall_look* l, int first, int last)
{
    const fluid_system* s = l->s;
    for (int k = 0; k < 3; ++k) l->low[k] = INFINITY, l->high[k] = -INFINITY;
    for (int i = first; i < last; ++i)
        for (size_t k = 0; k < 3; ++k) {
            double x = s->origin[k] + state_get(s->set.place, 4 * (size_t)i + k, s->scalar_bytes);
            l->low[k] = fmin(l->low[k], x - s->set.kernel.reach);
            l->high[k] = fmax(l->high[k], x + s->set.kernel.reach);
        }
}

static wall wall_of(const wall_look* l, int number)
{
    const collider* c = &l->work->colliders[number];
    wall w = {.shape = probe_shape_of(c), .load = c->load};
    if (!c->way) return w;
    w.way = c->way + l->work->substep;
    for (int k = 0; k < 3; ++k) {
        const double* axis = w.way->axis[k];
        w.shape.position[k] = w.way->position[k];
        w.shape.axis[k] = v3(axis[0], axis[1], axis[2]);
    }
    return w;
}

static bool is_far(const wall_look* l, int number)
{
    collider here = l->work->colliders[number];
    if (here.way) {
        memcpy(here.position, here.way[l->work->substep].position, sizeof here.position);
        memcpy(here.axis, here.way[l->work->substep].axis, sizeof here.axis);
    }
    return collider_is_far(&here, l->low, l->high, DBL_EPSILON);
}

static void add_near(wall_look* l, int number)
{
    if (l->count < MOST_WALLS && !is_far(l, number)) l->near[l->count++] = wall_of(l, number);
}

// Those that are near some particles, ascending. All bodies meet the same ones.
static void find_near(wall_look* l, int first, int last)
{
    const particle_work* w = l->work;
    nearby_list near = {.more = w->nearby.leaf_count > 0};
    l->count = 0;
    look_around(l, first, last);
    for (int i = 0; w->nearby.leaf_count == 0 && i < w->collider_count; ++i) add_near(l, i);
    for (int after = -1; near.more; after = near.count ? near.number[near.count - 1] : after) {
        nearby_find(&w->nearby, l->low, l->high, after, &near);
        for (int i = 0; i < near.count; ++i) add_near(l, near.number[i]);
    }
}

// ---- passes -------------------------------------------------------------------------------------

typedef struct {
    const fluid_system* s;
    wall_scene scene;
    bool notes; // what pressure did; else what is filled
} wall_work;

static wall_body body_of(const fluid_system* s, int place)
{
    const fluid_member* m = &s->member[s->owner[place]];
    const state* of = m->run->s;
    return (wall_body){m->slips ? 0 : m->viscosity, m->adhesion, of->contact, m->run->work.load,
                       of->row_count};
}

static void visit(const wall_work* w, const wall_look* l, int place)
{
    const fluid_set* set = w->scene.set;
    wall_visit v;
    if (w->notes && !is_pressed_by_walls(&w->scene, (size_t)place)) return;
    wall_start(&v, &w->scene, w->notes ? set->press : set->place, (size_t)place,
               body_of(w->s, place), (size_t)w->s->row[place]);
    for (int n = 0; n < l->count; ++n)
        if (w->notes)
            note_wall(&v, &l->near[n], false);
        else
            visit_wall(&v, &l->near[n], false);
    if (!w->notes) leave_walls(&v);
}

// Walls have been found: most blocks have none.
static bool has_walls(const wall_work* w, int first, int last)
{
    bool any = false;
    for (int i = first; i < last; ++i)
        any = any || wall_get(&w->scene, w->scene.set->wall, 4 * (size_t)i + 3) > 0;
    return any;
}

static void over_blocks(void* work, int first, int last)
{
    const wall_work* w = (const wall_work*)work;
    wall_look l = {.s = w->s, .work = &w->s->member[0].run->work};
    for (int block = first; block < last; ++block) {
        int start = block * FLUID_BLOCK, end = start + FLUID_BLOCK;
        if (end > w->s->set.count) end = w->s->set.count;
        if (w->notes && !has_walls(w, start, end)) continue;
        find_near(&l, start, end);
        bool each = l.count == MOST_WALLS;
        for (int i = start; i < end; ++i) {
            if (each) find_near(&l, i, i + 1);
            visit(w, &l, i);
        }
    }
}

static void run_walls(const fluid_system* s, bool notes)
{
    enum { GRAIN = 16 };
    wall_work w = {.s = s,
                   .scene = {.set = &s->set,
                             .scalar_bytes = s->scalar_bytes,
                             .least = s->spacing / 4,
                             .substeps = s->step->substeps,
                             .first = s->pass->first},
                   .notes = notes};
    memcpy(w.scene.origin, s->origin, sizeof w.scene.origin);
    split_run(s->exec, over_blocks, &w, fluid_blocks(&s->set), GRAIN);
}

void fluid_find_walls(fluid_system* s) { run_walls(s, false); }
void fluid_note_walls(fluid_system* s) { run_walls(s, true); }
