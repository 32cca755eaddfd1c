#define PRECISION_DOUBLE
#include "repair/hosts.h"

// A tet that has the vertex on one of its outer faces.
static int first_host(const complex* c, int v)
{
    const int_list* around = &c->knots[v].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (t->outer & ~(1 << cell_corner_of(t, v))) return around->item[i];
    }
    return -1;
}

bool hosts_create(complex* c)
{
    c->point = (vec3*)mem_array((size_t)c->knot_count, sizeof(vec3));
    c->next_point = (int*)mem_array((size_t)c->knot_count, sizeof(int));
    if (!c->point || !c->next_point) return false;
    int count = 0;
    for (int v = 0; v < c->knot_count; ++v) {
        int host = c->knots[v].outer ? first_host(c, v) : -1;
        if (host < 0) continue;
        c->point[count] = place_of(c, v);
        c->next_point[count] = c->cells[host].first_point;
        c->cells[host].first_point = count++;
    }
    return true;
}

bool hosts_add(host_set* set, const complex* c, const int corner[4], int face, int tet)
{
    static const int order[3] = {0, 1, 2};
    int k[3];
    double x[9];
    if (!mem_reserve((void**)&set->item, &set->capacity, (int64_t)set->count + 1,
                     sizeof *set->item))
        return false;
    face_corners(corner, face, k);
    for (int i = 0; i < 3; ++i) {
        vec3 p = place_of(c, k[i]);
        x[3 * i] = p.x, x[3 * i + 1] = p.y, x[3 * i + 2] = p.z;
    }
    set->item[set->count++] = (host_face){triangle_make(x, order), tet};
    return true;
}

bool hosts_add_star(host_set* set, const complex* c, int v)
{
    const int_list* around = &c->knots[v].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        for (int f = 0; f < 4; ++f)
            if (t->outer >> f & 1 && !hosts_add(set, c, t->corner, f, around->item[i]))
                return false;
    }
    return true;
}

static int nearest_face(const host_set* set, vec3 point, double* out_distance2)
{
    int nearest = -1;
    *out_distance2 = INFINITY;
    for (int i = 0; i < set->count; ++i) {
        double distance2 = triangle_distance2(&set->item[i].shape, point);
        if (nearest < 0 || distance2 < *out_distance2) *out_distance2 = distance2, nearest = i;
    }
    return nearest;
}

bool hosts_hold(const complex* c, const host_set* set, int tet, double tolerance)
{
    for (int p = c->cells[tet].first_point; p >= 0; p = c->next_point[p]) {
        double distance2;
        nearest_face(set, c->point[p], &distance2);
        if (!(distance2 <= tolerance * tolerance)) return false;
    }
    return true;
}

int hosts_take(complex* c, int tet, int chain)
{
    int p = c->cells[tet].first_point;
    c->cells[tet].first_point = -1;
    while (p >= 0) {
        int next = c->next_point[p];
        c->next_point[p] = chain;
        chain = p;
        p = next;
    }
    return chain;
}

void hosts_give(complex* c, const host_set* set, int chain)
{
    while (chain >= 0) {
        double distance2;
        int next = c->next_point[chain], face = nearest_face(set, c->point[chain], &distance2);
        if (face >= 0) {
            cell* host = &c->cells[set->item[face].tet];
            c->next_point[chain] = host->first_point;
            host->first_point = chain;
        }
        chain = next;
    }
}
