// Bodies without patches, the way that was published: a kernel for each color and each pass over
// the particles (colors.cuh), phase by phase.
#include "cuda/listed.h"
#include "cuda/pack.h"
#include <string.h>

typedef struct {
    device* d;
    const body_run* b;
    color_work work; // what all its kernels have
} colored;

static bool add_rows(const colored* c, kernel_kind kind)
{
    color_work work = c->work;
    work.kind = kind;
    work.threads = c->b->plan->particle_count;
    return list_color(c->d, arithmetic_of(c->b), &work);
}

// A warp for each of some things.
static bool add_warps(const colored* c, kernel_kind kind, int count)
{
    enum { WARP = 32 };
    color_work work = c->work;
    work.kind = kind;
    work.threads = count * WARP;
    return list_color(c->d, arithmetic_of(c->b), &work);
}

// What the body holds is looked at, solved for, and pushes.
static bool add_inside(const colored* c)
{
    return !c->b->inside ||
           (add_rows(c, KERNEL_ENCLOSE) && add_rows(c, KERNEL_HOLD) && add_rows(c, KERNEL_INFLATE));
}

static bool add_clusters(const colored* c)
{
    const cluster_set* of = c->b->clusters;
    color_work solve = c->work;
    if (!of) return true;
    solve.kind = KERNEL_MATCH;
    solve.threads = of->count;
    return add_warps(c, KERNEL_LOOK, of->piece_count) &&
           list_color(c->d, arithmetic_of(c->b), &solve) && add_rows(c, KERNEL_SHAPE);
}

static bool add_torques(const colored* c)
{
    const plan* p = c->b->plan;
    return p->component_count == 0 || (add_warps(c, KERNEL_TORQUES, p->strip_count) &&
                                       add_warps(c, KERNEL_TWISTS, p->component_count) &&
                                       add_warps(c, KERNEL_UNTWIST, p->strip_count));
}

static bool add_color(const colored* c, int color, bool averaged)
{
    const plan* p = c->b->plan;
    color_work work = c->work;
    work.kind = KERNEL_COLOR;
    work.color = color;
    work.averaged = averaged;
    work.first_group = p->color_group[color];
    work.threads = (p->color_group[color + 1] - p->color_group[color]) * BLOCK;
    return list_color(c->d, arithmetic_of(c->b), &work);
}

static bool add_colors(const colored* c)
{
    const plan* p = c->b->plan;
    bool copied = p->copies.phantom != NULL;
    for (int i = 0; i < p->color_count; ++i) {
        if (copied && i == p->spread_color && !add_rows(c, KERNEL_SPREAD)) return false;
        if (!add_color(c, i, copied && i >= p->spread_color)) return false;
    }
    return !copied || add_rows(c, KERNEL_GATHER);
}

static bool add_sweep(const colored* c)
{
    bool keeps = c->b->plan->component_count > 0 && !c->work.first && !c->work.braking;
    if (keeps && !add_rows(c, KERNEL_KEEP)) return false;
    return add_colors(c) &&
           (c->work.braking || (add_inside(c) && add_clusters(c) && add_torques(c)));
}

static bool add_touch(const colored* c)
{
    const particle_work* w = &c->b->work;
    bool touches =
        w->collider_count > 0 || w->holder_count > 0 || w->roller_count > 0 || w->sees.motion < 1;
    // What contacts with bodies did before is expected, and to be taken back.
    bool lifted = c->b->s->lift && (c->b->meets || c->work.number == 0);
    return !(touches || lifted) || c->work.braking || add_rows(c, KERNEL_TOUCH);
}

static colored open_body(device* d, const body_run* b, const device_copy* copy, const void* body)
{
    const device_plan* there = &copy->plan->on_device;
    size_t bytes = (size_t)b->plan->scalar_bytes;
    colored c;
    memset(&c, 0, sizeof c); // all of it: it is hashed
    c.d = d;
    c.b = b;
    c.work.body = body;
    c.work.type = copy->s.flow ? FLOWING : (int)there->in_order;
    c.work.single = there->single;
    c.work.special = meets_special(&b->work);
    c.work.group = there->group;
    c.work.index = there->index;
    c.work.index_bytes = b->plan->index_bytes;
    c.work.field = (const char*)there->field + there->field_at * bytes;
    c.work.same = (const char*)there->field + there->same_at * bytes;
    c.work.row = copy->s.row;
    return c;
}

bool list_colored(device* d, const body_run* b, const device_copy* copy, const void* body,
                  work_phase phase, const sweep_pass* pass)
{
    if (!order_has(&b->order, pass)) return true;
    colored c = open_body(d, b, copy, body);
    c.work.number = pass->substep;
    c.work.braking = pass->braking;
    c.work.first = pass->first;
    switch (phase) {
    case PHASE_BEGIN:
        return add_rows(&c, pass->braking ? KERNEL_COAST : KERNEL_PREDICT);
    case PHASE_SWEEP:
        return add_sweep(&c);
    case PHASE_JOIN:
        return add_touch(&c);
    case PHASE_END:
        return add_rows(&c, KERNEL_UPDATE);
    }
    return false;
}

// ---- rigid bodies -------------------------------------------------------------------------------

// They are together; nothing but contacts comes between their begin and their end.
bool list_rigid(device* d, arithmetic kind, const patched_work* of, work_phase phase,
                const sweep_pass* pass)
{
    enum { FEW = 32, MANY = 128 }; // threads of a body
    color_work work;
    bool begins = phase == PHASE_BEGIN;
    if (pass->braking || (!begins && phase != PHASE_END)) return true;
    memset(&work, 0, sizeof work); // all of it: it is hashed
    work.kind = begins ? KERNEL_RIGID_BEGIN : KERNEL_RIGID_END;
    work.body = of->body;
    work.threads = of->bodies;
    work.each = of->rows > 2 * FEW ? MANY : FEW;
    work.number = pass->substep;
    return list_color(d, kind, &work);
}

// ---- crowds -------------------------------------------------------------------------------------

// They have no constraints to be swept.
static bool add_crowd_rows(device* d, arithmetic kind, const patched_work* of, kernel_kind which,
                           const sweep_pass* pass)
{
    color_work work;
    memset(&work, 0, sizeof work); // all of it: it is hashed
    work.kind = which;
    work.body = of->body;
    work.task = of->task;
    work.threads = of->task_count;
    work.number = pass->substep;
    work.first = pass->first;
    work.special = of->special;
    return list_color(d, kind, &work);
}

// `most`: of a body.
static bool add_crowd_clusters(device* d, arithmetic kind, const patched_work* of,
                               kernel_kind which, int most, const sweep_pass* pass)
{
    enum { MOST_EACH = 64 };
    color_work work;
    memset(&work, 0, sizeof work);
    work.kind = which;
    work.body = of->body;
    work.task = of->task;
    work.threads = of->bodies;
    work.each = most < MOST_EACH ? most : MOST_EACH;
    work.number = pass->substep;
    return list_color(d, kind, &work);
}

static bool match_crowd(device* d, arithmetic kind, const patched_work* of, const sweep_pass* pass)
{
    if (of->clusters == 0) return true;
    return add_crowd_clusters(d, kind, of, KERNEL_LOOK, of->pieces, pass) &&
           add_crowd_clusters(d, kind, of, KERNEL_MATCH, of->clusters, pass) &&
           add_crowd_rows(d, kind, of, KERNEL_SHAPE, pass);
}

bool list_crowd(device* d, arithmetic kind, const patched_work* of, work_phase phase,
                const sweep_pass* pass)
{
    if (pass->braking) return true;
    switch (phase) {
    case PHASE_BEGIN:
        return add_crowd_rows(d, kind, of, KERNEL_PREDICT, pass);
    case PHASE_SWEEP:
        return match_crowd(d, kind, of, pass);
    case PHASE_JOIN:
        return add_crowd_rows(d, kind, of, KERNEL_TOUCH, pass);
    case PHASE_END:
        return add_crowd_rows(d, kind, of, KERNEL_UPDATE, pass);
    }
    return false;
}
