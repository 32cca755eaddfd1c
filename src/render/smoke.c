#include "render/smoke.h"
#include <string.h>

enum { MOST_NODES = 1 << 22, SLAB = 4 }; // layers of nodes that a task fills

// ---- density ------------------------------------------------------------------------------------

static double most_radius(const smoke_source* s)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i) most = fmax(most, s->radii[i]);
    return most;
}

static void widen(const smoke_source* s, vec3* low, vec3* high)
{
    for (int i = 0; i < s->count; ++i) {
        vec3 x = v3_of(s->positions + 3 * (size_t)i);
        double r = s->size * s->radii[i];
        *low = v3(fmin(low->x, x.x - r), fmin(low->y, x.y - r), fmin(low->z, x.z - r));
        *high = v3(fmax(high->x, x.x + r), fmax(high->y, x.y + r), fmax(high->z, x.z + r));
    }
}

static double nodes_at(vec3 side, double cell)
{
    return (side.x / cell + 3) * (side.y / cell + 3) * (side.z / cell + 3);
}

// On nodes of a grid that is anchored in the world: cells are larger where there would be too many.
static bool lay_out(smoke_grid* g, const smoke_source* source, int count)
{
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        double wanted = isnan(source[i].cell) ? most_radius(&source[i]) : source[i].cell;
        if (source[i].count) g->cell = g->cell > 0 ? fmin(g->cell, wanted) : wanted;
        widen(&source[i], &low, &high);
    }
    vec3 side = v3_sub(high, low);
    if (!(g->cell > 0 && isfinite(nodes_at(side, g->cell)))) return false;
    while (nodes_at(side, g->cell) > MOST_NODES) g->cell *= 1.25;
    g->low = v3(g->cell * floor(low.x / g->cell), g->cell * floor(low.y / g->cell),
                g->cell * floor(low.z / g->cell));
    const double last[3] = {high.x - g->low.x, high.y - g->low.y, high.z - g->low.z};
    for (int k = 0; k < 3; ++k) {
        g->nodes[k] = (int)ceil(last[k] / g->cell) + 2;
        g->lights[k] = g->nodes[k] / 2 + 2;
    }
    return true;
}

static size_t node_index(const smoke_grid* g, int x, int y, int z)
{
    return (size_t)x + (size_t)g->nodes[0] * ((size_t)y + (size_t)g->nodes[1] * (size_t)z);
}

typedef struct {
    smoke_grid* g;
    const smoke_source* source;
    int count;
    vec3 sun;
    smoke_reach_fn* reaches;
    const void* context;
} smoke_work;

// The nodes along an axis that a puff reaches, within limits.
static void reach(const smoke_grid* g, double from, int axis, double radius, int least, int end,
                  int out[2])
{
    const double low[3] = {g->low.x, g->low.y, g->low.z};
    int first = (int)ceil((from - radius - low[axis]) / g->cell),
        last = (int)floor((from + radius - low[axis]) / g->cell);
    out[0] = first < least ? least : first;
    out[1] = last >= end ? end - 1 : last;
}

static void add_puff(const smoke_grid* g, const smoke_source* s, int number, double dense,
                     int first, int end)
{
    const double* x = s->positions + 3 * (size_t)number;
    double radius = fmax(s->size * s->radii[number], 1.8 * g->cell),
           spread = s->size * s->radii[number] / radius;
    int at[3][2];
    for (int k = 0; k < 3; ++k)
        reach(g, x[k], k, radius, k == 2 ? first : 0, k == 2 ? end : g->nodes[k], at[k]);
    double strength = spread * spread * spread / dense;
    for (int k = at[2][0]; k <= at[2][1]; ++k)
        for (int j = at[1][0]; j <= at[1][1]; ++j)
            for (int i = at[0][0]; i <= at[0][1]; ++i) {
                double dx = g->low.x + g->cell * i - x[0], dy = g->low.y + g->cell * j - x[1],
                       dz = g->low.z + g->cell * k - x[2];
                double rest = 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius);
                if (rest <= 0) continue;
                double thick = strength * rest * rest * rest;
                smoke_cell* c = &g->at[node_index(g, i, j, k)];
                c->thick += (float)thick;
                c->color[0] += (float)(thick * s->color.x);
                c->color[1] += (float)(thick * s->color.y);
                c->color[2] += (float)(thick * s->color.z);
            }
}

// What the puffs of balls that touch in a grid come to: n times the integral of one.
static double dense_sum(double size) { return 0.63829 * size * size * size / 8; }

static void fill_slab(int slab, void* argument)
{
    const smoke_work* w = (const smoke_work*)argument;
    int first = slab * SLAB, end = first + SLAB < w->g->nodes[2] ? first + SLAB : w->g->nodes[2];
    for (int b = 0; b < w->count; ++b) {
        const smoke_source* s = &w->source[b];
        double depth = isnan(s->depth) ? 10 * most_radius(s) : s->depth;
        for (int i = 0; i < s->count; ++i)
            add_puff(w->g, s, i, depth * dense_sum(s->size), first, end);
    }
}

bool smoke_create(smoke_grid* out, const smoke_source* source, int count, workers* threads)
{
    memset(out, 0, sizeof *out);
    if (!lay_out(out, source, count)) return true;
    size_t nodes = (size_t)out->nodes[0] * (size_t)out->nodes[1] * (size_t)out->nodes[2],
           lights = (size_t)out->lights[0] * (size_t)out->lights[1] * (size_t)out->lights[2];
    out->at = (smoke_cell*)mem_array_zero(nodes, sizeof *out->at);
    out->light = (float*)mem_array_zero(lights, sizeof *out->light);
    if (!out->at || !out->light) return false;
    smoke_work w = {out, source, count, {0, 1, 0}, NULL, NULL};
    workers_run(threads, fill_slab, &w, (out->nodes[2] + SLAB - 1) / SLAB);
    return true;
}

void smoke_release(smoke_grid* g)
{
    mem_free(g->at);
    mem_free(g->light);
}

// ---- light --------------------------------------------------------------------------------------

// Between eight nodes: the lowest and the shares of the upper ones. False outside.
typedef struct {
    int x, y, z;
    float u, v, w;
} grid_place;

static bool find_place(const smoke_grid* g, const int nodes[3], double cell, vec3 point,
                       grid_place* out)
{
    double x = (point.x - g->low.x) / cell, y = (point.y - g->low.y) / cell,
           z = (point.z - g->low.z) / cell;
    if (!(x >= 0 && y >= 0 && z >= 0 && x < nodes[0] - 1 && y < nodes[1] - 1 && z < nodes[2] - 1))
        return false;
    *out = (grid_place){(int)x, (int)y, (int)z, 0, 0, 0};
    out->u = (float)(x - out->x), out->v = (float)(y - out->y), out->w = (float)(z - out->z);
    return true;
}

static float share_of(const grid_place* p, int k)
{
    return (k & 1 ? p->u : 1 - p->u) * (k & 2 ? p->v : 1 - p->v) * (k & 4 ? p->w : 1 - p->w);
}

static double thick_at(const smoke_grid* g, vec3 point, smoke_cell* out)
{
    grid_place p;
    *out = (smoke_cell){0, {0, 0, 0}};
    if (!find_place(g, g->nodes, g->cell, point, &p)) return 0;
    for (int k = 0; k < 8; ++k) {
        const smoke_cell* c =
            &g->at[node_index(g, p.x + (k & 1), p.y + (k >> 1 & 1), p.z + (k >> 2))];
        float share = share_of(&p, k);
        out->thick += share * c->thick;
        for (int i = 0; i < 3; ++i) out->color[i] += share * c->color[i];
    }
    return (double)out->thick;
}

static double light_at(const smoke_grid* g, vec3 point)
{
    grid_place p;
    double sum = 0;
    if (!find_place(g, g->lights, 2 * g->cell, point, &p)) return 1;
    for (int k = 0; k < 8; ++k) {
        size_t x = (size_t)(p.x + (k & 1)), y = (size_t)(p.y + (k >> 1 & 1)),
               z = (size_t)(p.z + (k >> 2));
        sum += (double)(share_of(&p, k) *
                        g->light[x + (size_t)g->lights[0] * (y + (size_t)g->lights[1] * z)]);
    }
    return sum;
}

// Where a ray is in the grid, from 0 on.
static bool span_of(const smoke_grid* g, vec3 origin, vec3 way, double most, double out[2])
{
    const double low[3] = {g->low.x, g->low.y, g->low.z}, from[3] = {origin.x, origin.y, origin.z},
                 along[3] = {way.x, way.y, way.z};
    out[0] = 0, out[1] = most;
    for (int k = 0; k < 3; ++k) {
        double high = low[k] + g->cell * (g->nodes[k] - 1);
        if (along[k] == 0 && (from[k] < low[k] || from[k] > high)) return false;
        if (along[k] == 0) continue;
        double a = (low[k] - from[k]) / along[k], b = (high - from[k]) / along[k];
        out[0] = fmax(out[0], fmin(a, b));
        out[1] = fmin(out[1], fmax(a, b));
    }
    return out[0] < out[1];
}

// The part of light that comes from there through the smoke.
static double through(const smoke_grid* g, vec3 point, vec3 way)
{
    double span[2], sum = 0, step = 1.5 * g->cell;
    smoke_cell unused;
    if (!span_of(g, point, way, INFINITY, span)) return 1;
    for (double t = span[0] + 0.5 * step; t < span[1] && sum < 12; t += step)
        sum += step * thick_at(g, v3_add_scaled(point, t, way), &unused);
    return exp(-sum);
}

static void light_layer(int z, void* argument)
{
    const smoke_work* w = (const smoke_work*)argument;
    smoke_grid* g = w->g;
    for (int y = 0; y < g->lights[1]; ++y)
        for (int x = 0; x < g->lights[0]; ++x) {
            vec3 point = v3_add_scaled(g->low, 2 * g->cell, v3(x, y, z));
            bool lit = !w->reaches || w->reaches(w->context, point);
            g->light[(size_t)x +
                     (size_t)g->lights[0] * ((size_t)y + (size_t)g->lights[1] * (size_t)z)] =
                lit ? (float)through(g, point, w->sun) : 0;
        }
}

void smoke_light(smoke_grid* g, vec3 sun, smoke_reach_fn* reaches, const void* context,
                 workers* threads)
{
    smoke_work w = {g, NULL, 0, sun, reaches, context};
    workers_run(threads, light_layer, &w, g->lights[2]);
}

// ---- what is seen -------------------------------------------------------------------------------

vec3 smoke_along(const smoke_grid* g, vec3 origin, vec3 way, double most, double start,
                 double* out_left)
{
    const vec3 around = {0.34, 0.37, 0.42}, sun = {0.74, 0.71, 0.66};
    double span[2], left = 1, step = 0.8 * g->cell;
    vec3 sum = v3(0, 0, 0);
    *out_left = 1;
    if (!span_of(g, origin, way, most, span)) return sum;
    for (double t = span[0] + start * step; t < span[1] && left > 0.005; t += step) {
        vec3 point = v3_add_scaled(origin, t, way);
        smoke_cell c;
        double thick = thick_at(g, point, &c);
        if (!(thick > 0)) continue;
        double lit = light_at(g, point), kept = exp(-step * thick),
               part = left * (1 - kept) / thick;
        // What the sky sends is less where the sun does not reach either.
        vec3 light = v3_add_scaled(v3_scale(0.45 + 0.55 * sqrt(lit), around), lit, sun);
        vec3 color = v3((double)c.color[0], (double)c.color[1], (double)c.color[2]);
        sum = v3_add_scaled(sum, part, v3_times(color, light));
        left *= kept;
    }
    *out_left = left;
    return sum;
}

// Inside of the grid that is known; solids beside it have their own shadows.
double smoke_shadow(const smoke_grid* g, vec3 point, vec3 sun) { return through(g, point, sun); }
