// The phases of rigid bodies (solver/rigid_body.h) on a GPU: a block for each of them.
#pragma once
#include "cuda/body.h"
#include "solver/rigid_rows.h"

DEVICE rigid_rows rows_of_rigid(const device_body& b)
{
    rigid_rows rows = {b.row, b.velocity, b.residue, b.rigid->local, (int)sizeof(scalar)};
    return rows;
}

// [N, N m] Of the forces on its particles, in their order.
DEVICE void sum_forces(const device_body& b, double force[3], double torque[3])
{
    for (int k = 0; k < 3; ++k) force[k] = torque[k] = 0;
    for (int i = 0; b.pushed && i < b.particle_count; ++i) {
        double arm[3], one[3], turned[3];
        rigid_outward(&b.rigid->state->axis, b.rigid->local + 3 * (size_t)i, arm);
        for (int k = 0; k < 3; ++k) one[k] = (double)b.force[(size_t)i * ROW4 + (size_t)k];
        d3_cross(arm, one, turned);
        for (int k = 0; k < 3; ++k) {
            force[k] += one[k];
            torque[k] += turned[k];
        }
    }
}

DEVICE void begin_motion(const device_body& b)
{
    double force[3], torque[3];
    rigid_state* r = b.rigid->state;
    rigid_axes(r->turn, &r->axis);
    sum_forces(b, force, torque);
    rigid_begin(r, b.rigid->h, b.rigid->acceleration, force, torque);
    rigid_solve(r);
    rigid_note_course(r);
}

// Sums of the step start at zero.
DEVICE void forget_contact_row(const device_body& b, size_t i)
{
    for (size_t k = 0; k < CONTACT; ++k) b.contact[i * CONTACT + k] = 0;
    for (size_t n = 0; n < (size_t)b.load_count; ++n)
        for (size_t k = 0; k < LOAD; ++k) b.load[(n * (size_t)b.row_count + i) * LOAD + k] = 0;
}

static __global__ void rigid_begin_kernel(const device_body* bodies, int number)
{
    const device_body& b = bodies[blockIdx.x];
    const rigid_rows rows = rows_of_rigid(b);
    if (*b.diverged < b.first_meeting + number) return;
    if (threadIdx.x == 0) begin_motion(b);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < b.row_count && number == 0; i += (int)blockDim.x)
        forget_contact_row(b, (size_t)i);
    for (int i = (int)threadIdx.x; i < b.particle_count; i += (int)blockDim.x)
        rigid_row_begin(b.rigid->state, &rows, (size_t)i, b.rigid->h);
}

// One that left the finite numbers stays where it was, at rest.
static __global__ void rigid_end_kernel(const device_body* bodies, int number)
{
    const device_body& b = bodies[blockIdx.x];
    const rigid_rows rows = rows_of_rigid(b);
    if (*b.diverged < b.first_meeting + number) return;
    __syncthreads(); // before it is said
    if (threadIdx.x == 0) {
        rigid_state* r = b.rigid->state;
        if (!rigid_end(r, b.rigid->h)) *b.diverged = b.first_meeting + number;
        rigid_frame(r);
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < b.particle_count; i += (int)blockDim.x)
        rigid_row_place(b.rigid->state, &rows, (size_t)i);
}
