// Compiled once per width and precision: -DKERNELS=the table's name -DLANES=...
// [-DPRECISION_DOUBLE].
#include "contact/leaves.h"
#include "contact/push.h"
#include "solver/gather.h"

typedef struct {
    real low[3], high[3];
} lane_box;

INLINE real largest(real a, real b, real c) { return lane_max(a, lane_max(b, c)); }

// [m] by which boxes are apart along the axis where they are most so.
INLINE real gap_of(const lane_box* a, const lane_box* b)
{
    real gap[3];
    for (int k = 0; k < 3; ++k) gap[k] = lane_max(a->low[k] - b->high[k], b->low[k] - a->high[k]);
    return largest(gap[0], gap[1], gap[2]);
}

INLINE lane_box load_box(const sixteen_boxes* box, int i)
{
    lane_box b;
    for (int k = 0; k < 3; ++k) {
        b.low[k] = lane_load(&box->low[k][i]);
        b.high[k] = lane_load(&box->high[k][i]);
    }
    return b;
}

INLINE void store_box(sixteen_boxes* box, int i, const lane_box* b)
{
    for (int k = 0; k < 3; ++k) {
        lane_store(&box->low[k][i], b->low[k]);
        lane_store(&box->high[k][i], b->high[k]);
    }
}

// ---- numbers ------------------------------------------------------------------------------------

// Behind the last element come others like it that nobody meets.
static void number(leaf_tree* t, const contact_body* body)
{
    const contact_surface* of = body->surface;
    t->first_element = body->first_element;
    for (int i = 0; i < 16 * ((t->element_count + 15) / 16); ++i) {
        int last = t->element_count - 1;
        const surface_element* e = &of->element[i < last ? i : last];
        element_block* b = &t->element[i / 16];
        int corners = surface_corners(e);
        for (int k = 0; k < 3; ++k) {
            b->point[k][i % 16] = body->first_point + e->point[k < corners ? k : corners - 1];
            b->away[k][i % 16] = e->own_point >> k & 1 ? 0 : INFINITY;
            b->away[3 + k][i % 16] = e->own_edge >> k & 1 ? 0 : INFINITY;
        }
        b->reach[i % 16] = -INFINITY;
        b->touch[i % 16] = 0;
    }
    for (int i = 0; i < t->start[t->levels]; ++i)
        for (int k = 0; k < 16; ++k) {
            node_block* n = &t->node[i];
            n->reach[k] = -INFINITY;
            for (int axis = 0; axis < 3; ++axis) {
                n->box.low[axis][k] = INFINITY;
                n->box.high[axis][k] = -INFINITY;
            }
        }
}

static scalar rounded_up(double reach) { return (scalar)(reach * (1 + 4 * FLT_EPSILON)); }

static void reach(leaf_tree* t, int element, double far, double touch)
{
    t->element[element / 16].reach[element % 16] = rounded_up(far);
    t->element[element / 16].touch[element % 16] = rounded_up(touch);
}

static double touch(const leaf_tree* t, int element)
{
    return (double)t->element[element / 16].touch[element % 16];
}

// ---- fitting ------------------------------------------------------------------------------------

INLINE lane_box box_of_two(const vec3* a, const vec3* b)
{
    lane_box box = {{lane_min(a->x, b->x), lane_min(a->y, b->y), lane_min(a->z, b->z)},
                    {lane_max(a->x, b->x), lane_max(a->y, b->y), lane_max(a->z, b->z)}};
    return box;
}
INLINE lane_box boxes_joined(const lane_box* a, const lane_box* b)
{
    lane_box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = lane_min(a->low[k], b->low[k]);
        box.high[k] = lane_max(a->high[k], b->high[k]);
    }
    return box;
}

INLINE vec3 column(const void* array, const unsigned* at)
{
    vec3 x;
    real last;
    rows_transpose(rows_load((const scalar*)array, at), &x, &last);
    return x;
}

// Whoever it does not belong to is infinitely far away.
INLINE void store_own(sixteen_boxes* box, int i, lane_box b, const scalar* away)
{
    b.low[0] = b.low[0] + lane_load(&away[i]);
    store_box(box, i, &b);
}

INLINE void fit_elements(element_block* e, int i, const void* place, const void* along, real life)
{
    lane_box corner[3], edge[3], all;
    for (int k = 0; k < 3; ++k) {
        unsigned at[LANES];
        for (int l = 0; l < LANES; ++l) at[l] = 2 * (unsigned)e->point[k][i + l];
        vec3 x = column(place, at), end = v3_add_scaled(x, life, column(along, at));
        corner[k] = box_of_two(&x, &end);
    }
    for (int k = 0; k < 3; ++k) edge[k] = boxes_joined(&corner[k], &corner[(k + 1) % 3]);
    all = boxes_joined(&edge[0], &corner[2]);
    for (int k = 0; k < 3; ++k) {
        store_own(&e->corner[k], i, corner[k], e->away[k]);
        store_own(&e->edge[k], i, edge[k], e->away[3 + k]);
    }
    store_box(&e->box, i, &all);
}

static scalar least_of(const scalar* a, int count)
{
    scalar least = INFINITY;
    for (int i = 0; i < count; ++i) least = a[i] < least ? a[i] : least;
    return least;
}
static scalar most_of(const scalar* a, int count)
{
    scalar most = -INFINITY;
    for (int i = 0; i < count; ++i) most = a[i] > most ? a[i] : most;
    return most;
}

// Of `count` entries side by side, one; none of them may be.
static void join(const sixteen_boxes* box, const scalar reach[16], int first, int count,
                 node_block* to, int at)
{
    for (int k = 0; k < 3; ++k) {
        to->box.low[k][at] = least_of(&box->low[k][first], count);
        to->box.high[k][at] = most_of(&box->high[k][first], count);
    }
    to->reach[at] = most_of(&reach[first], count);
}

static void fit(leaf_tree* t, const void* place, const void* along, int life)
{
    for (int i = 0; i < (t->element_count + 15) / 16; ++i) {
        for (int l = 0; l < 16; l += LANES)
            fit_elements(&t->element[i], l, place, along, lane_splat((scalar)life));
        for (int k = 0; k < 4; ++k)
            join(&t->element[i].box, t->element[i].reach, 4 * k, 4, &t->node[i / 4],
                 4 * (i % 4) + k);
    }
    for (int level = 1; level < t->levels; ++level)
        for (int i = t->start[level - 1]; i < t->start[level]; ++i) {
            int at = i - t->start[level - 1];
            join(&t->node[i].box, t->node[i].reach, 0, 16, &t->node[t->start[level] + at / 16],
                 at % 16);
        }
}

// ---- leaves -------------------------------------------------------------------------------------

// Four numbers of a leaf, each in as many lanes as the other leaf has elements (for lane l it is
// that of element l / 4), or all four again and again (l % 4).
INLINE void spread(const scalar* four, scalar* out)
{
    for (int l = 0; l < 16; ++l) out[l] = four[l / 4];
}
INLINE real tiled(const scalar* four, int l)
{
#if LANES == 1
    return four[l % 4];
#elif LANES == 16 && defined(__AVX512F__)
    (void)l;
    return (real)_mm512_broadcast_f32x4(_mm_loadu_ps(four));
#else
    real r = lane_splat(0);
    (void)l;
    for (int i = 0; i < LANES; ++i) r[i] = four[i % 4];
    return r;
#endif
}

// Lanes in which they are the same.
INLINE unsigned numbers_alike(const int one[4], const int other[4], int lane)
{
#if LANES == 1
    return one[lane / 4] == other[lane % 4];
#else
    mask a, b;
    for (int i = 0; i < LANES; ++i) {
        a[i] = one[(lane + i) / 4];
        b[i] = other[i % 4];
    }
    return lane_bits(a == b);
#endif
}

// A leaf, its numbers spread.
typedef struct {
    sixteen_boxes corner[3], edge[3], box;
    scalar reach[16], touch[16];
    scalar known[16]; // [m] reach that its list has had already
    int point[3][4];
    int first; // element of the world
    int leaf;
} open_leaf;

static void open(const leaf_tree* t, int leaf, open_leaf* out)
{
    const element_block* e = &t->element[leaf / 4];
    int at = 4 * (leaf % 4);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            spread(&e->corner[k].low[i][at], out->corner[k].low[i]);
            spread(&e->corner[k].high[i][at], out->corner[k].high[i]);
            spread(&e->edge[k].low[i][at], out->edge[k].low[i]);
            spread(&e->edge[k].high[i][at], out->edge[k].high[i]);
        }
    for (int i = 0; i < 3; ++i) {
        spread(&e->box.low[i][at], out->box.low[i]);
        spread(&e->box.high[i][at], out->box.high[i]);
        for (int k = 0; k < 4; ++k) out->point[i][k] = e->point[i][at + k];
    }
    spread(&e->reach[at], out->reach);
    spread(&e->touch[at], out->touch);
    out->first = t->first_element + 4 * leaf;
    out->leaf = leaf;
}

// Lanes as bits, of as many pairs of elements (subs) as a word has room for.
enum { WORD_SUBS = 64 / LANES, WORDS = (SUBS + WORD_SUBS - 1) / WORD_SUBS };

// Two leaves, and the lanes at hand of their pairs of elements.
typedef struct {
    const open_leaf* a;
    const element_block* b;
    int at;        // of b's elements in their block
    int second;    // element of the world, its first one
    int lane;      // the first one
    unsigned near; // lanes whose boxes are
    real limit, touch, known;
    // What is found: lanes, and up to where they sleep.
    uint64_t word[WORDS];
    scalar wake[SUBS][LANES];
} leaf_pair;

INLINE lane_box tiled_box(const sixteen_boxes* box, int at, int l)
{
    lane_box b;
    for (int k = 0; k < 3; ++k) {
        b.low[k] = tiled(&box->low[k][at], l);
        b.high[k] = tiled(&box->high[k][at], l);
    }
    return b;
}

INLINE void note_near(leaf_pair* p, int sub, unsigned but, const lane_box* a, const lane_box* b,
                      bool more)
{
    real gap = gap_of(a, b);
    uint64_t bits = lane_bits(gap <= p->limit) & p->near & ~but;
    if (more) bits &= ~lane_bits(gap <= p->known);
    p->word[sub / WORD_SUBS] |= bits << sub % WORD_SUBS * LANES;
    lane_store(p->wake[sub], (scalar)(1 - WAY_ROUNDING) * gap - p->touch);
}

static void emit(const leaf_pair* p, watch_sink* out)
{
    for (int w = 0; w < WORDS; ++w)
        for (uint64_t bits = p->word[w]; bits; bits &= bits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(bits), l = bit % LANES;
            unsigned sub = bit / LANES + (unsigned)(w * WORD_SUBS), pair = (unsigned)p->lane + l;
            if (out->count++ >= out->capacity) continue;
            watched_pair* at = &out->at[out->count - 1];
            at->first = (unsigned)p->a->first + pair / 4;
            at->second = ((unsigned)p->second + pair % 4) | sub << KEY_ELEMENT_BITS;
            at->wake = (float)p->wake[sub][l];
            at->rate = 0;
        }
}

// Which corners of both are the same point.
typedef struct {
    unsigned same[3][3], first[3], second[3];
} shared_corners;

INLINE void find_shared(const leaf_pair* p, shared_corners* s)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            s->same[i][k] = numbers_alike(p->a->point[i], &p->b->point[k][p->at], p->lane);
    for (int i = 0; i < 3; ++i) {
        s->first[i] = s->same[i][0] | s->same[i][1] | s->same[i][2];
        s->second[i] = s->same[0][i] | s->same[1][i] | s->same[2][i];
    }
}

// All pairs of their points and edges; of one body not those that have a point twice.
INLINE void look_closer(leaf_pair* p, bool self, bool more)
{
    shared_corners s;
    const open_leaf* a = p->a;
    lane_box all[2] = {load_box(&a->box, p->lane), tiled_box(&p->b->box, p->at, p->lane)};
    if (self) find_shared(p, &s);
    memset(p->word, 0, sizeof p->word);
    UNROLL
    for (int k = 0; k < 3; ++k) {
        lane_box c = load_box(&a->corner[k], p->lane);
        note_near(p, SUB_FIRST + k, self ? s.first[k] : 0, &c, &all[1], more);
    }
    UNROLL
    for (int k = 0; k < 3; ++k) {
        lane_box c = tiled_box(&p->b->corner[k], p->at, p->lane);
        note_near(p, SUB_SECOND + k, self ? s.second[k] : 0, &c, &all[0], more);
    }
    lane_box edge[3];
    for (int k = 0; k < 3; ++k) edge[k] = tiled_box(&p->b->edge[k], p->at, p->lane);
    UNROLL
    for (int i = 0; i < 3; ++i) {
        lane_box one = load_box(&a->edge[i], p->lane);
        int j = (i + 1) % 3;
        UNROLL
        for (int k = 0; k < 3; ++k) {
            int m = (k + 1) % 3;
            unsigned but = self ? s.same[i][k] | s.same[i][m] | s.same[j][k] | s.same[j][m] : 0;
            note_near(p, SUB_EDGES + 3 * i + k, but, &one, &edge[k], more);
        }
    }
}

// In a leaf with itself each two elements meet once.
INLINE unsigned later_lanes(int lane)
{
    const unsigned all = 0x08ce; // bit l: l % 4 > l / 4
    return all >> lane & ((1u << LANES) - 1);
}

// `more`: of one element of the leaf, those that its list does not have yet.
INLINE void list_two(const open_leaf* a, const leaf_tree* of, int leaf, bool self, bool more,
                     watch_sink* out)
{
    leaf_pair p;
    p.a = a;
    p.b = &of->element[leaf / 4];
    p.at = 4 * (leaf % 4);
    p.second = of->first_element + 4 * leaf;
    for (p.lane = 0; p.lane < 16; p.lane += LANES) {
        lane_box one = load_box(&a->box, p.lane), two = tiled_box(&p.b->box, p.at, p.lane);
        p.limit = lane_load(&a->reach[p.lane]) + tiled(&p.b->reach[p.at], p.lane);
        p.touch = lane_load(&a->touch[p.lane]) + tiled(&p.b->touch[p.at], p.lane);
        p.near = lane_bits(gap_of(&one, &two) <= p.limit);
        if (self && !more && leaf == a->leaf) p.near &= later_lanes(p.lane);
        if (!p.near) continue;
        if (more) p.known = lane_load(&a->known[p.lane]) + tiled(&p.b->reach[p.at], p.lane);
        look_closer(&p, self, more);
        emit(&p, out);
    }
}

static void list_others(const open_leaf* a, const leaf_tree* of, int leaf, watch_sink* out)
{
    list_two(a, of, leaf, false, false, out);
}
static void list_own(const open_leaf* a, const leaf_tree* of, int leaf, watch_sink* out)
{
    list_two(a, of, leaf, true, false, out);
}
static void list_more(const open_leaf* a, const leaf_tree* of, int leaf, bool self, watch_sink* out)
{
    if (self)
        list_two(a, of, leaf, true, true, out);
    else
        list_two(a, of, leaf, false, true, out);
}

// ---- the tree -----------------------------------------------------------------------------------

// What is looked for: a leaf's box.
typedef struct {
    scalar low[3], high[3], reach;
    int from; // leaf of the tree
    const leaf_tree* in;
    open_leaf* leaf; // open when its `leaf` is not -1
    const leaf_tree* of;
    int number;  // of the leaf
    int element; // of it alone, pairs that its list does not have yet; -1: of all
    bool self;
} look;

INLINE lane_box splat_box(const look* w)
{
    lane_box b;
    for (int k = 0; k < 3; ++k) {
        b.low[k] = lane_splat(w->low[k]);
        b.high[k] = lane_splat(w->high[k]);
    }
    return b;
}

// The children of a block that meet the box, as bits.
INLINE unsigned near_children(const look* w, const node_block* of)
{
    unsigned bits = 0;
    lane_box a = splat_box(w);
    for (int l = 0; l < 16; l += LANES) {
        lane_box b = load_box(&of->box, l);
        real limit = lane_load(&of->reach[l]) + lane_splat(w->reach);
        bits |= lane_bits(gap_of(&a, &b) <= limit) << l;
    }
    return bits;
}

static void open_for(const look* w)
{
    open_leaf* to = w->leaf;
    open(w->of, w->number, to);
    for (int l = 0; l < 16 && w->element >= 0; ++l) {
        to->known[l] = to->reach[l];
        to->reach[l] = l / 4 == w->element % 4 ? w->reach : -INFINITY;
    }
}

// A block of a level, whose children are nodes of the level below, or leaves.
static void walk(const look* w, int level, int block, watch_sink* out)
{
    unsigned bits = near_children(w, &w->in->node[w->in->start[level] + block]);
    for (; bits; bits &= bits - 1) {
        int child = 16 * block + __builtin_ctz(bits);
        if (child < w->from >> 4 * level) continue;
        if (level == 0 && w->leaf->leaf < 0) open_for(w);
        if (level > 0)
            walk(w, level - 1, child, out);
        else if (w->element >= 0)
            list_more(w->leaf, w->in, child, w->self, out);
        else if (w->self)
            list_own(w->leaf, w->in, child, out);
        else
            list_others(w->leaf, w->in, child, out);
    }
}

static void list(const leaf_tree* a, int leaf, const leaf_tree* b, watch_sink* out)
{
    open_leaf of;
    const node_block* n = &a->node[leaf / 16];
    look w = {.in = b, .leaf = &of, .of = a, .number = leaf, .element = -1, .self = a == b};
    if (w.self) w.from = leaf;
    of.leaf = -1;
    for (int k = 0; k < 3; ++k) {
        w.low[k] = n->box.low[k][leaf % 16];
        w.high[k] = n->box.high[k][leaf % 16];
    }
    w.reach = n->reach[leaf % 16];
    walk(&w, b->levels - 1, 0, out);
}

// Boxes are as the list was made: for whom it reaches farther changes with those that stray.
static void more(const leaf_tree* a, int element, double reach, const leaf_tree* b, watch_sink* out)
{
    open_leaf of;
    const element_block* e = &a->element[element / 16];
    int at = element % 16;
    look w = {.reach = rounded_up(reach), .in = b, .leaf = &of, .of = a, .self = a == b};
    w.number = element / 4;
    w.element = element;
    of.leaf = -1;
    for (int k = 0; k < 3; ++k) {
        w.low[k] = e->box.low[k][at];
        w.high[k] = e->box.high[k][at];
    }
    walk(&w, b->levels - 1, 0, out);
}

static void widen(leaf_tree* t, int element, double reach)
{
    scalar far = rounded_up(reach);
    t->element[element / 16].reach[element % 16] = far;
    for (int level = 0, child = element / 4; level < t->levels; ++level, child /= 16) {
        scalar* at = &t->node[t->start[level] + child / 16].reach[child % 16];
        *at = *at > far ? *at : far;
    }
}

extern const leaf_kernels KERNELS;
const leaf_kernels KERNELS = {
    sizeof(element_block), sizeof(node_block), number, reach, touch, fit, more, widen, list};
