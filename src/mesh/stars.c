#include "mesh/stars.h"
#include <string.h>

// ---- creation -----------------------------------------------------------------------------------

static int tet_corners(const mesh_stars* s) { return 4 * s->tet_count; }
static int face_corners(const mesh_stars* s) { return tet_corners(s) + 3 * s->triangle_count; }

static bool copy_corners(const pliant_mesh* m, mesh_stars* s)
{
    s->corner = (int*)mem_array((size_t)s->corner_count, sizeof(int));
    if (!s->corner) return false;
    if (s->tet_count) memcpy(s->corner, m->tets, (size_t)tet_corners(s) * sizeof(int));
    if (s->triangle_count)
        memcpy(s->corner + tet_corners(s), m->triangles,
               3 * (size_t)s->triangle_count * sizeof(int));
    if (s->edge_count)
        memcpy(s->corner + face_corners(s), m->edges, 2 * (size_t)s->edge_count * sizeof(int));
    return true;
}

// From the last corner on, so that each list ascends.
static void link_corners(mesh_stars* s)
{
    for (int i = 0; i < s->vertex_count; ++i) s->head[i] = -1;
    for (int i = s->corner_count - 1; i >= 0; --i) {
        s->next[i] = s->head[s->corner[i]];
        s->head[s->corner[i]] = i;
    }
}

static bool reserve_vertices(mesh_stars* s, int count)
{
    return mem_reserve((void**)&s->head, &s->head_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->parent, &s->parent_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->held, &s->held_capacity, count, 1);
}

bool stars_create(const pliant_mesh* m, mesh_stars* s)
{
    *s = (mesh_stars){.tet_count = m->tet_count,
                      .triangle_count = m->tet_count ? 0 : m->triangle_count,
                      .edge_count = m->edge_count,
                      .vertex_count = m->vertex_count,
                      .first_count = m->vertex_count};
    s->corner_count = face_corners(s) + 2 * s->edge_count;
    s->next = (int*)mem_array((size_t)s->corner_count, sizeof(int));
    if (!s->next || !copy_corners(m, s) || !reserve_vertices(s, s->vertex_count)) return false;
    for (int i = 0; i < s->vertex_count; ++i) s->parent[i] = -1, s->held[i] = 0;
    link_corners(s);
    return true;
}

void stars_destroy(mesh_stars* s)
{
    mem_free(s->corner);
    mem_free(s->head);
    mem_free(s->next);
    mem_free(s->parent);
    mem_free(s->held);
    mem_free(s->member);
    mem_free(s->part);
    memset(s, 0, sizeof *s);
}

// ---- elements -----------------------------------------------------------------------------------

star_element stars_element(const mesh_stars* s, int corner)
{
    int count = corner < tet_corners(s) ? 4 : corner < face_corners(s) ? 3 : 2;
    int start = count == 4 ? 0 : count == 3 ? tet_corners(s) : face_corners(s);
    int number = (corner - start) / count;
    return (star_element){start + number * count, count, number};
}

int stars_take(mesh_stars* s, int vertex)
{
    int count = 0;
    for (int c = s->head[vertex]; c >= 0; c = s->next[c]) count++;
    if (!mem_reserve((void**)&s->member, &s->member_capacity, count, sizeof(int)) ||
        !mem_reserve((void**)&s->part, &s->part_capacity, count, sizeof(int)))
        return -1;
    count = 0;
    for (int c = s->head[vertex]; c >= 0; c = s->next[c]) s->member[count++] = c;
    return count;
}

static int common_corners(const mesh_stars* s, star_element a, star_element b)
{
    int count = 0;
    for (int i = 0; i < a.count; ++i)
        for (int k = 0; k < b.count; ++k) count += s->corner[a.first + i] == s->corner[b.first + k];
    return count;
}

// Of two elements of a star.
static bool hang_together(const mesh_stars* s, int corner, int other)
{
    star_element a = stars_element(s, corner), b = stars_element(s, other);
    if (a.count == 2 || b.count == 2) return true;
    return common_corners(s, a, b) >= (a.count < b.count ? a.count : b.count) - 1;
}

// ---- parting ------------------------------------------------------------------------------------

// The corners of `member` that are in this part go to a new vertex, in their order.
static bool move_part(mesh_stars* s, int vertex, int count, int part)
{
    int made = s->vertex_count;
    if (!reserve_vertices(s, made + 1)) return false;
    s->vertex_count++;
    s->parent[made] = vertex;
    s->held[made] = s->held[vertex];
    int *stays = &s->head[vertex], *goes = &s->head[made];
    for (int i = 0; i < count; ++i) {
        int c = s->member[i];
        if (s->corner[c] != vertex) continue; // it went before
        if (s->part[i] == part) s->corner[c] = made;
        int** end = s->part[i] == part ? &goes : &stays;
        **end = c;
        *end = &s->next[c];
    }
    *stays = *goes = -1;
    return true;
}

// Fills `part` of a star: 0 is what hangs together with its first element. Returns how many parts.
static int find_parts(mesh_stars* s, int count)
{
    int parts = 0;
    for (int i = 0; i < count; ++i) s->part[i] = -1;
    for (int first = 0; first < count; ++first) {
        if (s->part[first] >= 0) continue;
        s->part[first] = parts;
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < count; ++i)
                for (int k = 0; k < count && s->part[i] < 0; ++k)
                    if (s->part[k] == parts && hang_together(s, s->member[i], s->member[k])) {
                        s->part[i] = parts;
                        more = true;
                    }
        }
        parts++;
    }
    return parts;
}

static bool separate(mesh_stars* s, int vertex)
{
    if (s->held[vertex]) return true;
    int count = stars_take(s, vertex);
    if (count < 0) return false;
    int parts = find_parts(s, count);
    for (int part = 1; part < parts; ++part)
        if (!move_part(s, vertex, count, part)) return false;
    return true;
}

// Other vertices of the elements of a star.
static bool separate_neighbors(mesh_stars* s, int vertex)
{
    for (int c = s->head[vertex]; c >= 0; c = s->next[c]) {
        star_element e = stars_element(s, c);
        for (int i = 0; i < e.count; ++i)
            if (s->corner[e.first + i] != vertex && !separate(s, s->corner[e.first + i]))
                return false;
    }
    return true;
}

bool stars_part(mesh_stars* s, int vertex, const unsigned char* side)
{
    int made = s->vertex_count, count = stars_take(s, vertex);
    if (count < 0) return false;
    for (int i = 0; i < count; ++i) s->part[i] = side[i] != 0;
    if (!move_part(s, vertex, count, 1) || !separate(s, vertex) || !separate(s, made) ||
        !separate_neighbors(s, vertex))
        return false;
    for (int i = made, end = s->vertex_count; i < end; ++i)
        if (!separate_neighbors(s, i)) return false;
    return true;
}

// ---- all at once --------------------------------------------------------------------------------

void stars_forget(mesh_stars* s, int count)
{
    for (int i = 0; i < s->corner_count; ++i) s->corner[i] = stars_before(s, s->corner[i], count);
    s->vertex_count = count;
    link_corners(s);
}

bool stars_set(mesh_stars* s, const int* corner, const int* parent, int vertex_count)
{
    if (!reserve_vertices(s, vertex_count)) return false;
    s->vertex_count = vertex_count;
    memcpy(s->corner, corner, (size_t)s->corner_count * sizeof(int));
    memcpy(s->parent, parent, (size_t)vertex_count * sizeof(int));
    memset(s->held, 0, (size_t)vertex_count);
    link_corners(s);
    return true;
}

// ---- as a mesh ----------------------------------------------------------------------------------

static bool copy_vertices(const mesh_stars* s, const pliant_mesh* first, pliant_mesh* out)
{
    if (first->vertex_color && !mesh_add_colors(out)) return false;
    if (first->vertex_radius && !mesh_add_radii(out)) return false;
    for (int i = 0; i < s->vertex_count; ++i) {
        size_t to = (size_t)i, from = (size_t)stars_root(s, i);
        memcpy(out->vertices + 3 * to, first->vertices + 3 * from, sizeof(double[3]));
        if (out->vertex_color)
            memcpy(out->vertex_color + 3 * to, first->vertex_color + 3 * from, sizeof(double[3]));
        if (out->vertex_radius) out->vertex_radius[to] = first->vertex_radius[from];
    }
    return true;
}

static bool copy_tags(const int* from, int count, int** to)
{
    if (!from) return true;
    *to = (int*)mem_array((size_t)count, sizeof(int));
    if (*to && count) memcpy(*to, from, (size_t)count * sizeof(int));
    return *to != NULL;
}

// A solid's own triangles are no part of the body: they stay as they were.
static void copy_elements(const mesh_stars* s, const pliant_mesh* first, pliant_mesh* out)
{
    const int* triangles = s->tet_count ? first->triangles : s->corner + tet_corners(s);
    if (s->tet_count) memcpy(out->tets, s->corner, (size_t)tet_corners(s) * sizeof(int));
    if (first->triangle_count)
        memcpy(out->triangles, triangles, 3 * (size_t)first->triangle_count * sizeof(int));
    if (s->edge_count)
        memcpy(out->edges, s->corner + face_corners(s), 2 * (size_t)s->edge_count * sizeof(int));
}

pliant_mesh* stars_mesh(const mesh_stars* s, const pliant_mesh* first)
{
    pliant_mesh* m =
        mesh_allocate(s->vertex_count, s->tet_count, first->triangle_count, s->edge_count);
    if (!m) return NULL;
    copy_elements(s, first, m);
    if (copy_vertices(s, first, m) && copy_tags(first->tet_region, s->tet_count, &m->tet_region) &&
        copy_tags(first->tet_cell, s->tet_count, &m->tet_cell))
        return m;
    pliant_mesh_destroy(m);
    return NULL;
}
