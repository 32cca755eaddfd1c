// Meshes for tests: made in one call, measured, hashed.
#pragma once
#include "base/hash.h"
#include "check.h"

static inline pliant_mesh* create(pliant_mesh_arrays arrays)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

static inline pliant_mesh* create_tets(const double* vertices, int vertex_count, const int* tets,
                                       int tet_count)
{
    return create((pliant_mesh_arrays){
        .vertices = vertices, .vertex_count = vertex_count, .tets = tets, .tet_count = tet_count});
}

static inline pliant_mesh* create_triangles(const double* vertices, int vertex_count,
                                            const int* triangles, int triangle_count)
{
    return create((pliant_mesh_arrays){.vertices = vertices,
                                       .vertex_count = vertex_count,
                                       .triangles = triangles,
                                       .triangle_count = triangle_count});
}

static inline pliant_mesh* generate(const char* words)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    return mesh;
}

static inline pliant_mesh* surface_of(const char* words)
{
    pliant_mesh *mesh = generate(words), *surface = NULL;
    CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
    pliant_mesh_destroy(mesh);
    return surface;
}

static inline pliant_mesh_quality measure(const pliant_mesh* mesh)
{
    pliant_mesh_quality q;
    CHECK_OK(pliant_mesh_measure(mesh, &q));
    return q;
}

// Measures and destroys.
static inline pliant_mesh_quality measure_last(pliant_mesh* mesh)
{
    pliant_mesh_quality q = measure(mesh);
    pliant_mesh_destroy(mesh);
    return q;
}

static inline uint64_t hash_mesh(const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    uint64_t hash = hash_bytes(HASH_SEED, a.vertices, (size_t)a.vertex_count * 3 * sizeof(double));
    hash = hash_bytes(hash, a.tets, (size_t)a.tet_count * 4 * sizeof(int));
    hash = hash_bytes(hash, a.triangles, (size_t)a.triangle_count * 3 * sizeof(int));
    hash = hash_bytes(hash, a.edges, (size_t)a.edge_count * 2 * sizeof(int));
    return a.tet_cell ? hash_bytes(hash, a.tet_cell, (size_t)a.tet_count * sizeof(int)) : hash;
}
