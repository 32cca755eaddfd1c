// Small worlds for `bench physics`.
#include "base/memory.h"
#include "bench/physics.h"
#include <math.h>

const float lab_dt = 0.01f;
const double lab_g = 9.81;

lab_def lab_defaults(void)
{
    return (lab_def){.gravity = {0, -9.81f, 0},
                     .substeps = 20,
                     .young = 1e6,
                     .damping = 0.005,
                     .friction = 0.5f};
}

lab lab_open(const lab_def* def)
{
    lab l = {.world = NULL};
    pliant_world_def world = pliant_world_defaults();
    world.gravity = def->gravity;
    world.substeps = def->substeps;
    world.threads = 1;
    world.backend = PLIANT_BACKEND_CPU;
    l.result = pliant_world_create(&world, &l.world);
    return l;
}

void lab_close(lab* l)
{
    if (l->world) pliant_world_destroy(l->world);
    l->world = NULL;
}

static pliant_soft_def material_of(const lab_def* def)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = def->young;
    soft.material.damping = def->damping;
    soft.solver.precision = def->precision;
    return soft;
}

static pliant_body_def place_of(const lab_def* def, const double place[3], pliant_vec3 velocity)
{
    pliant_body_def body = pliant_body_defaults();
    for (int k = 0; k < 3; ++k) body.position[k] = place[k];
    body.velocity = velocity;
    body.contact.static_friction = body.contact.dynamic_friction = def->friction;
    body.contact.restitution = def->restitution;
    body.contact.thickness = def->thickness;
    return body;
}

pliant_body_id lab_add(lab* l, const lab_def* def, const char* words, const double place[3],
                       pliant_vec3 velocity)
{
    pliant_body_id id = {0, 0};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = material_of(def);
    pliant_body_def body = place_of(def, place, velocity);
    if (!l->result) l->result = pliant_mesh_generate(words, &mesh);
    if (!l->result) l->result = pliant_world_add_soft(l->world, mesh, &soft, &body, &id);
    if (mesh) pliant_mesh_destroy(mesh);
    if (!l->result) l->body[l->count++] = id;
    return id;
}

pliant_body_id lab_add_pinned(lab* l, const lab_def* def, const char* words, const double place[3],
                              double height)
{
    pliant_body_id body = lab_add(l, def, words, place, (pliant_vec3){0, 0, 0});
    pliant_region below = pliant_region_defaults();
    below.point[1] = height;
    below.normal[1] = 1;
    if (!l->result) l->result = pliant_body_pin_region(l->world, body, &below, NULL);
    return body;
}

void lab_run(lab* l, double seconds)
{
    int steps = (int)lround(seconds / (double)lab_dt);
    for (int i = 0; i < steps && !l->result; ++i) l->result = pliant_world_step(l->world, lab_dt);
}

static void add_particle(motion_sums* sums, const double* x, const double v[3], double mass)
{
    double way = 0, speed = 0;
    sums->mass += mass;
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        sums->center[k] += mass * x[k];
        sums->momentum[k] += mass * v[k];
        sums->spin[k] += mass * (x[a] * v[b] - x[b] * v[a]);
        way += x[k] * x[k];
        speed += v[k] * v[k];
    }
    sums->moving += mass * sqrt(speed);
    sums->turning += mass * sqrt(speed * way);
    sums->energy += mass * speed / 2;
}

static void sum_particles(lab* l, pliant_body_id body, motion_sums* sums)
{
    int count = pliant_body_particle_count(l->world, body);
    double* x = (double*)mem_array((size_t)count, 4 * sizeof *x);
    pliant_vec3* v = (pliant_vec3*)mem_array((size_t)count, sizeof *v);
    if (!x || !v) l->result = PLIANT_ERROR_MEMORY;
    double* mass = x ? x + 3 * (ptrdiff_t)count : NULL;
    if (!l->result) l->result = pliant_body_read_positions_exact(l->world, body, x, count);
    if (!l->result) l->result = pliant_body_read_masses(l->world, body, mass, count);
    if (!l->result) l->result = pliant_body_read_velocities(l->world, body, v, count);
    for (int i = 0; i < count && !l->result; ++i) {
        const double speed[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        add_particle(sums, x + 3 * (ptrdiff_t)i, speed, mass[i]);
    }
    mem_free(x);
    mem_free(v);
}

static void add_body(lab* l, pliant_body_id body, motion_sums* sums)
{
    pliant_energies energies = {0};
    if (l->result) return;
    sum_particles(l, body, sums);
    if (!l->result) l->result = pliant_body_energies(l->world, body, &energies);
    sums->energy += energies.elastic;
}

static void finish_sums(motion_sums* sums)
{
    for (int k = 0; k < 3; ++k) sums->center[k] /= sums->mass;
}

motion_sums lab_sums(lab* l, pliant_body_id body)
{
    motion_sums sums = {0};
    add_body(l, body, &sums);
    finish_sums(&sums);
    return sums;
}

motion_sums lab_sums_of_all(lab* l)
{
    motion_sums sums = {0};
    for (int i = 0; i < l->count; ++i) add_body(l, l->body[i], &sums);
    finish_sums(&sums);
    return sums;
}

void lab_mean_force(lab* l, pliant_body_id body, pliant_body_id other, double seconds,
                    double out[3])
{
    int steps = (int)lround(seconds / (double)lab_dt);
    for (int k = 0; k < 3; ++k) out[k] = 0;
    for (int i = 0; i < steps && !l->result; ++i) {
        double force[3];
        lab_run(l, (double)lab_dt);
        if (!l->result) l->result = pliant_body_force_of(l->world, body, other, force, NULL);
        for (int k = 0; k < 3 && !l->result; ++k) out[k] += force[k] / steps;
    }
}
