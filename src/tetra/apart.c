#define PRECISION_DOUBLE
#include "tetra/apart.h"
#include "tetra/parts.h"

typedef struct {
    double low[3], high[3];
    double volume; // signed, about a corner of its own
    int triangles;
    int group; // number of the part that it goes with
} part_facts;

static vec3 vertex_of(const pliant_mesh* m, int v)
{
    const double* x = m->vertices + 3 * (ptrdiff_t)v;
    return v3(x[0], x[1], x[2]);
}

static void add_triangle(part_facts* p, const pliant_mesh* m, const int corner[3])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = m->vertices[3 * (ptrdiff_t)corner[i] + k];
            if (p->triangles == 0 && i == 0) p->low[k] = p->high[k] = x;
            p->low[k] = fmin(p->low[k], x), p->high[k] = fmax(p->high[k], x);
        }
    // About the origin, which is within the bounding box of the whole: far enough from overflow.
    vec3 a = vertex_of(m, corner[0]), b = vertex_of(m, corner[1]), c = vertex_of(m, corner[2]);
    p->volume += v3_dot(a, v3_cross(b, c)) / 6;
    p->triangles += 1;
}

static bool is_around(const part_facts* outer, const part_facts* inner)
{
    for (int k = 0; k < 3; ++k)
        if (!(outer->low[k] <= inner->low[k] && outer->high[k] >= inner->high[k])) return false;
    return true;
}

// Parts that face inward go with the smallest one around them that does not.
static void group_parts(part_facts* part, int count)
{
    for (int p = 0; p < count; ++p) {
        part[p].group = p;
        if (part[p].volume >= 0) continue;
        for (int q = 0; q < count; ++q) {
            if (part[q].volume < 0 || !is_around(&part[q], &part[p])) continue;
            int best = part[p].group;
            if (best == p || part[q].volume < part[best].volume) part[p].group = q;
        }
    }
}

static part_facts* look_at_parts(const pliant_mesh* m, const partition* parts)
{
    part_facts* part = (part_facts*)mem_array_zero((size_t)parts->count, sizeof *part);
    for (int t = 0; part && t < m->triangle_count; ++t) {
        const int* corner = m->triangles + 3 * (ptrdiff_t)t;
        add_triangle(&part[parts->part[corner[0]]], m, corner);
    }
    if (part) group_parts(part, parts->count);
    return part;
}

// The triangles of a group, each with vertices of its own, in the world: they are welded again.
static pliant_mesh* group_surface(const solid* s, const partition* parts, const part_facts* part,
                                  int group)
{
    const pliant_mesh* m = s->surface;
    int count = 0, next = 0;
    for (int p = 0; p < parts->count; ++p)
        if (part[p].group == group) count += part[p].triangles;
    pliant_mesh* out = mesh_allocate(3 * count, 0, count, 0);
    for (int t = 0; out && t < m->triangle_count; ++t) {
        const int* corner = m->triangles + 3 * (ptrdiff_t)t;
        if (part[parts->part[corner[0]]].group != group) continue;
        for (int i = 0; i < 3; ++i, ++next) {
            const double* x = m->vertices + 3 * (ptrdiff_t)corner[i];
            for (int k = 0; k < 3; ++k)
                out->vertices[3 * (ptrdiff_t)next + k] = s->center[k] + s->size * x[k];
            out->triangles[next] = next;
        }
    }
    return out;
}

static pliant_result add_group(const pliant_mesh* surface, workers* threads, solid_list* out)
{
    pliant_result result = solid_create(surface, HOLES_FLAT, threads, &out->solid[out->count]);
    out->count += result == PLIANT_OK;
    return result;
}

static pliant_result make_solids(const solid* whole, const partition* parts, workers* threads,
                                 solid_list* out)
{
    part_facts* part = look_at_parts(whole->surface, parts);
    out->solid = (solid*)mem_array_zero((size_t)parts->count, sizeof(solid));
    pliant_result result = part && out->solid ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int p = 0; p < parts->count && result != PLIANT_ERROR_MEMORY; ++p) {
        if (part[p].group != p) continue;
        pliant_mesh* surface = group_surface(whole, parts, part, p);
        result = surface ? add_group(surface, threads, out) : PLIANT_ERROR_MEMORY;
        pliant_mesh_destroy(surface);
    }
    mem_free(part);
    return out->count > 0 && result != PLIANT_ERROR_MEMORY ? PLIANT_OK : result;
}

pliant_result solids_apart(const solid* whole, workers* threads, solid_list* out)
{
    *out = (solid_list){0};
    partition parts;
    const pliant_mesh* m = whole->surface;
    if (!find_parts(m->triangles, m->triangle_count, 3, m->vertex_count, &parts))
        return PLIANT_ERROR_MEMORY;
    pliant_result result = make_solids(whole, &parts, threads, out);
    mem_free(parts.part);
    if (result) solids_destroy(out);
    return result;
}

bool solids_joined(solid* whole, solid_list* out)
{
    out->count = 0;
    out->solid = (solid*)mem_array(1, sizeof(solid));
    if (!out->solid) return false;
    out->solid[out->count++] = *whole;
    *whole = (solid){0};
    return true;
}

void solids_destroy(solid_list* list)
{
    for (int i = 0; i < list->count; ++i) solid_destroy(&list->solid[i]);
    mem_free(list->solid);
    *list = (solid_list){0};
}
