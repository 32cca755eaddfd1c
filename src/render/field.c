#include "render/field.h"
#include "export/strain.h"
#include "graph/graph.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

// ---- measures -----------------------------------------------------------------------------------

typedef struct {
    const pliant_mesh_arrays* rest;
    const double* now;
    paint_by by;
    const float *shear_modulus, *plastic_strain; // [Pa], [-] of each tet; the last may be NULL
    const double* plastic_shape;                 // likewise
} body_field;

// Elements of one kind: tets, or triangles or edges, which have no stress.
typedef struct {
    const int* corner;
    int count, corners;
} element_list;

static double norm_of(const double e[6])
{
    double square = 0;
    for (int k = 0; k < 6; ++k) square += (k < 3 ? 1 : 2) * e[k] * e[k];
    return sqrt(square);
}

static double measure(const body_field* b, const element_list* list, int number)
{
    const int* corner = list->corner + (size_t)list->corners * (size_t)number;
    simplex s = simplex_of(b->rest->vertices, b->now, corner, list->corners);
    double strain[6];
    if (b->by == BY_STRAIN) {
        simplex_strain(&s, strain);
        return norm_of(strain);
    }
    if (list->corners < 4) return 0;
    if (b->by == BY_PLASTIC_STRAIN)
        return b->plastic_strain ? (double)b->plastic_strain[number] : 0;
    if (b->plastic_shape) simplex_flow(&s, b->plastic_shape + 9 * (size_t)number);
    return simplex_von_mises(&s, (double)b->shear_modulus[number]);
}

// Tets count by their volume.
static void add_elements(const body_field* b, const element_list* list, double* weight, double* sum)
{
    for (int i = 0; i < list->count; ++i) {
        const int* corner = list->corner + (size_t)list->corners * (size_t)i;
        double size = list->corners == 4 ? tet_volume(b->rest->vertices, corner) : 1;
        double value = measure(b, list, i);
        for (int k = 0; k < list->corners; ++k) {
            weight[corner[k]] += size;
            sum[corner[k]] += size * value;
        }
    }
}

static pliant_result measure_body(const body_field* b, float* out)
{
    int count = b->rest->vertex_count;
    const pliant_mesh_arrays* m = b->rest;
    const element_list lists[] = {{m->tets, m->tet_count, 4},
                                  {m->triangles, m->tet_count ? 0 : m->triangle_count, 3},
                                  {m->edges, m->edge_count, 2}};
    double* weight = (double*)mem_array_zero((size_t)count, 2 * sizeof(double));
    if (!weight) return PLIANT_ERROR_MEMORY;
    double* sum = weight + count;
    for (int i = 0; i < 3; ++i) add_elements(b, &lists[i], weight, sum);
    for (int i = 0; i < count; ++i) out[i] = (float)(weight[i] > 0 ? sum[i] / weight[i] : 0);
    mem_free(weight);
    return PLIANT_OK;
}

static void measure_lengths(const float* vectors, int count, float* out)
{
    for (int i = 0; i < count; ++i) {
        const float* v = vectors + 3 * (size_t)i;
        out[i] = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

pliant_result field_measure(const stage* s, const frame* f, paint_by by, float* out)
{
    pliant_result result = PLIANT_OK;
    int tet = 0; // first of the body
    if (by == BY_SPEED) measure_lengths(f->velocity, f->vertex_count, out);
    if (by == BY_TEMPERATURE && f->temperature)
        memcpy(out, f->temperature, (size_t)f->vertex_count * sizeof(float));
    if (by == BY_TEMPERATURE && !f->temperature)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "no body of the scene knows heat: give one's \"heat\" a temperature, or color "
                    "by something else");
    if (by == BY_FORCE) measure_lengths(f->contact_force, f->vertex_count, out);
    bool of_elements = by == BY_STRAIN || by == BY_STRESS || by == BY_PLASTIC_STRAIN;
    for (int i = 0; i < s->body_count && !result && of_elements; ++i) {
        pliant_mesh_arrays rest = pliant_mesh_view(stage_mesh(s, i));
        int first = f->shown[i].first_particle;
        const body_field b = {
            &rest,
            f->vertices + 3 * (size_t)first,
            by,
            f->shear_modulus + tet,
            f->plastic_strain ? f->plastic_strain + tet : NULL,
            f->plastic_shape ? f->plastic_shape + 9 * (size_t)tet : NULL,
        };
        result = measure_body(&b, out + first);
        tet += rest.tet_count;
    }
    return result;
}

// ---- numbers ------------------------------------------------------------------------------------

static pliant_result find_clusters(const pliant_asset* asset, int* out)
{
    const pliant_soft_def def = pliant_asset_definition(asset);
    const pliant_mesh_arrays view = pliant_mesh_view(pliant_asset_mesh(asset)), *m = &view;
    if (def.solver.schedule != PLIANT_SCHEDULE_CLUSTERED)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters: the body's schedule has none (use \"schedule\": \"clustered\")");
    if (def.research.clustering == PLIANT_CLUSTERING_CELLS) {
        memcpy(out, m->tet_cell, (size_t)m->tet_count * sizeof(int));
        return PLIANT_OK;
    }
    graph g = {0};
    int* offset = (int*)mem_array((size_t)m->tet_count + 1, sizeof(int));
    for (int i = 0; offset && i <= m->tet_count; ++i) offset[i] = 4 * i;
    bool by_neighbors = def.research.clustering == PLIANT_CLUSTERING_NEIGHBORS;
    bool good = offset && graph_create(m->tet_count, m->vertex_count, offset, m->tets, &g) &&
                (by_neighbors ? graph_cluster_neighbors(&g, def.research.cluster_size, out)
                              : graph_cluster_best(&g, def.research.cluster_size, out)) >= 0;
    graph_destroy(&g);
    mem_free(offset);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result number_body(const pliant_asset* asset, paint_by by, int* out)
{
    int count = pliant_mesh_view(pliant_asset_mesh(asset)).tet_count;
    if (by == BY_CLUSTER) return find_clusters(asset, out);
    if (by == BY_COLOR)
        pliant_asset_read_colors(asset, out, count);
    else
        pliant_asset_read_patches(asset, out, count);
    return PLIANT_OK;
}

pliant_result field_numbers(const stage* s, paint_by by, int* out, int* out_count)
{
    pliant_result result = PLIANT_OK;
    *out_count = 1;
    for (int i = 0; i < s->body_count && !result; ++i) {
        const pliant_asset* asset = stage_asset(s, i);
        int count = pliant_mesh_view(pliant_asset_mesh(asset)).tet_count;
        if (count) result = number_body(asset, by, out);
        for (int k = 0; k < count && !result; ++k)
            if (out[k] >= *out_count) *out_count = out[k] + 1;
        out += count;
    }
    return result;
}
