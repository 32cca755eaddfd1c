// The passes over pairs of loose particles. Compiled once per width and precision: -DKERNELS=the
// table's name -DLANES=... [-DPRECISION_DOUBLE].
#include "contact/loose_pass.h"

// ---- who is near --------------------------------------------------------------------------------

static int pick_one(const float* const ball[4], int i, int one)
{
    float x = ball[0][i] - ball[0][one], y = ball[1][i] - ball[1][one];
    float z = ball[2][i] - ball[2][one], reach = ball[3][i] + ball[3][one];
    return x * x + y * y + z * z <= reach * reach;
}

static int pick(const float* const ball[4], int first, int last, int one, int* out)
{
    int count = 0;
#if LANES > 1
    for (; first + LANES <= last; first += LANES) {
        real x = lane_load(ball[0] + first) - ball[0][one];
        real y = lane_load(ball[1] + first) - ball[1][one];
        real z = lane_load(ball[2] + first) - ball[2][one];
        real reach = lane_load(ball[3] + first) + ball[3][one];
        unsigned bits = lane_bits(x * x + y * y + z * z <= reach * reach);
        for (; bits; bits &= bits - 1) out[count++] = first + __builtin_ctz(bits);
    }
#endif
    for (; first < last; ++first)
        if (pick_one(ball, first, one)) out[count++] = first;
    return count;
}

// ---- all blocks ---------------------------------------------------------------------------------

#define OVER_BLOCKS(one)                                                                           \
    static bool one(const loose_pairs* p, int first, int last)                                     \
    {                                                                                              \
        bool any = false;                                                                          \
        for (int block = first; block < last; ++block)                                             \
            for (int lane = 0; lane < LOOSE_BLOCK; lane += LANES)                                  \
                any |= one##_strip(p, block, lane);                                                \
        return any;                                                                                \
    }
OVER_BLOCKS(warm)
OVER_BLOCKS(judge)
OVER_BLOCKS(press)
OVER_BLOCKS(finish)
OVER_BLOCKS(settle)

extern const loose_kernels KERNELS;
const loose_kernels KERNELS = {pick, warm, judge, press, finish, settle};
