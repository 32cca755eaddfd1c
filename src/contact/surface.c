#include "contact/surface.h"
#include "base/sort.h"
#include "geometry/morton.h"
#include "mesh/face.h"
#include "mesh/mesh.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

// ---- elements -----------------------------------------------------------------------------------

typedef struct {
    const pliant_mesh* mesh;
    const int* triangle; // particles
    int triangle_count;
} outside;

// A loose particle is a segment with both ends at the same place.
static int corners_of(const outside* o, int number, int out[3])
{
    if (mesh_is_loose(o->mesh)) {
        out[0] = out[1] = number;
        out[2] = -1;
        return 2;
    }
    if (number < o->triangle_count) {
        memcpy(out, o->triangle + 3 * (size_t)number, 3 * sizeof(int));
        return 3;
    }
    memcpy(out, o->mesh->edges + 2 * (size_t)(number - o->triangle_count), 2 * sizeof(int));
    out[2] = -1;
    return 2;
}

static void middle_of(const outside* o, int number, double out[3])
{
    int corner[3], count = corners_of(o, number, corner);
    for (int k = 0; k < 3; ++k) {
        out[k] = 0;
        for (int i = 0; i < count; ++i)
            out[k] += o->mesh->vertices[3 * (size_t)corner[i] + (size_t)k] / count;
    }
}

// Along a curve through space.
static bool sort_elements(const outside* o, contact_surface* s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double middle[3], longest = 0;
    for (int i = 0; i < s->element_count; ++i) {
        middle_of(o, i, middle);
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], middle[k]);
            high[k] = fmax(high[k], middle[k]);
        }
    }
    for (int k = 0; k < 3; ++k) longest = fmax(longest, high[k] - low[k]);
    double per_step = longest > 0 ? ((double)(1u << MORTON_BITS) - 1) / longest : 0;
    uint64_t* key = (uint64_t*)mem_array((size_t)s->element_count, sizeof(uint64_t));
    if (!key) return false;
    for (int i = 0; i < s->element_count; ++i) {
        middle_of(o, i, middle);
        uint32_t at[3];
        for (int k = 0; k < 3; ++k) at[k] = (uint32_t)((middle[k] - low[k]) * per_step);
        key[i] = morton_key(at[0], at[1], at[2]);
        s->source[i] = i;
    }
    bool good = sort_with_order(key, s->source, s->element_count);
    mem_free(key);
    return good;
}

// Points are numbered as elements come to them.
static void number_points(const outside* o, contact_surface* s, int* number)
{
    for (int v = 0; v < o->mesh->vertex_count; ++v) number[v] = -1;
    for (int i = 0; i < s->element_count; ++i) {
        surface_element* e = &s->element[i];
        int corner[3];
        corners_of(o, s->source[i], corner);
        *e = (surface_element){{-1, -1, -1}, {-1, -1, -1}, 0, 0};
        for (int k = 0; k < 3 && corner[k] >= 0; ++k) {
            int* known = &number[corner[k]];
            if (*known < 0) {
                *known = s->point_count++;
                s->particle[*known] = corner[k];
                e->own_point |= (unsigned char)(1 << k);
            }
            e->point[k] = *known;
        }
    }
}

// ---- edges --------------------------------------------------------------------------------------

static int edges_of(const surface_element* e)
{
    if (e->point[0] == e->point[1]) return 0;
    return surface_is_segment(e) ? 1 : 3;
}

static uint64_t edge_key(const surface_element* e, int k)
{
    uint64_t a = (uint64_t)e->point[k], b = (uint64_t)e->point[(k + 1) % 3];
    if (surface_is_segment(e)) b = (uint64_t)e->point[1];
    return a < b ? a << 32 | b : b << 32 | a;
}

static void note_edge(contact_surface* s, int number, int element, int k)
{
    surface_element* e = &s->element[element];
    surface_edge* edge = &s->edge[number];
    e->edge[k] = number;
    if (surface_is_segment(e)) return;
    int opposite = e->point[(k + 2) % 3];
    if (edge->opposite[0] < 0)
        edge->opposite[0] = opposite;
    else if (edge->opposite[1] < 0)
        edge->opposite[1] = opposite;
}

// The sides of all elements, by their ends: those of one edge are side by side, the first of them
// owns it.
static void number_edges(contact_surface* s, const uint64_t* key, const int* side, int count)
{
    for (int i = 0; i < count; ++i) {
        int element = side[i] / 3, k = side[i] % 3;
        if (i == 0 || key[i] != key[i - 1]) {
            s->edge[s->edge_count++] =
                (surface_edge){{(int)(key[i] >> 32), (int)(key[i] & 0xffffffffu)}, {-1, -1}};
            s->element[element].own_edge |= (unsigned char)(1 << k);
        }
        note_edge(s, s->edge_count - 1, element, k);
    }
}

static bool find_edges(contact_surface* s)
{
    size_t most = 3 * (size_t)s->element_count;
    uint64_t* key = (uint64_t*)mem_array(most, sizeof(uint64_t));
    int *side = (int*)mem_array(most, sizeof(int)), count = 0;
    for (int i = 0; key && side && i < s->element_count; ++i)
        for (int k = 0; k < edges_of(&s->element[i]); ++k) {
            key[count] = edge_key(&s->element[i], k);
            side[count++] = 3 * i + k;
        }
    bool good = key && side && sort_with_order(key, side, count);
    s->edge = good ? (surface_edge*)mem_array((size_t)count, sizeof *s->edge) : NULL;
    if (s->edge) number_edges(s, key, side, count);
    mem_free(key);
    mem_free(side);
    return s->edge != NULL;
}

static bool find_neighbors(contact_surface* s)
{
    size_t points = (size_t)s->point_count;
    s->neighbor_start = (int*)mem_array_zero(points + 2, sizeof(int));
    s->neighbor = (int*)mem_array(2 * (size_t)s->edge_count, sizeof(int));
    if (!s->neighbor_start || !s->neighbor) return false;
    // What begins at place i + 1 moves to place i while it is filled.
    for (int i = 0; i < s->edge_count; ++i)
        for (int k = 0; k < 2; ++k) s->neighbor_start[s->edge[i].point[k] + 2]++;
    for (size_t i = 2; i <= points; ++i) s->neighbor_start[i] += s->neighbor_start[i - 1];
    for (int i = 0; i < s->edge_count; ++i)
        for (int k = 0; k < 2; ++k)
            s->neighbor[s->neighbor_start[s->edge[i].point[k] + 1]++] = s->edge[i].point[1 - k];
    return true;
}

static void measure_edges(contact_surface* s)
{
    s->shortest_edge = INFINITY;
    for (int i = 0; i < s->edge_count; ++i) {
        const int* p = s->edge[i].point;
        double length = sqrt(squared_distance(s->rest, s->particle[p[0]], s->particle[p[1]]));
        s->mean_edge += length / s->edge_count;
        s->shortest_edge = fmin(s->shortest_edge, length);
    }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool fill(const outside* o, contact_surface* s)
{
    s->rest = o->mesh->vertices;
    s->element_count = s->loose ? o->mesh->vertex_count : o->triangle_count + o->mesh->edge_count;
    for (s->leaf_count = 1; SURFACE_LEAF * (int64_t)s->leaf_count < s->element_count;)
        s->leaf_count *= 2;
    size_t elements = (size_t)s->element_count, vertices = (size_t)o->mesh->vertex_count;
    s->source = (int*)mem_array(elements, sizeof(int));
    s->element = (surface_element*)mem_array(elements, sizeof *s->element);
    s->particle = (int*)mem_array(vertices, sizeof(int));
    int* number = (int*)mem_array(vertices, sizeof(int));
    bool good = s->source && s->element && s->particle && number && sort_elements(o, s);
    if (good) number_points(o, s, number);
    mem_free(number);
    good = good && find_edges(s) && find_neighbors(s);
    if (good) measure_edges(s);
    return good;
}

contact_surface* contact_surface_create(const pliant_mesh* mesh)
{
    outer_faces faces = {0};
    contact_surface* s = (contact_surface*)mem_alloc_zero(sizeof *s);
    outside o = {mesh, mesh->triangles, mesh->triangle_count};
    bool good = s && (mesh->tet_count == 0 || find_outer_faces(mesh, &faces) == PLIANT_OK);
    if (good && mesh->tet_count) o = (outside){mesh, faces.triangle, faces.count};
    if (good) {
        s->closed = mesh->tet_count > 0;
        s->loose = s->grains = mesh_is_loose(mesh);
        s->rope = o.triangle_count == 0 && !s->loose;
        good = fill(&o, s);
    }
    outer_faces_free(&faces);
    if (good) return s;
    contact_surface_destroy(s);
    return NULL;
}

void contact_surface_destroy(contact_surface* s)
{
    if (!s) return;
    mem_free(s->particle);
    mem_free(s->element);
    mem_free(s->source);
    mem_free(s->edge);
    mem_free(s->neighbor_start);
    mem_free(s->neighbor);
    mem_free(s);
}
