// How a row of viscosity answers to the rate that it sees: by the multiplier -value / (beta pivot +
// compliance), where beta is the share of its own doing that it takes into account.
//
// All of it, beta = 1, is implicit for this row alone. But in a motion that is smooth its neighbors
// push its corners back by what it pushes, half of them after it: one sweep of such rows is too
// weak, by about the ratio y of pivot to compliance, which is h tau omega^2 of the element by
// itself. A tenth where y is small, and more than half where it is large, is right within 4 % up to
// y = 1 (measured on bending beams). A row then goes up to 1.82 times as far as to its own rest;
// anything below 2 times takes energy, whatever the others do.
#pragma once
#include "math/lane.h"

INLINE real brake_answer(real pivot, real compliance)
{
    const real soft = lane_splat(0.1f), more = lane_splat(0.45f);
    real stiff = pivot * lane_inverse_or_zero(pivot + compliance); // y / (1 + y)
    return -lane_inverse_or_zero(compliance + (soft + more * stiff) * pivot);
}
