// Rigid bodies in their forms, for `bench physics`.
#include "bench/physics_yard.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>

const char* const form_words[BODY_FORMS] = {"rigid", "balls", "matched"};

yard yard_open_with(bool weight, int substeps)
{
    yard y = {NULL, PLIANT_OK};
    pliant_world_def def = pliant_world_defaults();
    if (!weight) def.gravity = (pliant_vec3){0, 0, 0};
    if (substeps > 0) def.substeps = substeps;
    y.result = pliant_world_create(&def, &y.world);
    return y;
}

yard yard_open(bool weight) { return yard_open_with(weight, 0); }

void yard_close(yard* y)
{
    pliant_world_destroy(y->world);
    y->world = NULL;
}

pliant_collider_id yard_slope(yard* y, double slope, double friction, double restitution)
{
    pliant_collider_id id = {0, 0};
    pliant_collider_def def = pliant_collider_defaults();
    def.rotation = (pliant_quat){0, 0, (float)-sin(slope / 2), (float)cos(slope / 2)};
    def.static_friction = def.dynamic_friction = (float)friction;
    def.restitution = (float)restitution;
    def.measure_force = true;
    if (!y->result) y->result = pliant_world_add_collider(y->world, &def, &id);
    return id;
}

// ---- bodies -------------------------------------------------------------------------------------

// Balls of one size, whose places are given [m].
static pliant_mesh* mesh_of_balls(yard* y, double* x, double radius, int count)
{
    pliant_mesh* mesh = NULL;
    double* r = (double*)mem_array((size_t)count, sizeof *r);
    if (!r || !x) y->result = PLIANT_ERROR_MEMORY;
    for (int i = 0; r && i < count; ++i) r[i] = radius;
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count, .vertex_radius = r};
    if (!y->result) y->result = pliant_mesh_create(&arrays, &mesh);
    mem_free(r);
    mem_free(x);
    return mesh;
}

pliant_mesh* yard_brick(yard* y, body_form form, const double size[3], double spacing)
{
    pliant_mesh* mesh = NULL;
    char words[80];
    int side[3], count = 1, n = 0;
    if (form == FORM_CORNERS) {
        snprintf(words, sizeof words, "brick:%gx%gx%g", size[0], size[1], size[2]);
        if (!y->result) y->result = pliant_mesh_generate(words, &mesh);
        return mesh;
    }
    for (int k = 0; k < 3; ++k) {
        side[k] = (int)lround(size[k] / spacing);
        count *= side[k];
    }
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    for (; x && n < count; ++n) {
        const int at[3] = {n % side[0], n / side[0] % side[1], n / side[0] / side[1]};
        for (int k = 0; k < 3; ++k) x[3 * n + k] = spacing * (at[k] + 0.5) - size[k] / 2;
    }
    return mesh_of_balls(y, x, spacing / 2, count);
}

// Balls on the surface, as seeds in a sunflower, and on one within, so that it is nearly solid; of
// corners: a ball by itself.
pliant_mesh* yard_ball(yard* y, body_form form, double radius, int balls)
{
    const double golden = acos(-1) * (3 - sqrt(5.0)), bump = 0.1 * radius;
    const int count = form == FORM_CORNERS ? 1 : balls;
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    for (int i = 0; x && i < count; ++i) {
        double up = 1 - (2 * i + 1.0) / count, r = count == 1 ? 0 : radius - bump;
        double out = sqrt(1 - up * up);
        x[3 * i] = r * out * cos(golden * i);
        x[3 * i + 1] = r * up;
        x[3 * i + 2] = r * out * sin(golden * i);
    }
    return mesh_of_balls(y, x, count == 1 ? radius : bump, count);
}

pliant_body_id yard_add(yard* y, const pliant_mesh* mesh, body_form form, const pliant_body_def* at)
{
    pliant_body_id id = {0, 0};
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rigid = form != FORM_MATCHED;
    soft.clusters.stiffness = form == FORM_MATCHED ? 1 : 0;
    if (!y->result) y->result = pliant_world_add_soft(y->world, mesh, &soft, at, &id);
    return id;
}

pliant_body_def yard_place(double x, double y, double z)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

// ---- what happens -------------------------------------------------------------------------------

void yard_run(yard* y, double seconds)
{
    for (int i = 0; i < (int)(60 * seconds + 0.5) && !y->result; ++i)
        y->result = pliant_world_step(y->world, 1.0f / 60);
}

static pliant_result send_particles(yard* y, pliant_body_id id, const double velocity[3])
{
    int count = pliant_body_particle_count(y->world, id);
    pliant_vec3* v = (pliant_vec3*)mem_array((size_t)count, sizeof *v);
    if (!v) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count; ++i)
        v[i] = (pliant_vec3){(float)velocity[0], (float)velocity[1], (float)velocity[2]};
    pliant_result result = pliant_body_write_velocities(y->world, id, v, count);
    mem_free(v);
    return result;
}

void yard_send(yard* y, pliant_body_id id, const double velocity[3])
{
    pliant_motion m;
    if (y->result) return;
    if (pliant_body_cluster_count(y->world, id) > 0) {
        y->result = send_particles(y, id, velocity);
        return;
    }
    y->result = pliant_body_motion(y->world, id, &m);
    for (int k = 0; k < 3; ++k) {
        m.velocity[k] = velocity[k];
        m.angular_velocity[k] = 0;
    }
    if (!y->result) y->result = pliant_body_set_motion(y->world, id, &m);
}

static yard_motion look_at_rigid(yard* y, pliant_body_id id)
{
    yard_motion out = {.mass = pliant_body_mass(y->world, id)};
    pliant_motion m = {.held = false};
    y->result = pliant_body_motion(y->world, id, &m);
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out.center[k] = m.center[k];
        out.velocity[k] = m.velocity[k];
        out.spin[k] = m.angular_momentum[k] +
                      out.mass * (m.center[a] * m.velocity[b] - m.center[b] * m.velocity[a]);
        out.energy += out.mass * m.velocity[k] * m.velocity[k] / 2 +
                      m.angular_momentum[k] * m.angular_velocity[k] / 2;
    }
    return out;
}

static yard_motion look_at_particles(yard* y, pliant_body_id id)
{
    lab l = {.world = y->world};
    const motion_sums sums = lab_sums(&l, id);
    yard_motion out = {.mass = sums.mass, .energy = sums.energy};
    for (int k = 0; k < 3; ++k) {
        out.center[k] = sums.center[k];
        out.velocity[k] = sums.momentum[k] / sums.mass;
        out.spin[k] = sums.spin[k];
    }
    y->result = l.result;
    return out;
}

yard_motion yard_look(yard* y, pliant_body_id id)
{
    if (y->result) return (yard_motion){.mass = 1};
    return pliant_body_cluster_count(y->world, id) > 0 ? look_at_particles(y, id)
                                                       : look_at_rigid(y, id);
}
