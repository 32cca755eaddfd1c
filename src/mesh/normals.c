#include "mesh/normals.h"
#include <math.h>
#include <string.h>

static void group_triangles(const int* named, normal_plan* p)
{
    int corners = 3 * p->triangle_count;
    for (int i = 0; i < corners; ++i) p->first[named[i] + 1]++;
    for (int i = 0; i < p->normal_count; ++i) p->first[i + 1] += p->first[i];
    for (int i = corners - 1; i >= 0; --i) p->around[--p->first[named[i] + 1]] = i / 3;
    // Now first[i + 1] is the begin of i: shift by one place.
    memmove(p->first, p->first + 1, (size_t)p->normal_count * sizeof(int));
    p->first[p->normal_count] = corners;
}

bool normal_plan_create(const int* triangles, const int* named, int triangle_count,
                        int normal_count, normal_plan* out)
{
    size_t corners = 3 * (size_t)triangle_count;
    *out = (normal_plan){.triangle_count = triangle_count, .normal_count = normal_count};
    out->triangles = (int*)mem_array(corners, sizeof(int));
    out->first = (int*)mem_array_zero((size_t)normal_count + 2, sizeof(int));
    out->around = (int*)mem_array(corners, sizeof(int));
    out->area = (pliant_vec3*)mem_array((size_t)triangle_count, sizeof(pliant_vec3));
    if (!out->triangles || !out->first || !out->around || !out->area) {
        normal_plan_destroy(out);
        return false;
    }
    if (corners) memcpy(out->triangles, triangles, corners * sizeof(int));
    group_triangles(named, out);
    return true;
}

void normal_plan_destroy(normal_plan* p)
{
    mem_free(p->triangles);
    mem_free(p->first);
    mem_free(p->around);
    mem_free(p->area);
    *p = (normal_plan){0};
}

void normal_plan_areas(normal_plan* p, const pliant_vec3* x, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        const int* c = p->triangles + 3 * (size_t)i;
        const pliant_vec3 o = x[c[0]], p1 = x[c[1]], p2 = x[c[2]];
        const pliant_vec3 a = {p1.x - o.x, p1.y - o.y, p1.z - o.z};
        const pliant_vec3 b = {p2.x - o.x, p2.y - o.y, p2.z - o.z};
        p->area[i] =
            (pliant_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
}

void normal_plan_means(const normal_plan* p, pliant_vec3* normals, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        double x = 0, y = 0, z = 0;
        for (int k = p->first[i]; k < p->first[i + 1]; ++k) {
            const pliant_vec3* area = &p->area[p->around[k]];
            x += (double)area->x, y += (double)area->y, z += (double)area->z;
        }
        double length = sqrt(x * x + y * y + z * z);
        if (length > 0 && isfinite(length))
            normals[i] =
                (pliant_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
    }
}
