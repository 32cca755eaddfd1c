// Writes Gmsh 4.1 as text. A region is a volume and, where its number may be one, a physical
// group. Tets keep their order: a block ends where the region changes.
#include "base/memory.h"
#include "meshfile/format.h"
#include "meshfile/tags.h"

static void find_box(const pliant_mesh_arrays* mesh, double box[6])
{
    for (int64_t i = 0; i < 3 * (int64_t)mesh->vertex_count; ++i) {
        double x = mesh->vertices[i];
        double *low = box + i % 3, *high = low + 3;
        if (i < 3 || x < *low) *low = x;
        if (i < 3 || x > *high) *high = x;
    }
}

static void write_entity(const double box[6], int64_t tag, bool physical, sink* out)
{
    sink_print(out, "%lld ", (long long)tag);
    sink_reals(out, box, 6);
    if (physical)
        sink_print(out, " 1 %lld 0\n", (long long)tag);
    else
        sink_text(out, " 0 0\n");
}

enum { ONLY_ENTITY = 1 };

static int region_at(const pliant_mesh_arrays* mesh, int tet)
{
    return mesh->tet_region ? mesh->tet_region[tet] : ONLY_ENTITY;
}

// One behind the last tet of the run of equal regions that begins at `tet`.
static int run_end(const pliant_mesh_arrays* mesh, int tet)
{
    int region = region_at(mesh, tet);
    while (tet < mesh->tet_count && region_at(mesh, tet) == region) ++tet;
    return tet;
}

// The regions, each once and in order, from mem_alloc; NULL: out of memory.
static tag_entry* list_regions(const pliant_mesh_arrays* mesh, int* out_runs, int* out_count)
{
    int runs = 0, count = 0;
    for (int i = 0; i < mesh->tet_count; i = run_end(mesh, i)) ++runs;
    tag_entry* list = (tag_entry*)mem_array((size_t)runs, sizeof *list);
    if (!list) return NULL;
    for (int i = 0, k = 0; i < mesh->tet_count; i = run_end(mesh, i), ++k)
        list[k] = (tag_entry){region_at(mesh, i), k};
    if (!tags_sort(list, runs)) {
        mem_free(list);
        return NULL;
    }
    for (int i = 0; i < runs; ++i)
        if (count == 0 || list[count - 1].tag != list[i].tag) list[count++] = list[i];
    *out_runs = runs;
    *out_count = count;
    return list;
}

static bool is_loose(const pliant_mesh_arrays* mesh)
{
    return mesh->tet_count + mesh->triangle_count + mesh->edge_count == 0;
}

// The entity of particles has a place: that of the first.
static void write_point(const double* place, sink* out)
{
    sink_print(out, "%d ", ONLY_ENTITY);
    sink_reals(out, place, 3);
    sink_text(out, " 0\n");
}

static void write_entities(const pliant_mesh_arrays* mesh, const tag_entry* regions, int count,
                           sink* out)
{
    double box[6] = {0}; // of the whole mesh, for each entity
    find_box(mesh, box);
    bool loose = is_loose(mesh);
    sink_print(out, "$Entities\n%d %d %d %d\n", loose, mesh->edge_count > 0,
               mesh->triangle_count > 0, count);
    if (loose) write_point(mesh->vertices, out);
    if (mesh->edge_count > 0) write_entity(box, ONLY_ENTITY, false, out);
    if (mesh->triangle_count > 0) write_entity(box, ONLY_ENTITY, false, out);
    for (int i = 0; i < count; ++i)
        write_entity(box, regions[i].tag, mesh->tet_region && regions[i].tag > 0, out);
    sink_text(out, "$EndEntities\n");
}

static void write_nodes(const pliant_mesh_arrays* mesh, int64_t entity, sink* out)
{
    int n = mesh->vertex_count;
    int dimension = mesh->tet_count > 0        ? 3
                    : mesh->triangle_count > 0 ? 2
                    : mesh->edge_count > 0     ? 1
                                               : 0;
    sink_print(out, "$Nodes\n1 %d 1 %d\n%d %lld 0 %d\n", n, n, dimension, (long long)entity, n);
    for (int i = 1; i <= n; ++i) {
        sink_integer(out, i);
        sink_text(out, "\n");
    }
    for (int64_t i = 0; i < n; ++i) {
        sink_reals(out, mesh->vertices + 3 * i, 3);
        sink_text(out, "\n");
    }
    sink_text(out, "$EndNodes\n");
}

typedef struct {
    int dimension, type;
    int64_t entity;
    const int* corner; // NULL: element i is vertex i
    int count;
} block;

// Returns the tag behind the last.
static int64_t write_block(const block* b, int64_t tag, sink* out)
{
    if (b->count == 0) return tag;
    sink_print(out, "%d %lld %d %d\n", b->dimension, (long long)b->entity, b->type, b->count);
    for (int64_t i = 0; i < b->count; ++i) {
        sink_integer(out, tag++);
        sink_text(out, " ");
        if (b->corner)
            sink_integers(out, b->corner + (b->dimension + 1) * i, b->dimension + 1, 1);
        else
            sink_integer(out, i + 1);
        sink_text(out, "\n");
    }
    return tag;
}

static void write_elements(const pliant_mesh_arrays* mesh, int runs, sink* out)
{
    enum { GMSH_EDGE = 1, GMSH_TRIANGLE = 2, GMSH_TET = 4, GMSH_POINT = 15 };
    int points = is_loose(mesh) ? mesh->vertex_count : 0;
    int total = mesh->tet_count + mesh->triangle_count + mesh->edge_count + points;
    int blocks = runs + (mesh->triangle_count > 0) + (mesh->edge_count > 0) + (points > 0);
    int64_t tag = 1;
    sink_print(out, "$Elements\n%d %d 1 %d\n", blocks, total, total);
    for (int i = 0; i < mesh->tet_count;) {
        int end = run_end(mesh, i);
        block b = {3, GMSH_TET, region_at(mesh, i), mesh->tets + 4 * (int64_t)i, end - i};
        tag = write_block(&b, tag, out);
        i = end;
    }
    block surface = {2, GMSH_TRIANGLE, ONLY_ENTITY, mesh->triangles, mesh->triangle_count};
    tag = write_block(&surface, tag, out);
    block lines = {1, GMSH_EDGE, ONLY_ENTITY, mesh->edges, mesh->edge_count};
    tag = write_block(&lines, tag, out);
    block particles = {0, GMSH_POINT, ONLY_ENTITY, NULL, points};
    write_block(&particles, tag, out);
    sink_text(out, "$EndElements\n");
}

void write_gmsh(const pliant_mesh_arrays* mesh, sink* out)
{
    int runs = 0, count = 0;
    tag_entry* regions = list_regions(mesh, &runs, &count);
    if (!regions) {
        out->failed = true;
        return;
    }
    sink_text(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    write_entities(mesh, regions, count, out);
    write_nodes(mesh, count > 0 ? regions[0].tag : ONLY_ENTITY, out);
    write_elements(mesh, runs, out);
    mem_free(regions);
}
