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

// Rows that are shared come on top.
int backend_patch_rows(int particles, int64_t all)
{
    enum { MULTIPROCESSORS = 132, LEAST = 128, MOST = 3328 }; // rows that shared memory holds
    if (all <= particles) return 0;
    int64_t patches = (int64_t)MULTIPROCESSORS * particles / all;
    int64_t each = patches > 1 ? particles / patches : particles;
    int64_t rows = patches > 1 ? each + each / 4 + 96 : each;
    if (rows < LEAST) rows = LEAST;
    return rows < MOST ? (int)rows : MOST;
}

pliant_backend backend_for(int64_t elements)
{
    return elements >= GPU_ELEMENTS && backend_has_gpu() ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
}
