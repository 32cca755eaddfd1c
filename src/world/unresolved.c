#include "world/unresolved.h"
#include <math.h>

static bool is_pinned(const body* b, int particle)
{
    return !(state_read_inverse_mass(&b->s, particle) > 0);
}

// During the last step.
static bool was_touched(const body* b, int particle)
{
    for (int k = 0; k < 3; ++k)
        if (state_read(&b->s, b->s.contact, CONTACT, particle, k) != 0) return true;
    return false;
}

void unresolved_begin(const pliant_world* world, const body* b, unresolved* u)
{
    u->pull = world->pull;
    u->square = 0;
    u->sees = asset_foresight(b->asset, world->substep, world->def.iterations);
    double reach = 1 - u->sees.past / 3; // of a substep after one of the same length
    u->sees.push *= reach * reach;
    for (int i = 0; i < b->s.particle_count; ++i) {
        double* pull = u->pull + (size_t)i * PULL;
        for (int k = 0; k < 3; ++k) pull[k] = state_read(&b->s, b->s.force, ROW4, i, k);
        // What holds these is not known: they count as stiff, and give nothing back.
        pull[3] = is_pinned(b, i) || was_touched(b, i) ? INFINITY : 0;
    }
    for (int i = 0; i < b->holder_count; ++i)
        u->pull[(size_t)b->holders[i].particle * PULL + 3] = INFINITY;
}

void unresolved_add(const body* b, const reaction* e, unresolved* u)
{
    double weight = asset_lag(b->asset, e->corners, u->sees.own);
    for (int i = 0; i < e->corners; ++i) {
        const double* f = e->force[i];
        double* pull = u->pull + (size_t)e->corner[i] * PULL;
        for (int k = 0; k < 3; ++k) pull[k] += f[k];
        pull[3] += e->stiffness[i];
        if (is_pinned(b, e->corner[i])) continue;
        double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        u->square += weight * square / b->asset->mass[e->corner[i]];
    }
}

static double noise(const body* b, const double* pulls)
{
    double mass = 0, a[3] = {0, 0, 0}, energy = 0;
    for (int i = 0; i < b->s.particle_count; ++i) {
        const double* pull = pulls + (size_t)i * PULL;
        if (isinf(pull[3])) continue;
        mass += b->asset->mass[i];
        for (int k = 0; k < 3; ++k) a[k] += pull[k];
    }
    for (int i = 0; i < b->s.particle_count; ++i) {
        const double* pull = pulls + (size_t)i * PULL;
        if (isinf(pull[3])) continue;
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double r = pull[k] - b->asset->mass[i] * a[k] / mass;
            square += r * r;
        }
        if (pull[3] > 0) energy += square / (2 * pull[3]);
    }
    return energy;
}

// A contact or an attachment pushes after all elements of its particle.
static double push(const body* b, const double* pulls, int particle)
{
    const double* f = pulls + (size_t)particle * PULL;
    double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    return is_pinned(b, particle) ? 0
                                  : asset_lag(b->asset, 1, 1) * square / b->asset->mass[particle];
}

static double pushes(const body* b, const double* pulls)
{
    double sum = 0;
    for (int i = 0; i < b->s.particle_count; ++i)
        if (was_touched(b, i)) sum += push(b, pulls, i);
    for (int i = 0; i < b->holder_count; ++i) sum += push(b, pulls, b->holders[i].particle);
    return sum;
}

double unresolved_energy(const pliant_world* world, const body* b, unresolved* u, double elastic)
{
    if (!(elastic > 0)) return 0; // rest, to rounding
    double h = world->substep / world->def.iterations;
    double lag = h * h * (u->sees.push * u->square + pushes(b, u->pull)),
           shaking = noise(b, u->pull);
    if (lag > 0) lag = elastic / (1 + elastic / lag); // however large it is
    if (shaking > elastic) shaking = elastic;
    return shaking > lag ? shaking : lag;
}
