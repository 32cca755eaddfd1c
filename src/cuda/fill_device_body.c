// Compiled once per precision: -DFILL=the table's name [-DPRECISION_DOUBLE].
#include "cuda/fill_device_body.h"
#include "cuda/body.h"
#include "solver/rules.h"

static substep seen_substep(const body_run* b, double h, bool multipliers)
{
    substep s = substep_of((scalar)h, multipliers);
    s.own = (scalar)b->work.sees.own;
    s.classic = b->share > 0;
    s.share = (scalar)b->share;
    return s;
}

static stream stream_of(const device_plan* p, int which)
{
    const device_stream* s = &p->sweep[which];
    return (stream){.any = s->any,
                    .uniform = s->uniform,
                    .index = (const uint16_t*)s->index,
                    .field = (const scalar*)s->field,
                    .same = (const scalar*)s->same,
                    .lane = s->lane,
                    .unit_type = (const unsigned char*)s->unit_type,
                    .lambda_at = p->lambda_at[which]};
}

static void fill_plan(const plan* p, const device_plan* d, device_body* out)
{
    out->patches = (const patch*)d->patches;
    out->color_group = (const int*)d->color_group;
    out->group = (const lane_group*)d->group;
    out->round = (const round_block*)d->round;
    out->index = d->index;
    out->field = (const scalar*)d->field;
    out->source_start = (const int*)d->source_start;
    out->source = (const int*)d->source;
    out->before = (const int*)d->before;
    out->phantom = (const int*)d->phantom;
    out->components = (const component*)d->component;
    out->strips = (const strip*)d->strip;
    out->patched = p->patched;
    out->inside_start = (const int*)d->inside_start;
    out->inside_pair = (const int*)d->inside_pair;
    out->particle_count = p->particle_count;
    out->relaxation = (scalar)p->relaxation;
    out->patch_count = p->patch_count;
    out->row_count = p->row_count;
    out->index_bytes = p->index_bytes;
    for (int i = 0; i < 2; ++i) out->sweep[i] = stream_of(d, i);
}

static void fill_state(const device_state* s, device_body* out)
{
    out->row = (scalar*)s->row;
    out->velocity = (scalar*)s->velocity;
    out->residue = (scalar*)s->residue;
    out->force = (scalar*)s->force;
    out->contact = (scalar*)s->contact;
    out->lift = (scalar*)s->lift;
    out->lambda = (scalar*)s->lambda;
    out->share = (scalar*)s->share;
    out->inside_grad = (double*)s->inside_grad;
    out->inside_sum = (enclosed_sum*)s->inside_sum;
    out->inside_lambda = (double*)s->inside_lambda;
    out->past = (scalar*)s->past;
    out->kept = (scalar*)s->kept;
    out->torque_sums = (scalar*)s->torque_sums;
    out->twists = (scalar*)s->twists;
    for (int i = 0; i < 2; ++i) out->exchange[i] = s->exchange[i];
    if (s->field) out->field = (const scalar*)s->field;
}

static void fill_substeps(const body_run* b, bool multipliers, device_body* out)
{
    for (int i = 0; i < 2; ++i) {
        particle_work w = b->work;
        w.substep = i;
        out->rules[i] = substep_rules_of(&w);
    }
    out->sees_substep[SEEN_PLACES] = seen_substep(b, seen_step(b, 1), multipliers);
    out->sees_substep[SEEN_FIRST] = seen_substep(b, seen_step(b, 0), multipliers);
    out->sees_substep[SEEN_MOTION] = seen_substep(b, brake_step(b), false);
}

static void fill_body(const body_run* b, const step_work* step, const device_plan* p,
                      const device_state* s, const device_paths* paths, void* out)
{
    const particle_work* w = &b->work;
    device_body body;
    memset(&body, 0, sizeof body);
    fill_plan(b->plan, p, &body);
    fill_state(s, &body);
    // The classic manner looks at no multipliers.
    fill_substeps(b, step->iterations > 1 && !(b->share > 0), &body);
    body.sees = w->sees;
    for (int i = 0; i < 2 && b->inside; ++i)
        body.inside[i] = enclosure_rules(b->inside, seen_step(b, i));
    body.order = b->order;
    body.mass_unit = (scalar)b->s->mass_unit;
    body.pushed = b->s->pushed || b->work.air;
    body.meets = b->meets;
    body.diverged = paths->diverged;
    body.first_meeting = paths->first_meeting;
    body.movers = paths->movers;
    body.holders = paths->holders;
    body.rollers = paths->rollers;
    body.roller_count = w->roller_count;
    body.mover_count = w->mover_count;
    body.holder_count = w->holder_count;
    body.obstacles = (const obstacle*)paths->obstacles;
    body.obstacle_count = w->collider_count;
    body.net_count = w->net_count;
    body.nearby = (const nearby_tree*)paths->nearby;
    body.swept = w->swept_there;
    body.pins = w->pins ? paths->pins : NULL;
    body.rising = w->rising;
    memcpy(body.aside, w->aside, sizeof body.aside);
    body.flow = (const device_flow*)paths->flow;
    body.match = (const device_match*)paths->match;
    body.rigid = (const device_rigid*)paths->rigid;
    body.load = (scalar*)paths->load;
    body.load_count = w->load_count;
    memcpy(out, &body, sizeof body);
}

// One that moves, for the short look: a ball that holds it during the whole step, the highest place
// of a plane, or, of a plane that turns, something that nothing is far from.
static void widen(const particle_work* w, const collider* c, obstacle* o)
{
    const double *first = c->way[-1].position, *last = c->way[w->substeps - 1].position;
    double apart = 0, upward = 0;
    for (int k = 0; k < 3; ++k) {
        double way = last[k] - first[k];
        apart += way * way;
        upward += way * c->axis[1][k];
        o->shape.position[k] =
            (c->shape == PLIANT_SHAPE_PLANE ? first[k] : first[k] + way / 2) - w->aside[k];
    }
    o->reach += (scalar)(sqrt(apart) / 2 * (1 + 8 * SCALAR_EPSILON));
    if (c->shape != PLIANT_SHAPE_PLANE) return;
    for (int k = 0; k < 3 && upward > 0; ++k) o->shape.position[k] = last[k] - w->aside[k];
    if (c->turns) o->shape.axis[1] = v3_zero();
}

static void fill_obstacle(const body_run* b, const collider* c, const void* data,
                          const collider_pose* way, void* out)
{
    obstacle o = obstacle_of(&b->work, c);
    o.shape.data = data;
    if (o.way) widen(&b->work, c, &o);
    o.way = way;
    memcpy(out, &o, sizeof o);
}

static void fill_flow(const body_run* b, const device_plan* p, const device_state* s, void* out)
{
    device_flow flow;
    memset(&flow, 0, sizeof flow);
    flow.start = (const int*)p->flow_start;
    flow.block = (const flow_block*)p->flow_block;
    flow.rule = (const scalar*)p->flow_rule;
    flow.rest = (const scalar*)p->field;
    flow.state = (scalar*)s->flow;
    flow.field = (scalar*)s->field;
    flow.h = (scalar)b->work.h;
    memcpy(out, &flow, sizeof flow);
}

const fill_functions FILL_FUNCTIONS = {sizeof(device_body), sizeof(obstacle), sizeof(device_flow),
                                       fill_body,           fill_obstacle,    fill_flow};
