#include "base/memory.h"
#include "scene/stage.h"
#include <string.h>

static void set_shapes(const scene_region* r, pliant_region* out)
{
    const scene_box* box = (const scene_box*)r->box.item;
    const scene_sphere* sphere = (const scene_sphere*)r->sphere.item;
    const scene_half_space* half = (const scene_half_space*)r->half_space.item;
    if (box) memcpy(out->min, box->min, sizeof out->min);
    if (box) memcpy(out->max, box->max, sizeof out->max);
    if (sphere) memcpy(out->center, sphere->center, sizeof out->center);
    if (sphere) out->radius = sphere->radius;
    if (half) memcpy(out->point, half->point, sizeof out->point);
    if (half) memcpy(out->normal, half->normal, sizeof out->normal);
}

pliant_result region_open(const stage* s, const scene_region* r, const place* at,
                          pliant_region* out, pliant_mesh** out_surface)
{
    const scene_surface* surface = (const scene_surface*)r->surface.item;
    place key = place_key(at, "surface"), mesh = place_key(&key, "mesh");
    *out = pliant_region_defaults();
    *out_surface = NULL;
    set_shapes(r, out);
    if (!surface) return PLIANT_OK;
    pliant_result result = stage_open_mesh(s, &surface->mesh, &mesh, out_surface);
    out->surface = *out_surface;
    out->distance = surface->distance;
    out->hollow = surface->only;
    return result;
}

pliant_result region_select(const stage* s, const scene_region* region,
                            const pliant_mesh_arrays* mesh, const place* at, selection* out)
{
    pliant_region r;
    pliant_mesh* surface = NULL;
    pliant_result result = region_open(s, region, at, &r, &surface);
    if (result) return result;
    out->particle = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    result = out->particle
                 ? pliant_select(&r, mesh->vertices, mesh->vertex_count, out->particle, &out->count)
                 : PLIANT_ERROR_MEMORY;
    pliant_mesh_destroy(surface);
    return stage_at_place(result, at);
}

pliant_result region_paint(const stage* s, const scene_region* region, const place* at,
                           pliant_mesh* mesh, int number)
{
    pliant_region r;
    pliant_mesh* surface = NULL;
    pliant_result result = region_open(s, region, at, &r, &surface);
    if (!result) result = stage_at_place(pliant_mesh_paint(mesh, &r, number), at);
    pliant_mesh_destroy(surface);
    return result;
}
