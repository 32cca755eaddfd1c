// The passes over liquids. Compiled once per width and precision: -DKERNELS=the table's name
// -DLANES=... [-DPRECISION_DOUBLE].
#include "fluid/passes.h"

#define OVER_BLOCKS(one)                                                                           \
    static void one(const fluid_set* s, int first, int last)                                       \
    {                                                                                              \
        for (int block = first; block < last; ++block)                                             \
            for (int lane = 0; lane < FLUID_BLOCK; lane += LANES) one##_liquid(s, block, lane);    \
    }
OVER_BLOCKS(draw)
OVER_BLOCKS(gauge)
OVER_BLOCKS(curl)
OVER_BLOCKS(whirl)
OVER_BLOCKS(stick)
OVER_BLOCKS(thin)
OVER_BLOCKS(press)
OVER_BLOCKS(push)

extern const fluid_kernels KERNELS;
const fluid_kernels KERNELS = {draw, gauge, curl, whirl, stick, thin, press, push};
