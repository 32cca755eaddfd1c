#include "world/unresolved.h"
#include "world/air.h"
#include "world/joints.h"
#include <math.h>

static bool is_pinned(const body* b, int particle)
{
    return !(state_read_inverse_mass(&b->s, particle) > 0);
}

// [N] of the particle's contacts during the last step.
static void read_contact(const body* b, int particle, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = state_read(&b->s, b->s.contact, CONTACT, particle, k);
}

// Bodies expect what joints do, as they expect contacts.
static void add_joint(void* context, int particle, const double force[3])
{
    double* pull = (double*)context + (size_t)particle * PULL;
    for (int k = 0; k < 3; ++k) pull[k] += force[k];
}

void unresolved_begin(const pliant_world* world, const body* b, unresolved* u)
{
    u->pull = world->pull;
    u->square = u->rounding = 0;
    u->sees = asset_foresight(b->asset, world->substep, world->def.iterations);
    double reach = 1 - u->sees.past / 3; // of a substep after one of the same length
    u->sees.push *= reach * reach;
    for (int i = 0; i < b->s.particle_count; ++i) {
        double *pull = u->pull + (size_t)i * PULL, contact[3], air[3];
        read_contact(b, i, contact);
        body_air_force(world, b, i, air);
        for (int k = 0; k < 3; ++k)
            pull[k] = state_read(&b->s, b->s.force, ROW4, i, k) + contact[k] + air[k];
        // What holds these is not known: they count as stiff, and give nothing back.
        pull[PULL_STIFFNESS] = is_pinned(b, i) ? INFINITY : 0;
        for (int k = PULL_AROUND; k < PULL; ++k) pull[k] = 0;
    }
    for (int i = 0; i < b->holder_count; ++i)
        u->pull[(size_t)b->holders[i].particle * PULL + PULL_STIFFNESS] = INFINITY;
    world_each_joint_force(world, b, add_joint, u->pull);
}

// [m^2] of a part's longest edge at its first corner, at rest.
static double square_length(const pliant_mesh* m, const reaction* e)
{
    double longest = 0;
    for (int i = 1; i < e->corners; ++i) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            double d = m->vertices[3 * (size_t)e->corner[i] + (size_t)k] -
                       m->vertices[3 * (size_t)e->corner[0] + (size_t)k];
            sum += d * d;
        }
        longest = fmax(longest, sum);
    }
    return longest;
}

void unresolved_add(const body* b, const reaction* e, unresolved* u)
{
    double weight = asset_lag(b->asset, e->corners, u->sees.own);
    double length2 = square_length(b->asset->mesh, e);
    for (int i = 0; i < e->corners; ++i) {
        const double* f = e->force[i];
        double* pull = u->pull + (size_t)e->corner[i] * PULL;
        for (int k = 0; k < 3; ++k) pull[k] += f[k];
        pull[PULL_STIFFNESS] += e->stiffness[i];
        if (isfinite(e->stiffness[i])) u->rounding += e->stiffness[i] * length2;
        if (is_pinned(b, e->corner[i])) continue;
        double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        u->square += weight * square / b->mass[e->corner[i]];
    }
}

// The forces and masses of a part's free corners belong to what is around each of them.
static void add_around(const body* b, const body_part* p, double* pulls)
{
    double sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < part_corners[p->kind]; ++i) {
        const double* pull = pulls + (size_t)p->corner[i] * PULL;
        if (isinf(pull[PULL_STIFFNESS])) continue;
        for (int k = 0; k < 3; ++k) sum[k] += pull[k];
        sum[3] += b->mass[p->corner[i]];
    }
    for (int i = 0; i < part_corners[p->kind]; ++i)
        for (int k = 0; k < 4; ++k)
            pulls[(size_t)p->corner[i] * PULL + PULL_AROUND + (size_t)k] += sum[k];
}

static double noise(const body* b, double* pulls)
{
    double energy = 0;
    for (int i = 0; i < asset_part_count(b->asset); ++i) {
        body_part p = asset_part(b->asset, i);
        add_around(b, &p, pulls);
    }
    for (int i = 0; i < b->s.particle_count; ++i) {
        const double *pull = pulls + (size_t)i * PULL, *around = pull + PULL_AROUND;
        if (isinf(pull[PULL_STIFFNESS]) || !(pull[PULL_STIFFNESS] > 0)) continue;
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double r = pull[k] - b->mass[i] * around[k] / pull[PULL_MASS];
            square += r * r;
        }
        energy += square / (2 * pull[PULL_STIFFNESS]);
    }
    return energy;
}

// A contact or an attachment of force f pushes after all elements of its particle.
static double push(const body* b, const double f[3], int particle)
{
    double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    return is_pinned(b, particle) ? 0 : asset_lag(b->asset, 1, 1) * square / b->mass[particle];
}

// Of a contact's force, that of friction.
static void leave_friction(const body* b, int particle, double force[3])
{
    double n[3], along = 0;
    for (int k = 0; k < 3; ++k) {
        n[k] = state_read(&b->s, b->s.contact, CONTACT, particle, CONTACT_NORMAL + k);
        along += n[k] * force[k];
    }
    for (int k = 0; k < 3; ++k) force[k] -= along * n[k];
}

// What attachments hold is what is out of balance there. Bodies of first order expect their
// contacts (solver/step.h); where friction holds them, their elements lag as if they did not
// (measured).
static double pushes(const body* b, const double* pulls)
{
    double sum = 0, contact[3];
    for (int i = 0; i < b->s.particle_count; ++i) {
        read_contact(b, i, contact);
        if (!b->s.past) leave_friction(b, i, contact);
        sum += push(b, contact, i);
    }
    for (int i = 0; i < b->holder_count; ++i) {
        int particle = b->holders[i].particle;
        sum += push(b, pulls + (size_t)particle * PULL, particle);
    }
    return sum;
}

// [J] What rounding alone makes of a body at rest.
static double rounding(const body* b, const unresolved* u)
{
    double error = 2 * (b->s.scalar_bytes == 4 ? (double)FLT_EPSILON : DBL_EPSILON);
    return u->rounding * error * error / 2;
}

// Rows that are apart and pull against each other at rest leave the body strained there, by the
// noise N, and under load by twice the root of N E where the strains are alike: a fifth, measured.
static double apart(const body* b, double noise, double elastic)
{
    pliant_formulation form = b->asset->def.solver.formulation;
    bool alone = form == PLIANT_FORMULATION_DECOUPLED || form == PLIANT_FORMULATION_DECOUPLED_NODES;
    if (!alone || b->asset->mesh->tet_count == 0) return 0;
    return 0.2 * 2 * sqrt(noise * (elastic - noise));
}

unresolved_parts unresolved_find(const pliant_world* world, const body* b, unresolved* u,
                                 double elastic)
{
    if (!(elastic > rounding(b, u))) return (unresolved_parts){0, 0};
    double h = world->substep / world->def.iterations;
    double shaking = fmin(noise(b, u->pull), elastic);
    double lag = h * h * ((0.2 + 0.8 * u->sees.push) * u->square + pushes(b, u->pull)) +
                 apart(b, shaking, elastic);
    return (unresolved_parts){.noise = shaking, .lag = lag > 0 ? elastic / (1 + elastic / lag) : 0};
}
