// Air against closed forms: a sheet that falls, and one that glides.
#include "bench/physics.h"
#include <math.h>

static const double density = 1.2, gravity = 9.81; // [kg/m^3, m/s^2]
static const double thickness = 2e-5;              // [m]

// A sheet of that mass per area [kg/m^2], with its front (-x) down by an angle: rigid, and so thin
// that the wind does not see its edges.
static pliant_result add_sheet(pliant_world* world, double weight, double angle,
                               const pliant_airfoil_def* foil, pliant_body_id* out)
{
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.rigid = true;
    soft.material.density = weight / thickness;
    def.rotation = (pliant_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
    def.air = *foil;
    pliant_result result = pliant_mesh_generate("brick:0.6x0.00002x0.4", &mesh);
    if (!result) result = pliant_world_add_soft(world, mesh, &soft, &def, out);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result open_air(pliant_world** out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_air_def air = pliant_air_defaults();
    def.substeps = 40;
    def.threads = 1;
    def.gravity = (pliant_vec3){0, (float)-gravity, 0};
    pliant_result result = pliant_world_create(&def, out);
    return result ? result : pliant_world_set_air(*out, &air);
}

// [m/s] Of its middle after so many seconds.
static pliant_result fall(double weight, double angle, const pliant_airfoil_def* foil,
                          double seconds, double out[3])
{
    pliant_world* world = NULL;
    pliant_body_id body;
    pliant_motion m;
    pliant_result result = open_air(&world);
    if (!result) result = add_sheet(world, weight, angle, foil, &body);
    for (int i = 0; i < (int)(seconds / (double)lab_dt + 0.5) && !result; ++i)
        result = pliant_world_step(world, lab_dt);
    if (!result) result = pliant_body_motion(world, body, &m);
    for (int k = 0; k < 3 && !result; ++k) out[k] = m.velocity[k];
    pliant_world_destroy(world);
    return result;
}

// Broadside: m g = rho/2 A (drag + friction) v^2. Edge on friction alone.
pliant_result physics_air_fall(judge* j)
{
    const pliant_airfoil_def foil = {.drag = 1.2f, .lift = 1.6f, .friction = 0.02f, .exposure = 1};
    double v[3];
    pliant_result result = fall(0.3, 0, &foil, j->quick ? 1.5 : 4, v);
    double expected = sqrt(2 * 0.3 * gravity / (density * 1.22));
    if (!result)
        judge_row(j, &(judgment){"air_fall", "broadside_m_s", expected, -v[1], 0.001, expected});
    const pliant_airfoil_def rough = {.drag = 1.2f, .lift = 1.6f, .friction = 0.6f, .exposure = 1};
    if (!result) result = fall(0.3, 1.5707963267948966, &rough, j->quick ? 1.5 : 4, v);
    expected = sqrt(2 * 0.3 * gravity / (density * 0.6));
    if (!result)
        judge_row(j, &(judgment){"air_fall", "edge_on_m_s", expected, -v[1], 0.001, expected});
    return result;
}

// The pressure is the same everywhere on a flat sheet, so that it keeps its angle, and comes to a
// glide in which lift and drag hold its weight: the slope is their ratio at the angle of attack,
// which is the slope less the sheet's own angle.
static double find_slope(double angle, const pliant_airfoil_def* foil, double* out_size)
{
    double low = angle, high = 1.5707;
    for (int i = 0; i < 60; ++i) {
        double slope = (low + high) / 2, s = sin(slope - angle), c = cos(slope - angle);
        double drag = (double)foil->friction + (double)foil->drag * s * s;
        double lift = (double)foil->lift * s * c;
        *out_size = sqrt(drag * drag + lift * lift);
        if (drag * cos(slope) < lift * sin(slope))
            high = slope;
        else
            low = slope;
    }
    return (low + high) / 2;
}

pliant_result physics_air_glide(judge* j)
{
    const double angle = 0.15, degrees = 57.29577951308232;
    const pliant_airfoil_def foil = {.drag = 1.2f, .lift = 3, .friction = 0.04f, .exposure = 1};
    double v[3], size, slope = find_slope(angle, &foil, &size);
    pliant_result result = fall(0.15, angle, &foil, j->quick ? 6 : 20, v);
    double speed = sqrt(2 * 0.15 * gravity / (density * size));
    if (result) return result;
    judge_row(j, &(judgment){"air_glide", "slope_degrees", slope * degrees,
                             atan2(-v[1], -v[0]) * degrees, 0.005, slope * degrees});
    judge_row(j, &(judgment){"air_glide", "speed_m_s", speed, sqrt(v[0] * v[0] + v[1] * v[1]),
                             0.005, speed});
    return PLIANT_OK;
}
