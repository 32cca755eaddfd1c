#include "solver/rigid_body.h"
#include "solver/rigid_rows.h"
#include <string.h>

static rigid_rows rows_of(const state* s, const double* local)
{
    return (rigid_rows){s->row, s->velocity, s->residue, local, s->scalar_bytes};
}

// [N, N m] Of the forces on its particles.
static void sum_forces(const body_run* b, double force[3], double torque[3])
{
    const state* s = b->s;
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
    const void* pushed = b->work.air ? b->work.air : s->force;
    bool any = s->pushed || b->work.air;
    for (int i = 0; any && i < s->particle_count; ++i) {
        double arm[3], one[3], turned[3];
        rigid_outward(&b->rigid->axis, b->local + 3 * (size_t)i, arm);
        for (int k = 0; k < 3; ++k) one[k] = state_read(s, pushed, ROW4, i, k);
        d3_cross(arm, one, turned);
        for (int k = 0; k < 3; ++k) {
            force[k] += one[k];
            torque[k] += turned[k];
        }
    }
}

// Sums of the step start at zero.
static void forget_contacts(const body_run* b)
{
    const state* s = b->s;
    size_t rows = (size_t)s->row_count, bytes = (size_t)s->scalar_bytes;
    if (b->work.substep > 0) return;
    memset(s->contact, 0, rows * CONTACT * bytes);
    if (b->work.load_count > 0)
        memset(b->work.load, 0, (size_t)b->work.load_count * rows * LOAD * bytes);
}

void rigid_body_begin(body_run* b)
{
    double force[3], torque[3];
    const rigid_rows rows = rows_of(b->s, b->local);
    forget_contacts(b);
    rigid_axes(b->rigid->turn, &b->rigid->axis);
    sum_forces(b, force, torque);
    rigid_begin(b->rigid, b->work.h, b->work.acceleration, force, torque);
    rigid_solve(b->rigid);
    rigid_note_course(b->rigid);
    for (size_t i = 0; i < (size_t)b->s->particle_count; ++i)
        rigid_row_begin(b->rigid, &rows, i, b->work.h);
}

void rigid_body_place(state* s, const rigid_state* r, const double* local)
{
    const rigid_rows rows = rows_of(s, local);
    for (size_t i = 0; i < (size_t)s->particle_count; ++i) rigid_row_place(r, &rows, i);
}

bool rigid_body_end(body_run* b)
{
    bool good = rigid_end(b->rigid, b->work.h);
    rigid_frame(b->rigid);
    rigid_body_place(b->s, b->rigid, b->local);
    return good;
}
