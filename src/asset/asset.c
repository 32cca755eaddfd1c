#include "asset/asset.h"
#include "asset/material.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "mesh/shape.h"
#include <limits.h>
#include <math.h>
#include <string.h>

// ---- what the elements are ----------------------------------------------------------------------

static double edge_length(const double* v, int a, int b) { return sqrt(squared_distance(v, a, b)); }

const pliant_material_def* asset_material(const pliant_asset* a, int tet)
{
    return &a->material[a->material_count > 1 && a->mesh->tet_region ? a->mesh->tet_region[tet]
                                                                     : 0];
}

void asset_constants(const pliant_asset* a, int tet, element* out)
{
    material_constants(asset_material(a, tet), a->def.research.lame_convention, out);
}

double asset_rope_area(const pliant_asset* a)
{
    return 3.14159265358979323846 * a->def.rope.radius * a->def.rope.radius;
}

static bool tets_flow(const pliant_asset* a)
{
    for (int i = 0; i < a->material_count && a->mesh->tet_count && !a->def.rigid; ++i)
        if (a->material[i].yield_stress > 0 || material_swells(&a->material[i])) return true;
    return false;
}

bool asset_flows(const pliant_asset* a) { return tets_flow(a) || asset_creases(a); }

static void describe_node(const void* context, int node, element* out)
{
    const pliant_asset* a = (const pliant_asset*)context;
    int tet_nodes = a->nodes_per_tet * a->mesh->tet_count;
    asset_describe(
        a, node < tet_nodes ? node / a->nodes_per_tet : node - tet_nodes + a->mesh->tet_count, out);
}

bool pliant_asset_flows(const pliant_asset* asset) { return REQUIRE(asset) && tets_flow(asset); }

bool asset_find_flow(pliant_asset* a) { return plan_find_flow(&a->plan, describe_node, a); }

// ---- compilation --------------------------------------------------------------------------------

static bool copy_materials(pliant_asset* a, const pliant_soft_def* def)
{
    a->material_count = def->materials ? def->material_count : 1;
    a->material = (pliant_material_def*)mem_array((size_t)a->material_count, sizeof *a->material);
    if (!a->material) return false;
    memcpy(a->material, def->materials ? def->materials : &def->material,
           (size_t)a->material_count * sizeof *a->material);
    a->def.material = a->material[0];
    return true;
}

// A rope without a radius is a hundredth of its length thick.
static void choose_rope_radius(pliant_asset* a)
{
    double length = 0;
    for (int e = 0; e < a->mesh->edge_count; ++e)
        length += edge_length(a->mesh->vertices, a->mesh->edges[2 * e], a->mesh->edges[2 * e + 1]);
    if (a->def.rope.radius == 0) a->def.rope.radius = length / 100;
}

static double tet_mass(const pliant_asset* a, int tet)
{
    return asset_material(a, tet)->density *
           tet_volume(a->mesh->vertices, a->mesh->tets + 4 * (size_t)tet);
}

static double edge_volume(const pliant_asset* a, int e)
{
    const int* end = a->mesh->edges + 2 * (size_t)e;
    return asset_rope_area(a) * edge_length(a->mesh->vertices, end[0], end[1]);
}

static double edge_mass(const pliant_asset* a, int e)
{
    return a->material[0].density * edge_volume(a, e);
}

double asset_radius(const pliant_asset* a, int particle)
{
    if (def_spacing(&a->def) > 0) return def_spacing(&a->def) / 2;
    return a->mesh->vertex_radius ? a->mesh->vertex_radius[particle] : a->def.radius;
}

double asset_largest_radius(const pliant_asset* a)
{
    double largest = 0;
    for (int v = 0; v < a->mesh->vertex_count; ++v) largest = fmax(largest, asset_radius(a, v));
    return largest;
}

double asset_smallest_radius(const pliant_asset* a)
{
    double smallest = INFINITY;
    for (int v = 0; v < a->mesh->vertex_count; ++v) smallest = fmin(smallest, asset_radius(a, v));
    return smallest;
}

double asset_ball_volume(double radius)
{
    return 4 * 3.14159265358979323846 / 3 * radius * radius * radius;
}

// Of a loose particle: a liquid's stands for a cube.
static double loose_volume(const pliant_asset* a, double radius)
{
    double spacing = def_spacing(&a->def);
    return spacing > 0 ? spacing * spacing * spacing : asset_ball_volume(radius);
}

double asset_ball_mass(const pliant_asset* a, double radius)
{
    return a->material[0].density * loose_volume(a, radius);
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
    for (int t = 0; t < cloth_triangles(m); ++t) {
        const int* corner = m->triangles + 3 * (size_t)t;
        double mass = a->def.cloth.density * triangle_area(m->vertices, corner);
        for (int i = 0; i < 3; ++i) a->mass[corner[i]] += mass / 3;
    }
    for (int v = 0; mesh_is_loose(m) && v < m->vertex_count; ++v) {
        double volume = loose_volume(a, asset_radius(a, v));
        if (v < a->first_count) a->total_volume += volume;
        a->mass[v] = asset_ball_mass(a, asset_radius(a, v));
    }
    for (int v = 0; v < m->vertex_count; ++v) {
        if (!(a->mass[v] > 0))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "vertex %d belongs to no element: clean the mesh first (pliant mesh "
                        "--drop-unreferenced)",
                        v);
        if (v < a->first_count) a->total_mass += a->mass[v];
    }
    return PLIANT_OK;
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

// What a part's nodes give to the mass of each corner: the mass of a tet or rope, which is theirs;
// other parts share particles, all alike.
static double corner_mass(const pliant_asset* a, const body_part* p)
{
    if (p->kind == PART_TET) return tet_mass(a, p->number) / 4 / a->nodes_per_tet;
    if (p->kind == PART_ROPE) return edge_mass(a, p->number) / 2;
    double sum = 0;
    for (int i = 0; i < part_corners[p->kind]; ++i) sum += a->mass[p->corner[i]];
    return sum / part_corners[p->kind];
}

static void fill_nodes(const pliant_asset* a, node_arrays* n)
{
    n->offset[0] = 0;
    for (int i = 0; i < asset_part_count(a); ++i) {
        body_part p = asset_part(a, i);
        double mass = corner_mass(a, &p);
        for (int k = 0; k < (p.kind == PART_TET ? a->nodes_per_tet : 1); ++k) {
            if (n->cell) n->cell[n->count] = a->mesh->tet_cell[p.number];
            add_node(n, p.corner, part_corners[p.kind], k == 0 ? (int)p.kind : RECIPE_SECOND, mass);
        }
    }
}

// All tethers of an anchor have different colors, unless it has copies: few colors, more copies.
static int patch_colors(const pliant_asset* a)
{
    enum { FEW = 32 };
    bool merged = a->def.solver.patch_interface == PLIANT_INTERFACE_MERGED;
    bool chosen = a->def.solver.patch_colors || !merged || a->parts[PART_TETHER].count == 0;
    return chosen ? a->def.solver.patch_colors : FEW;
}

plan_settings asset_plan_settings(const pliant_asset* a)
{
    return (plan_settings){
        .schedule = a->def.solver.schedule,
        .clustering = a->def.research.clustering,
        .cluster_size = a->def.research.cluster_size,
        .interface = a->def.solver.patch_interface,
        .patch_rows = a->def.solver.patch_rows,
        .patch_colors = patch_colors(a),
        .most_colors = a->def.research.most_colors,
        .phantoms = a->def.research.phantoms,
        .merge = a->def.research.merge,
        .twisting = a->def.research.rotation == PLIANT_ROTATION_AS_PUBLISHED,
        .relaxation = a->def.research.relaxation,
        .many_patches = a->def.solver.target_backend == PLIANT_BACKEND_CUDA,
        .apart = a->def.research.color_scope == PLIANT_COLOR_SCOPE_TYPE,
        .classic = a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC,
        .second_order = a->def.solver.integrator == PLIANT_INTEGRATOR_BDF2,
        .scalar_bytes = a->def.solver.precision == PLIANT_PRECISION_DOUBLE ? 8 : 4};
}

bool asset_compile_plan(pliant_asset* a, watcher* watch)
{
    size_t corners, nodes = asset_count_nodes(a, &corners);
    bool by_cell = def_by_cells(&a->def);
    node_arrays n = {.offset = (int*)mem_array(nodes + 1, sizeof(int)),
                     .particle = (int*)mem_array(corners, sizeof(int)),
                     .cell = by_cell ? (int*)mem_array(nodes, sizeof(int)) : NULL,
                     .recipe = (unsigned char*)mem_array(nodes, 1),
                     .corner_mass = (double*)mem_array(nodes, sizeof(double))};
    bool good = n.offset && n.particle && n.recipe && n.corner_mass && (n.cell || !by_cell);
    recipe recipes[RECIPE_COUNT];
    asset_choose_recipes(a, recipes);
    if (good) {
        fill_nodes(a, &n);
        plan_source source = {.node_count = n.count,
                              .particle_count = a->mesh->vertex_count,
                              .offset = n.offset,
                              .particle = n.particle,
                              .recipe = n.recipe,
                              .recipes = recipes,
                              .cell = n.cell,
                              .corner_mass = n.corner_mass,
                              .one_material = a->material_count == 1,
                              .flows = asset_flows(a),
                              .describe = describe_node,
                              .context = a};
        plan_settings settings = asset_plan_settings(a);
        settings.watch = watch;
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
        asset_constants(a, t, &e);
        a->softness = fmin(a->softness, e.mu * e.volume_compliance);
    }
}

// A surface that holds air is one constraint on all particles, which patches would have to wait
// for; loose particles have none to be cut at, and rods are swept by themselves.
bool asset_enclose(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    double sum = 0;
    if (mesh_is_loose(m) || a->def.rope.rod) a->def.solver.schedule = PLIANT_SCHEDULE_COLORED;
    if (a->def.rigid || !(a->def.cloth.air > 0) || cloth_triangles(m) == 0) return true;
    if (a->def.solver.schedule == PLIANT_SCHEDULE_PATCHED)
        a->def.solver.schedule = PLIANT_SCHEDULE_COLORED;
    for (int t = 0; t < m->triangle_count; ++t) {
        const int* c = m->triangles + 3 * (size_t)t;
        point area = triangle_area_vector(m->vertices, c);
        sum +=
            point_dot(area, point_between(vertex_at(m->vertices, 0), vertex_at(m->vertices, c[0])));
    }
    if (!enclosure_create(m->triangles, m->triangle_count, m->vertex_count, &a->inside))
        return false;
    a->inside.wanted = (a->def.cloth.inflation > 0 ? a->def.cloth.inflation : 1) * sum / 3;
    a->inside.compliance = sum / 3 / a->def.cloth.air;
    return true;
}

bool asset_find_clusters(pliant_asset* a)
{
    const pliant_clusters_def* def = &a->def.clusters;
    const cluster_source source = {a->mesh->vertices, a->mass, a->mesh->vertex_count, def->spacing,
                                   def->size};
    if (!mesh_is_loose(a->mesh) || a->def.rigid || !(def->stiffness > 0)) return true;
    if (!cluster_set_create(&source, &a->clusters)) return false;
    a->clusters.frequency =
        def->stiffness < 1 ? sqrt(def->stiffness / (1 - def->stiffness)) / CLUSTER_TIME : INFINITY;
    a->clusters.yield = def->yield_strain;
    a->clusters.flow_time = def->plastic_time;
    a->clusters.most = def->plastic_limit;
    return true;
}

// Its particles share the mass as they would if it were soft.
static pliant_result make_rigid(pliant_asset* a)
{
    pliant_result result = rigid_shape_create(a, &a->rigid);
    if (result) return result;
    double share = a->rigid.mass / a->total_mass;
    for (int v = 0; v < a->mesh->vertex_count; ++v) a->mass[v] *= share;
    a->total_mass = a->rigid.mass;
    a->total_volume = a->rigid.volume > 0 ? a->rigid.volume : a->total_volume;
    return PLIANT_OK;
}

// What holds elements, or brakes them, is not there.
static void forget_elements(pliant_asset* a)
{
    const pliant_soft_def usual = pliant_soft_defaults();
    pliant_precision precision = a->def.solver.precision;
    a->def.solver = usual.solver;
    a->def.research = usual.research;
    a->def.solver.precision = precision;
    a->def.solver.schedule = PLIANT_SCHEDULE_COLORED;
    a->def.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER;
    a->def.material.damping = a->def.cloth.damping = 0;
    for (int i = 0; i < a->material_count; ++i) a->material[i].damping = 0;
}

pliant_result asset_measure(pliant_asset* a)
{
    if (a->def.rigid) forget_elements(a);
    a->nodes_per_tet = a->def.solver.formulation == PLIANT_FORMULATION_DECOUPLED_NODES ? 2 : 1;
    find_softness(a);
    pliant_result result = lump_masses(a);
    return result || !a->def.rigid ? result : make_rigid(a);
}

// The first stage ends where the plan's begin (plan.c); frequencies are the last one.
enum { PREPARED = 8, ALL = 100 };

// Those to come are where the first one is, or at the origin.
static void place_coming(const pliant_mesh_arrays* from, double radius, pliant_mesh* to)
{
    for (int i = 0; i < to->vertex_count; ++i) {
        int of = i < from->vertex_count ? i : 0;
        for (size_t k = 0; k < 3; ++k) {
            size_t at = 3 * (size_t)i + k, source = 3 * (size_t)of + k;
            to->vertices[at] = from->vertex_count ? from->vertices[source] : 0;
            if (to->vertex_color) to->vertex_color[at] = from->vertex_color[source];
        }
        if (to->vertex_radius)
            to->vertex_radius[i] = i < from->vertex_count ? from->vertex_radius[i] : radius;
    }
}

static double radius_of_coming(const pliant_mesh_arrays* from, const pliant_soft_def* def)
{
    double least = INFINITY;
    for (int i = 0; i < from->vertex_count && from->vertex_radius; ++i)
        least = fmin(least, from->vertex_radius[i]);
    return def->radius > 0 ? def->radius : least;
}

// The mesh, with places for particles to come.
static pliant_result make_places(const pliant_mesh_arrays* from, const pliant_soft_def* def,
                                 pliant_mesh** out)
{
    if (def->capacity <= from->vertex_count) return pliant_mesh_create(from, out);
    size_t count = (size_t)def->capacity;
    pliant_mesh* m = *out = mesh_allocate(def->capacity, 0, 0, 0);
    if (!m) return PLIANT_ERROR_MEMORY;
    bool colors = from->vertex_count && from->vertex_color,
         sizes = from->vertex_count && from->vertex_radius;
    if (colors) m->vertex_color = (double*)mem_array(3 * count, sizeof(double));
    if (sizes) m->vertex_radius = (double*)mem_array(count, sizeof(double));
    if ((colors && !m->vertex_color) || (sizes && !m->vertex_radius)) return PLIANT_ERROR_MEMORY;
    place_coming(from, radius_of_coming(from, def), m);
    return PLIANT_OK;
}

static pliant_result compile(pliant_asset* a, const pliant_mesh* mesh, const pliant_soft_def* def,
                             watcher* watch)
{
    pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
    if (!watcher_stage(watch, PREPARED / 100.0)) return PLIANT_ERROR_CANCELED;
    pliant_result result = make_places(&arrays, def, &a->mesh);
    if (result) return result;
    a->first_count = arrays.vertex_count;
    a->def = *def;
    a->def.materials = NULL;
    a->def.anchors = NULL;
    a->def.material_count = a->def.anchor_count = 0;
    a->def.progress = NULL;
    a->def.context = NULL;
    if (!copy_materials(a, def)) return PLIANT_ERROR_MEMORY;
    choose_rope_radius(a);
    if (a->def.radius == 0 && cloth_triangles(a->mesh)) a->def.radius = a->def.cloth.thickness / 2;
    result = asset_measure(a);
    if (result) return result;
    // What is ended by the caller looks like memory that ran out, and is told apart outside.
    if (!watcher_tick(watch) || !asset_make_parts(a, def->anchors, def->anchor_count) ||
        !asset_enclose(a) || !asset_find_clusters(a) || !asset_find_rods(a) ||
        !asset_compile_plan(a, watch) || !watcher_stage(watch, ALL / 100.0))
        return PLIANT_ERROR_MEMORY;
    result = asset_check_range(a);
    if (!result) result = rods_check_range(&a->rods, a->plan.scalar_bytes);
    if (result) return result;
    bool good = asset_find_frequencies(a, watch) && watcher_share(watch, 1);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_asset* asset_allocate(void)
{
    pliant_asset* a = (pliant_asset*)mem_alloc_zero(sizeof *a);
    if (a) atomic_store(&a->users, 1);
    return a;
}

pliant_result pliant_asset_create(const pliant_mesh* mesh, const pliant_soft_def* def,
                                  pliant_asset** out)
{
    if (!REQUIRE(mesh && out) || !REQUIRE_DEF(def, COOKIE_SOFT)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    double start = platform_seconds();
    pliant_result result = asset_check_def(def);
    if (!result) result = asset_check_mesh(mesh, def);
    if (result) return result;
    pliant_asset* a = asset_allocate();
    if (!a) return PLIANT_ERROR_MEMORY;
    watcher watch = {.call = def->progress, .context = def->context};
    result = compile(a, mesh, def, &watch);
    if (watch.canceled)
        result = fail(PLIANT_ERROR_CANCELED,
                      "the asset was not compiled to the end: its caller said no");
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
    asset_discard_parts(a);
    enclosure_destroy(&a->inside);
    cluster_set_destroy(&a->clusters);
    rod_set_destroy(&a->rods);
    rigid_shape_destroy(&a->rigid);
    contact_surface_destroy(a->surface);
    pliant_mesh_destroy(a->mesh);
    mem_free(a->material);
    mem_free(a->mass);
    mem_free(a);
}

void pliant_asset_destroy(pliant_asset* asset) { asset_release(asset); }

// How far is little for loose particles.
static double mean_diameter(const pliant_asset* a)
{
    double sum = 0;
    for (int v = 0; v < a->mesh->vertex_count; ++v) sum += 2 * asset_radius(a, v);
    return sum / a->mesh->vertex_count;
}

// Neighbors at rest are nearer than this; with different radii some that are none may be, too.
static void hold_neighbors(const pliant_asset* a, contact_surface* s)
{
    s->cluster_start = a->clusters.start;
    s->cluster = a->clusters.of;
    s->near = 2.2 * asset_largest_radius(a);
}

const contact_surface* asset_surface(const pliant_asset* asset)
{
    pliant_asset* a = (pliant_asset*)asset;
    contact_surface* known = atomic_load(&a->surface);
    if (known) return known;
    contact_surface* made = contact_surface_create(a->mesh);
    if (made && made->loose) made->mean_edge = mean_diameter(a);
    if (made && a->clusters.count) hold_neighbors(a, made);
    if (made && asset_is_rigid(a)) {
        made->closed = made->closed || a->rigid.encloses;
        made->grains = false;
    }
    if (!made || atomic_compare_exchange_strong(&a->surface, &known, made)) return made;
    contact_surface_destroy(made); // another thread was faster
    return known;
}

// ---- what an asset says of itself ---------------------------------------------------------------

pliant_asset_info pliant_asset_describe(const pliant_asset* a)
{
    pliant_asset_info info = {0};
    if (!REQUIRE(a)) return info;
    const plan* p = &a->plan;
    info.particles = a->first_count;
    info.capacity = p->particle_count;
    info.constraints = p->constraint_count;
    info.nodes = p->node_count;
    info.clusters = p->cluster_count;
    info.colors = p->most_colors;
    info.patches = p->patch_count;
    info.copies = plan_copies(p);
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
    int tets = asset_is_rigid(a) ? 0 : a->mesh->tet_count; // that are solved
    int count = capacity < tets ? capacity : tets;
    for (int t = 0; t < count; ++t) out[t] = of_node[t * a->nodes_per_tet];
    return count;
}

int pliant_asset_read_colors(const pliant_asset* a, int* out_color, int capacity)
{
    if (!REQUIRE(a && out_color && capacity >= 0)) return 0;
    return read_nodes(a, a->plan.node_color, out_color, capacity);
}

int pliant_asset_read_shear_moduli(const pliant_asset* a, float* out_modulus, int capacity)
{
    if (!REQUIRE(a && out_modulus && capacity >= 0)) return 0;
    int count = capacity < a->mesh->tet_count ? capacity : a->mesh->tet_count;
    for (int i = 0; i < count; ++i) {
        element e;
        asset_constants(a, i, &e);
        out_modulus[i] = (float)e.mu;
    }
    return count;
}

const pliant_mesh* pliant_asset_mesh(const pliant_asset* a) { return REQUIRE(a) ? a->mesh : NULL; }

pliant_soft_def pliant_asset_definition(const pliant_asset* a)
{
    pliant_soft_def def = pliant_soft_defaults();
    if (!REQUIRE(a)) return def;
    def = a->def;
    def.materials = NULL;
    def.material_count = 0;
    def.anchors = NULL;
    def.anchor_count = 0;
    def.progress = NULL;
    def.context = NULL;
    return def;
}

int pliant_asset_read_patches(const pliant_asset* a, int* out_patch, int capacity)
{
    if (!REQUIRE(a && out_patch && capacity >= 0)) return 0;
    return read_nodes(a, a->plan.node_patch, out_patch, capacity);
}
