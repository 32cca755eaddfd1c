// Small worlds for tests: made, stepped and read in one call each.
#pragma once
#include "base/random.h"
#include "meshes.h"

typedef struct {
    double x[3];
} place;

static inline pliant_mesh* box_mesh(const int cells[3], double cell, double jitter)
{
    pliant_box_def def = pliant_box_defaults();
    pliant_mesh* mesh = NULL;
    for (int k = 0; k < 3; ++k) {
        def.cells[k] = cells[k];
        def.cell_size[k] = cell;
    }
    def.jitter = jitter;
    def.seed = 5;
    CHECK_OK(pliant_mesh_box(&def, &mesh));
    return mesh;
}

// A box of 60 cells, a little uneven.
static inline pliant_asset* box_asset(const pliant_soft_def* def)
{
    pliant_mesh* mesh = box_mesh((int[3]){5, 4, 3}, 0.1, 0.2);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, def, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

static inline pliant_mesh* one_tet(double size)
{
    const double vertices[] = {0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size};
    const int tet[] = {0, 1, 2, 3};
    return create_tets(vertices, 4, tet, 1);
}

// What steps the bodies of worlds that are made from now on.
static pliant_backend made_on; // AUTO

static inline pliant_world* make_world(int substeps, int iterations)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = substeps;
    def.iterations = iterations;
    def.threads = 1;
    def.backend = made_on;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static inline pliant_world* make_still_world(int substeps, int iterations)
{
    pliant_world* world = make_world(substeps, iterations);
    pliant_world_set_gravity(world, (pliant_vec3){0, 0, 0});
    return world;
}

// Adds a body and destroys the mesh.
static inline pliant_body_id add_soft(pliant_world* world, pliant_mesh* mesh,
                                      const pliant_soft_def* soft, double y)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = y;
    pliant_body_id id = new_soft(world, mesh, soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static inline pliant_vec3 vec(double x, double y, double z)
{
    return (pliant_vec3){(float)x, (float)y, (float)z};
}

// A box of 27 particles and 0.2 m.
static inline pliant_body_id add_box(pliant_world* world, double y)
{
    pliant_soft_def soft = pliant_soft_defaults();
    return add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, y);
}

static inline void run(pliant_world* world, int steps, double dt)
{
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, (float)dt));
}

// Random velocities that have a mean and a spin.
static inline void shake(pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_particle_count(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    random_source r = {9};
    for (int i = 0; i < count; ++i)
        v[i] = vec(random_range(&r, -0.5, 1), random_range(&r, -1, 1), random_range(&r, -1, 0.5));
    pliant_body_write_velocities(world, body, v, count);
    free(v);
}

// Positions in an array that the caller frees.
static inline place* read_places(const pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_particle_count(world, body);
    place* out = (place*)malloc((size_t)count * sizeof *out);
    CHECK_OK(pliant_body_read_positions_exact(world, body, out->x, count));
    return out;
}

static inline place read_place(const pliant_world* world, pliant_body_id body, int particle)
{
    place *all = read_places(world, body), one = all[particle];
    free(all);
    return one;
}

static inline void write_velocity(pliant_world* world, pliant_body_id body, pliant_vec3 velocity)
{
    int count = pliant_body_particle_count(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    for (int i = 0; i < count; ++i) v[i] = velocity;
    pliant_body_write_velocities(world, body, v, count);
    free(v);
}

typedef struct {
    double momentum[3], angular[3]; // [kg m/s, kg m^2/s] about the center of mass
    double center[3], velocity[3];  // [m, m/s] of the center of mass
    double mass, speed;             // [kg, m/s] largest of a particle
} motion;

static inline motion measure_motion(const pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    double* mass = (double*)malloc((size_t)count * sizeof *mass);
    motion m = {0};
    pliant_body_read_velocities(world, body, v, count);
    pliant_body_read_masses(world, body, mass, count);
    for (int i = 0; i < count; ++i) {
        const double speed[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        double square = 0;
        m.mass += mass[i];
        for (int k = 0; k < 3; ++k) {
            m.momentum[k] += mass[i] * speed[k];
            m.center[k] += mass[i] * x[i].x[k];
            square += speed[k] * speed[k];
        }
        m.speed = fmax(m.speed, sqrt(square));
    }
    for (int k = 0; k < 3; ++k) {
        m.center[k] /= m.mass;
        m.velocity[k] = m.momentum[k] / m.mass;
    }
    for (int i = 0; i < count; ++i) {
        const double speed[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            m.angular[k] += mass[i] * ((x[i].x[a] - m.center[a]) * speed[b] -
                                       (x[i].x[b] - m.center[b]) * speed[a]);
        }
    }
    free(x);
    free(v);
    free(mass);
    return m;
}

// Sum of the colliders' forces on the body [N].
static inline place contact_force(const pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_particle_count(world, body);
    pliant_vec3* f = (pliant_vec3*)malloc((size_t)count * sizeof *f);
    place sum = {{0, 0, 0}};
    CHECK_OK(pliant_body_read_contact_forces(world, body, f, count));
    for (int i = 0; i < count; ++i) {
        sum.x[0] += (double)f[i].x;
        sum.x[1] += (double)f[i].y;
        sum.x[2] += (double)f[i].z;
    }
    free(f);
    return sum;
}

static inline int count_contacts(const pliant_world* world)
{
    int count = -1;
    CHECK_OK(pliant_world_count_contacts(world, &count));
    return count;
}

// Pins every particle whose rest coordinate on the axis is `at`, to rounding.
static inline void pin_plane(pliant_world* world, pliant_body_id body, int axis, double at)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i)
        if (fabs(x[i].x[axis] - at) < 1e-6) pliant_body_pin(world, body, i);
    free(x);
}
