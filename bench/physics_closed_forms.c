// Bodies that touch, against closed forms: a block between plates, a rope around a post, and links
// of a chain that nothing else acts on.
#include "base/memory.h"
#include "bench/physics.h"
#include <math.h>

// Positions of all particles [m], 3 each. The caller frees them.
static double* read_places(lab* l, pliant_body_id body, int* out_count)
{
    *out_count = l->result ? 0 : pliant_body_particle_count(l->world, body);
    double* x = (double*)mem_array((size_t)*out_count + 1, 3 * sizeof *x);
    if (!x) l->result = PLIANT_ERROR_MEMORY;
    if (!l->result) l->result = pliant_body_read_positions_exact(l->world, body, x, *out_count);
    return x;
}

// ---- a block between plates ---------------------------------------------------------------------

static const double block_side = 0.2, gap = 0.002; // [m] of the cube, and to each plate

// From the mean of the lowest particles to that of the highest, by where they are at rest.
static double height_of(lab* l, pliant_body_id block, const double* rest)
{
    int count, lows = 0, highs = 0;
    double low = 0, high = 0, *x = read_places(l, block, &count);
    for (int i = 0; i < count && !l->result; ++i) {
        double y = rest[3 * i + 1];
        if (y < 1e-6) low += x[3 * i + 1], ++lows;
        if (y > block_side - 1e-6) high += x[3 * i + 1], ++highs;
    }
    mem_free(x);
    return high / highs - low / lows;
}

// Moves a plate down within so many steps.
static void press_plate(lab* l, pliant_body_id plate, double way, int steps)
{
    int count;
    double* x = read_places(l, plate, &count);
    for (int i = 1; i <= steps && !l->result; ++i) {
        for (int k = 0; k < count && !l->result; ++k) {
            const double target[3] = {x[3 * k], x[3 * k + 1] - way * i / steps, x[3 * k + 2]};
            l->result = pliant_body_move_pin(l->world, plate, k, target);
        }
        lab_run(l, (double)lab_dt);
    }
    mem_free(x);
}

// Without friction the strain is even, and the force E A times the strain, on both plates.
pliant_result physics_squeeze(judge* j)
{
    lab_def def = lab_defaults();
    def.gravity = (pliant_vec3){0, 0, 0};
    def.friction = 0;
    def.thickness = (float)gap;
    def.substeps = 50;
    lab l = lab_open(&def);
    const double below[3] = {-0.15, -0.05 - gap, -0.15},
                 above[3] = {-0.15, block_side + gap, -0.15};
    pliant_body_id lower = lab_add_pinned(&l, &def, "box6:6x1x6:0.05", below, 1);
    pliant_body_id block = lab_add(&l, &def, "beam:4x4x4:0.05", (const double[3]){-0.1, 0, -0.1},
                                   (pliant_vec3){0, 0, 0});
    pliant_body_id upper = lab_add_pinned(&l, &def, "box6:6x1x6:0.05", above, 1);
    int count;
    double up[3], down[3], *rest = read_places(&l, block, &count);
    press_plate(&l, upper, 0.01 * block_side, j->quick ? 20 : 50);
    lab_run(&l, j->quick ? 0.3 : 1);
    double strain = 1 - height_of(&l, block, rest) / block_side;
    double expected = def.young * block_side * block_side * strain;
    lab_mean_force(&l, block, lower, 0.1, up);
    lab_mean_force(&l, block, upper, 0.1, down);
    if (!l.result) {
        judge_row(j, &(judgment){"squeeze", "upper_over_lower_N", up[1], -down[1], 0.001, up[1]});
        judge_row(j, &(judgment){"squeeze", "E_A_strain_N", expected, up[1], 0.03, expected});
    }
    mem_free(rest);
    lab_close(&l);
    return l.result;
}

// ---- a rope around a post -----------------------------------------------------------------------

enum { ROPE = 120 }; // segments

// Half around the post of the y axis, with both ends along z.
static void wrap(lab* l, pliant_body_id rope, double radius, double length)
{
    double x[3 * (ROPE + 1)], arc = acos(-1) * radius, tail = (length - arc) / 2;
    for (int i = 0; i <= ROPE; ++i) {
        double s = length * i / ROPE, turn = (s - tail) / radius, *p = x + 3 * (ptrdiff_t)i;
        bool first = s<tail, last = s> tail + arc;
        p[0] = first ? radius : last ? -radius : radius * cos(turn);
        p[1] = 0;
        p[2] = first ? tail - s : last ? s - tail - arc : -radius * sin(turn);
    }
    if (!l->result) l->result = pliant_body_write_positions_exact(l->world, rope, x, ROPE + 1);
}

// Both ends are pulled, the second more and more. Returns how far that goes at the end [m].
static double pull(lab* l, pliant_body_id rope, double first, double second)
{
    enum { RAMP = 60, WAIT = 40, WATCH = 20 }; // steps
    pliant_vec3 force[ROPE + 1] = {{0, 0, 0}};
    double start = 0, end = 0;
    for (int i = 0; i < RAMP + WAIT + WATCH && !l->result; ++i) {
        double share = i < RAMP ? (double)i / RAMP : 1;
        force[0].z = (float)first;
        force[ROPE].z = (float)(first + share * (second - first));
        l->result = pliant_body_set_forces(l->world, rope, force, ROPE + 1);
        lab_run(l, (double)lab_dt);
        int count;
        double* x = read_places(l, rope, &count);
        if (!l->result && i == RAMP + WAIT - 1) start = x[3 * ROPE + 2];
        if (!l->result) end = x[3 * ROPE + 2];
        mem_free(x);
    }
    return end - start;
}

// A rope that lies on a post by an angle theta holds up to a ratio of its tensions of e^(mu theta)
// (Euler, Eytelwein): a tenth below it stays, a tenth above it slides.
static pliant_result hold_rope(judge* j, double friction, double share)
{
    const double post = 0.1, thick = 0.01, tension = 5, length = 1.2;
    lab_def def = lab_defaults();
    def.gravity = (pliant_vec3){0, 0, 0};
    def.friction = (float)friction;
    def.thickness = (float)thick;
    def.young = 1e7;
    def.damping = 0.002;
    def.substeps = 40;
    lab l = lab_open(&def);
    lab_def firm = def; // nothing of it moves
    firm.young = 1e6;
    firm.damping = 0;
    lab_add_pinned(&l, &firm, "cylinder:0.1:0.1:8", (const double[3]){0, 0, 0}, 9);
    pliant_body_id rope =
        lab_add(&l, &def, "rope:1.2:120", (const double[3]){9, 0, 0}, (pliant_vec3){0, 0, 0});
    wrap(&l, rope, post + 1.05 * thick, length);
    double ratio = share * exp(friction * acos(-1));
    double way = pull(&l, rope, tension, tension * ratio);
    char name[32];
    snprintf(name, sizeof name, "rope_mu_%.1f_at_%.1f", friction, share);
    if (!l.result && share < 1)
        judge_row(j, &(judgment){name, "holds_mm", 0, 1e3 * way, 1, 1});
    else if (!l.result)
        judge_row(j, &(judgment){name, "slides", 1, way > 0.01, 0, 1});
    lab_close(&l);
    return l.result;
}

pliant_result physics_rope(judge* j)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (j->quick ? 1 : 2) && !result; ++i) {
        double friction = i ? 0.5 : 0.3;
        result = hold_rope(j, friction, 0.9);
        if (!result) result = hold_rope(j, friction, 1.1);
    }
    return result;
}

// ---- links --------------------------------------------------------------------------------------

static double change(const double a[3], const double b[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

// Two rings, one through the other, that go apart and are held by each other again and again.
static lab open_links(const lab_def* def)
{
    lab l = lab_open(def);
    const char* ring = "torus:0.2:0.05:2";
    const double none[3] = {0, 0, 0}, beside[3] = {0.2, 0, 0};
    const pliant_quat quarter = {0.70710678f, 0, 0, 0.70710678f};
    lab_add(&l, def, ring, none, (pliant_vec3){-1, 0, 0.2f});
    pliant_body_id other = lab_add(&l, def, ring, none, (pliant_vec3){1, 0, 0.2f});
    if (!l.result) l.result = pliant_body_teleport(l.world, other, none, quarter, beside);
    return l;
}

pliant_result physics_links(judge* j)
{
    lab_def def = lab_defaults();
    def.gravity = (pliant_vec3){0, 0, 0};
    def.friction = 0;
    def.damping = 0;
    def.thickness = 0.004f;
    def.substeps = 20;
    lab l = open_links(&def);
    motion_sums before = lab_sums_of_all(&l);
    int steps = j->quick ? 100 : 1000, touched = 0;
    for (int i = 0; i < steps && !l.result; ++i) {
        lab_run(&l, (double)lab_dt);
        touched += pliant_world_contact_stats(l.world).contacts > 0;
    }
    motion_sums after = lab_sums_of_all(&l);
    double apart = change(lab_sums(&l, l.body[0]).center, lab_sums(&l, l.body[1]).center);
    double linear = change(before.momentum, after.momentum) / before.moving;
    double angular = change(before.spin, after.spin) / before.turning;
    char name[32];
    snprintf(name, sizeof name, "links_%d_steps", steps);
    if (!l.result) {
        judge_row(j, &(judgment){name, "linear_momentum", 0, linear, 1e-6, 1});
        judge_row(j, &(judgment){name, "angular_momentum", 0, angular, 1e-5, 1});
        judge_row(j, &(judgment){name, "they_met", 1, touched > 2, 0, 1});
        judge_row(j, &(judgment){name, "still_linked", 1, apart < 0.5, 0, 1});
    }
    lab_close(&l);
    return l.result;
}
