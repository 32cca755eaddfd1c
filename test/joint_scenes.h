// Worlds whose bodies are joined.
#pragma once
#include "scene.h"

static const double G = 9.81;

// ---- scenes -------------------------------------------------------------------------------------

static inline pliant_mesh* generated(const char* words)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    return mesh;
}

static inline pliant_body_id add_at(pliant_world* world, const char* words,
                                    const pliant_soft_def* soft, double x, double y)
{
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = generated(words);
    def.position[0] = x;
    def.position[1] = y;
    def.contact.mask = 0;
    pliant_body_id id = new_soft(world, mesh, soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// Of one particle each.
static inline pliant_joint_def merge_of(pliant_body_id a, int particle, pliant_body_id b, int other)
{
    pliant_joint_def def = pliant_joint_defaults();
    def.point[0].body = a;
    def.point[0].particle[0] = particle;
    def.point[1].body = b;
    def.point[1].particle[0] = other;
    return def;
}

static inline pliant_joint_id join(pliant_world* world, const pliant_joint_def* def)
{
    pliant_joint_id id;
    CHECK_OK(pliant_world_add_joint(world, def, &id));
    return id;
}

static inline pliant_joint_def nearest_points(const pliant_world* world, pliant_body_id a,
                                              pliant_body_id b, const double at[3])
{
    pliant_joint_def def = pliant_joint_defaults();
    CHECK_OK(pliant_body_find_joint_point(world, a, at, &def.point[0]));
    CHECK_OK(pliant_body_find_joint_point(world, b, at, &def.point[1]));
    return def;
}

static inline pliant_joint_info info_of(const pliant_world* world, pliant_joint_id id)
{
    pliant_joint_info info;
    CHECK_OK(pliant_joint_describe(world, id, &info));
    return info;
}

static inline int particle_at(const pliant_world* world, pliant_body_id of, const double at[3])
{
    int count = pliant_body_particle_count(world, of), best = 0;
    place* x = read_places(world, of);
    double nearest = INFINITY;
    for (int i = 0; i < count; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) square += (x[i].x[k] - at[k]) * (x[i].x[k] - at[k]);
        if (square < nearest) nearest = square, best = i;
    }
    free(x);
    return best;
}

// A box of 0.2 m hangs under the free end of a beam that is held at its other end, by the middle of
// its upper face, which is in no corner of either.
typedef struct {
    pliant_world* world;
    pliant_body_id beam, box;
    pliant_joint_id joint;
    double weight; // [N] of the box
} hanging;

static inline hanging hang(const pliant_soft_def* like, int substeps, int iterations,
                           double compliance)
{
    hanging h = {.world = make_world(substeps, iterations)};
    pliant_soft_def soft = *like;
    soft.material.young = 2e6;
    soft.material.damping = 0.02;
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh *beam = box_mesh((int[3]){4, 2, 2}, 0.1, 0),
                *box = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    def.contact.mask = 0;
    h.beam = new_soft(h.world, beam, &soft, &def);
    def.position[0] = 0.26;
    def.position[1] = -0.2;
    def.position[2] = -0.01;
    h.box = new_soft(h.world, box, &soft, &def);
    pliant_mesh_destroy(beam);
    pliant_mesh_destroy(box);
    pin_plane(h.world, h.beam, 0, 0);
    pliant_joint_def joint =
        nearest_points(h.world, h.beam, h.box, (const double[3]){0.36, 0, 0.09});
    joint.compliance = compliance;
    h.joint = join(h.world, &joint);
    h.weight = pliant_body_mass(h.world, h.box) * G;
    return h;
}

// Cloth on a box, and a rope that hangs on the cloth; some of the joints break.
static inline pliant_world* make_sewn(int threads, int lanes, pliant_integrator integrator)
{
    pliant_world_def settings = pliant_world_defaults();
    pliant_world* world = NULL;
    settings.substeps = 10;
    settings.threads = threads;
    settings.lanes = lanes;
    settings.history = 3;
    settings.backend = made_on;
    CHECK_OK(pliant_world_create(&settings, &world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.integrator = integrator;
    soft.solver.patch_rows = 24;
    soft.cloth.stretch = 200;
    pliant_body_id box = add_at(world, "box6:6x2x6:0.1", &soft, -0.3, 0.8),
                   cloth = add_at(world, "cloth:16x16:1x1", &soft, 0, 1),
                   rope = add_at(world, "rope:0.5:10", &soft, 0.1, 0.9);
    pliant_joint_def like = merge_of(cloth, 0, box, 0);
    pliant_region region = pliant_region_defaults();
    region.radius = 0.4;
    region.center[1] = 1;
    like.breaking_force = 8;
    int count = 0;
    CHECK_OK(pliant_world_sew(world, &like, &region, &count));
    CHECK_BETWEEN(count, 129, 150); // in more than one task
    pliant_joint_def end = nearest_points(world, rope, cloth, (const double[3]){0.1, 1, 0.45});
    end.compliance = 1e-3;
    join(world, &end);
    CHECK_OK(pliant_body_pin(world, rope, 10));
    return world;
}
