// How a row of viscosity answers to the rate that it sees: by the multiplier -value / (beta pivot +
// compliance), where beta is the share of its own doing that it takes into account.
//
// All of it, beta = 1, is implicit for this row alone. But in a motion that is smooth its neighbors
// push its corners back by what it pushes, half of them after it: one sweep of such rows is too
// weak, by about the ratio y of pivot to compliance, which is h tau omega^2 of the element by
// itself. So beta goes from `soft`, where y is small, to 0.55 where it is large: with it bending
// beams are damped right within 5 % (measured). A row then goes up to 1.82 times as far as to its
// own rest; anything below 2 times takes energy, whatever the others do.
#pragma once
#include "math/lane.h"

INLINE real brake_answer(scalar soft, real pivot, real compliance)
{
    const real least = lane_splat(soft), more = lane_splat(0.55f - soft);
    real stiff = pivot * lane_inverse_or_zero(pivot + compliance); // y / (1 + y)
    return -lane_inverse_or_zero(compliance + (least + more * stiff) * pivot);
}
