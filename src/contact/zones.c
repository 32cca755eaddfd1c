#include "contact/zones.h"
#include "base/union.h"
#include "contact/pressing.h"
#include <string.h>

void zones_start(contact_system* s) { s->zones_started = false; }

static bool reserve(contact_system* s)
{
    if (s->zones_started) return true;
    int64_t points = s->point_count;
    if (!mem_reserve((void**)&s->zone_of, &s->zone_of_capacity, points, sizeof(int)) ||
        !mem_reserve((void**)&s->zone, &s->zone_capacity, points, sizeof *s->zone))
        return false;
    union_start(s->zone_of, s->point_count);
    s->zones_started = true;
    return true;
}

static bool join_points(contact_system* s)
{
    bool grown = false;
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    for (int i = 0; i < s->pair_count; ++i) {
        if (!kernels->crosses(s, i)) continue;
        const int* point = s->pair[i].point;
        for (int k = 1; k < 4; ++k) {
            if (union_root(s->zone_of, point[0]) == union_root(s->zone_of, point[k])) continue;
            union_join(s->zone_of, point[0], point[k]);
            grown = true;
        }
    }
    return grown;
}

static double get(const contact_system* s, const void* array, int point, int k)
{
    return state_get(array, 4 * (size_t)point + (size_t)k, s->scalar_bytes);
}

static void add_point(contact_system* s, int point)
{
    guard_zone* z = &s->zone[union_root(s->zone_of, point)];
    double w = get(s, s->place, point, 3), mass = w > 0 ? 1 / w : 0;
    bool held = !(w > 0);
    z->points++;
    if (held && z->held) return;
    if (held) z->mass = 0;
    for (int k = 0; k < 3; ++k) {
        double d = get(s, s->increment, point, k);
        if (held)
            z->motion[k] = d;
        else if (!z->held)
            z->motion[k] += mass * d;
    }
    z->held = z->held || held;
    z->mass += mass;
}

static void move_point(contact_system* s, int point)
{
    const guard_zone* z = &s->zone[union_root(s->zone_of, point)];
    double w = get(s, s->place, point, 3), taken = 0;
    if (z->points < 2 || !(w > 0)) return;
    for (int k = 0; k < 3; ++k) {
        double before = get(s, s->increment, point, k);
        double d = z->held ? z->motion[k] : z->motion[k] / z->mass;
        state_set(s->increment, 4 * (size_t)point + (size_t)k, d, s->scalar_bytes);
        taken += (d - before) * (d - before);
    }
    if (z->held) s->figures.guarded += sqrt(taken) / (w * s->h);
    s->figures.stopped++;
}

bool zones_grow(contact_system* s, bool* out_grown)
{
    *out_grown = false;
    if (!reserve(s)) return false;
    *out_grown = join_points(s);
    if (!*out_grown) {
        s->figures.squeezed++;
        return true;
    }
    memset(s->zone, 0, (size_t)s->point_count * sizeof *s->zone);
    for (int i = 0; i < s->live_count; ++i) add_point(s, s->live[i]);
    for (int i = 0; i < s->live_count; ++i) move_point(s, s->live[i]);
    s->escaped = true;
    return true;
}
