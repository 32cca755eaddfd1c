// Any bytes as a small surface: filled with tets or refused, never more. The first byte is the
// number of vertices; each has three bytes of coordinates, and the rest are corners of triangles.
#include "pliant.h"

enum { MOST_TRIANGLES = 256 };

static pliant_mesh* read_surface(const uint8_t* data, size_t bytes)
{
    double vertex[3 * 256];
    int corner[3 * MOST_TRIANGLES];
    int vertices = data[0] + 1;
    size_t head = 1 + 3 * (size_t)vertices;
    if (bytes < head + 3) return NULL;
    for (int i = 0; i < 3 * vertices; ++i) vertex[i] = data[1 + i] / 16.0;
    size_t triangles = (bytes - head) / 3;
    if (triangles > MOST_TRIANGLES) triangles = MOST_TRIANGLES;
    for (size_t i = 0; i < 3 * triangles; ++i) corner[i] = data[head + i] % vertices;
    pliant_mesh_arrays arrays = {.vertices = vertex,
                                 .vertex_count = vertices,
                                 .triangles = corner,
                                 .triangle_count = (int)triangles};
    pliant_mesh* mesh = NULL;
    if (pliant_mesh_create(&arrays, &mesh) != PLIANT_OK) __builtin_trap();
    return mesh;
}

static void check(const pliant_mesh* mesh)
{
    pliant_mesh_quality q;
    if (pliant_mesh_measure(mesh, &q) != PLIANT_OK) __builtin_trap();
    if (!(q.min_dihedral > 8) || q.inverted_tets || q.boundary_edges || q.nonmanifold_edges)
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    if (bytes < 1) return 0;
    pliant_set_log(NULL, NULL);
    pliant_mesh *surface = read_surface(data, bytes), *mesh = NULL;
    if (!surface) return 0;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 100;
    def.threads = 1;
    pliant_result result = pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL);
    if (result == PLIANT_OK)
        check(mesh);
    else if (mesh || !pliant_error_text()[0])
        __builtin_trap();
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(surface);
    if (pliant_allocated_bytes() != 0) __builtin_trap();
    return 0;
}
