#define PRECISION_DOUBLE
#include "solver/rods.h"
#include "base/memory.h"
#include "constraint/rod.h"
#include "math/turn.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

rod_state* rod_state_create(const rod_set* r, int iterations, int scalar_bytes)
{
    size_t n = (size_t)r->count, bytes = (size_t)scalar_bytes;
    bool keeps = iterations > 1;
    rod_state* out = (rod_state*)mem_array(1, sizeof *out);
    if (!out) return NULL;
    *out = (rod_state){.turn = (double*)mem_array(4 * n, sizeof(double)),
                       .spin = (double*)mem_array_zero(3 * n, sizeof(double)),
                       .torque = (double*)mem_array_zero(3 * n, sizeof(double)),
                       .goal = (double*)mem_array_zero(4 * n, sizeof(double)),
                       .clamped = (unsigned char*)mem_array_zero(n, 1),
                       .row = mem_array_zero((n + 1) * ROW, bytes),
                       .left = (double*)mem_array_zero(3 * n, sizeof(double)),
                       .lambda = keeps ? mem_array_zero((size_t)r->group_count * 3 * BLOCK, bytes)
                                       : NULL};
    if (!out->turn || !out->spin || !out->torque || !out->goal || !out->clamped || !out->row ||
        !out->left || (keeps && !out->lambda)) {
        rod_state_destroy(out);
        return NULL;
    }
    memcpy(out->turn, r->rest, 4 * n * sizeof(double));
    return out;
}

void rod_state_destroy(rod_state* s)
{
    if (!s) return;
    mem_free(s->turn);
    mem_free(s->spin);
    mem_free(s->torque);
    mem_free(s->goal);
    mem_free(s->clamped);
    mem_free(s->row);
    mem_free(s->left);
    mem_free(s->lambda);
    mem_free(s);
}

static quaternion read_turn(const double* from, int i)
{
    const double* q = from + 4 * (size_t)i;
    return (quaternion){q[0], q[1], q[2], q[3]};
}

static void write_turn(double* to, int i, quaternion q)
{
    double* out = to + 4 * (size_t)i;
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

static void turn_vector(double axis[3][3], double v[3])
{
    double out[3];
    for (int k = 0; k < 3; ++k) out[k] = axis[0][k] * v[0] + axis[1][k] * v[1] + axis[2][k] * v[2];
    memcpy(v, out, sizeof out);
}

void rod_state_turn(const rod_set* r, rod_state* s, const double by[4])
{
    const quaternion turn = turn_unit(read_turn(by, 0));
    double axis[3][3];
    turn_axes(turn, axis);
    for (int i = 0; i < r->count; ++i) {
        write_turn(s->turn, i, turn_unit(turn_after(turn, read_turn(s->turn, i))));
        turn_vector(axis, s->spin + 3 * (size_t)i);
    }
}

// ---- the step -----------------------------------------------------------------------------------

void rods_aim(const rod_set* r, rod_state* s, double dt)
{
    for (int i = 0; i < r->count; ++i) {
        double angle[3] = {0, 0, 0};
        if (!s->clamped[i]) continue;
        if (s->clamped[i] & ROD_GOING)
            turn_angle(turn_after(read_turn(s->goal, i), turn_back(read_turn(s->turn, i))), angle);
        for (size_t k = 0; k < 3; ++k) s->spin[3 * (size_t)i + k] = dt > 0 ? angle[k] / dt : 0;
        s->clamped[i] = ROD_CLAMPED;
    }
}

// ---- between steps ------------------------------------------------------------------------------

static quat quat_at(const double* from, int i)
{
    const double* q = from + 4 * (size_t)i;
    return quat_of(v3(q[0], q[1], q[2]), q[3]);
}

static vec3 strain_of_segment(const rod_set* r, const rod_state* s, const state* of, int i)
{
    const int* end = r->end + 2 * (size_t)i;
    const rod_segment c = {.length = r->length[i]};
    double x[2][3];
    for (int k = 0; k < 2; ++k) state_read_position(of, end[k], x[k]);
    return segment_strain(&c, quat_at(s->turn, i),
                          v3(x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]));
}

static joint_bend bend_of_joint(const rod_set* r, const rod_state* s, int i)
{
    const int* link = r->link + 2 * (size_t)i;
    const rod_joint c = {.half = quat_at(r->half, i)};
    return joint_find(&c, quat_at(s->turn, link[0]), quat_at(s->turn, link[1]));
}

// [N/m] and [N m]: what strains make of themselves.
static vec3 segment_stiffness(const rod_set* r, int i)
{
    double shear = r->shear / r->length[i];
    return v3(shear, shear, r->stretch / r->length[i]);
}
static vec3 joint_stiffness(const rod_set* r, int i)
{
    double bend = r->bending / r->span[i];
    return v3(bend, bend, r->ball[i] ? bend : r->twisting / r->span[i]);
}

static vec3 times(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }

static void write3(vec3 v, double out[3]) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

void rods_read_force(const rod_set* r, const rod_state* s, const state* of, int i, double out[3])
{
    vec3 f = times(segment_stiffness(r, i), strain_of_segment(r, s, of, i));
    write3(quat_turn(quat_at(s->turn, i), f), out);
}

void rods_read_moment(const rod_set* r, const rod_state* s, int i, double out[3])
{
    joint_bend b = bend_of_joint(r, s, i);
    vec3 moment = times(joint_stiffness(r, i), joint_strain(&b));
    write3(quat_turn(b.to, joint_torque(&b, moment)), out);
}

rod_energies rods_energy(const rod_set* r, const rod_state* s, const state* of)
{
    rod_energies sum = {0, 0};
    for (int i = 0; i < r->count; ++i) {
        vec3 c = strain_of_segment(r, s, of, i);
        const double* spin = s->spin + 3 * (size_t)i;
        double square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2];
        sum.elastic += v3_dot(times(segment_stiffness(r, i), c), c) / 2;
        if (!s->clamped[i]) sum.kinetic += r->inertia[i] / 2 * square;
    }
    for (int i = 0; i < r->joint_count; ++i) {
        joint_bend b = bend_of_joint(r, s, i);
        vec3 c = joint_strain(&b);
        sum.elastic += v3_dot(times(joint_stiffness(r, i), c), c) / 2;
    }
    return sum;
}
