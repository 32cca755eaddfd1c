#include "base/memory.h"
#include "solver/torques.h"
#include <string.h>

bool torque_scratch_create(const plan* p, torque_scratch* out)
{
    size_t bytes = (size_t)p->scalar_bytes;
    out->sums = mem_array((size_t)p->strip_count * TORQUE_SCALARS, bytes);
    out->twists = mem_array((size_t)p->component_count * TWIST_SCALARS, bytes);
    return out->sums && out->twists;
}

void torque_scratch_destroy(torque_scratch* s)
{
    mem_free(s->sums);
    mem_free(s->twists);
    memset(s, 0, sizeof *s);
}
