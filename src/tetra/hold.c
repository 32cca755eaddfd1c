#define PRECISION_DOUBLE
#include "tetra/hold.h"
#include "base/union.h"

// In cells: how far outside a vertex may be.
static const float MOST_OUTSIDE = 0.03f, MOST_BRIDGE = 0.07f, MOST_PINCHED = 0.15f;
static const float BARELY_INSIDE = -1e-3f;

static void hold(lattice* l, int v)
{
    l->thin[v] = THIN_HELD;
    lattice_cut_around(l, v);
    if (!(l->value[v] < 0)) l->value[v] = BARELY_INSIDE;
}

// ---- thin parts ---------------------------------------------------------------------------------

typedef enum { OTHER, INNER, CANDIDATE } role;

// Inner vertices that are connected by edges are a group, and so are candidates.
typedef struct {
    lattice* lattice;
    float most_outside;    // of a candidate, in cells
    bool bridges;          // only what is between parts of the mesh is needed
    int* group;            // of each vertex: its first one
    int* beside;           // of each group of candidates: a group of inner ones, or -1
    unsigned char* needed; // of each group of candidates
} need;

static role role_of(const need* n, int v)
{
    const lattice* l = n->lattice;
    if (l->sign[v] < 0) return INNER;
    return l->thin[v] == THIN_MIDDLE && l->value[v] < n->most_outside ? CANDIDATE : OTHER;
}

static void find_groups(need* n)
{
    const lattice* l = n->lattice;
    union_start(n->group, l->count);
    for (int v = 0; v < l->count; ++v)
        for (int k = 0; k < FORWARD; ++k) {
            int other = l->neighbor[v][k];
            if (other >= 0 && role_of(n, v) != OTHER && role_of(n, v) == role_of(n, other))
                union_join(n->group, v, other);
        }
    for (int v = 0; v < l->count; ++v) n->group[v] = union_root(n->group, v);
}

// A group is needed that is between parts of the mesh, or where there is no part of it.
static void judge(need* n, int candidate)
{
    const lattice* l = n->lattice;
    int group = n->group[candidate], *beside = &n->beside[group];
    bool alone = true;
    for (int k = 0; k < NEIGHBORS; ++k) {
        int other = l->neighbor[candidate][k];
        if (other < 0 || role_of(n, other) != INNER) continue;
        alone = false;
        if (*beside < 0) *beside = n->group[other];
        if (*beside != n->group[other]) n->needed[group] = 1;
    }
    if (alone && !n->bridges) n->needed[group] = 1;
}

static void find_needed(need* n)
{
    const lattice* l = n->lattice;
    find_groups(n);
    for (int v = 0; v < l->count; ++v) n->beside[v] = -1;
    for (int v = 0; v < l->count; ++v)
        if (role_of(n, v) == CANDIDATE) judge(n, v);
}

// Returns how many were held, -1 when memory runs out.
static int hold_needed(lattice* l, float most_outside, bool bridges)
{
    size_t count = (size_t)l->count;
    need n = {.lattice = l, .most_outside = most_outside, .bridges = bridges};
    int held = 0;
    n.group = (int*)mem_array(count, sizeof(int));
    n.beside = (int*)mem_array(count, sizeof(int));
    n.needed = (unsigned char*)mem_array_zero(count, 1);
    bool ok = n.group && n.beside && n.needed;
    if (ok) find_needed(&n);
    for (int v = 0; ok && v < l->count; ++v) {
        if (role_of(&n, v) != CANDIDATE || !n.needed[n.group[v]]) continue;
        hold(l, v);
        ++held;
    }
    mem_free(n.group);
    mem_free(n.beside);
    mem_free(n.needed);
    return ok ? held : -1;
}

// What comes off all the same is joined by vertices that are farther out. Where they are held the
// mesh has other groups: hence the rounds.
bool hold_thin(lattice* l)
{
    enum { ROUNDS = 3 };
    int held = hold_needed(l, MOST_OUTSIDE, false);
    if (held >= 0) hold_and_warp(l);
    for (int round = 0; round < ROUNDS && held >= 0; ++round) {
        held = hold_needed(l, MOST_BRIDGE, true);
        if (held == 0) break;
        if (held > 0) hold_and_warp(l);
    }
    return held >= 0;
}

// ---- pinches ------------------------------------------------------------------------------------

// The triangles around a vertex: three neighbors each, which are neighbors of each other.
enum { TRIANGLES = 24 };
typedef struct {
    int corner[TRIANGLES][3];
} vertex_link;

static bool are_neighbors(int a, int b)
{
    const int *from = lattice_step[a], *to = lattice_step[b];
    for (int k = 0; k < NEIGHBORS; ++k) {
        const int* step = lattice_step[k];
        if (to[0] - from[0] == step[0] && to[1] - from[1] == step[1] && to[2] - from[2] == step[2])
            return true;
    }
    return false;
}

static vertex_link make_link(void)
{
    vertex_link all;
    int count = 0;
    for (int a = 0; a < NEIGHBORS; ++a)
        for (int b = a + 1; b < NEIGHBORS; ++b)
            for (int c = b + 1; c < NEIGHBORS; ++c) {
                if (!are_neighbors(a, b) || !are_neighbors(b, c) || !are_neighbors(a, c)) continue;
                all.corner[count][0] = a, all.corner[count][1] = b, all.corner[count][2] = c;
                ++count;
            }
    return all;
}

static int shared_corners(const int a[3], const int b[3])
{
    int shared = 0;
    for (int i = 0; i < 3; ++i) shared += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return shared;
}

// What is outside around a vertex: neighbors, and triangles that have no inner corner.
typedef struct {
    int sign[NEIGHBORS];
    bool empty[TRIANGLES];
    int parent[NEIGHBORS + TRIANGLES]; // union of what is connected
} surroundings;

static void connect_triangle(surroundings* s, const vertex_link* all, int t)
{
    const int* corner = all->corner[t];
    int least = 1;
    for (int i = 0; i < 3; ++i) least = s->sign[corner[i]] < least ? s->sign[corner[i]] : least;
    s->empty[t] = least >= 0;
    for (int i = 0; i < 3; ++i) {
        int a = corner[i], b = corner[(i + 1) % 3];
        if (s->sign[a] > 0 && s->sign[b] > 0) union_join(s->parent, a, b);
        if (s->sign[a] > 0 && s->empty[t]) union_join(s->parent, a, NEIGHBORS + t);
    }
    for (int u = 0; u < t; ++u)
        if (s->empty[t] && s->empty[u] && shared_corners(corner, all->corner[u]) == 2)
            union_join(s->parent, NEIGHBORS + t, NEIGHBORS + u);
}

// The vertex has something inside beside it, and what is outside is not connected around it.
static bool is_pinched(const lattice* l, const vertex_link* all, int v)
{
    surroundings s;
    int parts = 0;
    bool inner = false;
    for (int k = 0; k < NEIGHBORS; ++k) {
        int other = l->neighbor[v][k];
        s.sign[k] = other < 0 ? 1 : l->sign[other];
        inner |= s.sign[k] < 0;
    }
    if (!inner) return false;
    union_start(s.parent, NEIGHBORS + TRIANGLES);
    for (int t = 0; t < TRIANGLES; ++t) connect_triangle(&s, all, t);
    for (int k = 0; k < NEIGHBORS; ++k) parts += s.sign[k] > 0 && s.parent[k] == k;
    for (int t = 0; t < TRIANGLES; ++t)
        parts += s.empty[t] && s.parent[NEIGHBORS + t] == NEIGHBORS + t;
    return parts > 1;
}

static bool has_all_neighbors(const lattice* l, int v)
{
    for (int k = 0; k < NEIGHBORS; ++k)
        if (l->neighbor[v][k] < 0) return false;
    return true;
}

static bool hold_pinched(lattice* l)
{
    const vertex_link all = make_link();
    bool any = false;
    for (int v = 0; v < l->count; ++v) {
        if (l->sign[v] != 0 || !(l->value[v] < MOST_PINCHED)) continue;
        if (!has_all_neighbors(l, v) || !is_pinched(l, &all, v)) continue;
        hold(l, v);
        any = true;
    }
    return any;
}

void hold_and_warp(lattice* l)
{
    bool again = true;
    for (int round = 0; again && round < 5; ++round) {
        lattice_unwarp(l);
        lattice_warp(l);
        again = round < 4 && hold_pinched(l);
    }
}
