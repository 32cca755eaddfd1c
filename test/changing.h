// A body whose particles come and go: a jet onto a floor with a cloth or a soft block in it, and
// holes at places that move, for the CPU and for a GPU. Files that include it see world/world.h.
#pragma once
#include "scene.h"

enum { JET_ROOM = 160 };

typedef struct {
    int threads, lanes;
    pliant_precision precision;
    pliant_integrator integrator;
    pliant_backend backend;
    bool plain, fresh, cloth, sizes, drift;
} jet_case;

static inline pliant_body_id add_jet(pliant_world* world, const jet_case* c)
{
    const double x[6] = {0.001, 0.05, 0, 0, 0.1, 0.001};
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = 2};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    soft.solver.precision = c->precision;
    soft.solver.integrator = c->integrator;
    soft.radius = 0.01;
    soft.capacity = JET_ROOM;
    at.contact.rolling_resistance = 0.2f;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

static inline pliant_world* jet_world(const jet_case* c, pliant_body_id* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 5;
    def.threads = c->threads ? c->threads : 1;
    def.lanes = c->lanes;
    def.backend = c->backend;
    CHECK_OK(pliant_world_create(&def, &world));
    *out = add_jet(world, c);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    if (c->cloth) {
        pliant_mesh* mesh = NULL;
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_body_def at = pliant_body_defaults();
        soft.solver.precision = c->precision;
        CHECK_OK(pliant_mesh_generate("cloth:5x5:0.1x0.1", &mesh));
        at.position[1] = 0.04;
        at.contact.thickness = 0.004f;
        new_soft(world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    world->contacts.plain = c->plain;
    world->contacts.fresh = c->fresh;
    return world;
}

// Four particles side by side, a little uneven.
static inline pliant_result emit_four(pliant_world* world, pliant_body_id id, int step, bool sizes)
{
    double x[12], radius[4];
    pliant_vec3 v[4];
    pliant_particles_def def = pliant_particles_defaults();
    for (int i = 0; i < 4; ++i) {
        x[3 * i] = 0.011 * (i % 2 ? 1 : -1) + 0.001 * (step % 3);
        x[3 * i + 1] = 0.15;
        x[3 * i + 2] = 0.011 * (i / 2 ? 1 : -1) + 0.001 * (step % 2);
        v[i] = (pliant_vec3){0.1f * (float)i, -1.5f, 0};
        radius[i] = 0.01 / (1 + i);
    }
    def.count = 4;
    def.positions = x;
    def.velocities = v;
    def.radius = sizes ? radius : NULL;
    def.lifetime = step % 4 == 1 ? 0.25 : 0;
    return pliant_body_add_particles(world, id, &def, NULL);
}

// Those in a column that moves go.
static inline void drain(pliant_world* world, pliant_body_id id, int step)
{
    pliant_vec3 x[JET_ROOM];
    pliant_particle p[JET_ROOM];
    int gone[JET_ROOM], count = 0;
    CHECK_OK(pliant_body_read_positions(world, id, x, JET_ROOM));
    CHECK_OK(pliant_body_read_particles(world, id, p, JET_ROOM));
    for (int i = 0; i < JET_ROOM; ++i)
        if (p[i].present && x[i].y < 0.03f && fabsf(x[i].x - 0.01f * (float)(step % 7)) < 0.01f)
            gone[count++] = i;
    CHECK_OK(pliant_body_remove_particles(world, id, gone, count));
}

static inline void run_jet(pliant_world* world, pliant_body_id id, const jet_case* c, int first,
                           int last)
{
    for (int step = first; step < last; ++step) {
        if (step % 2) CHECK_OK(emit_four(world, id, step, c->sizes));
        if (step % 5 == 4) drain(world, id, step);
        CHECK_OK(pliant_world_step(world, 1.0f / 60));
    }
}
