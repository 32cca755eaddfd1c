#include "joint/bonds.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

void bond_system_destroy(bond_system* s)
{
    joint_system_destroy(&s->at);
    mem_free(s->bond);
    memset(s, 0, sizeof *s);
}

static void start(bond_system* s, const step_work* step, const sweep_pass* pass)
{
    joint_set* set = &s->at.set;
    set->h = step->dt / step->substeps;
    set->substep = pass->substep;
    if (pass->first && pass->substep == 0) joint_set_tell(&s->at);
    for (int i = 0; i < set->body_count; ++i) set->body[i].frozen = *s->at.body[i]->failed;
}

static double find_gap(const bond_system* s, const bond_state* b, double out[3])
{
    const joint_point *p = &s->at.set.point[b->point[0]], *q = &s->at.set.point[b->point[1]];
    for (int k = 0; k < 3; ++k)
        out[k] = (q->place[k] - p->place[k]) + (q->motion[k] - p->motion[k]);
    return joint_length(out);
}

static void begin(bond_system* s)
{
    double h = s->at.set.h;
    for (int i = 0; i < s->count; ++i) {
        bond_state* b = &s->bond[i];
        const tear_bond* t = b->bond;
        b->limit = bond_holds(t) ? t->force * (1 - t->opening / t->reach) * (h * h) : 0;
        b->lambda = 0;
    }
}

// Pulls both toward each other by what is too wide, as far as it may.
static void pull(bond_system* s, bond_state* b)
{
    joint_point *p = &s->at.set.point[b->point[0]], *q = &s->at.set.point[b->point[1]];
    double gap[3], length = find_gap(s, b, gap), mobility = 0;
    if (!(length > 0) || !(b->limit > 0)) return;
    for (int k = 0; k < 3; ++k)
        mobility += gap[k] / length * (gap[k] / length) * (p->inv_mass[k] + q->inv_mass[k]);
    if (!(mobility > 0)) return;
    double wanted = b->lambda + (length - b->bond->opening) / mobility;
    double now = fmin(fmax(wanted, 0), b->limit), more = now - b->lambda;
    b->lambda = now;
    for (int k = 0; k < 3; ++k) {
        p->motion[k] += p->inv_mass[k] * more * gap[k] / length;
        q->motion[k] -= q->inv_mass[k] * more * gap[k] / length;
    }
}

// How far it has opened in the substep, and what that took.
static void end(const bond_system* s, bond_state* b)
{
    double gap[3], h = s->at.set.h, length = find_gap(s, b, gap);
    tear_bond* t = b->bond;
    if (!bond_holds(t) || !(length > t->opening)) return;
    double way = fmin(length, t->reach) - t->opening;
    t->spent += b->lambda / (h * h) * way;
    t->opening += way;
}

// Few bonds share a particle: those come nearer with every pass.
pliant_result bonds_meet(void* system, step_work* step, const sweep_pass* pass)
{
    enum { PASSES = 4 };
    bond_system* s = (bond_system*)system;
    joint_set* set = &s->at.set;
    start(s, step, pass);
    for (int i = 0; i < set->point_count && pass->first; ++i) load_joint_point(set, i);
    for (int i = 0; i < set->point_count && !pass->first; ++i) load_joint_motion(set, i);
    if (pass->first) begin(s);
    for (int round = 0; round < PASSES; ++round)
        for (int i = 0; i < s->count; ++i) pull(s, &s->bond[i]);
    for (int i = 0; i < set->point_count; ++i) store_joint_motion(set, i);
    for (int i = 0; i < s->count && pass->last; ++i) end(s, &s->bond[i]);
    return PLIANT_OK;
}

void bonds_bounce(void* system, step_work* step)
{
    (void)system;
    (void)step;
}
