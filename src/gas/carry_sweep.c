// What a gas does at places, in `real`: each lane one of them. Compiled once per width: -DKERNELS=
// the function's name -DLANES=...
#include "gas/carry.h"
#include "math/lane.h"

INLINE real gas_at(const carry_work* w, int k, int j) { return lane_splat(w->gas[k][j]); }

INLINE void look_at_places(const carry_work* w, int first)
{
    const float inverse = 1 / w->reach;
    real x = lane_load(w->place[0] + first), y = lane_load(w->place[1] + first),
         z = lane_load(w->place[2] + first);
    real sum[CARRY_FOUND] = {lane_splat(0), lane_splat(0), lane_splat(0), lane_splat(0),
                             lane_splat(0)};
    for (int j = 0; j < w->near; ++j) {
        real dx = x - gas_at(w, 0, j), dy = y - gas_at(w, 1, j), dz = z - gas_at(w, 2, j);
        real near = lane_max(1 - inverse * lane_sqrt(dx * dx + (dy * dy + dz * dz)), lane_splat(0));
        real near2 = near * near, part = near2 * near2 * (5 - 4 * near);
        sum[0] = sum[0] + part;
        for (int k = 1; k < CARRY_FOUND; ++k) sum[k] = sum[k] + part * gas_at(w, k + 2, j);
    }
    for (int k = 0; k < CARRY_FOUND; ++k) lane_store(w->found[k] + first, w->weight * sum[k]);
}

// Places and what is found have room for whole lanes behind them.
void KERNELS(const carry_work* w);
void KERNELS(const carry_work* w)
{
    for (int first = 0; first < w->count; first += LANES) look_at_places(w, first);
}
