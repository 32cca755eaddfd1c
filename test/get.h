// What the library makes and finds, as values, for tests in which failures are not the matter: a
// null id or zeros then, as it leaves them.
#pragma once
#include "pliant.h"

static inline pliant_body_id new_body(pliant_world* world, const pliant_asset* asset,
                                      const pliant_body_def* def)
{
    pliant_body_id out = {0, 0};
    pliant_world_add_body(world, asset, def, &out);
    return out;
}

static inline pliant_body_id new_soft(pliant_world* world, const pliant_mesh* mesh,
                                      const pliant_soft_def* soft, const pliant_body_def* def)
{
    pliant_body_id out = {0, 0};
    pliant_world_add_soft(world, mesh, soft, def, &out);
    return out;
}

static inline pliant_collider_id new_collider(pliant_world* world, const pliant_collider_def* def)
{
    pliant_collider_id out = {0, 0};
    pliant_world_add_collider(world, def, &out);
    return out;
}

static inline pliant_attachment_id new_attachment(pliant_world* world, pliant_body_id body,
                                                  int particle, const double at[3],
                                                  double compliance)
{
    pliant_attachment_id out = {0, 0};
    pliant_body_attach(world, body, particle, at, compliance, &out);
    return out;
}

static inline pliant_world* new_world_of(pliant_batch* batch)
{
    pliant_world* out = NULL;
    pliant_batch_add(batch, &out);
    return out;
}

static inline uint64_t get_digest(const pliant_world* world)
{
    uint64_t out = 0;
    pliant_world_digest(world, &out);
    return out;
}

static inline pliant_energies get_energies(const pliant_world* world)
{
    pliant_energies out = {0};
    pliant_world_energies(world, &out);
    return out;
}

static inline pliant_energies get_body_energies(const pliant_world* world, pliant_body_id body)
{
    pliant_energies out = {0};
    pliant_body_energies(world, body, &out);
    return out;
}

static inline int get_advice(const pliant_world* world, pliant_body_id body)
{
    int out = 0;
    pliant_body_advise_substeps(world, body, &out);
    return out;
}

static inline pliant_particle get_particle(const pliant_world* world, pliant_body_id body,
                                           int particle)
{
    pliant_particle out = {0};
    pliant_body_particle(world, body, particle, &out);
    return out;
}

static inline pliant_view get_positions_view(const pliant_world* world, pliant_body_id body)
{
    pliant_view out = {0};
    pliant_body_view_positions(world, body, &out);
    return out;
}

static inline pliant_view get_velocities_view(const pliant_world* world, pliant_body_id body)
{
    pliant_view out = {0};
    pliant_body_view_velocities(world, body, &out);
    return out;
}

static inline pliant_state_view get_state_view(pliant_world* world, pliant_body_id body)
{
    pliant_state_view out = {0};
    pliant_body_view_state(world, body, &out);
    return out;
}

static inline pliant_collider_info get_collider(const pliant_world* world, pliant_collider_id id)
{
    pliant_collider_info out = {0};
    pliant_collider_describe(world, id, &out);
    return out;
}

static inline pliant_attachment_info get_attachment(const pliant_world* world,
                                                    pliant_attachment_id id)
{
    pliant_attachment_info out = {0};
    pliant_attachment_describe(world, id, &out);
    return out;
}

// How many there are; -1 on failure.
static inline int get_findings(pliant_world* world, float dt, pliant_finding* out, int capacity)
{
    int count = 0;
    return pliant_world_look(world, dt, out, capacity, &count) ? -1 : count;
}

// -1 after a failure.
static inline int get_overlaps_of_ball(const pliant_world* world, const double center[3],
                                       double radius, pliant_overlap* found, int capacity)
{
    int count = 0;
    return pliant_world_overlap_ball(world, center, radius, found, capacity, &count) ? -1 : count;
}

static inline int get_overlaps_of_box(const pliant_world* world, const double min[3],
                                      const double max[3], pliant_overlap* found, int capacity)
{
    int count = 0;
    return pliant_world_overlap_box(world, min, max, found, capacity, &count) ? -1 : count;
}
