#include "world/asset.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "mesh/shape.h"
#include "world/material.h"
#include <limits.h>
#include <math.h>
#include <string.h>

pliant_soft_def pliant_soft_defaults(void)
{
    pliant_soft_def def = {.material = {.density = 1000, .young = 1e6, .poisson = 0.45},
                           .formulation = PLIANT_TEN_ROWS,
                           .shear_relaxation = 1,
                           .schedule = PLIANT_PATCHED,
                           .cluster_size = 5,
                           .cookie = COOKIE_SOFT};
    return def;
}

// ---- what the elements are ----------------------------------------------------------------------

static double edge_length(const double* v, int a, int b) { return sqrt(squared_distance(v, a, b)); }

static const pliant_material* material_of(const pliant_asset* a, int tet)
{
    return &a->material[a->material_count > 1 && a->mesh->tet_region ? a->mesh->tet_region[tet]
                                                                     : 0];
}

static double rope_area(const pliant_asset* a)
{
    return 3.14159265358979323846 * a->def.rope_radius * a->def.rope_radius;
}

void asset_describe(const pliant_asset* a, int number, element* out)
{
    const pliant_mesh* m = a->mesh;
    bool is_tet = number < m->tet_count;
    const int* corner =
        is_tet ? m->tets + 4 * (size_t)number : m->edges + 2 * (size_t)(number - m->tet_count);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < (is_tet ? 4 : 2); ++i)
        memcpy(out->rest[i], m->vertices + 3 * (size_t)corner[i], sizeof out->rest[i]);
    material_constants(is_tet ? material_of(a, number) : &a->material[0], out);
    out->volume = is_tet ? tet_volume(m->vertices, corner) : 0;
    out->relaxation = a->def.shear_relaxation;
    if (!is_tet)
        out->compliance = edge_length(m->vertices, corner[0], corner[1]) /
                          (a->material[0].young * rope_area(a));
}

static void describe_node(const void* context, int node, element* out)
{
    const pliant_asset* a = (const pliant_asset*)context;
    int tet_nodes = a->nodes_per_tet * a->mesh->tet_count;
    asset_describe(
        a, node < tet_nodes ? node / a->nodes_per_tet : node - tet_nodes + a->mesh->tet_count, out);
}

static bool by_cells(const pliant_soft_def* def)
{
    return def->schedule == PLIANT_CLUSTERED && def->clustering == PLIANT_CLUSTER_CELLS;
}

// ---- checks -------------------------------------------------------------------------------------

static pliant_result check_choice(const char* what, int value, int last)
{
    if (value >= 0 && value <= last) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s is %d, which is none of its values", what, value);
}

static pliant_result check_def(const pliant_soft_def* def)
{
    if (check_choice("formulation", (int)def->formulation, PLIANT_DECOUPLED_NODES) ||
        check_choice("schedule", (int)def->schedule, PLIANT_SERIAL) ||
        check_choice("integrator", (int)def->integrator, PLIANT_IMPLICIT_EULER) ||
        check_choice("patch_interface", (int)def->patch_interface, PLIANT_ORDERED) ||
        check_choice("clustering", (int)def->clustering, PLIANT_CLUSTER_CELLS) ||
        check_choice("precision", (int)def->precision, PLIANT_DOUBLE))
        return PLIANT_ERROR_ARGUMENT;
    if (def->patch_rows && (def->patch_rows < 16 || def->patch_rows > 65535))
        return fail(PLIANT_ERROR_ARGUMENT, "patch_rows is %d, it must be 16 to 65535, or 0",
                    def->patch_rows);
    if (def->made_for < PLIANT_BACKEND_AUTO || def->made_for > PLIANT_BACKEND_CUDA)
        return fail(PLIANT_ERROR_ARGUMENT, "made_for is %d: use auto, cpu or cuda",
                    (int)def->made_for);
    if (def->patch_colors && (def->patch_colors < 4 || def->patch_colors > 256))
        return fail(PLIANT_ERROR_ARGUMENT, "patch_colors is %d, it must be 4 to 256, or 0",
                    def->patch_colors);
    if (def->patch_colors && def->patch_interface == PLIANT_ORDERED)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "patch_colors needs copies that are merged, and the interface is ordered");
    if (def->cluster_size < 1 || def->cluster_size > 64)
        return fail(PLIANT_ERROR_ARGUMENT, "cluster_size is %d, it must be 1 to 64",
                    def->cluster_size);
    if (!(def->shear_relaxation >= 1 && def->shear_relaxation <= 100))
        return fail(PLIANT_ERROR_ARGUMENT, "shear_relaxation is %g, it must be 1 to 100",
                    def->shear_relaxation);
    if (!(def->radius >= 0) || !isfinite(def->radius) || !(def->rope_radius >= 0) ||
        !isfinite(def->rope_radius))
        return fail(PLIANT_ERROR_ARGUMENT, "a radius is negative or not finite");
    if (def->materials && def->material_count < 1)
        return fail(PLIANT_ERROR_ARGUMENT, "a table of materials with %d entries",
                    def->material_count);
    for (int i = 0; i < (def->materials ? def->material_count : 1); ++i) {
        pliant_result result =
            material_check(def->materials ? &def->materials[i] : &def->material, i);
        if (result) return result;
    }
    return PLIANT_OK;
}

static pliant_result check_tets(const pliant_mesh* m)
{
    for (int t = 0; t < m->tet_count; ++t) {
        const int* tet = m->tets + 4 * (size_t)t;
        double volume = tet_volume(m->vertices, tet);
        if (volume < 0 || tet_is_degenerate(m->vertices, tet))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "tet %d is %s (volume %g): clean the mesh with %s first", t,
                        volume < 0 ? "inverted" : "flat", volume,
                        volume < 0 ? "orient" : "drop_degenerate");
    }
    for (int e = 0; e < m->edge_count; ++e)
        if (!(edge_length(m->vertices, m->edges[2 * e], m->edges[2 * e + 1]) > 0))
            return fail(PLIANT_ERROR_ARGUMENT, "edge %d has no length", e);
    return PLIANT_OK;
}

// The nodes' corners are counted in an int, and so are the coordinates of the vertices.
static pliant_result check_counts(const pliant_mesh* m, const pliant_soft_def* def)
{
    int64_t nodes_per_tet = def->formulation == PLIANT_DECOUPLED_NODES ? 2 : 1;
    int64_t corners = 4 * nodes_per_tet * m->tet_count + 2 * (int64_t)m->edge_count;
    if (corners <= INT_MAX && m->vertex_count <= INT_MAX / 3) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "a soft body of %d vertices, %d tets and %d edges is too large: cut the mesh",
                m->vertex_count, m->tet_count, m->edge_count);
}

static pliant_result check_mesh(const pliant_mesh* m, const pliant_soft_def* def)
{
    if (m->tet_count == 0 && m->edge_count == 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a soft body needs tets or edges, and the mesh has none%s",
                    m->triangle_count ? " (it is a surface of triangles)" : "");
    pliant_result result = check_counts(m, def);
    if (result) return result;
    for (int t = 0; def->materials && m->tet_region && t < m->tet_count; ++t)
        if (m->tet_region[t] < 0 || m->tet_region[t] >= def->material_count)
            return fail(PLIANT_ERROR_ARGUMENT, "tet %d is of region %d, but there are %d materials",
                        t, m->tet_region[t], def->material_count);
    if (by_cells(def) && (!m->tet_cell || m->edge_count))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters by cell need a mesh whose tets know their cells: a generated box");
    for (int t = 0; by_cells(def) && t < m->tet_count; ++t)
        if (m->tet_cell[t] < 0 || m->tet_cell[t] >= 1 << 28)
            return fail(PLIANT_ERROR_ARGUMENT, "tet %d is of cell %d, it must be 0 to 2^28 - 1", t,
                        m->tet_cell[t]);
    return check_tets(m);
}

// ---- compilation --------------------------------------------------------------------------------

static bool copy_materials(pliant_asset* a, const pliant_soft_def* def)
{
    a->material_count = def->materials ? def->material_count : 1;
    a->material = (pliant_material*)mem_array((size_t)a->material_count, sizeof *a->material);
    if (!a->material) return false;
    memcpy(a->material, def->materials ? def->materials : &def->material,
           (size_t)a->material_count * sizeof *a->material);
    return true;
}

// A rope without a radius is a hundredth of its length thick.
static void choose_rope_radius(pliant_asset* a)
{
    double length = 0;
    for (int e = 0; e < a->mesh->edge_count; ++e)
        length += edge_length(a->mesh->vertices, a->mesh->edges[2 * e], a->mesh->edges[2 * e + 1]);
    if (a->def.rope_radius == 0) a->def.rope_radius = length / 100;
}

static double tet_mass(const pliant_asset* a, int tet)
{
    return material_of(a, tet)->density *
           tet_volume(a->mesh->vertices, a->mesh->tets + 4 * (size_t)tet);
}

static double edge_volume(const pliant_asset* a, int e)
{
    const int* end = a->mesh->edges + 2 * (size_t)e;
    return rope_area(a) * edge_length(a->mesh->vertices, end[0], end[1]);
}

static double edge_mass(const pliant_asset* a, int e)
{
    return a->material[0].density * edge_volume(a, e);
}

static pliant_result lump_masses(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    a->mass = (double*)mem_array_zero((size_t)m->vertex_count, sizeof(double));
    if (!a->mass) return PLIANT_ERROR_MEMORY;
    for (int t = 0; t < m->tet_count; ++t) {
        a->total_volume += tet_volume(m->vertices, m->tets + 4 * (size_t)t);
        for (int i = 0; i < 4; ++i)
            a->mass[m->tets[4 * (size_t)t + (size_t)i]] += tet_mass(a, t) / 4;
    }
    for (int e = 0; e < m->edge_count; ++e) {
        a->total_volume += edge_volume(a, e);
        for (int i = 0; i < 2; ++i) a->mass[m->edges[2 * e + i]] += edge_mass(a, e) / 2;
    }
    for (int v = 0; v < m->vertex_count; ++v) {
        if (!(a->mass[v] > 0))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "vertex %d belongs to no element: clean the mesh with drop_unreferenced",
                        v);
        a->total_mass += a->mass[v];
    }
    return PLIANT_OK;
}

enum { RECIPE_FIRST, RECIPE_SECOND, RECIPE_EDGE, RECIPE_COUNT };

// What the nodes of a tet and of an edge consist of.
static void choose_recipes(const pliant_asset* a, recipe out[RECIPE_COUNT])
{
    static const recipe form[] = {[PLIANT_TEN_ROWS] = {1, {TYPE_ten_rows}},
                                  [PLIANT_TWO_ROWS] = {1, {TYPE_two_rows}},
                                  [PLIANT_DECOUPLED] = {2, {TYPE_deviatoric, TYPE_hydrostatic}},
                                  [PLIANT_DECOUPLED_NODES] = {1, {TYPE_deviatoric}}};
    static const recipe second = {1, {TYPE_hydrostatic}}, edge = {1, {TYPE_distance}};
    bool damped = false;
    for (int i = 0; i < a->material_count; ++i) damped = damped || a->material[i].damping > 0;
    out[RECIPE_FIRST] = form[a->def.formulation];
    out[RECIPE_SECOND] = second;
    out[RECIPE_EDGE] = edge;
    if (damped) out[RECIPE_FIRST].type[out[RECIPE_FIRST].type_count++] = TYPE_viscous;
}

typedef struct {
    int *offset, *particle, *cell;
    unsigned char* recipe;
    double* corner_mass;
    int count;
} node_arrays;

static void add_node(node_arrays* n, const int* corner, int corners, int kind, double corner_mass)
{
    n->corner_mass[n->count] = corner_mass;
    memcpy(n->particle + n->offset[n->count], corner, (size_t)corners * sizeof(int));
    n->recipe[n->count] = (unsigned char)kind;
    n->offset[n->count + 1] = n->offset[n->count] + corners;
    n->count++;
}

static void fill_nodes(const pliant_asset* a, node_arrays* n)
{
    const pliant_mesh* m = a->mesh;
    n->offset[0] = 0;
    for (int t = 0; t < m->tet_count; ++t)
        for (int k = 0; k < a->nodes_per_tet; ++k) {
            if (n->cell) n->cell[n->count] = m->tet_cell[t];
            add_node(n, m->tets + 4 * (size_t)t, 4, k == 0 ? RECIPE_FIRST : RECIPE_SECOND,
                     tet_mass(a, t) / 4 / a->nodes_per_tet);
        }
    for (int e = 0; e < m->edge_count; ++e)
        add_node(n, m->edges + 2 * (size_t)e, 2, RECIPE_EDGE, edge_mass(a, e) / 2);
}

static bool compile_plan(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    size_t tets = (size_t)m->tet_count * (size_t)a->nodes_per_tet, edges = (size_t)m->edge_count;
    bool by_cell = by_cells(&a->def);
    node_arrays n = {.offset = (int*)mem_array(tets + edges + 1, sizeof(int)),
                     .particle = (int*)mem_array(4 * tets + 2 * edges, sizeof(int)),
                     .cell = by_cell ? (int*)mem_array(tets, sizeof(int)) : NULL,
                     .recipe = (unsigned char*)mem_array(tets + edges, 1),
                     .corner_mass = (double*)mem_array(tets + edges, sizeof(double))};
    bool good = n.offset && n.particle && n.recipe && n.corner_mass && (n.cell || !by_cell);
    recipe recipes[RECIPE_COUNT];
    choose_recipes(a, recipes);
    if (good) {
        fill_nodes(a, &n);
        plan_source source = {.node_count = n.count,
                              .particle_count = m->vertex_count,
                              .offset = n.offset,
                              .particle = n.particle,
                              .recipe = n.recipe,
                              .recipes = recipes,
                              .cell = n.cell,
                              .corner_mass = n.corner_mass,
                              .one_material = a->material_count == 1,
                              .describe = describe_node,
                              .context = a};
        plan_settings settings = {.schedule = a->def.schedule,
                                  .clustering = a->def.clustering,
                                  .cluster_size = a->def.cluster_size,
                                  .interface = a->def.patch_interface,
                                  .patch_rows = a->def.patch_rows,
                                  .patch_colors = a->def.patch_colors,
                                  .many_patches = a->def.made_for == PLIANT_BACKEND_CUDA,
                                  .scalar_bytes = a->def.precision == PLIANT_DOUBLE ? 8 : 4};
        good = plan_create(&source, &settings, &a->plan);
    }
    mem_free(n.offset);
    mem_free(n.particle);
    mem_free(n.cell);
    mem_free(n.recipe);
    mem_free(n.corner_mass);
    return good;
}

static void find_softness(pliant_asset* a)
{
    a->softness = INFINITY;
    for (int t = 0; t < a->mesh->tet_count; ++t) {
        element e;
        material_constants(material_of(a, t), &e);
        a->softness = fmin(a->softness, e.mu * e.volume_compliance);
    }
}

static pliant_result compile(pliant_asset* a, const pliant_mesh* mesh, const pliant_soft_def* def)
{
    pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
    pliant_result result = pliant_mesh_create(&arrays, &a->mesh);
    if (result) return result;
    a->def = *def;
    a->def.materials = NULL;
    a->nodes_per_tet = def->formulation == PLIANT_DECOUPLED_NODES ? 2 : 1;
    if (!copy_materials(a, def)) return PLIANT_ERROR_MEMORY;
    choose_rope_radius(a);
    find_softness(a);
    result = lump_masses(a);
    if (result) return result;
    if (!compile_plan(a)) return PLIANT_ERROR_MEMORY;
    result = asset_check_range(a);
    if (result) return result;
    return asset_find_frequencies(a) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result pliant_asset_create(const pliant_mesh* mesh, const pliant_soft_def* def,
                                  pliant_asset** out)
{
    if (!REQUIRE(mesh && out) || !REQUIRE_DEF(def, COOKIE_SOFT)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    double start = platform_seconds();
    pliant_result result = check_def(def);
    if (!result) result = check_mesh(mesh, def);
    if (result) return result;
    pliant_asset* a = (pliant_asset*)mem_alloc_zero(sizeof *a);
    if (!a) return PLIANT_ERROR_MEMORY;
    atomic_store(&a->users, 1);
    result = compile(a, mesh, def);
    if (result) {
        asset_release(a);
        return result;
    }
    a->compile_seconds = platform_seconds() - start;
    *out = a;
    return PLIANT_OK;
}

void asset_retain(const pliant_asset* asset)
{
    atomic_fetch_add(&((pliant_asset*)asset)->users, 1);
}

void asset_release(const pliant_asset* asset)
{
    pliant_asset* a = (pliant_asset*)asset;
    if (!a || atomic_fetch_sub(&a->users, 1) > 1) return;
    plan_destroy(&a->plan);
    pliant_mesh_destroy(a->mesh);
    mem_free(a->material);
    mem_free(a->mass);
    mem_free(a);
}

void pliant_asset_destroy(pliant_asset* asset) { asset_release(asset); }

// ---- what an asset says of itself ---------------------------------------------------------------

pliant_asset_info pliant_asset_describe(const pliant_asset* a)
{
    pliant_asset_info info = {0};
    if (!REQUIRE(a)) return info;
    const plan* p = &a->plan;
    int rows = p->particle_count - p->copies.shared_count + p->copies.slot_count;
    info.particles = p->particle_count;
    info.constraints = p->constraint_count;
    info.nodes = p->node_count;
    info.clusters = p->cluster_count;
    info.colors = p->most_colors;
    info.patches = p->patch_count;
    info.copies = (double)rows / p->particle_count;
    info.shared = (double)p->copies.shared_count / p->particle_count;
    info.clique = p->clique;
    info.largest_color = p->largest_color;
    info.smallest_color = p->smallest_color;
    info.mass = a->total_mass;
    info.volume = a->total_volume;
    info.shear_frequency = a->shear_frequency;
    info.volume_frequency = a->volume_frequency;
    info.typical_frequency = a->typical_frequency;
    info.bytes = plan_bytes(p);
    info.compile_seconds = a->compile_seconds;
    return info;
}

// What the first node of each tet has.
static int read_nodes(const pliant_asset* a, const int* of_node, int* out, int capacity)
{
    int count = capacity < a->mesh->tet_count ? capacity : a->mesh->tet_count;
    for (int t = 0; t < count; ++t) out[t] = of_node[t * a->nodes_per_tet];
    return count;
}

int pliant_asset_read_colors(const pliant_asset* a, int* out_color, int capacity)
{
    if (!REQUIRE(a && out_color && capacity >= 0)) return 0;
    return read_nodes(a, a->plan.node_color, out_color, capacity);
}

int pliant_asset_read_patches(const pliant_asset* a, int* out_patch, int capacity)
{
    if (!REQUIRE(a && out_patch && capacity >= 0)) return 0;
    return read_nodes(a, a->plan.node_patch, out_patch, capacity);
}
