// Energies in double precision, from positions with all their digits.
#include "world/joints.h"
#include "world/residency.h"
#include "world/unresolved.h"
#include <math.h>

static pliant_energies find_energies(const pliant_world* world, const body* b,
                                     unresolved_parts* out_unresolved)
{
    const double gravity[3] = {(double)world->def.gravity.x, (double)world->def.gravity.y,
                               (double)world->def.gravity.z};
    pliant_energies out = {0};
    bool floats = asset_is_gas(b->asset); // the air around carries it
    if (asset_is_carried(b->asset)) {     // it weighs nothing
        *out_unresolved = (unresolved_parts){0};
        return out;
    }
    if (b->rigid) {
        *out_unresolved = (unresolved_parts){0};
        out.kinetic = rigid_kinetic_energy(b->rigid);
        for (int k = 0; k < 3; ++k)
            out.gravity -= b->rigid->mass * b->gravity_scale * gravity[k] * b->rigid->center[k];
        return out;
    }
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3], v[3], mass = b->mass[i];
        state_read_position(&b->s, i, x);
        state_read_velocity(&b->s, i, v);
        out.kinetic += mass / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3 && !floats; ++k)
            out.gravity -= mass * b->gravity_scale * gravity[k] * x[k];
    }
    int elements = asset_part_count(b->asset);
    unresolved u;
    unresolved_begin(world, b, &u);
    for (int i = 0; i < elements; ++i) {
        reaction e;
        reaction_find(b, i, &e);
        unresolved_add(b, &e, &u);
        out.elastic += e.energy;
    }
    if (b->asset->inside.start) {
        const enclosure* inside = &b->asset->inside;
        double lack = enclosure_volume(inside, &b->s) - inside->wanted;
        out.elastic += lack * lack / (2 * inside->compliance);
    }
    if (b->asset->clusters.count)
        out.elastic += clusters_energy(&b->asset->clusters, &b->matched, &b->s);
    if (b->asset->rods.count) {
        rod_energies rods = rods_energy(&b->asset->rods, b->oriented, &b->s);
        out.elastic += rods.elastic;
        out.kinetic += rods.kinetic;
    }
    *out_unresolved = unresolved_find(world, b, &u, out.elastic);
    out.unresolved = fmin(out_unresolved->noise + out_unresolved->lag, fmax(out.elastic, 0));
    return out;
}

// The world has scratch for one.
static pliant_energies energies_of(const pliant_world* world, const body* b,
                                   unresolved_parts* out_unresolved)
{
    platform_mutex_lock(world->reading);
    pliant_energies out = find_energies(world, b, out_unresolved);
    platform_mutex_unlock(world->reading);
    return out;
}

pliant_result pliant_body_energies(const pliant_world* world, pliant_body_id id,
                                   pliant_energies* out)
{
    unresolved_parts parts;
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_energies){0};
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch_joined(world, b)) return PLIANT_ERROR_DEVICE;
    *out = energies_of(world, b, &parts);
    return PLIANT_OK;
}

// By which factor f substeps must be finer for the error to fall to what is wanted: 0.5 % of what
// is right, so that 1.5 % are kept where the estimate is a third of it. Noise goes with h^4 and lag
// with h^2: noise / f^4 + lag / f^2.
static double finer(const unresolved_parts* u, double elastic)
{
    const double wanted = 0.005, least = 0.01; // [-] of the energy
    double right = fmax(elastic - fmax(u->noise, u->lag), least * elastic), goal = wanted * right;
    if (!(goal > 0)) return 1;
    double square = (u->lag + sqrt(u->lag * u->lag + 4 * goal * u->noise)) / (2 * goal);
    return sqrt(fmax(square, 1));
}

pliant_result pliant_body_advise_substeps(const pliant_world* world, pliant_body_id id, int* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = 0;
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch_joined(world, b)) return PLIANT_ERROR_DEVICE;
    unresolved_parts parts;
    pliant_energies e = energies_of(world, b, &parts);
    *out = (int)fmin(ceil(finer(&parts, e.elastic) * world->profile.substeps), 1e6);
    return PLIANT_OK;
}

pliant_result pliant_world_energies(const pliant_world* world, pliant_energies* out)
{
    pliant_energies sum = {0};
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = sum;
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        if (!body_fetch_joined(world, b)) return PLIANT_ERROR_DEVICE;
        unresolved_parts parts;
        pliant_energies e = energies_of(world, b, &parts);
        sum.kinetic += e.kinetic;
        sum.elastic += e.elastic;
        sum.gravity += e.gravity;
        sum.unresolved += e.unresolved;
    }
    *out = sum;
    return PLIANT_OK;
}
