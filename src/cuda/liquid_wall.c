// Colliders as the kernels of liquid_walls.cu see them.
#define PRECISION_DOUBLE
#include "cuda/liquid_wall.h"
#include "cuda/liquid.h"

size_t liquid_wall_bytes(void) { return sizeof(liquid_wall); }

void liquid_wall_fill(const collider* c, const void* data, const collider_pose* way, void* out)
{
    liquid_wall w;
    memset(&w, 0, sizeof w);
    w.at.shape = probe_shape_of(c);
    w.at.shape.data = data;
    w.at.way = way;
    w.at.load = c->load;
    w.reach = c->reach;
    memcpy(out, &w, sizeof w);
}
