// Closed systems: two balls meet off center, and nothing else acts on them.
#include "bench/physics.h"
#include <math.h>

static const char* const ball = "sphere:0.1:8";

// Along x at 2 m/s each, one above the other by `offset` [m].
static lab open_balls(const lab_def* def, double offset)
{
    lab l = lab_open(def);
    for (int i = 0; i < 2; ++i) {
        double sign = i ? 1 : -1;
        lab_add(&l, def, ball, (const double[3]){0.13 * sign, 0.5 * offset * sign, 0},
                (pliant_vec3){(float)(-2 * sign), 0, 0});
    }
    return l;
}

static double length_of_change(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static lab_def free_balls(pliant_precision precision, double friction, double restitution)
{
    lab_def def = lab_defaults();
    def.gravity = (pliant_vec3){0, 0, 0};
    def.precision = precision;
    def.friction = (float)friction;
    def.restitution = (float)restitution;
    def.damping = 0;
    def.substeps = 200;
    def.thickness = 0.002f;
    return def;
}

// Friction acts at two points that are a thickness apart: no more of the angular momentum is lost
// than that arm times the momentum that was exchanged.
static pliant_result keep_momentum(judge* j, pliant_precision precision, double friction)
{
    lab_def def = free_balls(precision, friction, 0);
    lab l = open_balls(&def, 0.1);
    motion_sums before = lab_sums_of_all(&l);
    lab_run(&l, 0.15);
    motion_sums after = lab_sums_of_all(&l);
    double linear = length_of_change(before.momentum, after.momentum) / before.moving;
    double angular = length_of_change(before.spin, after.spin) / before.turning;
    double turned = length_of_change(lab_sums(&l, l.body[0]).momentum,
                                     (const double[3]){before.moving / 2, 0, 0});
    double arm = (double)def.thickness * turned / before.turning;
    double bound = friction > 0 ? arm : 1e-5;
    char name[32];
    snprintf(name, sizeof name, "balls_mu_%.1f_%s", friction,
             precision == PLIANT_PRECISION_DOUBLE ? "double" : "single");
    if (!l.result) {
        judge_row(j, &(judgment){name, "linear_momentum", 0, linear, 1e-6, 1});
        judge_row(j, &(judgment){name, "angular_momentum", 0, angular, bound, 1});
        judge_row(j, &(judgment){name, "they_met", 1, turned > 0.1 * before.moving, 0, 1});
    }
    lab_close(&l);
    return l.result;
}

pliant_result physics_momentum(judge* j)
{
    for (int precision = 0; precision < (j->quick ? 1 : 2); ++precision)
        for (int k = 0; k < 2; ++k) {
            pliant_result result = keep_momentum(j, (pliant_precision)precision, k ? 0.5 : 0);
            if (result) return result;
        }
    return PLIANT_OK;
}

// Until they have met and parted: later their vibrations lose what the integrator takes. Returns
// the most energy [J] that there was on the way.
static double run_until_parted(lab* l)
{
    bool met = false;
    double most = 0;
    for (int i = 0; i < 30 && !l->result; ++i) {
        lab_run(l, (double)lab_dt);
        int contacts = pliant_world_contact_stats(l->world).contacts;
        most = fmax(most, lab_sums_of_all(l).energy);
        if (met && contacts == 0) break;
        met = met || contacts > 0;
    }
    return most;
}

// Kinetic and elastic energy after a collision without friction, over that before: 98 to 100 %, and
// at no time more than there was.
static pliant_result keep_energy(judge* j, double restitution, double offset)
{
    lab_def def = free_balls(PLIANT_PRECISION_SINGLE, 0, restitution);
    lab l = open_balls(&def, offset);
    motion_sums before = lab_sums_of_all(&l);
    double most = run_until_parted(&l);
    motion_sums after = lab_sums_of_all(&l);
    double grown = fmax(most / before.energy - 1, 0);
    char name[32];
    snprintf(name, sizeof name, "bounce_e_%.1f_offset_%.1f", restitution, offset);
    judgment row = {name, "energy_after", 0.99, after.energy / before.energy, 0.01, 1};
    if (!l.result) judge_row(j, &row);
    if (!l.result) judge_row(j, &(judgment){name, "energy_grown", 0, grown, 1e-5, 1});
    lab_close(&l);
    return l.result;
}

// Two ropes of one segment each, one above the other: nothing of them is deformed, and they part at
// e times the speed at which they met.
static pliant_result throw_back(judge* j, double restitution)
{
    lab_def def = free_balls(PLIANT_PRECISION_SINGLE, 0, restitution);
    def.thickness = 0.01f;
    lab l = lab_open(&def);
    for (int i = 0; i < 2; ++i)
        lab_add(&l, &def, "rope:0.1:1", (const double[3]){0, 0.05 * i, 0},
                (pliant_vec3){0, i ? -1 : 1, 0});
    double most = run_until_parted(&l), speed[2];
    for (int i = 0; i < 2; ++i) {
        motion_sums m = lab_sums(&l, l.body[i]);
        speed[i] = m.momentum[1] / m.mass;
    }
    char name[32];
    snprintf(name, sizeof name, "particles_e_%.1f", restitution);
    judgment row = {name, "speed_ratio", restitution, (speed[1] - speed[0]) / 2, 0.01, 1};
    if (!l.result && most > 0) judge_row(j, &row);
    lab_close(&l);
    return l.result;
}

// A soft body comes back by its elasticity: without restitution of its particles, too.
pliant_result physics_bounce(judge* j)
{
    static const double restitution[] = {1, 0.5, 0};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 3 && !result; ++i) result = throw_back(j, restitution[i]);
    for (int i = 0; i < 3 && !result; i += 1 + j->quick) {
        result = keep_energy(j, restitution[i], 0);
        if (!result && !j->quick) result = keep_energy(j, restitution[i], 0.1);
    }
    return result;
}
