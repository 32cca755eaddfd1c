// Triangles themselves, open or closed: how far a point may go along a line before it comes too
// near to one of them, and which is nearest to it. Seen from the shape, in double, for the CPU and
// CUDA.
//
// Nobody has to know at which side of a triangle a point is: it is there where its way begins, and
// its way ends before it gets to the other one.
#pragma once
#include "collide/facet.h"
#include <stddef.h>

// A box around facets. A child follows its parent; what is not in the box goes on at `next`.
typedef struct {
    double low[3], high[3]; // [m]
    int next;
    int first, count; // facets of a leaf
    int unused;
} net_node;

// In one piece of memory: the nodes, then the facets in their order.
typedef struct {
    const net_node* node;
    const facet* face;
    int node_count;
    bool one_sided; // only what is above a facet where its way begins meets it
} net_view;

// Where a point meets a facet.
typedef struct {
    double distance;  // [m]
    double at[3];     // [m] of the facet
    double normal[3]; // of length 1, from there to the point
    double time;      // share of the way; above 1: it does not come so near
    double near;      // [m] no facet is nearer to the start, or it is at least the level
} net_hit;

INLINE net_view net_view_of(const void* data, int nodes, bool one_sided)
{
    const net_node* node = (const net_node*)data;
    net_view v = {node, (const facet*)(node + nodes), nodes, one_sided};
    return v;
}

INLINE bool net_ignores(const net_view* v, const facet* f, const double start[3])
{
    return v->one_sided && facet_height(f, start) < 0;
}

// The direction from a facet to a point that is `apart` from its place `at`; what is on it counts
// as above.
INLINE void net_normal(const facet* f, const double p[3], const double at[3], double apart,
                       double out[3])
{
    double size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
    bool known = apart > 0x1p-44 * size;
    for (int k = 0; k < 3; ++k) out[k] = known ? (p[k] - at[k]) / apart : f->normal[k];
}

// [m] So near a point may come that starts at a distance from a facet.
INLINE double net_limit(double apart, double level) { return apart < level ? apart : level; }

// The way of a point until it is as near to one facet as it may be: as long as it does not come
// much nearer than that, it goes all the way.
//
// A facet lies behind the plane through its nearest place. So up to that plane (less the level) the
// point may go, and looks from there again. The distance along a line is convex, so that these are
// Newton's steps to a root from its far side: they never go too far, however many they are.
INLINE void net_advance(const facet* f, const double start[3], const double way[3], double level,
                        net_hit* out)
{
    enum { MOST_STEPS = 24 };
    const double slack = 0.1, close = 1e-3; // of the level
    double limit = level;
    out->time = 0;
    for (int i = 0; i < MOST_STEPS; ++i) {
        double p[3];
        bool inside;
        for (int k = 0; k < 3; ++k) p[k] = start[k] + out->time * way[k];
        out->distance = sqrt(facet_nearest(f, p, out->at, &inside));
        net_normal(f, p, out->at, out->distance, out->normal);
        if (i == 0) {
            limit = net_limit(out->distance, level);
            out->near = out->distance;
        }
        double nearing = -dot3(out->normal, way), left = (1 - out->time) * nearing;
        double most = limit < level ? limit * (1 - 1e-6) : (1 - slack) * limit;
        if (!(nearing > 0) || out->distance - left >= most) {
            out->time = 2;
            return;
        }
        double step = (out->distance - limit) / nearing;
        if (!(step * nearing > close * level)) return;
        out->time += step;
    }
}

INLINE bool net_overlaps(const net_node* n, const double low[3], const double high[3])
{
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart = apart || low[k] > n->high[k] || high[k] < n->low[k];
    return !apart;
}

// Around a part of a way, with some room.
INLINE void net_box(const double start[3], const double way[3], double share, double room,
                    double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        double end = start[k] + share * way[k];
        low[k] = (start[k] < end ? start[k] : end) - room;
        high[k] = (start[k] < end ? end : start[k]) + room;
    }
}

// The first facet that the way comes too near to: nearer than `level`, or than it is at the start.
// Of several at once the first one in their order. False when there is none.
FUNCTION bool net_block(const net_view* v, const double start[3], const double end[3], double level,
                        net_hit* out)
{
    double way[3], low[3], high[3], near = level;
    out->time = 2;
    from_to(start, end, way);
    net_box(start, way, 1, level, low, high);
    for (int i = 0; i < v->node_count;) {
        const net_node* n = &v->node[i];
        bool here = net_overlaps(n, low, high);
        for (int k = n->first; here && k < n->first + n->count; ++k) {
            net_hit hit;
            if (net_ignores(v, &v->face[k], start)) continue;
            net_advance(&v->face[k], start, way, level, &hit);
            if (hit.near < near) near = hit.near;
            if (!(hit.time < out->time) || hit.time > 1) continue;
            *out = hit;
            net_box(start, way, hit.time, level, low, high);
        }
        i = here ? i + 1 : n->next;
    }
    out->near = near;
    return out->time <= 1;
}

// The facet that is nearest to a point whose way began at `start`, if it is nearer than `reach`.
FUNCTION bool net_nearest(const net_view* v, const double start[3], const double p[3], double reach,
                          net_hit* out)
{
    double least = reach * reach, low[3], high[3];
    const double none[3] = {0, 0, 0};
    int found = -1;
    net_box(p, none, 1, reach, low, high);
    for (int i = 0; i < v->node_count;) {
        const net_node* n = &v->node[i];
        bool here = net_overlaps(n, low, high);
        for (int k = n->first; here && k < n->first + n->count; ++k) {
            double at[3];
            bool inside;
            if (net_ignores(v, &v->face[k], start)) continue;
            double square = facet_nearest(&v->face[k], p, at, &inside);
            if (!(square < least)) continue;
            least = square;
            found = k;
            for (int m = 0; m < 3; ++m) out->at[m] = at[m];
            net_box(p, none, 1, sqrt(square) * (1 + 1e-12), low, high);
        }
        i = here ? i + 1 : n->next;
    }
    if (found < 0) return false;
    out->distance = sqrt(least);
    net_normal(&v->face[found], p, out->at, out->distance, out->normal);
    return true;
}

// Whether no facet is near anything in a box.
INLINE bool net_is_far(const net_view* v, const double low[3], const double high[3])
{
    for (int i = 0; i < v->node_count;) {
        const net_node* n = &v->node[i];
        bool here = net_overlaps(n, low, high);
        if (here && n->count > 0) return false;
        i = here ? i + 1 : n->next;
    }
    return true;
}
