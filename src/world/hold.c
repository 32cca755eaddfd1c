// Pins by place.
#include "base/memory.h"

pliant_result pliant_body_pin_region(pliant_world* world, pliant_body_id body,
                                     const pliant_region* region, int* out_count)
{
    if (out_count) *out_count = 0;
    if (!REQUIRE(world && pliant_body_is_valid(world, body))) return PLIANT_ERROR_ARGUMENT;
    int count = pliant_body_particle_count(world, body), found = 0;
    double* place = (double*)mem_array(3 * (size_t)count, sizeof(double));
    int* index = (int*)mem_array((size_t)count, sizeof(int));
    pliant_result result = place && index ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        pliant_body_read_positions_exact(world, body, place, count);
        result = pliant_region_select(region, place, count, index, &found);
    }
    for (int i = 0; i < found && !result; ++i) pliant_body_pin(world, body, index[i]);
    if (out_count && !result) *out_count = found;
    mem_free(place);
    mem_free(index);
    return result;
}
