// Where the rows of a collider are in a substep: at its start, and with the way to its end. The
// same source for the processor and for CUDA.
#pragma once
#include "collide/collider.h"
#include "contact/set.h"
#include "solver/scalars.h"

// Where a collider is at an instant.
typedef struct {
    const double* position;
    const double (*axis)[3];
} collider_spot;

// When substep `number` ends; -1: when the step begins.
FUNCTION collider_spot place_at_end(const collider* c, int number)
{
    collider_spot at = {c->position, c->axis};
    if (number < 0 || !c->way) return at;
    at.position = c->way[number].position;
    at.axis = c->way[number].axis;
    return at;
}

FUNCTION void place_point(const collider_spot* at, const double local[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = at->position[k] + at->axis[0][k] * local[0] + at->axis[1][k] * local[1] +
                 at->axis[2][k] * local[2];
}

// The place is rounded; what is lost by that is in its residue, and its increment has it, too.
FUNCTION void place_row(const contact_body* b, int point, int bytes, double h, const double from[3],
                        const double to[3])
{
    size_t row = (size_t)point;
    for (size_t k = 0; k < 3; ++k) {
        state_set(b->at.row, row * ROW + k, from[k], bytes);
        double lost = b->still ? 0 : from[k] - state_get(b->at.row, row * ROW + k, bytes);
        state_set(b->at.row, row * ROW + ROW_D + k, to[k] - from[k] + lost, bytes);
        state_set(b->at.residue, row * ROW4 + k, lost, bytes);
        state_set(b->at.velocity, row * ROW4 + k, (to[k] - from[k]) / h, bytes);
    }
}

// Whether its rows are to be placed in that substep.
FUNCTION bool collider_goes(const contact_body* b, int number)
{
    return b->meets && (number == 0 || !b->still);
}

FUNCTION void place_collider_point(const contact_body* b, int point, int number, int bytes,
                                   double h)
{
    const collider_spot start = place_at_end(b->shape, number - 1),
                        end = place_at_end(b->shape, number);
    const double* local = b->surface->rest + 3 * (size_t)b->surface->particle[point];
    double from[3], to[3];
    place_point(&start, local, from);
    place_point(&end, local, to);
    place_row(b, point, bytes, h, from, to);
}

// How its surface and its shape go.
FUNCTION void place_collider(contact_body* b, int number)
{
    const collider_spot start = place_at_end(b->shape, number - 1),
                        end = place_at_end(b->shape, number);
    memcpy(b->position, end.position, sizeof b->position);
    memcpy(b->axis, start.axis, sizeof b->axis);
    memset(b->spin, 0, sizeof b->spin);
    for (int r = 0; r < 3; ++r) {
        b->center[r] = start.position[r];
        b->step[r] = end.position[r] - start.position[r];
        for (int c = 0; b->turns && c < 3; ++c) {
            for (int k = 0; k < 3; ++k) b->spin[r][c] += end.axis[k][r] * start.axis[k][c];
            b->spin[r][c] -= r == c;
        }
    }
    if (b->still) return;
    memcpy(b->shift, b->shape->way[number].shift, sizeof b->shift);
    memcpy(b->turn, b->shape->way[number].turn, sizeof b->turn);
}
