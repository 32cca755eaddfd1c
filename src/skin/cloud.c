#define PRECISION_DOUBLE
#include "skin/cloud.h"
#include "geometry/box_contact.h"
#include "geometry/box_tree.h"
#include "math/mat3.h"
#include <string.h>

// Particles that a vertex hangs on, and one more, at which weights are zero.
enum { NEAR = 12, FOUND = NEAR + 1 };

// ---- moving the surface -------------------------------------------------------------------------

typedef struct {
    const cloud* c;
    const sheet_source* source;
    pliant_vec3* out;
} place_work;

// Mostly there is one.
static int body_of(const cloud* c, int particle)
{
    int number = 0;
    while (particle >= c->first[number + 1]) ++number;
    return number;
}

static void read_place(const place_work* w, int particle, double out[3])
{
    int owner = body_of(w->c, particle);
    const sheet_source* s = &w->source[owner];
    int own = particle - w->c->first[owner];
    size_t row = s->row ? (size_t)s->row[own] : (size_t)own;
    for (size_t k = 0; k < 3; ++k) out[k] = binding_read(s->rows, ROW * row + k, s->scalar_bytes);
}

// Seen from the first particle, so that it is as exact far from the origin as near to it.
static pliant_vec3 place_vertex(const place_work* w, int vertex)
{
    const cloud* c = w->c;
    double base[3], x[3], sum[3] = {0, 0, 0}, turn[9] = {0}, arm[3], turned[3];
    read_place(w, c->near[c->first_near[vertex]].number, base);
    for (int i = c->first_near[vertex] + 1; i < c->first_near[vertex + 1]; ++i) {
        read_place(w, c->near[i].number, x);
        for (int k = 0; k < 3; ++k) sum[k] += (double)c->near[i].weight * (x[k] - base[k]);
    }
    for (int i = c->first_turn[vertex]; i < c->first_turn[vertex + 1]; ++i)
        for (int k = 0; k < 9; ++k)
            turn[k] +=
                (double)c->turns[i].weight * c->turn[9 * (size_t)c->turns[i].number + (size_t)k];
    for (int k = 0; k < 3; ++k) arm[k] = (double)c->arm[3 * (size_t)vertex + (size_t)k];
    match_vector(turn, arm, turned);
    for (int k = 0; k < 3; ++k) x[k] = base[k] + (sum[k] + turned[k]);
    return (pliant_vec3){(float)x[0], (float)x[1], (float)x[2]};
}

static void place_piece(int number, void* argument)
{
    const place_work* w = (const place_work*)argument;
    int end = (number + 1) * BIND_PIECE;
    for (int i = number * BIND_PIECE; i < end && i < w->c->vertex_count; ++i)
        w->out[i] = place_vertex(w, i);
}

static void find_turns(cloud* c, const sheet_source* source)
{
    for (int b = 0; b < c->body_count; ++b)
        for (int i = c->first_cluster[b]; i < c->first_cluster[b + 1]; ++i) {
            const double* now = source[b].turn + 9 * (size_t)(i - c->first_cluster[b]);
            double back[9];
            for (int k = 0; k < 9; ++k)
                back[k] = c->then[9 * (size_t)i + (size_t)(k % 3 * 3 + k / 3)];
            match_times(now, back, c->turn + 9 * (size_t)i);
        }
}

static int piece_count(const cloud* c) { return (c->vertex_count + BIND_PIECE - 1) / BIND_PIECE; }

void cloud_place(cloud* c, executor* exec, const sheet_source* source, pliant_vec3* out)
{
    place_work w = {c, source, out};
    find_turns(c, source);
    executor_run(exec, place_piece, &w, piece_count(c));
}

// ---- binding ------------------------------------------------------------------------------------

typedef struct {
    cloud* c;
    const carrier_pose* pose;
    body* const* bodies;
    const pliant_mesh* surface;
    box_tree tree;    // over the particles
    int* found_count; // of each vertex,
    int* found;       // FOUND of each, the nearest first
    piece_report* report;
} bind_work;

static tree_box box_of_particle(const void* pose, int number)
{
    const double* x = ((const carrier_pose*)pose)->vertex + 3 * (size_t)number;
    const vec3 at = v3(x[0], x[1], x[2]);
    return (tree_box){at, at};
}

typedef struct {
    const carrier_pose* pose;
    vec3 point;
    int* found;
    double distance2[FOUND];
    int count;
} near_search;

static double bound_point(const tree_box* box, const void* query)
{
    return box_distance2(box->low, box->high, ((const near_search*)query)->point);
}

static bool comes_before(const near_search* q, int at, double distance2, int number)
{
    return distance2 < q->distance2[at] || (distance2 == q->distance2[at] && number < q->found[at]);
}

static double look_at_particle(int number, void* query)
{
    near_search* q = (near_search*)query;
    const double* x = q->pose->vertex + 3 * (size_t)number;
    const vec3 way = v3_sub(v3(x[0], x[1], x[2]), q->point);
    double distance2 = v3_dot(way, way);
    int at = q->count < FOUND ? q->count++ : FOUND;
    if (at == FOUND && comes_before(q, FOUND - 1, distance2, number)) at = FOUND - 1;
    if (at < FOUND) {
        for (; at > 0 && comes_before(q, at - 1, distance2, number); --at) {
            q->found[at] = q->found[at - 1];
            q->distance2[at] = q->distance2[at - 1];
        }
        q->found[at] = number;
        q->distance2[at] = distance2;
    }
    return q->count < FOUND ? INFINITY : q->distance2[FOUND - 1];
}

// (1 - d^2 / h^2)^2 for the distance h of the first one that has none; their sum is 1. Returns how
// many there are.
static int weigh(const near_search* q, double out[FOUND])
{
    const bool all = q->count < FOUND;
    const double farthest = q->distance2[q->count - 1], h2 = all ? 2.25 * farthest : farthest;
    double sum = 0;
    int count = 0;
    for (; count < q->count; ++count) {
        double left = h2 > 0 ? 1 - q->distance2[count] / h2 : 1;
        if (count > 0 && !(left > 0)) break;
        out[count] = fmax(left * left, 1e-12); // several may be as far as the last one
        sum += out[count];
    }
    for (int i = 0; i < count; ++i) out[i] /= sum;
    return count;
}

static vec3 particle_at(const near_search* q, int i)
{
    const double* x = q->pose->vertex + 3 * (size_t)q->found[i];
    return v3(x[0], x[1], x[2]);
}

// Weights for which the mean of the particles is at the vertex, nearly: a shear of theirs is then
// one of the surface. w_p (1 + g . (x_p - mean)), sum w (x_p - mean)^2 g = vertex - mean; what
// particles in a plane leave over is carried by the arm.
static void level(const near_search* q, int count, double weight[FOUND])
{
    const double firmness = 0.02;
    vec3 mean = v3_zero();
    sym3 m = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < count; ++i) mean = v3_add_scaled(mean, weight[i], particle_at(q, i));
    for (int i = 0; i < count; ++i) {
        vec3 d = v3_sub(particle_at(q, i), mean);
        sym3 square = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
        m = s3_add_scaled(m, weight[i], square);
    }
    const double more = firmness * s3_trace(m);
    if (!(more > 0)) return;
    m.xx += more, m.yy += more, m.zz += more;
    const mat3 full = {v3(m.xx, m.xy, m.xz), v3(m.xy, m.yy, m.yz), v3(m.xz, m.yz, m.zz)};
    const mat3 cofactor = m3_cofactor(full);
    const double inverse = 1 / v3_dot(full.a, cofactor.a);
    const vec3 slope = v3_scale(inverse, m3_mul(cofactor, v3_sub(q->point, mean)));
    for (int i = 0; i < count; ++i)
        weight[i] += weight[i] * v3_dot(slope, v3_sub(particle_at(q, i), mean));
}

static void find_near(const bind_work* w, int vertex, near_search* q)
{
    const double* x = w->surface->vertices + 3 * (size_t)vertex;
    *q = (near_search){.pose = w->pose,
                       .point = v3(x[0], x[1], x[2]),
                       .found = w->found + (size_t)FOUND * (size_t)vertex};
    box_tree_search(&w->tree, bound_point, look_at_particle, q, INFINITY);
}

static void find_piece(int number, void* argument)
{
    const bind_work* w = (const bind_work*)argument;
    piece_report report = {0, -1, 0};
    int end = (number + 1) * BIND_PIECE;
    for (int i = number * BIND_PIECE; i < end && i < w->c->vertex_count; ++i) {
        near_search q;
        double weight[FOUND];
        find_near(w, i, &q);
        w->found_count[i] = weigh(&q, weight);
        int owner = body_of(w->c, q.found[0]);
        double radius = asset_radius(w->bodies[owner]->asset, q.found[0] - w->c->first[owner]);
        report_distance(&report, i, sqrt(q.distance2[0]) - radius, 1e-9 * w->pose->mean_edge);
    }
    w->report[number] = report;
}

static const cluster_set* clusters_of(const bind_work* w, int particle, int* out_own,
                                      int* out_first)
{
    int owner = body_of(w->c, particle);
    *out_own = particle - w->c->first[owner];
    *out_first = w->c->first_cluster[owner];
    return &w->bodies[owner]->asset->clusters;
}

// Adds what the clusters of a particle have of its weight; `turns` may be NULL to count only.
static void add_turns(const bind_work* w, int particle, double weight, cloud_part* turns,
                      int* count)
{
    int own, first;
    const cluster_set* of = clusters_of(w, particle, &own, &first);
    int shares = of->start[own + 1] - of->start[own];
    for (int i = of->start[own]; i < of->start[own + 1]; ++i) {
        int number = first + of->of[i], at = 0;
        while (at < *count && turns[at].number != number) ++at;
        if (at == *count) turns[(*count)++] = (cloud_part){number, 0};
        turns[at].weight += (float)(weight / shares);
    }
}

// Room for the clusters of all particles of a vertex, each of which may have others.
static int most_turns(const bind_work* w, int vertex)
{
    int most = 0, own, first;
    for (int i = 0; i < w->found_count[vertex]; ++i) {
        const cluster_set* of =
            clusters_of(w, w->found[(size_t)FOUND * (size_t)vertex + (size_t)i], &own, &first);
        most += of->start[own + 1] - of->start[own];
    }
    return most;
}

static void bind_vertex(const bind_work* w, int vertex, cloud_part* turns, int* out_turns)
{
    cloud* c = w->c;
    near_search q;
    double weight[FOUND], middle[3] = {0, 0, 0};
    const double* x = w->surface->vertices + 3 * (size_t)vertex;
    find_near(w, vertex, &q);
    int count = weigh(&q, weight);
    double part[FOUND];
    memcpy(part, weight, sizeof part);
    level(&q, count, weight);
    *out_turns = 0;
    for (int i = 0; i < count; ++i) {
        const double* at = w->pose->vertex + 3 * (size_t)q.found[i];
        c->near[c->first_near[vertex] + i] = (cloud_part){q.found[i], (float)weight[i]};
        // With the weight as it is kept, of all but the first.
        for (int k = 0; k < 3 && i; ++k)
            middle[k] += (double)(float)weight[i] *
                         (at[k] - w->pose->vertex[3 * (size_t)q.found[0] + (size_t)k]);
        add_turns(w, q.found[i], part[i], turns, out_turns);
    }
    for (int k = 0; k < 3; ++k)
        c->arm[3 * (size_t)vertex + (size_t)k] =
            (float)(x[k] - w->pose->vertex[3 * (size_t)q.found[0] + (size_t)k] - middle[k]);
}

static bool reserve(const bind_work* w, int64_t turns)
{
    cloud* c = w->c;
    size_t vertices = (size_t)c->vertex_count;
    int64_t near = 0;
    c->first_near = (int*)mem_array(vertices + 1, sizeof(int));
    c->first_turn = (int*)mem_array(vertices + 1, sizeof(int));
    for (int i = 0; c->first_near && i < c->vertex_count; ++i) {
        c->first_near[i] = (int)near;
        near += w->found_count[i];
    }
    if (c->first_near) c->first_near[vertices] = (int)near;
    c->near = (cloud_part*)mem_array((size_t)near, sizeof *c->near);
    c->turns = (cloud_part*)mem_array((size_t)turns, sizeof *c->turns);
    c->arm = (float*)mem_array(3 * vertices, sizeof(float));
    return c->first_near && c->first_turn && c->near && c->turns && c->arm;
}

static bool bind_all(bind_work* w, executor* exec, pliant_skin_info* info)
{
    int pieces = piece_count(w->c), turns = 0;
    int64_t most = 0;
    executor_run(exec, find_piece, w, pieces);
    sum_reports(w->report, pieces, info);
    for (int i = 0; i < w->c->vertex_count; ++i) most += most_turns(w, i);
    if (most > INT32_MAX || !reserve(w, most)) return false;
    for (int i = 0; i < w->c->vertex_count; ++i) {
        int count;
        w->c->first_turn[i] = turns;
        bind_vertex(w, i, w->c->turns + turns, &count);
        turns += count;
    }
    w->c->first_turn[w->c->vertex_count] = turns;
    return true;
}

static bool bind_surface(bind_work* w, executor* exec, pliant_skin_info* info)
{
    size_t vertices = (size_t)w->surface->vertex_count;
    w->found_count = (int*)mem_array(vertices, sizeof(int));
    w->found = (int*)mem_array(vertices, FOUND * sizeof(int));
    w->report = (piece_report*)mem_array((size_t)piece_count(w->c), sizeof *w->report);
    bool good = w->found_count && w->found && w->report &&
                box_tree_create(w->pose->vertex_count, box_of_particle, w->pose, &w->tree);
    good = good && bind_all(w, exec, info);
    box_tree_destroy(&w->tree);
    mem_free(w->found_count);
    mem_free(w->found);
    mem_free(w->report);
    return good;
}

static void note_turns(cloud* c, body* const* bodies, bool in_world)
{
    for (int b = 0; b < c->body_count; ++b)
        for (int i = c->first_cluster[b]; i < c->first_cluster[b + 1]; ++i)
            for (int k = 0; k < 9; ++k)
                c->then[9 * (size_t)i + (size_t)k] =
                    in_world
                        ? bodies[b]->matched.turn[9 * (size_t)(i - c->first_cluster[b]) + (size_t)k]
                        : k % 4 == 0;
}

bool cloud_create(const carrier_pose* pose, executor* exec, body* const* bodies, bool in_world,
                  const pliant_mesh* surface, cloud* out, pliant_skin_info* info)
{
    size_t count = (size_t)pose->body_count, clusters = 0;
    *out = (cloud){.vertex_count = surface->vertex_count, .body_count = pose->body_count};
    for (size_t i = 0; i < count; ++i) clusters += (size_t)bodies[i]->asset->clusters.count;
    out->first = (int*)mem_array(count + 1, sizeof(int));
    out->first_cluster = (int*)mem_array_zero(count + 1, sizeof(int));
    out->then = (double*)mem_array(9 * clusters, sizeof(double));
    out->turn = (double*)mem_array(9 * clusters, sizeof(double));
    bool good = out->first && out->first_cluster && out->then && out->turn;
    if (good) {
        bind_work w = {.c = out, .pose = pose, .bodies = bodies, .surface = surface};
        memcpy(out->first, pose->first, (count + 1) * sizeof(int));
        for (size_t i = 0; i < count; ++i)
            out->first_cluster[i + 1] = out->first_cluster[i] + bodies[i]->asset->clusters.count;
        note_turns(out, bodies, in_world);
        good = bind_surface(&w, exec, info);
    }
    if (!good) cloud_destroy(out);
    return good;
}

void cloud_destroy(cloud* c)
{
    mem_free(c->first_near);
    mem_free(c->first_turn);
    mem_free(c->near);
    mem_free(c->turns);
    mem_free(c->arm);
    mem_free(c->first);
    mem_free(c->first_cluster);
    mem_free(c->then);
    mem_free(c->turn);
    *c = (cloud){0};
}
