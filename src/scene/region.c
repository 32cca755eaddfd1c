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

static pliant_result open_surface(const stage* s, const scene_surface* from, const place* at,
                                  open_region* out)
{
    place mesh = place_key(at, "mesh");
    pliant_result result = stage_open_mesh(s, &from->mesh, &mesh, &out->surface);
    out->region.surface = out->surface;
    out->region.distance = from->distance;
    out->region.hollow = from->what;
    return result;
}

// `own` is the mesh of the body. A surface to be filled is opened as it is.
static pliant_result open_painted(const stage* s, const scene_painted* from, const scene_mesh* own,
                                  const place* at, open_region* out)
{
    scene_mesh mesh = *own;
    char* file = from->file ? from->file : own->surface;
    if (file) mesh = (scene_mesh){.file = file};
    pliant_result result = stage_open_mesh(s, &mesh, at, &out->painted);
    out->region.painted = out->painted;
    out->region.tolerance = from->tolerance;
    memcpy(out->region.color, from->color, sizeof out->region.color);
    return result;
}

pliant_result region_open(const stage* s, const scene_region* r, const scene_mesh* own,
                          const place* at, open_region* out)
{
    const scene_surface* surface = (const scene_surface*)r->surface.item;
    const scene_painted* painted = (const scene_painted*)r->painted.item;
    place of_surface = place_key(at, "surface"), of_painted = place_key(at, "painted");
    *out = (open_region){.region = pliant_region_defaults()};
    set_shapes(r, &out->region);
    pliant_result result = PLIANT_OK;
    if (surface) result = open_surface(s, surface, &of_surface, out);
    if (painted && !result) result = open_painted(s, painted, own, &of_painted, out);
    return result;
}

void region_close(open_region* r)
{
    pliant_mesh_destroy(r->surface);
    pliant_mesh_destroy(r->painted);
}

pliant_result region_select(const stage* s, const scene_region* region, const stage_entry* entry,
                            const place* at, selection* out)
{
    open_region r;
    const pliant_mesh_arrays mesh = pliant_mesh_view(entry->mesh);
    pliant_result result = region_open(s, region, &entry->source->mesh, at, &r);
    if (!result) {
        out->particle = (int*)mem_array((size_t)mesh.vertex_count, sizeof(int));
        result = out->particle ? pliant_region_select(&r.region, mesh.vertices, mesh.vertex_count,
                                                      out->particle, &out->count)
                               : PLIANT_ERROR_MEMORY;
        result = stage_at_place(result, at);
    }
    region_close(&r);
    return result;
}

pliant_result region_paint(const stage* s, const scene_region* region, const stage_entry* entry,
                           const place* at, int number)
{
    open_region r;
    pliant_result result = region_open(s, region, &entry->source->mesh, at, &r);
    if (!result) result = stage_at_place(pliant_mesh_paint(entry->mesh, &r.region, number), at);
    region_close(&r);
    return result;
}
