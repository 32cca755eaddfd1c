// What tears, and what it is made of afterwards.
#include "asset/asset.h"
#include "base/platform.h"
#include <string.h>

bool asset_tears(const pliant_asset* a)
{
    bool tears = cloth_triangles(a->mesh) > 0 && a->def.cloth.tear_strength > 0;
    if (asset_is_rigid(a)) return false;
    if (a->mesh->tet_count == 0 && a->mesh->edge_count == 0) return tears;
    for (int i = 0; i < a->material_count; ++i) tears = tears || a->material[i].tear_strength > 0;
    return tears;
}

bool pliant_asset_tears(const pliant_asset* asset) { return REQUIRE(asset) && asset_tears(asset); }

bool asset_takes_tear_energy(const pliant_asset* a)
{
    bool takes = cloth_triangles(a->mesh) > 0 && a->def.cloth.tear_energy > 0;
    for (int i = 0; i < a->material_count; ++i) takes = takes || a->material[i].tear_energy > 0;
    return takes && asset_tears(a);
}

static pliant_result compile_torn(const pliant_asset* from, pliant_asset* a)
{
    size_t bytes = (size_t)from->material_count * sizeof *a->material;
    a->def = from->def;
    a->material = (pliant_material_def*)mem_alloc(bytes);
    if (!a->material) return PLIANT_ERROR_MEMORY;
    memcpy(a->material, from->material, bytes);
    a->material_count = from->material_count;
    a->first_count = a->mesh->vertex_count;
    pliant_result result = asset_measure(a);
    if (result) return result;
    if (!asset_make_parts(a, NULL, 0) || !asset_compile_plan(a, NULL)) return PLIANT_ERROR_MEMORY;
    a->shear_frequency = from->shear_frequency;
    a->volume_frequency = from->volume_frequency;
    a->typical_frequency = from->typical_frequency;
    return asset_check_range(a);
}

pliant_result asset_create_torn(const pliant_asset* from, pliant_mesh* mesh, pliant_asset** out)
{
    double start = platform_seconds();
    pliant_asset* a = asset_allocate();
    *out = NULL;
    if (!a) {
        pliant_mesh_destroy(mesh);
        return PLIANT_ERROR_MEMORY;
    }
    a->mesh = mesh;
    pliant_result result = compile_torn(from, a);
    if (result) {
        asset_release(a);
        return result;
    }
    a->compile_seconds = platform_seconds() - start;
    *out = a;
    return PLIANT_OK;
}
