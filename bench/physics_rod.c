// Rods against closed forms: a twisted one, a heavy elastica, Michell's ring, a coil spring; and
// what a rod costs beside a rope.
#include "math/turn.h"

#include "base/memory.h"
#include "base/platform.h"
#include "bench/physics.h"
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

enum { MOST_SEGMENTS = 200 };

// One body, clamped by its first segment.
typedef struct {
    pliant_world* world;
    pliant_body_id body;
    int segments;
    pliant_result result;
} rod_lab;

static pliant_soft_def rod_of(double young, double radius, double damping)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.rope.rod = true;
    def.rope.radius = radius;
    def.material.young = young;
    def.material.poisson = 0.25;
    def.material.damping = damping;
    return def;
}

static rod_lab open_rod(const char* words, const pliant_soft_def* def, bool heavy, int substeps,
                        int iterations)
{
    rod_lab l = {.world = NULL};
    pliant_world_def world = pliant_world_defaults();
    pliant_body_def place = pliant_body_defaults();
    pliant_mesh* mesh = NULL;
    world.gravity = (pliant_vec3){0, heavy ? -(float)gravity : 0, 0};
    world.substeps = substeps;
    world.iterations = iterations;
    world.threads = 1;
    world.backend = PLIANT_BACKEND_CPU;
    l.result = pliant_world_create(&world, &l.world);
    if (!l.result) l.result = pliant_mesh_generate(words, &mesh);
    if (!l.result) l.result = pliant_world_add_soft(l.world, mesh, def, &place, &l.body);
    if (mesh) pliant_mesh_destroy(mesh);
    for (int i = 0; i < 2 && !l.result; ++i) l.result = pliant_body_pin(l.world, l.body, i);
    if (!l.result && def->rope.rod) l.result = pliant_body_clamp(l.world, l.body, 0);
    if (!l.result) l.segments = pliant_body_segment_count(l.world, l.body);
    return l;
}

static void close_rod(rod_lab* l)
{
    if (l->world) pliant_world_destroy(l->world);
}

static void rest_all(rod_lab* l)
{
    static const pliant_vec3 none[MOST_SEGMENTS + 1];
    l->result = pliant_body_write_velocities(l->world, l->body, none, l->segments + 1);
    if (!l->result)
        l->result = pliant_body_write_segments(l->world, l->body, NULL, none, l->segments);
}

// Steps of 10 ms; whenever the kinetic energy has passed a peak, all stop.
static void settle(rod_lab* l, int steps)
{
    double last = 0;
    for (int i = 0; i < steps && !l->result; ++i) {
        pliant_energies e;
        l->result = pliant_world_step(l->world, 0.01f);
        if (!l->result) l->result = pliant_body_energies(l->world, l->body, &e);
        if (l->result) return;
        if (e.kinetic < last) rest_all(l);
        last = e.kinetic < last ? 0 : e.kinetic;
    }
}

// ---- twist --------------------------------------------------------------------------------------

// A torque at the free end turns it by T L / C; L from the middle of the first segment to that of
// the last. The angle is that of all joints, whose moments are that of what they turn by.
static double read_twist(rod_lab* l)
{
    pliant_rod_segment s[MOST_SEGMENTS];
    double angle[3] = {NAN};
    if (!l->result) l->result = pliant_body_read_segments(l->world, l->body, s, MOST_SEGMENTS);
    if (l->result) return NAN;
    const pliant_quat a = s[0].rotation, b = s[l->segments - 1].rotation;
    const quaternion from = {(double)a.x, (double)a.y, (double)a.z, (double)a.w},
                     to = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    turn_angle(turn_after(to, turn_back(from)), angle);
    return fabs(angle[0]) / (1 - 1.0 / l->segments);
}

static pliant_result twist(judge* j, const char* name, int segments, int substeps, int iterations)
{
    const double torque = 0.02, radius = 0.02, young = 1e6;
    char words[32];
    pliant_soft_def def = rod_of(young, radius, 0.02);
    snprintf(words, sizeof words, "rope:1:%d", segments);
    rod_lab l = open_rod(words, &def, false, substeps, iterations);
    if (!l.result)
        l.result = pliant_body_add_torque(l.world, l.body, segments - 1,
                                          (pliant_vec3){(float)torque, 0, 0});
    settle(&l, 60);
    double stiffness = young / 2.5 * pi / 2 * pow(radius, 4), expected = torque / stiffness;
    double angle = read_twist(&l);
    if (!l.result) judge_row(j, &(judgment){name, "angle", expected, angle, 0.02, expected});
    close_rod(&l);
    return l.result;
}

pliant_result physics_rod_twist(judge* j)
{
    pliant_result result = twist(j, "rod_twist_20", 20, 20, 1);
    if (!result) result = twist(j, "rod_twist_10", 10, 20, 1);
    if (!result) result = twist(j, "rod_twist_substeps", 20, 80, 1);
    return result ? result : twist(j, "rod_twist_iterations", 20, 20, 8);
}

// ---- the heavy elastica -------------------------------------------------------------------------

static pliant_result hang(judge* j, const char* name, double load, double expected, int segments,
                          int substeps, int iterations)
{
    const double radius = 0.01, weight = pi * radius * radius * 1000 * gravity;
    const double edge = 1 / (segments - 0.5);
    char words[48];
    pliant_soft_def def = rod_of(1e6, radius, 0.005);
    def.rope.bending = weight / load;
    def.rope.stretch = def.rope.shear = 2e4;
    snprintf(words, sizeof words, "rope:%.12f:%d", edge * segments, segments);
    rod_lab l = open_rod(words, &def, true, substeps, iterations);
    double place[3 * (MOST_SEGMENTS + 1)];
    settle(&l, 120);
    if (!l.result)
        l.result = pliant_body_read_positions_exact(l.world, l.body, place, segments + 1);
    if (!l.result)
        judge_row(j, &(judgment){name, "tip_drop", expected, -place[3 * segments + 1],
                                 substeps > 60 ? 0.01 : 0.02, expected});
    close_rod(&l);
    return l.result;
}

pliant_result physics_rod_elastica(judge* j)
{
    pliant_result result = hang(j, "rod_elastica_1", 1, 0.1235, 16, 200, 1);
    if (!result) result = hang(j, "rod_elastica_4", 4, 0.4252, 16, 100, 1);
    if (!result) result = hang(j, "rod_elastica_8", 8, 0.6406, 16, 100, 1);
    if (!result) result = hang(j, "rod_elastica_coarse", 4, 0.4252, 8, 100, 1);
    if (!result) result = hang(j, "rod_elastica_substeps", 4, 0.4252, 16, 50, 1);
    return result ? result : hang(j, "rod_elastica_iterations", 4, 0.4252, 16, 50, 4);
}

// ---- Michell's ring -----------------------------------------------------------------------------

enum { SIDES = 32 };

static void bend_to_ring(rod_lab* l, double radius, double twist)
{
    double x[3 * (SIDES + 2)];
    pliant_quat q[SIDES + 1];
    pliant_rod_segment s[SIDES + 1];
    l->result = pliant_body_read_segments(l->world, l->body, s, SIDES + 1);
    for (int i = 0; i <= SIDES + 1 && !l->result; ++i) {
        double angle = 2 * pi * i / SIDES;
        bool held = i < 2 || i >= SIDES;
        x[3 * i] = radius * sin(angle);
        x[3 * i + 1] = radius * (1 - cos(angle));
        x[3 * i + 2] = held ? 0 : 1e-4 * sin(2 * angle);
    }
    for (int i = 0; i <= SIDES && !l->result; ++i) {
        const double about[3] = {twist * i / SIDES, 0, 0},
                     around[3] = {0, 0, 2 * pi * (i + 0.5) / SIDES};
        const pliant_quat r = s[i].rotation;
        const quaternion mesh = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
        quaternion t = turn_after(turn_by(around), turn_after(turn_by(about), mesh));
        q[i] = (pliant_quat){(float)t.x, (float)t.y, (float)t.z, (float)t.w};
    }
    if (!l->result) l->result = pliant_body_write_positions_exact(l->world, l->body, x, SIDES + 2);
    if (!l->result) l->result = pliant_body_write_segments(l->world, l->body, q, NULL, SIDES + 1);
    for (int k = 0; k < 2 && !l->result; ++k)
        l->result = pliant_body_pin(l->world, l->body, SIDES + k);
    if (!l->result) l->result = pliant_body_clamp(l->world, l->body, SIDES);
}

// Whether a straight rod that is bent to a ring, its last segment on its first and twisted against
// it, leaves its plane by a tenth of its radius.
static bool leaves_plane(double twist, int substeps, pliant_result* result)
{
    const double side = 1.0 / SIDES, radius = side / 2 / sin(pi / SIDES);
    char words[48];
    double x[3 * (SIDES + 2)], most = 0;
    pliant_soft_def def = rod_of(1e6, 0.01, 0.002);
    snprintf(words, sizeof words, "rope:%.12f:%d", side * (SIDES + 1), SIDES + 1);
    rod_lab l = open_rod(words, &def, false, substeps, 1);
    if (!l.result) bend_to_ring(&l, radius, twist);
    for (int i = 0; i < 400 && !l.result && most < 0.1 * radius; ++i) {
        l.result = pliant_world_step(l.world, 0.01f);
        if (!l.result) l.result = pliant_body_read_positions_exact(l.world, l.body, x, SIDES + 2);
        for (int k = 0; k < SIDES + 2 && !l.result; ++k) most = fmax(most, fabs(x[3 * k + 2]));
    }
    close_rod(&l);
    *result = l.result;
    return most >= 0.1 * radius;
}

pliant_result physics_rod_ring(judge* j)
{
    const double expected = 2 * sqrt(3.0) * pi * 1.25; // B / C for Poisson's ratio 0.25
    double low = 0.9 * expected, high = 1.1 * expected;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 5 && !result; ++i) {
        double middle = (low + high) / 2;
        if (leaves_plane(middle, 60, &result))
            high = middle;
        else
            low = middle;
    }
    if (!result)
        judge_row(j, &(judgment){"rod_ring", "critical_twist", expected, (low + high) / 2, 0.02,
                                 expected});
    return result;
}

// ---- a coil spring ------------------------------------------------------------------------------

static double height_of_last_turn(rod_lab* l, int sides)
{
    double x[3 * (MOST_SEGMENTS + 1)], sum = 0;
    if (!l->result)
        l->result = pliant_body_read_positions_exact(l->world, l->body, x, l->segments + 1);
    for (int i = 0; i < sides; ++i) sum += x[3 * (l->segments - i) + 1] / sides;
    return sum;
}

// Each turn is stretched by 2 pi R^3 (cos^2 a / (G J) + sin^2 a / (E I)) / cos a of the weight
// below it. The mean of the last turn is half a turn above the end.
pliant_result physics_rod_spring(judge* j)
{
    const double radius = 0.05, pitch = 0.02, wire = 0.005, young = 1.6e8;
    const int turns = 4, sides = 24;
    char words[64];
    pliant_soft_def def = rod_of(young, wire, 1e-4);
    def.rope.gyration = 0.016;
    snprintf(words, sizeof words, "helix:%g:%g:%d:%d", radius, pitch, turns, sides);
    rod_lab l = open_rod(words, &def, true, 500, 1);
    double before = height_of_last_turn(&l, sides), slope = atan(pitch / (2 * pi * radius));
    settle(&l, 90);
    double stretch = before - height_of_last_turn(&l, sides);
    double bend = young * pi / 4 * pow(wire, 4), twists = bend / 1.25, middle = turns - 0.5;
    double turn = 2 * pi * pow(radius, 3) / cos(slope) *
                  (pow(cos(slope), 2) / twists + pow(sin(slope), 2) / bend);
    double weight = l.result ? NAN : pliant_body_mass(l.world, l.body) / turns * gravity;
    double expected = turn * weight * (middle * (turns - middle / 2) + 1 / 24.0);
    if (!l.result)
        judge_row(j, &(judgment){"rod_spring", "stretch", expected, stretch, 0.02, expected});
    close_rod(&l);
    return l.result;
}

// ---- speed --------------------------------------------------------------------------------------

// [s] The fastest of some steps of 100 substeps, in one substep.
static double seconds_of(bool rod, pliant_result* result)
{
    pliant_soft_def def = rod_of(1e6, 0.01, 0);
    def.rope.rod = rod;
    def.rope.bending = 1e6 * pi / 4 * pow(0.01, 4);
    rod_lab l = open_rod("rope:1:100", &def, true, 100, 1);
    double best = INFINITY;
    for (int i = 0; i < 300 && !l.result; ++i) {
        double start = platform_seconds();
        l.result = pliant_world_step(l.world, 0.001f);
        best = fmin(best, (platform_seconds() - start) / 100);
    }
    close_rod(&l);
    *result = l.result;
    return best;
}

// A rod of 100 segments costs at most three times a rope of 100 that bends.
pliant_result physics_rod_cost(judge* j)
{
    pliant_result result, other;
    double rope = seconds_of(false, &result), rod = seconds_of(true, &other);
    if (!result) result = other;
    if (!result) judge_row(j, &(judgment){"rod_cost", "of_a_rope", 0, rod / rope, 3, 1});
    return result;
}
