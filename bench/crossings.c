// Boxes around triangles and edges are sorted along x and swept, strip by strip; what overlaps is
// tested by the signs of volumes, in double precision.
#include "bench/crossings.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

// A triangle, or an edge: then the third corner is the second once more.
typedef struct {
    double low[3], high[3]; // [m]
    int corner[3];
    bool is_edge;
} element;

typedef struct {
    const double* x;
    element* item;
    int count;
} sweep;

typedef struct {
    double x[3];
} point;

static point at(const sweep* s, int vertex)
{
    const double* x = s->x + 3 * (ptrdiff_t)vertex;
    return (point){{x[0], x[1], x[2]}};
}

// Six times the volume of a tet: its sign tells on which side of abc the point p is.
static double volume(point a, point b, point c, point p)
{
    double e[3][3];
    for (int k = 0; k < 3; ++k) {
        e[0][k] = b.x[k] - a.x[k];
        e[1][k] = c.x[k] - a.x[k];
        e[2][k] = p.x[k] - a.x[k];
    }
    return e[2][0] * (e[0][1] * e[1][2] - e[0][2] * e[1][1]) +
           e[2][1] * (e[0][2] * e[1][0] - e[0][0] * e[1][2]) +
           e[2][2] * (e[0][0] * e[1][1] - e[0][1] * e[1][0]);
}

static bool has_corner(const element* t, int vertex)
{
    return t->corner[0] == vertex || t->corner[1] == vertex || t->corner[2] == vertex;
}

// Whether the segment goes through the inside of the triangle. One that begins at a corner of it
// does not.
static bool pierces(const sweep* s, int from, int to, const element* triangle)
{
    if (has_corner(triangle, from) || has_corner(triangle, to)) return false;
    point p = at(s, from), q = at(s, to);
    point a = at(s, triangle->corner[0]), b = at(s, triangle->corner[1]),
          c = at(s, triangle->corner[2]);
    if (!(volume(a, b, c, p) * volume(a, b, c, q) < 0)) return false;
    double u = volume(p, q, a, b), v = volume(p, q, b, c), w = volume(p, q, c, a);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

// Where two triangles cross, the line in which they meet ends at an edge of one of them. Of two
// with a common vertex it begins there, and ends at an edge that does not have it.
static bool edges_pierce(const sweep* s, const element* a, const element* b)
{
    int edges = a->is_edge ? 1 : 3;
    for (int k = 0; k < edges; ++k)
        if (pierces(s, a->corner[k], a->corner[(k + 1) % 3], b)) return true;
    return false;
}

static bool cross(const sweep* s, const element* a, const element* b)
{
    if (a->is_edge && b->is_edge) return false;
    if (!b->is_edge && edges_pierce(s, a, b)) return true;
    return !a->is_edge && edges_pierce(s, b, a);
}

static void add_element(sweep* s, const int* corners, bool is_edge)
{
    element* e = &s->item[s->count++];
    *e = (element){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0}, is_edge};
    for (int i = 0; i < 3; ++i) {
        e->corner[i] = corners[is_edge && i == 2 ? 1 : i];
        point p = at(s, e->corner[i]);
        for (int k = 0; k < 3; ++k) {
            e->low[k] = fmin(e->low[k], p.x[k]);
            e->high[k] = fmax(e->high[k], p.x[k]);
        }
    }
}

// ---- strips -------------------------------------------------------------------------------------

// Space is cut into strips along z, about as wide as elements. An element is in all that it
// reaches.
typedef struct {
    int strip, element;
    double low; // [m] its smallest x
} place;

typedef struct {
    double low, width; // [m]
    int count;
} strips;

enum { MOST_STRIPS = 4096 };

static strips make_strips(const sweep* s)
{
    double low = INFINITY, high = -INFINITY, sizes = 0;
    for (int i = 0; i < s->count; ++i) {
        low = fmin(low, s->item[i].low[2]);
        high = fmax(high, s->item[i].high[2]);
        sizes += s->item[i].high[2] - s->item[i].low[2];
    }
    double width = 2 * sizes / s->count, all = high - low;
    double count = width > 0 && isfinite(all) ? fmin(ceil(all / width), MOST_STRIPS) : 1;
    return (strips){low, count > 1 ? all / count : INFINITY, count > 1 ? (int)count : 1};
}

static int strip_of(const strips* t, double z)
{
    double number = floor((z - t->low) / t->width);
    return number >= t->count ? t->count - 1 : number > 0 ? (int)number : 0;
}

static int by_strip_and_x(const void* a, const void* b)
{
    const place *p = (const place*)a, *q = (const place*)b;
    if (p->strip != q->strip) return p->strip < q->strip ? -1 : 1;
    return (p->low > q->low) - (p->low < q->low);
}

static size_t list_places(const sweep* s, const strips* t, place* out)
{
    size_t count = 0;
    for (int i = 0; i < s->count; ++i) {
        int last = strip_of(t, s->item[i].high[2]);
        for (int k = strip_of(t, s->item[i].low[2]); k <= last; ++k, ++count)
            if (out) out[count] = (place){k, i, s->item[i].low[0]};
    }
    return count;
}

static bool boxes_overlap(const element* a, const element* b)
{
    return a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] &&
           b->low[2] <= a->high[2];
}

// Pairs of the place's element with those behind it in the strip; a pair that is in several strips
// counts in the first of them.
static int count_of(const sweep* s, const strips* t, const place* at, const place* end)
{
    int count = 0;
    const element* a = &s->item[at->element];
    for (const place* p = at + 1; p < end && p->strip == at->strip && p->low <= a->high[0]; ++p) {
        const element* b = &s->item[p->element];
        bool first = strip_of(t, fmax(a->low[2], b->low[2])) == at->strip;
        count += first && boxes_overlap(a, b) && cross(s, a, b);
    }
    return count;
}

static pliant_result count_all(const sweep* s, int* out_count)
{
    const strips t = make_strips(s);
    size_t count = list_places(s, &t, NULL);
    place* at = (place*)mem_array(count, sizeof *at);
    if (!at) return PLIANT_ERROR_MEMORY;
    list_places(s, &t, at);
    qsort(at, count, sizeof *at, by_strip_and_x);
    for (size_t i = 0; i < count; ++i) *out_count += count_of(s, &t, at + i, at + count);
    mem_free(at);
    return PLIANT_OK;
}

pliant_result crossings_count(const crossings_soup* soup, int* out_count)
{
    *out_count = 0;
    size_t count = (size_t)soup->triangle_count + (size_t)soup->edge_count;
    if (!count) return PLIANT_OK;
    sweep s = {soup->x, (element*)mem_array(count, sizeof(element)), 0};
    if (!s.item) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < soup->triangle_count; ++i)
        add_element(&s, soup->triangles + 3 * (ptrdiff_t)i, false);
    for (int i = 0; i < soup->edge_count; ++i)
        add_element(&s, soup->edges + 2 * (ptrdiff_t)i, true);
    pliant_result result = count_all(&s, out_count);
    mem_free(s.item);
    return result;
}
