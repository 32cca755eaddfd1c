// Beads of what a closed surface encloses: cells of a grid, with as much of them as is inside. Rays
// along x go through the grid, several to a cell; where they are inside adds up. What lies deeper
// than a liquid can see is left out.
#include "fluid/beads.h"
#include <math.h>
#include <string.h>

enum { RAYS = 4 };                   // to a side of a cell
static const double cell_size = 0.8; // spacings
static const double depth = 2.5;     // spacings that a liquid sees, and a little more

typedef struct {
    double volume, first[3]; // [m^3], and times the place
} cell_sum;

typedef struct {
    double x;
    int way; // +1: the ray comes in
} crossing;

typedef struct {
    const bead_source* from;
    double low[3], size; // [m]
    int count[3];
    cell_sum* cell;
    crossing* found;
    int found_count, found_capacity;
    int *start, *of; // triangles that may cross the rays of each row of cells
} filling;

static const double* corner_of(const filling* f, int triangle, int i)
{
    return f->from->local + 3 * (size_t)f->from->mesh->triangles[3 * (size_t)triangle + (size_t)i];
}

// ---- the grid -----------------------------------------------------------------------------------

static void size_grid(filling* f)
{
    const pliant_mesh* m = f->from->mesh;
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    f->size = cell_size * f->from->spacing;
    for (int k = 0; k < 3; ++k) f->low[k] = INFINITY;
    for (int i = 0; i < m->vertex_count; ++i)
        for (int k = 0; k < 3; ++k) {
            f->low[k] = fmin(f->low[k], f->from->local[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], f->from->local[3 * (size_t)i + (size_t)k]);
        }
    for (int k = 0; k < 3; ++k) {
        double cells = ceil((high[k] - f->low[k]) / f->size);
        f->count[k] = cells < 1 ? 1 : cells < 1 << 20 ? (int)cells : 1 << 20;
        f->low[k] -= 0.5 * (f->count[k] * f->size - (high[k] - f->low[k]));
    }
}

// Rows of cells that a triangle is over.
static void rows_of(const filling* f, int triangle, int first[2], int last[2])
{
    for (int k = 0; k < 2; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 3; ++i) {
            double x = (corner_of(f, triangle, i)[k + 1] - f->low[k + 1]) / f->size;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        int most = f->count[k + 1] - 1;
        first[k] = low < 0 ? 0 : low > most ? most : (int)low;
        last[k] = high < 0 ? 0 : high > most ? most : (int)high;
    }
}

// Counts triangles of rows, or lists them.
static void go_through_rows(filling* f, bool list)
{
    for (int t = f->from->mesh->triangle_count - 1; t >= 0; --t) {
        int first[2], last[2];
        rows_of(f, t, first, last);
        for (int z = first[1]; z <= last[1]; ++z)
            for (int y = first[0]; y <= last[0]; ++y) {
                int row = z * f->count[1] + y;
                if (list)
                    f->of[--f->start[row]] = t;
                else
                    f->start[row]++;
            }
    }
}

static bool list_triangles(filling* f)
{
    size_t rows = (size_t)f->count[1] * (size_t)f->count[2];
    double total = 0;
    f->start = (int*)mem_array_zero(rows + 1, sizeof(int));
    if (!f->start) return false;
    go_through_rows(f, false);
    for (size_t i = 0; i < rows; ++i) total += f->start[i];
    if (total > 1e9) return false;
    for (size_t i = 0; i < rows; ++i) f->start[i + 1] += f->start[i];
    f->of = (int*)mem_array((size_t)f->start[rows] + 1, sizeof(int));
    if (!f->of) return false;
    go_through_rows(f, true);
    return true;
}

// ---- rays ---------------------------------------------------------------------------------------

// Twice the area to the left of an edge, seen along the ray. Both triangles of an edge get the same
// number with opposite signs, to the bit: no ray goes through between them.
static double left_of(const double a[3], const double b[3], double y, double z)
{
    bool swap = a[1] > b[1] || (a[1] == b[1] && a[2] > b[2]);
    const double *p = swap ? b : a, *q = swap ? a : b;
    double side = (q[1] - p[1]) * (z - p[2]) - (q[2] - p[2]) * (y - p[1]);
    if (side == 0) side = 1e-300; // on the line: of one of the two
    return swap ? -side : side;
}

static bool cross_triangle(filling* f, int triangle, double y, double z)
{
    const double* c[3];
    double side[3], sum = 0, x = 0;
    for (int i = 0; i < 3; ++i) c[i] = corner_of(f, triangle, i);
    for (int i = 0; i < 3; ++i) side[i] = left_of(c[(i + 1) % 3], c[(i + 2) % 3], y, z);
    bool front = side[0] > 0 && side[1] > 0 && side[2] > 0;
    if (!front && !(side[0] < 0 && side[1] < 0 && side[2] < 0)) return true;
    for (int i = 0; i < 3; ++i) {
        sum += side[i];
        x += side[i] * c[i][0];
    }
    if (!mem_reserve((void**)&f->found, &f->found_capacity, (int64_t)f->found_count + 1,
                     sizeof *f->found))
        return false;
    int at = f->found_count++;
    const crossing one = {x / sum, front ? -1 : 1};
    for (; at > 0 && f->found[at - 1].x > one.x; --at) f->found[at] = f->found[at - 1];
    f->found[at] = one;
    return true;
}

static void add_inside(filling* f, int row, double y, double z, double from, double to)
{
    const double area = f->size * f->size / (RAYS * RAYS);
    double begin = (from - f->low[0]) / f->size, end = (to - f->low[0]) / f->size;
    int last = end < f->count[0] ? (int)end : f->count[0] - 1;
    for (int i = begin > 0 ? (int)begin : 0; i <= last; ++i) {
        double a = fmax(begin, i), b = fmin(end, i + 1), volume = (b - a) * f->size * area;
        cell_sum* c = &f->cell[(size_t)row * (size_t)f->count[0] + (size_t)i];
        if (!(b > a)) continue;
        c->volume += volume;
        c->first[0] += volume * (f->low[0] + f->size * 0.5 * (a + b));
        c->first[1] += volume * y;
        c->first[2] += volume * z;
    }
}

static bool send_ray(filling* f, int row, double y, double z)
{
    int around = 0;
    f->found_count = 0;
    for (int i = f->start[row]; i < f->start[row + 1]; ++i)
        if (!cross_triangle(f, f->of[i], y, z)) return false;
    for (int i = 0; i + 1 < f->found_count; ++i) {
        around += f->found[i].way;
        if (around > 0) add_inside(f, row, y, z, f->found[i].x, f->found[i + 1].x);
    }
    return true;
}

static bool send_rays(filling* f)
{
    bool good = true;
    for (int row = 0; row < f->count[1] * f->count[2] && good; ++row)
        for (int ray = 0; ray < RAYS * RAYS && good; ++ray) {
            double y = row % f->count[1] + (ray % RAYS + 0.5) / RAYS;
            double z = row / f->count[1] + (ray / RAYS + 0.5) / RAYS;
            good = send_ray(f, row, f->low[1] + f->size * y, f->low[2] + f->size * z);
        }
    return good;
}

// ---- beads --------------------------------------------------------------------------------------

// Whether all cells that are near are full: no liquid can see it.
static bool is_deep(const filling* f, const int at[3])
{
    const double full = 0.99 * f->size * f->size * f->size;
    int away = (int)ceil(depth / cell_size), to[3];
    for (int k = 0; k < 3; ++k)
        if (at[k] < away || at[k] + away >= f->count[k]) return false;
    for (to[2] = at[2] - away; to[2] <= at[2] + away; ++to[2])
        for (to[1] = at[1] - away; to[1] <= at[1] + away; ++to[1])
            for (to[0] = at[0] - away; to[0] <= at[0] + away; ++to[0]) {
                size_t row = (size_t)to[2] * (size_t)f->count[1] + (size_t)to[1];
                if (f->cell[row * (size_t)f->count[0] + (size_t)to[0]].volume < full) return false;
            }
    return true;
}

static bool take_cells(const filling* f, fluid_beads* out)
{
    const double least = 1e-3 * f->size * f->size * f->size;
    size_t number = 0;
    int at[3];
    for (at[2] = 0; at[2] < f->count[2]; ++at[2])
        for (at[1] = 0; at[1] < f->count[1]; ++at[1])
            for (at[0] = 0; at[0] < f->count[0]; ++at[0], ++number) {
                const cell_sum* c = &f->cell[number];
                fluid_bead b = {.volume = c->volume};
                if (!(c->volume > least) || is_deep(f, at)) continue;
                for (int k = 0; k < 3; ++k) b.at[k] = c->first[k] / c->volume;
                if (!fluid_beads_add(out, &b)) return false;
            }
    return true;
}

bool fluid_beads_fill(const bead_source* from, fluid_beads* out)
{
    filling f = {.from = from};
    size_grid(&f);
    double cells = (double)f.count[0] * f.count[1] * f.count[2];
    if (cells < 1 << 26)
        f.cell = (cell_sum*)mem_array_zero((size_t)cells, sizeof *f.cell);
    else
        out->count = INT32_MAX; // too many
    bool good = f.cell && list_triangles(&f) && send_rays(&f) && take_cells(&f, out);
    mem_free(f.cell);
    mem_free(f.found);
    mem_free(f.start);
    mem_free(f.of);
    return good;
}
