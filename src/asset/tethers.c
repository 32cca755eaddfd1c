// Long-range attachments (Kim, Chentanez, Mueller 2012): no particle can be farther from an anchor
// than the cloth between them is long. The way is the shortest along edges, which is longer than
// the straight one by up to 8 % on triangles of a square grid: tethers never pull at cloth that is
// not stretched.
#include "asset/asset.h"
#include "asset/seams.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

// Neighbors of each particle along edges.
typedef struct {
    int* start; // particles + 1
    int* other;
} ways;

typedef struct {
    double length;
    int particle;
} arrival;

// Arrivals that wait, the nearest on top: a binary heap.
typedef struct {
    arrival* item;
    int count;
} arrivals;

static bool is_before(const arrival* a, const arrival* b)
{
    return a->length < b->length || (a->length == b->length && a->particle < b->particle);
}

static void push(arrivals* q, arrival a)
{
    int at = q->count++;
    for (; at > 0 && is_before(&a, &q->item[(at - 1) / 2]); at = (at - 1) / 2)
        q->item[at] = q->item[(at - 1) / 2];
    q->item[at] = a;
}

static arrival pop(arrivals* q)
{
    arrival top = q->item[0], last = q->item[--q->count];
    int at = 0;
    for (int child; (child = 2 * at + 1) < q->count; at = child) {
        if (child + 1 < q->count && is_before(&q->item[child + 1], &q->item[child])) ++child;
        if (!is_before(&q->item[child], &last)) break;
        q->item[at] = q->item[child];
    }
    q->item[at] = last;
    return top;
}

// Counts the ways of an edge, or fills them in.
static void add_way(ways* w, bool fills, int from, int to)
{
    if (fills) {
        w->other[--w->start[from]] = to;
        w->other[--w->start[to]] = from;
    } else {
        w->start[from]++;
        w->start[to]++;
    }
}

// Along all edges of ropes and cloth, in their order. Those of woven cloth are the sides of its
// triangles, mostly twice, which makes no way shorter.
static void fill_ways(const pliant_asset* a, ways* w)
{
    static const part_kind kinds[] = {PART_ROPE, PART_EDGE};
    const part_list* woven = &a->parts[PART_MEMBRANE];
    int vertices = a->mesh->vertex_count;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 2; ++k)
            for (int i = 0; i < a->parts[kinds[k]].count; ++i) {
                const int* end = a->parts[kinds[k]].corner + 2 * (size_t)i;
                add_way(w, pass, end[0], end[1]);
            }
        for (int i = 0; i < 3 * woven->count; ++i)
            add_way(w, pass, woven->corner[i], woven->corner[i - i % 3 + (i + 1) % 3]);
        for (int v = 0; v < vertices && !pass; ++v) w->start[v + 1] += w->start[v];
    }
}

static double distance_of(const pliant_asset* a, int from, int to)
{
    return sqrt(squared_distance(a->mesh->vertices, from, to));
}

// Dijkstra from all anchors at once.
static void spread(const pliant_asset* a, const ways* w, arrivals* q, double* length, int* nearest)
{
    while (q->count > 0) {
        arrival here = pop(q);
        if (here.length > length[here.particle]) continue;
        for (int i = w->start[here.particle]; i < w->start[here.particle + 1]; ++i) {
            int next = w->other[i];
            double way = here.length + distance_of(a, here.particle, next);
            if (!(way < length[next])) continue;
            length[next] = way;
            nearest[next] = nearest[here.particle];
            push(q, (arrival){way, next});
        }
    }
}

static void fill_tethers(const pliant_asset* a, const double* length, const int* nearest,
                         part_list* out)
{
    for (int v = 0; v < a->mesh->vertex_count; ++v) {
        if (nearest[v] < 0 || nearest[v] == v || !(distance_of(a, v, nearest[v]) > 0)) continue;
        out->corner[2 * (size_t)out->count] = nearest[v];
        out->corner[2 * (size_t)out->count + 1] = v;
        out->size[out->count++] = length[v];
    }
}

bool asset_make_tethers(pliant_asset* a, const int* anchor, int anchor_count)
{
    size_t vertices = (size_t)a->mesh->vertex_count;
    size_t ways_count = 2 * ((size_t)a->parts[PART_EDGE].count + (size_t)a->parts[PART_ROPE].count +
                             3 * (size_t)a->parts[PART_MEMBRANE].count);
    part_list* p = &a->parts[PART_TETHER];
    *p = (part_list){.corner = (int*)mem_array(2 * vertices, sizeof(int)),
                     .size = (double*)mem_array(vertices, sizeof(double)),
                     .owned = true};
    ways w = {(int*)mem_array_zero(vertices + 1, sizeof(int)),
              (int*)mem_array(ways_count, sizeof(int))};
    arrivals q = {(arrival*)mem_array(ways_count + (size_t)anchor_count, sizeof(arrival)), 0};
    double* length = (double*)mem_array(vertices, sizeof(double));
    int* nearest = (int*)mem_array(vertices, sizeof(int));
    bool good = p->corner && p->size && w.start && w.other && q.item && length && nearest;
    if (good) {
        fill_ways(a, &w);
        for (size_t v = 0; v < vertices; ++v) length[v] = INFINITY, nearest[v] = -1;
        for (int i = 0; i < anchor_count; ++i) {
            length[anchor[i]] = 0;
            nearest[anchor[i]] = anchor[i];
            push(&q, (arrival){0, anchor[i]});
        }
        spread(a, &w, &q, length, nearest);
        fill_tethers(a, length, nearest, p);
    }
    mem_free(w.start);
    mem_free(w.other);
    mem_free(q.item);
    mem_free(length);
    mem_free(nearest);
    return good;
}
