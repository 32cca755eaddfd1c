#include "tetra/target.h"
#include <math.h>
#include <stdbool.h>

static const double NEAR_ENOUGH = 0.02;

// Newton's method from above, in the basic operations: the same bits on every machine.
static double cube_root(double x)
{
    double root = x > 1 ? x : 1;
    for (int i = 0; i < 200; ++i) root -= (root - x / (root * root)) / 3;
    return root;
}

double target_start(target_search* s, double tets, double volume)
{
    *s = (target_search){.target = tets, .high = INFINITY};
    // A tenth of the bounding cube, until something is known. Large meshes begin with a smaller
    // one, which is cheap and tells the rest.
    return cube_root(12 * (volume > 0 ? volume : 0.1) / (tets > 20000 ? tets / 8 : tets));
}

// The number of tets grows with the volume over cell^3 and with the area over cell^2: two trials
// tell both, and one the first alone.
static double next_cell(const trial* last, const trial* before, double target)
{
    // A mesh of few tets knows little.
    double cell = last->cell * fmax(cube_root(last->tets / target), 0.4);
    if (!(before->tets > 0) || before->cell == last->cell) return cell;
    double x1 = 1 / last->cell, x2 = 1 / before->cell;
    double y1 = last->tets / (x1 * x1), y2 = before->tets / (x2 * x2);
    double slope = (y1 - y2) / (x1 - x2), base = y1 - slope * x1;
    if (!(slope > 0)) return cell;
    double x = 1 / cell;
    for (int i = 0; i < 20; ++i) { // Newton's method for slope x^3 + base x^2 = target
        double value = (slope * x + base) * x * x - target, rise = (3 * slope * x + 2 * base) * x;
        if (!(rise > 0)) return cell;
        x -= value / rise;
    }
    return x * cell > 0.5 && x * cell < 2 ? 1 / x : cell;
}

// Between what gave too many and what gave too few.
static double within(const target_search* s, double cell)
{
    bool between = cell > s->low && cell < s->high;
    if (between || !(s->low < s->high)) return cell;
    return s->high < INFINITY ? (s->low + s->high) / 2 : 1.25 * s->low;
}

double target_next(target_search* s, trial done)
{
    s->before = s->last;
    s->last = done;
    if (fabs(done.tets - s->target) <= NEAR_ENOUGH * s->target) return 0;
    if (done.tets > s->target) s->low = fmax(s->low, done.cell);
    if (done.tets < s->target) s->high = fmin(s->high, done.cell);
    double cell = done.tets > 0 ? next_cell(&s->last, &s->before, s->target) : done.cell / 2;
    return within(s, cell);
}
