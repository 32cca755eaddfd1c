#include "render/model.h"
#include "render/colormap.h"
#include <string.h>

int model_paint(model* m, vec3 color, bool wires)
{
    if (m->failed || !mem_reserve((void**)&m->paint, &m->paint_capacity,
                                  (int64_t)m->paint_count + 1, sizeof *m->paint)) {
        m->failed = true;
        return 0;
    }
    m->paint[m->paint_count] = (paint){color, wires, -1, -1};
    return m->paint_count++;
}

int model_liquid(model* m, vec3 color, double depth, double gap)
{
    int number = model_paint(m, color, false);
    if (m->failed || !mem_reserve((void**)&m->liquid, &m->liquid_capacity,
                                  (int64_t)m->liquid_count + 1, sizeof *m->liquid)) {
        m->failed = true;
        return 0;
    }
    vec3 through =
        v3(-log(fmax(color.x, 1e-3)), -log(fmax(color.y, 1e-3)), -log(fmax(color.z, 1e-3)));
    m->paint[number].liquid = m->liquid_count;
    m->liquid[m->liquid_count++] =
        (liquid_look){v3_scale(1 / depth, through), color, 1 / depth, gap};
    return number;
}

int model_vertex(model* m, vec3 position)
{
    if (m->failed || !mem_reserve((void**)&m->vertex, &m->vertex_capacity,
                                  (int64_t)m->vertex_count + 1, sizeof *m->vertex)) {
        m->failed = true;
        return 0;
    }
    m->vertex[m->vertex_count] = position;
    return m->vertex_count++;
}

void model_face(model* m, int a, int b, int c, int number)
{
    if (m->failed || !mem_reserve((void**)&m->face, &m->face_capacity, (int64_t)m->face_count + 1,
                                  sizeof *m->face)) {
        m->failed = true;
        return;
    }
    m->face[m->face_count++] = (face){.corner = {a, b, c}, .paint = number};
}

void model_ball(model* m, const ball* b)
{
    if (m->failed || !mem_reserve((void**)&m->ball, &m->ball_capacity, (int64_t)m->ball_count + 1,
                                  sizeof *m->ball)) {
        m->failed = true;
        return;
    }
    m->ball[m->ball_count++] = *b;
}

// -1: memory ran out, or it cannot be shown.
static int keep_texture(model* m, texture t)
{
    bool room = t.rgba && !m->failed &&
                mem_reserve((void**)&m->texture, &m->texture_capacity,
                            (int64_t)m->texture_count + 1, sizeof *m->texture);
    if (!room) {
        m->failed = m->failed || t.rgba;
        texture_release(&t);
        return -1;
    }
    m->texture[m->texture_count] = t;
    return m->texture_count++;
}

int model_texture(model* m, const visual_image* image)
{
    return keep_texture(m, texture_decode(image));
}

int model_map(model* m, map_kind kind, int count)
{
    texture t = {count, 1, (uint8_t*)mem_array((size_t)count, 4)};
    if (t.rgba) colormap_fill(kind, count, t.rgba);
    m->failed = m->failed || !t.rgba;
    return keep_texture(m, t);
}

// Length: twice the area.
static vec3 face_normal(const model* m, int number)
{
    const int* c = m->face[number].corner;
    vec3 a = m->vertex[c[0]];
    return v3_cross(v3_sub(m->vertex[c[1]], a), v3_sub(m->vertex[c[2]], a));
}

// Corners around each vertex: those of vertex v are around[first[v]] to around[first[v + 1] - 1].
static void group_corners(const model* m, int* first, int* around)
{
    for (int i = 0; i < 3 * m->face_count; ++i) first[m->face[i / 3].corner[i % 3] + 1]++;
    for (int v = 0; v < m->vertex_count; ++v) first[v + 1] += first[v];
    for (int i = 3 * m->face_count - 1; i >= 0; --i) {
        int v = m->face[i / 3].corner[i % 3];
        around[--first[v + 1]] = i;
    }
    // Now first[v + 1] is the begin of v: shift by one place.
    memmove(first, first + 1, (size_t)m->vertex_count * sizeof *first);
    first[m->vertex_count] = 3 * m->face_count;
}

static vec3 corner_normal(const model* m, int corner, const int* first, const int* around)
{
    const double sharp = 0.74; // cosine: balls of twenty faces are round
    vec3 own = v3_unit(face_normal(m, corner / 3)), sum = v3(0, 0, 0);
    int v = m->face[corner / 3].corner[corner % 3];
    for (int i = first[v]; i < first[v + 1]; ++i) {
        vec3 other = face_normal(m, around[i] / 3);
        if (v3_dot(own, other) >= sharp * v3_length(other)) sum = v3_add(sum, other);
    }
    return v3_unit(sum);
}

bool model_make_normals(model* m)
{
    int* first = (int*)mem_array_zero((size_t)m->vertex_count + 2, sizeof(int));
    int* around = (int*)mem_array((size_t)m->face_count * 3, sizeof(int));
    m->normal = (vec3*)mem_array((size_t)m->face_count * 3, sizeof *m->normal);
    bool good = first && around && m->normal && !m->failed;
    if (good) {
        group_corners(m, first, around);
        for (int i = 0; i < 3 * m->face_count; ++i)
            m->normal[i] = corner_normal(m, i, first, around);
    }
    mem_free(first);
    mem_free(around);
    return good;
}

void model_release(model* m)
{
    mem_free(m->vertex);
    mem_free(m->face);
    mem_free(m->ball);
    mem_free(m->paint);
    mem_free(m->liquid);
    mem_free(m->normal);
    for (int i = 0; i < m->texture_count; ++i) texture_release(&m->texture[i]);
    mem_free(m->texture);
    memset(m, 0, sizeof *m);
}
