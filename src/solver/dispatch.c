// Which compilation of the sweep runs: by width, precision and what the processor has.
#include "base/platform.h"
#include "solver/clusters.h"
#include "solver/particles.h"
#include "solver/rods.h"
#include "solver/sweep.h"
#include "solver/torques.h"

extern const sweep_kernels sweep_double, sweep_1, sweep_4;
#ifdef PLIANT_X86
extern const sweep_kernels sweep_8_avx2, sweep_16_avx512;
#endif

// No wider than the processor: more would be slower, and the bits are the same.
const sweep_kernels* sweep_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &sweep_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &sweep_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &sweep_8_avx2;
#endif
    return lanes >= 4 ? &sweep_4 : &sweep_1;
}

extern const particle_kernels particles_single, particles_double;
#ifdef PLIANT_X86
extern const particle_kernels particles_single_avx2;
#endif

const particle_kernels* particle_kernels_for(int scalar_bytes)
{
    if (scalar_bytes == 8) return &particles_double;
#ifdef PLIANT_X86
    if (platform_lanes() >= 8) return &particles_single_avx2;
#endif
    return &particles_single;
}

extern const torque_kernels torques_single, torques_double;
#ifdef PLIANT_X86
extern const torque_kernels torques_single_avx2, torques_single_avx512;
#endif

const torque_kernels* torque_kernels_for(int scalar_bytes)
{
    if (scalar_bytes == 8) return &torques_double;
#ifdef PLIANT_X86
    if (platform_lanes() >= 16) return &torques_single_avx512;
    if (platform_lanes() >= 8) return &torques_single_avx2;
#endif
    return &torques_single;
}

extern const match_kernels matches_single, matches_double;
#ifdef PLIANT_X86
extern const match_kernels matches_single_avx2;
#endif

const match_kernels* match_kernels_for(int scalar_bytes)
{
    if (scalar_bytes == 8) return &matches_double;
#ifdef PLIANT_X86
    if (platform_lanes() >= 8) return &matches_single_avx2;
#endif
    return &matches_single;
}

extern const rod_kernels rods_double, rods_1, rods_4;
#ifdef PLIANT_X86
extern const rod_kernels rods_8_avx2, rods_16_avx512;
#endif

const rod_kernels* rod_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &rods_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &rods_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &rods_8_avx2;
#endif
    return lanes >= 4 ? &rods_4 : &rods_1;
}
