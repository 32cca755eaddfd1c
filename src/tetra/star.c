#include "tetra/star.h"
#include "base/sort.h"
#include "base/union.h"

// ---- tets of vertices ---------------------------------------------------------------------------

bool incidence_create(const pliant_mesh* mesh, incidence* out)
{
    size_t corners = 4 * (size_t)mesh->tet_count;
    out->start = (int*)mem_array_zero((size_t)mesh->vertex_count + 1, sizeof(int));
    out->tet = (int*)mem_array(corners, sizeof(int));
    if (!out->start || !out->tet) {
        incidence_destroy(out);
        return false;
    }
    for (size_t i = 0; i < corners; ++i) ++out->start[mesh->tets[i] + 1];
    for (int v = 0; v < mesh->vertex_count; ++v) out->start[v + 1] += out->start[v];
    // Filled from behind, each start comes down to its place.
    for (size_t i = corners; i-- > 0;) out->tet[--out->start[mesh->tets[i] + 1]] = (int)(i / 4);
    for (int v = 0; v < mesh->vertex_count; ++v) out->start[v] = out->start[v + 1];
    out->start[mesh->vertex_count] = (int)corners;
    return true;
}

void incidence_destroy(incidence* i)
{
    mem_free(i->start);
    mem_free(i->tet);
    *i = (incidence){0};
}

// ---- stars --------------------------------------------------------------------------------------

// A face at the vertex: its other two vertices, and the tet's position in the star.
enum { VERTEX_BITS = 28, TET_BITS = 8 };

static uint64_t face_key(int a, int b, int tet)
{
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << (VERTEX_BITS + TET_BITS) | high << TET_BITS | (uint64_t)tet;
}

static int list_faces(const pliant_mesh* mesh, const star* s, uint64_t* key)
{
    int count = 0;
    for (int t = 0; t < s->count; ++t) {
        const int* corner = mesh->tets + 4 * (ptrdiff_t)s->tet[t];
        int other[3], others = 0;
        for (int k = 0; k < 4; ++k)
            if (corner[k] != s->vertex && others < 3) other[others++] = corner[k];
        for (int k = 0; k < 3; ++k) key[count++] = face_key(other[k], other[(k + 1) % 3], t);
    }
    sort_keys(key, count);
    return count;
}

static void add_open_face(star* s, uint64_t key)
{
    int* face = s->open[s->open_count++];
    face[0] = (int)(key >> (VERTEX_BITS + TET_BITS));
    face[1] = (int)(key >> TET_BITS & ((1u << VERTEX_BITS) - 1));
}

bool star_read(const pliant_mesh* mesh, const incidence* all, int vertex, star* out)
{
    uint64_t key[3 * MOST_STAR];
    const uint64_t tet_mask = (1u << TET_BITS) - 1;
    out->vertex = vertex;
    out->tet = all->tet + all->start[vertex];
    out->count = all->start[vertex + 1] - all->start[vertex];
    out->parts = out->open_count = 0;
    if (out->count > MOST_STAR) return false;
    union_start(out->parent, out->count);
    int faces = list_faces(mesh, out, key);
    for (int f = 0; f < faces; ++f) {
        if (f + 1 < faces && key[f] >> TET_BITS == key[f + 1] >> TET_BITS) {
            union_join(out->parent, (int)(key[f] & tet_mask), (int)(key[f + 1] & tet_mask));
            ++f;
        } else {
            add_open_face(out, key[f]);
        }
    }
    for (int t = 0; t < out->count; ++t) out->parts += out->parent[t] == t;
    return true;
}

// Open faces are joined across the edges at the vertex.
star_kind star_judge(const star* s, int* out_end)
{
    uint64_t key[6 * MOST_STAR];
    int parent[3 * MOST_STAR], count = 2 * s->open_count, fans = 0;
    for (int i = 0; i < count; ++i)
        key[i] = (uint64_t)s->open[i / 2][i % 2] << 16 | (uint64_t)(i / 2);
    sort_keys(key, count);
    union_start(parent, s->open_count);
    for (int i = 0; i < count; i += 2) {
        bool two = i + 1 < count && key[i] >> 16 == key[i + 1] >> 16;
        bool more = two && i + 2 < count && key[i] >> 16 == key[i + 2] >> 16;
        *out_end = (int)(key[i] >> 16);
        if (!two || more) return STAR_EDGE;
        union_join(parent, (int)(key[i] & 0xffff), (int)(key[i + 1] & 0xffff));
    }
    for (int f = 0; f < s->open_count; ++f) fans += parent[f] == f;
    return fans > 1 ? STAR_VERTEX : STAR_GOOD;
}

int count_pinched_vertices(const pliant_mesh* mesh)
{
    incidence tets;
    int pinched = 0, end;
    if (!incidence_create(mesh, &tets)) return -1;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        star s;
        bool used = tets.start[v + 1] > tets.start[v];
        pinched += used && (!star_read(mesh, &tets, v, &s) || s.parts != 1 ||
                            star_judge(&s, &end) != STAR_GOOD);
    }
    incidence_destroy(&tets);
    return pinched;
}
