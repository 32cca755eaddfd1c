#include "render/field.h"
#include "graph/graph.h"
#include "render/space.h"
#include "world/asset.h"
#include "world/material.h"
#include <string.h>
// Behind space.h: of doubles.
#include "math/mat3.h"

// ---- measures -----------------------------------------------------------------------------------

static mat3 edges_of(const double* x, const int tet[4])
{
    vec3 origin = v3_of(x + 3 * (size_t)tet[0]);
    mat3 m = {v3_sub(v3_of(x + 3 * (size_t)tet[1]), origin),
              v3_sub(v3_of(x + 3 * (size_t)tet[2]), origin),
              v3_sub(v3_of(x + 3 * (size_t)tet[3]), origin)};
    return m;
}

static double strain_of(mat3 f)
{
    sym3 e = m3_metric(f);
    e.xx -= 1, e.yy -= 1, e.zz -= 1;
    return 0.5 * sqrt(s3_dot(e, e));
}

// Of Psi = lambda/2 (J - gamma)^2 + mu/2 |F|^2: the part of P F^T / J that is no pressure is that
// of mu/J F F^T, so that lambda, which may be infinite, does not count.
static double stress_of(mat3 f, double mu)
{
    mat3 cof = m3_cofactor(f);
    double j = v3_dot(f.a, cof.a);
    sym3 b = m3_metric(m3_transpose(f));
    double mean = s3_trace(b) / 3;
    b.xx -= mean, b.yy -= mean, b.zz -= mean;
    // An element that is flat has no true stress: that of one of a hundredth of its volume.
    return mu / fmax(fabs(j), 0.01) * sqrt(1.5 * s3_dot(b, b));
}

typedef struct {
    const pliant_mesh_arrays* rest;
    const double* now;
    const pliant_asset* asset;
    bool stress;
} body_field;

static double measure_tet(const body_field* b, int number, double* out_volume)
{
    const int* tet = b->rest->tets + 4 * (size_t)number;
    mat3 rest = edges_of(b->rest->vertices, tet), cof = m3_cofactor(rest);
    double det = v3_dot(rest.a, cof.a);
    mat3 f = m3_mul_m3(edges_of(b->now, tet), m3_scale(1 / det, m3_transpose(cof)));
    *out_volume = det;
    if (!b->stress) return strain_of(f);
    element e;
    material_constants(asset_material(b->asset, number), &e);
    return stress_of(f, e.mu);
}

static pliant_result measure_body(const body_field* b, float* out)
{
    int count = b->rest->vertex_count;
    double* weight = (double*)mem_array_zero((size_t)count, 2 * sizeof(double));
    if (!weight) return PLIANT_ERROR_MEMORY;
    double* sum = weight + count;
    for (int i = 0; i < b->rest->tet_count; ++i) {
        double volume, value = measure_tet(b, i, &volume);
        for (int k = 0; k < 4; ++k) {
            int v = b->rest->tets[4 * (size_t)i + (size_t)k];
            weight[v] += volume;
            sum[v] += volume * value;
        }
    }
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
    if (by == BY_SPEED) measure_lengths(f->velocity, f->vertex_count, out);
    if (by == BY_FORCE) measure_lengths(f->contact_force, f->vertex_count, out);
    for (int i = 0; i < s->body_count && !result && (by == BY_STRAIN || by == BY_STRESS); ++i) {
        const stage_entry* entry = &s->entries[s->bodies[i].entry];
        pliant_mesh_arrays rest = pliant_mesh_view(entry->mesh);
        int first = f->shown[i].first_particle;
        const body_field b = {&rest, f->vertices + 3 * (size_t)first, entry->asset,
                              by == BY_STRESS};
        result = measure_body(&b, out + first);
    }
    return result;
}

// ---- numbers ------------------------------------------------------------------------------------

static pliant_result find_clusters(const pliant_asset* asset, int* out)
{
    const pliant_mesh* m = asset->mesh;
    if (asset->def.schedule != PLIANT_CLUSTERED)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters: the body's schedule has none (use \"schedule\": \"clustered\")");
    if (asset->def.clustering == PLIANT_CLUSTER_CELLS) {
        memcpy(out, m->tet_cell, (size_t)m->tet_count * sizeof(int));
        return PLIANT_OK;
    }
    graph g = {0};
    int* offset = (int*)mem_array((size_t)m->tet_count + 1, sizeof(int));
    for (int i = 0; offset && i <= m->tet_count; ++i) offset[i] = 4 * i;
    bool by_neighbors = asset->def.clustering == PLIANT_CLUSTER_NEIGHBORS;
    bool good = offset && graph_create(m->tet_count, m->vertex_count, offset, m->tets, &g) &&
                (by_neighbors ? graph_cluster_neighbors(&g, asset->def.cluster_size, out)
                              : graph_cluster_best(&g, asset->def.cluster_size, out)) >= 0;
    graph_destroy(&g);
    mem_free(offset);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result number_body(const pliant_asset* asset, paint_by by, int* out)
{
    int count = asset->mesh->tet_count;
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
        const pliant_asset* asset = s->entries[s->bodies[i].entry].asset;
        int count = asset->mesh->tet_count;
        if (count) result = number_body(asset, by, out);
        for (int k = 0; k < count && !result; ++k)
            if (out[k] >= *out_count) *out_count = out[k] + 1;
        out += count;
    }
    return result;
}
