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
    return add_colors(c) && (c->work.braking || (add_inside(c) && add_torques(c)));
}

static bool add_touch(const colored* c)
{
    const particle_work* w = &c->b->work;
    bool touches =
        w->collider_count > 0 || w->holder_count > 0 || w->roller_count > 0 || w->sees.motion < 1;
    return !touches || c->work.braking || add_rows(c, KERNEL_TOUCH);
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
