#define PRECISION_DOUBLE
#include "repair/passes.h"
#include "base/sort.h"
#include "repair/angle.h"

// ---- lists --------------------------------------------------------------------------------------

typedef struct {
    uint64_t* edge; // two ends, the smaller one above
    int count;
} edge_list;

static uint64_t edge_key(int a, int b)
{
    return a < b ? (uint64_t)a << 32 | (unsigned)b : (uint64_t)b << 32 | (unsigned)a;
}

static int keep_unique(uint64_t* key, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (i == 0 || key[i] != key[kept - 1]) key[kept++] = key[i];
    return kept;
}

// Bits of positive numbers have their order.
static uint64_t bits_of(double x)
{
    union {
        double number;
        uint64_t bits;
    } u = {.number = x};
    return u.bits;
}

static bool collect_edges(const complex* c, edge_list* out)
{
    int count = 0;
    out->edge = (uint64_t*)mem_array(6 * (size_t)c->cell_count, sizeof(uint64_t));
    int* order = (int*)mem_array(6 * (size_t)c->cell_count, sizeof(int));
    bool ok = out->edge && order;
    for (int t = 0; ok && t < c->cell_count; ++t) {
        const int* v = c->cells[t].corner;
        for (int a = 0; a < 4 && v[0] >= 0; ++a)
            for (int b = a + 1; b < 4; ++b) out->edge[count++] = edge_key(v[a], v[b]);
    }
    ok = ok && sort_with_order(out->edge, order, count);
    out->count = ok ? keep_unique(out->edge, count) : 0;
    mem_free(order);
    return ok;
}

// Edges whose squared length is in the range, by length: ascending or descending.
static bool list_edges(const complex* c, double low2, double high2, bool descending, edge_list* out)
{
    bool ok = collect_edges(c, out);
    uint64_t* key = ok ? (uint64_t*)mem_array((size_t)out->count, sizeof(uint64_t)) : NULL;
    int *order = ok ? (int*)mem_array((size_t)out->count, sizeof(int)) : NULL, kept = 0;
    ok = ok && key && order;
    for (int i = 0; ok && i < out->count; ++i) {
        uint64_t e = out->edge[i];
        double length2 = distance2_between(c, (int)(e >> 32), (int)(uint32_t)e);
        if (!(length2 >= low2 && length2 <= high2)) continue;
        key[kept] = descending ? ~bits_of(length2) : bits_of(length2);
        out->edge[kept] = e;
        order[kept] = kept;
        kept++;
    }
    ok = ok && sort_with_order(key, order, kept);
    for (int i = 0; ok && i < kept; ++i) key[i] = out->edge[order[i]];
    mem_free(order);
    if (!ok) {
        mem_free(key);
        return false;
    }
    mem_free(out->edge);
    *out = (edge_list){key, kept};
    return true;
}

// ---- passes -------------------------------------------------------------------------------------

// Calls `work` for all edges of the range that are there when their turn comes.
static int for_edges(repair* r, double low2, double high2, bool descending,
                     bool work(repair* r, int a, int b))
{
    edge_list list = {NULL, 0};
    int done = 0;
    if (!list_edges(&r->c, low2, high2, descending, &list)) r->c.failed = true;
    for (int i = 0; i < list.count && !r->c.failed; ++i) {
        int a = (int)(list.edge[i] >> 32), b = (int)(uint32_t)list.edge[i];
        double length2 = distance2_between(&r->c, a, b);
        if (length2 >= low2 && length2 <= high2 && are_joined(&r->c, a, b)) done += work(r, a, b);
    }
    mem_free(list.edge);
    return done;
}

// Either end may go. Where valences are high or edges very short, anything that is no bad tet will
// do.
static bool collapse_either(repair* r, int a, int b)
{
    double least = fmin(r->good, 4 * r->goal);
    return collapse_edge(r, a, b, least) || collapse_edge(r, b, a, least);
}

static double cell_quality(const complex* c, int tet)
{
    const int* v = c->cells[tet].corner;
    return tet_quality(place_of(c, v[0]), place_of(c, v[1]), place_of(c, v[2]), place_of(c, v[3]));
}

static bool swap_around(repair* r, int tet)
{
    int corner[4];
    for (int k = 0; k < 4; ++k) corner[k] = r->c.cells[tet].corner[k];
    for (int a = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b)
            if (swap_edge(r, corner[a], corner[b])) return true;
    for (int f = 0; f < 4; ++f)
        if (swap_face(r, tet, f)) return true;
    return false;
}

static int swap_pass(repair* r)
{
    int done = 0;
    for (int t = 0; t < r->c.cell_count && !r->c.failed; ++t)
        if (r->c.cells[t].corner[0] >= 0 && cell_quality(&r->c, t) < r->good)
            done += swap_around(r, t);
    return done;
}

static bool has_worse(const complex* c, int v, double quality)
{
    const int_list* around = &c->knots[v].around;
    for (int i = 0; i < around->count; ++i)
        if (cell_quality(c, around->item[i]) < quality) return true;
    return false;
}

static void relax_pass(repair* r)
{
    for (int v = 0; v < r->c.knot_count && !r->c.failed; ++v) relax_knot(r, v);
}

static void shift_pass(repair* r, double below)
{
    for (int v = 0; v < r->c.knot_count && !r->c.failed; ++v)
        if (has_worse(&r->c, v, below)) shift_knot(r, v);
}

// ---- single bad tets ----------------------------------------------------------------------------

static bool collapse_any(repair* r, const int corner[4])
{
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            if (a != b && collapse_edge(r, corner[a], corner[b], 2 * r->goal)) return true;
    return false;
}

static bool split_longest(repair* r, const int corner[4])
{
    int a = 0, b = 1;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (distance2_between(&r->c, corner[i], corner[j]) >
                distance2_between(&r->c, corner[a], corner[b]))
                a = i, b = j;
    return split_edge(r, corner[a], corner[b]) && (shift_knot(r, r->c.knot_count - 1) || true);
}

static void mend(repair* r, int tet, bool split)
{
    int corner[4];
    for (int k = 0; k < 4; ++k) corner[k] = r->c.cells[tet].corner[k];
    if (swap_around(r, tet) || collapse_any(r, corner)) return;
    bool moved = false;
    for (int k = 0; k < 4; ++k) moved = shift_knot(r, corner[k]) || moved;
    if (!moved && split) split_longest(r, corner);
}

static int mend_pass(repair* r, bool split)
{
    int bad = 0, end = r->c.cell_count;
    for (int t = 0; t < end && !r->c.failed; ++t) {
        if (r->c.cells[t].corner[0] < 0 || cell_quality(&r->c, t) >= r->goal) continue;
        bad++;
        mend(r, t, split);
    }
    return bad;
}

double worst_quality(const complex* c)
{
    double worst = 1;
    for (int t = 0; t < c->cell_count; ++t)
        if (c->cells[t].corner[0] >= 0) worst = fmin(worst, cell_quality(c, t));
    return worst;
}

int highest_valence(const complex* c)
{
    int highest = 0;
    for (int v = 0; v < c->knot_count; ++v)
        if (valence_of(c, v) > highest) highest = valence_of(c, v);
    return highest;
}

bool is_repaired(const repair* r)
{
    return highest_valence(&r->c) <= r->most_valence && worst_quality(&r->c) >= r->goal;
}

// ---- the order ----------------------------------------------------------------------------------

static void change_lengths(repair* r)
{
    for (int round = 0; round < 6; ++round)
        if (!for_edges(r, r->high2, INFINITY, true, split_edge)) break;
    for (int round = 0; round < 3; ++round)
        if (!for_edges(r, 0, r->low2, false, collapse_either)) break;
}

void repair_all(repair* r)
{
    // Lengths, then shapes, again and again; then what is still bad, one by one.
    enum { ROUNDS = 5, MENDS = 12 };
    for (int round = 0; round < ROUNDS && !r->c.failed; ++round) {
        change_lengths(r);
        swap_pass(r);
        relax_pass(r);
        swap_pass(r);
        shift_pass(r, r->good);
    }
    for (int round = 0; round < MENDS && !r->c.failed; ++round) {
        if (!mend_pass(r, round > 2)) break;
        shift_pass(r, 2 * r->goal);
    }
}
