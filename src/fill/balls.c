#define PRECISION_DOUBLE
#include "fill/balls.h"
#include "base/sort.h"
#include "geometry/box.h"
#include "geometry/morton.h"
#include <math.h>
#include <string.h>

void balls_start(ball_list* b, double least, double most, double gap)
{
    *b = (ball_list){.gap = gap};
    double high = least;
    do {
        bool last = b->octaves == BALL_OCTAVES - 1;
        high = last ? most : fmin(2 * high, most);
        b->grid[b->octaves++] = (ball_grid){.most = high, .cell = 2 * high + gap};
    } while (high < most && b->octaves < BALL_OCTAVES);
}

void balls_release(ball_list* b)
{
    mem_free(b->place);
    mem_free(b->radius);
    mem_free(b->depth);
    mem_free(b->next);
    for (int i = 0; i < b->octaves; ++i) mem_free(b->grid[i].head);
    *b = (ball_list){0};
}

static ball_grid* grid_of(ball_list* b, double radius)
{
    int octave = 0;
    while (octave < b->octaves - 1 && radius > b->grid[octave].most) ++octave;
    return &b->grid[octave];
}

// ---- cells --------------------------------------------------------------------------------------

static int64_t cell_of(const ball_grid* g, double x)
{
    double cells = x / g->cell;
    if (!(fabs(cells) < 0x1p60)) return 0; // all that is so far away, or not finite
    int64_t whole = (int64_t)cells;
    return whole - ((double)whole > cells);
}

// Cells that follow each other in z have chains that do.
static int column_of(int64_t x, int64_t y)
{
    uint64_t mixed = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu;
    return (int)((mixed ^ mixed >> 29) >> 8 & 0x7fffffff);
}

static int chain_of(const ball_grid* g, int column, int64_t z)
{
    return (int)(((uint64_t)column + (uint64_t)z) & (uint64_t)(g->size - 1));
}

static void enter(ball_list* b, ball_grid* g, int ball)
{
    vec3 p = b->place[ball];
    int chain = chain_of(g, column_of(cell_of(g, p.x), cell_of(g, p.y)), cell_of(g, p.z));
    b->next[ball] = g->head[chain];
    g->head[chain] = ball;
}

// Twice as many chains, for all balls of the octave.
static bool grow(ball_list* b, ball_grid* g)
{
    int size = g->size ? 2 * g->size : 1024;
    int* head = (int*)mem_array((size_t)size, sizeof(int));
    if (!head) return false;
    memset(head, -1, (size_t)size * sizeof *head);
    mem_free(g->head);
    g->head = head;
    g->size = size;
    for (int i = 0; i < b->count; ++i)
        if (grid_of(b, b->radius[i]) == g) enter(b, g, i);
    return true;
}

bool balls_add(ball_list* b, vec3 place, double radius, double depth)
{
    int64_t needed = (int64_t)b->count + 1;
    if (!mem_reserve((void**)&b->place, &b->place_capacity, needed, sizeof *b->place) ||
        !mem_reserve((void**)&b->radius, &b->radius_capacity, needed, sizeof *b->radius) ||
        !mem_reserve((void**)&b->depth, &b->depth_capacity, needed, sizeof *b->depth) ||
        !mem_reserve((void**)&b->next, &b->next_capacity, needed, sizeof *b->next))
        return false;
    ball_grid* g = grid_of(b, radius);
    if (g->count == g->size && !grow(b, g)) return false;
    b->place[b->count] = place;
    b->radius[b->count] = radius;
    b->depth[b->count] = depth;
    enter(b, g, b->count++);
    ++g->count;
    return true;
}

// ---- room ---------------------------------------------------------------------------------------

// Rounding of a place that was chosen to touch another ball.
static const double ROUNDING = 1e-12;

// What is left of a radius beside another ball; less than `least` is nothing.
static double room_beside(double gap, vec3 way, double radius, double room)
{
    double most = room + radius + gap, square = v3_dot(way, way);
    bool free = !(most > 0) || square >= most * most * (1 - ROUNDING);
    return free ? room : sqrt(square) - gap - radius;
}

// Cells of an octave within `reach` of a place, chain after chain.
typedef struct {
    int64_t low[3], high[3], x, y, z;
    int column;
} cell_walk;

static cell_walk walk_cells(const ball_grid* g, vec3 p, double reach)
{
    cell_walk w = {
        .low = {cell_of(g, p.x - reach), cell_of(g, p.y - reach), cell_of(g, p.z - reach)},
        .high = {cell_of(g, p.x + reach), cell_of(g, p.y + reach), cell_of(g, p.z + reach)}};
    w.x = w.low[0], w.y = w.low[1], w.z = w.low[2];
    w.column = column_of(w.x, w.y);
    return w;
}

static bool next_cell(cell_walk* w)
{
    if (++w->z <= w->high[2]) return true;
    w->z = w->low[2];
    if (++w->y > w->high[1]) {
        w->y = w->low[1];
        if (++w->x > w->high[0]) return false;
    }
    w->column = column_of(w->x, w->y);
    return true;
}

static double room_in_grid(const ball_list* b, const ball_grid* g, vec3 p, double least,
                           double room)
{
    cell_walk w = walk_cells(g, p, room + g->most + b->gap);
    do
        for (int i = g->head[chain_of(g, w.column, w.z)]; i >= 0; i = b->next[i]) {
            room = room_beside(b->gap, v3_sub(b->place[i], p), b->radius[i], room);
            if (room < least) return 0;
        }
    while (next_cell(&w));
    return room;
}

double balls_room(const ball_list* b, vec3 place, double least, double wanted)
{
    double room = wanted;
    for (int i = b->octaves - 1; i >= 0 && room >= least; --i)
        if (b->grid[i].count) room = room_in_grid(b, &b->grid[i], place, least, room);
    return room;
}

// Cells that share a chain bring a ball twice, which does no harm.
static bool near_in_grid(const ball_list* b, const ball_grid* g, vec3 p, double reach,
                         near_list* out)
{
    cell_walk w = walk_cells(g, p, reach);
    do
        for (int i = g->head[chain_of(g, w.column, w.z)]; i >= 0; i = b->next[i]) {
            vec3 way = v3_sub(b->place[i], p);
            if (v3_dot(way, way) > reach * reach) continue;
            if (!mem_reserve((void**)&out->ball, &out->capacity, (int64_t)out->count + 1,
                             sizeof *out->ball))
                return false;
            out->ball[out->count++] = (near_ball){b->place[i], b->radius[i]};
        }
    while (next_cell(&w));
    return true;
}

bool balls_near(const ball_list* b, vec3 place, double reach, double most, near_list* out)
{
    bool good = true;
    out->count = 0;
    for (int i = 0; i < b->octaves && good; ++i)
        if (b->grid[i].count)
            good =
                near_in_grid(b, &b->grid[i], place, reach + most + b->grid[i].most + b->gap, out);
    return good;
}

double near_room(const near_list* n, double gap, vec3 place, double least, double wanted)
{
    double room = wanted;
    for (int i = n->count - 1; i >= 0 && room >= least; --i)
        room = room_beside(gap, v3_sub(n->ball[i].place, place), n->ball[i].radius, room);
    return room;
}

// ---- order --------------------------------------------------------------------------------------

static uint64_t key_of(vec3 p, vec3 low, double scale)
{
    return morton_key((uint32_t)((p.x - low.x) * scale), (uint32_t)((p.y - low.y) * scale),
                      (uint32_t)((p.z - low.z) * scale));
}

// Chains and depths are of no use any more.
static bool move(ball_list* b, const int* order)
{
    vec3* place = (vec3*)mem_array((size_t)b->count, sizeof *place);
    double* radius = (double*)mem_array((size_t)b->count, sizeof *radius);
    for (int i = 0; place && radius && i < b->count; ++i)
        place[i] = b->place[order[i]], radius[i] = b->radius[order[i]];
    bool good = place && radius;
    mem_free(good ? b->place : place);
    mem_free(good ? b->radius : radius);
    if (good) b->place = place, b->radius = radius;
    return good;
}

bool balls_sort(ball_list* b)
{
    if (b->count == 0) return true;
    vec3 low = b->place[0], high = low;
    for (int i = 1; i < b->count; ++i)
        low = v3_low(low, b->place[i]), high = v3_high(high, b->place[i]);
    vec3 side = v3_sub(high, low);
    double most = fmax(side.x, fmax(side.y, side.z));
    double scale = most > 0 ? ((1 << MORTON_BITS) - 1) / most : 0;
    uint64_t* key = (uint64_t*)mem_array((size_t)b->count, sizeof *key);
    int* order = (int*)mem_array((size_t)b->count, sizeof *order);
    for (int i = 0; key && order && i < b->count; ++i)
        key[i] = key_of(b->place[i], low, scale), order[i] = i;
    bool good = key && order && sort_with_order(key, order, b->count) && move(b, order);
    mem_free(key);
    mem_free(order);
    return good;
}
