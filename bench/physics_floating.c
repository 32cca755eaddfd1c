// Bodies in water: how deep they float.
#include "bench/physics_tank.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gravity = 9.81, pi = 3.14159265358979323846;

// A ball in the middle of a tank.
typedef struct {
    tank tank;
    double size[3]; // [m] of the tank, up to the surface
    pliant_body_id ball;
    double radius, volume; // [m, m^3] of the ball: a polyhedron, as a ball of its volume
    double weight;         // [N]
} pool;

// [m] of a ball's middle, which hardly deforms.
static pliant_result find_middle(const pool* p, double* out)
{
    enum { MOST = 4096 };
    static pliant_vec3 x[MOST];
    int count = pliant_body_particle_count(p->tank.world, p->ball);
    pliant_result result = pliant_body_read_positions(p->tank.world, p->ball, x, MOST);
    *out = 0;
    for (int i = 0; i < count && i < MOST; ++i) *out += (double)x[i].y / count;
    return result;
}

static pliant_result add_ball(pool* p, double ratio, bool rigid, double radius, double height)
{
    pliant_mesh* mesh = NULL;
    pliant_mesh_quality quality = {.volume = 0};
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.rigid = rigid;
    soft.material.density = 1000 * ratio;
    soft.material.young = 1e5;
    def.position[0] = p->size[0] / 2;
    def.position[1] = height;
    def.position[2] = p->size[2] / 2;
    pliant_result result = pliant_mesh_sphere(radius, 6, &mesh);
    if (!result) result = pliant_mesh_measure(mesh, &quality);
    if (!result) result = pliant_world_add_soft(p->tank.world, mesh, &soft, &def, &p->ball);
    pliant_mesh_destroy(mesh);
    if (result) return result;
    p->volume = quality.volume;
    p->radius = cbrt(p->volume * 3 / 4 / pi);
    p->weight = gravity * pliant_body_mass(p->tank.world, p->ball);
    return PLIANT_OK;
}

// [m^3] Of a ball, up to a depth.
static double dipped(double radius, double depth)
{
    double t = fmin(fmax(depth, 0), 2 * radius);
    return pi * t * t * (3 * radius - t) / 3;
}

static double depth_for(double radius, double volume)
{
    double low = 0, high = 2 * radius;
    for (int i = 0; i < 60; ++i) {
        double middle = (low + high) / 2;
        if (dipped(radius, middle) < volume)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The surface is where the water, and what is dipped of the ball, have room.
static double find_depth(const pool* p, double middle)
{
    double area = p->size[0] * p->size[2], water = p->tank.total * pow(p->tank.spacing, 3);
    double level = water / area;
    for (int i = 0; i < 60; ++i)
        level = (water + dipped(p->radius, level - middle + p->radius)) / area;
    return level - middle + p->radius;
}

// It falls in, sways, and comes to rest: what of its radius is below the surface.
static pliant_result float_ball(bool quick, double ratio, bool rigid, double* out_wanted,
                                double* out)
{
    const double spacing = 0.02;
    int wide = quick ? 14 : 18, deep = quick ? 11 : 14, steps = quick ? 120 : 240, last = steps / 3;
    pool p = {.size = {wide * spacing, deep * spacing, wide * spacing}};
    double radius = (quick ? 4 : 5) * spacing, middle = 0;
    const tank_def def = tank_defaults(p.size, spacing, 16);
    pliant_result result = tank_open(&def, &p.tank);
    if (!result) result = add_ball(&p, ratio, rigid, radius, p.size[1] + radius + spacing / 2);
    *out = 0;
    for (int i = 0; i < steps && !result; ++i) {
        result = tank_step(&p.tank, 1 / 60.0f);
        if (!result) result = find_middle(&p, &middle);
        if (i >= steps - last) *out += find_depth(&p, middle) / p.radius / last;
    }
    *out_wanted = depth_for(p.radius, ratio * p.volume) / p.radius;
    tank_close(&p.tank);
    return result;
}

// Archimedes: balls of a quarter and of half the density of water.
pliant_result physics_liquid_float(judge* j)
{
    static const double ratio[] = {0.25, 0.5};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 4 && !result; ++i) {
        char name[24];
        double wanted = 0, depth = 0;
        bool rigid = i < 2;
        if (j->quick && i != 1) continue;
        result = float_ball(j->quick, ratio[i % 2], rigid, &wanted, &depth);
        snprintf(name, sizeof name, "%s_%g", rigid ? "rigid" : "soft", ratio[i % 2]);
        if (!result)
            judge_row(j,
                      &(judgment){"liquid_float", name, wanted, depth, j->quick ? 0.05 : 0.03, 1});
    }
    return result;
}
