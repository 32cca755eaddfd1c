// Near elements and pairs. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/finding.h"
#include "contact/list.h"
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

static void fit_tight(contact_set* s, int number)
{
    contact_body* b = &s->body[number];
    for (int i = 0; i < b->surface->element_count; ++i) fit_element(s, b, i, TIGHT);
    fit_tree(b);
}

// [m] How far an element may stray from a list: who did so before may do it again. `now`: in the
// substep at hand.
static float margin_after(const contact_body* b, float before, float now)
{
    float edge = (float)b->surface->mean_edge, margin = 2 * before;
    margin = margin > 0.05f * edge ? margin : 0.05f * edge;
    margin = margin < 0.5f * edge ? margin : 0.5f * edge;
    return margin > 1.001f * now ? margin : 1.001f * now;
}

// How far lists look around its elements. (Planes reach everywhere, and are in no tree.)
static void reach_around(contact_set* s, const contact_body* b, const leaf_kernels* leaves, int of)
{
    const double more = 1 + 2 * WAY_ROUNDING;
    for (int i = 0; i < b->surface->element_count; ++i) {
        int number = b->first_element + i;
        double touch = element_radius(b, i) + (b->crossed ? crossed_reach(b) : 0), speed = 0;
        float strayed = s->reach[of][number];
        for (int k = 0; k < s->corner[number][3]; ++k)
            speed = fmax(speed, (double)load_point(s->along[of], s->corner[number][k])[3]);
        stray_element(s, number, of);
        s->margin[of][number] = margin_after(b, strayed, s->reach[of][number]);
        s->radius[number] = (float)(touch * more);
        touch = (touch + WATCH_ROOM * speed) * more;
        if (b->surface->plane) continue;
        leaves->reach(b->tree[of], i, touch + (double)s->margin[of][number] * more, touch);
    }
}

static void bound(contact_body* b, int of)
{
    const leaf_tree* t = b->tree[of];
    const node_block* top = &t->node[t->start[t->levels - 1]];
    for (int k = 0; k < 3; ++k) {
        b->low[k] = b->surface->plane ? -INFINITY : INFINITY;
        b->high[k] = -b->low[k];
        for (int i = 0; i < 16; ++i) {
            if (!(top->reach[i] >= 0)) continue;
            b->low[k] = fmin(b->low[k], (double)top->box.low[k][i] - (double)top->reach[i]);
            b->high[k] = fmax(b->high[k], (double)top->box.high[k][i] + (double)top->reach[i]);
        }
    }
}

static void fit(contact_set* s, int number, const leaf_kernels* leaves, int of)
{
    contact_body* b = &s->body[number];
    if (of == OF_ONE) list_age_start(&b->own_age, of);
    for (int i = b->first_point; i < b->first_point + b->surface->point_count; ++i) {
        start_line(s, b, i, of);
        measure_stray(s, b, i, of);
    }
    reach_around(s, b, leaves, of);
    leaves->fit(b->tree[of], s->place, s->along[of], of == OF_ONE ? b->own_age.life : s->age.life);
    bound(b, of);
}

// The points of some elements and a plane: all of them, for they sleep until they come near it.
static void list_at_plane(const contact_set* s, const find_chunk* chunk, const contact_body* plane,
                          watch_sink* out)
{
    const contact_body* b = &s->body[chunk->body];
    for (int i = chunk->first; i < chunk->last; ++i)
        for (int k = 0; k < surface_corners(&b->surface->element[i]); ++k) {
            if (!(b->surface->element[i].own_point >> k & 1)) continue;
            if (out->count++ >= out->capacity) continue;
            watched_pair* at = &out->at[out->count - 1];
            at->first = (uint32_t)(b->first_element + i);
            at->second = (uint32_t)plane->first_element | (uint32_t)(SUB_FIRST + k)
                                                              << KEY_ELEMENT_BITS;
            at->wake = -INFINITY; // it is looked at once
            at->rate = 0;
        }
}

static void list(const contact_set* s, const leaf_kernels* leaves, const int* other, int count,
                 find_chunk* chunk)
{
    watch_sink out = {(watched_pair*)chunk->listed, 0, chunk->listed_room};
    const leaf_tree* of = s->body[chunk->body].tree[chunk->of];
    for (int leaf = chunk->first / SURFACE_LEAF; SURFACE_LEAF * leaf < chunk->last; ++leaf)
        for (int k = 0; k < count; ++k)
            leaves->list(of, leaf, s->body[other[k]].tree[chunk->of], &out);
    for (int k = 0; k < count; ++k)
        if (s->body[other[k]].surface->plane) list_at_plane(s, chunk, &s->body[other[k]], &out);
    chunk->listed_count = out.count;
}

// ---- who strays ---------------------------------------------------------------------------------

// Pairs that an element of a body gets because it strays farther than its list thought.
static void widen(contact_set* s, const leaf_kernels* leaves, const stray_look* l, watch_sink* out)
{
    const contact_body* b = &s->body[l->body];
    int number = b->first_element + l->element;
    leaf_tree* own = b->tree[l->of];
    float margin = margin_after(b, s->reach[l->of][number], s->reach[l->of][number]);
    if (b->surface->plane) { // it has all pairs that it could get
        s->margin[l->of][number] = margin;
        return;
    }
    double reach = leaves->touch(own, l->element) + (double)margin * (1 + 2 * WAY_ROUNDING);
    for (int k = 0; k < l->count; ++k)
        leaves->more(own, l->element, reach, s->body[l->other[k]].tree[l->of], out);
    if (out->count > out->capacity) return; // it is asked again
    leaves->widen(own, l->element, reach);
    s->margin[l->of][number] = margin;
}

// ---- pairs of the substep -----------------------------------------------------------------------

// A point and a plane do not wait for others of their kind. Along the plane's normal they come
// nearer as the list expects, give or take what they stray (watch.h). Far away from where it is, a
// plane that turns goes as far as it likes.
static void sleep_above(const contact_set* s, int age, const candidate* c, const pair_state* found,
                        const near_elements* n, watched_pair* p)
{
    int one = watched_first(p), two = watched_second(p);
    quad u = load_point(s->along[OF_TWO], n->body[0]->first_point + c->point[0]) -
             load_point(s->along[OF_TWO], n->body[1]->first_point + c->point[1]);
    double rate = -(double)v3_dot(normal_of(found), quad_xyz(u)), most = (double)length_of_three(u);
    double rounding = WAY_ROUNDING * (fabs((double)found->distance) + 2 * WATCH_MOST * most);
    double wake = (double)found->distance + age * rate - WATCH_ROOM * most - rounding;
    wake -= (double)(s->off[OF_TWO][one] + s->off[OF_TWO][two]);
    wake -= (double)(s->radius[one] + s->radius[two]);
    p->wake = n->body[1]->turns ? -INFINITY : (float)wake;
    p->rate = (float)rate;
}

static bool is_of_plane(const contact_set* s, const watched_pair* p)
{
    return s->rigid_count > 0 && s->body[s->element_owner[watched_second(p)]].surface->plane;
}

static void pair_at_plane(const contact_set* s, int age, watched_pair* p, pair_sink* out)
{
    near_elements n;
    candidate c;
    pair_state found;
    take_elements(s, watched_first(p), watched_second(p), &n);
    take_candidate(&n, watched_sub(p), &c);
    plane_measure(n.body[1], c.place, &found);
    sleep_above(s, age, &c, &found, &n, p);
    pair_way way = way_of_pair(&n, &c);
    take_measured(&n, &c, &way, &found, out);
}

// Pairs of a list that are awake, in its order, and what is measured of them, kind by kind.
typedef struct {
    int count;
    watched_pair* pair[MEASURED];
    unsigned char kind[MEASURED], place[MEASURED];
    measured_pairs of[PAIR_EDGES + 1];
} awake_pairs;

static void start_awake(awake_pairs* a)
{
    a->count = 0;
    for (int kind = 0; kind <= PAIR_EDGES; ++kind) a->of[kind].count = 0;
}

static void take_corners(const int one[4], const int other[4], int k, unsigned point[4])
{
    point[0] = (unsigned)one[k];
    for (int i = 0; i < 3; ++i) point[i + 1] = (unsigned)other[i];
}

static void take_ends(const int of[4], int k, unsigned point[2])
{
    int a = of[k], b = of[k == 2 ? 0 : k + 1];
    point[0] = (unsigned)(a < b ? a : b);
    point[1] = (unsigned)(a < b ? b : a);
}

// The four points of a pair, as take_candidate has them.
static pair_kind take_points(const contact_set* s, const watched_pair* p, unsigned point[4])
{
    const int *first = s->corner[watched_first(p)], *second = s->corner[watched_second(p)];
    int sub = watched_sub(p);
    if (sub >= SUB_EDGES) {
        take_ends(first, (sub - SUB_EDGES) / 3, point);
        take_ends(second, (sub - SUB_EDGES) % 3, point + 2);
        return PAIR_EDGES;
    }
    bool swapped = sub >= SUB_SECOND;
    const int *one = swapped ? second : first, *other = swapped ? first : second;
    take_corners(one, other, swapped ? sub - SUB_SECOND : sub, point);
    return other[3] == 2 ? PAIR_SEGMENT : PAIR_TRIANGLE;
}

static void wake_up(const contact_set* s, watched_pair* p, awake_pairs* a)
{
    unsigned point[4];
    pair_kind kind = take_points(s, p, point);
    measured_pairs* m = &a->of[kind];
    for (int k = 0; k < 4; ++k) m->point[k][m->count] = 2 * point[k];
    a->pair[a->count] = p;
    a->kind[a->count] = (unsigned char)kind;
    a->place[a->count++] = (unsigned char)m->count++;
}

// Which of some pairs of a list may meet: a list without branches.
static int list_woken(const contact_set* s, int of, int age, const watched_pair* p, int count,
                      int* out)
{
    const float *reach = s->reach[of], time = (float)age;
    int found = 0;
    for (int i = 0; i < count; ++i) {
        float far = reach[watched_first(&p[i])] + reach[watched_second(&p[i])] + time * p[i].rate;
        out[found] = i;
        found += !(far < p[i].wake);
    }
    return found;
}

static void sleep_again(const contact_set* s, int of, const measured_pairs* m, int at,
                        watched_pair* p)
{
    int one = watched_first(p), two = watched_second(p);
    p->wake = m->wake[at] - (s->off[of][one] + s->off[of][two]) - (s->radius[one] + s->radius[two]);
    p->rate = m->rate[at];
}

static void take_awake(const contact_set* s, const watched_pair* p, const measured_pairs* m, int at,
                       pair_sink* out)
{
    near_elements n;
    candidate c;
    pair_state found;
    take_elements(s, watched_first(p), watched_second(p), &n);
    take_candidate(&n, watched_sub(p), &c);
    for (int k = 0; k < 4; ++k) found.weight[k] = m->weight[k][at];
    for (int k = 0; k < 3; ++k) found.normal[k] = m->normal[k][at];
    found.distance = m->distance[at];
    pair_way way = {m->course[at], m->all[at]};
    take_measured(&n, &c, &way, &found, out);
}

static void measure_awake(const contact_set* s, int of, measure_fn* measure, int age,
                          awake_pairs* a, pair_sink* out)
{
    const measured_points points = {s->place, s->course, s->along[of], age};
    for (int kind = 0; kind <= PAIR_EDGES; ++kind)
        if (a->of[kind].count) measure(&points, (pair_kind)kind, &a->of[kind]);
    for (int i = 0; i < a->count; ++i) {
        const measured_pairs* m = &a->of[a->kind[i]];
        const watched_pair* p = a->pair[i];
        sleep_again(s, of, m, a->place[i], a->pair[i]);
        pair_way way = {m->course[a->place[i]], m->all[a->place[i]]};
        double touching =
            (double)s->radius[watched_first(p)] + (double)s->radius[watched_second(p)];
        if (may_come_near((double)m->distance[a->place[i]], touching, &way))
            take_awake(s, p, m, a->place[i], out);
    }
    start_awake(a);
}

// Lists have leaf after leaf; pairs come in the order of their keys.
static void sort_pairs(const find_chunk* chunk)
{
    int count = chunk->pair_count;
    for (int i = 0; i < count; ++i) {
        uint64_t key = chunk->pair[i].key;
        int k = i;
        for (; k > 0 && chunk->pair[chunk->order[k - 1]].key > key; --k)
            chunk->order[k] = chunk->order[k - 1];
        chunk->order[k] = i;
    }
}

static void pair(const contact_set* s, measure_fn* measure, find_chunk* chunk)
{
    pair_sink out = {chunk->pair, (pair_state*)chunk->state, 0, chunk->pair_room};
    enum { LOOKED_AT = 512 };
    watched_pair* watched = (watched_pair*)chunk->listed;
    int age = chunk->of == OF_ONE ? s->body[chunk->body].own_age.age : s->age.age;
    awake_pairs awake;
    start_awake(&awake);
    for (int first = 0; first < chunk->listed_count; first += LOOKED_AT) {
        int left = chunk->listed_count - first, woken[LOOKED_AT];
        int count = list_woken(s, chunk->of, age, watched + first,
                               left < LOOKED_AT ? left : LOOKED_AT, woken);
        for (int i = 0; i < count; ++i) {
            watched_pair* p = &watched[first + woken[i]];
            if (is_of_plane(s, p))
                pair_at_plane(s, age, p, &out);
            else
                wake_up(s, p, &awake);
            if (awake.count == MEASURED) measure_awake(s, chunk->of, measure, age, &awake, &out);
        }
    }
    measure_awake(s, chunk->of, measure, age, &awake, &out);
    chunk->pair_count = out.count;
    if (out.count <= chunk->pair_room) sort_pairs(chunk);
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
static bool remembers(const contact_set* s, int pair, const kept_contact* k)
{
    return pair_remembers(s, pair, k);
}
static bool may_push(const contact_set* s, int pair) { return pair_may_push(s, pair); }

extern const finding_kernels KERNELS;
const finding_kernels KERNELS = {sizeof(node_box),
                                 sizeof(listed_pair),
                                 sizeof(watched_pair),
                                 sizeof(pair_state),
                                 look,
                                 fit,
                                 fit_tight,
                                 list,
                                 widen,
                                 pair,
                                 cross,
                                 radius,
                                 is_close,
                                 may_push,
                                 holds,
                                 remembers};
