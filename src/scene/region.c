#include "base/memory.h"
#include "scene/stage.h"

static bool in_box(const scene_box* box, const double p[3])
{
    for (int k = 0; k < 3; ++k)
        if (p[k] < box->min[k] || p[k] > box->max[k]) return false;
    return true;
}

static bool in_sphere(const scene_sphere* sphere, const double p[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (p[k] - sphere->center[k]) * (p[k] - sphere->center[k]);
    return square <= sphere->radius * sphere->radius;
}

static bool behind(const scene_half_space* half, const double p[3])
{
    double distance = 0;
    for (int k = 0; k < 3; ++k) distance += (p[k] - half->point[k]) * half->normal[k];
    return distance <= 0;
}

static bool in_region(const scene_region* r, const double p[3])
{
    return (!r->box.count || in_box((const scene_box*)r->box.item, p)) &&
           (!r->sphere.count || in_sphere((const scene_sphere*)r->sphere.item, p)) &&
           (!r->half_space.count || behind((const scene_half_space*)r->half_space.item, p));
}

bool region_select(const scene_region* region, const pliant_mesh_arrays* mesh, selection* out)
{
    out->count = 0;
    out->particle = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    if (!out->particle) return false;
    for (int i = 0; i < mesh->vertex_count; ++i)
        if (in_region(region, mesh->vertices + 3 * (size_t)i)) out->particle[out->count++] = i;
    return true;
}
