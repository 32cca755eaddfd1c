#include "scene/backend.h"

// A world that needs a GPU is made only where there is one.
bool backend_has_gpu(void)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = 1;
    def.backend = PLIANT_BACKEND_CUDA;
    pliant_result result = pliant_world_create(&def, &world);
    pliant_world_destroy(world);
    return result == PLIANT_OK;
}

pliant_backend backend_for(int64_t elements)
{
    return elements >= GPU_ELEMENTS && backend_has_gpu() ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
}
