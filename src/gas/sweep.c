// The passes over gases. Compiled once per width and precision: -DKERNELS=the table's name
// -DLANES=... [-DPRECISION_DOUBLE].
#include "gas/passes.h"

#define OVER_BLOCKS(one)                                                                           \
    static void one(const gas_set* s, int first, int last)                                         \
    {                                                                                              \
        for (int block = first; block < last; ++block)                                             \
            for (int lane = 0; lane < FLUID_BLOCK; lane += LANES) one##_gas(s, block, lane);       \
    }
OVER_BLOCKS(weigh)
OVER_BLOCKS(conduct)
OVER_BLOCKS(look)
OVER_BLOCKS(drive)

extern const gas_kernels KERNELS;
const gas_kernels KERNELS = {weigh, conduct, look, drive};
