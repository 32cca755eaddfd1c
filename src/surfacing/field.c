// Compiled once per width: -DKERNELS=the name of the kernels -DLANES=...
#include "surfacing/field.h"
#include "math/lane.h"

INLINE real bump(real square, real tight)
{
    real rest = lane_max(1.0f - square * tight, lane_splat(0));
    return rest * rest * rest;
}

// Halves are added until one is left.
static float add_up(float part[SUMS])
{
    for (int half = SUMS / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) part[i] += part[i + half];
    return part[0];
}

static float crowd(const near_particles* p, const float at[3])
{
    enum { WIDTHS = SUMS / LANES };
    real x = lane_splat(at[0]), y = lane_splat(at[1]), z = lane_splat(at[2]), sum[WIDTHS];
    float part[SUMS];
    for (int k = 0; k < WIDTHS; ++k) sum[k] = lane_splat(0);
    for (int i = 0; i < p->count; i += SUMS) UNROLL
    for (int k = 0; k < WIDTHS; ++k) {
        int j = i + k * LANES;
        real dx = lane_load(p->x[0] + j) - x, dy = lane_load(p->x[1] + j) - y,
             dz = lane_load(p->x[2] + j) - z;
        sum[k] = sum[k] + bump(dx * dx + (dy * dy + dz * dz), lane_load(p->tight + j));
    }
    for (int k = 0; k < WIDTHS; ++k) lane_store(part + k * LANES, sum[k]);
    return add_up(part);
}

typedef struct {
    int low, high;
} span;

// The nodes that a particle may reach along an axis; one too many on each side does no harm.
static span reach_of(float place, float support)
{
    float low = place - support - 0.01f, high = place + support + 0.01f;
    span s = {low <= 0             ? 0
              : low >= BLOCK_NODES ? BLOCK_NODES
                                   : (int)low,
              high < 0                  ? -1
              : high >= BLOCK_NODES - 1 ? BLOCK_NODES - 1
                                        : (int)high};
    return s;
}

INLINE void add_row(const block_particle* p, const real* across, real rest, bool all, float* to)
{
    enum { WIDTHS = BLOCK_NODES / LANES };
    real tight = lane_splat(p->tight), share = lane_splat(p->share);
    UNROLL
    for (int k = 0; k < WIDTHS; ++k) {
        float* at = to + k * LANES;
        real weight = share * bump(across[k] + rest, tight);
        lane_store(at, lane_load(at) + weight);
        for (int f = 1; all && f < FIELDS; ++f) {
            float* field = at + f * ALL_NODES;
            lane_store(field, lane_load(field) + p->speed[f - 1] * weight);
        }
    }
}

INLINE void add_one(const block_particle* p, bool all, block_fields* to)
{
    enum { WIDTHS = BLOCK_NODES / LANES };
    static const float number[BLOCK_NODES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    real across[WIDTHS];
    float support = 1 / sqrtf(p->tight), square = support * support * 1.0001f;
    for (int k = 0; k < WIDTHS; ++k) {
        real off = (lane_load(number + k * LANES) - p->bin[0]) - p->place[0];
        across[k] = off * off;
    }
    span ys = reach_of(p->bin[1] + p->place[1], support),
         zs = reach_of(p->bin[2] + p->place[2], support);
    for (int z = zs.low; z <= zs.high; ++z) {
        float dz = ((float)z - p->bin[2]) - p->place[2];
        for (int y = ys.low; y <= ys.high; ++y) {
            float dy = ((float)y - p->bin[1]) - p->place[1], rest = dy * dy + dz * dz;
            if (rest > square) continue;
            add_row(p, across, lane_splat(rest), all,
                    to->node[0] + BLOCK_NODES * (y + BLOCK_NODES * z));
        }
    }
}

static void add(const block_particle* p, int count, bool all, block_fields* to)
{
    if (all)
        for (int i = 0; i < count; ++i) add_one(&p[i], true, to);
    else
        for (int i = 0; i < count; ++i) add_one(&p[i], false, to);
}

const field_kernels KERNELS = {crowd, add};
