// Cloth against closed forms and measurements: strips that bend under their weight, and discs that
// drape over a support.
#include "base/memory.h"
#include "base/random.h"
#include "bench/physics.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// A piece of cloth in a world of its own.
typedef struct {
    pliant_world* world;
    pliant_body_id body;
    double* place;         // [count][3]
    pliant_vec3* velocity; // [count]
    int count;
} piece;

static void piece_close(piece* p)
{
    pliant_world_destroy(p->world);
    mem_free(p->place);
    mem_free(p->velocity);
}

static pliant_result piece_open(const char* words, const pliant_cloth_def* cloth, int substeps,
                                piece* out)
{
    pliant_mesh* mesh = NULL;
    pliant_world_def world = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    *out = (piece){.world = NULL};
    world.substeps = substeps;
    world.threads = 1;
    world.backend = PLIANT_BACKEND_CPU;
    soft.cloth = *cloth;
    pliant_result result = pliant_mesh_generate(words, &mesh);
    if (!result) result = pliant_world_create(&world, &out->world);
    if (!result) result = pliant_world_add_soft(out->world, mesh, &soft, &def, &out->body);
    pliant_mesh_destroy(mesh);
    if (result) return result;
    out->count = pliant_body_particle_count(out->world, out->body);
    out->place = (double*)mem_array(3 * (size_t)out->count, sizeof(double));
    out->velocity = (pliant_vec3*)mem_array_zero((size_t)out->count, sizeof(pliant_vec3));
    if (!out->place || !out->velocity) return PLIANT_ERROR_MEMORY;
    return pliant_body_read_positions_exact(out->world, out->body, out->place, out->count);
}

// Steps until nothing moves: whenever the kinetic energy has passed a peak, all stop.
static pliant_result piece_settle(piece* p, int steps)
{
    double last = 0;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) {
        pliant_energies e;
        result = pliant_world_step(p->world, lab_dt);
        if (!result) result = pliant_body_energies(p->world, p->body, &e);
        if (!result && e.kinetic < last)
            result = pliant_body_write_velocities(p->world, p->body, p->velocity, p->count);
        last = result || e.kinetic < last ? 0 : e.kinetic;
    }
    if (result) return result;
    return pliant_body_read_positions_exact(p->world, p->body, p->place, p->count);
}

// ---- the heavy elastica -------------------------------------------------------------------------

// How far the tip of a strip of 0.2 m sinks over its length, that is clamped in the middle of its
// first row of cells, with a weight of w: w L^3 / B is `load`.
static pliant_result find_drop(double load, int cells, int substeps, double* out)
{
    const double length = 0.2, width = 0.04, edge = length / (cells - 0.5);
    pliant_cloth_def cloth = pliant_soft_defaults().cloth;
    char words[64];
    piece p;
    cloth.warp = 300;
    cloth.shear = 100;
    cloth.bending = cloth.density * lab_g * length * length * length / load;
    cloth.bending_by = PLIANT_BENDING_PLATE;
    cloth.damping = 2e-3;
    snprintf(words, sizeof words, "cloth:%dx%d:%.12fx%g", cells, (int)(width / edge + 0.5),
             edge * cells, width);
    pliant_result result = piece_open(words, &cloth, substeps, &p);
    double first = -edge * cells / 2;
    int tip = 0;
    for (int i = 0; i < p.count && !result; ++i) {
        if (p.place[3 * i] < first + 1.01 * edge) result = pliant_body_pin(p.world, p.body, i);
        if (p.place[3 * i] > p.place[3 * tip]) tip = i;
    }
    if (!result) result = piece_settle(&p, 150);
    if (!result) *out = -p.place[3 * tip + 1] / length;
    piece_close(&p);
    return result;
}

pliant_result physics_cloth_strip(judge* j)
{
    static const struct {
        double load, drop;
        int cells, substeps;
    } strips[] = {{1, 0.1235, 16, 100}, {4, 0.4252, 16, 100}, {8, 0.6406, 16, 100},
                  {4, 0.4252, 10, 100}, {4, 0.4252, 16, 50},  {4, 0.4252, 24, 200}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (j->quick ? 2 : 6) && !result; ++i) {
        char name[32];
        double drop = 0;
        snprintf(name, sizeof name, "%g_cells_%d_substeps_%d", strips[i].load, strips[i].cells,
                 strips[i].substeps);
        result = find_drop(strips[i].load, strips[i].cells, strips[i].substeps, &drop);
        if (!result)
            judge_row(j,
                      &(judgment){"cloth_strip", name, strips[i].drop, drop, 0.02, strips[i].drop});
    }
    return result;
}

// ---- drape --------------------------------------------------------------------------------------

static const double disc = 0.15, support = 0.09; // [m] radii, as Cusick has them

// [m^2] Of what is below the cloth, seen from above, by squares of half a millimeter.
static double shadow(const piece* p, const pliant_mesh_arrays* m)
{
    enum { SIDE = 640 };
    const double square = 5e-4;
    unsigned char* dark = (unsigned char*)mem_array_zero(SIDE * SIDE, 1);
    int sum = 0;
    for (int t = 0; dark && t < m->triangle_count; ++t) {
        const int* c = m->triangles + 3 * (size_t)t;
        double x[3], z[3], low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
        for (int i = 0; i < 3; ++i) {
            x[i] = p->place[3 * c[i]] / square + SIDE / 2;
            z[i] = p->place[3 * c[i] + 2] / square + SIDE / 2;
            low[0] = fmin(low[0], x[i]), high[0] = fmax(high[0], x[i]);
            low[1] = fmin(low[1], z[i]), high[1] = fmax(high[1], z[i]);
        }
        double area = (x[1] - x[0]) * (z[2] - z[0]) - (x[2] - x[0]) * (z[1] - z[0]);
        for (int a = (int)fmax(low[0], 0); a <= high[0] && a < SIDE; ++a)
            for (int b = (int)fmax(low[1], 0); b <= high[1] && b < SIDE; ++b) {
                bool in = true;
                for (int i = 0; i < 3; ++i) {
                    int n = (i + 1) % 3;
                    double side =
                        (x[n] - x[i]) * (b + 0.5 - z[i]) - (z[n] - z[i]) * (a + 0.5 - x[i]);
                    in = in && side * area >= 0;
                }
                if (in) dark[a * SIDE + b] = 1;
            }
    }
    for (int i = 0; dark && i < SIDE * SIDE; ++i) sum += dark[i];
    mem_free(dark);
    return sum * square * square;
}

// The drape coefficient [%]: how much of the ring that hangs over the support is seen from above.
static pliant_result find_drape(const char* fabric, int rings, int steps, double* out)
{
    const double pi = 3.14159265358979323846;
    pliant_cloth_def cloth;
    random_source r = {7};
    char words[48];
    piece p;
    snprintf(words, sizeof words, "disc:%g:%d", disc, rings);
    pliant_result result = pliant_cloth_preset(fabric, &cloth);
    if (result) return result;
    result = piece_open(words, &cloth, 40, &p);
    for (int i = 0; i < p.count && !result; ++i) {
        double *x = p.place + 3 * (size_t)i, away = sqrt(x[0] * x[0] + x[2] * x[2]);
        if (away < support + 1e-6) result = pliant_body_pin(p.world, p.body, i);
        if (away > support + 1e-6) x[1] += random_range(&r, -2e-4, 2e-4);
    }
    if (!result) result = pliant_body_write_positions_exact(p.world, p.body, p.place, p.count);
    if (!result) result = piece_settle(&p, steps);
    if (!result) {
        pliant_mesh_arrays m =
            pliant_mesh_view(pliant_asset_mesh(pliant_body_asset(p.world, p.body)));
        double whole = pi * disc * disc, held = pi * support * support;
        *out = 100 * (shadow(&p, &m) - held) / (whole - held);
    }
    piece_close(&p);
    return result;
}

pliant_result physics_cloth_drape(judge* j)
{
    static const struct {
        const char* fabric;
        double low, high; // [%]
    } bands[] = {{"cotton", 60, 76},
                 {"silk", 20, 40},
                 {"wool", 40, 70},
                 {"denim", 70, 90},
                 {"leather", 47, 70}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (j->quick ? 1 : 5) && !result; ++i) {
        double drape = 0, middle = (bands[i].low + bands[i].high) / 2;
        result = find_drape(bands[i].fabric, j->quick ? 10 : 15, j->quick ? 80 : 130, &drape);
        if (!result)
            judge_row(j, &(judgment){"cloth_drape", bands[i].fabric, middle, drape,
                                     (bands[i].high - bands[i].low) / 2, 1});
    }
    return result;
}
