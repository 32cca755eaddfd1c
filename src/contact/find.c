// Near elements and pairs. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/finding.h"
#include "contact/near.h"

// ---- motion -------------------------------------------------------------------------------------

// Sums over the points of a body, whose places are taken from its first one.
typedef struct {
    double from[3];
    double place[3], increment[3], square[3][3]; // place times place
    double moment[3];                            // place x increment
} motion_sums;

static motion_sums sum_motion(const contact_body* b)
{
    motion_sums sum = {.from = {0}};
    for (int k = 0; k < 3; ++k) sum.from[k] = (double)row_at_point(b, 0)[k];
    for (int i = 0; i < b->surface->point_count; ++i) {
        const scalar* row = row_at_point(b, i);
        double x[3], d[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = (double)row[k] - sum.from[k];
            d[k] = (double)row[ROW_D + k];
            sum.place[k] += x[k];
            sum.increment[k] += d[k];
        }
        for (int k = 0; k < 3; ++k) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            sum.moment[k] += x[u] * d[v] - x[v] * d[u];
            sum.square[k][k] += x[k] * x[k];
            sum.square[k][u] += x[k] * x[u];
        }
    }
    return sum;
}

// Solves a symmetric system with positive eigenvalues.
static void solve_symmetric(double a[3][3], const double b[3], double out[3])
{
    double cofactor[3][3], det = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactor[r][c] = a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
        }
    for (int c = 0; c < 3; ++c) det += a[0][c] * cofactor[0][c];
    for (int r = 0; r < 3; ++r) {
        out[r] = 0;
        for (int c = 0; c < 3 && det > 0; ++c) out[r] += cofactor[c][r] * b[c] / det;
    }
}

static void fit_motion(const contact_body* b, const motion_sums* sum, rigid_motion* out)
{
    double count = b->surface->point_count, inertia[3][3], moment[3], middle[3];
    for (int k = 0; k < 3; ++k) {
        middle[k] = sum->place[k] / count;
        out->middle[k] = sum->from[k] + middle[k];
        out->step[k] = sum->increment[k] / count;
        out->turn[k] = 0;
    }
    if (!b->self || b->surface->loose) return;
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        moment[k] =
            sum->moment[k] - (middle[u] * sum->increment[v] - middle[v] * sum->increment[u]);
        inertia[k][k] = sum->square[u][u] + sum->square[v][v] -
                        count * (middle[u] * middle[u] + middle[v] * middle[v]);
        inertia[k][u] = inertia[u][k] = count * middle[k] * middle[u] - sum->square[k][u];
    }
    // What lies on a line does not tell how it turns about it.
    double little = 1e-6 * (inertia[0][0] + inertia[1][1] + inertia[2][2]);
    for (int k = 0; k < 3; ++k) inertia[k][k] += little;
    solve_symmetric(inertia, moment, out->turn);
}

static void look(contact_set* s, int number)
{
    contact_body* b = &s->body[number];
    b->motion_before = b->motion;
    memset(&b->motion, 0, sizeof b->motion);
    b->frozen = b->run && *b->run->failed;
    if (b->frozen || b->still) return;
    motion_sums sum = sum_motion(b);
    fit_motion(b, &sum, &b->motion);
    double check = 0; // or NaN
    for (int k = 0; k < 3; ++k)
        check += 0 * (b->motion.step[k] + b->motion.middle[k] + b->motion.turn[k]);
    if (check == 0) return;
    memset(&b->motion, 0, sizeof b->motion);
    b->frozen = true;
}

// ---- lists --------------------------------------------------------------------------------------

static void fit_tree(contact_body* b)
{
    const contact_surface* of = b->surface;
    const node_box* root = (const node_box*)b->box;
    for (int leaf = 0; leaf < of->leaf_count; ++leaf) fit_leaf(b, leaf);
    for (int i = of->leaf_count - 2; i >= 0; --i) fit_node(b, i);
    for (int k = 0; k < 3; ++k) {
        b->low[k] = (double)root->low[k];
        b->high[k] = (double)root->high[k];
    }
}

static void fit(contact_set* s, int number, int of)
{
    contact_body* b = &s->body[number];
    for (int i = 0; i < b->surface->element_count; ++i) fit_element(s, b, i, of);
    fit_tree(b);
}

// Leaves of other bodies that a leaf is near to.
typedef struct {
    int body[256], leaf[256];
    int count; // also where there was no room
} near_leaves;

static void find_leaves(const contact_set* s, const contact_body* a, int leaf, const int* other,
                        int count, near_leaves* out)
{
    const int most = sizeof out->leaf / sizeof out->leaf[0];
    const node_box* box = (const node_box*)a->box + a->surface->leaf_count - 1 + leaf;
    tree_walk walk;
    out->count = 0;
    for (int k = 0; k < count; ++k) {
        walk_from(&walk, box, &s->body[other[k]]);
        for (int i = walk_next_leaf(&walk); i >= 0; i = walk_next_leaf(&walk)) {
            if (out->count < most) {
                out->body[out->count] = other[k];
                out->leaf[out->count] = i;
            }
            out->count++;
        }
    }
}

static void list_among(const contact_set* s, int body, int one, const near_leaves* near,
                       list_sink* out)
{
    const contact_body* a = &s->body[body];
    const node_box* box = element_box(a, one);
    for (int k = 0; k < near->count; ++k) {
        const contact_body* b = &s->body[near->body[k]];
        for (int i = SURFACE_LEAF * near->leaf[k]; i < leaf_end(b->surface, near->leaf[k]); ++i)
            if ((a != b || i > one) && boxes_meet(box, element_box(b, i)))
                list_pairs_of(s, a->first_element + one, b->first_element + i, out);
    }
}

static void list_element(const contact_set* s, int body, int one, int other, list_sink* out)
{
    const contact_body *a = &s->body[body], *b = &s->body[other];
    tree_walk walk;
    walk_start(&walk, a, one, b);
    for (int i = walk_next(&walk); i >= 0; i = walk_next(&walk))
        list_pairs_of(s, a->first_element + one, b->first_element + i, out);
}

static void list(const contact_set* s, const int* other, int count, find_chunk* chunk)
{
    list_sink out = {(listed_pair*)chunk->listed, 0, chunk->listed_room};
    const contact_body* a = &s->body[chunk->body];
    near_leaves near = {.count = 0};
    for (int i = chunk->first; i < chunk->last; ++i) {
        if (i % SURFACE_LEAF == 0) find_leaves(s, a, i / SURFACE_LEAF, other, count, &near);
        if (near.count <= (int)(sizeof near.leaf / sizeof near.leaf[0])) {
            list_among(s, chunk->body, i, &near, &out);
        } else {
            for (int k = 0; k < count; ++k) list_element(s, chunk->body, i, other[k], &out);
        }
    }
    chunk->listed_count = out.count;
}

static void pair(const contact_set* s, find_chunk* chunk)
{
    pair_sink out = {chunk->pair, (pair_state*)chunk->state, 0, chunk->pair_room};
    const float* reach = s->reach[chunk->of];
    listed_pair* listed = (listed_pair*)chunk->listed;
    for (int i = 0; i < chunk->listed_count; ++i)
        if (is_awake(reach, &listed[i])) pair_if_near(s, &listed[i], &out);
    chunk->pair_count = out.count;
}

static int cross(const contact_set* s, const find_chunk* chunk, int other)
{
    const contact_body *a = &s->body[chunk->body], *b = &s->body[other];
    int count = 0;
    tree_walk walk;
    for (int one = chunk->first; one < chunk->last; ++one) {
        walk_start(&walk, a, one, b);
        for (int i = walk_next(&walk); i >= 0; i = walk_next(&walk))
            count += elements_cross(s, a->first_element + one, b->first_element + i);
    }
    return count;
}

static double radius(const contact_set* s, int number)
{
    const contact_body* b = &s->body[s->element_owner[number]];
    return element_radius(b, number - b->first_element);
}

// ---- questions ----------------------------------------------------------------------------------

static bool is_close(const contact_set* s, int pair) { return pair_is_close(s, pair); }
static bool holds(const contact_set* s, int pair) { return state_of(s, pair)->crosses; }
static bool may_push(const contact_set* s, int pair) { return pair_may_push(s, pair); }

extern const finding_kernels KERNELS;
const finding_kernels KERNELS = {sizeof(node_box),
                                 sizeof(listed_pair),
                                 sizeof(pair_state),
                                 look,
                                 fit,
                                 list,
                                 pair,
                                 cross,
                                 radius,
                                 is_close,
                                 may_push,
                                 holds};
