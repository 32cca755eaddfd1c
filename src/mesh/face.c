#include "mesh/face.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"

// Marks the faces that occur once.
static void mark_single_faces(const tuple_list* faces, unsigned char* single, outer_faces* out)
{
    for (int first = 0, end; first < faces->count; first = end) {
        end = tuples_run_end(faces, first);
        for (int i = first; i < end; ++i) single[faces->order[i]] = end - first == 1;
        out->count += end - first == 1;
        if (end - first > 2 && out->crowded[0] < 0)
            for (int i = 0; i < 3; ++i) out->crowded[i] = faces->order[first + i] / 4;
    }
}

static pliant_result gather_single_faces(const pliant_mesh* mesh, const unsigned char* single,
                                         outer_faces* out)
{
    out->triangle = (int*)mem_array((size_t)out->count * 3, sizeof(int));
    out->tet = (int*)mem_array((size_t)out->count, sizeof(int));
    if (!out->triangle || !out->tet) return PLIANT_ERROR_MEMORY;
    int *triangle = out->triangle, *tet = out->tet;
    for (int face = 0; face < 4 * mesh->tet_count; ++face) {
        if (!single[face]) continue;
        read_tet_face(mesh->tets + face / 4 * 4, face % 4, triangle);
        triangle += 3;
        *tet++ = face / 4;
    }
    return PLIANT_OK;
}

pliant_result find_outer_faces(const pliant_mesh* mesh, outer_faces* out)
{
    outer_faces none = {NULL, NULL, 0, {-1, -1, -1}};
    *out = none;
    tuple_list faces;
    int face_count = 4 * mesh->tet_count;
    unsigned char* single = (unsigned char*)mem_array((size_t)face_count, 1);
    bool ok = tuples_allocate(&faces, 3, face_count) && single;
    for (int face = 0; ok && face < face_count; ++face) {
        int vertices[3];
        read_tet_face(mesh->tets + face / 4 * 4, face % 4, vertices);
        tuples_set(&faces, face, vertices);
    }
    ok = ok && tuples_sort(&faces, mesh->vertex_count);
    if (ok) mark_single_faces(&faces, single, out);
    tuples_free(&faces);
    pliant_result result = ok ? gather_single_faces(mesh, single, out) : PLIANT_ERROR_MEMORY;
    mem_free(single);
    return result;
}

void outer_faces_free(outer_faces* faces)
{
    mem_free(faces->triangle);
    mem_free(faces->tet);
    faces->triangle = faces->tet = NULL;
}
