// Bodies of particles in clusters, and what they have.
#pragma once
#include "scene.h"
#include "world/world.h"

// ---- bodies -------------------------------------------------------------------------------------

enum { MOST = 512 };

typedef struct {
    double x[3 * MOST];
    int count;
} points;

// A block of n[0] x n[1] x n[2] particles.
static inline points block(int a, int b, int c, double spacing)
{
    points p = {.count = 0};
    for (int z = 0; z < c; ++z)
        for (int y = 0; y < b; ++y)
            for (int x = 0; x < a; ++x) {
                p.x[3 * p.count] = spacing * x;
                p.x[3 * p.count + 1] = spacing * y;
                p.x[3 * p.count++ + 2] = spacing * z;
            }
    return p;
}

static inline pliant_mesh* points_mesh(const points* p)
{
    const pliant_mesh_arrays arrays = {.vertices = p->x, .vertex_count = p->count};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

static inline pliant_soft_def soft_of(double stiffness, pliant_precision precision)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.radius = 0.05;
    soft.clusters.stiffness = stiffness;
    soft.solver.precision = precision;
    return soft;
}

static inline pliant_body_id add_points(pliant_world* world, const points* p,
                                        const pliant_soft_def* soft, const pliant_body_def* def)
{
    pliant_mesh* mesh = points_mesh(p);
    pliant_body_id id = new_soft(world, mesh, soft, def);
    pliant_mesh_destroy(mesh);
    return id;
}

static inline void read_all(const pliant_world* world, pliant_body_id id, points* out,
                            double* velocity)
{
    out->count = pliant_body_particle_count(world, id);
    CHECK_OK(pliant_body_read_positions_exact(world, id, out->x, MOST));
    const body* b = world_body(world, id);
    for (int i = 0; velocity && i < out->count; ++i)
        state_read_velocity(&b->s, i, velocity + 3 * i);
}

// ---- momentum -----------------------------------------------------------------------------------

typedef struct {
    double linear[3], angular[3], energy;
} momentum;

static inline momentum momentum_of(const pliant_world* world, pliant_body_id id)
{
    static points p;
    static double v[3 * MOST];
    const body* b = world_body(world, id);
    momentum m = {{0}, {0}, 0};
    read_all(world, id, &p, v);
    for (int i = 0; i < p.count; ++i) {
        const double *x = p.x + 3 * i, *u = v + 3 * i, mass = b->asset->mass[i];
        for (int k = 0; k < 3; ++k) {
            int j = (k + 1) % 3, l = (k + 2) % 3;
            m.linear[k] += mass * u[k];
            m.angular[k] += mass * (x[j] * u[l] - x[l] * u[j]);
            m.energy += mass / 2 * u[k] * u[k];
        }
    }
    return m;
}

static inline double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
static inline double distance_of(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

// Largest difference of a distance between two particles from that at rest [m].
static inline double misfit(const points* now, const points* rest)
{
    double most = 0;
    for (int i = 0; i < rest->count; ++i)
        for (int k = 0; k < i; ++k)
            most = fmax(most, fabs(distance_of(now->x + 3 * i, now->x + 3 * k) -
                                   distance_of(rest->x + 3 * i, rest->x + 3 * k)));
    return most;
}
